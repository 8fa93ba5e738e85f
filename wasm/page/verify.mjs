// SPDX-License-Identifier: MIT OR Apache-2.0
/** Verifies a checksum list with the dropped files. */
import { parseList } from "./checklist.mjs";
import { element } from "./element.mjs";
import { checkKey, hasKey } from "./settings.mjs";
import { VirtualList } from "./virtual.mjs";

/** In pixels, as in page.css. */
const HEIGHT = 34;

export class Verifier {
  #list;
  #queue;

  /**
   * @param {HTMLElement} box
   * @param {import("./queue.mjs").Queue} queue
   */
  constructor(box, queue) {
    this.#queue = queue;
    this.#list = new VirtualList(box, () => HEIGHT, draw);
  }

  /**
   * Verifies a list; resolves to a sentence with the number of correct lines, and whether all are.
   * @param {string} text
   * @param {{ worker: object, algorithms: object[], files: Map<string, Blob>, untagged: string,
   *   key: object }} with
   *   `key`: that of all lines, as parameters; empty for none.
   */
  async verify(text, { worker, algorithms, files, untagged, key }) {
    const rows = parseList(text, algorithms).map((line) => ({ line, file: files.get(line.name) }));
    this.#list.clear();
    this.#list.append(rows);
    const { cancelled } = await this.#queue.add(rows.map((row) => ({
      bytes: row.file?.size ?? 0,
      run: async (signal, onProgress) => {
        row.verdict = await verdictOf(row, { worker, algorithms, untagged, key, signal, onProgress });
        this.#list.update(row);
      },
    })));
    const good = rows.filter(({ verdict }) => verdict === "OK").length;
    const end = cancelled ? ", cancelled" : keyHint(key, good, rows);
    return { text: `${good} of ${rows.length} OK${end}`, all: good === rows.length && good > 0 };
  }
}

/** Returns what the sentence about a list says of the key, since lines do not record one. */
function keyHint(key, good, rows) {
  if (hasKey(key)) {
    return " with the key";
  }
  const isWrong = good === 0 && rows.some(({ verdict }) => verdict === "FAILED");
  return isWrong ? "; a list made with a key needs the key in the settings above" : "";
}

async function verdictOf({ line, file }, { worker, algorithms, untagged, key, signal, onProgress }) {
  if (line.problem !== undefined) {
    return line.problem;
  }
  if (file === undefined) {
    return "not dropped";
  }
  const algorithm = line.algorithm ?? untagged;
  const asked = [{ algorithm, params: { digestBytes: line.digest.length / 2, ...key } }];
  try {
    checkKey(algorithms.find(({ name }) => name === algorithm), key);
    const [{ hex }] = await worker.digest(file, asked, { signal, onProgress });
    return hex === line.digest ? "OK" : "FAILED";
  } catch (error) {
    return error.name === "AbortError" ? "cancelled" : error.message;
  }
}

function draw({ line, verdict = "waiting" }) {
  const name = line.name ?? line.text;
  const kind = { OK: "good", waiting: "" }[verdict] ?? "bad";
  return element("li", { class: "verdict" }, element("span", { title: name }, name),
    element("strong", { class: kind }, verdict));
}
