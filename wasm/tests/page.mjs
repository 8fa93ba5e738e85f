// SPDX-License-Identifier: MIT OR Apache-2.0
/**
 * Tests the page in headless Chromium. FINALIST: the tool to compare it with; CHROMIUM: the
 * browser; SCREENSHOT: optional file for a picture of the page.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import process from "node:process";
import { after, before, test } from "node:test";

import puppeteer from "puppeteer-core";

import { hexOf, open } from "../index.mjs";
import { assertAccessible, longestTask, memoryBytes, waitFor, writeLarge } from "./measuring.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = pathToFileURL(here("../dist/finalist.html")).href;
const TOOL = process.env.FINALIST ?? here("../../target/release/finalist");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

const MEMORY_BYTES_MAX = 100 << 20;
const TASK_MS_MAX = 50;
const MINUTES = 60_000;

let browser;
let page;
let folder;
const requests = [];
const errors = [];

function sum(algorithm, path, ...options) {
  const line = execFileSync(TOOL, ["sum", "-a", algorithm, ...options, path], { encoding: "utf8", cwd: folder });
  return line.split(" ")[0];
}

/** Returns the tool's tagged line for small.txt. */
function tagged(...options) {
  const words = ["sum", "--tag", ...options, "small.txt"];
  return execFileSync(TOOL, words, { encoding: "utf8", cwd: folder }).trim();
}

/** Drops files as a user does. */
async function drop(...paths) {
  const box = await (await page.$("#drop")).boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const client = await page.createCDPSession();
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await client.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await client.detach();
}

/** Waits for the last result; returns its digests by the labels of their algorithms. */
async function newest(name) {
  await page.waitForFunction((wanted) => {
    const item = document.querySelector("#results li:last-child");
    return item?.querySelector("h3").textContent === wanted && item.dataset.state === "done" &&
      document.querySelector("#hashing").hidden;
  }, { timeout: 5 * MINUTES }, name);
  return page.$eval("#results li:last-child", (item) => {
    const names = [...item.querySelectorAll("dt")].map((each) => each.textContent);
    const digests = [...item.querySelectorAll("dd")].map((each) => each.textContent);
    return Object.fromEntries(names.map((each, i) => [each, digests[i]]));
  });
}

/** Ticks these algorithms and no others; null means all. */
async function choose(...names) {
  await page.$$eval("#algorithms input", (boxes, wanted) => boxes.forEach((box) => {
    box.checked = wanted[0] === null || wanted.includes(box.value);
    box.dispatchEvent(new Event("change", { bubbles: true }));
  }), names);
}

/** Sets fields of the page like a user who fills them in. */
async function fill(values) {
  await page.evaluate((given) => Object.entries(given).forEach(([id, value]) => {
    const field = document.getElementById(id);
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }), values);
}

async function hashText(text) {
  await fill({ text });
  await page.$eval("#text-form button", (button) => button.click());
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "finalist-page-"));
  browser = await puppeteer.launch({
    executablePath: CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
    timeout: 2 * MINUTES,
    protocolTimeout: 5 * MINUTES,
  });
  page = await browser.newPage();
  await page.setViewport({ width: 1000, height: 1490 });
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(PAGE);
  await page.waitForSelector("html[data-ready]", { timeout: MINUTES });
});

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("typed text has the tool's digests, of every algorithm", async () => {
  await assertAccessible(page, "as it opens");
  const path = join(folder, "text");
  writeFileSync(path, "Grøstl");
  await choose(null);
  await page.type("#text", "Grøstl");
  await page.click("#text-form button");
  const digests = await newest("-");
  const names = await page.$$eval("#algorithms input", (boxes) => boxes.map(({ value }) => value));
  assert.equal(names.length, 21);
  Object.values(digests).forEach((digest, i) => assert.equal(digest, sum(names[i], path), names[i]));
  assert.equal(Object.keys(digests).length, names.length);
});

