// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Builds a user's program for production with each bundler, serves it and runs it in Chromium: the
 * program must find the module and the worker where the bundler put them. CHROMIUM: the browser.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { after, before, test } from "node:test";

import nodeResolve from "@rollup/plugin-node-resolve";
import { importMetaAssets } from "@web/rollup-plugin-import-meta-assets";
import puppeteer from "puppeteer-core";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";

import { installPackage } from "./installed.mjs";

const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const MINUTES = 60_000;
const TYPES = {
  ".html": "text/html", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
};
/** BLAKE2b digest of "abc" with 32 bytes. */
const ABC = "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319";

const PROGRAM = `
  import { FinalistError, HashWorker, Status, hexOf, moduleBytes, open } from "finalist-wasm";
  const bytes = new TextEncoder().encode("abc");
  const params = { digestBytes: 32 };
  async function run() {
    const here = hexOf((await open()).hash("blake2b", bytes, params));
    const worker = await HashWorker.start(moduleBytes());
    const [{ hex }] = await worker.digest(new Blob([bytes]), [{ algorithm: "blake2b", params }]);
    const error = await worker.digest(bytes, ["md5"]).catch((thrown) => thrown);
    worker.close();
    return [here, hex, error instanceof FinalistError && error.status === Status.ALGORITHM].join();
  }
  run().catch(String).then((text) => { document.title = text; });
`;
const PAGE = "<!doctype html><script type=module src=./main.js></script>";

/** Each function builds a folder's main.js into its folder out. */
const BUNDLERS = {
  async vite(folder) {
    await vite({ root: folder, logLevel: "error", build: { outDir: "out", minify: true } });
  },

  async webpack(folder) {
    const stats = await promisify(webpack)({
      mode: "production", context: folder, entry: "./main.js",
      output: { path: join(folder, "out"), filename: "main.js" },
    });
    assert.ok(!stats.hasErrors(), stats.toString());
  },

  async rollup(folder) {
    const bundle = await rollup({
      input: join(folder, "main.js"), plugins: [nodeResolve({ browser: true }), importMetaAssets()],
    });
    await bundle.write({ dir: join(folder, "out"), format: "es", entryFileNames: "main.js" });
    await bundle.close();
  },
};

let browser;

before(async () => {
  browser = await puppeteer.launch({
    executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    timeout: 2 * MINUTES,
  });
});

after(() => browser?.close());

/** Serves the files of a folder; resolves to the server. */
function serve(folder) {
  const server = createServer(({ url }, response) => {
    const path = join(folder, url === "/" ? "index.html" : decodeURIComponent(url));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": TYPES[extname(path)] }).end(readFileSync(path));
  });
  return new Promise((resolve) => { server.listen(0, "127.0.0.1", () => resolve(server)); });
}

/** Returns the title that the built program gives its page. */
async function run(folder) {
  const server = await serve(folder);
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => document.title !== "", { timeout: MINUTES });
    return await page.title();
  } finally {
    await page.close();
    server.close();
  }
}

for (const [name, build] of Object.entries(BUNDLERS)) {
  test(`a production build by ${name} hashes, also in a worker`, async () => {
    const folder = mkdtempSync(join(tmpdir(), `finalist-${name}-`));
    try {
      installPackage(folder);
      writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
      writeFileSync(join(folder, "main.js"), PROGRAM);
      writeFileSync(join(folder, "index.html"), PAGE);
      await build(folder);
      // The program must not find the installed package.
      rmSync(join(folder, "node_modules"), { recursive: true });
      mkdirSync(join(folder, "out"), { recursive: true });
      if (!existsSync(join(folder, "out/index.html"))) {
        writeFileSync(join(folder, "out/index.html"), PAGE);
      }
      assert.equal(await run(join(folder, "out")), `${ABC},${ABC},true`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
