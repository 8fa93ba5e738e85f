// SPDX-License-Identifier: MIT OR Apache-2.0
/** Draws the benchmark's chart and table, with bars as in the pages of finalist report. */
import { drawn, element } from "./element.mjs";

const WIDTH_MAX = 800;
const LABELS = 175;
const VALUES = 50;
const ROW = 22;
const HEAD = 34;
const MODULES = [["scalar", "scalar"], ["simd", "SIMD128"]];
const MODES = [["one", "one message"], ["many", "16 at once"]];

const megabytes = (speed) => (speed / 1e6).toFixed(0);

/**
 * Draws chart and table of { scalar, simd }: arrays of { algorithm, implementation, one, many }.
 * The chart is as wide as the page lets it, so that its text is not shrunk.
 */
export function speedChart(results, widthMax) {
  const modules = MODULES.filter(([key]) => results[key] !== undefined);
  return [chart(results, modules, Math.min(WIDTH_MAX, widthMax)), table(results, modules)];
}

function bars(results, modules) {
  return results.scalar.flatMap(({ algorithm }, i) => MODES.flatMap(([mode, text]) =>
    modules.map(([key], j) => ({
      label: j === 0 ? `${algorithm}, ${text}` : "",
      key,
      speed: results[key][i][mode],
    }))));
}

function chart(results, modules, whole) {
  const all = bars(results, modules);
  const most = Math.max(...all.map(({ speed }) => speed));
  const height = HEAD + all.length * ROW + 8;
  const svg = drawn("svg", { viewBox: `0 0 ${whole} ${height}`, role: "img",
    "aria-label": "Megabytes a second by algorithm, scalar and SIMD128; the table has the figures" });
  svg.append(drawn("text", { x: 0, y: 18, class: "faint" }, "megabytes a second"));
  modules.forEach(([key, text], i) => svg.append(
    drawn("rect", { x: LABELS + i * 80, y: 7, width: 13, height: 13, class: key }),
    drawn("text", { x: LABELS + i * 80 + 20, y: 18 }, text)));
  all.forEach(({ label, key, speed }, i) => {
    const y = HEAD + i * ROW;
    const width = Math.max(1, (speed / most) * (whole - LABELS - VALUES));
    svg.append(
      drawn("text", { x: LABELS - 10, y: y + 15, "text-anchor": "end" }, label),
      drawn("rect", { x: LABELS, y: y + 3, width, height: ROW - 6, class: key }),
      drawn("text", { x: LABELS + width + 7, y: y + 15 }, megabytes(speed)));
  });
  return svg;
}

function table(results, modules) {
  const head = element("tr", {}, element("th", { scope: "col" }, "Algorithm"),
    ...MODES.flatMap(([, mode]) => modules.map(([, module]) =>
      element("th", { scope: "col", class: "number" }, `${mode}, ${module}`))));
  const rows = results.scalar.map(({ algorithm }, i) => element("tr", {},
    element("th", { scope: "row" }, algorithm),
    ...MODES.flatMap(([mode]) => modules.map(([key]) =>
      element("td", { class: "number" }, megabytes(results[key][i][mode]))))));
  return element("table", {}, element("caption", {}, "Megabytes a second"),
    element("thead", {}, head), element("tbody", {}, ...rows));
}
