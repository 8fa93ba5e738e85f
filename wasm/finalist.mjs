// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * BLAKE, BLAKE2 and Grøstl in browsers and Node: the C library as finalist.wasm.
 *
 *   import { load } from "./finalist.mjs";
 *   const finalist = await load(bytesOrResponse);
 *   finalist.hash("blake2b", message, { digestBytes: 32, personal });
 *
 * Bytes are Uint8Array or whatever Buffer, DataView and ArrayBuffer can be seen as. Parameters are
 * digestBytes, key, salt, personal and, for BLAKE2b and BLAKE2s, tree ({ fanout, depth, leafBytes,
 * nodeOffset, nodeDepth, innerBytes, lastNode }), with the C header's meaning and limits. A call
 * that fails throws a FinalistError with the C library's sentence and status.
 *
 * Keys are copied into the module's memory and overwritten there after use; JavaScript's own copies
 * are the caller's. Nothing here runs in constant time but what happens within the module.
 */

/** digestBytes of BLAKE2X when the output length is not known in advance. */
export const XOF_UNKNOWN = 0xffffffffffffffffn;

export class FinalistError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "FinalistError";
    this.status = status;
  }
}

/** Source: the module's bytes, a Response with them, or a compiled WebAssembly.Module. */
export async function load(source) {
  let module = await source;
  if (!(module instanceof WebAssembly.Module)) {
    const isResponse = typeof Response !== "undefined" && module instanceof Response;
    module = await WebAssembly.compile(isResponse ? await module.arrayBuffer() : module);
  }
  const instance = await WebAssembly.instantiate(module, {});
  instance.exports._initialize();
  return new Finalist(instance.exports);
}

function asBytes(data, what) {
  if (data instanceof Uint8Array) {
    return data;
  }
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  }
  if (data instanceof ArrayBuffer) {
    return new Uint8Array(data);
  }
  throw new TypeError(`${what}: bytes are wanted, not ${typeof data}`);
}

/** Memory of the module for the length of one call; all is overwritten and freed after it. */
class Scratch {
  #finalist;
  #pieces = [];

  constructor(finalist) {
    this.#finalist = finalist;
  }

  room(bytes) {
    const at = this.#finalist.exports.malloc(Math.max(bytes, 1));
    if (at === 0) {
      throw new RangeError(`no memory for ${bytes} bytes`);
    }
    this.#pieces.push([at, bytes]);
    this.#finalist.memory.fill(0, at, at + bytes);
    return at;
  }

  copy(data) {
    const at = this.room(data.length);
    this.#finalist.memory.set(data, at);
    return at;
  }

  release() {
    for (const [at, bytes] of this.#pieces) {
      this.#finalist.memory.fill(0, at, at + bytes);
      this.#finalist.exports.free(at);
    }
  }
}

/** A message goes through the module's memory in pieces of so many bytes. */
const WINDOW_BYTES = 65536;

class Finalist {
  constructor(exports) {
    /** The C functions under their own names, malloc, free, and the module's memory. */
    this.exports = exports;
  }

