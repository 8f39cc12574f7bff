// The one WebSocket of a desk's page: keeps it alive, takes it up again after a loss, and has each part that the page
// shows fetched when it is new. Events: "live", "lost", "event", "rows", and "refused" where a part cannot be had.
import { language } from "../frame/say.js";
import { get } from "./api.js";

/** @import { Documents, EventNow, FromDesk, Part, TableRow, Versions } from "../../../tournament/event_documents.js" */

/** @typedef {{ version: number, rows: TableRow[] }} Rows */
/** @typedef {{ live: null, lost: null, refused: unknown, event: EventNow, rows: Rows }} Events */

const PING_MS = 4000;
const SILENCE_MS = 9000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4000;
/** A part that could not be fetched is tried again after so long. */
const AGAIN_MS = 2000;
/** Halls are full of phones: they do not all ask for the standings in the same instant. */
const SPREAD_MS = /** @type {Partial<Record<Part, number>>} */ ({ standings: 1000, pairings: 300 });

/** A part that this page shows: the version that it has, the one that there is, and who shows it. */
class Followed {
  /** @type {number | null} */
  has = null;
  isAsking = false;

  /**
   * @param {Part} part
   * @param {(document: never) => void} show
   * @param {() => boolean} isSeen
   */
  constructor(part, show, isSeen) {
    this.part = part;
    this.show = show;
    this.isSeen = isSeen;
  }

  /** @param {number} version  @returns {boolean} whether it is to be fetched: what nobody sees is, once. */
  lacks(version) {
    return this.has === null || (this.has < version && this.isSeen());
  }
}

export class Live extends EventTarget {
  /** @type {WebSocket | null} */
  #socket = null;
  #tables;
  #wait = FIRST_WAIT_MS;
  #retry = 0;
  #heard = 0;
  /** @type {string | null} */
  #desk = null;
  /** @type {Versions} */
  #versions = {};
  /** @type {Followed[]} */
  #followed = [];
  /** @type {EventNow | null} */
  event = null;
  /** When the event came, by this page's own clock in ms. */
  since = 0;
  isLive = false;

  constructor({ tables = false } = {}) {
    super();
    this.#tables = tables;
    setInterval(() => this.#check(), PING_MS);
    addEventListener("online", () => this.#again(0));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#again(0);
    });
  }

  /**
   * Listen. Whoever listens to the event is told at once what is known of it already.
   * @template {keyof Events} K
   * @param {K} type
   * @param {(detail: Events[K]) => void} listener
   */
  on(type, listener) {
    this.addEventListener(type, (event) => listener(/** @type {CustomEvent<Events[K]>} */ (event).detail));
    const known = this.event;
    if (type === "event" && known !== null) queueMicrotask(() => listener(/** @type {Events[K]} */ (known)));
  }

  /**
   * Show a part now, and again whenever it is new and seen; call `look` when something is seen that was not.
   * @template {Part} P
   * @param {P} part
   * @param {(document: Documents[`/api/${P}`]) => void} show
   * @param {() => boolean} [isSeen]
   */
  follow(part, show, isSeen = () => true) {
    const followed = new Followed(part, /** @type {(document: never) => void} */ (show), isSeen);
    this.#followed.push(followed);
    if (this.isLive) this.#fetch(followed);
  }

  open() {
    clearTimeout(this.#retry);
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("language", language);
    if (this.#tables) address.searchParams.set("tables", "1");
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#heard = performance.now();
    socket.addEventListener("message", (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lost();
    });
    return this;
  }

  /** Ask again for what was refused: somebody may see it now. */
  again() {
    for (const one of this.#followed) if (one.has === null) this.#fetch(one);
  }

  /** Fetch what is seen by now and has become old meanwhile. */
  look() {
    this.#fetchNew(0);
  }

  /** What is left of the round's clock now, in ms; null where there is none. */
  leftMs() {
    const clock = this.event?.clock;
    if (!clock) return null;
    return Math.max(0, clock.left_ms - (clock.is_running ? performance.now() - this.since : 0));
  }

  /** @param {FromDesk} message */
  #take(message) {
    this.#heard = performance.now();
    if (message.type === "hello") {
      if (this.#desk !== message.desk) for (const one of this.#followed) one.has = null; // another start: all is new
      this.#desk = message.desk;
      this.#versions = message.versions;
      this.#wait = FIRST_WAIT_MS;
      this.isLive = true;
      this.#tell("live", null);
      this.#fetchNew(0);
    } else if (message.type === "changed") {
      Object.assign(this.#versions, message.versions);
      this.#fetchNew(1);
    } else if (message.type === "event") {
      this.event = message.event;
      this.since = performance.now();
      this.#tell("event", message.event);
    } else if (message.type === "rows") {
      this.#versions.tables = message.version;
      for (const one of this.#followed) if (one.part === "tables" && one.has !== null) one.has = message.version;
      this.#tell("rows", message);
    }
  }

  /** @param {number} spread  0: at once */
  #fetchNew(spread) {
    for (const one of this.#followed) {
      if (!one.lacks(this.#versions[one.part] ?? 0)) continue;
      const wait = spread * Math.random() * (SPREAD_MS[one.part] ?? 0);
      if (wait) setTimeout(() => this.#fetch(one), wait);
      else this.#fetch(one);
    }
  }

  /** @param {Followed} one */
  async #fetch(one) {
    if (one.isAsking || !this.isLive) return;
    one.isAsking = true;
    try {
      const told = await get(/** @type {`/api/${Part}`} */ (`/api/${one.part}`));
      one.has = told.version;
      one.show(/** @type {never} */ (told));
    } catch (problem) {
      this.#tell("refused", problem);
      setTimeout(() => this.#fetch(one), AGAIN_MS);
    } finally {
      one.isAsking = false;
    }
    if (one.has !== null && one.lacks(this.#versions[one.part] ?? 0)) this.#fetch(one);
  }

  /**
   * @template {keyof Events} K
   * @param {K} type
   * @param {Events[K]} detail
   */
  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  #lost() {
    const wait = this.#wait;
    this.isLive = false;
    this.#tell("lost", null);
    this.#again(wait);
    this.#wait = Math.min(LONGEST_WAIT_MS, wait * 1.7);
  }

  /** @param {number} wait */
  #again(wait) {
    if (this.isLive) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#socket?.readyState !== WebSocket.CONNECTING) this.open();
    }, wait * (0.7 + 0.6 * Math.random()));
  }

  #check() {
    if (!this.isLive) return;
    if (performance.now() - this.#heard > SILENCE_MS) {
      const socket = this.#socket;
      this.#socket = null;
      socket?.close();
      this.#lost();
    } else if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
  }
}
