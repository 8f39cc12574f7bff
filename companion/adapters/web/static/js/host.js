// The host's page: phones come in by a code for each seat and by one consent, and a match begins.
import { bar } from "./frame/bar.js";
import { ask } from "./frame/ask.js";
import { Connection } from "./wire/connection.js";
import { byId, h, show, within } from "./frame/dom.js";
import { get, messageOf } from "./wire/api.js";
import { acting } from "./desk/acting.js";
import { ENDED, loginForm } from "./desk/login.js";
import { matchForm } from "./desk/match_form.js";
import { openSession } from "./desk/session.js";
import { phoneList } from "./desk/phones.js";
import { seatCodes } from "./desk/seat_codes.js";
import { onState } from "./shown/looks.js";
import { sayNews } from "./frame/speaker.js";
import { say } from "./frame/say.js";

/** @import { Link, State } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

const connection = new Connection();
const problem = byId("host-problem");
const act = acting(problem, () => logIn(ENDED));
const phones = phoneList({ act });
/** @type {Link | null} */
let link = null;
let isReferee = false;
/**
 * Made once this page is the referee's: it asks for what others may not know.
 * @type {ReturnType<typeof matchForm> | null}
 */
let form = null;

bar(connection);
byId("host-phones").append(phones.element);
onState(connection, (state) => {
  render(state);
  sayNews(state);
});
connection.on("rights", ({ detail }) => {
  if (!detail.referee && isReferee) logIn(ENDED);
});
connection.open();
get("/api/link").then((found) => {
  link = found;
  if (connection.state) render(connection.state);
}, () => {});
openSession().then(({ referee }) => (referee ? open() : logIn()), (refusal) => logIn(messageOf(refusal)));

function open() {
  isReferee = true;
  form ??= matchForm({ act });
  byId("host-form").replaceChildren(form.element);
  byId("host-login").replaceChildren();
  if (connection.isLive) connection.renew(); // the cookie is looked at when a connection begins
  if (connection.state) render(connection.state);
}

function logIn(said = "") {
  isReferee = false;
  byId("host-login").replaceChildren(loginForm(said, open));
  if (connection.state) render(connection.state);
}

/** @param {State} state */
function render(state) {
  const runs = state.match !== null && !state.match.over;
  byId("host-phones-part").hidden = !isReferee;
  byId("host-match").hidden = !isReferee || runs || state.question !== null;
  show(byId("host-now"), [state.now, runs, state.phase, state.can.end, state.can.leave, isReferee],
    () => standing(state, runs));
  const known = link;
  if (known) {
    show(byId("host-codes"), [known, state.phones, state.lobby?.seats, state.seats.map(({ colour }) => colour), runs],
      () => codes(known, state));
  }
  phones.render(state);
  form?.render(state);
}

/**
 * How the box stands, and where the match that runs is refereed, watched and ended.
 * @param {State} state
 * @param {boolean} runs
 * @returns {Child}
 */
function standing(state, runs) {
  const isAsking = state.question !== null;
  return [
    h("h2", { id: "host-now-title" }, state.now.title),
    h("p", { class: "sentence" }, state.now.says),
    (runs || isAsking) && h("p", { class: "actions" },
      h("a", { class: "button is-main", href: "/referee", "data-key": "desk" }, say("To the referee’s desk")),
      runs && h("a", { class: "button", href: "/table", "data-key": "table" }, say("Watch the table")),
      runs && isReferee && state.can.end && h("button", { type: "button", class: "button", id: "host-end",
        "data-key": "end", onclick: end }, say("End this match"))),
  ];
}

async function end() {
  const said = await ask({ title: say("End this match?"), about: [say("It stays among the past matches.")], fields: [],
    yes: say("End it") });
  if (said) await act("/api/end", {});
}

/**
 * @param {Link} known
 * @param {State} state
 * @returns {Child}
 */
function codes(known, state) {
  if (!known.lan) {
    return h("p", { class: "sentence" }, within(
      say("Only this machine reaches the box. So that phones can play, start it by {phones}, or with {network}."),
      { phones: h("code", null, "companion run --phones"), network: h("code", null, "--lan") }));
  }
  return [
    h("p", { class: "sentence" },
      say("Scan the code of a colour with a phone in the same network, or type its address. "
      + "The phone asks for that seat; one tap here lets it play.")),
    known.trust && h("p", { class: "sentence" },
      within(say("The pages are encrypted. A phone learns to trust them at {address}."),
        { address: h("a", { href: known.trust }, known.trust) })),
    seatCodes(known, state),
    h("p", { class: "sentence" }, within(say("Everybody else looks on at {addresses}."),
      { addresses: known.urls.map((url, index) => [index > 0 && [" ", say("or"), " "], h("a", { href: url }, url)]) })),
  ];
}
