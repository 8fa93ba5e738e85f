// SPDX-License-Identifier: MIT OR Apache-2.0
import { asBytes } from "./arguments.mjs";
import { WINDOW_BYTES } from "./memory.mjs";

/** Structs share buffers of this length, since allocating one takes longer than a short message. */
const POOL_BYTES = 1 << 14;
let pool = new ArrayBuffer(0);
let taken = 0;

/** Returns a copy of bytes whose number is a multiple of 8. */
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

/** A C struct that is kept in JavaScript between calls; the module keeps nothing of it. */
export class Struct {
  #module;
  #whole;
  #bytes;

  /** Copies the used bytes of a struct of `whole` bytes. */
  constructor(module, whole, bytes) {
    this.#module = module;
    this.#whole = whole;
    this.#bytes = keep(bytes);
  }

  /**
   * Makes a struct of `whole` bytes, filled by start(at, scratch), which returns a status.
   * @param {number} [used]   the number of bytes that are not padding
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

  /** Returns a view for fields that C's callers may read. */
  get view() {
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset);
  }

  /** Returns the 32-bit word at an offset, faster than through the view. */
  word(at) {
    const bytes = this.#bytes;
    const low = bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16);
    return low + bytes[at + 3] * 2 ** 24;
  }

  /** Copies the struct to the module's memory; returns its address. */
  #enter(scratch) {
    const at = scratch.reserve(this.#whole);
    this.#module.memory.set(this.#bytes, at);
    return at;
  }

  #leave(at) {
    this.#bytes.set(this.#module.part(at, this.#bytes.length));
  }

  /**
   * Calls use(at, scratch) with the struct in the module's memory; returns its result. If it fails,
   * the struct here is unchanged.
   */
  call(use) {
    return this.#module.within((scratch) => {
      const at = this.#enter(scratch);
      const result = use(at, scratch);
      this.#leave(at);
      return result;
    });
  }

  /** Makes a call that returns a status. */
  run(use) {
    this.call((at, scratch) => this.#module.check(use(at, scratch)));
  }

  /** Makes a call that writes bytes and returns a status; returns these bytes. */
  read(bytes, use) {
    return this.call((at, scratch) => {
      const out = scratch.reserve(bytes);
      this.#module.check(use(at, out, scratch));
      return this.#module.memory.slice(out, out + bytes);
    });
  }

  /**
   * Passes message bytes through a window, so that memory in use does not depend on their number.
   */
  feed(data, update) {
    const bytes = asBytes(data, "message");
    const { length } = bytes;
    this.#module.within((scratch) => {
      const at = this.#enter(scratch);
      const window = scratch.reserve(Math.min(length, WINDOW_BYTES));
      let from = 0;
      // Call update once even for no bytes, so that an ended message reports its status.
      do {
        const rest = Math.min(length - from, WINDOW_BYTES);
        const piece = length <= WINDOW_BYTES ? bytes : bytes.subarray(from, from + rest);
        this.#module.put(window, rest, piece, "message");
        this.#module.check(update(at, window, rest));
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
