// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Hashes data that arrives in parts: files, streams, responses, iterables.
 *
 * @typedef {Blob | ReadableStream | Response | ArrayBuffer | ArrayBufferView
 *   | Iterable<import("./finalist.mjs").Bytes> | AsyncIterable<import("./finalist.mjs").Bytes>} Source
 *
 * @typedef {object} Asked
 * @property {import("./names.mjs").AlgorithmName} algorithm
 * @property {import("./finalist.mjs").Params} [params]
 *
 * @typedef {object} Digest
 * @property {import("./names.mjs").AlgorithmName} algorithm
 * @property {Uint8Array} bytes
 * @property {string} hex
 *
 * @typedef {object} Options
 * @property {(bytes: number) => void} [onProgress]   bytes hashed so far
 * @property {AbortSignal} [signal]
 */

import { asBefore, asBytes, asFields, asList, isBuffer } from "./arguments.mjs";
import { asParams } from "./scratch.mjs";

/** The fields of Asked and of Options. */
const ASKED = { algorithm: 0, params: 0 };
const OPTIONS = { onProgress: 0, signal: 0 };

/** Bytes of a file in memory at a time. */
const PIECE_BYTES = 1 << 18;

/**
 * Yields the bytes of a source in parts. Parts of a file or buffer have at most 256 KiB.
 * @param {Source} source
 * @returns {AsyncGenerator<import("./finalist.mjs").Bytes>}
 */
export async function* chunks(source) {
  if (source instanceof Blob) {
    for (let from = 0; from < source.size; from += PIECE_BYTES) {
      yield await source.slice(from, from + PIECE_BYTES).arrayBuffer();
    }
  } else if (isBuffer(source)) {
    const bytes = asBytes(source, "source");
    const { length } = bytes;
    for (let from = 0; from < length; from += PIECE_BYTES) {
      yield asBefore(bytes, length, "source").subarray(from, from + PIECE_BYTES);
    }
  } else if (source instanceof ReadableStream) {
    yield* read(source);
  } else if (typeof Response !== "undefined" && source instanceof Response) {
    if (source.bodyUsed) {
      throw new TypeError("source: the body of the response was read before");
    }
    if (source.body !== null) {
      yield* read(source.body);
    }
  } else if (typeof source === "object"
    && (source?.[Symbol.asyncIterator] ?? source?.[Symbol.iterator])) {
    yield* source;
  } else {
    throw new TypeError(
      "source: a Blob, ReadableStream, Response, buffer or iterable of bytes is wanted");
  }
}

/** Yields the parts of a stream, which not every browser can iterate over. */
async function* read(stream) {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      yield value;
    }
  } finally {
    // Cancel the stream if the consumer stops early.
    await reader.cancel().catch(() => {});
  }
}

/** Copies what is asked, and checks it all but for names and numbers. */
export function asAsked(algorithms) {
  return asList(algorithms, "algorithms").map((each) => {
    const { algorithm, params } =
      typeof each === "string" ? { algorithm: each } : asFields(each, ASKED, "algorithms");
    return { algorithm, params: params === undefined ? params : asParams(params) };
  });
}

export function asOptions(options) {
  return asFields(options, OPTIONS, "options");
}

/**
 * Hashes a source with several algorithms in one pass. Memory does not grow with the source, but
 * bytes are copied first, so that the caller may change them.
 * @param {import("./finalist.mjs").Finalist} finalist
 * @param {Source} source
 * @param {(import("./names.mjs").AlgorithmName | Asked)[]} algorithms
 * @param {Options} [options]
 * @returns {Promise<Digest[]>}
 */
export async function digest(finalist, source, algorithms, options = {}) {
  const { onProgress, signal } = asOptions(options);
  const asked = asAsked(algorithms);
  const copy = isBuffer(source) ? new Uint8Array(asBytes(source, "source")) : undefined;
  const messages = asked.map(({ algorithm, params }) => finalist.start(algorithm, params));
  let bytes = 0;
  try {
    for await (const piece of chunks(copy ?? source)) {
      signal?.throwIfAborted();
      for (const message of messages) {
        message.update(piece);
      }
      bytes += piece.byteLength;
      onProgress?.(bytes);
    }
    signal?.throwIfAborted();
    return messages.map((message, i) => {
      const result = message.digest();
      return { algorithm: asked[i].algorithm, bytes: result, hex: hexOf(result) };
    });
  } finally {
    messages.forEach((message) => message.wipe());
    copy?.fill(0);
  }
}

/**
 * Returns bytes as hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function hexOf(bytes) {
  return Array.from(asBytes(bytes, "bytes"), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
