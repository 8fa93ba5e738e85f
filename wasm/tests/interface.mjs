// SPDX-License-Identifier: MIT OR Apache-2.0
// Tests the parts of finalist.mjs that known answers (kat.mjs) do not reach: many messages, trees,
// messages in progress, F, and every status of wrong calls.
//
//   node wasm/tests/interface.mjs FINALIST.wasm
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import process from "node:process";
import test from "node:test";

import { HashWorker } from "../client.mjs";
import { FinalistError, Status, XOF_UNKNOWN, load } from "../finalist.mjs";
import { moduleBytes, open } from "../index.mjs";
import { chunks, digest, hexOf } from "../stream.mjs";
import { algorithms, equal, finalist, groestl, painted, refused, withEachChoice } from "./module.mjs";
import "./trees.mjs";

test("the status codes are the header's", async () => {
  const header = await readFile(new URL("../../include/finalist.h", import.meta.url), "utf8");
  const [, body] = header.match(/typedef enum fin_status \{(.*?)\} fin_status;/s);
  const names = [...body.matchAll(/^ *FIN_(?:ERR_)?(\w+)/gm)].map(([, name]) => name);
  assert.deepEqual(Object.entries(Status), names.map((name, i) => [name, i]));
});

test("the module's description", () => {
  assert.match(finalist.version, /^\d+\.\d+\.\d+$/);
  assert.equal(algorithms.length, 23);
  assert.deepEqual(finalist.algorithm("blake3"), algorithms.at(-1));
  const simd = finalist.cpuFeatures().includes("simd128");
  assert.deepEqual(finalist.cpuFeatures(), simd ? ["simd128"] : []);
  for (const { compression, name, features, supported, blockBytes } of finalist.implementations()) {
    assert.ok(supported && (features === "" || simd), `${compression}, ${name}`);
    assert.ok(blockBytes === 64 || blockBytes === 128);
  }
  assert.equal(finalist.coreClass(),
    simd ? "WebAssembly with SIMD128" : "a core without kernels of its own");
  finalist.select("blake2s", "portable");
  assert.equal(finalist.selected("blake2sp"), "portable");
  finalist.select("blake2s", null);
});

const textOf = (path) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("the fields of algorithms are those of core/alg.def", async () => {
  const definitions = await textOf("core/alg.def");
  const functions = new Map([...definitions.matchAll(/FIN_COMPRESSION\((\w+), "(.+?)", (\d+)\)/g)]
    .map(([, id, compression, bytes]) => [id, { compression, blockBytes: Number(bytes) }]));
  const most = new Map([16, 32, 64].map((bits) =>
    [`UINT${bits}_MAX - 1`, 2n ** BigInt(bits) - 2n]));
  const rows = [...definitions.matchAll(
    /FIN_ALGORITHM\(\w+, "(.+?)", "(.+?)", (\w+), \w+, (\w+), (\w+), \d+, (\d+), (\d+), (.+?)\)/g)];
  const expected = rows.map(([, name, title, family, small, large, digest, min, max], i) => {
    const unit = functions.get(small).blockBytes;
    const isBlake2 = family === "BLAKE2";
    const isBlake3 = family === "BLAKE3";
    return {
      algorithm: i + 1,
      family: family.toLowerCase(),
      name,
      title,
      ...functions.get(Number(digest) <= 32 ? small : large),
      digestBytes: Number(digest),
      digestBytesMin: Number(min),
      digestBytesMax: Number(most.get(max) ?? max),
      keyBytesMax: isBlake2 || isBlake3 ? unit / 2 : 0,
      saltBytes: isBlake2 ? unit / 8 : family === "BLAKE" ? unit / 4 : 0,
      personalBytes: isBlake2 ? unit / 8 : 0,
      bits: !isBlake2 && !isBlake3,
      deriveKey: isBlake3,
      keyBytesMin: isBlake2 ? 1 : isBlake3 ? unit / 2 : 0,
    };
  });
  assert.deepEqual(algorithms, expected);
  // What a caller does to a description has no effect.
  Object.assign(finalist.algorithm("blake2b"), { algorithm: 1, digestBytes: 20 });
  assert.equal(finalist.hash("blake2b", painted(3)).length, 64);
});

test("the fields of implementations are those of MATRIX.md", async () => {
  const matrix = await textOf("MATRIX.md");
  const rows = matrix.split("\n## ").slice(1).flatMap((section) => {
    const [compression] = section.split("\n");
    const found = section.matchAll(
      /^\| \[(.+?)\]\(.+?\)( †)? \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|/gm);
    return [...found].map(([, name, mark, ...cells]) =>
      [compression, name, mark === undefined, ...cells].join(" | "));
  });
  for (const each of finalist.implementations()) {
    const { compression, name, lanes, technique, source, features, constantTime } = each;
    const row = [compression, name, constantTime, lanes, technique, source, features || "nothing"]
      .join(" | ");
    const info = algorithms.find((other) => other.compression === compression);
    assert.ok(rows.includes(row), row);
    assert.equal(each.mode, lanes === 1 ? "single" : "multi");
    assert.equal(each.blockBytes, info.blockBytes);
  }
});

test("parameters that an algorithm does not take", () => {
  const message = painted(10);
  const calls = [
    (name, params) => finalist.hash(name, message, params),
    (name, params) => finalist.start(name, params),
    (name, params) => finalist.hashMany(name, [message], params),
    (name, params) => finalist.merkleLeaves(name, [message], params),
    (name, params) => finalist.startMerkle(name, params),
  ];
  for (const call of calls) {
    refused(Status.ALGORITHM, () => call("nosuch", {}));
    refused(Status.DIGEST_LENGTH, () => call("blake2b", { digestBytes: 65 }));
    refused(Status.DIGEST_LENGTH, () => call("blake2b", { digestBytes: -1 }));
    refused(Status.DIGEST_LENGTH, () => call("blake256", { digestBytes: 2n ** 64n + 32n }));
    refused(Status.DIGEST_LENGTH, () => call("blake2s", { digestBytes: XOF_UNKNOWN }));
    refused(Status.KEY_LENGTH, () => call("blake2s", { key: new Uint8Array(33) }));
    refused(Status.KEY_LENGTH, () => call("groestl256", { key: new Uint8Array(1) }));
    refused(Status.SALT_LENGTH, () => call("blake256", { salt: new Uint8Array(3) }));
    refused(Status.PERSONAL_LENGTH, () => call("blake2s", { personal: new Uint8Array(9) }));
    refused(Status.TREE_MODE, () => call("blake2b", { treeMode: { fanout: 256 } }));
    refused(Status.TREE_MODE, () => call("blake2b", { treeMode: { leafBytes: -1 } }));
    assert.throws(() => call("blake2b", { digestbytes: 32 }), TypeError);
    assert.throws(() => call("blake2b", { key: "secret" }), TypeError);
  }
  const node = { fanout: 2, depth: 2, innerBytes: 32 };
  refused(Status.TREE_MODE, () => finalist.start("blake256", { treeMode: node }));
  const far = { ...node, nodeOffset: 2n ** 48n };
  refused(Status.TREE_MODE, () => finalist.start("blake2s", { treeMode: far }));
  assert.throws(() => finalist.start("blake2s", { treeMode: { fanOut: 2 } }), TypeError);
});

test("other calls that are refused", () => {
  const message = painted(10);
  refused(Status.IMPL_UNKNOWN, () => finalist.select("blake2b", "nosuch"));
  refused(Status.MIDSTATE, () => finalist.resume(message));
  refused(Status.BITS, () => finalist.hashBits("blake2b", message, 3));
  assert.throws(() => finalist.hash("blake2b", "text"), TypeError);
  for (const bits of [81, -1, 2 ** 53, 2n ** 64n]) {
    assert.throws(() => finalist.hashBits("blake256", message, bits), RangeError);
  }
  assert.throws(() => finalist.hash("blake2xb", message, { digestBytes: 2 ** 32 - 2 }), RangeError);
  const unknown = finalist.start("blake2xb", { digestBytes: XOF_UNKNOWN });
  for (const bytes of [-1, 2 ** 32 + 5, 2 ** 53]) {
    assert.throws(() => unknown.squeeze(bytes), RangeError);
    assert.throws(() => unknown.digest(bytes), RangeError);
  }
  refused(Status.OUTPUT_LENGTH, () => unknown.digest());
  refused(Status.OUTPUT_LENGTH, () => finalist.start("blake2s").digest(64));
  refused(Status.ALGORITHM, () => finalist.start("blake2b").squeeze(1));
  refused(Status.DIGEST_LENGTH, () =>
    finalist.hashMany("blake2xs", [], { digestBytes: XOF_UNKNOWN }));
});

