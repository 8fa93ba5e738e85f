// SPDX-License-Identifier: MIT OR Apache-2.0
/** The settings: algorithms, digest length, key, BLAKE3's context. */
import { tagOf } from "./checklist.mjs";
import { element } from "./element.mjs";

const CHOSEN = ["blake3", "blake2b"];
/** A limit for BLAKE3, whose output has any length. */
const DIGEST_BYTES_MAX = 1024;
const GROUPS = [
  ["Current", ({ family }) => family === "blake3" || family === "blake2"],
  ["Finalists of the SHA-3 competition", (info) => !isSuperseded(info)],
  ["Superseded first submissions", () => true],
];
/** Added to the algorithm's name for keyed digests. */
const SUFFIXES = { text: ", keyed", hex: ", keyed", derive: ", derived key" };

const at = (id) => document.getElementById(id);

/** Detects first submissions, whose names had the digest's length in bytes. */
function isSuperseded({ family, name, digestBytes }) {
  return name.startsWith("groestl0") || (family === "blake" && name === `blake${digestBytes}`);
}

/** Groups the algorithms that have a default digest, current ones first. */
function grouped(algorithms) {
  let left = algorithms.filter(({ name }) => !name.startsWith("blake2x"));
  return GROUPS.map(([title, belongs]) => {
    const infos = left.filter(belongs);
    left = left.filter((info) => !infos.includes(info));
    return [title, infos.sort((a, b) => Number(b.name === CHOSEN[0]) - Number(a.name === CHOSEN[0]))];
  });
}

export class Settings {
  #infos;

  /** @param {import("../registry.mjs").AlgorithmInfo[]} algorithms */
  constructor(algorithms) {
    const groups = grouped(algorithms);
    this.#infos = new Map(groups.flatMap(([, infos]) => infos).map((info) => [info.name, info]));
    at("algorithms").append(...groups.map(([title, infos]) => element("fieldset", {},
      element("legend", {}, title), element("div", { class: "choices" }, ...infos.map(checkbox)))));
    at("untagged").append(...[...this.#infos.keys()].map((name) =>
      element("option", { value: name, selected: name === "blake2b" }, name)));
    for (const type of ["input", "change"]) {
      at("settings").addEventListener(type, () => this.#summarise());
    }
    this.#summarise();
  }

  #summarise() {
    const derives = at("key-kind").value === "derive";
    at("key").disabled = at("key-kind").value === "none";
    at("key").type = derives ? "text" : "password";
    let text;
    try {
      text = this.read().map(({ label }) => label).join(", ");
    } catch (error) {
      text = error.message;
    }
    at("asked").textContent = text;
  }

  /** Returns the key or context as parameters. Throws an Error if it is chosen but not given. */
  key() {
    return readKey(at("key-kind").value, at("key").value);
  }

  /**
   * Returns the settings, with a label and a tag for checksum lists. Throws an Error if they are
   * inconsistent.
   */
  read() {
    const names = [...at("algorithms").querySelectorAll("input:checked")].map(({ value }) => value);
    if (names.length === 0) {
      throw new Error("no algorithm is chosen");
    }
    const kind = at("key-kind").value;
    const params = { ...readLength(), ...this.key() };
    return names.map((algorithm) => {
      const info = this.#infos.get(algorithm);
      checkFits(info, params);
      const digestBytes = params.digestBytes ?? info.digestBytes;
      const tag = tagOf(info, digestBytes);
      return { algorithm, params, digestBytes, tag, label: `${tag}${SUFFIXES[kind] ?? ""}` };
    });
  }
}

/** Returns true if these parameters have a key or the context of one. */
export function hasKey({ key, deriveKeyContext }) {
  return key !== undefined || deriveKeyContext !== undefined;
}

function checkbox({ name, title }) {
  return element("label", { title },
    element("input", { type: "checkbox", value: name, checked: CHOSEN.includes(name) }), name);
}

function readLength() {
  const input = at("length");
  if (input.validity.badInput) {
    throw new Error("the digest's length is not a number");
  }
  return input.value === "" ? {} : { digestBytes: Number(input.value) };
}

/** Returns the key or context as bytes. Messages never contain its text. */
function readKey(kind, text) {
  if (kind === "none") {
    return {};
  }
  if (text === "") {
    throw new Error(kind === "derive" ? "the context is empty" : "the key is empty");
  }
  if (kind === "hex") {
    if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text)) {
      throw new Error("the key is not an even number of hexadecimal digits");
    }
    return { key: Uint8Array.from(text.match(/../g), (digits) => parseInt(digits, 16)) };
  }
  const bytes = new TextEncoder().encode(text);
  return kind === "derive" ? { deriveKeyContext: bytes } : { key: bytes };
}

function checkFits(info, { digestBytes = info.digestBytes, ...key }) {
  const most = Math.min(info.digestBytesMax, DIGEST_BYTES_MAX);
  if (!Number.isInteger(digestBytes) || digestBytes < info.digestBytesMin || digestBytes > most) {
    const range = info.digestBytesMin === most ? most : `${info.digestBytesMin} to ${most}`;
    throw new Error(`${info.title} has digests of ${range} bytes, not ${digestBytes}`);
  }
  checkKey(info, key);
}

/** Throws an Error if an algorithm does not take this key. */
export function checkKey(info, { key, deriveKeyContext }) {
  if (deriveKeyContext !== undefined && !info.deriveKey) {
    throw new Error(`${info.title} does not derive keys; BLAKE3 does`);
  }
  if (key === undefined) {
    return;
  }
  if (info.keyBytesMax === 0) {
    throw new Error(`${info.title} takes no key`);
  }
  if (key.length < info.keyBytesMin || key.length > info.keyBytesMax) {
    const range = info.keyBytesMin === info.keyBytesMax ? info.keyBytesMax
      : `1 to ${info.keyBytesMax}`;
    throw new Error(`${info.title} takes keys of ${range} bytes, not ${key.length}`);
  }
}
