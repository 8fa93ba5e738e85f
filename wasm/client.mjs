// SPDX-License-Identifier: MIT OR Apache-2.0
/** The page's side of worker.mjs. */
import { asBytes, asList, asName, asSize, isBuffer } from "./arguments.mjs";
import { FinalistError } from "./status.mjs";
import { asAsked, asOptions } from "./stream.mjs";

const KINDS = new Map([TypeError, RangeError].map((Kind) => [Kind.name, Kind]));

/** Returns an error of the worker with its class, which messages lose. */
function errorOf({ name, message, status }) {
  if (status !== undefined) {
    return new FinalistError(message, status);
  }
  const Kind = KINDS.get(name);
  return Kind === undefined ? Object.assign(new Error(message), { name }) : new Kind(message);
}

/** Hashes in a Web Worker. */
export class HashWorker {
  #worker;
  #requests = new Map();
  #next = 0;
  #failed;

  /**
   * @param {Worker} worker   one that runs dist/worker.mjs, a script without imports
   */
  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => this.#answered(data));
    worker.addEventListener("error", (event) => this.#fail(event.message || "the worker failed"));
  }

  /**
   * Starts a worker with the package's module.
   * @param {Promise<BufferSource>} module   result of moduleBytes
   */
  static async start(module) {
    // Bundlers recognise a worker by exactly this expression. The file that it names has no
    // imports, so a worker also runs where a bundler only copies the file.
    const worker = new Worker(new URL("./dist/worker.mjs", import.meta.url), { type: "module" });
    const client = new HashWorker(worker);
    await client.load(await module);
    return client;
  }

  #answered({ id, progress, result, error }) {
    const request = this.#requests.get(id);
    if (request === undefined) {
      return;
    }
    if (progress !== undefined) {
      request.onProgress?.(progress);
      return;
    }
    if (error === undefined) {
      request.resolve(result);
    } else {
      request.reject(errorOf(error));
    }
  }

  #fail(message) {
    this.#failed = message;
    for (const { reject } of this.#requests.values()) {
      reject(new Error(message));
    }
  }

  async #ask(request, { onProgress = undefined, signal = undefined, transfer = [] } = {}) {
    signal?.throwIfAborted();
    if (this.#failed !== undefined) {
      throw new Error(this.#failed);
    }
    const id = this.#next++;
    const cancel = () => this.#worker.postMessage({ id, kind: "cancel" });
    signal?.addEventListener("abort", cancel);
    try {
      return await new Promise((resolve, reject) => {
        this.#requests.set(id, { resolve, reject, onProgress });
        this.#worker.postMessage({ id, ...request }, transfer);
      });
    } finally {
      // A signal may outlive many requests.
      signal?.removeEventListener("abort", cancel);
      this.#requests.delete(id);
    }
  }

  /**
   * Sends the worker its module: bytes, or bytes in base64. Resolves to its version and algorithms.
   * @param {BufferSource | WebAssembly.Module | string} module
   */
  load(module) {
    return this.#ask({ kind: "load", module });
  }

  /**
   * Does the same as digest in stream.mjs. A ReadableStream is transferred to the worker.
   * @param {Blob | ReadableStream | ArrayBuffer | ArrayBufferView} source
   * @param {(import("./names.mjs").AlgorithmName | import("./stream.mjs").Asked)[]} algorithms
   * @param {import("./stream.mjs").Options} [options]
   * @returns {Promise<import("./stream.mjs").Digest[]>}
   */
  async digest(source, algorithms, options = {}) {
    // Before they are sent: the message to the worker has no inherited fields.
    const { onProgress, signal } = asOptions(options);
    const asked = asAsked(algorithms);
    if (isBuffer(source)) {
      asBytes(source, "source");
    }
    const transfer = source instanceof ReadableStream ? [source] : [];
    return this.#ask({ kind: "digest", source, algorithms: asked },
      { onProgress, signal, transfer });
  }

  /**
   * Measures bytes per second for each algorithm, with one message and with sixteen at once.
   * @param {import("./names.mjs").AlgorithmName[]} algorithms
   * @param {number} milliseconds   for each figure
   */
  async benchmark(algorithms, milliseconds) {
    const names = asList(algorithms, "algorithms").map((name) => asName(name, "algorithm"));
    const time = asSize(milliseconds, Number.MAX_SAFE_INTEGER, "milliseconds");
    return this.#ask({ kind: "benchmark", algorithms: names, milliseconds: time });
  }

  /** Ends the worker; requests in progress fail. */
  close() {
    this.#worker.terminate();
    this.#fail("the worker was closed");
  }
}