/** Values that are not integers, though JavaScript converts most of them. */
const NO_INTEGERS = [true, false, "64", "", [32], [], {}, null, 1.5, -0.5, NaN, Infinity, Symbol("1"),
  Object(1), new Date(64), () => 64];

/** Returns calls that pass the value as each integer argument. */
function integerCalls(integer) {
  const message = painted(10);
  const treeMode = { fanout: 2, depth: 2, leafBytes: 64, innerBytes: 32 };
  const hashes = finalist.merkleLeaves("blake2s", [painted(1), painted(2), painted(3)]);
  const claim = { leafHash: hashes[0], index: 0, count: 3, root: hashes[0], proof: [] };
  const growth = { oldCount: 1, oldRoot: hashes[0], count: 3, root: hashes[0], proof: [] };
  const unknown = finalist.start("blake2xb", { digestBytes: XOF_UNKNOWN });
  const state = finalist.blockState("blake2b");
  const words = () => new BigUint64Array(8);
  return [
    () => finalist.hash("blake2b", message, { digestBytes: integer }),
    () => finalist.start("blake2b", { digestBytes: integer }),
    () => finalist.hashMany("blake2b", [message], { digestBytes: integer }),
    () => finalist.merkleLeaves("blake2b", [message], { digestBytes: integer }),
    () => finalist.startMerkle("blake2b", { digestBytes: integer }),
    () => finalist.treeModeHash("blake2b", message, { digestBytes: integer, treeMode }),
    ...["fanout", "depth", "leafBytes", "nodeOffset", "nodeDepth", "innerBytes"].map((field) =>
      () => finalist.hash("blake2b", message, { treeMode: { ...treeMode, [field]: integer } })),
    () => finalist.hashBits("blake256", message, integer),
    () => finalist.hashNodes("blake2b", [{ message, nodeOffset: integer }], { treeMode }),
    () => finalist.hashEqual("blake2b", message, integer),
    () => finalist.merkleInclusion("blake2s", hashes, integer),
    () => finalist.merkleConsistency("blake2s", hashes, integer),
    ...["index", "count"].map((field) => () =>
      finalist.merkleVerifyInclusion("blake2s", { ...claim, [field]: integer })),
    ...["oldCount", "count"].map((field) => () =>
      finalist.merkleVerifyConsistency("blake2s", { ...growth, [field]: integer })),
    ...["bytes", "stride"].map((field) => () =>
      finalist.blocks("blake2b", state, painted(128), { [field]: integer })),
    () => finalist.blake2bF(integer, words(), painted(128), new BigUint64Array(2), true),
    () => unknown.copy().digest(integer),
    () => unknown.copy().squeeze(integer),
    () => finalist.start("blake256").digestBits(integer, 1),
    () => finalist.start("blake256").digestBits(0, integer),
  ];
}

test("numbers are integers in range", () => {
  for (const integer of NO_INTEGERS) {
    integerCalls(integer).forEach((call) => assert.throws(call, TypeError, `${call} of ${
      String(integer)}`));
  }
  for (const integer of [-1, -1n, 2 ** 53, -(2 ** 64), 2n ** 64n]) {
    integerCalls(integer).forEach((call) => assert.throws(call, (error) =>
      error instanceof RangeError || error instanceof FinalistError, `${call} of ${integer}`));
  }
  equal(finalist.hash("blake2b", painted(5), { digestBytes: 20n }),
    finalist.hash("blake2b", painted(5), { digestBytes: 20 }));
});

test("flags, names, lists and objects have the right type", () => {
  const message = painted(10);
  const treeMode = { fanout: 2, depth: 2, innerBytes: 32 };
  for (const flag of [0, 1, 1n, "true", null, []]) {
    for (const call of [
      () => finalist.hash("blake2b", message, { treeMode: { ...treeMode, lastNode: flag } }),
      () => finalist.hashNodes("blake2b", [{ message, lastNode: flag }], { treeMode }),
      () => finalist.blake2bF(1, new BigUint64Array(8), painted(128), new BigUint64Array(2), flag),
    ]) {
      assert.throws(call, TypeError, `${call} of ${flag}`);
    }
  }
  for (const name of [9, null, undefined, ["blake2b"], Object("blake2b")]) {
    assert.throws(() => finalist.hash(name, message), TypeError);
    assert.throws(() => finalist.select(name, "portable"), TypeError);
  }
  for (const name of [9, undefined, ["portable"]]) {
    assert.throws(() => finalist.select("blake2b", name), TypeError);
  }
  for (const name of ["portable\0", "portable\0avx2", "\0"]) {
    refused(Status.IMPL_UNKNOWN, () => finalist.select("blake2b", name));
    refused(Status.ALGORITHM, () => finalist.hash(`blake2b${name.slice(-1)}`, message));
  }
  const hashes = [finalist.hash("blake2s", message)];
  for (const list of [null, undefined, "text", message, { length: 1 }, new Array(1), [, message]]) {
    assert.throws(() => finalist.hashMany("blake2b", list), TypeError);
    assert.throws(() => finalist.hashNodes("blake2b", list, { treeMode }), TypeError);
    assert.throws(() => finalist.merkleLeaves("blake2b", list), TypeError);
    assert.throws(() => finalist.merkleInclusion("blake2s", list, 0), TypeError);
    assert.throws(() => finalist.merkleConsistency("blake2s", list, 1), TypeError);
    assert.throws(() => finalist.merkleRoot("blake2s", list), TypeError);
    assert.throws(() => finalist.merkleVerifyInclusion("blake2s",
      { leafHash: hashes[0], index: 0, count: 1, root: hashes[0], proof: list }), TypeError);
  }
  // A key in a map, or an inherited one, would be ignored.
  const key = new Uint8Array(32);
  class Inherited {
    get key() {
      return key;
    }
  }
  const objects = [new Map([["key", key]]), [key], key, new Date(0), new Inherited(),
    Object.create({ key }), new Number(5), () => key];
  for (const params of [null, 5, "text", true, ...objects]) {
    const wanted = { name: "TypeError", message: /an object|have no/ };
    assert.throws(() => finalist.hash("blake2b", message, params), wanted);
    assert.throws(() => finalist.start("blake2b", params), wanted);
    assert.throws(() => finalist.hashMany("blake2b", [message], params), wanted);
    assert.throws(() => finalist.hash("blake2b", message, { treeMode: params }), wanted);
  }
  const bare = Object.assign(Object.create(null), { key });
  equal(finalist.hash("blake2b", message, bare), finalist.hash("blake2b", message, { key }));
});

test("a message in progress", () => {
  for (const { name, digestBytes, bits } of algorithms) {
    const data = painted(200000);
    const message = finalist.start(name);
    assert.equal(message.digestBytes, digestBytes);
    const begun = message.update(data.subarray(0, 777)).copy();
    const digest = message.update(data.subarray(777)).digest();
    equal(digest, finalist.hash(name, data));
    for (const call of [() => message.update(new Uint8Array(0)), () => message.digest(),
      () => message.midstate()]) {
      refused(Status.STATE, call);
    }
    equal(message.reset().update(data).digest(), digest);
    equal(finalist.resume(begun.midstate()).update(data.subarray(777)).digest(), digest);
    refused(Status.BITS, () => begun.digestBits(0, 8));
    refused(Status.BITS, () => begun.digestBits(0, 2 ** 32));
    refused(Status.BITS, () => begun.digestBits(256, 1));
    if (bits) {
      equal(begun.copy().digestBits(data[777], 3), finalist.hashBits(name, data, 777 * 8 + 3));
    } else {
      refused(Status.BITS, () => begun.digestBits(0x80, 1));
    }
    begun.wipe();
    refused(Status.STATE, () => begun.update(data));
  }
  const keyed = finalist.start("blake2s", { key: painted(32) });
  keyed.digest();
  refused(Status.KEY_WIPED, () => keyed.reset());
});

test("a message that grows too long has not changed", () => {
  const midstate = Buffer.from(finalist.start("blake256").midstate());
  midstate.writeBigUInt64LE(2n ** 64n - 8n * 131072n, 24); // bits so far
  const message = finalist.resume(midstate);
  refused(Status.MESSAGE_LENGTH, () => message.update(painted(200000)));
  equal(message.midstate(), midstate);
  message.update(painted(100000)).digest();
});

