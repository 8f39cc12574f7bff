// The referee's desk: the PIN, then everything a referee does. Each part is a module of its own, and keeps its place.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, part, show } from "./frame/dom.js";
import { get, messageOf, post, Refused, removeSession } from "./wire/api.js";
import { actions } from "./desk/actions.js";
import { box } from "./desk/box.js";
import { cardEntry } from "./desk/cards.js";
import { onState, takesCards } from "./shown/looks.js";
import { disputes } from "./shown/disputes.js";
import { byPin, ENDED, loginForm } from "./desk/login.js";
import { byHand } from "./desk/offers.js";
import { clockBoard } from "./shown/clocks.js";
import { health } from "./desk/health.js";
import { inputs } from "./desk/inputs.js";
import { areaList, standing } from "./shown/areas.js";
import { late, order, raceHead, touching } from "./shown/race.js";
import { listenForKeys } from "./frame/keys.js";
import { matchForm } from "./desk/match_form.js";
import { phoneList } from "./desk/phones.js";
import { oled } from "./shown/oled.js";
import { term } from "./frame/term.js";
import { replaceCall } from "./desk/replace.js";
import { scanKey, scanner } from "./scanning/opener.js";
import { seatList } from "./shown/seats.js";
import { readOut, sayNews } from "./frame/speaker.js";
import { whatNow } from "./desk/now.js";
import { capital, required } from "./frame/words.js";
import { say } from "./frame/say.js";

/** @import { Bodies, Commands, Session, State } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

/**
 * What the parts of the desk are given. act: have something done; whatever the box refuses is said; tells whether it
 * was done. seen: how many lines the record has as this page shows it.
 * @typedef {{
 *   act: <A extends keyof Commands>(address: A, body: Bodies[A]) => Promise<boolean>,
 *   seen: () => number | undefined,
 *   connection: Connection,
 * }} Desk
 */

const connection = new Connection({ oled: true });
/** @type {Session | null} */
let session = null;
/** @type {ReturnType<typeof partsOf> | null} */
let parts = null;
/** The last drawing of the desk had no match. The first drawing does not scroll, because scrolling forces a layout. */
let hadNone = false;

bar(connection);
const faults = byId("faults");
const scan = scanner(
  [async (code, age) => (await post("/api/scan", { code, age_ms: age })).says, { isForOne: false }], told);
listenForKeys();
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.on("rights", ({ detail }) => {
  if (parts && !detail.referee) logIn(ENDED);
});
connection.on("live", ({ detail }) => {
  if (parts && !detail.referee) logIn(ENDED); // the box has begun anew, and knows no session
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

/** Say what went wrong, where it is seen. @param {string} why */
function told(why) {
  if (parts) {
    parts.problem.textContent = capital(why);
    parts.problem.hidden = false;
    parts.problem.scrollIntoView({ block: "nearest" });
  }
  readOut(why);
}

function logIn(said = "") {
  parts = null;
  scan.close();
  faults.removeAttribute("role");
  byId("bar").after(faults);
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
    readOut(`${capital(done.says)}.`);
    return true;
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) {
      logIn(ENDED);
      return false;
    }
    told(messageOf(problem));
    return false;
  }
}

const seen = () => connection.state?.match?.lines;

// -- the desk ---------------------------------------------------------------------------------------------------------

/** @param {Desk} desk */
function partsOf(desk) {
  const again = () => {
    if (parts && connection.state) render(connection.state);
  };
  const problem = h("p", { class: "problem", id: "problem", role: "alert", hidden: true });
  const form = matchForm(desk, again);
  const cards = cardEntry(desk, again);
  return {
    problem,
    now: whatNow(desk, { problem, faults, form }),
    cards,
    actions: actions(desk, cards),
    clocks: clockBoard(),
    race: h("div", { id: "race", tabindex: 0, role: "group", "aria-label": say("The race") }),
    form,
    byHand: byHand(desk),
    seats: h("div"),
    phones: phoneList(desk, { asks: false }),
    replace: replaceCall(desk),
    disputes: disputes(desk),
  };
}

