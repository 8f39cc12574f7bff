// A player's page: one line for whoever sits there, and the four buttons of a seat with what each does now. What is
// said comes from the box, to this page alone (`me`); only what the box cannot say, as it is not heard, is said here.
import { stayAwake } from "./buttons/awake.js";
import { inHand } from "./buttons/in_hand.js";
import { pressable } from "./buttons/inputs.js";
import { heed } from "./buttons/own_wishes.js";
import { oneSwitch } from "./buttons/one_switch.js";
import { objections } from "./buttons/objections.js";
import { PanelLink } from "./buttons/panel_link.js";
import { turnedCard } from "./buttons/turned_card.js";
import { phoneMenu } from "./buttons/phone_menu.js";
import { newsFor, tremble } from "./buttons/touch_back.js";
import { byId, h, maybe, show } from "./frame/dom.js";
import { showMark } from "./frame/edge_mark.js";
import { SIGNS } from "./frame/signs.js";
import { play, wake } from "./frame/sound.js";
import { followBox } from "./frame/simple.js";
import { readOut } from "./frame/speaker.js";
import { capital, colourSays } from "./frame/words.js";
import { scanKey, scanner } from "./scanning/opener.js";
import { clockBoard } from "./shown/clocks.js";
import { whyButton } from "./shown/explained.js";
import { cards, onState } from "./shown/looks.js";
import { buttonPicture, isColour, token } from "./shown/symbols.js";
import { Connection } from "./wire/connection.js";
import { say } from "./frame/say.js";

/** @import { Button, By, Colour, Me, Mood, MyButton, Sign, Tone } from "../../documents.js" */
/** @import { Answer } from "./buttons/panel_link.js" */

/** @typedef {{ mood: Mood | "lost", headline: string, detail: string }} Line */

/**
 * The shape that goes with each mood, so that none is told by colour alone.
 * @type {Record<Line["mood"], string>}
 */
const MARKS = { guest: "?", wait: "…", open: "●", turn: "▶", choose: "?", taken: "✓", good: "★", bad: "✕", late: "!",
  over: "■", lost: "!" };
/**
 * Of each sign its tone; that a race is open is said by the line, and by a voice.
 * @type {Map<Sign, Tone>}
 */
const TONES = new Map(Object.entries(SIGNS).map(([tone, sign]) => [sign, /** @type {Tone} */ (tone)]));
/** A connection that is lost is told only after so long: most are back at once. */
const GRACE_MS = 400;
/** @type {Record<string, Line>} */
const FAULTS = {
  connecting: { mood: "wait", headline: say("Connecting…"), detail: "" },
  lost: { mood: "lost", headline: say("Connection lost"),
    detail: say("Keep this page open: it connects by itself. No press counts until then.") },
  clock: { mood: "wait", headline: say("One moment"),
    detail: say("The box compares clocks with this phone; then presses count.") },
};

/** @type {Line} */
const OUTSIDE = { mood: "lost", headline: say("No buttons here"), detail: "" };

const connection = new Connection();
const link = new PanelLink(connection);
/** @type {Me | null} */
let me = null;
let isLost = false;
/**
 * What this page says until the box says something new: of a press that did not reach it.
 * @type {Line | null}
 */
let own = null;
/**
 * The number of an input under way: what it is about.
 * @type {Map<number, Button>}
 */
const numbers = new Map();
/**
 * The buttons that are held down.
 * @type {Set<Button>}
 */
const held = new Set();

const seat = h("p", { class: "seat-now", id: "seat" });
const line = h("section", { class: "line", id: "line", "aria-label": say("For you") });
const clocks = clockBoard();
const pads = h("section", { class: "pads", id: "pads", "aria-label": say("Buttons") });
const note = h("p", { class: "note", id: "note" });
const scan = scanner([sendCode, { isForOne: true }], (why) => {
  note.textContent = why;
  readOut(why);
});
const scanHere = scanKey("scan", scan.open);
const turned = turnedCard((card) => connection.send({ type: "card", card }), scan.open);
const hand = inHand();
const foot = h("div", { class: "objections", id: "objections" });
const switches = oneSwitch(down, up);
const menu = phoneMenu(link, () => me?.seat ?? null, leave, (card) => connection.send({ type: "sit", card }));
byId("play").append(h("header", { class: "top" }, seat, menu.opener), clocks.element, line, pads,
  h("footer", { class: "foot" }, note, hand.opener, turned.opener, scanHere, foot), switches.element);

