// SPDX-License-Identifier: MIT OR Apache-2.0
/** The page: sends dropped files and typed text to a worker, and shows its answers. */
import { HashWorker } from "../client.mjs";
import { hasSimd } from "../index.mjs";
import { speedChart } from "./chart.mjs";
import { isKeyed } from "./checklist.mjs";
import { element } from "./element.mjs";
import { Queue } from "./queue.mjs";
import { Results } from "./results.mjs";
import { Settings, hasKey } from "./settings.mjs";
import { timeText } from "./units.mjs";
import { Verifier } from "./verify.mjs";

/* global WORKER_SOURCE -- put here by build.mjs */

const BENCHMARKED = ["blake3", "blake2b", "blake2s", "blake256", "blake512", "groestl256", "groestl512"];
const BENCHMARK_MS = 150;
/** The name of text input, as in finalist sum. */
const TEXT_NAME = "-";

const at = (id) => document.getElementById(id);

/** Starts a worker with one of the two modules of this page. */
async function startWorker(module) {
  const url = URL.createObjectURL(new Blob([WORKER_SOURCE], { type: "text/javascript" }));
  const worker = new HashWorker(new Worker(url));
  const loaded = await worker.load(at(module).textContent);
  URL.revokeObjectURL(url);
  return { worker, ...loaded };
}

const ready = startWorker(hasSimd() ? "simd" : "scalar");
/** The dropped files by name; the last one of a name counts. */
const files = new Map();
const results = new Results(at("results"));
const hashing = new Queue(at("hashing"));
const verifier = new Verifier(at("verdicts"), new Queue(at("verifying")));
let settings;

function say(place, text, kind = "") {
  at(place).textContent = text;
  at(place).className = kind;
}

/** Hashes one source, and shows its digests or the error. */
async function hashOne(item, signal, onProgress) {
  const { worker } = await ready;
  try {
    // The labels are for the page only.
    const asked = item.asked.map(({ algorithm, params }) => ({ algorithm, params }));
    item.digests = await worker.digest(item.source, asked, { signal, onProgress });
  } catch (error) {
    item.problem = error.name === "AbortError" ? "cancelled" : `not hashed: ${error.message}`;
  }
  results.update(item);
}

/** Hashes named sources, in their order, with the current settings. */
async function hash(sources) {
  await ready;
  let asked;
  try {
    asked = settings.read();
  } catch (error) {
    say("hashed", `Nothing is hashed: ${error.message}.`, "bad");
    at("settings").open = true;
    return;
  }
  const items = sources.map(([name, source]) => ({ name, source, asked }));
  say("hashed", "");
  results.append(items);
  at("actions").hidden = false;
  const { count, seconds, cancelled } = await hashing.add(items.map((item) => ({
    bytes: item.source.size,
    run: (signal, onProgress) => hashOne(item, signal, onProgress),
  })));
  // All items of the batch share this copy of the key.
  asked.forEach(({ params }) => params.key?.fill(0));
  say("hashed", cancelled ? "Cancelled." : `${count} hashed in ${timeText(seconds)}.`);
}

function addFiles(list) {
  const sources = [...list].map((file) => [file.name, file]);
  sources.forEach(([name, file]) => files.set(name, file));
  if (sources.length > 0) {
    hash(sources);
  }
}

async function verify(event) {
  event.preventDefault();
  const button = event.target.querySelector("button");
  button.disabled = true;
  say("verified", "");
  const { worker, algorithms } = await ready;
  const list = at("list").value;
  try {
    const key = settings.key();
    if (isKeyed(list) && !hasKey(key)) {
      throw new Error("the list was made with a key, which the settings above lack");
    }
    const { text, all } = await verifier.verify(list,
      { worker, algorithms, files, untagged: at("untagged").value, key });
    key.key?.fill(0);
    say("verified", text, all ? "good" : "bad");
  } catch (error) {
    say("verified", `Nothing is verified: ${error.message}.`, "bad");
    at("settings").open = true;
  }
  button.disabled = false;
}

function download(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  element("a", { href: url, download: "checksums.txt" }).click();
  URL.revokeObjectURL(url);
}

async function copy() {
  try {
    await navigator.clipboard.writeText(results.text());
    say("hashed", "The list is copied.");
  } catch (error) {
    say("hashed", `The list is not copied: ${error.message}`, "bad");
  }
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
    at("speeds").replaceChildren(...speedChart(results, at("speeds").clientWidth));
  } catch (error) {
    at("speeds").replaceChildren(element("p", { class: "bad" }, error.message));
  } finally {
    button.disabled = false;
  }
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
  // A file dropped outside the box must not replace the page.
  for (const type of ["dragover", "drop"]) {
    window.addEventListener(type, (event) => event.preventDefault());
  }
  at("text-form").addEventListener("submit", (event) => {
    event.preventDefault();
    hash([[TEXT_NAME, new Blob([at("text").value])]]);
  });
  at("copy").addEventListener("click", copy);
  at("download").addEventListener("click", () => download(results.text()));
  at("clear").addEventListener("click", () => {
    hashing.cancel();
    results.clear();
    files.clear();
    at("actions").hidden = true;
    say("hashed", "");
  });
  at("verify-form").addEventListener("submit", verify);
  at("benchmark").addEventListener("click", benchmark);
}

listen();
ready.then(({ algorithms, version }) => {
  settings = new Settings(algorithms);
  const code = hasSimd() ? "SIMD128" : "scalar code, as this browser has no SIMD128";
  at("version").textContent = `Finalist ${version}, ${code}. This page makes no requests.`;
  document.documentElement.dataset.ready = "true";
}).catch((error) => {
  at("version").textContent = `The module cannot be started: ${error.message}`;
});
