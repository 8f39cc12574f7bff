// Tones and a voice (`voice.js`) for the whole room: off until somebody switches them on, and kept in this browser.
import { h } from "../frame/dom.js";
import { showMark } from "../frame/edge_mark.js";
import { volumeSlider } from "../frame/senses.js";
import { SIGNS } from "../frame/signs.js";
import { begin, sound } from "../frame/sound.js";
import { canSpeak, isReading, turnVoice } from "../frame/voice.js";
import { required } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { State, Tone } from "../../../documents.js" */

/** @typedef {"tones" | "voice"} Kind */

const SETTING = "companion hall";

/** @returns {Partial<Record<Kind, boolean>>} */
function settings() {
  try {
    return JSON.parse(localStorage.getItem(SETTING) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Kind} kind */
export const isOn = (kind) => (kind === "voice" ? isReading() : settings()[kind] === true);

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

/**
 * What is heard here is also seen.
 * @param {Tone | null} tone
 */
export function call(tone) {
  if (tone === null || !isOn("tones")) return;
  sound(tone);
  showMark(SIGNS[tone]);
}

/**
 * The switches. They hide themselves, and come back when something moves, is touched or has the focus, or the page
 * calls what this gives, as it does once it knows how long they stay.
 * @param {HTMLElement} element
 * @param {() => number | null} hidesAfter  milliseconds; null: they stay
 * @returns {() => void}
 */
export function controls(element, hidesAfter) {
  element.append(
    toggle("tones", say("Sound"), () => begin()), volumeSlider(),
    canSpeak() ? toggle("voice", say("Voice"), turnVoice) : "",
    h("button", { type: "button", class: "button", id: "full", onclick: () => fullScreen() }, say("Full screen")),
    h("a", { class: "button", href: "/" }, say("Leave")));
  let timer = 0;
  const silent = h("p", { class: "problem" }, say("Click once: this browser is silent until then."));
  const hide = () => isSilent() || element.classList.add("is-hidden");
  const come = () => {
    silent.hidden = !isSilent();
    element.classList.remove("is-hidden");
    clearTimeout(timer);
    const after = hidesAfter();
    if (after !== null) timer = setTimeout(hide, after);
  };
  element.prepend(silent);
  for (const kind of ["pointermove", "pointerdown", "keydown", "click", "focusin"]) addEventListener(kind, come);
  addEventListener("pointerdown", () => isOn("tones") && begin());
  come();
  return come;
}

/** Whether something is switched on and the browser does not let it be heard, because nobody has touched the page. */
const isSilent = () => (isOn("tones") || isOn("voice")) && navigator.userActivation?.hasBeenActive === false;

/**
 * @param {Kind} kind
 * @param {string} name
 * @param {(on: boolean) => void} then
 */
function toggle(kind, name, then) {
  const label = () => (isOn(kind) ? say("{name}: on", { name }) : say("{name}: off", { name }));
  /** @param {MouseEvent & { currentTarget: HTMLButtonElement }} event */
  const change = ({ currentTarget: button }) => {
    const on = !isOn(kind);
    if (kind !== "voice") localStorage.setItem(SETTING, JSON.stringify({ ...settings(), [kind]: on }));
    then(on);
    button.setAttribute("aria-pressed", String(on));
    button.textContent = label();
  };
  return h("button", { type: "button", class: "button", id: kind, "aria-pressed": String(isOn(kind)), onclick: change },
    label());
}

function fullScreen() {
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen?.();
  done?.catch(() => {});
}