connection.on("me", ({ detail }) => told(detail));
connection.on("noted", ({ detail }) => {
  note.textContent = `${capital(detail.says)}.`;
  readOut(note.textContent);
});
connection.on("live", () => {
  clearTimeout(grace);
  isLost = false;
  render();
});
let grace = 0;
connection.on("lost", () => {
  clearTimeout(grace);
  grace = setTimeout(() => {
    isLost = true;
    render();
  }, GRACE_MS);
  render();
});
link.on("about", () => {
  const { about } = link;
  if (me?.seat && about && about.seat === null && about.asks === null) wish(null); // another phone plays it now
  render();
});
connection.on("switch", render);
connection.on("wishes", ({ detail }) => heed(detail));
link.on("answered", ({ detail }) => answered(detail));
link.on("refused", ({ detail }) => {
  if (link.outside) render();
  else note.textContent = `${capital(detail.message)}.`;
});
onState(connection, render);
followBox(connection);
for (const type of ["pointerdown", "keydown"]) {
  addEventListener(type, () => {
    wake();
    stayAwake();
  }, { passive: true });
}
addEventListener("hashchange", askAsTold);
for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
  addEventListener(type, (event) => { // what is lifted where its button was a moment ago: that has gone from the page
    const isThere = (/** @type {Button} */ label) =>
      maybe(document.body, `[data-button="${label}"], [data-switch="${label}"]`);
    for (const label of [...held]) if (!isThere(label)) up(label, event, "touch");
  });
}
askAsTold();
stayAwake();
render();
connection.open();

// -- the seat ---------------------------------------------------------------------------------------------------------

/** Ask for the seat that the address names: a QR code leads here. */
function askAsTold() {
  const wished = new URLSearchParams(location.hash.slice(1)).get("seat");
  if (isColour(wished)) link.ask(wished);
}

/** @param {Colour | null} colour */
function wish(colour) {
  history.replaceState(null, "", colour ? `#seat=${colour}` : location.pathname);
  if (colour) link.ask(colour);
  else link.forget();
}

function leave() {
  connection.send({ type: "leave" });
  wish(null);
}

// -- what is shown ----------------------------------------------------------------------------------------------------

/** @param {Me} now */
function told(now) {
  const news = newsFor(me, now);
  if (news) tellBy(news);
  const isNew = me?.headline !== now.headline || me.detail !== now.detail;
  me = now;
  if (isNew) {
    own = null;
    readOut([now.headline, now.detail].filter(Boolean).map((text) => text.replace(/[.…]?$/, ".")).join(" "));
  }
  render();
}

/**
 * Have something felt, heard and seen.
 * @param {Sign} sign
 */
function tellBy(sign) {
  const tone = TONES.get(sign);
  tremble(sign);
  if (tone) play(tone);
  showMark(sign);
}

