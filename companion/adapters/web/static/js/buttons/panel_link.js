// A panel's side of the wire: joins, answers the box's clock at once, and sends what was pressed with its own time.
//
// A press keeps the time the browser stamped on its event; nothing here takes it again. Each input has a number, and
// stays in a queue until the box has answered it: after a lost connection the same inputs are sent with the same
// numbers, so each is taken once. Inputs wait in the queue while the box does not know this page's clock yet.

/**
 * @import {
 *   Button, By, Colour, ErrorMessage, Made, Numbered, PanelInput, PanelMessage, Pressed, SecretMessage, SwitchMessage,
 *   ToBox
 * } from "../../../documents.js"
 */
/** @import { Connection } from "../wire/connection.js" */

/**
 * What becomes of an input: what the box answered, or that it was given up here.
 * @typedef {Omit<Pressed, "type" | "error_ms" | "arrival"> &
 *   { error_ms?: number | null, arrival?: string | null, input: Numbered | null }} Answer
 */
/** @typedef {{ about: null, answered: Answer, refused: ErrorMessage }} Events */

import { clockStep, touchInterval } from "./trial.js";
import { say } from "../frame/say.js";

const SECRET = "companion panel";
/** Where the secret of a phone that has a seat is kept for later: it comes back to its place, in whatever tab. */
const SEATED = "companion seat";
/** What the box says to one that is no panel, or no longer. */
const OUTSIDE = ["shut", "place_lost"];
/** What tells that a hand let go; all else (a call comes in, the page is left) takes the finger or the key away. */
const LET_GO = ["pointerup", "keyup", "click"];
/** An input that could not be delivered for so long is given up: the box would count it from when it came. */
const TOO_OLD_MS = 2000;

