// Who has how much, the first on top.
import { h } from "../frame/dom.js";
import { token } from "../shown/symbols.js";
import { called } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Child } from "../frame/dom.js" */
/** @import { Seat, State } from "../../../documents.js" */

/**
 * The seats with their places: whoever the box says leads, then by score; those who are level share a place.
 * @param {Pick<State, "seats" | "leaders">} state
 * @returns {{ place: number, seat: Seat, leads: boolean }[]}
 */
export function ranked({ seats, leaders }) {
  const all = seats.map((seat) => ({ place: 0, seat, leads: leaders.includes(seat.colour) }));
  all.sort((a, b) => Number(b.leads) - Number(a.leads) || b.seat.score - a.seat.score);
  all.forEach((one, index) => {
    const before = all[index - 1];
    const isLevel = before && before.leads === one.leads && before.seat.score === one.seat.score;
    one.place = isLevel ? before.place : index + 1;
  });
  return all;
}

/** From so many letters on a name is written smaller. */
export const LONG = 7;
/** From this score on all of them are written smaller, so that names keep their room. */
const LARGE = 100;

/**
 * Where nobody is ahead yet, nobody has a place.
 * @param {State} state
 * @param {(seat: Seat) => Child} beneath  what stands under a name
 */
export function standings(state, beneath = () => null) {
  const isOver = state.phase === "final";
  const all = ranked(state);
  const isLevel = !isOver && all.every(({ place }) => place === 1);
  const isLarge = !isOver && all.some(({ seat }) => Math.abs(seat.score) >= LARGE);
  return h("ol", { class: "standings" }, all.map(({ place, seat, leads }) => {
    const hasTurn = seat.turn && !isOver;
    const marks = [leads && isOver && "is-winner", hasTurn && "is-turn", isLarge && "is-large"];
    const classes = marks.filter(Boolean).join(" ");
    return h("li", { class: classes || null, "data-colour": seat.colour, "data-place": place },
      h("span", { class: "number" }, isLevel ? "" : place), token(seat.colour),
      h("span", { class: `name${called(seat).length > LONG ? " is-long" : ""}` },
        hasTurn && [h("span", { "aria-hidden": "true" }, "▸ "), h("span", { class: "unseen" },
          say("whose turn it is:"), " ")],
        called(seat), beneath(seat)),
      leads && isOver && h("span", { class: "chip is-good" }, "★", h("span", { class: "unseen" }, " ", say("wins"))),
      h("strong", { class: "score" }, seat.score));
  }));
}
