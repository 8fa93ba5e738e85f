// SPDX-License-Identifier: MIT OR Apache-2.0
// Checks that count, like tests/support/check.h: the first failures are printed with their
// location, and a run without a single check is a failure, too.
import process from "node:process";

/** A wrong vector fails once for every implementation. */
const PRINTED_MAX = 500;

let passed = 0;
let failed = 0;

export function pass() {
  passed++;
}

export function fail(place, text) {
  failed++;
  if (failed <= PRINTED_MAX) {
    console.log(`${place}: ${text}`);
  }
}

/** Prints the summary and sets the exit status. */
export function report() {
  if (passed + failed === 0) {
    fail("no file", "nothing was checked");
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
