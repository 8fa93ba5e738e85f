// SPDX-License-Identifier: MIT OR Apache-2.0
import { element } from "./element.mjs";

/** Pixels drawn above and below the visible part, so that scrolling shows no gaps. */
const MARGIN = 400;

/**
 * A scrolling list that keeps only its visible part in the document. Heights are computed without
 * drawing; positions are their sums.
 */
export class VirtualList {
  #box;
  #inner = element("ul");
  #items = [];
  #tops = [0];
  #drawn = new Map();
  #heightOf;
  #draw;

  /**
   * @param {HTMLElement} box   scrolls
   * @param {(item: object) => number} heightOf   in pixels, for the box's width now
   * @param {(item: object) => HTMLLIElement} draw
   */
  constructor(box, heightOf, draw) {
    this.#box = box;
    this.#heightOf = heightOf;
    this.#draw = draw;
    box.hidden = true;
    box.replaceChildren(this.#inner);
    box.addEventListener("scroll", () => this.#show(), { passive: true });
    new ResizeObserver(() => this.#layOut()).observe(box);
  }

  get items() {
    return this.#items;
  }

  /** Appends items and scrolls to the first of them. */
  append(items) {
    const first = this.#items.length;
    this.#items.push(...items);
    this.#box.hidden = this.#items.length === 0;
    this.#measureFrom(first);
    this.#box.scrollTop = this.#tops[first];
    // Every item states the number of items.
    this.#redraw();
  }

  clear() {
    this.#items = [];
    this.#tops = [0];
    this.#box.hidden = true;
    this.#redraw();
  }

  /** Redraws an item, if it is visible. */
  update(item) {
    const old = this.#drawn.get(item);
    if (old !== undefined) {
      const made = this.#place(item, Number(old.dataset.index));
      old.replaceWith(made);
      this.#drawn.set(item, made);
    }
  }

  #measureFrom(first) {
    for (let i = first; i < this.#items.length; i++) {
      this.#tops[i + 1] = this.#tops[i] + this.#heightOf(this.#items[i]);
    }
    this.#tops.length = this.#items.length + 1;
    this.#inner.style.height = `${this.#tops.at(-1)}px`;
  }

  #layOut() {
    this.#measureFrom(0);
    this.#redraw();
  }

  #redraw() {
    this.#drawn.clear();
    this.#inner.replaceChildren();
    this.#show();
  }

  #place(item, index) {
    const made = this.#draw(item);
    made.dataset.index = index;
    made.setAttribute("aria-posinset", index + 1);
    made.setAttribute("aria-setsize", this.#items.length);
    made.style.top = `${this.#tops[index]}px`;
    made.style.height = `${this.#tops[index + 1] - this.#tops[index]}px`;
    return made;
  }

  /** Returns the index of the last item that begins at or above a position. */
  #indexAt(position) {
    let low = 0;
    let high = this.#items.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#tops[middle] <= position) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  #show() {
    const { scrollTop, clientHeight } = this.#box;
    const visible = new Set();
    for (let i = this.#indexAt(scrollTop - MARGIN);
      i < this.#items.length && this.#tops[i] < scrollTop + clientHeight + MARGIN; i++) {
      visible.add(this.#items[i]);
      if (!this.#drawn.has(this.#items[i])) {
        const made = this.#place(this.#items[i], i);
        this.#drawn.set(this.#items[i], made);
        this.#insert(made, i);
      }
    }
    for (const [item, made] of this.#drawn) {
      // Keep the focused item, or the focus would be lost.
      if (!visible.has(item) && !made.contains(document.activeElement)) {
        made.remove();
        this.#drawn.delete(item);
      }
    }
  }

  /** Inserts in order, for the keyboard and for screen readers. */
  #insert(made, index) {
    const after = [...this.#inner.children].find((each) => Number(each.dataset.index) > index);
    this.#inner.insertBefore(made, after ?? null);
  }
}
