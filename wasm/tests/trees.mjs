// SPDX-License-Identifier: MIT OR Apache-2.0
// Nodes, layers, Merkle trees and BLAKE2's tree mode; interface.mjs runs these tests together with
// its own.
import assert from "node:assert/strict";
import test from "node:test";

import { Status } from "../finalist.mjs";
import { algorithms, equal, finalist, groestl, painted, refused, withEachChoice } from "./module.mjs";

test("nodes of trees", () => {
  for (const info of algorithms.filter(({ name }) => name === "blake2b" || name === "blake2s")) {
    const treeMode = { fanout: 0, depth: 3, leafBytes: 100, innerBytes: 20, nodeDepth: 1 };
    const params = { digestBytes: 20, salt: painted(5), treeMode };
    const nodes = Array.from({ length: 9 }, (_, i) => ({
      message: painted(40 * i), nodeOffset: 2n ** 40n + BigInt(i), lastNode: i === 8,
    }));
    const alone = nodes.map(({ message, nodeOffset, lastNode }) =>
      finalist.hash(info.name, message,
        { ...params, treeMode: { ...treeMode, nodeOffset, lastNode } }));
    withEachChoice(info, () =>
      finalist.hashNodes(info.name, nodes, params).forEach((digest, i) => equal(digest, alone[i])));
    const last = { ...params, treeMode: { ...treeMode, lastNode: true } };
    refused(Status.TREE_MODE, () => finalist.hashNodes(info.name, nodes, last));
    const beyond = [{ message: painted(1), nodeOffset: 2n ** 64n }];
    refused(Status.TREE_MODE, () => finalist.hashNodes(info.name, beyond, params));
  }
  refused(Status.TREE_MODE, () => finalist.hashNodes("blake2b", [], {}));
  refused(Status.TREE_MODE,
    () => finalist.hashNodes("blake256", [], { treeMode: { fanout: 2, depth: 2 } }));
});

test("a layer of a Merkle tree", () => {
  for (const { name, digestBytes } of algorithms) {
    const nodes = painted(2 * digestBytes * 21);
    const layer = finalist.hashEqual(name, nodes, 2 * digestBytes);
    assert.equal(layer.length, 21);
    layer.forEach((digest, i) => equal(digest,
      finalist.hash(name, nodes.subarray(2 * digestBytes * i, 2 * digestBytes * (i + 1)))));
    for (const nodeBytes of [0, 2 * digestBytes + 1, -1]) {
      refused(Status.BLOCK_LENGTH, () => finalist.hashEqual(name, nodes, nodeBytes));
    }
  }
  const params = { digestBytes: 20, key: painted(16) };
  const nodes = painted(64 * 21);
  finalist.hashEqual("blake2s", nodes, 64, params).forEach((digest, i) => equal(digest,
    finalist.hash("blake2s", nodes.subarray(64 * i, 64 * (i + 1)), params)));
});

/** Compares the digest of a message of one block with its block, padded by hand, as a pair. */
test("pairs of Grøstl", () => {
  for (const { name, blockBytes } of groestl) {
    const messages = Array.from({ length: 7 }, (_, i) => painted(7 * i, i));
    const blocks = messages.map((message) => {
      const block = Buffer.alloc(blockBytes);
      block.set(message);
      block[message.length] = 0x80;
      block[blockBytes - 1] = 1;
      return block;
    });
    finalist.groestlPairs(name, Buffer.concat(blocks)).forEach((digest, i) =>
      equal(digest, finalist.hash(name, messages[i])));
    refused(Status.BLOCK_LENGTH, () => finalist.groestlPairs(name, painted(blockBytes + 1)));
  }
  refused(Status.ALGORITHM, () => finalist.groestlPairs("blake256", painted(64)));
});

/** Computes the root as RFC 9162, section 2.1.1, defines it. */
function merkleRoot(hash, hashes) {
  if (hashes.length === 1) {
    return hashes[0];
  }
  let k = 1;
  while (2 * k < hashes.length) {
    k *= 2;
  }
  const left = merkleRoot(hash, hashes.slice(0, k));
  return hash(Buffer.concat([Buffer.of(1), left, merkleRoot(hash, hashes.slice(k))]));
}

function damaged(hashes, i) {
  return hashes.map((hash, k) => (k === i ? hash.map((byte, at) => byte ^ (at === 3)) : hash));
}

function checkInclusion(name, params, hashes, root) {
  const count = hashes.length;
  hashes.forEach((leafHash, index) => {
    const proof = finalist.merkleInclusion(name, hashes, index, params);
    const verify = (change) => finalist.merkleVerifyInclusion(name,
      { leafHash, index, count: BigInt(count), proof, root, ...change }, params);
    verify({});
    refused(Status.INDEX, () => verify({ index: count }));
    refused(Status.PROOF, () => verify({ proof: [...proof, root] }));
    refused(Status.PROOF, () => verify({ root: damaged([root], 0)[0] }));
    refused(Status.PROOF, () => verify({ leafHash: leafHash.subarray(1) }));
    proof.forEach((_, i) => refused(Status.PROOF, () => verify({ proof: damaged(proof, i) })));
  });
}