test("a dropped file of 200 MB: the tool's digests, little memory, no long task", async () => {
  const name = "large.bin";
  const path = join(folder, name);
  await writeLarge(path);
  await choose("blake2b", "groestl256");
  const client = await page.createCDPSession();
  await page.evaluate(() => {
    globalThis.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        globalThis.longest = Math.max(globalThis.longest, duration);
      }
    }).observe({ type: "longtask" });
  });
  const tracing = join(folder, "trace.json");
  await page.tracing.start({ path: tracing, categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  await drop(path);
  let most = 0;
  let samples = 0;
  const done = newest(name);
  let pending = true;
  done.finally(() => { pending = false; });
  while (pending) {
    most = Math.max(most, await memoryBytes(page, client));
    samples++;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  const digests = await done;
  await page.tracing.stop();
  for (const [tag, algorithm] of [["BLAKE2b", "blake2b"], ["Groestl-256", "groestl256"]]) {
    assert.equal(digests[tag], sum(algorithm, path), algorithm);
  }
  assert.ok(samples > 3, `memory was seen ${samples} times only`);
  assert.ok(most < MEMORY_BYTES_MAX, `${most} bytes of memory`);
  const observed = await page.evaluate(() => globalThis.longest);
  const longest = longestTask(JSON.parse(readFileSync(tracing, "utf8")));
  console.log(`memory ${(most / 2 ** 20).toFixed(1)} MiB, longest task ${longest.toFixed(1)} ms of ` +
    `processor time (${observed} ms observed)`);
  assert.ok(longest > 0 && longest < TASK_MS_MAX, `a task of ${longest} ms`);
});

test("length, key and BLAKE3's key derivation have the library's digests", async () => {
  const finalist = await open();
  const message = new TextEncoder().encode("abc");
  const key = new TextEncoder().encode("0123456789abcdef0123456789abcdef");
  const cases = [
    [{ length: "20" }, ["blake2b", "groestl512", "blake3"], { digestBytes: 20 }],
    [{ "key-kind": "text", key: Buffer.from(key).toString() }, ["blake2s", "blake3"], { key }],
    [{ "key-kind": "hex", key: hexOf(key) }, ["blake2bp"], { key }],
    [{ "key-kind": "derive", key: "a context" }, ["blake3"],
      { deriveKeyContext: new TextEncoder().encode("a context") }],
  ];
  for (const [fields, names, params] of cases) {
    await choose(...names);
    await fill({ length: "", "key-kind": "none", key: "", ...fields });
    await hashText("abc");
    const digests = Object.values(await newest("-"));
    const order = await page.$$eval("#algorithms input:checked", (boxes) => boxes.map(({ value }) => value));
    assert.deepEqual(digests, order.map((name) => hexOf(finalist.hash(name, message, params))));
    await page.click("#clear");
  }
});

test("inconsistent settings are refused in one sentence without the key", async () => {
  const key = "a secret";
  const cases = [
    [[], {}, "no algorithm is chosen"],
    [["blake256"], { length: "20" }, "BLAKE-256 has digests of 32 bytes, not 20"],
    [["blake2s"], { length: "33" }, "BLAKE2s has digests of 1 to 32 bytes, not 33"],
    [["groestl256"], { "key-kind": "text", key }, "Groestl-256 takes no key"],
    [["blake3"], { "key-kind": "text", key }, "BLAKE3 takes keys of 32 bytes, not 8"],
    [["blake2b"], { "key-kind": "hex", key },
      "the key is not an even number of hexadecimal digits"],
    [["blake2b"], { "key-kind": "derive", key }, "BLAKE2b does not derive keys; BLAKE3 does"],
    [["blake2b"], { "key-kind": "text" }, "the key is empty"],
  ];
  for (const [names, fields, wanted] of cases) {
    await choose(...names);
    await fill({ length: "", "key-kind": "none", key: "", ...fields });
    await hashText("abc");
    const text = `Nothing is hashed: ${wanted}.`;
    await page.waitForFunction((each) =>
      document.querySelector("#hashed").textContent === each, { timeout: MINUTES }, text);
  }
  assert.equal(await page.$$eval("#results li", (items) => items.length), 0);
  await fill({ length: "", "key-kind": "none", key: "" });
});

test("1500 files: in order, a short page, a list that the tool verifies, and a new start", async () => {
  const many = mkdtempSync(join(folder, "many-"));
  const names = Array.from({ length: 1500 }, (_, i) => `file ${i}${i === 7 ? "\\" : ""}`);
  names.forEach((name, i) => writeFileSync(join(many, name), `${i}`));
  await choose("blake3", "blake2b", "groestl256");
  await fill({ length: "25" });
  await (await page.$("#files")).uploadFile(...names.map((name) => join(many, name)));
  await page.waitForFunction(() => /^1500 hashed/.test(document.querySelector("#hashed").textContent),
    { timeout: 2 * MINUTES });
  await fill({ length: "" });
  const [height, count] = await page.evaluate(() =>
    [document.documentElement.scrollHeight, document.querySelectorAll("#results li").length]);
  assert.ok(height < 5000 && count < 100, `${height} px, ${count} items`);
  const downloads = await page.createCDPSession();
  await downloads.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: many });
  await page.click("#download");
  const list = join(many, "checksums.txt");
  await waitFor(() => existsSync(list));
  const lines = readFileSync(list, "utf8").trim().split("\n");
  assert.equal(lines.length, 3 * names.length);
  assert.deepEqual(lines.filter((_, i) => i % 3 === 0).map((line) => line.replace(/^.*file (\d+).*$/, "$1")),
    names.map((_, i) => `${i}`));
  execFileSync(TOOL, ["check", "--quiet", "checksums.txt"], { cwd: many });
  const permissions = ["clipboardReadWrite", "clipboardSanitizedWrite"];
  await downloads.send("Browser.grantPermissions", { permissions });
  await page.bringToFront();
  await page.click("#copy");
  await page.waitForFunction(() => /is copied/.test(document.querySelector("#hashed").textContent));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), readFileSync(list, "utf8"));
  assert.equal((await verify(lines))[0], `${lines.length} of ${lines.length} OK`);
  await page.click("#clear");
  assert.equal(await page.$$eval("#results li", (items) => items.length), 0);
});

