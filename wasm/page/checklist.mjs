// SPDX-License-Identifier: MIT OR Apache-2.0
/** Reads and writes checksum lists like those of finalist sum, b2sum and others. */

const TAGGED = /^(?<title>[^()]+?)(?:-(?<bits>\d+))? \((?<name>.*)\) = (?<digest>[0-9a-f]+)$/i;
const UNTAGGED = /^(?<digest>[0-9a-f]+) [ *](?<name>.+)$/i;
const ESCAPES = { "\\\\": "\\", "\\n": "\n", "\\r": "\r" };
const ESCAPED = { "\\": "\\\\", "\n": "\\n", "\r": "\\r" };

/** Returns the tag of an algorithm with this digest length in tagged lines: "BLAKE2b-256". */
export function tagOf({ family, title, digestBytes: own }, digestBytes) {
  const bits = 8 * digestBytes;
  if (family === "groestl") {
    return title.replace(/\d+$/, bits);
  }
  return digestBytes === own ? title : `${title}-${bits}`;
}

/** Returns a tagged line as finalist sum --tag writes it, without the line end. */
export function formatLine(tag, name, hex) {
  const escaped = name.replaceAll(/[\\\n\r]/g, (character) => ESCAPED[character]);
  return `${escaped === name ? "" : "\\"}${tag} (${escaped}) = ${hex}`;
}

/** Folds case and punctuation, so that Grøstl-256 and groestl256 are the same name. */
function folded(title) {
  return title.toLowerCase().replaceAll("ø", "oe").replaceAll(/[^a-z0-9]/g, "");
}

/**
 * Parses the lines of a list: { name, digest, algorithm? } or { text, problem }.
 * @param {string} text
 * @param {{ name: string, title: string }[]} algorithms
 */
export function parseList(text, algorithms) {
  const names = new Map(algorithms.flatMap(({ name, title }) =>
    [[folded(name), name], [folded(title), name]]));
  return text.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => parseLine(line, names));
}

/** The comment of a list that was made with a key, as in manifests. */
export const KEYED = "# keyed: true";

/** Returns true if a list says that it was made with a key. */
export function isKeyed(text) {
  return text.split(/\r?\n/).includes(KEYED);
}

function parseLine(line, names) {
  const escaped = line.startsWith("\\");
  const plain = escaped ? line.slice(1) : line;
  const tagged = TAGGED.exec(plain)?.groups;
  const parts = tagged ?? UNTAGGED.exec(plain)?.groups;
  if (parts === undefined || parts.digest.length % 2 !== 0) {
    return { text: line, problem: "not a checksum line" };
  }
  const name = escaped ? parts.name.replaceAll(/\\[\\nr]/g, (code) => ESCAPES[code]) : parts.name;
  const result = { name, digest: parts.digest.toLowerCase() };
  if (tagged === undefined) {
    return result;
  }
  // "BLAKE2b-256" is BLAKE2b with 256 bits; "BLAKE-256" is an algorithm.
  const whole = tagged.bits === undefined ? tagged.title : `${tagged.title}-${tagged.bits}`;
  // Grøstl-n is also used for lengths without an algorithm of their own.
  const algorithm = names.get(folded(whole)) ?? names.get(folded(tagged.title))
    ?? names.get(folded(`${tagged.title}-512`));
  if (algorithm === undefined) {
    return { text: line, problem: `unknown algorithm ${whole}` };
  }
  return { ...result, algorithm };
}
