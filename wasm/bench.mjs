// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Compares the package with hash-wasm and @noble/hashes in one process: prints the table of
 * README.md. Each figure is the minimum of many alternating runs, of processor time if a run is
 * longer than the system's time slice. A wrong digest ends the program.
 *
 *   npm run bench [-- --write] [-- FINALIST.wasm]    --write: puts the table into README.md
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import process from "node:process";

import * as noble2 from "@noble/hashes/blake2.js";
import { createBLAKE2b, createBLAKE2s } from "hash-wasm";

import { load } from "./finalist.mjs";
import { open } from "./index.mjs";

const ROUNDS = 400;
/** Time for each library of a row. */
const ROUNDS_NS = 3e9;
const LONG = 1 << 24;
const MANY = 1024;
const PIECE = 64;
/** Approximate time of a run, and of the work before the first one. */
const RUN_NS = 2e5;
const WARM_NS = 5e8;

const options = process.argv.slice(2);
const write = options.includes("--write");
const [file] = options.filter((option) => option !== "--write");
const finalist = await (file === undefined ? open() : load(readFile(file)));

const ALGORITHMS = {
  blake2b: { peer: await createBLAKE2b(), noble: noble2.blake2b },
  blake2s: { peer: await createBLAKE2s(), noble: noble2.blake2s },
};

/** Returns bytes with a period of 251, a prime, so that a block read from a wrong offset shows. */
function painted(bytes) {
  return Uint8Array.from({ length: bytes }, (_, i) => i % 251);
}

const long = painted(LONG);

/** Hashes a message in one call. */
function oneMessage(name, { peer, noble }, bytes) {
  const message = long.subarray(0, bytes);
  return {
    bytes,
    finalist: () => finalist.hash(name, message),
    "hash-wasm": () => peer.init().update(message).digest("binary"),
    noble: () => noble(message),
  };
}

/** Hashes many short messages, one after the other with libraries that have no call for them. */
function manyMessages(name, { peer, noble }) {
  const messages = Array.from({ length: MANY }, (_, i) => long.subarray(64 * i, 64 * (i + 1)));
  return {
    calls: MANY,
    finalist: () => finalist.hashMany(name, messages),
    "hash-wasm": () => messages.map((each) => peer.init().update(each).digest("binary")),
    noble: () => messages.map((each) => noble(each)),
  };
}

/** Hashes a message in short parts. */
function inPieces(name, { peer, noble }) {
  const pieces = Array.from({ length: MANY }, (_, i) => long.subarray(PIECE * i, PIECE * (i + 1)));
  const feed = (message) => pieces.reduce((to, piece) => to.update(piece), message).digest("binary");
  return {
    calls: MANY,
    finalist: () => pieces.reduce((to, piece) => to.update(piece), finalist.start(name)).digest(),
    "hash-wasm": () => feed(peer.init()),
    noble: () => feed(noble.create()),
  };
}

const wallClock = () => Number(process.hrtime.bigint());

function processorTime() {
  const { user, system } = process.cpuUsage();
  return 1000 * (user + system);
}

function nanoseconds(run, count, clock = wallClock) {
  const start = clock();
  for (let i = 0; i < count; i++) {
    run();
  }
  return (clock() - start) / count;
}

/** Returns the nanoseconds of a call once the engine has compiled it. */
function warm(run) {
  let last = 0;
  for (let total = 0, count = 1; total < WARM_NS; total += last * count, count *= 2) {
    last = nanoseconds(run, count);
  }
  return last;
}

/** Returns the minimum for each library, of one call. */
function measure({ calls = 1, bytes = 0, ...libraries }) {
  const names = Object.keys(libraries);
  const [expected, ...others] = names.map((name) => libraries[name]());
  others.forEach((digest) => assert.deepEqual(digest, expected));
  const first = names.map((name) => warm(libraries[name]));
  const best = names.map(() => Infinity);
  const clock = bytes === LONG ? processorTime : wallClock;
  for (let round = 0; round < ROUNDS; round++) {
    names.forEach((name, i) => {
      const count = Math.ceil(RUN_NS / first[i]);
      if (round * count * first[i] < ROUNDS_NS) {
        best[i] = Math.min(best[i], nanoseconds(libraries[name], count, clock));
      }
    });
  }
  return Object.fromEntries(names.map((name, i) => [name, best[i] / calls]));
}

/** Returns a row, with the time relative to hash-wasm's, or the throughput for a long message. */
function row(title, work) {
  const { finalist: own, "hash-wasm": peer, noble } = measure(work);
  const shown = work.bytes === LONG ? (ns) => Math.round((LONG / ns) * 1000) : Math.round;
  const ratio = work.bytes === LONG ? peer / own : own / peer;
  return `| ${title} | ${shown(own)} | ${shown(peer)} | ${shown(noble)} | ${ratio.toFixed(2)} |`;
}

function table() {
  const lines = [
    `Node ${process.versions.node}, ${cpus()[0].model.trim()}; nanoseconds (16 MiB: MB/s); minimum`
      + " of many runs in one process:",
    "",
    "| | Finalist | hash-wasm | @noble/hashes | Finalist ÷ hash-wasm |",
    "|---|---:|---:|---:|---:|",
  ];
  for (const [name, libraries] of Object.entries(ALGORITHMS)) {
    const { title } = finalist.algorithm(name);
    for (const [size, bytes] of [["0 bytes", 0], ["64 bytes", 64], ["1 KiB", 1024]]) {
      lines.push(row(`${title}, ${size}`, oneMessage(name, libraries, bytes)));
    }
    lines.push(row(`${title}, 16 MiB, MB/s`, oneMessage(name, libraries, LONG)));
    lines.push(row(`${title}, 64 bytes, each of ${MANY} by \`hashMany\``, manyMessages(name, libraries)));
    lines.push(row(`${title}, \`update\` by ${PIECE} bytes`, inPieces(name, libraries)));
  }
  return lines.join("\n");
}

const text = table();
console.log(text);
if (write) {
  const readme = fileURLToPath(new URL("README.md", import.meta.url));
  const old = await readFile(readme, "utf8");
  const place = /(?<=<!-- npm run bench -->\n).*(?=<!-- end -->)/s;
  assert.match(old, place);
  await writeFile(readme, old.replace(place, () => `${text}\n`));
}