test("a cancelled file has no digest, but the next one has", async () => {
  const path = join(folder, "sparse.bin");
  writeFileSync(path, "");
  truncateSync(path, 2 ** 32);
  await choose("blake2b");
  await drop(path, path);
  await page.waitForFunction(() => document.querySelector("#hashing progress").value > 0);
  await page.click("#hashing button");
  await page.waitForFunction(() => document.querySelector("#hashed").textContent === "Cancelled.");
  const states = await page.$$eval("#results li p", (all) => all.map((each) => each.textContent));
  assert.deepEqual(states, ["cancelled", "cancelled"]);
  await hashText("abc");
  const { BLAKE2b } = await newest("-");
  assert.match(BLAKE2b, /^ba80a53f981c4d0d/);
  await page.click("#clear");
});

/** Verifies these lines; returns the sentence and the verdicts. */
async function verify(lines) {
  await fill({ list: lines.join("\n") });
  await page.$eval("#verified", (sentence) => { sentence.textContent = ""; });
  await page.$eval("#verify-form button", (button) => button.click());
  await page.waitForFunction(() => document.querySelector("#verified").textContent !== "");
  return [await page.$eval("#verified", ({ textContent }) => textContent),
    await page.$$eval("#verdicts strong", (cells) => cells.map((cell) => cell.textContent))];
}

test("a list is verified, tagged and untagged lines, good and bad", async () => {
  const path = join(folder, "small.txt");
  writeFileSync(path, "small");
  await drop(path);
  await newest("small.txt");
  const good = sum("blake2b", path);
  const [, verdicts] = await verify([
    `${good}  small.txt`,
    tagged("-l", "256"),
    tagged("-a", "blake256"),
    tagged("-a", "groestl512"),
    `${"0".repeat(128)}  small.txt`,
    `${good}  absent.txt`,
    "nonsense",
  ]);
  assert.deepEqual(verdicts, ["OK", "OK", "OK", "OK", "FAILED", "not dropped", "not a checksum line"]);
});