test("output of BLAKE2X of any length", () => {
  for (const name of ["blake2xb", "blake2xs"]) {
    const message = finalist.start(name, { digestBytes: XOF_UNKNOWN }).update(painted(300));
    assert.equal(message.digestBytes, undefined);
    const whole = message.copy().digest(500);
    equal(Buffer.concat([1, 130, 0, 369].map((bytes) => message.squeeze(bytes))), whole);
    const known = finalist.start(name, { digestBytes: 100 });
    known.squeeze(99);
    refused(Status.OUTPUT_LENGTH, () => known.squeeze(2));
    known.squeeze(1);
  }
});

test("output of BLAKE3 from any position", () => {
  const message = finalist.start("blake3").update(painted(300));
  const whole = message.copy().squeeze(400);
  equal(message.seek(201).squeeze(99), whole.subarray(201, 300));
  equal(message.seek(0n).squeeze(10), whole.subarray(0, 10));
  const far = 2n ** 63n;
  equal(message.seek(far + 5n).squeeze(8), message.seek(far).squeeze(20).subarray(5, 13));
  refused(Status.STATE, () => message.update(painted(1)));
  refused(Status.ALGORITHM, () => finalist.start("blake2b").seek(1));
  assert.throws(() => message.seek("1"), TypeError);
  assert.throws(() => message.seek(1.5), TypeError);
});

test("many messages", () => {
  const messages = Array.from({ length: 100 }, (_, i) => painted((i * 37) % 400, i));
  for (const info of algorithms) {
    const alone = messages.map((message) => finalist.hash(info.name, message));
    withEachChoice(info, () =>
      finalist.hashMany(info.name, messages).forEach((digest, i) => equal(digest, alone[i])));
  }
  assert.deepEqual(finalist.hashMany("blake2b", []), []);
  assert.throws(() => finalist.hashMany("blake2b", [messages[0], "text"]), TypeError);
});

function initialWords() {
  const h = new BigUint64Array(8);
  finalist.blake2bF(0, h, new Uint8Array(128), new BigUint64Array(2), false);
  return h;
}

test("BLAKE2b's function F", () => {
  const h = initialWords();
  h[0] ^= 0x01010040n;
  const block = Buffer.concat([Buffer.from("abc")], 128);
  finalist.blake2bF(12, h, block, BigUint64Array.of(3n, 0n), true);
  equal(new Uint8Array(h.buffer), finalist.hash("blake2b", Buffer.from("abc")));
  for (const rounds of [-1, 2 ** 32]) {
    assert.throws(() => finalist.blake2bF(rounds, h, block, new BigUint64Array(2), true),
      RangeError);
  }
  assert.throws(() => finalist.blake2bF(1, h, block.subarray(1), new BigUint64Array(2), true),
    RangeError);
  assert.throws(() => finalist.blake2bF(1, new Uint32Array(8), block, new BigUint64Array(2), true),
    TypeError);
  assert.throws(() => finalist.blake2bF(1, h, block, new BigUint64Array(1), true), TypeError);
});

/**
 * Returns a state before the first block. SHA-256's initial values are the high halves of
 * SHA-512's.
 */
function blockStart(name) {
  const { family, blockBytes, digestBytes } = finalist.algorithm(name);
  const state = finalist.blockState(name);
  if (family === "groestl") {
    state.h[blockBytes - 2] = digestBytes >> 5;
    return state;
  }
  initialWords().forEach((word, i) => {
    state.h[i] = blockBytes === 128 ? word : Number(word >> 32n);
  });
  if (family === "blake2") {
    const parameters = 0x01010000 + digestBytes;
    state.h[0] ^= blockBytes === 128 ? BigInt(parameters) : parameters;
  }
  return state;
}

/** Returns the digest in a state after the last block. */
function blockEnd(name, { h }) {
  const { family, digestBytes } = finalist.algorithm(name);
  const bytes = Buffer.from(h.buffer).subarray(-digestBytes);
  if (family !== "blake") {
    return bytes;
  }
  return h.BYTES_PER_ELEMENT === 8 ? bytes.swap64() : bytes.swap32();
}

test("blocks", () => {
  for (const name of ["blake2b", "blake2s", "blake256", "blake512", "blake32", "blake64",
    "groestl256", "groestl512", "groestl0-256", "groestl0-512"]) {
    const { blockBytes } = finalist.algorithm(name);
    const stride = blockBytes + 5;
    const data = painted(3 * stride + 20);
    const message = Buffer.concat([0, 1, 2].map((i) =>
      data.subarray(stride * i, stride * i + blockBytes)).concat(data.subarray(-20)));
    const state = blockStart(name);
    finalist.blocks(name, state, data, { bytes: 3 * blockBytes, stride });
    refused(Status.BLOCK_LENGTH, () => finalist.blocks(name, state, data.subarray(-20)));
    state.f.fill(typeof state.f[0] === "bigint" ? 2n ** 64n - 1n : 2 ** 32 - 1, 0, 1);
    finalist.blocks(name, state, data.subarray(-20));
    equal(blockEnd(name, state), finalist.hash(name, message));
    for (const options of [{ bytes: data.length + 1 }, { bytes: -1 }, { stride: -1 },
      { bytes: 3 * blockBytes, stride: 2 * stride }]) {
      assert.throws(() => finalist.blocks(name, state, data, options), RangeError);
    }
    for (const h of [undefined, state.h.subarray(1), Array.from(state.h), new Uint16Array(8)]) {
      assert.throws(() => finalist.blocks(name, { ...state, h }, data), TypeError);
    }
  }
  for (const { name } of algorithms.filter(({ family }) => family === "blake")) {
    assert.equal(finalist.blockState(name).salt.length, 4);
  }
  refused(Status.ALGORITHM, () => finalist.blockState("groestl224"));
  refused(Status.ALGORITHM, () => finalist.blocks("blake2bp", {}, new Uint8Array(0)));
});

test("the fields of a node are in their places, and each has its limit", () => {
  const fields = { fanout: [3, 8], depth: [5, 8], leafBytes: [0x11223344, 32],
    nodeOffset: [0x0102030405, 64], nodeDepth: [7, 8], innerBytes: [11, 8] };
  const values = Object.entries(fields).map(([field, [value]]) => [field, value]);
  const treeMode = Object.fromEntries(values);
  for (const [name, digestBytes] of [["blake2b", 64], ["blake2s", 32]]) {
    const state = blockStart(name);
    const wide = name === "blake2b";
    // RFC 7693, section 2.5, and the BLAKE2 paper, section 2.8; sequential hashing has 1, 1, 0 ...
    const block = Buffer.alloc(wide ? 64 : 32);
    block.set([0, 0, 3 ^ 1, 5 ^ 1, 0x44, 0x33, 0x22, 0x11, 0x05, 0x04, 0x03, 0x02, 0x01]);
    block.set([7, 11], wide ? 16 : 14);
    new state.h.constructor(new Uint8Array(block).buffer).forEach((word, i) => {
      state.h[i] ^= word;
    });
    for (const lastNode of [false, true]) {
      const own = { ...finalist.blockState(name), h: state.h.slice() };
      const ones = wide ? 2n ** 64n - 1n : 2 ** 32 - 1;
      own.f.fill(ones, 0, lastNode ? 2 : 1);
      finalist.blocks(name, own, painted(20));
      equal(finalist.hash(name, painted(20), { digestBytes, treeMode: { ...treeMode, lastNode } }),
        blockEnd(name, own));
    }
    for (const [field, [, bits]] of Object.entries(fields)) {
      const beyond = { ...treeMode, [field]: 2n ** BigInt(bits) };
      refused(Status.TREE_MODE, () => finalist.hash(name, painted(20), { treeMode: beyond }));
    }
  }
});

test("long lengths and midstates, and long texts of errors, are whole", () => {
  for (const digestBytes of [2 ** 32 - 1, 2 ** 32, 2 ** 40 + 5]) {
    assert.equal(finalist.start("blake3", { digestBytes }).digestBytes, digestBytes);
  }
  // Subtrees of 53 sizes before a part of a chunk.
  const begun = finalist.start("blake3").update(painted(3000)).midstate();
  const midstate = Buffer.concat([begun.subarray(0, 104), painted(32 * 53), painted(952)]);
  midstate.writeBigUInt64LE(2n ** 53n - 1n, 24);
  assert.equal(midstate.readUInt32LE(8), 952);
  equal(finalist.resume(midstate).midstate(), midstate);
  assert.throws(() => finalist.hashEqual("blake2b", painted(3), 2), {
    name: "FinalistError",
    status: Status.BLOCK_LENGTH,
    message: "not a whole number of blocks, or more than one block in the final call",
  });
});

