// The referee's desk: the PIN, then everything a referee does. Each part is a module of its own.
import { bar } from "./bar.js";
import { Connection } from "./connection.js";
import { byId, h, part, show } from "./dom.js";
import { get, messageOf, post, Refused, removeSession } from "./api.js";
import { actions } from "./actions.js";
import { box } from "./box.js";
import { cardEntry } from "./cards.js";
import { onState } from "./looks.js";
import { disputes } from "./disputes.js";
import { byPin, loginForm } from "./login.js";
import { byHand, offerList } from "./offers.js";
import { late, order, raceHead, setWindow, statusSentence, touching, windowBar } from "./race.js";
import { matchForm } from "./match_form.js";
import { oled } from "./oled.js";
import { replaceCall } from "./replace.js";
import { seatList } from "./seats.js";
import { say, sayNews } from "./speaker.js";
import { COLOURS, isColour } from "./symbols.js";
import { capital, required, victory, who } from "./words.js";

/** @import { Bodies, Commands, Session, Question, State } from "../../documents.js" */
/** @import { Child } from "./dom.js" */

/**
 * What the parts of the desk are given. act: have something done; whatever the box refuses is said; tells whether it
 * was done. seen: how many lines the record has as this page shows it.
 * @typedef {{
 *   act: <A extends keyof Commands>(address: A, body: Bodies[A]) => Promise<boolean>,
 *   seen: () => number | undefined,
 *   connection: Connection,
 * }} Desk
 */

const ENDED = "The session has ended: enter the PIN again.";
const connection = new Connection({ oled: true });
/** @type {Session | null} */
let session = null;
/** @type {ReturnType<typeof partsOf> | null} */
let parts = null;

bar(connection);
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.on("rights", ({ detail }) => {
  if (parts && !detail.referee) logIn(ENDED);
});
begin();

async function begin() {
  const pin = /^#pin=(\d{4,12})$/.exec(location.hash)?.[1];
  if (location.hash) history.replaceState(null, "", location.pathname);
  try {
    session = await get("/api/session");
    if (!session.referee && pin) session = await byPin(pin);
  } catch (problem) {
    logIn(messageOf(problem));
    return;
  }
  if (session.referee) open();
  else logIn();
}

// -- the PIN ----------------------------------------------------------------------------------------------------------

function logIn(said = "") {
  parts = null;
  byId("desk").replaceChildren(loginForm(said, (opened) => {
    session = opened;
    open();
  }));
  if (!connection.isLive) connection.open();
}

async function leave() {
  await removeSession().catch(() => {});
  session = null;
  connection.renew();
  logIn();
}

// -- doing ------------------------------------------------------------------------------------------------------------

/** @type {Desk["act"]} */
async function act(address, body) {
  if (parts) parts.problem.hidden = true;
  try {
    const done = await post(address, body);
    say(`${capital(done.says)}.`);
    return true;
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) {
      logIn(ENDED);
      return false;
    }
    if (parts) {
      parts.problem.textContent = capital(messageOf(problem));
      parts.problem.hidden = false;
    }
    say(messageOf(problem));
    return false;
  }
}

const seen = () => connection.state?.match?.lines;

// -- the desk ---------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function partsOf(desk) {
  return {
    problem: h("p", { class: "problem", id: "problem", role: "alert", hidden: true }),
    race: h("div", { id: "race" }),
    closing: windowBar(),
    wanted: h("div", { class: "wanted", id: "wanted" }),
    offers: offerList(desk),
    byHand: byHand(desk),
    seats: h("div"),
    phones: h("div"),
    cards: cardEntry(desk),
    actions: actions(desk),
    form: matchForm(desk),
    replace: replaceCall(desk),
    disputes: disputes(desk),
  };
}

function open() {
  /**
   * @param {string} id
   * @param {string | null} title
   * @param {...Child} content
   */
  const plate = (id, title, ...content) => h("section", { class: `plate ${id}`, id, "aria-labelledby": `${id}-title` },
    title && h("h2", { id: `${id}-title` }, title), content);
  parts = partsOf({ act, seen, connection });
  const columns = h("div", { class: "desk" },
    h("div", { class: "column" },
      plate("now", null, parts.race, parts.closing, parts.wanted, parts.offers.element),
      plate("entry", "Card turned up", parts.cards.element),
      plate("new-match", "New match", parts.form.element)),
    h("div", { class: "column" },
      plate("act", "Rulings", parts.actions.element),
      plate("by-hand", "Set by hand", parts.byHand.element),
      plate("disputes", "Protests and signatures", parts.disputes.element),
      plate("replace", "Replace a call", parts.replace.element),
      plate("score", "Score", parts.seats),
      plate("phones", "Phones as buttons", parts.phones),
      plate("screen", "The box’s display", oled(connection)),
      plate("box", "This box", box(leave))));
  byId("desk").replaceChildren(parts.problem, columns);
  if (connection.isLive) connection.renew(); // the cookie is looked at when a connection begins
  else connection.open();
  if (connection.state) render(connection.state);
}

