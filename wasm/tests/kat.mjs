// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs known answers through finalist.mjs, kind by kind like tests/kat/kat.c: a vector passes or
// fails once with each implementation of the module.
//
//   node wasm/tests/kat.mjs FINALIST.wasm [--selected] VECTORS.jsonl...
//
// vectors/README.md describes the files. With --selected only the default implementation runs:
// enough for messages of 1 GiB.
import { readFile } from "node:fs/promises";
import process from "node:process";

import { XOF_UNKNOWN, load } from "../finalist.mjs";
import { fail, pass, report } from "./check.mjs";
import { salsa20Core, salsa20Stream, shake256 } from "./oracles.mjs";

const PIECE_BYTES = 65536;
const MONTE_CARLO_SEED_BYTES = 128;

/* ---- Reading ---- */

function need(holds, text) {
  if (!holds) {
    throw new Error(text);
  }
}

const isText = (value) => typeof value === "string";
const isHex = (value) => isText(value) && value.length % 2 === 0 && !/[^0-9a-f]/.test(value);

/* Converts a field's value; undefined if it is invalid. */
const text = (value) => (isText(value) ? value : undefined);
const hex = (value) => (isHex(value) ? Buffer.from(value, "hex") : undefined);
const number = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : undefined);
const flag = (value) => (typeof value === "boolean" ? value : undefined);
const wide = (value) => (/^\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : undefined);
const list = (kind) => (value) => (Array.isArray(value) ? value.map((item) => {
  need(kind(item) !== undefined, "a list with an invalid element");
  return kind(item);
}) : undefined);
const object = (fields) => (value) => readFields(value, fields);

const NODE_FIELDS = {
  fanout: number, depth: number, leaf_size: number, node_offset: wide, node_depth: number,
  inner_size: number, last_node: flag,
};
const FIELDS = {
  alg: text, len_bits: number, out_bytes: number,
  msg: hex, key: hex, salt: hex, personal: hex, derive_key_context: hex, md: hex,
  mct_seed: hex, mct_md: list(hex),
  batch: object({ msg_bytes: number, count: number, rule: text }),
  md_of_mds: hex, md_first: hex, md_last: hex,
  size: text, checksum: hex,
  gen: object({ text: hex, count: number }),
  chunks: list(number),
  tree: object(NODE_FIELDS), two_level_tree: object(NODE_FIELDS),
  xof_unknown_length: flag, source: text,
};

function readFields(value, fields) {
  need(typeof value === "object" && value !== null && !Array.isArray(value), "not an object");
  return Object.fromEntries(Object.entries(value).map(([name, item]) => {
    need(Object.hasOwn(fields, name), `unknown field ${name}`);
    const read = fields[name](item);
    need(read !== undefined, `invalid value of field ${name}`);
    return [name, read];
  }));
}

/** A vector of one message must state its length and contain exactly that many bytes. */
function checkMessage(v) {
  need(v.len_bits !== undefined && v.md !== undefined && v.md.length > 0, "needs len_bits and md");
  need(v.out_bytes === undefined || v.out_bytes === v.md.length,
    "out_bytes is not the length of md");
  if (v.gen !== undefined) {
    need(v.gen.text.length * v.gen.count * 8 === v.len_bits,
      "len_bits is not the length of the generated message");
  } else {
    need(v.msg.length === Math.ceil(v.len_bits / 8), "len_bits is not the length of msg");
  }
}

function readVector(finalist, line) {
  // Node offsets exceed the exact range of a number.
  const exact = line.replace(/"node_offset":(\d+)/, '"node_offset":"$1n"');
  const parsed = JSON.parse(exact);
  // JSON.parse silently keeps the last of two fields with the same name.
  need(JSON.stringify(parsed) === exact, "not one object as JSON.stringify writes it");
  const v = { msg: Buffer.alloc(0), ...readFields(parsed, FIELDS) };
  v.info = finalist.algorithm(v.alg);
  if (v.mct_seed === undefined && v.batch === undefined && v.checksum === undefined) {
    checkMessage(v);
  }
  return v;
}

/* ---- One message ---- */

function expect(expected, got, what) {
  need(expected.equals(got), `wrong ${what}
    expected ${expected.toString("hex")}
    got      ${Buffer.from(got).toString("hex")}`);
}

function shapeOf(node) {
  return {
    fanout: node.fanout, depth: node.depth, leafBytes: node.leaf_size, innerBytes: node.inner_size,
  };
}

function paramsOf(v) {
  const { key, salt, personal, derive_key_context: deriveKeyContext, tree: node } = v;
  const treeMode = node === undefined ? undefined : {
    ...shapeOf(node), nodeOffset: node.node_offset, nodeDepth: node.node_depth,
    lastNode: node.last_node,
  };
  const digestBytes = v.xof_unknown_length ? XOF_UNKNOWN : v.md.length;
  return { digestBytes, key, salt, personal, deriveKeyContext, treeMode };
}