test("a length of 0, or the digest's own, is the default one", () => {
  const digest = finalist.hash("blake2s", painted(9));
  for (const digestBytes of [undefined, 0, 0n, -0, 32, 32n]) {
    const params = { digestBytes };
    equal(finalist.hash("blake2s", painted(9), params), digest);
    equal(finalist.hashMany("blake2s", [painted(9)], params)[0], digest);
    equal(finalist.start("blake2s", params).update(painted(9)).digest(), digest);
  }
  for (const bytes of [undefined, 32, 32n]) {
    equal(finalist.start("blake2s").update(painted(9)).digest(bytes), digest);
  }
});

/** Returns the same bytes as views other than a whole Uint8Array. */
function viewsOf(data) {
  const shared = new Uint8Array(new SharedArrayBuffer(data.length + 9), 5, data.length);
  shared.set(data);
  const within = new Uint8Array(data.length + 20);
  within.set(data, 7);
  return [
    shared,
    within.subarray(7, 7 + data.length),
    Uint8Array.from(data).buffer,
    new DataView(within.buffer, 7, data.length),
    new Int8Array(within.buffer, 7, data.length),
    Buffer.from(within.buffer, 7, data.length),
  ];
}

function transfer(buffer) {
  structuredClone(buffer, { transfer: [buffer] });
}

/** Returns views that look empty because their buffers were transferred or shrunk. */
function goneViews() {
  const [transferred, within] = [new Uint8Array(32), new DataView(new ArrayBuffer(32), 8)];
  [transferred, within].forEach(({ buffer }) => transfer(buffer));
  const shrunk = new ArrayBuffer(64, { maxByteLength: 64 });
  const views = [new Uint8Array(shrunk, 10, 32), new Uint16Array(shrunk, 10, 16),
    new Uint8Array(shrunk, 32), new Uint8Array(shrunk, 32, 0), Buffer.from(shrunk, 0, 32),
    new DataView(shrunk, 10, 32)];
  shrunk.resize(10);
  return [transferred, transferred.buffer, within, ...views];
}

/** Returns calls that pass bytes as each argument, by the argument's name in messages. */
function bytesCalls(bytes) {
  const message = painted(100);
  const treeMode = { fanout: 2, depth: 2, leafBytes: 64, innerBytes: 32 };
  const hashes = finalist.merkleLeaves("blake2s", [painted(1), painted(2)]);
  const claim = { leafHash: hashes[0], index: 0, count: 2, root: hashes[0], proof: [] };
  const growth = { oldCount: 1, oldRoot: hashes[0], count: 2, root: hashes[0], proof: [] };
  const [state, words] = [finalist.blockState("blake2b"), () => new BigUint64Array(8)];
  return [
    ["message", () => finalist.hash("blake2b", bytes)],
    ["message", () => finalist.hashBits("blake256", bytes, 0)],
    ["message", () => finalist.start("blake3").update(bytes)],
    ["message", () => finalist.treeModeHash("blake2b", bytes, { treeMode })],
    ["message 1", () => finalist.hashMany("blake3", [message, bytes])],
    ["message 0", () => finalist.merkleLeaves("blake3", [bytes])],
    ["node 0", () => finalist.hashNodes("blake2b", [{ message: bytes }], { treeMode })],
    ["messages", () => finalist.hashEqual("blake2b", bytes, 1)],
    ["pairs", () => finalist.groestlPairs("groestl256", bytes)],
    ["midstate", () => finalist.resume(bytes)],
    ["data", () => finalist.blocks("blake2b", state, bytes)],
    ["m", () => finalist.blake2bF(1, words(), bytes, new BigUint64Array(2), true)],
    ["hash 1", () => finalist.merkleRoot("blake2s", [hashes[0], bytes])],
    ["hash", () => finalist.merkleInclusion("blake2s", [bytes], 0)],
    ["proof", () => finalist.merkleVerifyInclusion("blake2s", { ...claim, proof: [bytes] })],
    ...["leafHash", "root"].map((field) =>
      [field, () => finalist.merkleVerifyInclusion("blake2s", { ...claim, [field]: bytes })]),
    ...["oldRoot", "root"].map((field) =>
      [field, () => finalist.merkleVerifyConsistency("blake2s", { ...growth, [field]: bytes })]),
    ["bytes", () => hexOf(bytes)],
    ...["key", "salt", "personal"].map((field) =>
      [field, () => finalist.hash("blake2b", message, { [field]: bytes })]),
    ["key", () => finalist.start("blake2s", { key: bytes })],
    ["key", () => finalist.hashMany("blake2s", [message], { key: bytes })],
    ["key", () => finalist.startMerkle("blake2s", { key: bytes })],
    ["deriveKeyContext", () => finalist.start("blake3", { deriveKeyContext: bytes })],
  ];
}

test("bytes that are gone are no empty message and no missing key", async () => {
  for (const gone of goneViews()) {
    const message = "its buffer was transferred or shrunk";
    for (const [argument, call] of bytesCalls(gone)) {
      assert.throws(call, { name: "TypeError", message: `${argument}: ${message}` }, `${call}`);
    }
    await assert.rejects(digest(finalist, gone, ["blake3"]),
      { name: "TypeError", message: `source: ${message}` });
    await assert.rejects(digest(finalist, [gone], ["blake3"]),
      { name: "TypeError", message: `message: ${message}` });
  }
  const empty = finalist.hash("blake2b", painted(0));
  const buffer = new ArrayBuffer(8, { maxByteLength: 8 });
  const [most, none, open] = [new Uint8Array(buffer, 8, 0), new DataView(buffer, 0, 0),
    new Uint8Array(buffer, 2)];
  for (const view of [most, none, new Float64Array(buffer, 8)]) {
    equal(finalist.hash("blake2b", view), empty);
    equal(finalist.hash("blake2b", view, { key: view }), empty);
  }
  buffer.resize(2);
  for (const view of [open, none]) {
    equal(finalist.hash("blake2b", view), empty);
  }
});

test("a buffer that a getter changes during the call is refused", () => {
  for (const change of [transfer, (buffer) => buffer.resize(64)]) {
    const buffers = Array.from({ length: 4 }, () => new ArrayBuffer(128, { maxByteLength: 128 }));
    const changing = (buffer) => ({ get salt() {
      return change(buffer);
    } });
    const state = { ...finalist.blockState("blake2b"), get h() {
      change(buffers[3]);
      return new BigUint64Array(8);
    } };
    const [one, bits, equals, blocks] = buffers.map((buffer) => new Uint8Array(buffer));
    for (const [argument, call] of [
      ["message", () => finalist.hash("blake2b", one, changing(one.buffer))],
      ["message", () => finalist.hashBits("blake256", bits, 1024, changing(bits.buffer))],
      ["messages", () => finalist.hashEqual("blake2b", equals, 128, changing(equals.buffer))],
      ["data", () => finalist.blocks("blake2b", state, blocks)],
    ]) {
      assert.throws(call, { name: "TypeError",
        message: `${argument}: its buffer was transferred or resized during the call` });
    }
  }
});

test("a state in Node's Buffers leaves the memory that they share as it was", () => {
  const pool = new Uint8Array(painted(1024));
  const own = finalist.blockState("groestl256");
  const state = { ...own, h: Buffer.from(pool.buffer, 64, 64) };
  own.h.set(state.h);
  finalist.blocks("groestl256", own, painted(64));
  finalist.blocks("groestl256", { ...state, t: new BigUint64Array(1) }, painted(64));
  equal(state.h, own.h);
  const expected = painted(1024);
  expected.set(own.h, 64);
  equal(pool, expected);
});

/** Returns views whose classes or fields say what is not so, and the bytes that they have. */
function lyingViews() {
  class Short extends Uint8Array {
    get length() {
      return 5;
    }
  }
  class Long extends Uint8Array {
    get length() {
      return 300000;
    }
  }
  class Other extends Uint8Array {
    static get [Symbol.species]() {
      return Uint16Array;
    }
  }
  class Elsewhere extends Uint8Array {
    get buffer() {
      return new ArrayBuffer(5);
    }
  }
  class Fewer extends DataView {
    get byteLength() {
      return 5;
    }
  }
  class Less extends ArrayBuffer {
    get byteLength() {
      return 5;
    }
  }
  return [3, 40, 1000, 200000].flatMap((bytes) => {
    const data = new Uint8Array(painted(bytes, 7));
    const [view, buffer] = [new Fewer(data.buffer), new Less(bytes)];
    new Uint8Array(buffer, 0, bytes).set(data);
    const field = Object.defineProperty(data.slice(), "length", { value: 5 });
    return [new Short(data), new Long(data), new Other(data), new Elsewhere(data), view, buffer,
      field].map((lying) => [lying, data]);
  });
}