/** @param {State} state */
function render(state) {
  if (!parts) return;
  const hasMatch = state.match !== null;
  const isOver = Boolean(state.match?.over);
  byId("now").hidden = false;
  byId("entry").hidden = !state.can.reveal || state.cards.length === 0;
  byId("new-match").hidden = hasMatch && !isOver;
  byId("act").hidden = !hasMatch;
  byId("by-hand").hidden = state.adjustable.length === 0;
  byId("replace").hidden = !hasMatch;
  byId("disputes").hidden = !isOver && state.protests.length + state.can.protest.length === 0;
  byId("score").hidden = !hasMatch;
  const race = state.race && { ...state.race, closes_in_ms: null };
  show(parts.race, [race, state.seats, state.phase, state.game, state.leaders], () => now(state));
  setWindow(parts.closing, state);
  show(parts.wanted, [state.phase, required(state).length, state.can, state.question, state.turn, state.seats,
    race?.asks_card], () => wanted(state));
  show(parts.seats, [state.seats, state.hidden, state.leaders, state.phase, required(state).length, state.can.reveal,
    race?.is_running, race?.asks_card, state.protests, state.signed], () => seatList(state));
  show(parts.phones, [state.phones, state.seats, state.door_open], () => phones(state));
  parts.offers.render(state);
  parts.byHand.render(state);
  parts.cards.render(state);
  parts.actions.render(state);
  parts.form.render(state);
  parts.replace.render(state);
  parts.disputes.render(state);
}

/** @param {State} state */
function now(state) {
  if (state.match === null) return h("h2", { id: "now-title" },
    state.phase === "offer" ? "A match was cut off" : "No match is running");
  if (state.race === null) return h("h2", { id: "now-title" }, state.game.title);
  const head = raceHead(state);
  part(head, "h2").id = "now-title";
  return [head, order(state), touching(state), late(state)];
}

/**
 * Every seat agrees to the allowances, by a button of its own, or by the referee whom it has told.
 * @param {Question} question
 */
function consents(question) {
  const by = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: 40, required: true }));
  return [
    h("p", { class: "sentence" }, [question.title, ...question.lines].join(" · ")),
    h("label", { class: "field" }, h("span", null, "Your name, for the record"), by),
    h("p", { class: "actions" }, question.missing.map((seat) => h("button", { type: "button", class: "button",
      "data-consent": seat, onclick: () => by.reportValidity() && act("/api/consent", { seat, by: by.value }) },
      `${capital(seat)} has told me to agree`))),
  ];
}

/** @param {State} state */
function wanted(state) {
  if (state.phase === "offer" && state.question) {
    return [
      h("p", { class: "sentence" }, [state.question.title, ...state.question.lines].join(" · ")),
      h("p", { class: "actions" },
        h("button", { type: "button", class: "button is-main", onclick: () => act("/api/resume", { resume: true }) },
          "Take it up"),
        h("button", { type: "button", class: "button", onclick: () => act("/api/resume", { resume: false }) },
          "Leave it")),
    ];
  }
  if (state.match === null) return state.question?.missing.length ? consents(state.question) : null;
  if (state.match.over) {
    return [h("p", { class: "wanted-line" }, victory(state)),
      state.can.leave && h("p", { class: "actions" }, h("button",
        { type: "button", class: "button is-main", "data-key": "leave", onclick: () => act("/api/leave", {}) },
        "Back to the seating"))];
  }
  if (required(state).length > 0) return null;
  const sentence = state.race ? statusSentence(state.race) : "";
  if (sentence) return h("p", { class: "wanted-line" }, sentence);
  const next = state.can.reveal ? "turns the next card" : "is next";
  return state.turn ? h("p", { class: "wanted-line" }, `${capital(who(state.seats, state.turn))} ${next}.`) : null;
}

/** @param {State} state */
function phones(state) {
  return [door(state.door_open), h("ul", { class: "phone-list" }, state.phones.map((phone) => {
    const seats = state.seats.length ? state.seats.map((seat) => seat.colour) : COLOURS;
    const quality = phone.error_ms === null ? "clock not known yet" : `±${phone.error_ms} ms`;
    const select = h("select", {
      "aria-label": `Seat of the phone ${phone.code}`, "data-key": `phone ${phone.code}`,
      onchange: ({ currentTarget: { value } }) =>
        act(`/api/phones/${phone.code}`, { seat: isColour(value) ? value : null }),
    }, h("option", { value: "" }, "no seat"), seats.map((colour) =>
      h("option", { value: colour, selected: colour === phone.seat }, colour)));
    return h("li", null,
      h("p", null, h("strong", null, phone.code), h("small", null, phone.connected ? quality : "not connected")),
      phone.asks && phone.asks !== phone.seat && h("button",
        { type: "button", class: "button is-small", "data-key": `allow ${phone.code}`,
        onclick: () => act(`/api/phones/${phone.code}`, { seat: phone.asks }) }, `Allow ${phone.asks}`),
      select);
  }))];
}

/**
 * Whether new panels are let in; whoever has a seat comes back in any case.
 * @param {boolean} isOpen
 */
function door(isOpen) {
  const tick = h("input", { type: "checkbox", id: "door", "data-key": "door", checked: isOpen,
    onchange: async () => {
      if (!await act("/api/door", { open: tick.checked })) tick.checked = isOpen;
    } });
  return h("label", { class: "tick" }, tick, "New phones may join");
}