test("a list made with a key is verified with the key of the settings", async () => {
  const key = "0123456789abcdef0123456789abcdef";
  writeFileSync(join(folder, "KEY"), key);
  const lines = ["blake2b", "blake3"].map((name) => tagged("-a", name, "--key-file", "KEY"));
  const hint = "; a list made with a key needs the key in the settings above";
  assert.deepEqual(await verify(lines), [`0 of 2 OK${hint}`, ["FAILED", "FAILED"]]);
  const [missing] = await verify(["# keyed: true", ...lines]);
  assert.equal(missing, "Nothing is verified: the list was made with a key, which the settings above lack.");
  await fill({ "key-kind": "text", key: "" });
  assert.equal((await verify(lines))[0], "Nothing is verified: the key is empty.");
  await fill({ key });
  assert.deepEqual(await verify(["# keyed: true", ...lines]), ["2 of 2 OK with the key", ["OK", "OK"]]);
  assert.deepEqual(await verify([tagged("-a", "blake2s"), tagged("-a", "groestl256")]),
    ["0 of 2 OK with the key", ["FAILED", "Groestl-256 takes no key"]]);
  // The page's own list says that it is keyed.
  await choose("blake3");
  await hashText("abc");
  await newest("-");
  const copied = await page.evaluate(() => new Promise((resolve) => {
    navigator.clipboard.writeText = resolve;
    document.querySelector("#copy").click();
  }));
  assert.match(copied, /^# keyed: true\nBLAKE/);
  await fill({ "key-kind": "derive", key: "a context" });
  assert.deepEqual(await verify([tagged("-a", "blake3", "--derive-key", "a context")]),
    ["1 of 1 OK with the key", ["OK"]]);
  await fill({ "key-kind": "none", key: "" });
});

test("the benchmark shows scalar code and SIMD128, and a telephone's width suffices", async () => {
  const long = "a name that fills the line of a telephone.txt";
  writeFileSync(join(folder, long), "small");
  await (await page.$("#files")).uploadFile(join(folder, long));
  await newest(long);
  await page.setViewport({ width: 390, height: 844 });
  await page.click("#benchmark");
  await page.waitForSelector("#speeds svg", { timeout: 2 * MINUTES });
  const figures = await page.$$eval("#speeds td", (cells) => cells.map((cell) => Number(cell.textContent)));
  assert.equal(figures.length, 28);
  assert.ok(figures.every((figure) => figure > 0), String(figures));
  // No word is broken, the chart is not shrunk, a size beside a long name is whole.
  const [width, lines, scale, sizes] = await page.evaluate(() => [document.documentElement.scrollWidth,
    [...document.querySelectorAll("#speeds tbody th")].map((cell) => cell.clientHeight),
    document.querySelector("#speeds svg").getScreenCTM().a,
    [...document.querySelectorAll(".head p")].map((each) => each.scrollWidth - each.clientWidth)]);
  assert.ok(width <= 390 && Math.max(...lines) < 40 && scale > 0.9, `${width}, ${lines}, ${scale}`);
  assert.deepEqual(sizes.filter((hidden) => hidden > 0), []);
  await page.setViewport({ width: 1000, height: 1490 });
});

test("the keyboard reaches everything, and axe finds nothing", async () => {
  await page.evaluate(() => { document.activeElement.blur(); window.getSelection().removeAllRanges(); });
  const reached = new Set();
  const visit = async () => {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.type ||
      document.activeElement.tagName));
  };
  await page.$eval("#settings", (settings) => { settings.open = false; });
  // One stop before the files; the document itself may come first.
  await visit();
  await visit();
  await visit();
  assert.deepEqual([...reached].filter((name) => name !== "BODY").slice(0, 2), ["SUMMARY", "files"]);
  await page.$eval("#settings", (settings) => { settings.open = true; });
  await page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 60; i++) {
    await visit();
  }
  for (const wanted of ["checkbox", "length", "key-kind", "files", "copy", "download", "clear", "results", "text", "list", "untagged", "benchmark", "submit"]) {
    assert.ok(reached.has(wanted), `${wanted} is not among ${[...reached]}`);
  }
  await assertAccessible(page, "with results");
});

/** Takes a picture of the page with two dropped files and a list. */
async function takeScreenshot(path) {
  const names = ["LICENSE-APACHE", "LICENSE-MIT"];
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  const paths = names.map((name) => here(`../../${name}`));
  await drop(...paths);
  await newest("LICENSE-MIT");
  await verify(paths.map((file, i) => `${sum("blake2b", file)}  ${names[i]}`));
  await page.screenshot({ path, clip: { x: 0, y: 0, width: 1000, height: 1490 } });
}

test("nothing leaves the page", async () => {
  assert.deepEqual(errors, []);
  const outside = requests.filter((url) => url !== PAGE && !/^(blob:|data:)/.test(url));
  assert.deepEqual(outside, []);
  const blocked = await page.evaluate(() => fetch("https://example.com/").then(() => false, () => true));
  assert.ok(blocked, "a request was not blocked by the policy");
  const policy = await page.$eval("meta[http-equiv]", (meta) => meta.content);
  assert.match(policy, /^default-src 'none';/);
  assert.doesNotMatch(policy, /unsafe-inline|https?:|connect-src/);
});

test("a picture is taken", { skip: process.env.SCREENSHOT === undefined }, () =>
  takeScreenshot(process.env.SCREENSHOT));
