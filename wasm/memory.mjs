// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * How JavaScript's values get into finalist.wasm and back: statuses, memory for the length of a
 * call, and C's structs, whose layouts module.c checks when the module is built.
 */
import { asBytes, asFields, asFlag, asInteger, asSize } from "./arguments.mjs";

/** A FinalistError's status: fin_status of the C header without FIN_ and ERR_. */
export const Status = Object.freeze({
  OK: 0,
  NULL: 1,
  ALGORITHM: 2,
  DIGEST_LENGTH: 3,
  KEY_LENGTH: 4,
  SALT_LENGTH: 5,
  PERSONAL_LENGTH: 6,
  TREE: 7,
  STATE: 8,
  KEY_WIPED: 9,
  OUTPUT_LENGTH: 10,
  MESSAGE_LENGTH: 11,
  BLOCK_LENGTH: 12,
  BITS: 13,
  MIDSTATE: 14,
  IMPL_UNKNOWN: 15,
  IMPL_UNSUPPORTED: 16,
  ENVIRONMENT: 17,
  INDEX: 18,
  PROOF: 19,
  COLUMN: 20,
});

export class FinalistError extends Error {
  constructor(message, status) {
    super(message);
    this.name = "FinalistError";
    this.status = status;
  }
}

/* Lengths and offsets of structs. */
const PARAMS_BYTES = 40;
const PARAMS_FIELDS = { key: 8, salt: 16, personal: 24 };
const PARAMS_TREE = 32;
const TREE_BYTES = 24;
/** Offset, and bits that a value may have. */
const TREE_FIELDS = {
  fanout: [0, 8],
  depth: [1, 8],
  leafBytes: [4, 32],
  nodeOffset: [8, 64],
  nodeDepth: [16, 8],
  innerBytes: [17, 8],
  lastNode: [18, 1],
};
const MESSAGE_BYTES = 8;
const NODE_BYTES = 24;
/** What a DataView calls words of so many bytes. */
const VIEWS = { 1: "Uint8", 4: "Uint32", 8: "BigUint64" };

/** A message goes through the module's memory in pieces of so many bytes. */
export const WINDOW_BYTES = 65536;

/** The longest piece of memory that a call can have. */
const BYTES_MAX = 2 ** 31 - 1;

/** The fields of fin_params. */
const PARAMS = { digestBytes: 0, ...PARAMS_FIELDS, tree: 0 };

/** The module's functions and its memory. */
export class Module {
  constructor(exports) {
    this.exports = exports;
  }

  /** The memory now: growing replaces it. */
  get memory() {
    return new Uint8Array(this.exports.memory.buffer);
  }

  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  text(at) {
    const memory = this.memory;
    return new TextDecoder().decode(memory.slice(at, memory.indexOf(0, at)));
  }

  word(at) {
    return this.view.getUint32(at, true);
  }

  /** The words of typed arrays one after the other: array, index, place, and DataView's name. */
  static *#words(at, arrays) {
    for (const array of arrays) {
      for (let i = 0; i < array.length; i++) {
        yield [array, i, at, VIEWS[array.BYTES_PER_ELEMENT]];
        at += array.BYTES_PER_ELEMENT;
      }
    }
  }

  setWords(at, ...arrays) {
    for (const [array, i, place, name] of Module.#words(at, arrays)) {
      this.view[`set${name}`](place, array[i], true);
    }
  }

  getWords(at, ...arrays) {
    for (const [array, i, place, name] of Module.#words(at, arrays)) {
      array[i] = this.view[`get${name}`](place, true);
    }
  }

  /** So many pieces of so many bytes, one after the other. */
  pieces(at, count, bytes) {
    return Array.from({ length: count }, (_, i) =>
      this.memory.slice(at + bytes * i, at + bytes * (i + 1)));
  }

  check(status) {
    if (status !== Status.OK) {
      throw new FinalistError(this.text(this.exports.fin_status_text(status)), status);
    }
  }

  /** An integer as a BigInt; fails with the status if it is negative or has more bits. */
  whole(value, bits, status, what) {
    const number = asInteger(value, what);
    this.check(BigInt.asUintN(bits, number) === number ? Status.OK : status);
    return number;
  }

  within(use) {
    const scratch = new Scratch(this);
    try {
      return use(scratch);
    } finally {
      scratch.release();
    }
  }
}

/** Memory of the module for the length of one call; all is overwritten and freed after it. */
class Scratch {
  #module;
  #pieces = [];

  constructor(module) {
    this.#module = module;
  }

  reserve(bytes) {
    // wasi-libc's malloc gives too little for the last sixteen sizes below 2^32.
    const size = asSize(bytes, BYTES_MAX, "bytes");
    const at = this.#module.exports.malloc(Math.max(size, 1)) >>> 0;
    if (at === 0) {
      throw new RangeError(`no memory for ${bytes} bytes`);
    }
    this.#pieces.push([at, bytes]);
    this.#module.memory.fill(0, at, at + bytes);
    return at;
  }

  copy(data) {
    const at = this.reserve(data.length);
    this.#module.memory.set(data, at);
    return at;
  }

