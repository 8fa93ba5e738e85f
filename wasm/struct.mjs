// SPDX-License-Identifier: MIT OR Apache-2.0
import { asBytes } from "./arguments.mjs";
import { WINDOW_BYTES } from "./memory.mjs";

/** Structs share buffers of this length: a buffer of its own takes longer than a short message. */
const POOL_BYTES = 1 << 14;
let pool = new ArrayBuffer(0);
let taken = 0;

/** A copy of bytes that are a multiple of 8. */
function keep(bytes) {
  if (taken + bytes.length > pool.byteLength) {
    pool = new ArrayBuffer(Math.max(POOL_BYTES, bytes.length));
    taken = 0;
  }
  const copy = new Uint8Array(pool, taken, bytes.length);
  copy.set(bytes);
  taken += bytes.length;
  return copy;
}

/** A C struct that lives in JavaScript between calls: nothing of it stays in the module. */
export class Struct {
  #module;
  #whole;
  #bytes;

  /** A copy of the first bytes of a struct that has this many as a whole. */
  constructor(module, whole, bytes) {
    this.#module = module;
    this.#whole = whole;
    this.#bytes = keep(bytes);
  }

  /**
   * A struct of so many bytes that start(at, scratch) fills, which returns a status.
   * @param {number} [used]   how many of them are more than padding
   */
  static start(module, whole, start, used = whole) {
    return module.within((scratch) => {
      const at = scratch.reserve(whole);
      module.check(start(at, scratch));
      return new Struct(module, whole, module.part(at, used));
    });
  }

  get module() {
    return this.#module;
  }

  get exports() {
    return this.#module.exports;
  }

  /** Read the fields that C's callers may read. */
  get view() {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }

  /** The word of 32 bits at a place, sooner than by the view. */
  word(at) {
    const bytes = this.#bytes;
    const low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
    return low + bytes[at + 3] * 2 ** 24;
  }

  /** Into the module's memory: where it is there. */
  #enter(scratch) {
    const at = scratch.reserve(this.#whole);
    this.#module.memory.set(this.#bytes, at);
    return at;
  }

  #leave(at) {
    this.#bytes.set(this.#module.part(at, this.#bytes.length));
  }

  /**
   * Calls use(at, scratch) with the struct in the module's memory; returns what it returns. If that
   * fails, the struct here has not changed.
   */
  call(use) {
    return this.#module.within((scratch) => {
      const at = this.#enter(scratch);
      const result = use(at, scratch);
      this.#leave(at);
      return result;
    });
  }

  /** A call that returns a status. */
  run(use) {
    this.call((at, scratch) => this.#module.check(use(at, scratch)));
  }

  /** A call that writes so many bytes and returns a status: the bytes. */
  read(bytes, use) {
    return this.call((at, scratch) => {
      const out = scratch.reserve(bytes);
      this.#module.check(use(at, out, scratch));
      return this.#module.memory.slice(out, out + bytes);
    });
  }

  /** Message bytes through a window, so that memory in use does not depend on how many they are. */
  feed(data, update) {
    const bytes = asBytes(data, "message");
    const { length } = bytes;
    this.#module.within((scratch) => {
      const at = this.#enter(scratch);
      const window = scratch.reserve(Math.min(length, WINDOW_BYTES));
      let from = 0;
      // Once also if nothing is appended: a message that has ended is to be told so.
      do {
        const piece = length <= WINDOW_BYTES ? bytes : bytes.subarray(from, from + WINDOW_BYTES);
        this.#module.memory.set(piece, window);
        this.#module.check(update(at, window, piece.length));
        from += WINDOW_BYTES;
      } while (from < length);
      this.#leave(at);
    });
  }

  copy() {
    return new Struct(this.#module, this.#whole, this.#bytes);
  }

  wipe() {
    this.#bytes.fill(0);
  }
}
