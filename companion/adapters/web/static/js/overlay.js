// The overlay for streaming software: just the order, on nothing. Empty between races.
import { Connection } from "./connection.js";
import { byId, h, show } from "./dom.js";
import { onState } from "./looks.js";
import { token } from "./symbols.js";
import { called, capital, decider, gapParts, listed, required } from "./words.js";

/** @import { Row, State } from "../../documents.js" */

const connection = new Connection();
onState(connection, render);
connection.on("lost", () => document.body.classList.add("is-lost"));
connection.on("live", () => document.body.classList.remove("is-lost"));
connection.open();

/** @param {State} state */
function render(state) {
  const race = state.match && state.race;
  byId("title").classList.toggle("unseen", !race);
  byId("title").textContent = race ? `${state.game?.race_name} ${race.number} · ${race.status}` : "No race";
  if (race && race.disputed.length > 0) byId("title").textContent += ` · disputed by ${race.disputed.join(", ")}`;
  show(byId("order"), [race?.rows, race?.made, race?.number, state.seats],
    () => (race?.rows ?? []).map((row) => entry(state, row)).concat((race?.made ?? []).map((colour) =>
      h("li", { "data-colour": colour }, token(colour), h("span", { class: "name" }, `${capital(colour)} •`)))));
  const deciding = [...new Set(required(state).map((offer) => decider(state, offer)))];
  byId("more").hidden = deciding.length === 0;
  byId("more").textContent = deciding.length ? `${listed(deciding)} ${deciding.length > 1 ? "choose" : "chooses"}` : "";
}

/**
 * @param {State} state
 * @param {Row} row
 */
function entry(state, row) {
  const seat = state.seats.find((one) => one.colour === row.colour);
  const { number, unit } = gapParts(row);
  return h("li", { class: row.verdict ? `is-${row.verdict}` : null, "data-colour": row.colour },
    h("span", { class: "number" }, row.place), token(row.colour, row.role),
    h("span", { class: "name" }, h("strong", null, seat ? called(seat) : capital(row.colour)), ` ${row.role}`),
    h("span", { class: "gap" }, `${number} ${unit}`.trim(), h("small", null, ` ${row.error_text}`)),
    row.allowance_text && h("span", { class: "note" }, row.allowance_text),
    row.dead_heat && h("span", { class: "note" }, "≈ dead heat"),
    row.verdict === "punish" && h("span", { class: "note is-bad" }, `✕ ${row.why_text}`));
}
