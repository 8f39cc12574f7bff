// Measuring an allowance: what everybody is asked for, every trial as a dot, what is proposed, and who agrees. To be
// looked at by all players together: who looks at another display than the others sees what is asked later or sooner.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, s, show } from "./frame/dom.js";
import { acting } from "./desk/acting.js";
import { openSession } from "./desk/session.js";
import { faceDrawing, onState } from "./shown/looks.js";
import { fitting, lanes } from "./shown/plot.js";
import { token } from "./shown/symbols.js";
import { language, listed, say } from "./frame/say.js";
import { readOut as aloud } from "./frame/speaker.js";
import { capital } from "./frame/words.js";

/** @import { Calibration, CalibrationSeat, Colour, State } from "../../documents.js" */

const MS = 1e6;
const connection = new Connection();
const act = acting(byId("problem"), () => { isReferee = false; });
let isReferee = false;
let saidLast = "";

bar(connection);
onState(connection, render);
connection.open();
openSession().then(({ referee }) => {
  isReferee = referee;
  if (connection.state) render(connection.state);
}, () => {});

/** @param {State} state */
function render(state) {
  const { calibration } = state;
  const { buttons } = state;
  byId("trial").classList.toggle("is-asked", Boolean(calibration?.asks));
  show(byId("trial"), [calibration, state.lobby, buttons, isReferee],
    () => calibration === null ? before(state) : trial(calibration, state));
  show(byId("steps"), [calibration?.stage, calibration?.missing, calibration?.seats.map(({ colour, way }) => [colour,
    way]), isReferee], () => calibration !== null && isReferee && steps(calibration));
  byId("steps").hidden = calibration === null || !isReferee || byId("steps").childElementCount === 0;
  const figures = calibration !== null && ["paused", "proposed"].includes(calibration.stage);
  byId("figures").hidden = !figures;
  show(byId("figures"), [figures, calibration?.seats, calibration?.proposal],
    () => figures && calibration !== null && tables(calibration));
  speak(calibration);
}

/**
 * A screen reader says what somebody must do or know; not what is asked for, which is said by the box's own voice.
 * @param {Calibration | null} calibration
 */
function speak(calibration) {
  const said = calibration === null ? "" : calibration.proposal?.says.join(" ") ?? "";
  if (said !== saidLast) aloud(said);
  saidLast = said;
}

// -- before -----------------------------------------------------------------------------------------------------------

/** @param {State} state */
function before(state) {
  const seats = state.lobby?.seats ?? [];
  if (state.match !== null) {
    return h("p", { class: "calm" }, say("A match is on the table: allowances are measured before one."));
  }
  if (seats.length < 2) {
    return h("p", { class: "calm" },
      say("Two players or more take their seats first, by a button of their colour or by a phone."));
  }
  if (!isReferee) {
    return h("p", { class: "calm" },
      say("Whoever is at the box begins it by the knob, “calibrate”; or the referee here."));
  }
  return [h("h2", null, say("Whose allowance is to be measured?")),
    h("p", { class: "actions" }, seats.map((player) => h("button", { type: "button", class: "button",
      "data-key": `player ${player}`, onclick: () => act("/api/calibrate", { player }) },
      token(player), called(player, state.lobby?.names ?? {}))))];
}

/**
 * @param {Colour} colour
 * @param {Partial<Record<Colour, string>>} names
 */
const called = (colour, names) => names[colour] ?? capital(colour);

// -- trials -----------------------------------------------------------------------------------------------------------

/**
 * @param {Calibration} calibration
 * @param {State} state
 */
