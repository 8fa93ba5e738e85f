// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * BLAKE, BLAKE2 and Grøstl in browsers and Node: the C library as finalist.wasm.
 *
 *   import { load } from "./finalist.mjs";
 *   const finalist = await load(bytesOrResponse);
 *   finalist.hash("blake2b", message, { digestBytes: 32, personal });
 *
 * The interface is that of include/finalist.h, with its meanings, limits and status codes. Bytes
 * are Uint8Array or whatever Buffer, DataView and ArrayBuffer can be seen as; lengths are in bytes
 * unless a name says bits; numbers that can pass 2^53 (offsets, leaf counts) may be BigInts. A call
 * that fails throws a FinalistError with the C library's sentence and status, and has changed
 * nothing. Nothing is converted: what is no integer, no name or no bytes where one is wanted is a
 * TypeError (true, "64", [32], 1.5, NaN), an integer that is out of range and has no status a
 * RangeError, as are lengths that no memory has.
 *
 * What stays in C: fin_share_*, for the module has no threads; FINALIST_IMPL and FINALIST_CPU, for
 * it has no environment; one function for each algorithm's name. Finalist.exports has the C
 * functions themselves.
 *
 * Keys are copied into the module's memory and overwritten there after use; JavaScript's own copies
 * are the caller's. Nothing here runs in constant time but what happens within the module.
 *
 * @typedef {Uint8Array | ArrayBufferView | ArrayBuffer} Bytes
 *
 * @typedef {object} Tree         one node's parameters (BLAKE2 paper, section 2.10); all default 0
 * @property {number} [fanout]
 * @property {number} [depth]
 * @property {number} [leafBytes]
 * @property {number | bigint} [nodeOffset]
 * @property {number} [nodeDepth]
 * @property {number} [innerBytes]
 * @property {boolean} [lastNode]
 *
 * @typedef {object} Params
 * @property {number | bigint} [digestBytes]   0 or none: the algorithm's own; or XOF_UNKNOWN
 * @property {Bytes} [key]
 * @property {Bytes} [salt]
 * @property {Bytes} [personal]
 * @property {Tree} [tree]                     BLAKE2b and BLAKE2s
 */

import {
  asBytes, asFlag, asInteger, asList, asName, asSize, asWords,
} from "./arguments.mjs";
import { Module, Status, WINDOW_BYTES } from "./memory.mjs";
import { MerkleTree, Message, TreeMessage } from "./progress.mjs";

export { FinalistError, Status } from "./memory.mjs";
export { XOF_UNKNOWN } from "./progress.mjs";

const IMPL_BYTES = 40;
const MERKLE_HASH_BYTES_MAX = 64;
const MERKLE_PROOF_MAX = 65;
const FAMILIES = ["blake", "blake2", "groestl"];