/**
 * Yields the message's whole bytes in the vector's parts, or in two; a generated one in larger
 * parts.
 */
function* piecesOf(v) {
  if (v.gen !== undefined) {
    const bytes = v.gen.text.length;
    const atOnce = Math.ceil(PIECE_BYTES / Math.max(bytes, 1));
    const piece = Buffer.alloc(bytes * atOnce, v.gen.text);
    for (let left = v.gen.count; left > 0; left -= atOnce) {
      yield piece.subarray(0, bytes * Math.min(left, atOnce));
    }
    return;
  }
  const whole = v.msg.subarray(0, Math.floor(v.len_bits / 8));
  let fed = 0;
  for (const chunk of v.chunks ?? [whole.length >> 1]) {
    need(chunk <= whole.length - fed, "more chunks than message");
    yield whole.subarray(fed, fed + chunk);
    fed += chunk;
  }
  yield whole.subarray(fed);
}

function finish(v, message) {
  const bits = v.len_bits % 8;
  return bits === 0 ? message.digest(v.md.length) : message.digestBits(v.msg.at(-1), bits);
}

function runStream(finalist, v, params) {
  const message = finalist.start(v.alg, params);
  for (const piece of piecesOf(v)) {
    message.update(piece);
  }
  expect(v.md, finish(v, message), "digest (in parts)");
}

function runMidstate(finalist, v, params) {
  const [first, ...others] = piecesOf(v);
  const begun = finalist.start(v.alg, params).update(first);
  const goOn = (message) => finish(v, others.reduce((to, piece) => to.update(piece), message));
  expect(v.md, goOn(finalist.resume(begun.midstate())), "digest (from a midstate)");
  expect(v.md, goOn(begun.copy()), "digest (of a copy)");
}

function runOneShot(finalist, v, params) {
  if (v.len_bits % 8 === 0 && !v.xof_unknown_length) {
    expect(v.md, finalist.hash(v.alg, v.msg, params), "digest (one-shot)");
  }
  if (v.info.bits) {
    expect(v.md, finalist.hashBits(v.alg, v.msg, v.len_bits, params), "digest (one-shot, bits)");
  }
}

/** Squeezes an output in parts of 1, 2, 4 ... bytes, then its second half again. */
function runSqueeze(finalist, v, params) {
  const message = finalist.start(v.alg, params).update(v.msg);
  const out = [];
  for (let at = 0, piece = 1; at < v.md.length; at += piece, piece *= 2) {
    out.push(message.squeeze(Math.min(piece, v.md.length - at)));
  }
  expect(v.md, Buffer.concat(out), "output (squeezed)");
  const half = v.md.length >> 1;
  const again = message.seek(half).squeeze(v.md.length - half);
  expect(v.md.subarray(half), again, "output (from its middle)");
}

function runMessage(finalist, v) {
  const params = paramsOf(v);
  runStream(finalist, v, params);
  if (v.gen !== undefined) {
    return;
  }
  runMidstate(finalist, v, params);
  runOneShot(finalist, v, params);
  if (v.alg.startsWith("blake2x") || v.alg === "blake3") {
    runSqueeze(finalist, v, params);
  }
}

/* ---- The other kinds ---- */

function runTwoLevelTree(finalist, v) {
  const shape = { ...shapeOf(v.two_level_tree), depth: 2 };
  need(shape.leafBytes > 0, "parameters that this kind cannot have");
  const count = Math.max(1, Math.ceil(v.msg.length / shape.leafBytes));
  const nodes = Array.from({ length: count }, (_, i) => ({
    message: v.msg.subarray(shape.leafBytes * i, shape.leafBytes * (i + 1)),
    nodeOffset: i,
    lastNode: i === count - 1,
  }));
  const leaves = nodes.map(({ message, nodeOffset, lastNode }) => finalist.hash(v.alg, message,
    { digestBytes: shape.innerBytes, treeMode: { ...shape, nodeOffset, lastNode } }));
  const root = { digestBytes: v.md.length, treeMode: { ...shape, nodeDepth: 1, lastNode: true } };
  const below = Buffer.concat(leaves);
  expect(v.md, finalist.hash(v.alg, below, root), "digest (tree, node by node)");

  const atOnce =
    finalist.hashNodes(v.alg, nodes, { digestBytes: shape.innerBytes, treeMode: shape });
  expect(below, Buffer.concat(atOnce), "digests (leaves at once)");
  const whole = { digestBytes: v.md.length, treeMode: shape };
  expect(v.md, finalist.treeModeHash(v.alg, v.msg, whole), "digest (tree)");
}

