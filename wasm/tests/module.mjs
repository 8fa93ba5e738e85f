// SPDX-License-Identifier: MIT OR Apache-2.0
// The module under test, FINALIST.wasm on the command line, and helpers for its tests.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import process from "node:process";

import { FinalistError, load } from "../finalist.mjs";

export const finalist = await load(readFile(process.argv[2]));
export const algorithms = finalist.algorithms();
export const groestl = algorithms.filter(({ family }) => family === "groestl");

/** Returns bytes with a period of 251, a prime, so that a block read from a wrong offset shows. */
export function painted(bytes, from = 0) {
  return Buffer.from(Array.from({ length: bytes }, (_, i) => (from + i) % 251));
}

export function equal(got, expected) {
  assert.equal(Buffer.from(got).toString("hex"), Buffer.from(expected).toString("hex"));
}

export function refused(status, call) {
  assert.throws(call, (error) => error instanceof FinalistError && error.status === status);
}

/** Runs with the automatic choice, with each implementation of several messages, and without. */
export function withEachChoice(info, run) {
  run();
  const lanes = finalist.implementations().filter(({ compression, mode }) =>
    compression === info.compression && mode === "multi");
  for (const name of [...lanes.map((impl) => impl.name), finalist.selected(info.name)]) {
    finalist.select(info.name, name);
    run();
  }
  finalist.select(info.name, null);
}
