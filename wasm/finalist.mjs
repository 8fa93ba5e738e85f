// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * BLAKE, BLAKE2, BLAKE3 and Grøstl in browsers and Node: the C library as finalist.wasm.
 *
 *   import { load } from "./finalist.mjs";
 *   const finalist = await load(bytesOrResponse);
 *   finalist.hash("blake2b", message, { digestBytes: 32, personal });
 *
 * The interface is that of include/finalist.h, with its meanings, limits and status codes. Bytes
 * are a Uint8Array, or a Buffer, DataView or ArrayBuffer seen as one; lengths are in bytes unless a
 * name says bits; numbers that can exceed 2^53 (offsets, leaf counts) may be BigInts. A call that
 * fails throws a FinalistError with the C library's text and status, and changes nothing. Nothing
 * is converted: a value that is not an integer, name or bytes where one is required (true, "64",
 * [32], 1.5, NaN) is a TypeError, and so are an unknown field of an object and bytes whose buffer
 * was transferred or shrunk. An integer that is out of range and has no status is a RangeError, and
 * so is a length beyond any memory.
 *
 * Not available: fin_share_*, since the module has no threads; FINALIST_IMPL and FINALIST_CPU,
 * since it has no environment; the functions named after an algorithm. Finalist.exports has the C
 * functions themselves.
 *
 * Keys are copied into the module's memory and overwritten there after use; JavaScript's own copies
 * are the caller's to erase. Only the code in the module runs in constant time.
 *
 * @typedef {Uint8Array | ArrayBufferView | ArrayBuffer} Bytes
 *
 * @typedef {object} TreeMode     one node's parameters (BLAKE2 paper, section 2.10); all default 0
 * @property {number} [fanout]
 * @property {number} [depth]
 * @property {number} [leafBytes]
 * @property {number | bigint} [nodeOffset]
 * @property {number} [nodeDepth]
 * @property {number} [innerBytes]
 * @property {boolean} [lastNode]
 *
 * @typedef {object} Params
 * @property {number | bigint} [digestBytes]   0 or none: the algorithm's default; or XOF_UNKNOWN
 * @property {Bytes} [key]
 * @property {Bytes} [salt]
 * @property {Bytes} [personal]
 * @property {Bytes} [deriveKeyContext]        BLAKE3: the purpose of the derived key
 * @property {TreeMode} [treeMode]             BLAKE2b and BLAKE2s
 */

import { asBytes, asInteger, asList, asSize } from "./arguments.mjs";
import { MODULE, Module, WINDOW_BYTES } from "./memory.mjs";
import { MerkleCalls } from "./merkle.mjs";
import { Message, TreeModeMessage } from "./progress.mjs";
import { NO_PARAMS } from "./scratch.mjs";
import { Status } from "./status.mjs";

export { XOF_UNKNOWN } from "./progress.mjs";
export { FinalistError, Status } from "./status.mjs";

/**
 * Loads the library.
 * @param {Bytes | Response | WebAssembly.Module | Promise} source   finalist.wasm
 * @returns {Promise<Finalist>}
 */
export async function load(source) {
  let module = await source;
  if (!(module instanceof WebAssembly.Module)) {
    const isResponse = typeof Response !== "undefined" && module instanceof Response;
    module = await WebAssembly.compile(isResponse ? await module.arrayBuffer() : module);
  }
  const instance = await WebAssembly.instantiate(module, {});
  instance.exports._initialize();
  return new Finalist(new Module(instance.exports));
}

export class Finalist extends MerkleCalls {
  /* ---- One message ---- */

  /**
   * Returns the digest of a message. Memory in use does not depend on the message's length.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes} message
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  hash(algorithm, message, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const data = asBytes(message, "message");
    const { length } = data;
    if (length > WINDOW_BYTES) {
      return this.start(algorithm, params).update(data).digest();
    }
    return this[MODULE].digest(info, params, (set, scratch, at, bytes) =>
      this.exports.fin_hash(info.algorithm, set, scratch.copy(data, "message", length), length, at,
        bytes));
  }

  /**
   * Returns the digest of a message's first bits, the first one in the most significant bit. BLAKE
   * and Grøstl; Status.BITS for others unless bits is a multiple of 8.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes} message
   * @param {number} bits   a RangeError if the message has fewer
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  hashBits(algorithm, message, bits, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const data = asBytes(message, "message");
    const { length } = data;
    const count = asSize(bits, 8 * length, "bits");
    return this[MODULE].digest(info, params, (set, scratch, at, bytes) =>
      this.exports.fin_hash_bits(info.algorithm, set, scratch.copy(data, "message", length),
        BigInt(count), at, bytes));
  }

  /**
   * Starts a message that is hashed in parts.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Params} [params]
   * @returns {Message}
   */
  start(algorithm, params = NO_PARAMS) {
    return Message.start(this[MODULE], this[MODULE].info(algorithm), params);
  }

