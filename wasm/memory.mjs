// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Access to finalist.wasm from JavaScript: its functions, its memory and its algorithms.
 */
import { asInteger, asName, asObject, copyInto } from "./arguments.mjs";
import { Scratch } from "./scratch.mjs";
import { FinalistError, Status } from "./status.mjs";

/** DataView's type names by the size of a word in bytes. */
const VIEWS = { 1: "Uint8", 4: "Uint32", 8: "BigUint64" };

/** A message is copied to the module's memory in parts of this many bytes. */
export const WINDOW_BYTES = 65536;

/** The private property in which the classes of the interface keep their Module. */
export const MODULE = Symbol("module");

const decoder = new TextDecoder();

/** The module's functions and its memory. */
export class Module {
  #memory;
  #view;
  #buffer;
  #scratch;
  #infos = new Map();

  constructor(exports) {
    this.exports = exports;
    this.#look();
    this.#scratch = new Scratch(this);
  }

  /* Growing replaces the buffer, and views of the old one become empty. */
  #look() {
    const { buffer } = this.exports.memory;
    this.#memory = new Uint8Array(buffer);
    this.#view = new DataView(buffer);
    this.#buffer = buffer;
  }

  /** Returns the current memory. */
  get memory() {
    if (this.#memory.length === 0) {
      this.#look();
    }
    return this.#memory;
  }

  get view() {
    if (this.#memory.length === 0) {
      this.#look();
    }
    return this.#view;
  }

  /** Returns a part of the memory, valid until it grows. */
  part(at, bytes) {
    if (this.#memory.length === 0) {
      this.#look();
    }
    return new Uint8Array(this.#buffer, at, bytes);
  }

  /** Copies bytes to a place of this length, or refuses them if they have become more. */
  put(at, length, data, what) {
    // A view of the place costs less than to ask a small array for its buffer, which is made then.
    copyInto(this.part(at, length), 0, data, what);
  }

  text(at) {
    const memory = this.memory;
    return decoder.decode(memory.slice(at, memory.indexOf(0, at)));
  }

  word(at) {
    return this.view.getUint32(at, true);
  }

  /**
   * Yields the words of consecutive typed arrays: array, index, address, and DataView's name. Their
   * numbers are those of the arrays in like: another thread may make a caller's array longer.
   */
  static *#words(at, arrays, like) {
    for (const [k, array] of arrays.entries()) {
      for (let i = 0; i < like[k].length; i++) {
        yield [array, i, at, VIEWS[array.BYTES_PER_ELEMENT]];
        at += array.BYTES_PER_ELEMENT;
      }
    }
  }

  setWords(at, arrays, like) {
    for (const [array, i, place, name] of Module.#words(at, arrays, like)) {
      this.view[`set${name}`](place, array[i], true);
    }
  }

  getWords(at, arrays, like) {
    for (const [array, i, place, name] of Module.#words(at, arrays, like)) {
      array[i] = this.view[`get${name}`](place, true);
    }
  }

  /** Returns views of one copy of `count` digests of `bytes` bytes. */
  pieces(at, count, bytes) {
    const { buffer } = this.memory.slice(at, at + bytes * count);
    const pieces = new Array(count);
    for (let i = 0; i < count; i++) {
      pieces[i] = new Uint8Array(buffer, bytes * i, bytes);
    }
    return pieces;
  }

  check(status) {
    if (status !== Status.OK) {
      throw new FinalistError(this.text(this.exports.fin_status_text(status)), status);
    }
  }

  /** Returns an integer as a BigInt; fails with the status if it is negative or has more bits. */
  whole(value, bits, status, what) {
    const number = asInteger(value, what);
    this.check(BigInt.asUintN(bits, number) === number ? Status.OK : status);
    return number;
  }

  /** Registers an algorithm. */
  add(info) {
    this.#infos.set(info.name, info);
  }

  /** Looks up an algorithm by name. Status.ALGORITHM if there is none. */
  info(name) {
    const info = this.#infos.get(name);
    if (info === undefined) {
      asName(name, "algorithm");
      this.check(Status.ALGORITHM);
    }
    return info;
  }

  /** Returns what use(scratch) returns; memory that it reserves is then overwritten and freed. */
  within(use) {
    return this.#scratch.within(use);
  }

  /**
   * Returns the digest's length, which must be known: Status.DIGEST_LENGTH for an invalid length.
   */
  digestBytes(info, params) {
    const { digestBytes: asked = 0 } = asObject(params, "parameters");
    if (asked === 0) {
      return info.digestBytes;
    }
    if (Number.isInteger(asked) && asked > 0 && asked <= info.digestBytesMax) {
      return asked;
    }
    const integer = asInteger(asked, "digestBytes");
    const possible = integer >= 0n && integer <= BigInt(info.digestBytesMax);
    this.check(possible ? Status.OK : Status.DIGEST_LENGTH);
    return Number(integer) || info.digestBytes;
  }

  /** Returns the digest that call(params, scratch, at, bytes) writes at `at`. */
  digest(info, params, call) {
    const bytes = this.digestBytes(info, params);
    return this.within((scratch) => {
      const at = scratch.reserve(bytes);
      this.check(call(scratch.params(params), scratch, at, bytes));
      return this.memory.slice(at, at + bytes);
    });
  }

  /**
   * Returns the digests of `bytes` bytes that call(params, scratch, at, bytes) writes from `at` on.
   */
  digests(info, params, count, call) {
    const bytes = this.digestBytes(info, params);
    return this.within((scratch) => {
      const at = scratch.reserve(bytes * count);
      this.check(call(scratch.params(params), scratch, at, bytes));
      return this.pieces(at, count, bytes);
    });
  }
}
