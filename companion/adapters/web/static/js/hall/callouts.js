// Tones and a voice for the whole room: off until somebody switches them on, and then remembered in this browser.
import { h } from "../frame/dom.js";
import { begin, sound } from "../frame/sound.js";
import { required } from "../frame/words.js";

/** @import { State, Tone } from "../../../documents.js" */

/** @typedef {"tones" | "voice"} Kind */

const SETTING = "companion hall";
const HIDES_MS = 4000;
const MOST_WAITING = 6;

/** @returns {Partial<Record<Kind, boolean>>} */
function settings() {
  try {
    return JSON.parse(localStorage.getItem(SETTING) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Kind} kind */
export const isOn = (kind) => settings()[kind] === true;

/** Whether this browser can speak. */
const canSpeak = () => "speechSynthesis" in globalThis;

let waiting = 0;

/**
 * Say a sentence aloud, after those that wait; where too many do, they are left out, for they are old.
 * @param {string} text
 */
export function speak(text) {
  if (!canSpeak() || !isOn("voice")) return;
  if (waiting >= MOST_WAITING) silence();
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  waiting += 1;
  said.onend = said.onerror = () => {
    waiting = Math.max(0, waiting - 1);
  };
  speechSynthesis.speak(said);
}

function silence() {
  waiting = 0;
  if (canSpeak()) speechSynthesis.cancel();
}

/**
 * The tone for what is new in a state, null for none.
 * @param {State | null} before
 * @param {State} state
 * @returns {Tone | null}
 */
export function toneOf(before, state) {
  if (before === null || before.match?.id !== state.match?.id) return null;
  if (flags(state) > flags(before)) return "time is up";
  if (required(state).length > required(before).length) return "your choice";
  const [old, race] = [before.race, state.race];
  if (race === null) return null;
  const isSame = old?.number === race.number;
  const punished = race.rows.filter(({ verdict }) => verdict === "punish").length;
  if (punished > (isSame ? old.rows.filter(({ verdict }) => verdict === "punish").length : 0)) return "punished";
  return race.rows.length > (isSame ? old.rows.length : 0) ? "accepted" : null;
}

/** @param {State} state */
const flags = ({ clocks }) => clocks.filter(({ flag }) => flag !== null).length;

/** @param {Tone | null} tone */
export function call(tone) {
  if (tone !== null && isOn("tones")) sound(tone);
}

/**
 * The switches. They hide themselves, and come back when something moves, is touched or has the focus.
 * @param {HTMLElement} element
 */
export function controls(element) {
  element.append(
    toggle("tones", "Sound", () => begin()),
    canSpeak() ? toggle("voice", "Voice", (on) => (on ? speak("The voice is on.") : silence())) : "",
    h("button", { type: "button", class: "button", id: "full", onclick: () => fullScreen() }, "Full screen"),
    h("a", { class: "button", href: "/" }, "Leave"));
  let timer = 0;
  const silent = h("p", { class: "problem" }, "Click once: this browser is silent until then.");
  const hide = () => isSilent() || element.classList.add("is-hidden");
  const come = () => {
    silent.hidden = !isSilent();
    element.classList.remove("is-hidden");
    clearTimeout(timer);
    timer = setTimeout(hide, HIDES_MS);
  };
  element.prepend(silent);
  for (const kind of ["pointermove", "pointerdown", "keydown", "click", "focusin"]) addEventListener(kind, come);
  addEventListener("pointerdown", () => isOn("tones") && begin());
  come();
}

/** Whether something is switched on and the browser does not let it be heard, because nobody has touched the page. */
const isSilent = () => (isOn("tones") || isOn("voice")) && navigator.userActivation?.hasBeenActive === false;

/**
 * @param {Kind} kind
 * @param {string} name
 * @param {(on: boolean) => void} then
 */
function toggle(kind, name, then) {
  const label = () => `${name}: ${isOn(kind) ? "on" : "off"}`;
  /** @param {MouseEvent & { currentTarget: HTMLButtonElement }} event */
  const change = ({ currentTarget: button }) => {
    const on = !isOn(kind);
    localStorage.setItem(SETTING, JSON.stringify({ ...settings(), [kind]: on }));
    button.setAttribute("aria-pressed", String(on));
    button.textContent = label();
    then(on);
  };
  return h("button", { type: "button", class: "button", id: kind, "aria-pressed": String(isOn(kind)), onclick: change },
    label());
}

function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
}
