// One player's way: each round with table, opponents and points, and how the numbers came about.
import { append, byId, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { capital } from "../frame/words.js";
import { messageOf } from "../wire/api.js";
import { get } from "./api.js";
import { numbers } from "./explaining.js";
import { begin } from "./frame.js";
import { ownPlayer, rememberPlayer } from "./own.js";
import { playerLinks } from "./parts.js";

/** @import { Player, RoundOf } from "../../../tournament/event_documents.js" */

const number = Number(/^\/player\/(\d+)$/.exec(location.pathname)?.[1] ?? 0);
const live = begin();
live.follow("standings", look);
live.follow("pairings", look);

async function look() {
  if (!number) {
    return put([h("h1", null, say("Player")), h("p", null, h("a", { href: "/pairings" }, say("Search for a name")))]);
  }
  try {
    draw(await get(`/api/player/${number}`));
  } catch (problem) {
    put([h("h1", null, say("Player")), h("p", { class: "problem" }, capital(messageOf(problem)))]);
  }
}

/** @param {import("../frame/dom.js").Child[]} parts */
function put(parts) {
  byId("player").replaceChildren();
  append(byId("player"), parts);
}

let drawn = "";

/** @param {Player} player */
function draw(player) {
  const { name, club, now, standing, of } = player;
  const isOwn = ownPlayer(live.event?.id) === number;
  const key = JSON.stringify([player, isOwn]);
  if (key === drawn) return;
  drawn = key;
  document.title = `${name} · companion`;
  put([
    h("h1", null, name), club && h("p", { class: "sentence" }, club),
    h("div", { class: "columns" },
      h("div", { class: "column" },
        h("section", { class: "plate", "aria-labelledby": "now-title" }, h("h2", { id: "now-title" }, say("Now")),
          h("p", { class: "big" }, nowSays(player)),
          now !== null && now.table !== null && h("p", null, playerLinks(now.players)),
          standing?.rounds.some(({ points }) => points !== null)
            && h("p", null, say("Place {place} of {of}, {points} points", { place: standing.place, of,
            points: standing.points })),
          h("button", { type: "button", class: "button is-small", id: "me", onclick: () => {
            if (live.event) rememberPlayer(live.event.id, isOwn ? null : number);
            draw(player);
          } }, isOwn ? say("This is not me") : say("This is me"))),
        standing && h("section", { class: "plate", "aria-labelledby": "numbers-title" },
          h("h2", { id: "numbers-title" }, say("How it came about")), numbers(standing))),
      h("section", { class: "plate", "aria-labelledby": "rounds-title" },
        h("h2", { id: "rounds-title" }, say("Rounds")),
        standing?.rounds.length ? h("ol", { class: "way" }, standing.rounds.map(roundOf))
          : h("p", { class: "empty" }, say("Nothing has been played yet."))))]);
}

/** @param {Player} player */
function nowSays({ now, is_there: isThere, is_over: isOver }) {
  if (isOver) return say("The event is over.");
  if (now === null) return isThere ? say("Checked in, and without a table yet.") : say("Not checked in.");
  return now.table === null ? say("A bye in round {round}.", { round: now.round })
    : say("Round {round}, table {table}", { round: now.round, table: now.table });
}

/** @param {RoundOf} one */
function roundOf({ round, points, says, table, rank, seats, opponents, is_final: isFinal }) {
  const provisional = say("not final yet");
  return h("li", null,
    h("div", { class: "way-head" }, h("h3", null, say("Round {round}", { round })),
      h("strong", { class: "way-points" }, points ?? "–")),
    table !== null && rank !== null && h("p", null, say("Table {table}: number {rank} of {seats}, against",
      { table, rank, seats: seats ?? 0 }), " ", playerLinks(opponents)),
    h("p", { class: "sentence" }, capital(says), !isFinal && points !== null && `, ${provisional}`));
}
