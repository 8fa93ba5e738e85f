// SPDX-License-Identifier: MIT OR Apache-2.0
import { bytesText, timeText } from "./units.mjs";

/** Runs tasks one after the other, with one progress bar and one button that cancels all. */
export class Queue {
  #panel;
  #tasks = [];
  #abort = new AbortController();
  #running = false;
  #state;

  /** @param {HTMLElement} panel   contains a progress, a p and a button */
  constructor(panel) {
    this.#panel = panel;
    panel.querySelector("button").addEventListener("click", () => this.cancel());
  }

  /**
   * Adds tasks; resolves, when none is left, to the number of tasks, their time in seconds, and
   * whether they were cancelled.
   * @param {{ bytes: number, run: (signal: AbortSignal, onProgress: (bytes: number) => void)
   *   => Promise<void> }[]} tasks   run reports its own failures
   */
  add(tasks) {
    this.#tasks.push(...tasks);
    if (!this.#running) {
      this.#running = true;
      this.#state = { count: 0, total: 0, bytes: 0, totalBytes: 0, start: performance.now() };
      this.#state.finished = this.#drain();
    }
    this.#state.total += tasks.length;
    this.#state.totalBytes += tasks.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#state.finished;
  }

  /** Runs waiting tasks with an aborted signal, so that they can report it. */
  cancel() {
    if (this.#running) {
      this.#abort.abort();
    }
  }

  async #drain() {
    // Show the panel after the call that started this has added its totals.
    await null;
    const state = this.#state;
    this.#panel.hidden = false;
    const timer = setInterval(() => this.#show(state, state.current ?? 0), 100);
    this.#show(state, 0);
    for (let i = 0; i < this.#tasks.length; i++) {
      const { bytes, run } = this.#tasks[i];
      await run(this.#abort.signal, (done) => { state.current = done; });
      state.current = 0;
      state.bytes += bytes;
      state.count++;
    }
    clearInterval(timer);
    const cancelled = this.#abort.signal.aborted;
    this.#tasks = [];
    this.#abort = new AbortController();
    this.#running = false;
    this.#panel.hidden = true;
    return { count: state.count, seconds: (performance.now() - state.start) / 1000, cancelled };
  }

  #show({ count, total, bytes, totalBytes, start }, current) {
    const done = bytes + current;
    const seconds = (performance.now() - start) / 1000;
    const bar = this.#panel.querySelector("progress");
    bar.max = Math.max(totalBytes, 1);
    bar.value = done;
    const left = done === 0 || seconds < 1 ? ""
      : `, ${timeText(((totalBytes - done) * seconds) / done)} left`;
    this.#panel.querySelector("p").textContent =
      `${count} of ${total} done, ${bytesText(done)} of ${bytesText(totalBytes)}${left}`;
  }
}