  words(...arrays) {
    const at = this.reserve(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
    this.#module.setWords(at, ...arrays);
    return at;
  }

  text(string) {
    return this.copy(new TextEncoder().encode(`${string}\0`));
  }

  /** Bytes, and at a place of the memory their pointer and length. */
  span(place, data) {
    const copied = this.copy(data);
    this.#module.view.setUint32(place, copied, true);
    this.#module.view.setUint32(place + 4, data.length, true);
  }

  /** fin_params. */
  params(given) {
    const { digestBytes: asked = 0, ...params } = asFields(given, PARAMS, "parameters");
    const at = this.reserve(PARAMS_BYTES);
    for (const [field, offset] of Object.entries(PARAMS_FIELDS)) {
      if (params[field] !== undefined) {
        this.span(at + offset, asBytes(params[field], field));
      }
    }
    const digestBytes =
      this.#module.whole(asked, 64, Status.DIGEST_LENGTH, "digestBytes");
    this.#module.view.setBigUint64(at, digestBytes, true);
    if (params.tree !== undefined) {
      const tree = this.#tree(params.tree);
      this.#module.view.setUint32(at + PARAMS_TREE, tree, true);
    }
    return at;
  }

  #tree(given) {
    const { lastNode = false, ...tree } = asFields(given, TREE_FIELDS, "tree parameters");
    tree.lastNode = asFlag(lastNode, "lastNode") ? 1 : 0;
    const at = this.reserve(TREE_BYTES);
    const view = this.#module.view;
    for (const [field, [offset, bits]] of Object.entries(TREE_FIELDS)) {
      const { [field]: value = 0 } = tree;
      const number = this.#module.whole(value, bits, Status.TREE, field);
      if (bits === 64) {
        view.setBigUint64(at + offset, number, true);
      } else if (bits === 32) {
        view.setUint32(at + offset, Number(number), true);
      } else {
        view.setUint8(at + offset, Number(number));
      }
    }
    return at;
  }

  /** fin_message, one after the other. */
  messages(messages) {
    const at = this.reserve(MESSAGE_BYTES * messages.length);
    messages.forEach((message, i) =>
      this.span(at + MESSAGE_BYTES * i, asBytes(message, `message ${i}`)));
    return at;
  }

  /** fin_node, one after the other. */
  nodes(nodes) {
    const at = this.reserve(NODE_BYTES * nodes.length);
    nodes.forEach(({ message, nodeOffset = 0, lastNode = false }, i) => {
      const node = at + NODE_BYTES * i;
      this.span(node, asBytes(message, `node ${i}`));
      const offset = this.#module.whole(nodeOffset, 64, Status.TREE, "nodeOffset");
      this.#module.view.setBigUint64(node + 8, offset, true);
      this.#module.view.setUint8(node + 16, asFlag(lastNode, "lastNode") ? 1 : 0);
    });
    return at;
  }

  /** Hashes of so many bytes each; fails with the status if one has another length. */
  hashes(hashes, bytes, status) {
    const at = this.reserve(bytes * hashes.length);
    hashes.forEach((hash, i) => {
      const data = asBytes(hash, `hash ${i}`);
      this.#module.check(data.length === bytes ? Status.OK : status);
      this.#module.memory.set(data, at + bytes * i);
    });
    return at;
  }

  release() {
    for (const [at, bytes] of this.#pieces) {
      this.#module.memory.fill(0, at, at + bytes);
      this.#module.exports.free(at);
    }
  }
}

/** A C struct that lives in JavaScript between calls: nothing of it stays in the module. */
export class Struct {
  #module;
  #bytes;

  constructor(module, bytes) {
    this.#module = module;
    this.#bytes = bytes;
  }

  /** A struct of so many bytes that start(at, scratch) fills, which returns a status. */
  static start(module, bytes, start) {
    return module.within((scratch) => {
      const at = scratch.reserve(bytes);
      module.check(start(at, scratch));
      return new Struct(module, module.memory.slice(at, at + bytes));
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
    return new DataView(this.#bytes.buffer);
  }

  /**
   * Calls use(at, scratch) with the struct in the module's memory; returns what it returns. If that
   * fails, the struct here has not changed.
   */
  call(use) {
    return this.#module.within((scratch) => {
      const at = scratch.copy(this.#bytes);
      const result = use(at, scratch);
      this.#bytes.set(this.#module.memory.subarray(at, at + this.#bytes.length));
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
    this.call((at, scratch) => {
      const window = scratch.reserve(Math.min(bytes.length, WINDOW_BYTES));
      for (let from = 0; from < bytes.length; from += WINDOW_BYTES) {
        const piece = bytes.subarray(from, from + WINDOW_BYTES);
        this.#module.memory.set(piece, window);
        this.#module.check(update(at, window, piece.length));
      }
      // A message that has ended is to be told so also if nothing is appended.
      this.#module.check(bytes.length === 0 ? update(at, window, 0) : Status.OK);
    });
  }

  copy() {
    return new Struct(this.#module, this.#bytes.slice());
  }

  wipe() {
    this.#bytes.fill(0);
  }
}