/**
 * The library.
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

export class Finalist {
  #module;
  #algorithms;

  constructor(module) {
    this.#module = module;
    this.#algorithms = new Map(this.algorithms().map((info) => [info.name, info]));
  }

  /** The C functions under their own names, malloc, free, and the module's memory. */
  get exports() {
    return this.#module.exports;
  }

  /** The library's version, "MAJOR.MINOR.PATCH". */
  get version() {
    return this.#module.text(this.exports.fin_version());
  }

  /* ---- Algorithms and implementations ---- */

  #describe(at) {
    const { view } = this.#module;
    const [name, title, compression] =
      [8, 12, 16].map((offset) => this.#module.text(this.#module.word(at + offset)));
    return {
      algorithm: view.getUint32(at, true),
      family: FAMILIES[view.getUint32(at + 4, true)],
      name,
      title,
      compression,
      blockBytes: view.getUint32(at + 20, true),
      digestBytes: view.getUint32(at + 24, true),
      digestBytesMin: Number(view.getBigUint64(at + 32, true)),
      digestBytesMax: Number(view.getBigUint64(at + 40, true)),
      keyBytesMax: view.getUint32(at + 48, true),
      saltBytes: view.getUint32(at + 52, true),
      personalBytes: view.getUint32(at + 56, true),
      bits: view.getUint8(at + 60) !== 0,
    };
  }

  /** The algorithms, in the C library's order: fin_algorithm_info. */
  algorithms() {
    return Array.from({ length: this.exports.fin_algorithm_count() }, (_, i) =>
      this.#describe(this.exports.fin_algorithm_at(i)));
  }

  /**
   * An algorithm by its name, case-sensitive. Status.ALGORITHM if there is none.
   * @param {string} name
   */
  algorithm(name) {
    const info = this.#algorithms.get(asName(name, "algorithm"));
    this.#module.check(info === undefined ? Status.ALGORITHM : Status.OK);
    return { ...info };
  }

  /** The implementations of the module, and which are selected: fin_impl_info. */
  implementations() {
    return this.#module.within((scratch) => {
      const at = scratch.reserve(IMPL_BYTES);
      return Array.from({ length: this.exports.fin_impl_count() }, (_, i) => {
        this.#module.check(this.exports.fin_impl_at(i, at));
        const { view } = this.#module;
        const [compression, name, technique, source, features, mode] =
          [0, 4, 8, 12, 16, 20].map((offset) => this.#module.text(this.#module.word(at + offset)));
        const [lanes, blockBytes, boundCycles] =
          [24, 28, 32].map((offset) => view.getUint32(at + offset, true));
        const [constantTime, supported, selected] =
          [36, 37, 38].map((offset) => view.getUint8(at + offset) !== 0);
        return {
          compression, name, technique, source, features, mode, lanes, blockBytes, boundCycles,
          constantTime, supported, selected,
        };
      });
    });
  }

  /** A name that C can read: NUL would end it early. */
  #implementation(name) {
    this.#module.check(asName(name, "implementation").includes("\0") ? Status.IMPL_UNKNOWN
      : Status.OK);
    return name;
  }

  /**
   * Selects an implementation for an algorithm and all that share its compression function.
   * Status.IMPL_UNKNOWN if there is none of that name.
   * @param {string} algorithm
   * @param {string | null} implementation   null: back to the automatic choice
   */
  select(algorithm, implementation) {
    const info = this.algorithm(algorithm);
    this.#module.within((scratch) => {
      const name = implementation === null ? 0 : scratch.text(this.#implementation(implementation));
      this.#module.check(this.exports.fin_impl_select(info.algorithm, name));
    });
  }

  /**
   * The name of the implementation that is selected for an algorithm.
   * @param {string} algorithm
   */
  selected(algorithm) {
    return this.#module.text(this.exports.fin_impl_selected(this.algorithm(algorithm).algorithm));
  }

  /** The class of cores whose preferences the automatic choice follows. */
  coreClass() {
    return this.#module.text(this.exports.fin_core_class());
  }

  /** The features of the machine that the module was built for, by name: simd128 or none. */
  cpuFeatures() {
    return this.#module.within((scratch) => {
      const bytes = this.exports.fin_cpu_features(0, 0) + 1;
      const at = scratch.reserve(bytes);
      this.exports.fin_cpu_features(at, bytes);
      return this.#module.text(at).split(",").filter((name) => name !== "");
    });
  }

  /* ---- One message ---- */

  /** The digest's length, which must be known: Status.DIGEST_LENGTH if there is no such digest. */
  #digestBytes(info, params) {
    const { digestBytes = 0 } = params;
    const asked = asInteger(digestBytes, "digestBytes");
    const possible = asked >= 0n && asked <= BigInt(info.digestBytesMax);
    this.#module.check(possible ? Status.OK : Status.DIGEST_LENGTH);
    return asked === 0n ? info.digestBytes : Number(asked);
  }

  /**
   * The digest of a message. Memory in use does not depend on the message's length.
   * @param {string} algorithm
   * @param {Bytes} message
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  hash(algorithm, message, params = {}) {
    const info = this.algorithm(algorithm);
    const data = asBytes(message, "message");
    if (data.length > WINDOW_BYTES) {
      return this.start(algorithm, params).update(data).digest();
    }
    return this.#digests(info, params, 1, (set, scratch, digest, bytes) =>
      this.exports.fin_hash(info.algorithm, set, scratch.copy(data), data.length, digest,
        bytes))[0];
  }

  /**
   * The digest of a message's first bits, the first one in the most significant bit. BLAKE and
   * Grøstl; Status.BITS for others unless bits is a multiple of 8.
   * @param {string} algorithm
   * @param {Bytes} message
   * @param {number} bits   a RangeError if the message has fewer
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  hashBits(algorithm, message, bits, params = {}) {
    const info = this.algorithm(algorithm);
    const data = asBytes(message, "message");
    const count = asSize(bits, 8 * data.length, "bits");
    return this.#digests(info, params, 1, (set, scratch, digest, bytes) =>
      this.exports.fin_hash_bits(info.algorithm, set, scratch.copy(data), BigInt(count), digest,
        bytes))[0];
  }

  /**
   * A message piece by piece.
   * @param {string} algorithm
   * @param {Params} [params]
   * @returns {Message}
   */
  start(algorithm, params = {}) {
    return Message.start(this.#module, this.algorithm(algorithm).algorithm, params);
  }

  /**
   * A message from its midstate, here or on any other machine. Status.MIDSTATE for other bytes.
   * @param {Bytes} midstate   what Message.midstate or fin_save returned
   * @returns {Message}
   */
  resume(midstate) {
    return Message.resume(this.#module, midstate);
  }

  /* ---- Many messages ---- */

  /** The digests that call(params, scratch, at, bytes) writes from at on, each of so many bytes. */
  #digests(info, params, count, call) {
    const bytes = this.#digestBytes(info, params);
    return this.#module.within((scratch) => {
      const at = scratch.reserve(bytes * count);
      this.#module.check(call(scratch.params(params), scratch, at, bytes));
      return this.#module.pieces(at, count, bytes);
    });
  }

  /**
   * The digests of many messages, several at a time in vectors. BLAKE2X needs a known length.
   * @param {string} algorithm
   * @param {Bytes[]} messages   all of them in the module's memory for the call
   * @param {Params} [params]    for every message
   * @returns {Uint8Array[]}
   */
  hashMany(algorithm, messages, params = {}) {
    const info = this.algorithm(algorithm);
    const list = asList(messages, "messages");
    return this.#digests(info, params, list.length, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_many(info.algorithm, set, scratch.messages(list), list.length, digests,
        bytes));
  }

  /**
   * As hashMany for the nodes of a level of a BLAKE2 tree. BLAKE2b and BLAKE2s.
   * @param {string} algorithm
   * @param {{message: Bytes, nodeOffset?: number | bigint, lastNode?: boolean}[]} nodes
   * @param {Params} params   tree has what the nodes have in common (else Status.TREE)
   * @returns {Uint8Array[]}
   */
  hashNodes(algorithm, nodes, params) {
    const info = this.algorithm(algorithm);
    const list = asList(nodes, "nodes");
    return this.#digests(info, params, list.length, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_nodes(info.algorithm, set, scratch.nodes(list), list.length, digests,
        bytes));
  }

  /**
   * As hashMany for messages of one length that lie one after the other: a level of a Merkle tree,
   * where a message is two digests. Status.BLOCK_LENGTH if these are not whole messages.
   * @param {string} algorithm
   * @param {Bytes} messages
   * @param {number} messageBytes
   * @param {Params} [params]    for every message
   * @returns {Uint8Array[]}
   */
  hashEqual(algorithm, messages, messageBytes, params = {}) {
    const info = this.algorithm(algorithm);
    const data = asBytes(messages, "messages");
    const each = Number(asInteger(messageBytes, "messageBytes"));
    const whole = each > 0 && data.length % each === 0;
    this.#module.check(whole ? Status.OK : Status.BLOCK_LENGTH);
    const count = data.length / each;
    return this.#digests(info, params, count, (set, scratch, digests, bytes) =>
      this.exports.fin_hash_equal(info.algorithm, set, scratch.copy(data), each, count, digests,
        bytes));
  }

  /**
   * A building block, not a hash function: Grøstl's compression function from its initial value on
   * one block without padding, then the output transformation, for trees whose every input is two
   * digests. Status.ALGORITHM if it is not Grøstl, Status.BLOCK_LENGTH if these are not whole
   * blocks.
   * @param {string} algorithm
   * @param {Bytes} pairs   two digests each, 64 bytes for digests up to 32, else 128
   * @returns {Uint8Array[]}
   */
  groestlPairs(algorithm, pairs) {
    const info = this.algorithm(algorithm);
    const data = asBytes(pairs, "pairs");
    const count = data.length / info.blockBytes;
    this.#module.check(Number.isInteger(count) ? Status.OK : Status.BLOCK_LENGTH);
    return this.#digests(info, {}, count, (_, scratch, digests, bytes) =>
      this.exports.fin_groestl_pairs(info.algorithm, scratch.copy(data), count, digests, bytes));
  }

  /* ---- Merkle trees: RFC 9162, section 2.1, over any algorithm ---- */

  #merkleHashBytes(info, params) {
    const bytes = this.#digestBytes(info, params);
    this.#module.check(bytes <= MERKLE_HASH_BYTES_MAX ? Status.OK : Status.DIGEST_LENGTH);
    return bytes;
  }

  /**
   * The hashes of leaves, many at a time. Status.TREE for BLAKE2's own tree parameters, here and
   * in the other calls on Merkle trees.
   * @param {string} algorithm
   * @param {Bytes[]} leaves
   * @param {Params} [params]   for every hash of the tree; digests up to 64 bytes
   * @returns {Uint8Array[]}
   */
  merkleLeaves(algorithm, leaves, params = {}) {
    const info = this.algorithm(algorithm);
    const list = asList(leaves, "leaves");
    this.#merkleHashBytes(info, params);
    return this.#digests(info, params, list.length, (set, scratch, hashes) =>
      this.exports.fin_merkle_leaves(info.algorithm, set, scratch.messages(list), list.length,
        hashes));
  }

  /**
   * A Merkle tree that grows, in memory that does not.
   * @param {string} algorithm
   * @param {Params} [params]
   * @returns {MerkleTree}
   */
  startMerkle(algorithm, params = {}) {
    return MerkleTree.start(this.#module, this.algorithm(algorithm).algorithm, params);
  }

  /**
   * The root over leaves with these hashes. Status.BLOCK_LENGTH if one is not as long as a hash.
   * @param {string} algorithm
   * @param {Bytes[]} hashes
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  merkleRoot(algorithm, hashes, params = {}) {
    return this.startMerkle(algorithm, params).append(hashes).root();
  }

  #merkleProof(info, hashes, params, prove) {
    const bytes = this.#merkleHashBytes(info, params);
    return this.#module.within((scratch) => {
      const proof = scratch.reserve(bytes * MERKLE_PROOF_MAX);
      const count = scratch.reserve(4);
      const leaves = scratch.hashes(hashes, bytes, Status.BLOCK_LENGTH);
      this.#module.check(prove(scratch.params(params), leaves, proof, count));
      return this.#module.pieces(proof, this.#module.word(count), bytes);
    });
  }

  /**
   * The proof that leaf index, from 0, is in the tree over leaves with these hashes.
   * Status.INDEX if there is no such leaf.
   * @param {string} algorithm
   * @param {Bytes[]} hashes
   * @param {number} index
   * @param {Params} [params]
   * @returns {Uint8Array[]}
   */
  merkleInclusion(algorithm, hashes, index, params = {}) {
    const info = this.algorithm(algorithm);
    const list = asList(hashes, "hashes");
    const leaf = Number(this.#module.whole(index, 32, Status.INDEX, "index"));
    return this.#merkleProof(info, list, params, (set, leaves, proof, count) =>
      this.exports.fin_merkle_inclusion(info.algorithm, set, leaves, list.length, leaf, proof,
        MERKLE_PROOF_MAX, count));
  }

  /**
   * The proof that the tree of the first oldCount leaves is the beginning of the tree over leaves
   * with these hashes. Status.INDEX if oldCount is 0 or more than there are.
   * @param {string} algorithm
   * @param {Bytes[]} hashes
   * @param {number} oldCount
   * @param {Params} [params]
   * @returns {Uint8Array[]}
   */
  merkleConsistency(algorithm, hashes, oldCount, params = {}) {
    const info = this.algorithm(algorithm);
    const list = asList(hashes, "hashes");
    const old = Number(this.#module.whole(oldCount, 32, Status.INDEX, "oldCount"));
    return this.#merkleProof(info, list, params, (set, leaves, proof, count) =>
      this.exports.fin_merkle_consistency(info.algorithm, set, leaves, list.length, old, proof,
        MERKLE_PROOF_MAX, count));
  }

  /**
   * Throws unless the proof shows that leaf index of the tree of count leaves with this root has
   * this hash: Status.PROOF, or Status.INDEX if index is not below count. Take index and count from
   * whom you trust, like the root, not from whoever gives the proof: with another count a hash of
   * inner nodes passes for a leaf's.
   * @param {string} algorithm
   * @param {{leafHash: Bytes, index: number | bigint, count: number | bigint, proof: Bytes[],
   *          root: Bytes}} claim
   * @param {Params} [params]
   */
  merkleVerifyInclusion(algorithm, { leafHash, index, count, proof, root }, params = {}) {
    const info = this.algorithm(algorithm);
    const bytes = this.#merkleHashBytes(info, params);
    const path = asList(proof, "proof");
    const leaf = this.#module.whole(index, 64, Status.INDEX, "index");
    const leaves = this.#module.whole(count, 64, Status.INDEX, "count");
    this.#module.within((scratch) => {
      const hashes = (list) => scratch.hashes(list, bytes, Status.PROOF);
      this.#module.check(this.exports.fin_merkle_verify_inclusion(info.algorithm,
        scratch.params(params), hashes([leafHash]), leaf, leaves, hashes(path), path.length,
        hashes([root])));
    });
  }

  /**
   * Throws unless the proof shows that the tree of oldCount leaves with oldRoot is the beginning
   * of the tree of count leaves with this root: Status.PROOF, or Status.INDEX if oldCount is 0 or
   * above count. Take both counts from whom you trust, like the roots.
   * @param {string} algorithm
   * @param {{oldCount: number | bigint, oldRoot: Bytes, count: number | bigint, root: Bytes,
   *          proof: Bytes[]}} claim
   * @param {Params} [params]
   */
  merkleVerifyConsistency(algorithm, { oldCount, oldRoot, count, root, proof }, params = {}) {
    const info = this.algorithm(algorithm);
    const bytes = this.#merkleHashBytes(info, params);
    const path = asList(proof, "proof");
    const old = this.#module.whole(oldCount, 64, Status.INDEX, "oldCount");
    const leaves = this.#module.whole(count, 64, Status.INDEX, "count");
    this.#module.within((scratch) => {
      const hashes = (list) => scratch.hashes(list, bytes, Status.PROOF);
      this.#module.check(this.exports.fin_merkle_verify_consistency(info.algorithm,
        scratch.params(params), old, hashes([oldRoot]), leaves, hashes([root]), hashes(path),
        path.length));
    });
  }

  /* ---- BLAKE2's trees: BLAKE2 paper, section 2.10 ---- */

  /**
   * A message as a whole tree of BLAKE2b or BLAKE2s, piece by piece. Status.TREE for a shape that
   * is none.
   * @param {string} algorithm
   * @param {Params} params   tree is the shape: fanout, depth, leafBytes, innerBytes
   * @returns {TreeMessage}
   */
  startTree(algorithm, params) {
    return TreeMessage.start(this.#module, this.algorithm(algorithm).algorithm, params);
  }

  /**
   * The digest of a message as a whole tree.
   * @param {string} algorithm
   * @param {Bytes} message
   * @param {Params} params   as for startTree
   * @returns {Uint8Array}
   */
  treeHash(algorithm, message, params) {
    return this.startTree(algorithm, params).update(message).digest();
  }

  /* ---- Blocks ---- */

  /** The export that hashes blocks of an algorithm. Status.ALGORITHM if there is none. */
  #blocksOf(name) {
    const blocks = this.exports[`fin_${name.replace("-", "_")}_blocks`];
    this.#module.check(blocks === undefined ? Status.ALGORITHM : Status.OK);
    return blocks;
  }

  /**
   * A state of zeros for blocks: h, salt (BLAKE), t and f, in the C struct's words and order.
   * BLAKE, BLAKE2b and BLAKE2s, and the 256 and 512 bits of Grøstl (else Status.ALGORITHM).
   * @param {string} algorithm
   * @returns {{h: BigUint64Array | Uint32Array | Uint8Array, salt?: BigUint64Array | Uint32Array,
   *            t: BigUint64Array | Uint32Array, f: BigUint64Array | Uint32Array}}
   */
  blockState(algorithm) {
    const { family, blockBytes } = this.algorithm(algorithm);
    this.#blocksOf(algorithm);
    if (family === "groestl") {
      const [t, f] = [new BigUint64Array(1), new BigUint64Array(1)];
      return { h: new Uint8Array(blockBytes), t, f };
    }
    const Words = blockBytes === 128 ? BigUint64Array : Uint32Array;
    const salt = family === "blake" ? { salt: new Words(4) } : {};
    return { h: new Words(8), ...salt, t: new Words(2), f: new Words(2) };
  }

  /**
   * Hashes blocks into a state as fin_blake2b_blocks and its like do, which say what h, t and f are
   * and when Status.BLOCK_LENGTH and Status.MESSAGE_LENGTH come.
   * @param {string} algorithm
   * @param {object} state             of blockState; changed
   * @param {Bytes} data
   * @param {object} [options]
   * @param {number} [options.bytes]   of all blocks together; else all of data
   * @param {number} [options.stride]  from the start of a block to that of the next; else a block.
   *   A RangeError if data is shorter than the blocks reach
   */
  blocks(algorithm, state, data, options = {}) {
    const { blockBytes } = this.algorithm(algorithm);
    const input = asBytes(data, "data");
    const { bytes: all = input.length, stride: step = blockBytes } = options;
    const bytes = asSize(all, input.length, "bytes");
    const stride = asSize(step, 2 ** 32 - 1, "stride");
    const others = Math.max(0, Math.ceil(bytes / blockBytes) - 1);
    if (others * stride + bytes - others * blockBytes > input.length) {
      throw new RangeError(`${bytes} bytes by ${stride} in ${input.length} bytes`);
    }
    const words = Object.entries(this.blockState(algorithm)).map(([field, like]) =>
      asWords(state[field], like, field));
    this.#module.within((scratch) => {
      const at = scratch.words(...words);
      this.#module.check(this.#blocksOf(algorithm)(at, scratch.copy(input), bytes, stride));
      this.#module.getWords(at, ...words);
    });
  }

  /**
   * BLAKE2b's function F with any number of rounds (EIP-152).
   * @param {number} rounds          0 .. 2^32 - 1
   * @param {BigUint64Array} h       8 words; replaced
   * @param {Bytes} m                one block of 128 bytes
   * @param {BigUint64Array} t       the counter's 2 words, low word first
   * @param {boolean} final
   */
  blake2bF(rounds, h, m, t, final) {
    const block = asBytes(m, "m");
    const roundCount = asSize(rounds, 2 ** 32 - 1, "rounds");
    if (block.length !== 128) {
      throw new RangeError(`a block of ${block.length} bytes`);
    }
    this.#module.within((scratch) => {
      const state = scratch.words(asWords(h, new BigUint64Array(8), "h"));
      const counter = scratch.words(asWords(t, new BigUint64Array(2), "t"));
      this.#module.check(this.exports.fin_blake2b_f(roundCount, state, scratch.copy(block), counter,
        asFlag(final, "final") ? 1 : 0));
      this.#module.getWords(state, h);
    });
  }
}