test("bytes are those of the view, whatever its class says", async () => {
  const digest = finalist.hash("blake2b", painted(9), { key: painted(7) });
  for (const [lying, data] of lyingViews()) {
    equal(finalist.hash("blake2b", lying), finalist.hash("blake2b", data));
    equal(finalist.start("blake3").update(lying).digest(), finalist.hash("blake3", data));
    equal(finalist.hashMany("blake2s", [data, lying])[1], finalist.hash("blake2s", data));
    equal(finalist.merkleLeaves("blake2s", [lying])[0], finalist.merkleLeaves("blake2s", [data])[0]);
    equal(finalist.hashEqual("blake2b", lying, data.length)[0], finalist.hash("blake2b", data));
    equal(hexOf(lying), hexOf(data));
    const parts = [];
    for await (const part of chunks(lying)) {
      parts.push(part);
    }
    equal(Buffer.concat(parts), data);
    if (data.length <= 64) {
      equal(finalist.hash("blake2b", data, { key: lying }),
        finalist.hash("blake2b", data, { key: data }));
    } else {
      refused(Status.KEY_LENGTH, () => finalist.hash("blake2b", data, { key: lying }));
    }
    equal(finalist.hash("blake2b", painted(9), { key: painted(7) }), digest);
  }
  const fields = { length: { value: 3 }, buffer: { value: {} }, 0: { value: "64" } };
  const words = { length: { value: 8 }, 0: { value: "64" } };
  const methods = { get: (array, name) =>
    typeof array[name] === "function" ? array[name].bind(array) : array[name] };
  for (const none of [Object.create(Uint8Array.prototype, fields), new Proxy(painted(5), {}),
    new Proxy(painted(5), methods)]) {
    for (const [argument, call] of bytesCalls(none)) {
      assert.throws(call, { name: "TypeError", message: `${argument}: bytes is wanted, not object` });
    }
  }
  const state = { ...finalist.blockState("blake2s"), h: Object.create(Uint32Array.prototype, words) };
  assert.throws(() => finalist.blocks("blake2s", state, painted(64)), /^TypeError: h: a Uint32Array/);
});

test("bytes that become more during the call are not copied beyond their place", () => {
  const above = Object.getPrototypeOf(Uint8Array.prototype);
  const { set } = above;
  const treeMode = { fanout: 2, depth: 2, innerBytes: 32 };
  for (const [argument, call] of [
    ["message", (grown) => finalist.hash("blake2b", grown)],
    ["message", (grown) => finalist.start("blake2b").update(grown)],
    ["messages", (grown) => finalist.hashMany("blake2b", [grown])],
    ["messages", (grown) => finalist.hashEqual("blake2b", grown, 64)],
    ["node 0", (grown) => finalist.hashNodes("blake2b", [{ message: grown }], { treeMode })],
    ["key", (grown) => finalist.start("blake2b", { key: grown })],
    ["data", (grown) => finalist.blocks("blake2b", finalist.blockState("blake2b"), grown)],
    ["leafHash", (grown) => finalist.merkleVerifyInclusion("blake2b",
      { leafHash: grown, index: 0, count: 1, proof: [], root: grown })],
  ]) {
    const buffer = new SharedArrayBuffer(64, { maxByteLength: 4096 });
    // As another thread would do it, between the last look at the length and the copy.
    above.set = function grow(data, at) {
      buffer.grow(data.buffer === buffer ? 4096 : buffer.byteLength);
      set.call(this, data, at);
    };
    try {
      assert.throws(() => call(new Uint8Array(buffer)), { name: "TypeError", message: RegExp(
        `^${argument}: its buffer was transferred or resized during the call$`) });
    } finally {
      above.set = set;
    }
  }
});

test("views of the module's own memory, which a call makes grow, are refused", async () => {
  const treeMode = { fanout: 2, depth: 2, innerBytes: 32 };
  for (const [argument, call] of [
    ["message", (module, own) => module.hashBits("blake256", own, 8)],
    ["messages", (module, own) => module.hashMany("blake2b", [own])],
    ["messages", (module, own) => module.merkleLeaves("blake2b", [own])],
    ["messages", (module, own) => module.hashEqual("blake2b", own, 65536)],
    ["pairs", (module, own) => module.groestlPairs("groestl256", own)],
    ["node 0", (module, own) => module.hashNodes("blake2b", [{ message: own }], { treeMode })],
    ["key", (module, own) => module.start("blake2b", { key: own })],
  ]) {
    const module = await load(readFile(process.argv[2]));
    const own = new Uint8Array(module.exports.memory.buffer);
    assert.throws(() => call(module, own), { name: "TypeError",
      message: `${argument}: its buffer was transferred or resized during the call` });
  }
  const module = await load(readFile(process.argv[2]));
  const key = new Uint8Array(module.exports.memory.buffer, 0, 32);
  assert.throws(() => module.start("blake3", { deriveKeyContext: new Uint8Array(1 << 23), key }),
    { name: "TypeError", message: "key: its buffer was transferred or shrunk" });
});

test("digest gives the digest of a buffer as it was at the call", async () => {
  const bytes = painted(600000);
  const expected = finalist.hash("blake3", bytes);
  const fill = (buffer) => new Uint8Array(buffer).fill(0);
  for (const change of [transfer, (buffer) => buffer.resize(300000), fill]) {
    for (const viewOf of [(buffer) => buffer, (buffer) => new Uint8Array(buffer),
      (buffer) => new DataView(buffer, 0, 600000), (buffer) => Buffer.from(buffer, 0, 600000)]) {
      for (const during of [true, false]) {
        const buffer = new ArrayBuffer(bytes.length, { maxByteLength: bytes.length });
        new Uint8Array(buffer).set(bytes);
        const onProgress = (hashed) => during && hashed === 1 << 18 && change(buffer);
        const result = digest(finalist, viewOf(buffer), ["blake3", "blake2b"], { onProgress });
        if (!during) {
          change(buffer);
        }
        const [first, second] = await result;
        equal(first.bytes, expected);
        equal(second.bytes, finalist.hash("blake2b", bytes));
      }
    }
  }
});

test("parts of a buffer that is resized are refused", async () => {
  for (const change of [transfer, (buffer) => buffer.resize(300000)]) {
    const buffer = new ArrayBuffer(600000, { maxByteLength: 600000 });
    const parts = chunks(new Uint8Array(buffer));
    await parts.next();
    change(buffer);
    await assert.rejects(parts.next(), { name: "TypeError", message: /^source: its buffer/ });
  }
});

test("a response whose body was read, or a part of it, is refused", async () => {
  for (const reads of [1, 2]) {
    const response = new Response(painted(10));
    const reader = response.body.getReader();
    for (let i = 0; i < reads; i++) {
      await reader.read();
    }
    reader.releaseLock();
    await assert.rejects(digest(finalist, response, ["blake3"]),
      /^TypeError: source: the body of the response was read before/);
  }
  const [{ bytes }] = await digest(finalist, new Response(painted(10)), ["blake3"]);
  equal(bytes, finalist.hash("blake3", painted(10)));
});

