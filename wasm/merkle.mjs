// SPDX-License-Identifier: MIT OR Apache-2.0
/** Calls on Merkle trees: RFC 9162, section 2.1, over any algorithm. */
import { asFields, asList } from "./arguments.mjs";
import { BlockCalls } from "./blocks.mjs";
import { MODULE } from "./memory.mjs";
import { MerkleTree } from "./progress.mjs";
import { NO_PARAMS } from "./scratch.mjs";
import { Status } from "./status.mjs";

/** @typedef {import("./finalist.mjs").Bytes} Bytes */
/** @typedef {import("./finalist.mjs").Params} Params */

const MERKLE_HASH_BYTES_MAX = 64;
const MERKLE_PROOF_MAX = 65;

/** The fields of claims. */
const INCLUSION = { leafHash: 0, index: 0, count: 0, proof: 0, root: 0 };
const CONSISTENCY = { oldCount: 0, oldRoot: 0, count: 0, root: 0, proof: 0 };

export class MerkleCalls extends BlockCalls {
  #merkleHashBytes(info, params) {
    const bytes = this[MODULE].digestBytes(info, params);
    this[MODULE].check(bytes <= MERKLE_HASH_BYTES_MAX ? Status.OK : Status.DIGEST_LENGTH);
    return bytes;
  }

  /**
   * Hashes leaves, many at a time. Status.TREE_MODE for parameters of BLAKE2's tree mode, here and in
   * the other calls on Merkle trees.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes[]} leaves
   * @param {Params} [params]   for every hash of the tree; digests up to 64 bytes
   * @returns {Uint8Array[]}
   */
  merkleLeaves(algorithm, leaves, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const list = asList(leaves, "leaves");
    this.#merkleHashBytes(info, params);
    return this[MODULE].digests(info, params, list.length, (set, scratch, hashes) =>
      this.exports.fin_merkle_leaves(info.algorithm, set, scratch.messages(list), list.length,
        hashes));
  }

  /**
   * Starts a Merkle tree that grows; its memory does not.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Params} [params]
   * @returns {MerkleTree}
   */
  startMerkle(algorithm, params = NO_PARAMS) {
    return MerkleTree.start(this[MODULE], this[MODULE].info(algorithm).algorithm, params);
  }

  /**
   * Returns the root over leaves with these hashes. Status.BLOCK_LENGTH if one is not as long as a
   * hash.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes[]} hashes
   * @param {Params} [params]
   * @returns {Uint8Array}
   */
  merkleRoot(algorithm, hashes, params = NO_PARAMS) {
    return this.startMerkle(algorithm, params).append(hashes).root();
  }

  #merkleProof(info, hashes, params, prove) {
    const bytes = this.#merkleHashBytes(info, params);
    return this[MODULE].within((scratch) => {
      const proof = scratch.reserve(bytes * MERKLE_PROOF_MAX);
      const count = scratch.reserve(4);
      const leaves = scratch.hashes(hashes, bytes, Status.BLOCK_LENGTH);
      this[MODULE].check(prove(scratch.params(params), leaves, proof, count));
      return this[MODULE].pieces(proof, this[MODULE].word(count), bytes);
    });
  }

  /**
   * Returns the proof that leaf index, from 0, is in the tree over leaves with these hashes.
   * Status.INDEX if there is no such leaf.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes[]} hashes
   * @param {number} index
   * @param {Params} [params]
   * @returns {Uint8Array[]}
   */
  merkleInclusion(algorithm, hashes, index, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const list = asList(hashes, "hashes");
    const leaf = Number(this[MODULE].whole(index, 32, Status.INDEX, "index"));
    return this.#merkleProof(info, list, params, (set, leaves, proof, count) =>
      this.exports.fin_merkle_inclusion(info.algorithm, set, leaves, list.length, leaf, proof,
        MERKLE_PROOF_MAX, count));
  }

  /**
   * Returns the proof that the tree of the first oldCount leaves is a prefix of the tree over
   * leaves with these hashes. Status.INDEX if oldCount is 0 or exceeds the number of leaves.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {Bytes[]} hashes
   * @param {number} oldCount
   * @param {Params} [params]
   * @returns {Uint8Array[]}
   */
  merkleConsistency(algorithm, hashes, oldCount, params = NO_PARAMS) {
    const info = this[MODULE].info(algorithm);
    const list = asList(hashes, "hashes");
    const old = Number(this[MODULE].whole(oldCount, 32, Status.INDEX, "oldCount"));
    return this.#merkleProof(info, list, params, (set, leaves, proof, count) =>
      this.exports.fin_merkle_consistency(info.algorithm, set, leaves, list.length, old, proof,
        MERKLE_PROOF_MAX, count));
  }

  /**
   * Throws unless the proof shows that leaf index of the tree of count leaves with this root has
   * this hash: Status.PROOF, or Status.INDEX if index is not below count. Take index and count,
   * like the root, from a trusted source, not from the proof's: with another count a hash of inner
   * nodes passes for a leaf's.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {{leafHash: Bytes, index: number | bigint, count: number | bigint, proof: Bytes[],
   *          root: Bytes}} claim
   * @param {Params} [params]
   */
  merkleVerifyInclusion(algorithm, claim, params = NO_PARAMS) {
    const { leafHash, index, count, proof, root } = asFields(claim, INCLUSION, "claims");
    const info = this[MODULE].info(algorithm);
    const bytes = this.#merkleHashBytes(info, params);
    const path = asList(proof, "proof");
    const leaf = this[MODULE].whole(index, 64, Status.INDEX, "index");
    const leaves = this[MODULE].whole(count, 64, Status.INDEX, "count");
    this[MODULE].within((scratch) => {
      const hashes = (list, what) => scratch.hashes(list, bytes, Status.PROOF, what);
      this[MODULE].check(this.exports.fin_merkle_verify_inclusion(info.algorithm,
        scratch.params(params), hashes([leafHash], "leafHash"), leaf, leaves, hashes(path, "proof"),
        path.length, hashes([root], "root")));
    });
  }

  /**
   * Throws unless the proof shows that the tree of oldCount leaves with oldRoot is a prefix of the
   * tree of count leaves with this root: Status.PROOF, or Status.INDEX if oldCount is 0 or above
   * count. Take both counts, like the roots, from a trusted source.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {{oldCount: number | bigint, oldRoot: Bytes, count: number | bigint, root: Bytes,
   *          proof: Bytes[]}} claim
   * @param {Params} [params]
   */
  merkleVerifyConsistency(algorithm, claim, params = NO_PARAMS) {
    const { oldCount, oldRoot, count, root, proof } = asFields(claim, CONSISTENCY, "claims");
    const info = this[MODULE].info(algorithm);
    const bytes = this.#merkleHashBytes(info, params);
    const path = asList(proof, "proof");
    const old = this[MODULE].whole(oldCount, 64, Status.INDEX, "oldCount");
    const leaves = this[MODULE].whole(count, 64, Status.INDEX, "count");
    this[MODULE].within((scratch) => {
      const hashes = (list, what) => scratch.hashes(list, bytes, Status.PROOF, what);
      this[MODULE].check(this.exports.fin_merkle_verify_consistency(info.algorithm,
        scratch.params(params), old, hashes([oldRoot], "oldRoot"), leaves, hashes([root], "root"),
        hashes(path, "proof"), path.length));
    });
  }
}
