// SPDX-License-Identifier: MIT OR Apache-2.0
// Known answers through finalist.mjs, by every implementation of the module, and its errors:
//
//   node wasm/test.mjs FINALIST.wasm VECTORS.jsonl...     (format: vectors/README.md)
//
// Vectors that are composed of many messages by rules of their own (Monte Carlo, SUPERCOP, trees of
// two levels) are for the C tests, which read them too; the last line counts them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import process from "node:process";

import { FinalistError, XOF_UNKNOWN, load } from "./finalist.mjs";

const COMPOSED = ["mct_seed", "checksum", "two_level_tree", "batch"];

const counts = { passed: 0, composed: 0 };

function check(expected, got, what) {
  assert.equal(Buffer.from(got).toString("hex"), expected, what);
  counts.passed++;
}

function bytes(hex) {
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

function messageOf(vector) {
  return vector.gen === undefined
    ? Buffer.from(vector.msg ?? "", "hex")
    : Buffer.concat(Array(vector.gen.count).fill(bytes(vector.gen.text)));
}

function treeOf(tree) {
  return tree && {
    fanout: tree.fanout,
    depth: tree.depth,
    leafBytes: tree.leaf_size,
    nodeOffset: BigInt(tree.node_offset),
    nodeDepth: tree.node_depth,
    innerBytes: tree.inner_size,
    lastNode: tree.last_node,
  };
}

function paramsOf(vector) {
  const params = { digestBytes: vector.xof_unknown_length ? XOF_UNKNOWN : vector.out_bytes ?? 0 };
  for (const field of ["key", "salt", "personal"]) {
    if (vector[field] !== undefined) {
      params[field] = bytes(vector[field]);
    }
  }
  if (vector.tree !== undefined) {
    params.tree = treeOf(vector.tree);
  }
  return params;
}

function runVector(finalist, vector, what) {
  const message = messageOf(vector);
  const params = paramsOf(vector);
  if (vector.len_bits % 8 !== 0) {
    check(vector.md, finalist.hashBits(vector.alg, message, vector.len_bits, params), what);
    return;
  }
  const started = finalist.start(vector.alg, params);
  const middle = message.length >> 1;
  started.update(message.subarray(0, middle));
  const digest = started.copy().update(message.subarray(middle)).digest(vector.md.length / 2);
  check(vector.md, digest, what);
  const resumed = finalist.resume(started.midstate());
  const rest = resumed.update(message.subarray(middle)).digest(vector.md.length / 2);
  check(vector.md, rest, `${what}, midstate`);
}

/** All vectors of a file, with one implementation of each compression function after the other. */
async function runFile(finalist, name) {
  const lines = (await readFile(name, "utf8")).trimEnd().split("\n");
  lines.forEach((line, i) => {
    // Node offsets are beyond what a number holds exactly.
    const vector = JSON.parse(line.replace(/"node_offset":(\d+)/, '"node_offset":"$1"'));
    if (COMPOSED.some((field) => field in vector)) {
      counts.composed++;
      return;
    }
    const compression = finalist.compressionOf.get(vector.alg);
    for (const implementation of finalist.single.get(compression)) {
      finalist.select(vector.alg, implementation);
      runVector(finalist, vector, `${name}:${i + 1}, ${implementation}`);
    }
    finalist.select(vector.alg, null);
  });
}

/** Many messages of many lengths against one at a time. */
function runMany(finalist) {
  const messages = Array.from({ length: 100 }, (_, i) =>
    Uint8Array.from({ length: (i * 37) % 400 }, (_, k) => (i + k) % 251));
  for (const { name } of finalist.algorithms()) {
    finalist.hashMany(name, messages).forEach((digest, i) => {
      const alone = Buffer.from(finalist.hash(name, messages[i])).toString("hex");
      check(alone, digest, `${name}, message ${i} of many`);
    });
  }
  assert.deepEqual(finalist.hashMany("blake2b", []), []);
}

function runErrors(finalist) {
  const message = new Uint8Array(10);
  const refused = [
    () => finalist.hash("nosuch", message),
    () => finalist.hash("blake2b", message, { digestBytes: 65 }),
    () => finalist.hash("blake2s", message, { key: new Uint8Array(33) }),
    () => finalist.hash("blake256", message, { salt: new Uint8Array(3) }),
    () => finalist.select("blake2b", "nosuch"),
    () => finalist.resume(message),
    () => finalist.hashBits("blake2b", message, 3),
  ];
  for (const call of refused) {
    assert.throws(call, (error) => error instanceof FinalistError && error.status !== 0);
  }
  assert.throws(() => finalist.hash("blake2b", "text"), TypeError);
  assert.throws(() => finalist.hashBits("blake256", message, 81), RangeError);
  const ended = finalist.start("blake2b");
  ended.digest();
  assert.throws(() => ended.update(message), FinalistError);
  counts.passed += refused.length + 3;
}

const [module, ...files] = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: node wasm/test.mjs FINALIST.wasm VECTORS.jsonl...");
  process.exit(2);
}
const finalist = await load(await readFile(module));
finalist.single = new Map();
for (const { compression, name, mode } of finalist.implementations()) {
  if (mode === "single") {
    finalist.single.set(compression, [...(finalist.single.get(compression) ?? []), name]);
  }
}
finalist.compressionOf = new Map(finalist.algorithms().map((a) => [a.name, a.compression]));
runErrors(finalist);
runMany(finalist);
for (const file of files) {
  await runFile(finalist, file);
}
assert.notEqual(counts.passed, 0);
console.log(`${counts.passed} passed, 0 failed; ${counts.composed} composed ones left to test_kat`);
