// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Memory of the module for the duration of a call, and C structs in it, whose layouts module.c
 * checks when the module is built.
 */
import { asBefore, asBytes, asFields, asFlag, asSize, copyInto } from "./arguments.mjs";
import { Status } from "./status.mjs";

/* Lengths and offsets of structs. */
const PARAMS_BYTES = 48;
const PARAMS_FIELDS = { key: 8, salt: 16, personal: 24, deriveKeyContext: 36 };
const PARAMS_TREE_MODE = 32;
const TREE_MODE_BYTES = 24;
/** Offset, and number of bits of a value. */
const TREE_MODE_FIELDS = {
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
/** The fields of fin_params. */
const PARAMS = { digestBytes: 0, ...PARAMS_FIELDS, treeMode: 0 };

const NODE = { message: 0, nodeOffset: 0, lastNode: 0 };

/** No parameters: null in C. */
export const NO_PARAMS = Object.freeze({});

/** Copies parameters, and checks them all but for their numbers. */
export function asParams(given) {
  const params = asFields(given, PARAMS, "parameters");
  if (params.treeMode !== undefined) {
    params.treeMode = asFields(params.treeMode, TREE_MODE_FIELDS, "tree mode parameters");
  }
  // Last, since a getter may change a buffer.
  for (const field of Object.keys(PARAMS_FIELDS)) {
    if (params[field] !== undefined) {
      params[field] = asBytes(params[field], field);
    }
  }
  return params;
}

/** The largest allocation of a call. */
const BYTES_MAX = 2 ** 31 - 1;

/** Reserved once, so that most calls need no malloc and free. */
const ARENA_BYTES = 1 << 18;

const encoder = new TextEncoder();

/**
 * A stack of allocations. They are in the arena, whose free part is zero, while there is space;
 * others come from malloc.
 */
export class Scratch {
  #module;
  #top;
  #end;
  #allocated = [];

  constructor(module) {
    this.#module = module;
    this.#top = module.exports.malloc(ARENA_BYTES) >>> 0;
    this.#end = this.#top + ARENA_BYTES;
    module.memory.fill(0, this.#top, this.#end);
  }

  /** Returns what use(this) returns. Calls may be nested: a parameter's getter may hash. */
  within(use) {
    const top = this.#top;
    const count = this.#allocated.length;
    try {
      return use(this);
    } finally {
      this.#module.memory.fill(0, top, this.#top);
      this.#top = top;
      if (this.#allocated.length !== count) {
        this.#free(count);
      }
    }
  }

  #free(count) {
    for (const { at, bytes } of this.#allocated.splice(count)) {
      this.#module.memory.fill(0, at, at + bytes);
      this.#module.exports.free(at);
    }
  }

  /** Returns the address of `bytes` zeros. */
  reserve(bytes) {
    const size = asSize(bytes, BYTES_MAX, "bytes");
    if (size > this.#end - this.#top) {
      return this.#allocate(size);
    }
    const at = this.#top;
    // Keep the next allocation aligned for any word.
    this.#top = Math.min(at + ((size + 15) & ~15), this.#end);
    return at;
  }

  #allocate(bytes) {
    // wasi-libc's malloc returns too little memory for the last sixteen sizes below 2^32.
    const at = this.#module.exports.malloc(bytes) >>> 0;
    if (at === 0) {
      throw new RangeError(`no memory for ${bytes} bytes`);
    }
    this.#allocated.push({ at, bytes });
    this.#module.memory.fill(0, at, at + bytes);
    return at;
  }

  /**
   * Copies bytes. Their number must still be `length`: a parameter's getter may change a buffer,
   * and that of the module's memory is another one once the memory has grown.
   */
  copy(data, what = "bytes", length = data.length) {
    const at = this.reserve(length);
    if (asBefore(data, length, what).length !== 0) {
      this.#module.put(at, length, data, what);
    }
    return at;
  }

  /** Stores the words of typed arrays, one array after the other. like: arrays of their lengths. */
  words(arrays, like) {
    const at = this.reserve(like.reduce((sum, { byteLength }) => sum + byteLength, 0));
    this.#module.setWords(at, arrays, like);
    return at;
  }

  text(string) {
    return this.copy(encoder.encode(`${string}\0`));
  }

  /** Copies bytes into the module, and stores their pointer and length at `place`. */
  #span(place, data, what) {
    const { length } = data;
    const copied = this.copy(data, what, length);
    const { view } = this.#module;
    view.setUint32(place, copied, true);
    view.setUint32(place + 4, length, true);
  }

  /** Stores fin_params; returns its address, or null. */
  params(given) {
    if (given === NO_PARAMS) {
      return 0;
    }
    const { digestBytes: asked = 0, treeMode, ...fields } = asParams(given);
    const at = this.reserve(PARAMS_BYTES);
    for (const field of Object.keys(fields)) {
      if (fields[field] !== undefined) {
        // Again: the memory may have grown for another field.
        this.#span(at + PARAMS_FIELDS[field], asBytes(fields[field], field), field);
      }
    }
    if (asked !== 0) {
      const digestBytes = this.#module.whole(asked, 64, Status.DIGEST_LENGTH, "digestBytes");
      this.#module.view.setBigUint64(at, digestBytes, true);
    }
    if (treeMode !== undefined) {
      const node = this.#treeMode(treeMode);
      this.#module.view.setUint32(at + PARAMS_TREE_MODE, node, true);
    }
    return at;
  }

  #treeMode({ lastNode = false, ...treeMode }) {
    treeMode.lastNode = asFlag(lastNode, "lastNode") ? 1 : 0;
    const at = this.reserve(TREE_MODE_BYTES);
    const view = this.#module.view;
    for (const [field, [offset, bits]] of Object.entries(TREE_MODE_FIELDS)) {
      const { [field]: value = 0 } = treeMode;
      const number = this.#module.whole(value, bits, Status.TREE_MODE, field);
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

  /** Stores an array of fin_message, and then the messages. */
  messages(messages) {
    const datas = new Array(messages.length);
    const lengths = new Array(messages.length);
    let total = 0;
    for (let i = 0; i < datas.length; i++) {
      datas[i] = asBytes(messages[i], "message", i);
      lengths[i] = datas[i].length;
      total += lengths[i];
    }
    const at = this.reserve(MESSAGE_BYTES * datas.length);
    const first = this.reserve(total);
    const copies = this.#module.part(first, total);
    const { view } = this.#module;
    for (let i = 0, place = at, taken = 0; i < datas.length; i++, place += MESSAGE_BYTES) {
      const length = lengths[i];
      copyInto(copies, taken, asBefore(datas[i], length, "messages"), "messages");
      view.setUint32(place, first + taken, true);
      view.setUint32(place + 4, length, true);
      taken += length;
    }
    return at;
  }

  /** Stores an array of fin_node. */
  nodes(nodes) {
    const at = this.reserve(NODE_BYTES * nodes.length);
    nodes.forEach((given, i) => {
      const { message, nodeOffset = 0, lastNode = false } = asFields(given, NODE, "nodes");
      const node = at + NODE_BYTES * i;
      this.#span(node, asBytes(message, "node", i), `node ${i}`);
      const offset = this.#module.whole(nodeOffset, 64, Status.TREE_MODE, "nodeOffset");
      this.#module.view.setBigUint64(node + 8, offset, true);
      this.#module.view.setUint8(node + 16, asFlag(lastNode, "lastNode") ? 1 : 0);
    });
    return at;
  }

  /** Stores hashes of `bytes` bytes each; fails with the status if one has another length. */
  hashes(hashes, bytes, status, what = "hash") {
    const at = this.reserve(bytes * hashes.length);
    const copies = this.#module.part(at, bytes * hashes.length);
    hashes.forEach((hash, i) => {
      const data = asBytes(hash, what, hashes.length > 1 ? i : undefined);
      this.#module.check(data.length === bytes ? Status.OK : status);
      copyInto(copies, bytes * i, data, what);
    });
    return at;
  }
}