export class PanelLink extends EventTarget {
  /** @type {Connection} */
  #connection;
  /** @type {{ message: Numbered, made: number }[]} */
  #queue = [];
  #next = 1;
  #sent = 0;
  /** @type {Colour | null} */
  #asks = null;
  #joined = false;
  /**
   * Why this page is no panel now.
   * @type {ErrorMessage | null}
   */
  outside = null;
  /** @type {PanelMessage | null} */
  about = null;
  /**
   * The private choices of the seat this panel plays; the box tells no other page.
   * @type {SecretMessage | null}
   */
  secret = null;
  /**
   * What the seat this panel plays is offered, where it scans by a switch.
   * @type {SwitchMessage | null}
   */
  switch = null;

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.#connection = connection;
    connection.on("live", () => {
      if (this.outside?.code !== "place_lost") this.#join(); // a page that was taken over does not take back by itself
    });
    connection.on("lost", () => {
      this.#joined = false;
      this.secret = null;
      if (this.about) this.about = { ...this.about, ready: false };
      this.#tell();
    });
    connection.on("sync", ({ detail }) => this.#answerClock(detail.id));
    connection.on("panel", ({ detail }) => this.#told(detail));
    connection.on("secret", ({ detail }) => {
      this.secret = detail.choices.length ? detail : null;
      this.#tell();
    });
    connection.on("switch", ({ detail }) => {
      this.switch = detail.seat ? detail : null;
    });
    connection.on("pressed", ({ detail }) => this.#answered(detail));
    connection.on("error", ({ detail }) => this.#refused(detail));
    connection.on("state", ({ detail }) => {
      if (this.outside?.code === "shut" && detail.state.door_open) this.#join();
    });
  }

  /**
   * Listen: `addEventListener` with what belongs to each type.
   * @template {keyof Events} K
   * @param {K} type
   * @param {(event: CustomEvent<Events[K]>) => void} listener
   */
  on(type, listener) {
    this.addEventListener(type, /** @type {EventListener} */ (listener));
  }

  get canPress() {
    return Boolean(this.about?.ready);
  }

  /**
   * Ask the referee for a seat.
   * @param {Colour} colour
   */
  ask(colour) {
    this.#asks = colour;
    if (this.#joined) this.#connection.send({ type: "panel", asks: colour });
  }

  /** Ask for no seat any more. */
  forget() {
    this.#asks = null;
  }

  /** Be the panel again that another page has taken over. */
  takeBack() {
    this.#join();
  }

  /** Be a panel of one's own: another page has the secret now. */
  startAnew() {
    sessionStorage.setItem(SECRET, "");
    this.outside = null;
    this.#queue = [];
    this.#next = 1;
    this.#connection.renew();
  }

  /**
   * @param {Button} button
   * @param {Event} event
   * @param {By} by
   */
  press(button, event, by) {
    return this.#put({ type: "press", button, t_us: stamp(event), by });
  }

  /**
   * @param {Button} button
   * @param {Event} event
   * @param {By} by
   */
  release(button, event, by) {
    return this.#put({ type: "release", button, t_us: stamp(event), by, seen: LET_GO.includes(event.type) });
  }

  /**
   * @param {number} steps
   * @param {Event} event
   * @param {By} by
   */
  turn(steps, event, by) {
    return this.#put({ type: "turn", steps, t_us: stamp(event), by });
  }

  /**
   * When a choice was tapped, by this page's clock, and by what.
   * @param {MouseEvent} event
   * @returns {Made}
   */
  made(event) {
    const by = event.detail === 0 ? "key" : "pointerType" in event && event.pointerType === "mouse" ? "mouse" : "touch";
    return { t_us: stamp(event), by };
  }

  /**
   * @param {PanelInput} input
   * @returns {number} the input's number
   */
  #put(input) {
    const numbered = { n: this.#next++, ...input };
    this.#queue.push({ message: numbered, made: performance.now() });
    this.#flush();
    return numbered.n;
  }

  #join() {
    const secret = sessionStorage.getItem(SECRET) ?? localStorage.getItem(SEATED);
    /** @type {Extract<ToBox, { type: "panel" }>} */
    const message = { type: "panel" };
    if (secret) message.client = secret;
    if (this.#asks) message.asks = this.#asks;
    this.#sent = 0;
    this.#joined = true;
    this.outside = null;
    this.#connection.send(message);
    this.tellDevice();
  }

  /** Tell the box what this device adds to the time of a press, as far as that is known here. */
  tellDevice() {
    const step = clockStep();
    if (!this.#joined || step === null) return;
    this.#connection.send({ type: "tried", step_us: step, touch_us: touchInterval() });
  }

  /** @param {number} id */
  #answerClock(id) {
    this.#connection.send({ type: "sync", id, t_us: Math.round(performance.now() * 1000) });
  }

  /** @param {PanelMessage} about */
  #told(about) {
    if (sessionStorage.getItem(SECRET) !== about.client) sessionStorage.setItem(SECRET, about.client);
    if (about.seat) localStorage.setItem(SEATED, about.client);
    else if (localStorage.getItem(SEATED) === about.client) localStorage.removeItem(SEATED);
    this.about = about;
    this.outside = null;
    this.#queue = this.#queue.filter(({ message }) => message.n >= about.next);
    this.#next = Math.max(this.#next, about.next);
    this.#tell();
    this.#flush();
  }

  /** @param {ErrorMessage} problem */
  #refused(problem) {
    if (OUTSIDE.includes(problem.code)) {
      this.outside = problem;
      if (this.about) this.about = { ...this.about, ready: false };
      this.#tell();
    }
    this.#emit("refused", problem);
  }

  /** @param {Pressed} answer */
  #answered(answer) {
    const index = this.#queue.findIndex(({ message }) => message.n === answer.n);
    const [entry] = index < 0 ? [null] : this.#queue.splice(index, 1);
    if (index >= 0 && index < this.#sent) this.#sent -= 1;
    this.#emit("answered", { ...answer, input: entry?.message ?? null });
  }

  #flush() {
    const now = performance.now();
    while (this.canPress && this.#joined && this.#sent < this.#queue.length) {
      const { message, made } = this.#queue[this.#sent];
      if (now - made > TOO_OLD_MS && message.type !== "release") {
        this.#queue.splice(this.#sent, 1);
        const why = say("the box could not be reached in time: say aloud what you pressed");
        this.#emit("answered", { n: message.n, taken: false, why, input: message });
      } else if (this.#connection.send(message)) this.#sent += 1;
      else return;
    }
  }

  #tell() {
    this.#emit("about", null);
  }

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {Events[K]} detail
   */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * The event's own time in microseconds of this page's clock; now, where a browser's events are not on that clock.
 * @param {Event} event
 */
function stamp(event) {
  const now = performance.now();
  const own = event.timeStamp;
  const isOnOurClock = own > 0 && own <= now + 1 && now - own < 10000;
  return Math.round((isOnOurClock ? own : now) * 1000);
}