function trial(calibration, state) {
  if (calibration.asks !== null && calibration.place !== null) {
    const drawn = faceDrawing(state.buttons[calibration.place] ?? null, calibration.place);
    return h("p", { class: "asked" },
      s("svg", { class: "symbol", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" }, drawn),
      h("span", null, calibration.asks),
      calibration.is_any && h("small", null, say("One switch: now")));
  }
  if (calibration.proposal !== null) return proposed(calibration);
  return [h("h2", null, calibration.title), calibration.seats.some(({ became }) => became)
    ? h("ul", { class: "became" }, calibration.seats.map((seat) => h("li", null, token(seat.colour), person(seat),
      h("span", null, seat.became))))
    : calibration.lines.map((line) => h("p", { class: "calm" }, line))];
}

/** @param {CalibrationSeat} seat */
const person = (seat) => h("strong", null, seat.name ?? capital(seat.colour));

/** @param {Calibration} calibration */
function proposed({ proposal, missing, player, seats }) {
  if (proposal === null) return null;
  const name = seats.find(({ colour }) => colour === player)?.name ?? capital(player);
  const waits = missing.map((colour) => seats.find((seat) => seat.colour === colour)?.name ?? colour);
  return [h("h2", null, say("Proposed for {name}", { name })),
    h("p", { class: "proposed" }, say("−{ms} ms", { ms: proposal.ms.toLocaleString(language) })),
    proposal.says.map((text) => h("p", { class: "sentence" }, text)),
    h("p", { class: "sentence" }, say("Each seat agrees with a button of its own; the fourth does not agree.")),
    waits.length > 0 && h("p", { class: "calm" }, say("Still to agree: {seats}", { seats: listed(waits) }))];
}

// -- what a referee can do --------------------------------------------------------------------------------------------

/**
 * @param {string} key
 * @param {string} label
 * @param {() => void} onclick
 */
const button = (key, label, onclick, isMain = false) =>
  h("button", { type: "button", class: `button${isMain ? " is-main" : ""}`, "data-key": key, onclick }, label);

/** @param {Calibration} calibration */
function steps(calibration) {
  const { stage, seats, player } = calibration;
  /** @param {"begin" | "anew" | "go on" | "pause" | "leave"} step */
  const take = (step) => () => act("/api/calibration", { step });
  if (stage === "told") {
    return [h("p", { class: "actions" }, button("begin", calibration.kept > 0
      ? say("Go on after {count} trials", { count: calibration.kept }) : say("Begin"), take("begin"), true),
      calibration.kept > 0 && button("anew", say("Begin anew"), take("anew")),
      button("leave", say("Not now"), take("leave"))),
      h("ul", { class: "ways" }, seats.map(way))];
  }
  if (stage === "paused") {
    const others = seats.filter(({ colour }) => colour !== player);
    return h("p", { class: "actions" }, button("go on", say("Go on"), take("go on"), true),
      others.length > 1 && others.map(({ colour, name }) => button(`without ${colour}`,
        say("Without {name}", { name: name ?? colour }),
        () => act("/api/calibration", { step: "seat leaves", seat: colour }))),
      button("leave", say("Go on another time"), take("leave")));
  }
  if (stage === "proposed") {
    return h("p", { class: "actions" }, calibration.missing.map((seat) => button(`agree ${seat}`,
      say("{name} has told me to agree", { name: seats.find(({ colour }) => colour === seat)?.name ?? capital(seat) }),
      () => act("/api/agree", { seat, agrees: true }))), button("leave", say("Nobody gets it"), take("leave")));
  }
  return h("p", { class: "actions" }, button("pause", say("Pause"), take("pause")));
}

/** @param {CalibrationSeat} seat */
function way(seat) {
  const id = `way-${seat.colour}`;
  /** @type {[CalibrationSeat["way"], string][]} */
  const ways = [["choice", say("chooses among four cards")], ["switch", say("plays by one switch")],
    ["spoken", say("plays by ear")]];
  return h("li", null, token(seat.colour), h("label", { for: id }, seat.name ?? capital(seat.colour)),
    h("select", { id, "data-key": id, onchange: ({ currentTarget: { value } }) => act("/api/calibration",
      { step: "plays", seat: seat.colour, way: /** @type {CalibrationSeat["way"]} */ (value) }) },
      ways.map(([value, says]) => h("option", { value, selected: value === seat.way }, says))));
}

// -- figures ----------------------------------------------------------------------------------------------------------

/** @param {Calibration} calibration */
function tables({ seats, wanted }) {
  const players = seats.filter(({ times_ms: times }) => times.length > 0).map((seat) => ({
    colour: seat.colour, label: seat.name ?? capital(seat.colour), median_ns: (seat.median_ms ?? 0) * MS,
    fastest: "", median: "", slowest: "",
    values: seat.times_ms.map((ms) => ({ ns: ms * MS, error_ns: 0, says: `${ms.toLocaleString(language)} ms` })),
  }));
  return [h("h2", null, say("Every trial")),
    players.length > 0 && fitting((width) => lanes(players, say("The times of every trial, by player"), width)),
    h("div", { class: "figures-scroll" }, h("table", null,
      h("thead", null, h("tr", null, h("th", { scope: "col" }, say("Player")),
        h("th", { scope: "col" }, say("Trials, of {wanted}", { wanted })),
        h("th", { scope: "col" }, say("Median")), h("th", { scope: "col" }, say("Not counted")))),
      h("tbody", null, seats.map((seat) => h("tr", null, h("th", { scope: "row" }, seat.name ?? capital(seat.colour)),
        h("td", null, seat.times_ms.length),
        h("td", null, seat.median_ms === null ? "–" : `${seat.median_ms.toLocaleString(language)} ms`),
        h("td", null, seat.apart || "–"))))))];
}
