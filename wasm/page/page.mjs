// SPDX-License-Identifier: MIT OR Apache-2.0
/** The page: what is dropped or typed goes to a worker, what it answers is shown. */
import { HashWorker } from "../client.mjs";
import { hasSimd } from "../index.mjs";
import { parseList } from "./checklist.mjs";
import { speedChart } from "./chart.mjs";
import { element } from "./element.mjs";

/* global WORKER_SOURCE -- put here by build.mjs */

const CHOSEN = ["blake256", "blake2b", "blake2s", "groestl256"];
const BENCHMARKED = ["blake256", "blake512", "blake2b", "blake2s", "groestl256", "groestl512"];
const BENCHMARK_MS = 150;

const at = (id) => document.getElementById(id);

/** A worker with one of the two modules of this page. */
async function startWorker(module) {
  const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
  const worker = new HashWorker(new Worker(url));
  const loaded = await worker.load(at(module).textContent);
  URL.revokeObjectURL(url);
  return { worker, ...loaded };
}

const ready = startWorker(hasSimd() ? "simd" : "scalar");
/** What was dropped, by name: the last of a name counts. */
const files = new Map();
/** One file at a time, in the order in which they came. */
let queue = Promise.resolve();
let waiting = 0;

function chosen() {
  return [...at("algorithms").querySelectorAll("input:checked")].map((input) => input.value);
}

function bytesText(bytes) {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Shows a source, its progress and its digests. */
function hash(name, source) {
  const algorithms = chosen();
  const bar = element("progress", { max: Math.max(source.size, 1), value: 0, "aria-label": `Progress of ${name}` });
  const state = element("p", {}, `${bytesText(source.size)}, waiting`);
  const digests = element("dl");
  const card = element("article", { class: "result" }, element("h3", {}, name), state, bar, digests);
  at("results").prepend(card);
  at("results").setAttribute("aria-busy", "true");
  waiting++;
  queue = queue.then(async () => {
    try {
      if (algorithms.length === 0) {
        throw new Error("no algorithm is chosen");
      }
      const { worker } = await ready;
      const start = performance.now();
      const onProgress = (bytes) => {
        bar.value = bytes;
        state.textContent = `${bytesText(bytes)} of ${bytesText(source.size)}`;
      };
      const results = await worker.digest(source, algorithms, { onProgress });
      const seconds = (performance.now() - start) / 1000;
      state.textContent = `${bytesText(source.size)} in ${seconds.toFixed(2)} s`;
      digests.append(...results.flatMap(({ algorithm, hex }) =>
        [element("dt", {}, algorithm), element("dd", {}, hex)]));
    } catch (error) {
      state.textContent = `Not hashed: ${error.message}`;
      state.className = "bad";
    } finally {
      bar.remove();
      waiting--;
      at("results").setAttribute("aria-busy", String(waiting > 0));
    }
  });
}

function addFiles(list) {
  for (const file of list) {
    files.set(file.name, file);
    hash(file.name, file);
  }
}

/** One line of a list: what is to be said of it. */
async function verifyLine(worker, line, untagged) {
  if (line.problem !== undefined) {
    return { name: line.text, verdict: line.problem };
  }
  const file = files.get(line.name);
  if (file === undefined) {
    return { name: line.name, verdict: "not dropped" };
  }
  const algorithm = line.algorithm ?? untagged;
  const asked = { algorithm, params: { digestBytes: line.digest.length / 2 } };
  try {
    const [{ hex }] = await worker.digest(file, [asked]);
    return { name: line.name, verdict: hex === line.digest ? "OK" : "FAILED" };
  } catch (error) {
    return { name: line.name, verdict: error.message };
  }
}

async function verify(event) {
  event.preventDefault();
  const { worker, algorithms } = await ready;
  const lines = parseList(at("list").value, algorithms);
  const body = element("tbody");
  let good = 0;
  for (const line of lines) {
    const { name, verdict } = await verifyLine(worker, line, at("untagged").value);
    good += verdict === "OK";
    body.append(element("tr", {}, element("td", {}, name),
      element("td", { class: verdict === "OK" ? "good" : "bad" }, verdict)));
  }
  const head = element("tr", {}, element("th", { scope: "col" }, "File"),
    element("th", { scope: "col" }, "Result"));
  const summary = element("p", {}, `${good} of ${lines.length} OK`);
  summary.className = good === lines.length && good > 0 ? "good" : "bad";
  at("verified").replaceChildren(summary, element("table", {},
    element("caption", {}, "The list"), element("thead", {}, head), body));
}

/** Runs one module after the other, each in its own worker. */
async function benchmark() {
  const button = at("benchmark");
  button.disabled = true;
  const results = {};
  try {
    for (const module of hasSimd() ? ["scalar", "simd"] : ["scalar"]) {
      at("speeds").textContent = `Measuring ${module === "simd" ? "SIMD128" : "scalar code"} …`;
      const { worker } = await startWorker(module);
      results[module] = await worker.benchmark(BENCHMARKED, BENCHMARK_MS);
      worker.close();
    }
    at("speeds").replaceChildren(...speedChart(results));
  } catch (error) {
    at("speeds").replaceChildren(element("p", { class: "bad" }, error.message));
  } finally {
    button.disabled = false;
  }
}

function choices(algorithms) {
  // An output whose length is not fixed is not for a checksum.
  const fixed = algorithms.filter(({ name }) => !name.startsWith("blake2x"));
  at("algorithms").append(...fixed.map(({ name, title }) => element("label", { title },
    element("input", { type: "checkbox", value: name, checked: CHOSEN.includes(name) }), name)));
  at("untagged").append(...fixed.map(({ name }) =>
    element("option", { value: name, selected: name === "blake2b" }, name)));
}

function listen() {
  const drop = at("drop");
  at("files").addEventListener("change", ({ target }) => {
    addFiles(target.files);
    target.value = "";
  });
  for (const [type, over] of [["dragenter", true], ["dragover", true], ["dragleave", false], ["drop", false]]) {
    drop.addEventListener(type, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", over);
    });
  }
  drop.addEventListener("drop", (event) => addFiles(event.dataTransfer.files));
  // A file that misses the place must not replace the page.
  for (const type of ["dragover", "drop"]) {
    window.addEventListener(type, (event) => event.preventDefault());
  }
  at("text-form").addEventListener("submit", (event) => {
    event.preventDefault();
    hash("text", new Blob([at("text").value]));
  });
  at("verify-form").addEventListener("submit", verify);
  at("benchmark").addEventListener("click", benchmark);
}

listen();
ready.then(({ algorithms, version }) => {
  choices(algorithms);
  const code = hasSimd() ? "SIMD128" : "scalar code, as this browser has no SIMD128";
  at("version").textContent = `Finalist ${version}, ${code}. This page makes no requests.`;
  document.documentElement.dataset.ready = "true";
}).catch((error) => {
  at("version").textContent = `The module cannot be started: ${error.message}`;
});