function render() {
  const { state } = connection;
  const about = link.about;
  const now = me && state ? me : null;
  document.body.classList.toggle("is-lost", isLost);
  document.body.classList.toggle("is-ready", Boolean(about?.ready) && !link.outside);
  const hasClocks = (state?.clocks.length ?? 0) > 0;
  document.body.classList.toggle("has-clocks", hasClocks);
  clocks.render(state?.clocks ?? [], state?.seats ?? [], state?.match?.id, now?.seat ?? null);
  show(line, [lineNow(), link.outside], () => lineOf(lineNow()));
  line.dataset.mood = lineNow().mood;
  show(seat, [now?.seat, now?.pile, nameOf(now)], () => now && seatOf(now));
  show(pads, [now?.seat, now?.options, now?.seat ? now.buttons.map(({ button }) => button) : now?.colours, about?.asks,
    link.outside?.code], () => now && !link.outside && padsOf(now, about?.asks ?? null));
  if (now?.seat) now.buttons.forEach(fill);
  pads.className = ["pads", now?.seat, now && !now.seat && "is-choice", now?.options.length && "is-list"]
    .filter(Boolean).join(" ");
  show(foot, [now?.seat, state?.can.protest, state?.can.sign, state?.can.none, state?.signed, state?.race?.explained],
    () =>
    now?.seat && state && [whyButton(state, now.seat), objections(now.seat, state, connection)]);
  hand.render(now?.seat && !isLost && !link.outside ? now.in_hand : []);
  turned.render(state, Boolean(now?.enters) && !isLost && !link.outside);
  renderScan(now);
  menu.render(connection.isLive);
  switches.render(now?.seat && link.switch?.seat === now.seat && !link.outside ? link.switch : null);
}

/**
 * The camera may be wanted where this seat enters a card, and where a card answers what it is asked; it makes way for a
 * race, in which nobody's own press waits for it.
 * @param {Me | null} now
 */
function renderScan(now) {
  const race = connection.state?.race;
  const isHere = Boolean(now?.seat) && !isLost && !link.outside && cards().length > 0;
  const mayPick = isHere && Boolean(now?.options.length);
  scanHere.hidden = !mayPick || Boolean(now?.enters);
  if (!(mayPick || (isHere && now?.enters)) || (race?.is_running && !race.asks_card)) scan.close();
}

/** The line as it is now: what the box says, unless it cannot be heard. */
function lineNow() {
  const { outside, about } = link;
  if (isLost) return FAULTS.lost;
  if (outside) return { ...OUTSIDE, detail: `${capital(outside.message)}.` };
  if (!me || !connection.state) return FAULTS.connecting;
  if (own) return own;
  return me.seat && about && !about.ready ? FAULTS.clock : me;
}

/** @param {Line} said */
function lineOf({ mood, headline, detail }) {
  return [
    h("span", { class: "mark-of", "aria-hidden": "true" }, MARKS[mood]),
    h("div", { class: "said" }, h("p", { class: "headline" }, headline), detail && h("p", { class: "detail" }, detail),
      link.outside?.code === "place_lost" && h("p", { class: "actions" },
        h("button", { type: "button", class: "button is-main", id: "take-back", onclick: () => link.takeBack() },
          say("Play here")))),
  ];
}

/** @param {Me | null} now */
function nameOf(now) {
  const found = connection.state?.seats.find(({ colour }) => colour === now?.seat);
  return found?.name ?? found?.title ?? null;
}

/** @param {Me} now */
function seatOf(now) {
  if (!now.seat) return h("span", { class: "brand-mark", "aria-hidden": "true" });
  return [token(now.seat), h("span", { class: "who" }, h("strong", null, nameOf(now) ?? capital(colourSays(now.seat))),
    now.pile && h("span", { class: "pile", id: "pile" }, now.pile))];
}

/**
 * @param {Me} now
 * @param {Colour | null} asks
 */
function padsOf(now, asks) {
  if (!now.seat) return now.colours.map((one) => colourButton(one, asks));
  if (now.options.length > 0) return now.options.map(optionButton);
  return now.buttons.map(({ button }) => pad(button));
}

/**
 * @param {Me["colours"][number]} one
 * @param {Colour | null} asks
 */
function colourButton({ colour, name, says }, asks) {
  return h("button", { type: "button", class: `button colour ${colour}`, "data-key": `ask ${colour}`,
    "aria-pressed": String(asks === colour), "data-asked": say("asked"), onclick: () => wish(colour) },
    token(colour), h("span", null, h("strong", null, capital(colourSays(colour))), name && ` ${name}`,
      says && h("small", null, says)));
}

