// The one WebSocket of a page: keeps it alive, takes it up again after a loss, and hands on what the box sends.
// Events: each message's type ("state", "oled", …) with the message as `detail`, "live" and "lost".

import { language } from "../frame/say.js";

/** @import { FromBox, Hello, State, ToBox } from "../../../documents.js" */

/** @typedef {{ [M in FromBox as M["type"]]: M } & { live: Hello, lost: { was: boolean } }} Events */

const PING_MS = 4000;
const SILENCE_MS = 9000;
/** After a sleep, a connection that is quiet for so long is taken for gone: phones cut it without a word. */
const AWAKE_MS = 1500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;

export class Connection extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {boolean} */
  #oled;
  /** @type {number | null} */
  #seq = null;
  /** @type {string | null} */
  #box = null;
  #wait = FIRST_WAIT_MS;
  #retry = 0;
  #heard = 0;
  /** @type {State | null} */
  state = null;
  /** @type {Hello | null} */
  hello = null;
  isLive = false;

  constructor({ oled = false } = {}) {
    super();
    this.#oled = oled;
    setInterval(() => this.#check(), PING_MS);
    addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#wakeUp();
    });
    addEventListener("pageshow", (event) => {
      if (event.persisted) this.#wakeUp();
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

  open() {
    clearTimeout(this.#retry);
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    if (this.#seq !== null && this.#box !== null) {
      address.searchParams.set("since", String(this.#seq));
      address.searchParams.set("box", this.#box);
    }
    address.searchParams.set("language", language);
    if (this.#oled) address.searchParams.set("oled", "1");
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#take(event);
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
    return this;
  }

  /**
   * Send a message; tells whether it could be handed over (not whether it arrives).
   * @param {ToBox} message
   */
  send(message) {
    if (!this.isLive || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Connect anew at once: who may do what has changed. */
  renew() {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost(0);
  }

  /** @param {boolean} oled */
  watch(oled) {
    this.#oled = oled;
    this.send({ type: "watch", oled });
  }

  /** @param {MessageEvent<string>} event */
  #take(event) {
    this.#heard = performance.now();
    /** @type {FromBox} */
    const message = JSON.parse(event.data);
    if (message.type === "hello") {
      this.hello = message;
      this.#wait = FIRST_WAIT_MS;
      if (message.box !== this.#box || !message.resumed) this.#seq = message.seq;
      this.#box = message.box;
      this.isLive = true;
      this.#tell("live", message);
    } else if (message.type === "event") {
      this.#seq = message.seq;
    } else if (message.type === "state") {
      this.state = message.state;
    }
    this.#tell(message.type, message);
  }

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {Events[K]} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #lost(wait = this.#wait) {
    const was = this.isLive;
    this.isLive = false;
    this.#tell("lost", { was });
    this.#again(wait);
    this.#wait = Math.min(LONGEST_WAIT_MS, this.#wait * 1.7);
  }

  /** @param {number} wait */
  #again(wait) {
    if (this.isLive) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#socket?.readyState === WebSocket.CONNECTING) return;
      this.open();
    }, wait * (0.7 + 0.6 * Math.random()));
  }

  /** The page was away: see whether the connection still is one, and else make another at once. */
  #wakeUp() {
    if (!this.isLive) {
      this.#again(0);
      return;
    }
    const heard = this.#heard;
    this.#check();
    setTimeout(() => {
      if (this.isLive && this.#heard === heard) this.renew();
    }, AWAKE_MS);
  }

  #check() {
    if (!this.isLive) return;
    if (performance.now() - this.#heard > SILENCE_MS) this.renew();
    else this.send({ type: "ping" });
  }
}
