// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Checks callers' arguments without converting them. A value of a wrong type, and a number that is
 * not an integer, is a TypeError; an integer out of range is a RangeError, or the C library's
 * status if it has one.
 */

function refuse(what, wanted, value) {
  const name = value === null ? "null" : typeof value === "number" ? `${value}` : typeof value;
  throw new TypeError(`${what}: ${wanted} is wanted, not ${name}`);
}

/** Returns an integer as a BigInt, from an exact number or a BigInt. */
export function asInteger(value, what) {
  if (typeof value === "bigint") {
    return value;
  }
  if (!Number.isInteger(value)) {
    refuse(what, "an integer", value);
  }
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(`${what}: beyond 2^53 a BigInt is wanted`);
  }
  return BigInt(value);
}

/** Checks an integer from 0 to most; returns a number. */
export function asSize(value, most, what) {
  if (Number.isInteger(value) && value >= 0 && value <= most) {
    return value;
  }
  const integer = asInteger(value, what);
  if (integer < 0n || integer > BigInt(most)) {
    throw new RangeError(`${what}: ${integer} is not from 0 to ${most}`);
  }
  return Number(integer);
}

export function asFlag(value, what) {
  if (typeof value !== "boolean") {
    refuse(what, "true or false", value);
  }
  return value;
}

export function asName(value, what) {
  if (typeof value !== "string") {
    refuse(what, "a name", value);
  }
  return value;
}

/** Copies a list, so that no element can be missing or change during the call. */
export function asList(value, what) {
  if (!Array.isArray(value)) {
    refuse(what, "an array", value);
  }
  return [...value];
}

/** The language's own accessors: a caller's class or field may hide them. */
const ARRAY = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(Uint8Array.prototype));
const VIEW = Object.getOwnPropertyDescriptors(DataView.prototype);
const { get: bufferBytes } = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength");
const { get: lengthOf } = ARRAY.length;
const { get: typeOf } = ARRAY[Symbol.toStringTag];
const UINT8 = Uint8Array.prototype;
const NODE_BUFFER = globalThis.Buffer?.prototype;

/** Returns true for bytes that need no view of their own. */
function isPlain(data) {
  if (!ArrayBuffer.isView(data)) {
    return false;
  }
  const prototype = Object.getPrototypeOf(data);
  return (prototype === UINT8 || prototype === NODE_BUFFER)
    && data.length === lengthOf.call(data);
}

/**
 * Returns the bytes of a buffer or view. Fails if they no longer exist, though it looks empty.
 * plain: what isPlain says.
 */
function existing(data, plain) {
  if (!ArrayBuffer.isView(data)) {
    return new Uint8Array(data, 0, bufferBytes.call(data));
  }
  const isArray = typeOf.call(data) !== undefined;
  if (isArray) {
    // Fails if the bytes no longer exist; so does byteLength of a DataView.
    ARRAY.keys.value.call(data);
  }
  if (plain) {
    return data;
  }
  const { buffer, byteOffset, byteLength } = isArray ? ARRAY : VIEW;
  return new Uint8Array(buffer.get.call(data), byteOffset.get.call(data),
    byteLength.get.call(data));
}

/** Names the argument: `what`, with the index if there are several. */
export function asBytes(data, what, index = undefined) {
  const plain = isPlain(data);
  if (plain && data.length !== 0) {
    return data;
  }
  const argument = index === undefined ? what : `${what} ${index}`;
  if (!isBuffer(data)) {
    refuse(argument, "bytes", data);
  }
  try {
    return existing(data, plain);
  } catch {
    throw new TypeError(`${argument}: its buffer was transferred or shrunk`);
  }
}

const CHANGED = "its buffer was transferred or resized during the call";

/** Refuses bytes whose number has changed since it was read. */
export function asBefore(data, length, what) {
  if (data.length !== length) {
    throw new TypeError(`${what}: ${CHANGED}`);
  }
  return data;
}

/** Copies bytes to `to`. Another thread may make those of a SharedArrayBuffer too many for it. */
export function copyInto(to, at, data, what) {
  try {
    to.set(data, at);
  } catch {
    throw new TypeError(`${what}: ${CHANGED}`);
  }
}

/** Returns true for what asBytes takes, also if its bytes no longer exist. */
export function isBuffer(data) {
  return ArrayBuffer.isView(data) || data instanceof ArrayBuffer;
}

/** Checks for words of the same type and number as `like`. */
export function asWords(words, like, what) {
  const isArray = words instanceof like.constructor && ArrayBuffer.isView(words);
  if (!isArray || lengthOf.call(words) !== like.length) {
    throw new TypeError(`${what}: a ${like.constructor.name} of ${like.length} is wanted`);
  }
  return words;
}

/** Refuses all but plain objects: entries of a Map and inherited fields would be ignored. */
export function asObject(object, what) {
  const above = typeof object === "object" && object !== null
    ? Object.getPrototypeOf(object) : undefined;
  // A plain object's prototype, of any realm, has no prototype itself.
  if (above !== null && (above === undefined || Object.getPrototypeOf(above) !== null)) {
    refuse(what, "an object with fields of its own", object);
  }
  return object;
}

/** Copies an object; refuses fields other than these. */
export function asFields(object, fields, what) {
  const copy = { ...asObject(object, what) };
  for (const name of Object.keys(copy)) {
    if (!Object.hasOwn(fields, name)) {
      throw new TypeError(`${what} have no '${name}', only ${Object.keys(fields).join(", ")}`);
    }
  }
  return copy;
}