function runMonteCarlo(finalist, v) {
  const digestBytes = v.info.digestBytes;
  need(v.mct_seed.length === MONTE_CARLO_SEED_BYTES && v.mct_md?.length > 0,
    "needs mct_seed of 128 bytes and mct_md");
  const message = Buffer.from(v.mct_seed);
  for (const expected of v.mct_md) {
    for (let i = 0; i < 1000; i++) {
      const digest = finalist.hash(v.alg, message);
      message.copyWithin(digestBytes, 0);
      message.set(digest);
    }
    expect(expected, message.subarray(0, digestBytes), "digest (Monte Carlo)");
  }
}

function runBatch(finalist, v) {
  const { count, msg_bytes: bytes } = v.batch;
  need(count > 0 && v.md_of_mds && v.md_first && v.md_last,
    "parameters that this kind cannot have");
  const messages = Array.from({ length: count }, (_, i) => {
    const seed = Buffer.from("batch....");
    seed.writeUInt32BE(i, 5);
    return shake256(seed, bytes);
  });
  const digests = messages.map((message) => finalist.hash(v.alg, message));
  expect(v.md_first, digests[0], "md_first");
  expect(v.md_last, digests.at(-1), "md_last");
  expect(v.md_of_mds, finalist.hash(v.alg, Buffer.concat(digests)), "md_of_mds");
  const atOnce = finalist.hashMany(v.alg, messages);
  expect(Buffer.concat(digests), Buffer.concat(atOnce), "digests (many at once)");
}

/** Folds a digest into the 64-byte state, as SUPERCOP does; returns the new state. */
function absorbChecksum(state, digest) {
  const blocks = digest.length >> 4;
  for (let i = 0; i < blocks; i++) {
    state = salsa20Core(state, Buffer.from(digest.subarray(16 * i, 16 * (i + 1))));
  }
  const rest = Buffer.alloc(16);
  rest.set(digest.subarray(16 * blocks));
  rest[digest.length % 16] = 1;
  state[0] ^= 1;
  return salsa20Core(state, rest);
}

function runChecksum(finalist, v) {
  need(v.checksum.length === 32 && (v.size === "small" || v.size === "big"),
    "needs size small or big and a checksum of 32 bytes");
  const [loops, bytesMax] = v.size === "big" ? [512, 4096] : [64, 128];
  const key = Buffer.from("generate inputs for test vectors");
  let state = Buffer.alloc(64);
  for (let loop = 0; loop < loops; loop++) {
    const number = salsa20Stream(8, key, 2 * loop).readBigUInt64LE();
    const bytes = Number(number % BigInt(bytesMax + 1));
    const message = salsa20Stream(bytes, key, 2 * loop + 1);
    state = absorbChecksum(state, finalist.hash(v.alg, message));
  }
  expect(v.checksum, state.subarray(0, 32), "checksum");
}

/* ---- Files ---- */

function runVector(finalist, v) {
  if (v.mct_seed !== undefined) {
    runMonteCarlo(finalist, v);
  } else if (v.batch !== undefined) {
    runBatch(finalist, v);
  } else if (v.checksum !== undefined) {
    runChecksum(finalist, v);
  } else if (v.two_level_tree !== undefined) {
    runTwoLevelTree(finalist, v);
  } else {
    runMessage(finalist, v);
  }
}

/** Returns the implementations of an algorithm for one message at a time. */
function implementationsOf(finalist, info) {
  return finalist.implementations().filter(({ compression, mode, supported }) =>
    compression === info.compression && mode === "single" && supported).map(({ name }) => name);
}

function runLine(finalist, place, line, selectedOnly) {
  let subject = "malformed";
  try {
    const v = readVector(finalist, line);
    const names = selectedOnly ? [finalist.selected(v.alg)] : implementationsOf(finalist, v.info);
    need(names.length > 0, "no implementation");
    for (const name of names) {
      subject = `${v.alg}, ${name}`;
      finalist.select(v.alg, name);
      try {
        runVector(finalist, v);
        pass();
      } catch (error) {
        fail(`${place}: ${subject}`, error.message);
      }
    }
    finalist.select(v.alg, null);
  } catch (error) {
    fail(`${place}: ${subject}`, error.message);
  }
}

async function runFile(finalist, name, selectedOnly) {
  const content = await readFile(name, "utf8").catch(() => "");
  if (content === "") {
    fail(`${name}:0`, "cannot be read or is empty");
    return;
  }
  const lines = content.replace(/\n$/, "").split("\n");
  lines.forEach((line, i) => runLine(finalist, `${name}:${i + 1}`, line, selectedOnly));
}

const [module, ...rest] = process.argv.slice(2);
const selectedOnly = rest[0] === "--selected";
const files = selectedOnly ? rest.slice(1) : rest;
if (files.length === 0) {
  console.error("usage: node wasm/tests/kat.mjs FINALIST.wasm [--selected] VECTORS.jsonl...");
  process.exit(2);
}
const finalist = await load(readFile(module));
for (const file of files) {
  await runFile(finalist, file, selectedOnly);
}
report();
