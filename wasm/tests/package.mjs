// SPDX-License-Identifier: MIT OR Apache-2.0
/** Tests the package as npm packs it: its files, Node, Deno, TypeScript, streams. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";

import { installPackage } from "./installed.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const SCRIPTS = ["arguments", "blocks", "client", "finalist", "index", "memory", "merkle", "progress",
  "registry", "scratch", "status", "stream", "struct"];
const FILES = [
  "LICENSE-APACHE",
  "LICENSE-MIT",
  "README.md",
  "dist/finalist-scalar.wasm",
  "dist/finalist.wasm",
  "dist/types/names.d.mts",
  "dist/types/worker.d.mts",
  "dist/worker.mjs",
  ...SCRIPTS.flatMap((name) => [`${name}.mjs`, `dist/types/${name}.d.mts`]),
  "package.json",
].sort();
/** BLAKE2b digest of "abc" with 32 bytes. */
const ABC = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319";

let folder;
let packed;

function run(command, ...options) {
  return execFileSync(command, options, { cwd: folder, encoding: "utf8" });
}

/** Runs a program that uses the package. */
function runProgram(text) {
  writeFileSync(join(folder, "program.mjs"), text);
  return run("node", "program.mjs").trim();
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "finalist-package-"));
  packed = installPackage(folder);
});

after(() => rmSync(folder, { recursive: true, force: true }));

test("it contains the library and nothing else", () => {
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), FILES);
  for (const { path } of packed.files.filter((file) => file.path.endsWith(".mjs"))) {
    assert.match(readFileSync(here(`../${path}`), "utf8"), /SPDX-License-Identifier/, path);
  }
});

test("Node imports it, and both modules give the digest", () => {
  assert.equal(runProgram(`
    import { open, hexOf } from "finalist-wasm";
    for (const simd of [true, false]) {
      const finalist = await open({ simd });
      const params = { digestBytes: 32 };
      console.log(hexOf(finalist.hash("blake2b", new TextEncoder().encode("abc"), params)),
        finalist.cpuFeatures().includes("simd128"));
    }`), `${ABC} true\n${ABC} false`);
});

test("streams, files, responses and iterables give the digest", () => {
  assert.equal(runProgram(`
    import { open, digest } from "finalist-wasm";
    import { openAsBlob, writeFileSync } from "node:fs";
    const finalist = await open();
    const asked = [{ algorithm: "blake2b", params: { digestBytes: 32 } }];
    const bytes = new TextEncoder().encode("abc");
    async function* pieces() { yield bytes.subarray(0, 1); yield bytes.subarray(1); }
    writeFileSync("abc", "abc");
    for (const source of [bytes, bytes.buffer, new Blob(["ab", "c"]), new Response("abc"),
      ReadableStream.from(pieces()), pieces(), [bytes], await openAsBlob("abc")]) {
      const [{ hex }] = await digest(finalist, source, asked);
      console.log(hex === "${ABC}");
    }
    const seen = [];
    await digest(finalist, new Blob([new Uint8Array(3 << 18)]), ["blake2s"],
      { onProgress: (bytes) => seen.push(bytes >> 18) });
    console.log(seen.join());
    const stop = AbortSignal.abort();
    await digest(finalist, new Blob(["abc"]), ["blake2s"], { signal: stop })
      .catch((error) => console.log(error.name));
    await digest(finalist, bytes, ["md5"]).catch((error) => console.log(error.name));
  `), `${"true\n".repeat(8)}1,2,3\nAbortError\nFinalistError`);
});

test("Deno imports it and hashes in a worker, with permission to read files only", () => {
  writeFileSync(join(folder, "program.mjs"), `
    import { HashWorker, hexOf, moduleBytes, open } from "finalist-wasm";
    const bytes = new TextEncoder().encode("abc");
    const params = { digestBytes: 32 };
    console.log(hexOf((await open()).hash("blake2b", bytes, params)));
    const worker = await HashWorker.start(moduleBytes());
    const [{ hex }] = await worker.digest(new Blob([bytes]), [{ algorithm: "blake2b", params }]);
    console.log(hex);
    worker.close();`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  const deno = [here("../node_modules/deno/bin.cjs"), "run", "--quiet", "--no-remote", "--allow-read"];
  assert.equal(run("node", ...deno, "program.mjs"), `${ABC}\n${ABC}\n`);
});

const CONSUMER = `
  import {
    open, digest, HashWorker, moduleBytes, type AlgorithmName, type FinalistError,
  } from "finalist-wasm";
  const finalist = await open({ simd: true });
  const one: Uint8Array = finalist.hash("blake2b", new Uint8Array(3), { digestBytes: 32 });
  const hex: string = (await digest(finalist, new Blob([]), ["blake2s"]))[0].hex;
  const name: AlgorithmName = finalist.algorithms()[0].name;
  const worker: HashWorker = await HashWorker.start(moduleBytes());
  export { one, hex, name, worker, type FinalistError };
`;

function typeCheck(text) {
  writeFileSync(join(folder, "consumer.mts"), text);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({
    compilerOptions: {
      noEmit: true, strict: true, module: "nodenext", target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"], types: [],
    },
    files: ["consumer.mts"],
  }));
  run(here("../node_modules/.bin/tsc"), "--project", "tsconfig.json");
}

test("TypeScript accepts a correct program and rejects a wrong one", () => {
  typeCheck(CONSUMER);
  assert.throws(() => typeCheck(CONSUMER.replace("digestBytes: 32", "digestBytes: \"32\"")));
  assert.throws(() => typeCheck(CONSUMER.replace("simd: true", "simdd: true")));
  assert.throws(() => typeCheck(CONSUMER.replace("\"blake2b\"", "\"BLAKE2b\"")));
  assert.throws(() => typeCheck(CONSUMER.replace("[\"blake2s\"]", "[\"md5\"]")));
});
