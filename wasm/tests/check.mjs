// SPDX-License-Identifier: MIT OR Apache-2.0
// Checks that count, as tests/support/check.h has them: the first failures are printed with their place,
// and a run without a single check is a failure, too.
import process from "node:process";

/** One wrong vector is as many failures as there are implementations. */
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

/** Prints the closing line and sets the exit status. */
export function report() {
  if (passed + failed === 0) {
    fail("no file", "nothing was checked");
  }
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
