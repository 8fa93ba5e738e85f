// SPDX-License-Identifier: MIT OR Apache-2.0
/** Measurements and waits of the tests of the page. */
import assert from "node:assert/strict";
import { createWriteStream, readFileSync } from "node:fs";
import { once } from "node:events";

const AXE = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const LARGE_BYTES = 200 << 20;

/** Writes a file whose parts all differ. */
export async function writeLarge(path) {
  const file = createWriteStream(path);
  const piece = Buffer.alloc(1 << 20, "0123456789abcdef");
  for (let i = 0; i < LARGE_BYTES / piece.length; i++) {
    piece.writeUInt32LE(i, 0);
    if (!file.write(Buffer.from(piece))) {
      await once(file, "drain");
    }
  }
  file.end();
  await once(file, "finish");
}

/** Returns heaps, buffers and WebAssembly memory of the page and its workers. */
export async function memoryBytes(page, client) {
  const parts = [client, ...page.workers().map((worker) => worker.client)];
  const usages = await Promise.all(parts.map((part) => part.send("Runtime.getHeapUsage")));
  return usages.reduce((all, { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 }) =>
    all + usedSize + embedderHeapUsedSize + backingStorageSize, 0);
}

/** Returns milliseconds of the page's thread, without the time of other processes. */
export function longestTask({ traceEvents }) {
  const threads = traceEvents.filter(({ name, args }) =>
    name === "thread_name" && args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`);
  const tasks = traceEvents.filter(({ name, pid, tid }) =>
    /RunTask$/.test(name) && threads.includes(`${pid} ${tid}`));
  return Math.max(0, ...tasks.map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000));
}

/** Waits for a condition, at most a minute. */
export async function waitFor(condition) {
  for (const end = Date.now() + 60_000; !condition() && Date.now() < end;) {
    await new Promise((resolve) => { setTimeout(resolve, 50); });
  }
}

/** Asserts that axe finds nothing in the page, light and dark. */
export async function assertAccessible(page, where) {
  await page.evaluate(AXE);
  for (const value of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]), [],
      `${where}, ${value}`);
  }
  await page.emulateMediaFeatures([]);
}