/**
 * A part of the desk: `id` names its place there, too.
 * @param {string} id
 * @param {Child} title
 * @param {...Child} content
 */
const plate = (id, title, ...content) => h("section", { class: `plate ${id}`, id, "aria-labelledby": `${id}-title`,
  tabindex: -1 }, h("h2", { id: `${id}-title` }, title), content);

function open() {
  faults.setAttribute("role", "note"); // within another part it is no landmark
  parts = partsOf({ act, seen, connection });
  byId("desk").replaceChildren(h("div", { class: "desk" },
    parts.now.element,
    plate("entry", say("Card turned up"), parts.cards.element,
      h("p", { class: "actions" }, scanKey("scan", scan.open))),
    plate("new-match", say("New match"), parts.form.element),
    plate("act", say("Tools"), parts.actions.element),
    h("section", { class: "plate race", id: "race-plate", "aria-labelledby": "race-title" }, parts.race,
      parts.clocks.element),
    h("div", { class: "more" },
      plate("score", say("Score"), parts.seats),
      plate("disputes", say("Protests and signatures"), parts.disputes.element),
      plate("replace", term("replace a call", say("Replace a call")), parts.replace.element),
      plate("by-hand", say("Set by hand"), parts.byHand.element),
      plate("phones", say("Phones as buttons"), parts.phones.element),
      plate("health", say("Buttons"), health().element, inputs({ act })),
      plate("screen", say("The box’s display"), oled(connection)),
      plate("box", say("This box"), box(leave)))));
  if (connection.isLive) connection.renew(); // the cookie is looked at when a connection begins
  else connection.open();
  if (connection.state) render(connection.state);
}

/** @param {State} state */
function render(state) {
  if (!parts) return;
  const hasMatch = state.match !== null;
  const isOver = Boolean(state.match?.over);
  const grid = part(byId("desk"), ".desk").classList;
  if (hasMatch && hadNone) scrollTo(0, 0); // the referee has just begun it, at the end of the form
  hadNone = !hasMatch;
  grid.toggle("has-match", hasMatch);
  const isCardless = !parts.cards.hasCards() || !takesCards(state);
  part(byId("desk"), ".desk").classList.toggle("is-cardless", isCardless);
  byId("entry").hidden = !hasMatch || isCardless;
  byId("new-match").hidden = hasMatch && !isOver;
  byId("act").hidden = byId("race-plate").hidden = byId("replace").hidden = byId("score").hidden = !hasMatch;
  byId("disputes").hidden = !isOver && state.protests.length + state.can.protest.length === 0;
  const race = state.race && { ...state.race, closes_in_ms: null };
  parts.clocks.render(state.clocks, state.seats, state.match?.id);
  show(parts.race, [race, state.clocks.length > 0, state.game_phase, state.seats, state.phase, state.game,
    state.leaders, state.areas, state.round], () => theRace(state));
  show(parts.seats, [state.seats, state.hidden, state.leaders, state.phase, required(state).length, state.can.reveal,
    race?.is_running, race?.asks_card, state.protests, state.signed], () => seatList(state));
  for (const one of [parts.now, parts.phones, parts.byHand, parts.cards, parts.actions, parts.form, parts.replace,
    parts.disputes]) one.render(state);
}

/** @param {State} state */
function theRace(state) {
  if (state.match === null) return null;
  if (state.race === null && state.clocks.length > 0) {
    return h("h2", { id: "race-title" }, `${state.game.title}: ${state.game_phase}`);
  }
  if (state.race === null && !state.game.race_name) {
    return [h("h2", { id: "race-title" }, state.game.title), standing(state),
      state.areas.length > 0 && h("div", { class: "areas" }, areaList(state.areas))];
  }
  if (state.race === null) return [h("h2", { id: "race-title" }, state.game.title),
    h("p", { class: "sentence" }, say("No race has been run yet."))];
  return [raceHead(state), order(state), touching(state), late(state)];
}
