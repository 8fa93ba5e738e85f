// SPDX-License-Identifier: MIT OR Apache-2.0
/** Shows the digests of files and texts in the order of input. */
import { KEYED, formatLine } from "./checklist.mjs";
import { element } from "./element.mjs";
import { hasKey } from "./settings.mjs";
import { bytesText } from "./units.mjs";
import { VirtualList } from "./virtual.mjs";

/* Heights in pixels, as in page.css. */
const PADDING = 21;
const NAME = 32;
const LINE = 20;
/** Below this width an algorithm's name is above its digest instead of beside it. */
const WIDE = 560;
const LABELS = 170;
const SIDES = 34;

export class Results {
  #list;
  #box;
  #probe = element("span", { class: "probe", "aria-hidden": "true" }, "0".repeat(64));

  /** @param {HTMLElement} box */
  constructor(box) {
    this.#box = box;
    document.body.append(this.#probe);
    this.#list = new VirtualList(box, (item) => this.#heightOf(item), draw);
  }

  /** Returns the number of hexadecimal digits in a line. */
  #digitsPerLine() {
    const { clientWidth } = this.#box;
    const labels = clientWidth < WIDE ? 0 : LABELS;
    const digit = this.#probe.getBoundingClientRect().width / 64;
    return Math.max(8, Math.floor((clientWidth - SIDES - labels) / digit));
  }

  #heightOf({ asked }) {
    const perLine = this.#digitsPerLine();
    const label = this.#box.clientWidth < WIDE ? LINE : 0;
    this.#box.classList.toggle("narrow", label !== 0);
    return PADDING + NAME + asked.reduce((sum, { digestBytes }) =>
      sum + label + LINE * Math.ceil((2 * digestBytes) / perLine), 0);
  }

  /** Adds an item that waits to be hashed: { name, source, asked }. */
  append(items) {
    this.#list.append(items);
  }

  update(item) {
    this.#list.update(item);
  }

  clear() {
    this.#list.clear();
  }

  /** Returns the computed digests as a checksum list, which says whether any has a key. */
  text() {
    const keyed = this.#list.items.some(({ asked }) => asked.some(({ params }) => hasKey(params)));
    return `${keyed ? `${KEYED}\n` : ""}${this.#list.items.map(linesOf).join("")}`;
  }
}

function linesOf({ name, asked, digests = [] }) {
  return digests.map(({ hex }, i) => `${formatLine(asked[i].tag, name, hex)}\n`).join("");
}

function stateOf({ source, digests, problem }) {
  if (problem !== undefined) {
    return [problem, "bad"];
  }
  return digests === undefined ? [`${bytesText(source.size)}, waiting`, ""]
    : [bytesText(source.size), ""];
}

function draw(item) {
  const { name, asked, digests, problem } = item;
  const [state, kind] = stateOf(item);
  const copy = element("button", { type: "button", class: "small", disabled: digests === undefined,
    "aria-label": `Copy the digests of ${name}` }, "Copy");
  copy.addEventListener("click", () => navigator.clipboard.writeText(linesOf(item)));
  const head = element("div", { class: "head" }, element("h3", { title: name }, name),
    element("p", { class: kind, title: state }, state), copy);
  const shown = asked.flatMap(({ label }, i) =>
    [element("dt", {}, label), element("dd", {}, digests?.[i].hex ?? "")]);
  const done = problem !== undefined || digests !== undefined;
  return element("li", { "data-state": done ? "done" : "waiting" }, head,
    element("dl", {}, ...shown));
}
