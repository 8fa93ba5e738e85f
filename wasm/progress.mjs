// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Messages, Merkle trees and messages in BLAKE2's tree mode, all in progress. Each is a C struct
 * whose layout module.c checks.
 */
import { asBytes, asInteger, asList } from "./arguments.mjs";
import { Status } from "./status.mjs";
import { Struct } from "./struct.mjs";

/** @typedef {import("./finalist.mjs").Bytes} Bytes */

/** The value of digestBytes for BLAKE2X if the output length is not known in advance. */
export const XOF_UNKNOWN = 0xffffffffffffffffn;

const CONTEXT_DIGEST_BYTES = 200;
/** The bytes of fin_context that other algorithms use, including the buffer. */
const CONTEXT_SERIAL_BYTES = 1248;
const STRIPED = ["blake2bp", "blake2sp", "blake3"];
const MIDSTATE_BYTES_MAX = 3072;
const MERKLE_BYTES = 4224;
const MERKLE_DIGEST_BYTES = 9;
const TREE_MODE_CONTEXT_BYTES = 17688;
const TREE_MODE_CONTEXT_INNER_BYTES = 3121;
const TREE_MODE_CONTEXT_DIGEST_BYTES = 3128;

/** The private property in which the classes below keep their Struct. */
const STRUCT = Symbol("struct");

/** Base class of all of them. An object can simply be dropped: the module keeps nothing of it. */
class Progress {
  #struct;

  constructor(struct) {
    this.#struct = struct;
  }

  get [STRUCT]() {
    return this.#struct;
  }

  /** Returns an independent copy. */
  copy() {
    return new this.constructor(this[STRUCT].copy());
  }

  /** Overwrites the object; any later call fails with Status.STATE. */
  wipe() {
    this[STRUCT].wipe();
  }
}

/** A message in progress. */
export class Message extends Progress {
  static start(module, { algorithm, name }, params) {
    const bytes = module.exports.fin_context_bytes();
    const used = STRIPED.includes(name) ? bytes : CONTEXT_SERIAL_BYTES;
    return new Message(Struct.start(module, bytes, (at, scratch) =>
      module.exports.fin_init(at, algorithm, scratch.params(params)), used));
  }

  static resume(module, midstate) {
    const data = asBytes(midstate, "midstate");
    const { fin_context_bytes: bytes, fin_restore: restore } = module.exports;
    return new Message(Struct.start(module, bytes(), (at, scratch) =>
      restore(at, scratch.copy(data), data.length)));
  }

  /** Returns the digest's length; undefined for BLAKE2X with XOF_UNKNOWN. */
  get digestBytes() {
    const low = this[STRUCT].word(CONTEXT_DIGEST_BYTES);
    const high = this[STRUCT].word(CONTEXT_DIGEST_BYTES + 4);
    return high === 2 ** 32 - 1 ? undefined : low + 2 ** 32 * high;
  }

  /**
   * Appends bytes; returns the message. Status.STATE if its digest was already taken.
   * @param {Bytes} data
   */
  update(data) {
    this[STRUCT].feed(data, this[STRUCT].exports.fin_update);
    return this;
  }

  /** Returns the length to write: the digest's own, or the requested one if it is open. */
  #length(asked) {
    const own = this.digestBytes;
    if (asked === undefined && own !== undefined) {
      return own;
    }
    asked = asked === undefined ? asked : Number(asInteger(asked, "bytes"));
    const possible = own === undefined ? asked !== undefined : asked === undefined || asked === own;
    this[STRUCT].module.check(possible ? Status.OK : Status.OUTPUT_LENGTH);
    return own ?? asked;
  }

  /**
   * Ends the message and returns its digest.
   * @param {number} [bytes]   their number, for BLAKE2X with XOF_UNKNOWN (else Status.OUTPUT_LENGTH)
   * @returns {Uint8Array}
   */
  digest(bytes = undefined) {
    const length = this.#length(bytes);
    return this[STRUCT].read(length, (at, out) => this[STRUCT].exports.fin_final(at, out, length));
  }

  /**
   * Ends the message with its last 0 to 7 bits and returns its digest. BLAKE and Grøstl, else
   * Status.BITS.
   * @param {number} lastBits   a byte with the bits in its most significant end
   * @param {number} bitCount
   * @returns {Uint8Array}
   */
  digestBits(lastBits, bitCount) {
    const length = this.#length(undefined);
    const last = Number(this[STRUCT].module.whole(lastBits, 8, Status.BITS, "lastBits"));
    const count = Number(this[STRUCT].module.whole(bitCount, 8, Status.BITS, "bitCount"));
    return this[STRUCT].read(length, (at, out) =>
      this[STRUCT].exports.fin_final_bits(at, last, count, out, length));
  }

  /**
   * Ends the message at the first call, and returns the output's next bytes. BLAKE2X and BLAKE3.
   * Status.OUTPUT_LENGTH past BLAKE2X's length, Status.ALGORITHM for other algorithms.
   * @param {number} bytes
   * @returns {Uint8Array}
   */
  squeeze(bytes) {
    const length = Number(asInteger(bytes, "bytes"));
    return this[STRUCT].read(length, (at, out) =>
      this[STRUCT].exports.fin_squeeze(at, out, length));
  }

  /**
   * Lets the next squeeze begin with this byte of the output, and ends the message. BLAKE2X and
   * BLAKE3.
   * @param {number | bigint} position
   */
  seek(position) {
    const at = this[STRUCT].module.whole(position, 64, Status.OUTPUT_LENGTH, "position");
    this[STRUCT].run((context) => this[STRUCT].exports.fin_seek(context, at));
    return this;
  }

  /** Starts again with the empty message; returns the object. Status.KEY_WIPED after a keyed
   * digest. */
  reset() {
    this[STRUCT].run((at) => this[STRUCT].exports.fin_reset(at));
    return this;
  }

  /**
   * Returns the message so far as bytes for resume. Protect that of a keyed message like the key.
   * @returns {Uint8Array}
   */
  midstate() {
    const { module } = this[STRUCT];
    return this[STRUCT].call((at, scratch) => {
      const saved = scratch.reserve(MIDSTATE_BYTES_MAX);
      const length = scratch.reserve(4);
      module.view.setUint32(length, MIDSTATE_BYTES_MAX, true);
      module.check(this[STRUCT].exports.fin_save(at, saved, length));
      return module.memory.slice(saved, saved + module.word(length));
    });
  }
}

