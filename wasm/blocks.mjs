// SPDX-License-Identifier: MIT OR Apache-2.0
/** The calls on blocks: compression functions without padding, and BLAKE2b's function F. */
import { asBytes, asFields, asFlag, asSize, asWords } from "./arguments.mjs";
import { MODULE } from "./memory.mjs";
import { Registry } from "./registry.mjs";
import { Status } from "./status.mjs";

/** @typedef {import("./finalist.mjs").Bytes} Bytes */

/** The options of blocks. */
const BLOCKS = { bytes: 0, stride: 0 };

export class BlockCalls extends Registry {
  /** Returns the export that hashes blocks of an algorithm. Status.ALGORITHM if there is none. */
  #blocksOf(name) {
    const blocks = this.exports[`fin_${name.replace("-", "_")}_blocks`];
    this[MODULE].check(blocks === undefined ? Status.ALGORITHM : Status.OK);
    return blocks;
  }

  /**
   * Returns a state of zeros for blocks: h, salt (BLAKE), t and f, in the C struct's words and
   * order. For BLAKE, BLAKE2b, BLAKE2s, Grøstl-256 and Grøstl-512 (else Status.ALGORITHM).
   * @param {import("./names.mjs").AlgorithmName} algorithm
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
   * Hashes blocks into a state like fin_blake2b_blocks and the other functions on blocks, which
   * define h, t and f, Status.BLOCK_LENGTH and Status.MESSAGE_LENGTH.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {object} state             returned by blockState; changed
   * @param {Bytes} data
   * @param {object} [options]
   * @param {number} [options.bytes]   length of all blocks together; default: all of data
   * @param {number} [options.stride]  distance between the starts of blocks; default: one block.
   *   A RangeError if data is shorter than the blocks reach
   */
  blocks(algorithm, state, data, options = {}) {
    const { blockBytes } = this.algorithm(algorithm);
    const input = asBytes(data, "data");
    const { length } = input;
    const { bytes: all = length, stride: step = blockBytes } = asFields(options, BLOCKS, "options");
    const bytes = asSize(all, length, "bytes");
    const stride = asSize(step, 2 ** 32 - 1, "stride");
    const others = Math.max(0, Math.ceil(bytes / blockBytes) - 1);
    if (others * stride + bytes - others * blockBytes > length) {
      throw new RangeError(`${bytes} bytes by ${stride} in ${length} bytes`);
    }
    const zeros = this.blockState(algorithm);
    const like = Object.values(zeros);
    const given = asFields(state, zeros, "states");
    const words = Object.keys(zeros).map((field, i) => asWords(given[field], like[i], field));
    this[MODULE].within((scratch) => {
      const at = scratch.words(words, like);
      const blocks = scratch.copy(input, "data", length);
      this[MODULE].check(this.#blocksOf(algorithm)(at, blocks, bytes, stride));
      this[MODULE].getWords(at, words, like);
    });
  }

  /**
   * Computes BLAKE2b's function F with any number of rounds (EIP-152).
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
    this[MODULE].within((scratch) => {
      const like = [new BigUint64Array(8), new BigUint64Array(2)];
      const words = [asWords(h, like[0], "h"), asWords(t, like[1], "t")];
      const state = scratch.words(words, like);
      this[MODULE].check(this.exports.fin_blake2b_f(roundCount, state, scratch.copy(block),
        state + 64, asFlag(final, "final") ? 1 : 0));
      this[MODULE].getWords(state, [h], like);
    });
  }
}