  /** The module's memory now: growing replaces it. */
  get memory() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  get #view() {
    return new DataView(this.exports.memory.buffer);
  }

  #text(at) {
    const memory = this.memory;
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
  }

  #word(at) {
    return this.#view.getUint32(at, true);
  }

  /** Throws what a C function's status says. */
  check(status) {
    if (status !== 0) {
      throw new FinalistError(this.#text(this.exports.fin_status_text(status)), status);
    }
  }

  #within(use) {
    const scratch = new Scratch(this);
    try {
      return use(scratch);
    } finally {
      scratch.release();
    }
  }

  #describe(at) {
    return {
      algorithm: this.#word(at),
      name: this.#text(this.#word(at + 8)),
      title: this.#text(this.#word(at + 12)),
      compression: this.#text(this.#word(at + 16)),
      blockBytes: this.#word(at + 20),
      digestBytes: this.#word(at + 24),
      digestBytesMax: Number(this.#view.getBigUint64(at + 40, true)),
      keyBytesMax: this.#word(at + 48),
      saltBytes: this.#word(at + 52),
      personalBytes: this.#word(at + 56),
    };
  }

  /** The algorithms, in the C library's order. */
  algorithms() {
    const count = this.exports.fin_algorithm_count();
    return Array.from({ length: count }, (_, i) =>
      this.#describe(this.exports.fin_algorithm_at(i)));
  }

  /** An algorithm by its name. */
  algorithm(name) {
    return this.#within((scratch) => {
      const text = scratch.copy(new TextEncoder().encode(`${name}\0`));
      const at = scratch.room(4);
      this.check(this.exports.fin_algorithm_by_name(text, at));
      return this.#describe(this.exports.fin_algorithm_describe(this.#word(at)));
    });
  }

  /** The implementations of the module: compression function, name, technique, source, mode. */
  implementations() {
    return this.#within((scratch) => {
      const at = scratch.room(64);
      return Array.from({ length: this.exports.fin_impl_count() }, (_, i) => {
        this.check(this.exports.fin_impl_at(i, at));
        const [compression, name, technique, source, mode] =
          [0, 4, 8, 12, 20].map((offset) => this.#text(this.#word(at + offset)));
        return { compression, name, technique, source, mode };
      });
    });
  }

  /** Lets an implementation serve an algorithm from now on; null: the automatic choice. */
  select(algorithm, implementation) {
    this.#within((scratch) => {
      const name = implementation === null
        ? 0 : scratch.copy(new TextEncoder().encode(`${implementation}\0`));
      this.check(this.exports.fin_impl_select(this.algorithm(algorithm).algorithm, name));
    });
  }

  /** fin_params in the module's memory. */
  #params(scratch, params) {
    const at = scratch.room(40);
    const fields = [["key", 8], ["salt", 16], ["personal", 24]];
    for (const [field, offset] of fields) {
      if (params[field] !== undefined) {
        const data = asBytes(params[field], field);
        const copied = scratch.copy(data);
        this.#view.setUint32(at + offset, copied, true);
        this.#view.setUint32(at + offset + 4, data.length, true);
      }
    }
    this.#view.setBigUint64(at, BigInt(params.digestBytes ?? 0), true);
    if (params.tree !== undefined) {
      const tree = this.#tree(scratch, params.tree);
      this.#view.setUint32(at + 32, tree, true);
    }
    return at;
  }

  #tree(scratch, tree) {
    const at = scratch.room(24);
    const view = this.#view;
    view.setUint8(at, tree.fanout ?? 0);
    view.setUint8(at + 1, tree.depth ?? 0);
    view.setUint32(at + 4, tree.leafBytes ?? 0, true);
    view.setBigUint64(at + 8, BigInt(tree.nodeOffset ?? 0), true);
    view.setUint8(at + 16, tree.nodeDepth ?? 0);
    view.setUint8(at + 17, tree.innerBytes ?? 0);
    view.setUint8(at + 18, tree.lastNode ? 1 : 0);
    return at;
  }

  #digestBytes(info, params) {
    return params.digestBytes || info.digestBytes;
  }

  /** The digest of a message. Memory in use does not depend on the message's length. */
  hash(algorithm, message, params = {}) {
    return this.start(algorithm, params).update(message).digest();
  }

  /** The digest of the first bits bits, the first in the most significant bit. BLAKE, Grøstl. */
  hashBits(algorithm, message, bits, params = {}) {
    const info = this.algorithm(algorithm);
    const data = asBytes(message, "message");
    if (bits > 8 * data.length) {
      throw new RangeError(`${bits} bits of a message of ${data.length} bytes`);
    }
    return this.#within((scratch) => {
      const digestBytes = this.#digestBytes(info, params);
      const set = this.#params(scratch, params);
      const digest = scratch.room(digestBytes);
      this.check(this.exports.fin_hash_bits(info.algorithm, set, scratch.copy(data), BigInt(bits),
        digest, digestBytes));
      return this.memory.slice(digest, digest + digestBytes);
    });
  }

  /** The digests of many messages, several at a time in vectors. */
  hashMany(algorithm, messages, params = {}) {
    const info = this.algorithm(algorithm);
    return this.#within((scratch) => {
      const digestBytes = this.#digestBytes(info, params);
      const set = this.#params(scratch, params);
      const list = scratch.room(8 * messages.length);
      const digests = scratch.room(digestBytes * messages.length);
      messages.forEach((message, i) => {
        const data = asBytes(message, `message ${i}`);
        const copied = scratch.copy(data);
        this.#view.setUint32(list + 8 * i, copied, true);
        this.#view.setUint32(list + 8 * i + 4, data.length, true);
      });
      this.check(this.exports.fin_hash_many(info.algorithm, set, list, messages.length, digests,
        digestBytes));
      return messages.map((_, i) =>
        this.memory.slice(digests + digestBytes * i, digests + digestBytes * (i + 1)));
    });
  }

  /** A message piece by piece. */
  start(algorithm, params = {}) {
    const info = this.algorithm(algorithm);
    return this.#within((scratch) => {
      const context = scratch.room(this.exports.fin_context_bytes());
      this.check(this.exports.fin_init(context, info.algorithm, this.#params(scratch, params)));
      return new Message(this, this.#copyOut(context), this.#digestBytes(info, params));
    });
  }

  /** A message from its midstate, here or on any other machine; digestBytes is its digest's. */
  resume(midstate, digestBytes) {
    const data = asBytes(midstate, "midstate");
    return this.#within((scratch) => {
      const context = scratch.room(this.exports.fin_context_bytes());
      this.check(this.exports.fin_restore(context, scratch.copy(data), data.length));
      return new Message(this, this.#copyOut(context), digestBytes);
    });
  }

  #copyOut(context) {
    return this.memory.slice(context, context + this.exports.fin_context_bytes());
  }

  /** For Message: a call on its context, which lives in JavaScript between calls. */
  withContext(state, use) {
    return this.#within((scratch) => {
      const context = scratch.copy(state);
      try {
        return use(context, scratch);
      } finally {
        state.set(this.#copyOut(context));
      }
    });
  }

  setWord(at, word) {
    this.#view.setUint32(at, word, true);
  }

  getWord(at) {
    return this.#word(at);
  }
}

