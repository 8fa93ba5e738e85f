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
  } else if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes = source instanceof ArrayBuffer
      ? new Uint8Array(source)
      : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
      yield bytes.subarray(from, from + PIECE_BYTES);
    }
  } else if (source instanceof ReadableStream) {
    yield* read(source);
  } else if (typeof Response !== "undefined" && source instanceof Response) {
    if (source.body !== null) {
      yield* read(source.body);
    }
  } else {
    yield* source;
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

/**
 * Hashes a source with several algorithms in one pass. Memory does not grow with the source.
 * @param {import("./finalist.mjs").Finalist} finalist
 * @param {Source} source
 * @param {(import("./names.mjs").AlgorithmName | Asked)[]} algorithms
 * @param {Options} [options]
 * @returns {Promise<Digest[]>}
 */
export async function digest(finalist, source, algorithms, { onProgress, signal } = {}) {
  const asked = algorithms.map((each) => (typeof each === "string" ? { algorithm: each } : each));
  const messages = asked.map(({ algorithm, params }) => finalist.start(algorithm, params));
  let bytes = 0;
  try {
    for await (const piece of chunks(source)) {
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
  }
}

/**
 * Returns bytes as hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