  /**
   * Continues a message from its midstate, from this or any other machine. Status.MIDSTATE for
   * other bytes.
   * @param {Bytes} midstate   result of Message.midstate or fin_save
   * @returns {Message}
   */
  resume(midstate) {
    return Message.resume(this[MODULE], midstate);
  }

  /* ---- Many messages ---- */

  /**
   * Returns the digests of many messages, hashed several at a time in vectors, as views of one
   * buffer. BLAKE2X needs a known length.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes[]} messages   all of them in the module's memory for the call
   * @param {Params} [params]    for every message
   * @returns {Uint8Array[]}
   */
  hashMany(algorithm, messages, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const list = asList(messages, "messages");
    return this[MODULE].digests(info, params, list.length, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_many(info.algorithm, set, scratch.messages(list), list.length, digests,
        bytes));
  }

  /**
   * Does the same as hashMany for the nodes of a level in BLAKE2's tree mode. BLAKE2b and BLAKE2s.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {{message: Bytes, nodeOffset?: number | bigint, lastNode?: boolean}[]} nodes
   * @param {Params} params   treeMode has the fields that the nodes share (else Status.TREE_MODE)
   * @returns {Uint8Array[]}
   */
  hashNodes(algorithm, nodes, params) {
    const info = this[MODULE].info(algorithm);
    const list = asList(nodes, "nodes");
    return this[MODULE].digests(info, params, list.length, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_nodes(info.algorithm, set, scratch.nodes(list), list.length, digests,
        bytes));
  }

  /**
   * Does the same as hashMany for consecutive messages of one length: a level of a Merkle tree,
   * where a message is two digests. Status.BLOCK_LENGTH if these are not whole messages.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes} messages
   * @param {number} messageBytes
   * @param {Params} [params]    for every message
   * @returns {Uint8Array[]}
   */
  hashEqual(algorithm, messages, messageBytes, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const data = asBytes(messages, "messages");
    const { length } = data;
    const each = Number(asInteger(messageBytes, "messageBytes"));
    const whole = each > 0 && length % each === 0;
    this[MODULE].check(whole ? Status.OK : Status.BLOCK_LENGTH);
    const count = length / each;
    return this[MODULE].digests(info, params, count, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_equal(info.algorithm, set, scratch.copy(data, "messages", length), each,
        count, digests, bytes));
  }

  /**
   * Computes a building block, not a hash function: Grøstl's compression function from its initial
   * value on one block without padding, then the output transformation, for trees whose every input
   * is two digests. Status.ALGORITHM if it is not Grøstl, Status.BLOCK_LENGTH if these are not
   * whole blocks.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes} pairs   two digests each, 64 bytes for digests up to 32, else 128
   * @returns {Uint8Array[]}
   */
  groestlPairs(algorithm, pairs) {
    const info = this[MODULE].info(algorithm);
    const data = asBytes(pairs, "pairs");
    const { length } = data;
    const count = length / info.blockBytes;
    this[MODULE].check(Number.isInteger(count) ? Status.OK : Status.BLOCK_LENGTH);
    return this[MODULE].digests(info, NO_PARAMS, count, (_, scratch, digests, bytes) =>
      this.exports.fin_groestl_pairs(info.algorithm, scratch.copy(data, "pairs", length), count,
        digests, bytes));
  }

  /* ---- BLAKE2's tree mode: BLAKE2 paper, section 2.10 ---- */

  /**
   * Starts a message in the tree mode of BLAKE2b or BLAKE2s. Status.TREE_MODE for a shape that is
   * out of range.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Params} params   treeMode is the shape: fanout, depth, leafBytes, innerBytes
   * @returns {TreeModeMessage}
   */
  startTreeMode(algorithm, params) {
    return TreeModeMessage.start(this[MODULE], this[MODULE].info(algorithm).algorithm, params);
  }

  /**
   * Hashes a message in tree mode.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes} message
   * @param {Params} params   as for startTreeMode
   * @returns {Uint8Array}
   */
  treeModeHash(algorithm, message, params) {
    return this.startTreeMode(algorithm, params).update(message).digest();
  }
}