test("sources, algorithms and fields of a wrong kind are refused by name", async () => {
  const bytes = painted(3);
  for (const source of [null, undefined, 5, {}, "", "text", new SharedArrayBuffer(3)]) {
    await assert.rejects(digest(finalist, source, ["blake3"]), /^TypeError: source: a Blob/);
  }
  const misspelt = [
    ["algorithms: an array", "blake3"],
    ["algorithms have no 'key'", [{ algorithm: "blake3", key: painted(32) }]],
    ["algorithms have no 'algo'", [{ algo: "blake3" }]],
    ["algorithms: an object", [null]],
    ["parameters have no 'digestBytess'", [{ algorithm: "blake3", params: { digestBytess: 20 } }]],
    ["parameters have no 'key_'", [{ algorithm: "blake3", params: { key_: painted(32) } }]],
  ];
  for (const [message, algorithms] of misspelt) {
    await assert.rejects(digest(finalist, bytes, algorithms), new RegExp(`^TypeError: ${message}`));
  }
  await assert.rejects(digest(finalist, bytes, ["blake3"], { key: painted(32) }),
    /^TypeError: options have no 'key', only onProgress, signal/);
  assert.throws(() => hexOf("abc"), /^TypeError: bytes: bytes/);
  const treeMode = { fanout: 2, depth: 2, innerBytes: 64 };
  assert.throws(() => finalist.hashNodes("blake2b", [{ message: bytes, offset: 1 }], { treeMode }),
    /^TypeError: nodes have no 'offset', only message, nodeOffset, lastNode/);
  const state = finalist.blockState("blake2b");
  assert.throws(() => finalist.blocks("blake2b", state, painted(128), { length: 128 }),
    /^TypeError: options have no 'length'/);
  assert.throws(() => finalist.blocks("blake2b", { ...state, salt: new BigUint64Array(4) }, bytes),
    /^TypeError: states have no 'salt', only h, t, f/);
  assert.throws(() => finalist.blocks("blake2b", null, bytes), /^TypeError: states: an object/);
  const hashes = finalist.merkleLeaves("blake2s", [bytes]);
  const claim = { count: 1, root: hashes[0], proof: [] };
  const inclusion = { ...claim, leafHash: hashes[0], index: 0 };
  const growth = { ...claim, oldCount: 1, oldRoot: hashes[0] };
  finalist.merkleVerifyInclusion("blake2s", inclusion);
  finalist.merkleVerifyConsistency("blake2s", growth);
  for (const call of [(more) => finalist.merkleVerifyInclusion("blake2s", { ...inclusion, ...more }),
    (more) => finalist.merkleVerifyConsistency("blake2s", { ...growth, ...more })]) {
    assert.throws(() => call({ key: bytes }), /^TypeError: claims have no 'key', only /);
  }
  for (const claim of [null, undefined, [], new Map(), Object.create(inclusion)]) {
    assert.throws(() => finalist.merkleVerifyInclusion("blake2s", claim), /^TypeError: claims: an/);
  }
  for (const [options, message] of [[{ SIMD: true }, "options have no 'SIMD', only simd"],
    [{ simd: "no" }, "simd: true or false is wanted, not string"], [null, "options: an object"]]) {
    await assert.rejects(open(options), RegExp(`^TypeError: ${message}`));
  }
});

/** Runs worker.mjs in this thread; returns what a page takes for its Worker. */
async function workerHere() {
  const worker = new EventTarget();
  const send = (target, data) =>
    target.dispatchEvent(Object.assign(new Event("message"), { data: structuredClone(data) }));
  const scope = new EventTarget();
  globalThis.addEventListener = scope.addEventListener.bind(scope);
  globalThis.postMessage = (data) => send(worker, data);
  await import("../worker.mjs");
  worker.postMessage = (data) => send(scope, data);
  return worker;
}

const here = await workerHere();
const worker = new HashWorker(here);
await worker.load(await readFile(process.argv[2]));

