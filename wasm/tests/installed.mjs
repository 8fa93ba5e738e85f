// SPDX-License-Identifier: MIT OR Apache-2.0
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));

/** Installs the package, as npm packs it, in a folder; returns npm's description of the archive. */
export function installPackage(folder) {
  const output = execFileSync("npm", ["pack", "--json", "--pack-destination", folder],
    { cwd: PACKAGE, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const parsed = JSON.parse(output);
  const packed = Array.isArray(parsed) ? parsed[0] : Object.values(parsed)[0];
  const place = join(folder, "node_modules/finalist-wasm");
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", packed.filename, "-C", place, "--strip-components", "1"],
    { cwd: folder });
  return packed;
}