/** A message in progress. It may be dropped at any time: nothing of it stays in the module. */
class Message {
  #finalist;
  #state;
  #digestBytes;

  constructor(finalist, state, digestBytes) {
    this.#finalist = finalist;
    this.#state = state;
    this.#digestBytes = digestBytes;
  }

  /** Appends bytes; returns the message. */
  update(data) {
    const bytes = asBytes(data, "message");
    this.#finalist.withContext(this.#state, (context, scratch) => {
      const window = scratch.room(Math.min(bytes.length, WINDOW_BYTES));
      for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
        const piece = bytes.subarray(at, at + WINDOW_BYTES);
        this.#finalist.memory.set(piece, window);
        this.#finalist.check(this.#finalist.exports.fin_update(context, window, piece.length));
      }
    });
    return this;
  }

  /** Ends the message. bytes is for BLAKE2X with digestBytes XOF_UNKNOWN alone. */
  digest(bytes = this.#digestBytes) {
    return this.#finalist.withContext(this.#state, (context, scratch) => {
      const digest = scratch.room(bytes);
      this.#finalist.check(this.#finalist.exports.fin_final(context, digest, bytes));
      return this.#finalist.memory.slice(digest, digest + bytes);
    });
  }

  /** The message so far as bytes for resume. Guard that of a keyed message like the key. */
  midstate() {
    return this.#finalist.withContext(this.#state, (context, scratch) => {
      const most = 1536;
      const saved = scratch.room(most);
      const length = scratch.room(4);
      this.#finalist.setWord(length, most);
      this.#finalist.check(this.#finalist.exports.fin_save(context, saved, length));
      return this.#finalist.memory.slice(saved, saved + this.#finalist.getWord(length));
    });
  }

  /** Another message that goes on independently. */
  copy() {
    return new Message(this.#finalist, this.#state.slice(), this.#digestBytes);
  }
}
