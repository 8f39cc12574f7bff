// Plots as SVG: times of several players on one scale, a lane each, with the median marked. Knows no match.
import { s } from "./dom.js";
import { mark } from "./symbols.js";

/** @import { FigurePlayer } from "../../documents.js" */

/** @typedef {FigurePlayer & { label: string }} Player */

const MS = 1e6;

const WIDTH = 640;
const LEFT = 96;
const RIGHT = 40;
const LANE = 46;
const TOP = 12;

/**
 * A round step so that `largest` is reached in at most `most` steps.
 * @param {number} largest
 * @param {number} most
 */
export function niceStep(largest, most = 6) {
  const raw = largest / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= raw * 0.999) ?? 10 * power;
}

/**
 * A lane for each player. title: what the picture says, for readers of words. The axis begins at 0 and is in
 * milliseconds.
 * @param {Player[]} players
 * @param {string} title
 */
export function lanes(players, title) {
  const largest = Math.max(1, ...players.flatMap(({ values }) => values.map(({ ns }) => ns / MS)));
  const step = niceStep(largest);
  const end = Math.ceil((largest / step) * 1.0001) * step;
  /** @param {number} ms */
  const x = (ms) => LEFT + ((WIDTH - LEFT - RIGHT) * Math.max(0, ms)) / end;
  const height = TOP + LANE * players.length + 34;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return s("svg", { class: "plot", viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": title },
    s("g", { class: "plot-grid" }, ticks.map((ms) => s("line", { x1: x(ms), x2: x(ms), y1: TOP, y2: height - 30 }))),
    s("g", { class: "plot-axis" }, ticks.map((ms) =>
      s("text", { x: x(ms), y: height - 12, "text-anchor": "middle" },
      `${Number(ms.toPrecision(6))}${ms === end ? " ms" : ""}`))),
    players.map((player, index) => lane(player, TOP + LANE * (index + 0.5), x)));
}

/**
 * @param {Player} player
 * @param {number} y
 * @param {(ms: number) => number} x
 */
function lane({ colour, label, values, median_ns: middle }, y, x) {
  const size = values.length > 60 ? 9 : values.length > 25 ? 12 : 15;
  return s("g", { class: "plot-lane" },
    s("line", { class: "plot-base", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y }),
    mark(colour, 16, y, 20),
    s("text", { class: "plot-name", x: 32, y: y + 5 }, label),
    s("g", { class: "plot-median" },
      s("line", { x1: x(middle / MS), x2: x(middle / MS), y1: y - 19, y2: y + 19 })),
    values.map(({ ns, error_ns: error, says }, index) => {
      const [ms, width] = [ns / MS, error / MS];
      const at = x(ms);
      const lift = values.length > 1 ? ((index % 5) - 2) * 4 : 0; // so that equal times do not hide each other
      return s("g", null, s("title", null, says),
        width > 0.5 && s("line", { class: "plot-doubt", x1: x(ms - width), x2: x(ms + width), y1: y + lift,
          y2: y + lift }),
        mark(colour, at, y + lift, size));
    }),
  );
}
