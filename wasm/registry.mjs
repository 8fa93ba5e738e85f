// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * The module's algorithms and implementations, and the selected ones.
 *
 * @typedef {object} AlgorithmInfo   fin_algorithm_info; lengths are in bytes
 * @property {number} algorithm      the number in midstates
 * @property {string} family
 * @property {import("./names.mjs").AlgorithmName} name
 * @property {string} title
 * @property {string} compression
 * @property {number} blockBytes
 * @property {number} digestBytes    the default length
 * @property {number} digestBytesMin
 * @property {number} digestBytesMax
 * @property {number} keyBytesMin
 * @property {number} keyBytesMax    0: no key
 * @property {number} saltBytes
 * @property {number} personalBytes
 * @property {boolean} bits          takes messages of any number of bits
 * @property {boolean} deriveKey     takes a context for deriving keys
 */
import { asName } from "./arguments.mjs";
import { MODULE } from "./memory.mjs";
import { Status } from "./status.mjs";

const IMPL_BYTES = 40;
const FAMILIES = ["blake", "blake2", "groestl", "blake3"];

export class Registry {
  #module;

  constructor(module) {
    this.#module = module;
    this.algorithms().forEach((info) => module.add(info));
  }

  get [MODULE]() {
    return this.#module;
  }

  /** Returns the C functions by name, malloc, free, and the module's memory. */
  get exports() {
    return this[MODULE].exports;
  }

  /** Returns the library's version, "MAJOR.MINOR.PATCH". */
  get version() {
    return this[MODULE].text(this.exports.fin_version());
  }

  #describe(at) {
    const { view } = this[MODULE];
    const [name, title, compression] =
      [8, 12, 16].map((offset) => this[MODULE].text(this[MODULE].word(at + offset)));
    return {
      algorithm: view.getUint32(at, true),
      family: FAMILIES[view.getUint32(at + 4, true)],
      name,
      title,
      compression,
      blockBytes: view.getUint32(at + 20, true),
      digestBytes: view.getUint32(at + 24, true),
      digestBytesMin: Number(view.getBigUint64(at + 32, true)),
      digestBytesMax: Number(view.getBigUint64(at + 40, true)),
      keyBytesMax: view.getUint32(at + 48, true),
      saltBytes: view.getUint32(at + 52, true),
      personalBytes: view.getUint32(at + 56, true),
      bits: view.getUint8(at + 60) !== 0,
      deriveKey: view.getUint8(at + 61) !== 0,
      keyBytesMin: view.getUint32(at + 64, true),
    };
  }

  /**
   * Returns the algorithms in the C library's order.
   * @returns {AlgorithmInfo[]}
   */
  algorithms() {
    return Array.from({ length: this.exports.fin_algorithm_count() }, (_, i) =>
      this.#describe(this.exports.fin_algorithm_at(i)));
  }

  /**
   * Returns an algorithm by its name, case-sensitive. Status.ALGORITHM if there is none.
   * @param {import("./names.mjs").AlgorithmName} name
   * @returns {AlgorithmInfo}
   */
  algorithm(name) {
    return { ...this[MODULE].info(name) };
  }

  /** Returns the implementations of the module, and which are selected: fin_impl_info. */
  implementations() {
    return this[MODULE].within((scratch) => {
      const at = scratch.reserve(IMPL_BYTES);
      return Array.from({ length: this.exports.fin_impl_count() }, (_, i) => {
        this[MODULE].check(this.exports.fin_impl_at(i, at));
        const { view } = this[MODULE];
        const [compression, name, technique, source, features, mode] =
          [0, 4, 8, 12, 16, 20].map((offset) => this[MODULE].text(this[MODULE].word(at + offset)));
        const [lanes, blockBytes, boundCycles] =
          [24, 28, 32].map((offset) => view.getUint32(at + offset, true));
        const [constantTime, supported, selected] =
          [36, 37, 38].map((offset) => view.getUint8(at + offset) !== 0);
        return {
          compression, name, technique, source, features, mode, lanes, blockBytes, boundCycles,
          constantTime, supported, selected,
        };
      });
    });
  }

  /** Returns a name that C can read: NUL would end it early. */
  #implementation(name) {
    this[MODULE].check(asName(name, "implementation").includes("\0") ? Status.IMPL_UNKNOWN
      : Status.OK);
    return name;
  }

  /**
   * Selects an implementation for an algorithm and all that share its compression function.
   * Status.IMPL_UNKNOWN if there is none of that name.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   * @param {string | null} implementation   null restores the automatic choice
   */
  select(algorithm, implementation) {
    const info = this[MODULE].info(algorithm);
    this[MODULE].within((scratch) => {
      const name = implementation === null ? 0 : scratch.text(this.#implementation(implementation));
      this[MODULE].check(this.exports.fin_impl_select(info.algorithm, name));
    });
  }

  /**
   * Returns the name of the implementation selected for an algorithm.
   * @param {import("./names.mjs").AlgorithmName} algorithm
   */
  selected(algorithm) {
    return this[MODULE].text(this.exports.fin_impl_selected(this[MODULE].info(algorithm).algorithm));
  }

  /** Returns the class of cores whose preferences the automatic choice follows. */
  coreClass() {
    return this[MODULE].text(this.exports.fin_core_class());
  }

  /** Returns the names of the features that the module was built for: simd128 or none. */
  cpuFeatures() {
    return this[MODULE].within((scratch) => {
      const bytes = this.exports.fin_cpu_features(0, 0) + 1;
      const at = scratch.reserve(bytes);
      this.exports.fin_cpu_features(at, bytes);
      return this[MODULE].text(at).split(",").filter((name) => name !== "");
    });
  }
}
