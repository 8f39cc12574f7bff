// Simple screens: one fact at a time, in large letters. A switch on each page; the browser remembers it, an address may
// ask for it ("?simple", "?simple=off"), and else the box's own setting holds.
import { byId, h, show } from "./dom.js";
import { say } from "./say.js";
import { token } from "../shown/symbols.js";

/** @import { Connection } from "../wire/connection.js" */
/** @import { Fact } from "../../../documents.js" */

const SETTING = "companion simple";
const ON = "is-simple";

/** @type {boolean | null} */
let chosen = read();
/** What the seat's player wants by a profile; null for nothing. @type {boolean | null} */
let wished = null;
let ofBox = false;
/** @type {Set<() => void>} */
const followers = new Set();

/** What the address or this browser says; null where neither does. */
function read() {
  const asked = new URLSearchParams(location.search).get("simple");
  if (asked !== null) return !["off", "0", "no"].includes(asked);
  const kept = localStorage.getItem(SETTING);
  return kept === null ? null : kept === "on";
}

export const isSimple = () => chosen ?? wished ?? ofBox;

/** @param {boolean} on */
export function makeSimple(on) {
  chosen = on;
  localStorage.setItem(SETTING, on ? "on" : "off");
  apply();
}

/** @param {boolean | null} on */
export function wishSimple(on) {
  if (on === wished) return;
  wished = on;
  apply();
}

function apply() {
  document.documentElement.classList.toggle(ON, isSimple());
  for (const follower of followers) follower();
}

/** The switch. */
export function simpleSwitch() {
  const element = h("button", { type: "button", class: "button is-small", id: "simple-screen",
    onclick: () => makeSimple(!isSimple()) }, say("Simple screen"));
  const follow = () => element.setAttribute("aria-pressed", String(isSimple()));
  followers.add(follow);
  follow();
  return element;
}

/**
 * Keep to what the box says, where nothing else does.
 * @param {Connection} connection
 */
export function followBox(connection) {
  connection.on("state", () => {
    const now = connection.state?.shows.simple ?? false;
    if (now === ofBox) return;
    ofBox = now;
    apply();
  });
}

/**
 * One fact of the state after the other, below the bar, as long as screens are simple.
 * @param {Connection} connection
 */
export function factsPanel(connection) {
  let index = 0;
  let first = "";
  const element = h("section", { class: "simple-facts plate", id: "facts", "aria-label": say("In simple words"),
    hidden: true });
  byId("bar").after(element);
  const render = () => {
    const { state } = connection;
    const facts = state?.facts ?? [];
    if (facts[0]?.says !== first) index = 0; // something new stands first
    first = facts[0]?.says ?? "";
    index = Math.min(index, Math.max(0, facts.length - 1));
    element.hidden = !isSimple() || facts.length === 0;
    const count = facts.length;
    show(element, [facts[index], index, count], () => count > 0 && one(facts[index], index, count));
  };
  /**
   * @param {Fact} fact
   * @param {number} place
   * @param {number} count
   */
  const one = (fact, place, count) => [
    h("p", { class: "fact" }, fact.seat && token(fact.seat), " ", fact.says),
    count > 1 && h("p", { class: "actions" },
      h("button", { type: "button", class: "button is-main", id: "fact-next", "data-key": "next", onclick: () => {
        index = (index + 1) % count;
        render();
      } }, say("Next")),
      h("span", { class: "label" }, say("{place} of {count}", { place: place + 1, count }))),
  ];
  followers.add(render);
  connection.on("state", render);
}

apply();