function checkConsistency(name, params, hashes, root) {
  const count = hashes.length;
  for (let oldCount = 1; oldCount <= count; oldCount++) {
    const oldRoot = finalist.merkleRoot(name, hashes.slice(0, oldCount), params);
    const proof = finalist.merkleConsistency(name, hashes, oldCount, params);
    const verify = (change) => finalist.merkleVerifyConsistency(name,
      { oldCount, oldRoot, count, root, proof, ...change }, params);
    verify({});
    refused(Status.INDEX, () => verify({ oldCount: 0 }));
    refused(Status.PROOF, () => verify({ oldRoot: damaged([oldRoot], 0)[0] }));
    refused(Status.PROOF, () => verify({ proof: [...proof, root] }));
    proof.forEach((_, i) => refused(Status.PROOF, () => verify({ proof: damaged(proof, i) })));
  }
}

test("Merkle trees", () => {
  const cases = [["blake2b", { digestBytes: 32, key: painted(16) }], ["groestl256", {}],
    ["blake512", { salt: painted(32) }]];
  for (const [name, params] of cases) {
    const hash = (data) => finalist.hash(name, data, params);
    const leaves = Array.from({ length: 21 }, (_, i) => painted(30 * i, i));
    const hashes = finalist.merkleLeaves(name, leaves, params);
    const tree = finalist.startMerkle(name, params);
    equal(tree.root(), hash(new Uint8Array(0)));
    leaves.forEach((leaf, i) => {
      equal(hashes[i], hash(Buffer.concat([Buffer.of(0), leaf])));
      const root = merkleRoot(hash, hashes.slice(0, i + 1));
      equal(tree.append([hashes[i]]).copy().root(), root);
      equal(finalist.merkleRoot(name, hashes.slice(0, i + 1), params), root);
      checkInclusion(name, params, hashes.slice(0, i + 1), root);
      checkConsistency(name, params, hashes.slice(0, i + 1), root);
    });
    assert.equal(tree.leafCount, 21n);
    assert.equal(tree.hashBytes, hashes[0].length);
  }
});

test("Merkle trees that are refused", () => {
  const hashes = finalist.merkleLeaves("blake2s", [painted(1), painted(2), painted(3)]);
  for (const index of [3, -1, 2 ** 32]) {
    refused(Status.INDEX, () => finalist.merkleInclusion("blake2s", hashes, index));
  }
  for (const oldCount of [0, 4, 2 ** 32 + 1]) {
    refused(Status.INDEX, () => finalist.merkleConsistency("blake2s", hashes, oldCount));
  }
  refused(Status.BLOCK_LENGTH, () => finalist.merkleRoot("blake2s", [painted(31)]));
  refused(Status.TREE_MODE,
    () => finalist.startMerkle("blake2s", { treeMode: { depth: 1, fanout: 1 } }));
  refused(Status.DIGEST_LENGTH, () => finalist.startMerkle("blake2xb", { digestBytes: 65 }));
  for (const digestBytes of [65, 2 ** 32 - 2]) {
    refused(Status.DIGEST_LENGTH, () =>
      finalist.merkleLeaves("blake2xb", [painted(1)], { digestBytes }));
  }
  const tree = finalist.startMerkle("blake2s");
  tree.wipe();
  refused(Status.STATE, () => tree.append(hashes));
  refused(Status.STATE, () => tree.root());
});

test("BLAKE2's tree mode", () => {
  // The example of Python's hashlib documentation.
  const shape = { fanout: 2, depth: 2, leafBytes: 4096, innerBytes: 64 };
  const params = { digestBytes: 32, treeMode: shape };
  equal(finalist.treeModeHash("blake2b", new Uint8Array(6000), params),
    Buffer.from("3ad2a9b37c6070e374c7a8c508fe20ca86b6ed54e286e93a0318e95e881db5aa", "hex"));
  for (const name of ["blake2b", "blake2s"]) {
    const treeMode = { fanout: 3, depth: 255, leafBytes: 100, innerBytes: 17 };
    const params = { digestBytes: 29, key: painted(20), personal: painted(8), treeMode };
    const data = painted(70000);
    const whole = finalist.treeModeHash(name, data, params);
    const message = finalist.startTreeMode(name, params);
    assert.equal(message.digestBytes, 29);
    equal(message.update(data.subarray(0, 12345)).copy().update(data.subarray(12345)).digest(),
      whole);
    refused(Status.STATE, () => message.append([painted(17)]));
    message.wipe();
    refused(Status.STATE, () => message.update(data));

    const nodes = Array.from({ length: 700 }, (_, i) => ({
      message: data.subarray(100 * i, 100 * (i + 1)), nodeOffset: i, lastNode: i === 699,
    }));
    const leaves = finalist.hashNodes(name, nodes, { ...params, digestBytes: 17 });
    const appended = finalist.startTreeMode(name, params).append(leaves.slice(0, 300))
      .update(data.subarray(30000, 30100)).append(leaves.slice(301));
    refused(Status.BLOCK_LENGTH, () => appended.append([painted(16)]));
    equal(appended.digest(), whole);
    refused(Status.STATE, () => appended.digest());
    refused(Status.STATE, () => appended.append(leaves));
    refused(Status.STATE, () => appended.update(data));
  }
  refused(Status.TREE_MODE, () => finalist.startTreeMode("blake2b", {}));
  refused(Status.TREE_MODE,
    () => finalist.startTreeMode("blake2b", { treeMode: { ...shape, fanout: 1 } }));
  refused(Status.TREE_MODE, () => finalist.startTreeMode("groestl256", { treeMode: shape }));
});

/** SHA-512's initial value, which is BLAKE2b's and BLAKE-512's; F without rounds returns it. */
