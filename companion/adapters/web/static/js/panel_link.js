// A panel's side of the wire: joins, answers the box's clock at once, and sends what was pressed with its own time.
//
// A press keeps the time the browser stamped on its event; nothing here takes it again. Each input has a number, and
// stays in a queue until the box has answered it: after a lost connection the same inputs are sent with the same
// numbers, so each is taken once. Inputs wait in the queue while the box does not know this page's clock yet.

const SECRET = "companion panel";
/** An input that could not be delivered for so long is given up: the box would refuse it as too late. */
const TOO_OLD_MS = 2000;

export class PanelLink extends EventTarget {
  #connection;
  #queue = [];
  #next = 1;
  #sent = 0;
  #asks = null;
  #joined = false;
  about = null;

  constructor(connection) {
    super();
    this.#connection = connection;
    connection.addEventListener("live", () => this.#join());
    connection.addEventListener("lost", () => {
      this.#joined = false;
      if (this.about) this.about = { ...this.about, ready: false };
      this.#tell();
    });
    connection.addEventListener("sync", ({ detail }) => this.#answerClock(detail.id));
    connection.addEventListener("panel", ({ detail }) => this.#told(detail));
    connection.addEventListener("pressed", ({ detail }) => this.#answered(detail));
    connection.addEventListener("error", ({ detail }) => this.dispatchEvent(new CustomEvent("refused", { detail })));
  }

  get canPress() {
    return Boolean(this.about?.ready);
  }

  /** Ask the referee for a seat. */
  ask(colour) {
    this.#asks = colour;
    if (this.#joined) this.#connection.send({ type: "panel", asks: colour });
  }

  /** Be a panel of one's own: another page has the secret now. */
  startAnew() {
    sessionStorage.removeItem(SECRET);
    this.#queue = [];
    this.#next = 1;
    this.#connection.renew();
  }

  press(button, event, by) {
    return this.#put({ type: "press", button, t_us: stamp(event), by });
  }

  release(button, event, by) {
    return this.#put({ type: "release", button, t_us: stamp(event), by });
  }

  turn(steps, event, by) {
    return this.#put({ type: "turn", steps, t_us: stamp(event), by });
  }

  #put(input) {
    const numbered = { n: this.#next++, ...input };
    this.#queue.push({ message: numbered, made: performance.now() });
    this.#flush();
    return numbered.n;
  }

  #join() {
    const secret = sessionStorage.getItem(SECRET);
    const message = { type: "panel" };
    if (secret) message.client = secret;
    if (this.#asks) message.asks = this.#asks;
    this.#sent = 0;
    this.#joined = true;
    this.#connection.send(message);
  }

  #answerClock(id) {
    this.#connection.send({ type: "sync", id, t_us: Math.round(performance.now() * 1000) });
  }

  #told(about) {
    if (sessionStorage.getItem(SECRET) !== about.client) sessionStorage.setItem(SECRET, about.client);
    this.about = about;
    this.#queue = this.#queue.filter(({ message }) => message.n >= about.next);
    this.#next = Math.max(this.#next, about.next);
    this.#tell();
    this.#flush();
  }

  #answered(answer) {
    const index = this.#queue.findIndex(({ message }) => message.n === answer.n);
    const [entry] = index < 0 ? [null] : this.#queue.splice(index, 1);
    if (index >= 0 && index < this.#sent) this.#sent -= 1;
    this.dispatchEvent(new CustomEvent("answered", { detail: { ...answer, input: entry?.message ?? null } }));
  }

  #flush() {
    const now = performance.now();
    while (this.canPress && this.#joined && this.#sent < this.#queue.length) {
      const { message, made } = this.#queue[this.#sent];
      if (now - made > TOO_OLD_MS && message.type !== "release") {
        this.#queue.splice(this.#sent, 1);
        const why = "the box could not be reached in time";
        this.dispatchEvent(new CustomEvent("answered",
          { detail: { n: message.n, taken: false, why, input: message } }));
      } else if (this.#connection.send(message)) this.#sent += 1;
      else return;
    }
  }

  #tell() {
    this.dispatchEvent(new Event("about"));
  }
}

/** The event's own time in microseconds of this page's clock; now, where a browser's events are not on that clock. */
function stamp(event) {
  const now = performance.now();
  const own = event.timeStamp;
  const isOnOurClock = own > 0 && own <= now + 1 && now - own < 10000;
  return Math.round((isOnOurClock ? own : now) * 1000);
}