/** Returns what is thrown. */
function thrown(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("errors of arguments name the argument, what is wanted, and what was given", () => {
  const [message, hash] = [painted(10), finalist.hash("blake2s", painted(1))];
  const [h, t] = [new BigUint64Array(8), new BigUint64Array(2)];
  const treeMode = { fanout: 2, depth: 2, innerBytes: 32 };
  const begun = () => finalist.start("blake256");
  const inclusion = { leafHash: hash, index: 0, count: 1, root: hash, proof: [] };
  const growth = { oldCount: 1, oldRoot: hash, count: 1, root: hash, proof: [] };
  const state = finalist.blockState("blake2b");
  const integers = {
    digestBytes: (x) => finalist.hash("blake2b", message, { digestBytes: x }),
    ...Object.fromEntries(["fanout", "depth", "leafBytes", "nodeOffset", "nodeDepth", "innerBytes"]
      .map((field) => [field, (x) =>
        finalist.hash("blake2b", message, { treeMode: { ...treeMode, [field]: x } })])),
    bits: (x) => finalist.hashBits("blake256", message, x),
    messageBytes: (x) => finalist.hashEqual("blake2b", message, x),
    index: (x) => finalist.merkleInclusion("blake2s", [hash], x),
    oldCount: (x) => finalist.merkleConsistency("blake2s", [hash], x),
    count: (x) => finalist.merkleVerifyInclusion("blake2s", { ...inclusion, count: x }),
    rounds: (x) => finalist.blake2bF(x, h, painted(128), t, true),
    stride: (x) => finalist.blocks("blake2b", state, message, { stride: x }),
    lastBits: (x) => begun().digestBits(x, 1),
    bitCount: (x) => begun().digestBits(0, x),
    position: (x) => finalist.start("blake3").seek(x),
    bytes: (x) => finalist.start("blake3").squeeze(x),
  };
  for (const [name, call] of Object.entries(integers)) {
    for (const [given, told] of [[null, "null"], [1.5, "1.5"], [NaN, "NaN"], ["1", "string"],
      [[1], "object"], [true, "boolean"]]) {
      assert.throws(() => call(given),
        { name: "TypeError", message: `${name}: an integer is wanted, not ${told}` });
    }
    assert.throws(() => call(2 ** 53),
      { name: "RangeError", message: `${name}: beyond 2^53 a BigInt is wanted` });
  }
  const verify = (field) => (x) =>
    finalist.merkleVerifyConsistency("blake2s", { ...growth, [field]: x });
  for (const field of ["oldCount", "count"]) {
    assert.throws(() => verify(field)("1"),
      { message: `${field}: an integer is wanted, not string` });
  }
  const node = (more) => finalist.hashNodes("blake2b", [{ message, ...more }], { treeMode });
  for (const [kind, text, call] of [
    ["TypeError", "nodeOffset: an integer is wanted, not string", () => node({ nodeOffset: "1" })],
    ["TypeError", "lastNode: true or false is wanted, not 1", () => node({ lastNode: 1 })],
    ["TypeError", "final: true or false is wanted, not undefined",
      () => finalist.blake2bF(1, h, painted(128), t)],
    ["TypeError", "algorithm: a name is wanted, not 5", () => finalist.hash(5, message)],
    ["TypeError", "implementation: a name is wanted, not object",
      () => finalist.select("blake2b", ["portable"])],
    ["TypeError", "messages: an array is wanted, not string",
      () => finalist.hashMany("blake3", "a")],
    ["TypeError", "t: a BigUint64Array of 2 is wanted",
      () => finalist.blake2bF(1, h, painted(128), new BigUint64Array(3), true)],
    ["TypeError", "h: a BigUint64Array of 8 is wanted",
      () => finalist.blocks("blake2b", { ...state, h: new BigUint64Array(9) }, message)],
    ["TypeError", "parameters: an object with fields of its own is wanted, not null",
      () => finalist.hash("blake2b", message, null)],
    ["RangeError", "bits: 81 is not from 0 to 80",
      () => finalist.hashBits("blake256", message, 81)],
    ["RangeError", "bytes: -1 is not from 0 to 2147483647",
      () => finalist.start("blake3").squeeze(-1)],
    ["RangeError", "a block of 10 bytes", () => finalist.blake2bF(1, h, message, t, true)],
    ["RangeError", "256 bytes by 200 in 300 bytes",
      () => finalist.blocks("blake2b", state, painted(300), { bytes: 256, stride: 200 })],
    ["RangeError", "no memory for 2147483647 bytes",
      () => finalist.start("blake3").squeeze(2 ** 31 - 1)],
  ]) {
    assert.throws(call, { name: kind, message: text });
  }
  refused(Status.OUTPUT_LENGTH, () => finalist.start("blake3").seek(-1));
  refused(Status.OUTPUT_LENGTH, () => finalist.start("blake3").seek(2n ** 64n));
  for (const bytes of [31, 33, 0]) {
    refused(Status.OUTPUT_LENGTH, () => finalist.start("blake2s").digest(bytes));
  }
  for (const wrong of [hash.subarray(1), painted(33)]) {
    refused(Status.BLOCK_LENGTH, () => finalist.merkleInclusion("blake2s", [hash, wrong], 0));
    refused(Status.BLOCK_LENGTH, () => finalist.merkleConsistency("blake2s", [hash, wrong], 1));
  }
});

test("a worker's errors are those of the calls", async () => {
  const bytes = painted(3);
  const short = { digestBytes: 20 };
  const [{ hex }] = await worker.digest(bytes, [{ algorithm: "blake3", params: short }]);
  assert.equal(hex, hexOf(finalist.hash("blake3", bytes, short)));
  const treeMode = { fanout: 256 };
  for (const [name, params, Kind] of [["md5", {}, FinalistError],
    ["blake3", { key: bytes }, FinalistError], ["blake2b", { treeMode }, FinalistError],
    ["blake3", { digestBytes: 2 ** 53 }, RangeError],
    ["blake3", { digestBytes: "20" }, TypeError]]) {
    const expected = thrown(() => finalist.start(name, params));
    assert.equal(expected.constructor, Kind);
    await assert.rejects(worker.digest(bytes, [{ algorithm: name, params }]), (error) => {
      assert.equal(error.constructor, Kind);
      assert.deepEqual([error.name, error.message, error.status],
        [expected.name, expected.message, expected.status]);
      return true;
    });
  }
  await assert.rejects(worker.digest("text", ["blake3"]), /^TypeError: source: a Blob/);
  await assert.rejects(worker.benchmark("blake3", 1), /^TypeError: algorithms: an array/);
  await assert.rejects(worker.benchmark([() => 0], 1), /^TypeError: algorithm: a name/);
  for (const milliseconds of [undefined, "1", NaN, 1.5]) {
    await assert.rejects(worker.benchmark(["blake3"], milliseconds), /^TypeError: milliseconds/);
  }
  await assert.rejects(worker.digest(bytes, ["blake3"], { signal: AbortSignal.abort() }),
    { name: "AbortError" });
});

test("what a worker would not be sent is refused before", async () => {
  const bytes = painted(3);
  const key = painted(32);
  class Inherited {
    get key() {
      return key;
    }
  }
  for (const params of [new Inherited(), Object.create({ key }), new Map([["key", key]])]) {
    await assert.rejects(worker.digest(bytes, [{ algorithm: "blake3", params }]),
      /^TypeError: parameters: an object with fields of its own/);
  }
  let reads = 0;
  const once = { get key() {
    return reads++ === 0 ? key : undefined;
  } };
  const [{ hex }] = await worker.digest(bytes, [{ algorithm: "blake3", params: once }]);
  assert.equal(hex, hexOf(finalist.hash("blake3", bytes, { key })));
  await assert.rejects(worker.digest(bytes, ["blake3"], { key }),
    /^TypeError: options have no 'key'/);
  for (const gone of goneViews()) {
    await assert.rejects(worker.digest(gone, ["blake3"]), /^TypeError: source: its buffer/);
    await assert.rejects(worker.digest(bytes, [{ algorithm: "blake3", params: { key: gone } }]),
      /^TypeError: key: its buffer/);
  }
});

/** Returns a client of a worker that only records what it gets, and answers when told. */
function clientOfNobody() {
  const nobody = Object.assign(new EventTarget(), { posted: [], terminated: 0 });
  nobody.postMessage = (data, transfer = []) => nobody.posted.push({ ...data, transfer });
  nobody.terminate = () => {
    nobody.terminated++;
  };
  nobody.answer = (data) =>
    nobody.dispatchEvent(Object.assign(new Event("message"), { data }));
  return { nobody, client: new HashWorker(nobody) };
}

/** Lets what waits for an answer go on. */
const turn = () => new Promise((resolve) => { setTimeout(resolve); });

test("a worker's answers reach their requests in any order, once", async () => {
  const { nobody, client } = clientOfNobody();
  const seen = [[], []];
  const results = [0, 1].map((i) => client.digest(painted(i), ["blake3"],
    { onProgress: (bytes) => seen[i].push(bytes) }));
  await turn();
  const [first, second] = nobody.posted.map(({ id }) => id);
  nobody.answer({ id: second, progress: 5 });
  nobody.answer({ id: first, progress: 7 });
  nobody.answer({ id: second + 7, result: "nobody's" });
  nobody.answer({ id: second, result: "second" });
  nobody.answer({ id: first, error: { name: "RangeError", message: "too far" } });
  await assert.rejects(results[0], (error) => error.constructor === RangeError
    && error.message === "too far");
  assert.equal(await results[1], "second");
  nobody.answer({ id: first, progress: 9 });
  nobody.answer({ id: second, progress: 9 });
  assert.deepEqual(seen, [[7], [5]]);
  const stream = new ReadableStream();
  client.digest(stream, ["blake3"]).catch(() => {});
  await turn();
  assert.deepEqual(nobody.posted.map(({ transfer }) => transfer), [[], [], [stream]]);
  const other = client.digest(painted(1), ["blake3"]);
  await turn();
  nobody.answer({ id: nobody.posted.at(-1).id, error: { name: "SyntaxError", message: "odd" } });
  await assert.rejects(other, (error) => error.constructor === Error
    && error.name === "SyntaxError" && error.message === "odd");
});

test("a signal cancels its own request, and only while it runs", async () => {
  const { nobody, client } = clientOfNobody();
  const [one, other] = [new AbortController(), new AbortController()];
  const requests = [one, other].map(({ signal }) =>
    client.digest(painted(1), ["blake3"], { signal }));
  await turn();
  const [{ id: first }, { id: second }] = nobody.posted;
  other.abort();
  assert.deepEqual(nobody.posted.slice(2), [{ id: second, kind: "cancel", transfer: [] }]);
  nobody.answer({ id: second, error: { name: "AbortError", message: "cancelled" } });
  await assert.rejects(requests[1], { name: "AbortError" });
  nobody.answer({ id: first, result: [] });
  await requests[0];
  one.abort();
  assert.equal(nobody.posted.length, 3);
});

test("a worker that fails or is closed answers no request", async () => {
  for (const [end, message] of [
    [({ nobody }) => nobody.dispatchEvent(new Event("error")), "the worker failed"],
    [({ nobody }) => nobody.dispatchEvent(Object.assign(new Event("error"),
      { message: "no script" })), "no script"],
    [({ client }) => client.close(), "the worker was closed"],
  ]) {
    const both = clientOfNobody();
    const waiting = [both.client.load(painted(1)), both.client.benchmark(["blake3"], 1)];
    waiting.forEach((request) => request.catch(() => {}));
    await turn();
    end(both);
    for (const request of [...waiting, both.client.digest(painted(1), ["blake3"])]) {
      await assert.rejects(request, { name: "Error", message });
    }
    assert.equal(both.nobody.posted.length, 2);
    assert.equal(both.nobody.terminated, message.endsWith("closed") ? 1 : 0);
  }
});

test("a worker cancels the request of that number, also after others have ended", async () => {
  const answers = new Map();
  here.addEventListener("message", ({ data: { id, ...answer } }) => answers.set(id, answer));
  const ask = (id, bytes) => here.postMessage({ id, kind: "digest", source: new Uint8Array(bytes),
    algorithms: [{ algorithm: "blake3" }] });
  const isEnded = (id) => !("progress" in (answers.get(id) ?? { progress: 0 }));
  const ended = async (id) => {
    for (let i = 0; i < 100_000 && !isEnded(id); i++) {
      await Promise.resolve();
    }
    assert.ok(isEnded(id), id);
    return answers.get(id).error?.name;
  };
  for (const [id, bytes] of [["a", 1 << 24], ["b", 1 << 24], ["c", 0]]) {
    ask(id, bytes);
  }
  assert.equal(await ended("c"), undefined);
  assert.ok(!isEnded("a") && !isEnded("b"));
  here.postMessage({ id: "b", kind: "cancel" });
  here.postMessage({ id: "c", kind: "cancel" });
  assert.equal(await ended("b"), "AbortError");
  assert.equal(await ended("a"), undefined);
});

test("a worker tells its progress, but seldom", async () => {
  const answers = [];
  const listen = ({ data }) => data.id === "slow" && answers.push(data);
  here.addEventListener("message", listen);
  const { now } = performance;
  let time = 0;
  performance.now = () => {
    time += 30;
    return time;
  };
  try {
    here.postMessage({ id: "slow", kind: "digest", source: new Uint8Array(64 << 18),
      algorithms: [{ algorithm: "blake3" }] });
    await turn();
  } finally {
    performance.now = now;
    here.removeEventListener("message", listen);
  }
  // 50 ms at least between two of them, of which each piece takes 30.
  const expected = Array.from({ length: 32 }, (_, i) => (2 * i + 2) << 18);
  assert.deepEqual(answers.slice(0, -1).map(({ progress }) => progress), expected);
  assert.ok("result" in answers.at(-1));
});

test("a worker's benchmark gives medians, of one message and of several", async () => {
  const { now } = performance;
  // Milliseconds of five calls of each kind; a measurement ends after 10.
  const calls = [10, 100, 20, 1000, 40, 20, 200, 40, 2000, 80];
  let [count, time] = [0, 0];
  performance.now = () => {
    time += count % 2 === 0 ? 0 : calls[(count - 1) / 2];
    count++;
    return time;
  };
  try {
    assert.deepEqual(await worker.benchmark(["blake3"], 50), [{ algorithm: "blake3",
      implementation: finalist.selected("blake3"), one: 65536e3 / 40, many: 65536e3 / 80 }]);
    assert.equal(count, 20);
  } finally {
    performance.now = now;
  }
});

test("a worker takes its module in base64, too", async () => {
  const bytes = await readFile(process.argv[2]);
  const loaded = await worker.load(bytes.toString("base64"));
  assert.deepEqual(loaded, { version: finalist.version, algorithms });
  await assert.rejects(worker.load("AGFzbQ=="), { name: "CompileError" });
});

test("a module that the server does not have is told", async () => {
  const { fetch, process: node } = globalThis;
  const answer = (ok) => async () => ({ ok, status: 404, statusText: "Not Found",
    arrayBuffer: async () => new ArrayBuffer(3) });
  for (const [simd, file] of [[true, "finalist.wasm"], [false, "finalist-scalar.wasm"]]) {
    for (const ok of [true, false]) {
      // Without Node's process, index.mjs takes this for a browser.
      Object.assign(globalThis, { fetch: answer(ok), process: undefined });
      const bytes = moduleBytes({ simd });
      Object.assign(globalThis, { fetch, process: node });
      if (ok) {
        assert.equal((await bytes).byteLength, 3);
      } else {
        await assert.rejects(bytes, { message: RegExp(`/dist/${file}: 404 Not Found$`) });
      }
    }
  }
});

/** Yields some pieces; fails after them if told. */
async function* pieces(count, fails = false) {
  for (let i = 0; i < count; i++) {
    yield painted(10, i);
  }
  if (fails) {
    throw new SyntaxError("no more");
  }
}

test("a signal stops digest at the next piece, and after the last one", async () => {
  for (const [count, at] of [[5, 2], [5, 5], [0, 0]]) {
    const abort = new AbortController();
    const seen = [];
    const onProgress = (bytes) => {
      seen.push(bytes);
      return seen.length === at && abort.abort();
    };
    if (at === 0) {
      abort.abort();
    }
    await assert.rejects(digest(finalist, pieces(count), ["blake3"],
      { onProgress, signal: abort.signal }), { name: "AbortError" });
    assert.deepEqual(seen, Array.from({ length: at }, (_, i) => 10 * (i + 1)));
  }
  const parts = [new Uint8Array(4).buffer, new DataView(new ArrayBuffer(5)), new Uint16Array(3)];
  const seen = [];
  const [first, second] = await digest(finalist, parts, ["blake2s", "blake3"],
    { onProgress: (bytes) => seen.push(bytes) });
  assert.deepEqual(seen, [4, 9, 15]);
  for (const { algorithm, bytes, hex } of [first, second]) {
    equal(bytes, finalist.hash(algorithm, new Uint8Array(15)));
    assert.equal(hex, Buffer.from(bytes).toString("hex"));
  }
  assert.deepEqual([first.algorithm, second.algorithm], ["blake2s", "blake3"]);
});

test("digest leaves no message in progress and no copy, whatever happens", async () => {
  const kept = [];
  const watched = { start: (...asked) => {
    kept.push(finalist.start(...asked));
    return kept.at(-1);
  } };
  await assert.rejects(digest(watched, pieces(3, true), ["blake2b", "blake3"]), SyntaxError);
  assert.equal(kept.length, 2);
  kept.forEach((message) => refused(Status.STATE, () => message.update(painted(1))));
  const buffers = new Set();
  const spying = { start: () => ({
    update: ({ buffer }) => buffers.add(buffer),
    digest: () => painted(1),
    wipe: () => {},
  }) };
  await digest(spying, painted(600000), ["blake3"]);
  const [copy] = buffers;
  assert.equal(buffers.size, 1);
  assert.equal(copy.byteLength, 600000);
  assert.ok(new Uint8Array(copy).every((byte) => byte === 0));
});

test("a stream that is not read to its end is cancelled", async () => {
  for (const wrap of [(stream) => stream, (stream) => new Response(stream)]) {
    let [cancelled, pulls] = [0, 0];
    const stream = new ReadableStream({
      pull: (controller) =>
        (pulls++ < 100 ? controller.enqueue(new Uint8Array(10)) : controller.close()),
      cancel: () => {
        cancelled++;
      },
    });
    const abort = new AbortController();
    const result = digest(finalist, wrap(stream), ["blake3"],
      { onProgress: () => abort.abort(), signal: abort.signal });
    await assert.rejects(result, { name: "AbortError" });
    assert.equal(cancelled, 1);
  }
});

test("messages in memory of any kind, also empty ones", () => {
  for (const bytes of [0, 1, 64, 1000, 65536, 65537, 200000]) {
    const data = painted(bytes, 3);
    const expected = finalist.hash("blake2s", data);
    for (const view of viewsOf(data)) {
      equal(finalist.hash("blake2s", view), expected);
      equal(finalist.start("blake2s").update(view).digest(), expected);
      equal(finalist.hashMany("blake2s", [view, view])[1], expected);
    }
  }
  assert.throws(() => finalist.hash("blake2s", new SharedArrayBuffer(1)), TypeError);
});

test("calls around the arena's end and after the memory has grown", async () => {
  const module = await load(readFile(process.argv[2]));
  const { memory } = module.exports;
  const end = Buffer.from("overwritten");
  const message = module.start("blake512").update(painted(777));
  const digest = module.hash("blake2b", painted(3));
  const few = module.hashMany("blake2b", [painted(3), painted(4)]);
  for (const bytes of [2 ** 18 - 112, 2 ** 18 - 64, 2 ** 18 - 63, 2 ** 18, 2 ** 18 + 1, 2 ** 22]) {
    const data = Buffer.concat([painted(bytes - end.length), end]);
    const [first, last] = module.hashMany("blake2b", [data, painted(3)]);
    equal(first, module.hash("blake2b", data));
    equal(last, digest);
  }
  assert.equal(Buffer.from(memory.buffer).indexOf(end), -1);
  for (let growth = 0; growth < 3; growth++) {
    memory.grow(1);
    equal(module.hash("blake2b", painted(3)), digest);
    equal(module.hashMany("blake2b", [painted(3), painted(4)])[1], few[1]);
  }
  equal(message.update(painted(9)).digest(),
    finalist.hash("blake512", Buffer.concat([painted(777), painted(9)])));
  equal(few[0], digest);
});

test("parameters whose getters hash, or throw", () => {
  const key = painted(32);
  const expected = finalist.hash("blake2s", painted(100), { key });
  const getting = { get key() {
    finalist.hashMany("blake2b", [painted(300000), painted(5)], { key: painted(64) });
    return key;
  } };
  equal(finalist.hash("blake2s", painted(100), getting), expected);
  equal(finalist.start("blake2s", getting).update(painted(100)).digest(), expected);
  const throwing = { get key() {
    throw new SyntaxError("no key");
  } };
  assert.throws(() => finalist.hash("blake2s", painted(100), throwing), SyntaxError);
  equal(finalist.hash("blake2s", painted(100), { key }), expected);
});

test("nothing stays in the module's memory", () => {
  const key = Buffer.from("this key is to be found nowhere!");
  const bytes = finalist.exports.memory.buffer.byteLength;
  const treeMode = { fanout: 2, depth: 3, leafBytes: 64, innerBytes: 32 };
  for (let i = 0; i < 1000; i++) {
    finalist.hash("blake2b", painted(i), { key });
    finalist.start("blake2sp", { key }).update(painted(i));
    finalist.hashMany("blake2s", [painted(i), painted(3)], { key });
    finalist.startMerkle("blake2b", { key }).append([painted(64)]).root();
    finalist.startTreeMode("blake2b", { key, treeMode }).update(painted(100)).digest();
    refused(Status.DIGEST_LENGTH, () => finalist.start("blake2b", { key, digestBytes: 65 }));
  }
  assert.equal(finalist.exports.memory.buffer.byteLength, bytes);
  // Many at once need more than the arena.
  const many = Array.from({ length: 40 }, () => Buffer.concat([key, painted(9000), key]));
  finalist.hashMany("blake2s", many, { key });
  finalist.hash("blake2b", many[0]);
  finalist.start("blake2b").update(many[0]);
  assert.throws(() => finalist.hashMany("blake2s", [...many, "text"], { key }), TypeError);
  assert.equal(Buffer.from(finalist.exports.memory.buffer).indexOf(key), -1);
});
