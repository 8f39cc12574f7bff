// One's own table, on the phone of whoever has said who they are.
import { h, show } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { get } from "./api.js";
import { ownPlayer, rememberPlayer } from "./own.js";
import { playerLinks } from "./parts.js";

/** @import { Player } from "../../../tournament/event_documents.js" */
/** @import { Live } from "./live.js" */

/**
 * Show where whoever this phone is of sits; the place stays hidden where nobody has said who they are.
 * @param {Live} live
 * @param {HTMLElement} place
 * @returns {() => void} looks again
 */
export function ownTable(live, place) {
  let asked = "";
  const look = async (again = true) => {
    const { event } = live;
    const number = ownPlayer(event?.id);
    if (event === null || number === null) {
      place.hidden = true;
      asked = "";
      return;
    }
    const key = `${number} ${event.round} ${event.lines}`;
    if (!again && key === asked) return;
    asked = key;
    const player = await get(`/api/player/${number}`).catch(() => null);
    if (player === null) return;
    place.hidden = false;
    show(place, player, () => shown(player, () => {
      rememberPlayer(event.id, null);
      look();
    }));
  };
  live.on("event", () => look(false));
  return look;
}

/**
 * @param {Player} player
 * @param {() => void} forget
 */
function shown({ name, player, now, standing, is_there: isThere }, forget) {
  return [
    h("h2", null, h("a", { href: `/player/${player}` }, name)),
    now === null && h("p", { class: "big" }, isThere ? say("You have no table yet.") : say("You are not checked in.")),
    now !== null && now.table === null && h("p", { class: "big" }, say("You have no table in round {round}: a bye.",
      { round: now.round })),
    now !== null && now.table !== null && [
      h("p", { class: "own-table" }, say("Round {round}, table", { round: now.round }), " ",
        h("strong", null, now.table)),
      h("p", null, say("In the order of the seats:"), " ", playerLinks(now.players))],
    standing?.rounds.some(({ points }) => points !== null)
      && h("p", { class: "sentence" }, say("Place {place}, {points} points", { place: standing.place,
      points: standing.points })),
    h("button", { type: "button", class: "button is-small", onclick: forget, "data-key": "forget" },
      say("This is not me"))];
}
