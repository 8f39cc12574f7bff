// The overlay for streaming software: just the order, on nothing. Empty between races.
import { Connection } from "./connection.js";
import { byId, h, show } from "./dom.js";
import { token } from "./symbols.js";
import { capital, error, gap } from "./words.js";

/** @import { Row, State } from "../../documents.js" */

const connection = new Connection();
connection.on("state", ({ detail: { state } }) => render(state));
connection.on("lost", () => document.body.classList.add("is-lost"));
connection.on("live", () => document.body.classList.remove("is-lost"));
connection.open();

/** @param {State} state */
function render(state) {
  const race = state.match && state.race;
  byId("title").classList.toggle("unseen", !race);
  byId("title").textContent = race ? `${state.game?.race_name} ${race.number} · ${race.status}` : "No race";
  show(byId("order"), [race?.rows, race?.number, state.seats],
    () => (race?.rows ?? []).map((row) => entry(state, row)));
  const turn = state.decision?.seat;
  byId("more").hidden = !turn;
  byId("more").textContent = turn ? `${capital(turn)} chooses` : "";
}

/**
 * @param {State} state
 * @param {Row} row
 */
function entry(state, row) {
  const name = state.seats.find((seat) => seat.colour === row.colour)?.name ?? capital(row.colour);
  const parts = gap(row);
  return h("li", { class: row.verdict ? `is-${row.verdict}` : null, "data-colour": row.colour },
    h("span", { class: "number" }, row.place), token(row.colour, row.role),
    h("span", { class: "name" }, h("strong", null, name), ` ${row.role}`),
    h("span", { class: "gap" }, parts === null ? "first" : parts.join(" "),
      h("small", null, ` ${error(row.error_ns)}`)),
    row.dead_heat && h("span", { class: "note" }, "≈ dead heat"),
    row.verdict === "punish" && h("span", { class: "note is-bad" }, `✕ ${row.why_text}`));
}