/** A Merkle tree that grows. It contains the key: wipe it. */
export class MerkleTree extends Progress {
  static start(module, algorithm, params) {
    return new MerkleTree(Struct.start(module, MERKLE_BYTES, (at, scratch) =>
      module.exports.fin_merkle_init(at, algorithm, scratch.params(params))));
  }

  /** Returns the number of leaves. */
  get leafCount() {
    return this[STRUCT].view.getBigUint64(0, true);
  }

  /** Returns the length of every hash of the tree. */
  get hashBytes() {
    return this[STRUCT].view.getUint8(MERKLE_DIGEST_BYTES);
  }

  /**
   * Appends leaves by their hashes, fastest in large numbers; returns the tree.
   * Status.BLOCK_LENGTH if one is not as long as a hash.
   * @param {Bytes[]} hashes   results of merkleLeaves
   */
  append(hashes) {
    const bytes = this.hashBytes;
    const list = asList(hashes, "hashes");
    this[STRUCT].module.check(bytes === 0 ? Status.STATE : Status.OK);
    this[STRUCT].run((at, scratch) => this[STRUCT].exports.fin_merkle_append(at,
      scratch.hashes(list, bytes, Status.BLOCK_LENGTH), list.length));
    return this;
  }

  /**
   * Returns the root over all leaves so far; the tree may still grow.
   * @returns {Uint8Array}
   */
  root() {
    const bytes = this.hashBytes;
    return this[STRUCT].read(bytes, (at, out) => this[STRUCT].exports.fin_merkle_root(at, out, bytes));
  }
}

/**
 * A message in progress in BLAKE2's tree mode. It contains the key: wipe it if it is not finished.
 */
export class TreeModeMessage extends Progress {
  static start(module, algorithm, params) {
    return new TreeModeMessage(Struct.start(module, TREE_MODE_CONTEXT_BYTES, (at, scratch) =>
      module.exports.fin_tree_mode_init(at, algorithm, scratch.params(params))));
  }

  /** Returns the root's length. */
  get digestBytes() {
    return Number(this[STRUCT].view.getBigUint64(TREE_MODE_CONTEXT_DIGEST_BYTES, true));
  }

  /**
   * Appends bytes, fastest with many leaves at once; returns the message. Status.STATE if its
   * digest was already taken.
   * @param {Bytes} data
   */
  update(data) {
    this[STRUCT].feed(data, this[STRUCT].exports.fin_tree_mode_update);
    return this;
  }

  /**
   * Appends whole leaves by their digests, computed by hashNodes here or in other workers; returns
   * the message. Status.STATE within a leaf, Status.TREE_MODE if leafBytes is 0,
   * Status.BLOCK_LENGTH if a digest is not innerBytes long.
   * @param {Bytes[]} digests   if they end the message, hash the last one as the last node
   */
  append(digests) {
    const bytes = this[STRUCT].view.getUint8(TREE_MODE_CONTEXT_INNER_BYTES);
    this[STRUCT].module.check(this.digestBytes === 0 ? Status.STATE : Status.OK);
    const list = asList(digests, "digests");
    this[STRUCT].run((at, scratch) => this[STRUCT].exports.fin_tree_mode_append(at,
      scratch.hashes(list, bytes, Status.BLOCK_LENGTH), list.length));
    return this;
  }

  /**
   * Ends the message and returns the root's digest.
   * @returns {Uint8Array}
   */
  digest() {
    const bytes = this.digestBytes;
    return this[STRUCT].read(bytes, (at, out) =>
      this[STRUCT].exports.fin_tree_mode_final(at, out, bytes));
  }
}