/** @param {Me["options"][number]} option */
function optionButton({ kind, key, item, label }) {
  return h("button", { type: "button", class: "button option", "data-key": key || `${item} ${label}`,
    onclick: (/** @type {MouseEvent} */ event) => {
      const made = link.made(event);
      if (item === null) connection.send({ type: "choose", kind, option: key, ...made });
      else connection.send({ type: "pick", item, label, ...made });
    } }, label);
}

/**
 * A button. It stays the same element whatever it does: a finger may lie on it.
 * @param {Button} button
 */
function pad(button) {
  const element = h("button", { type: "button", class: "pad", "data-button": button, "data-key": button,
    "aria-pressed": "false" });
  pressable(element, (event, by) => down(button, event, by), (event, by) => up(button, event, by));
  return element;
}

/**
 * Write on a button what it does now.
 * @param {MyButton} my
 * @param {number} index
 */
function fill({ button, label, symbol, says, does }, index) {
  const element = maybe(pads, `[data-button="${button}"]`);
  if (!element) return;
  const isTaken = says === "taken";
  element.classList.toggle("is-idle", !does);
  element.classList.toggle("is-taken", isTaken);
  show(element, [label, symbol, says], () => [
    h("span", { class: "cap" }, buttonPicture({ label, symbol }, index), isTaken && h("span", { class: "tick-mark",
      "aria-hidden": "true" }, "✓")),
    h("span", { class: "says" }, says), says !== label && h("span", { class: "called" }, label)]);
}

// -- what is done -----------------------------------------------------------------------------------------------------

/**
 * @param {Button} label
 * @param {Event} event
 * @param {By} by
 */
function down(label, event, by) {
  if (!link.about?.buttons.includes(label)) return;
  own = null;
  held.add(label);
  numbers.set(link.press(label, event, by), label);
  latch(label, "is-down", true);
  latch(label, "is-sent", true);
}

/**
 * @param {Button} label
 * @param {Event} event
 * @param {By} by
 */
function up(label, event, by) {
  if (!held.delete(label)) return;
  link.release(label, event, by);
  latch(label, "is-down", false);
}

/**
 * @param {Button} label
 * @param {string} name
 * @param {boolean} on
 */
function latch(label, name, on) {
  const element = pads.querySelector(`[data-button="${label}"]`);
  element?.classList.toggle(name, on);
  if (name === "is-down") element?.setAttribute("aria-pressed", String(on));
}

/**
 * Hand the box a code that the camera read, and give what it says of it.
 * @param {string} code
 * @param {number} age
 * @returns {Promise<string>}
 */
function sendCode(code, age) {
  const heard = new AbortController();
  const { signal } = heard;
  const told = new Promise((done, failed) => {
    connection.addEventListener("noted", (event) => done(/** @type {CustomEvent} */ (event).detail.says), { signal });
    connection.addEventListener("error", (event) =>
      failed(new Error(/** @type {CustomEvent} */ (event).detail.message)), { signal });
    connection.addEventListener("lost", () => failed(new Error(FAULTS.lost.headline)), { signal });
    if (!connection.send({ type: "scan", code, age_ms: age })) failed(new Error(FAULTS.lost.headline));
  });
  return told.finally(() => heard.abort());
}

/** @param {Answer} answer */
function answered({ n, taken, why, error_ms: width, arrival, input }) {
  const label = numbers.get(n);
  numbers.delete(n);
  if (label) latch(label, "is-sent", false);
  if (taken && arrival && label) {
    note.textContent = say("Counted from its arrival: load this page again if it stays so.");
    menu.doubted(arrival);
  } else if (taken && label) {
    note.textContent = say("It reached the box, ±{width} ms.", { width: width ?? "?" });
  } else if (!taken && input?.type === "press") {
    own = { mood: "late", headline: say("Not taken"), detail: `${capital(why ?? "")}.` };
    readOut(`${own.headline}. ${own.detail}`);
    tellBy("refused");
    render();
  }
}

