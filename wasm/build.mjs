// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Writes wasm/dist: the modules, the worker, the types of the package, and the page as one HTML file;
 * and next to it the licences, which npm takes only from the package's folder.
 *
 *   node wasm/build.mjs [FINALIST.wasm SCALAR.wasm]   default: those of build/cross
 */
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import process from "node:process";

import { build } from "esbuild";

import { load } from "./finalist.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [simd, scalar] = process.argv.length === 4 ? process.argv.slice(2) : [
  here("../build/cross/wasm/wasm/finalist.wasm"),
  here("../build/cross/wasm-scalar/wasm/finalist.wasm"),
];

/** Bundles a script with its imports. */
async function bundle(entry, options) {
  const { outputFiles: [file] } = await build({
    entryPoints: [here(entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    ...options,
  });
  return file.text.trim();
}

/** Returns the hash of a script or style for a content security policy. */
function hashOf(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function base64(path) {
  return readFileSync(path).toString("base64");
}

async function page() {
  const worker = await bundle("worker.mjs", { minify: true });
  // The package finds its files by import.meta.url; the page contains them.
  const define = { "import.meta.url": "location.href", WORKER_SOURCE: JSON.stringify(worker) };
  const script = await bundle("page/page.mjs", { minify: true, define });
  const style = readFileSync(here("page/page.css"), "utf8");
  const safe = script.replaceAll("</script", "<\\/script");
  // Without connect-src, dropped files cannot leave the page. The worker inherits the policy.
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(safe)} 'wasm-unsafe-eval'`,
    `style-src ${hashOf(style)}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = { POLICY: policy, STYLE: style, SCRIPT: safe, SIMD: base64(simd), SCALAR: base64(scalar) };
  const template = readFileSync(here("page/index.html"), "utf8");
  return template.replace(/%([A-Z]+)%/g, (_, name) => parts[name]);
}

/** Returns the TypeScript type of the module's algorithm names. */
async function names() {
  const algorithms = (await load(readFileSync(simd))).algorithms();
  const union = algorithms.map(({ name }) => `  | ${JSON.stringify(name)}`).join("\n");
  return `// SPDX-License-Identifier: MIT OR Apache-2.0\nexport type AlgorithmName =\n${union};\n`;
}

rmSync(here("dist"), { recursive: true, force: true });
mkdirSync(here("dist/types"), { recursive: true });
copyFileSync(simd, here("dist/finalist.wasm"));
copyFileSync(scalar, here("dist/finalist-scalar.wasm"));
for (const licence of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  copyFileSync(here(`../${licence}`), here(licence));
}
const banner = { js: "// SPDX-License-Identifier: MIT OR Apache-2.0" };
writeFileSync(here("dist/worker.mjs"), `${await bundle("worker.mjs", { banner })}\n`);
writeFileSync(here("dist/types/names.d.mts"), await names());
execFileSync(here("node_modules/.bin/tsc"), ["--project", here("tsconfig.json")], { stdio: "inherit" });
writeFileSync(here("dist/finalist.html"), await page());
