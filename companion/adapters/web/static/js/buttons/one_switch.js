// The page of a seat that plays by one switch, or two: the whole screen is the switch, and shows what is offered now.
//
// It works by touch wherever a finger lies, by Space and Enter, and by whatever switch sends those keys. With two
// switches there are two halves: Space moves on, and Enter picks. What is offered is felt (as many pulses as its
// number), heard by screen readers, and spoken where that is wished.
import { h, show } from "../frame/dom.js";
import { readOut } from "../frame/speaker.js";
import { say } from "../frame/say.js";
import { capital } from "../frame/words.js";
import { pressable } from "./inputs.js";
import { trembleCue } from "./touch_back.js";

/** @import { Button, By, SwitchMessage } from "../../../documents.js" */

const SPOKEN = "companion spoken cues";

export const canSpeak = () => "speechSynthesis" in window;
export const speaks = () => localStorage.getItem(SPOKEN) === "on";

/** @param {boolean} on */
export function letSpeak(on) {
  localStorage.setItem(SPOKEN, on ? "on" : "off");
  if (!on) speechSynthesis.cancel();
}

/**
 * @param {(label: Button, event: Event, by: By) => void} down
 * @param {(label: Button, event: Event, by: By) => void} up
 */
export function oneSwitch(down, up) {
  const element = h("section", { class: "switches", id: "switches", "aria-label": say("Your switch") });
  /** @type {SwitchMessage | null} */
  let now = null;
  /**
   * The keys that are held down, and what each is.
   * @type {Map<string, Button>}
   */
  const keys = new Map();

  addEventListener("keydown", (event) => {
    const label = keyed(event);
    if (!label || event.target instanceof HTMLElement && event.target.closest("dialog, .menu-opener")) return;
    event.preventDefault();
    if (event.repeat || keys.has(event.code)) return;
    keys.set(event.code, label);
    down(label, event, "key");
  });
  addEventListener("keyup", (event) => {
    const label = keys.get(event.code);
    if (label && keys.delete(event.code)) up(label, event, "key");
  });
  addEventListener("blur", (event) => {
    for (const [code, label] of keys) {
      keys.delete(code);
      up(label, event, "key");
    }
  });

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    if (!now?.picks || (event.key !== " " && event.key !== "Enter")) return null;
    return event.key === " " && now.moves ? now.moves : now.picks;
  }

  /**
   * @param {Button} label
   * @param {string} does
   */
  function half(label, does) {
    const pad = h("button", { type: "button", class: "switch", "data-switch": label, tabindex: "-1" },
      h("span", { class: "does" }, does));
    pressable(pad, (event, by) => down(label, event, by), (event, by) => up(label, event, by));
    return pad;
  }

  /** Draw it: `message` null where this page's seat plays by buttons. @param {SwitchMessage | null} message */
  function render(message) {
    const before = now;
    now = message;
    element.hidden = !message;
    document.body.classList.toggle("is-switch", Boolean(message));
    show(element, [message?.picks, message?.moves], () => {
      if (!message?.picks) return null;
      const halves = [message.moves && half(message.moves, say("Move on")), half(message.picks, "")];
      return [h("div", { class: "offered" }), ...halves];
    });
    const offered = element.querySelector(".offered");
    if (message && offered instanceof HTMLElement) show(offered, [message], () => offeredOf(message));
    if (message?.number && !isSame(before, message)) cue(message);
    else if (before?.number && !message?.number) trembleCue(0);
  }

  return { element, render };
}

/** @param {SwitchMessage} message */
function offeredOf({ title, number, of, says, picked }) {
  if (!number) return [h("p", { class: "offered-title" }, title), h("p", { class: "offered-now" }, say("Press"))];
  return [
    h("p", { class: "offered-title" }, title), h("p", { class: "offered-now", id: "offered" }, capital(says)),
    h("p", { class: "offered-place" }, picked ? say("Picked. Press to choose again") : say("{number} of {of}",
      { number, of })),
  ];
}

/**
 * @param {SwitchMessage | null} one
 * @param {SwitchMessage} other
 */
const isSame = (one, other) => one !== null && one.number === other.number && one.says === other.says
  && one.title === other.title && one.picked === other.picked;

/** Have it felt and heard. @param {SwitchMessage} message */
function cue({ number, says, picked }) {
  const text = picked ? say("{card}: press to choose again", { card: says }) : says;
  trembleCue(number);
  if (canSpeak() && speaks()) {
    speechSynthesis.cancel();
    speechSynthesis.speak(new SpeechSynthesisUtterance(text));
  } else {
    readOut(`${capital(text)}.`);
  }
}
