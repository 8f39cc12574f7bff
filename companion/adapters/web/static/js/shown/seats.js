// Who plays: shapes, names, scores, whose turn it is.
import { h } from "../frame/dom.js";
import { token } from "./symbols.js";
import { called, colourSays, required } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { State } from "../../../documents.js" */

/** @param {State} state */
export function seatList(state) {
  const isSettled = state.phase !== "final" && required(state).length === 0 && !state.race?.is_running
    && !state.race?.asks_card;
  return h("ol", { class: "seat-list" }, state.seats.map((seat) => {
    const leads = state.leaders.includes(seat.colour);
    const turn = seat.turn && isSettled && state.hidden !== 0;
    return h("li", { class: `seat${turn ? " is-turn" : ""}${leads ? " is-leader" : ""}`, "data-colour": seat.colour },
      token(seat.colour),
      h("p", { class: "player" },
        h("strong", null, called(seat)),
        h("span", null, [(seat.name || seat.title) && colourSays(seat.colour), seat.allowance_ms
          && say("allowance {ms} ms", { ms: seat.allowance_ms })].filter(Boolean).join(", "))),
      turn && h("span", { class: "chip is-turn" }, state.can.reveal ? say("▸ reveals") : say("▸ turn")),
      leads && h("span", { class: "chip is-good" }, state.leaders.length > 1 ? say("★ shares the victory")
        : say("★ wins")),
      state.protests.some(({ colour, answer }) => colour === seat.colour && !answer)
        && h("span", { class: "chip is-bad" }, say("⚑ protests")),
      state.signed.includes(seat.colour) && h("span", { class: "chip is-good" }, say("✓ signed")),
      h("p", { class: "score" }, h("strong", null, seat.score), h("span", null, ` ${state.score_label}`)),
    );
  }));
}
