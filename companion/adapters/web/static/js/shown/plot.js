// Plots as SVG: times of several players on one scale, a lane each, with the median marked. Knows no match.
import { h, s } from "../frame/dom.js";
import { mark } from "./symbols.js";
import { language } from "../frame/say.js";

/** @import { FigurePlayer } from "../../../documents.js" */

/** @typedef {FigurePlayer & { label: string }} Player */

const MS = 1e6;

const LETTER = 8.2;
const BESIDE = 40;
const RIGHT = 40;
const LANE = 46;
const NAME = 22;
const TOP = 12;
const ROOMY = 480;
const TICK_ROOM = 72;

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
 * milliseconds. Names stand beside the lanes, above them where it is narrow.
 * @param {Player[]} players
 * @param {string} title
 * @param {number} width  in pixels: letters have the size that the page gives them, whatever it is
 */
export function lanes(players, title, width) {
  const isRoomy = width >= ROOMY;
  const left = isRoomy ? BESIDE + LETTER * Math.max(...players.map(({ label }) => label.length)) : 12;
  const lane_px = LANE + (isRoomy ? 0 : NAME);
  const largest = Math.max(1, ...players.flatMap(({ values }) => values.map(({ ns }) => ns / MS)));
  const step = niceStep(largest, Math.max(2, Math.min(6, Math.floor((width - left - RIGHT) / TICK_ROOM))));
  const end = Math.ceil((largest / step) * 1.0001) * step;
  /** @param {number} ms */
  const x = (ms) => left + ((width - left - RIGHT) * Math.max(0, ms)) / end;
  const height = TOP + lane_px * players.length + 34;
  const ticks = Array.from({ length: Math.round(end / step) + 1 }, (_, index) => index * step);
  return s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
    s("g", { class: "plot-grid" }, ticks.map((ms) => s("line", { x1: x(ms), x2: x(ms), y1: TOP, y2: height - 30 }))),
    s("g", { class: "plot-axis" }, ticks.map((ms) =>
      s("text", { x: x(ms), y: height - 12, "text-anchor": "middle" },
      `${Number(ms.toPrecision(6)).toLocaleString(language)}${ms === end ? " ms" : ""}`))),
    players.map((player, index) => {
      const bottom = TOP + lane_px * (index + 1);
      return lane(player, bottom - LANE / 2, x, isRoomy ? null : bottom - LANE - 4, [left, width - RIGHT]);
    }));
}

/**
 * @param {Player} player
 * @param {number} y
 * @param {(ms: number) => number} x
 * @param {number | null} name_y  of the name above the lane, null where it stands beside it
 * @param {[number, number]} ends
 */
function lane({ colour, label, values, median_ns: middle }, y, x, name_y, ends) {
  const size = values.length > 60 ? 9 : values.length > 25 ? 12 : 15;
  return s("g", { class: "plot-lane" },
    s("line", { class: "plot-base", x1: ends[0], x2: ends[1], y1: y, y2: y }),
    mark(colour, 14, name_y === null ? y : name_y - 1, 20),
    s("text", { class: "plot-name", x: 30, y: (name_y ?? y) + 5 }, label),
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

/**
 * A picture that is drawn anew for the room that it has.
 * @param {(width: number) => Element} draw  in pixels
 */
export function fitting(draw) {
  const frame = h("div", { class: "plot-frame" });
  let drawn = 0;
  new ResizeObserver(([{ contentRect: { width } }]) => {
    if (Math.round(width) === drawn || width === 0) return;
    drawn = Math.round(width);
    frame.replaceChildren(draw(drawn));
  }).observe(frame);
  return frame;
}
