// What all pages of a desk have: the event's name, whether what is shown is live, what was announced last, the clock.
import { byId, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { readOut } from "../frame/speaker.js";
import { Live } from "./live.js";

/** A connection that is lost is told only after so long: one that is made anew is back by then. */
const GRACE_MS = 600;
const LOST = say("Connection lost. What is shown may be old, and what is typed stays: this page tries again by "
  + "itself.");
const HEARD = "companion announced";

/**
 * Connect a page that has the bar. tables: whether it shows tables as they change.
 * @param {{ tables?: boolean }} [wishes]
 */
export function begin(wishes = {}) {
  const live = new Live(wishes);
  const lamp = h("p", { class: "lamp", id: "lamp" }, say("connecting…"));
  const faults = h("aside", { class: "faults", id: "faults", "aria-label": say("Faults"), hidden: true });
  const announced = h("aside", { class: "announced", id: "announced", "aria-label": say("Announced"), hidden: true });
  byId("bar").append(lamp);
  byId("bar").after(faults, announced);
  followLife(live, (isLost) => {
    lamp.textContent = isLost ? say("connection lost, trying again") : say("live");
    lamp.className = `lamp ${isLost ? "is-lost" : "is-live"}`;
    faults.hidden = !isLost;
    faults.replaceChildren(h("p", null, LOST));
  });
  live.on("event", ({ name, announcements }) => {
    byId("event-name").textContent = name;
    announce(announced, announcements.at(-1));
  });
  document.body.classList.add("is-drawn");
  return live.open();
}

/**
 * Tell whether the connection is lost, once it is for sure, and once it is back.
 * @param {Live} live
 * @param {(isLost: boolean) => void} tell
 */
export function followLife(live, tell) {
  let grace = 0;
  let lost = false;
  live.on("lost", () => {
    if (grace || lost) return;
    grace = setTimeout(() => {
      lost = true;
      document.body.classList.add("is-lost");
      readOut(LOST);
      tell(true);
    }, GRACE_MS);
  });
  live.on("live", () => {
    clearTimeout(grace);
    grace = 0;
    document.body.classList.remove("is-lost");
    if (lost) readOut(say("Connected to the desk again."));
    lost = false;
    tell(false);
  });
}

/**
 * @param {HTMLElement} place
 * @param {{ number: number, text: string } | undefined} newest
 */
function announce(place, newest) {
  if (!newest || place.dataset.number === String(newest.number)) return;
  if (sessionStorage.getItem(HEARD) === `${newest.number} ${newest.text}`) return;
  place.dataset.number = String(newest.number);
  place.hidden = false;
  readOut(newest.text);
  place.replaceChildren(h("p", null, newest.text), h("button", { type: "button", class: "button is-small",
    onclick: () => {
      sessionStorage.setItem(HEARD, `${newest.number} ${newest.text}`);
      place.hidden = true;
    } }, say("Close")));
}

/**
 * The round's clock, which goes by itself.
 * @param {Live} live
 */
export function clockFace(live) {
  const face = h("span", { class: "clock-face", role: "timer" });
  const draw = () => {
    const left = live.leftMs();
    const text = left === null ? "" : clockSays(left);
    if (face.textContent !== text) face.textContent = text;
    face.hidden = left === null;
    face.classList.toggle("is-paused", Boolean(live.event?.clock && !live.event.clock.is_running));
    face.classList.toggle("is-over", left === 0);
  };
  live.on("event", draw);
  setInterval(draw, 250);
  draw();
  return face;
}

/** @param {number} ms */
export function clockSays(ms) {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, "0") : String(part))).join(":");
}
