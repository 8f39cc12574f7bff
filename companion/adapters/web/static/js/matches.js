// Past matches: the list, and one of them with its score, its plots, its course and its record to download.
import { bar } from "./frame/bar.js";
import { append, byId, h, part } from "./frame/dom.js";
import { disputedChip, protestList } from "./shown/disputes.js";
import { get, getPicture, messageOf } from "./wire/api.js";
import { cardSays, cards, useLook } from "./shown/looks.js";
import { folded } from "./shown/course.js";
import { accounts } from "./shown/ledgers.js";
import { fitting, lanes } from "./shown/plot.js";
import { cardPicture, token } from "./shown/symbols.js";
import { capital, colourSays, when } from "./frame/words.js";
import { term } from "./frame/term.js";
import { listed, say, sayMany } from "./frame/say.js";

/** @import { Card, Colour, Figure, ListedMatch, PastMatch } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

bar();
addEventListener("hashchange", begin);
begin();

async function begin() {
  const [, id, race] = /^#(\d+)(?:\/(\d+))?$/.exec(location.hash) ?? [];
  try {
    if (id && race) await finish(id, race);
    else if (id) {
      const match = await get(`/api/matches/${id}`);
      await useLook(match.look ?? match.game);
      detail(match);
    } else list(await get("/api/matches"));
  } catch (problem) {
    put(h("h1", null, say("Matches")), h("p", { class: "problem" }, capital(messageOf(problem))),
      h("p", { class: "actions" },
        h("button", { type: "button", class: "button is-main", onclick: begin }, say("Try again")),
        h("a", { class: "button", href: "#" }, say("All matches"))));
  }
}

/** @param {...Child} parts */
function put(...parts) {
  byId("matches").replaceChildren();
  append(byId("matches"), parts);
}

/** @param {ListedMatch[]} matches */
function list(matches) {
  document.title = [say("Matches"), "companion"].join(" · ");
  const head = h("div", { class: "title" }, h("h1", null, say("Matches")),
    h("p", { class: "sentence" }, sayMany("{count} match", "{count} matches", matches.length)));
  if (matches.length === 0) return put(head, h("p", { class: "plate empty" },
    say("None has been played on this box yet.")));
  return put(head, h("ol", { class: "match-list" }, matches.map((match) => h("li", null,
    h("a", { class: "match plate", href: `#${match.id}` },
      h("span", { class: "number" }, match.id),
      h("span", { class: "what" }, h("strong", null, match.title), h("span", null, when(match.started))),
      h("span", { class: "players" }, match.seats.map((seat) =>
        h("span", { class: "player-chip" }, token(seat.colour), seat.name ?? colourSays(seat.colour)))),
      h("span", { class: `chip ${match.ended ? "is-good" : "is-idle"}` }, match.ended ? say("ended")
        : say("not ended")),
      h("span", { class: "lines" }, sayMany("{count} line", "{count} lines", match.lines)))))));
}

/** @param {PastMatch} match */
function detail(match) {
  document.title = [say("Match {id}", { id: match.id }), "companion"].join(" · ");
  const names = new Map(match.seats.map((seat) => [seat.colour, seat.name ?? capital(colourSays(seat.colour))]));
  put(
    h("p", { class: "back" }, h("a", { href: "#" }, say("← All matches"))),
    h("div", { class: "title" },
      h("h1", { tabindex: -1 }, say("{game}, match {id}", { game: match.title, id: match.id })),
      h("p", { class: "sentence" }, [when(match.started),
        ...(match.variants ?? []).map(({ label }) => label)].join(" · ")),
      match.scores && match.over && h("a", { class: "button", href: `/people#result=${match.id}` },
        say("Result to print")),
      h("a", { class: "button is-main", href: `/api/matches/${match.id}/record`, download: `match-${match.id}.jsonl` },
        say("Download the record")), term("record", say("What is a record?"))),
    match.fault && h("p", { class: "problem" }, say("The record cannot be judged to its end: {fault}.",
      { fault: match.fault })),
    h("div", { class: "detail" },
      h("div", { class: "column" }, scores(match, names), ledgers(match), remarkable(match), protests(match),
        plots(match, names),
        races(match, names)),
      course(match)));
  part(byId("matches"), "h1").focus();
}

/**
 * @param {PastMatch} match
 * @param {Map<Colour, string>} names
 */
function scores(match, names) {
  if (!match.scores) return null;
  const sorted = [...match.scores].sort((a, b) => b.score - a.score);
  return h("section", { class: "plate", "aria-labelledby": "score-title" },
    h("h2", { id: "score-title" }, match.over ? say("Final score") : say("Score so far")),
    h("ol", { class: "seat-list" }, sorted.map(({ colour, score }) => {
      const leads = match.over && match.leaders.includes(colour);
      return h("li", { class: `seat${leads ? " is-leader" : ""}` }, token(colour),
        h("p", { class: "player" }, h("strong", null, names.get(colour)),
        names.get(colour) !== capital(colourSays(colour)) && h("span", null, colourSays(colour))),
        leads && h("span", { class: "chip is-good" }, match.leaders.length > 1 ? say("★ shares the victory")
          : say("★ wins")),
        match.signed.includes(colour) && h("span", { class: "chip is-good" }, say("✓ signed")),
        h("p", { class: "score" }, h("strong", null, score), h("span", null, ` ${match.score_label}`)));
    })));
}

/** @param {PastMatch} match */
function ledgers({ ledgers: kept }) {
  if (!kept?.length) return null;
  return h("section", { class: "plate ledgers", "aria-labelledby": "ledgers-title" }, accounts(kept));
}

/** @param {PastMatch} match */
function protests(match) {
  if (!match.protests?.length) return null;
  return h("section", { class: "plate", "aria-labelledby": "protests-title" },
    h("h2", { id: "protests-title" }, term("protest", say("Protests"))), protestList(match.protests));
}

/**
 * @param {PastMatch} match
 * @param {Map<Colour, string>} names
 */
function plots(match, names) {
  if (match.figures.length === 0) return null;
  return h("section", { class: "plate plots", "aria-labelledby": "plots-title" },
    h("h2", { id: "plots-title" }, say("Times")), match.figures.map((figure) => drawn(figure, names)));
}

/**
 * @param {Figure} figure
 * @param {Map<Colour, string>} names
 */
function drawn({ title, how, players: times }, names) {
  const players = times.map((player) => ({ ...player, label: names.get(player.colour) ?? player.colour }));
  const medians = players.map(({ label, median }) => `${label} ${median}`);
  return h("figure", null,
    h("figcaption", null, h("h3", null, title), h("p", null, say("{how}; the line marks each player’s median.",
      { how: capital(how) }))),
    fitting((width) => lanes(players, say("{title}, medians: {medians}", { title, medians: listed(medians) }), width)),
    h("table", null, h("caption", { class: "unseen" }, title),
      h("thead", null, h("tr", null, [say("Player"), say("Presses"), say("Fastest"), say("Median"),
        say("Slowest")].map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", null, players.map(({ colour, label, values, fastest, median, slowest }) =>
        h("tr", null, h("th", { scope: "row" }, h("span", { class: "player-chip" }, token(colour), label)),
          [values.length, fastest, median, slowest].map((text) => h("td", null, text)))))));
}

/**
 * @param {PastMatch} match
 */
function remarkable({ highlights }) {
  if (!highlights?.length) return null;
  return h("section", { class: "plate", "aria-labelledby": "highlights-title" },
    h("h2", { id: "highlights-title" }, say("Highlights")),
    h("dl", { class: "highlights" }, highlights.map(({ title, colours, says }) => h("div", null,
      h("dt", null, title), h("dd", null, colours.map((colour) => token(colour)), h("span", null, says))))));
}

/**
 * @param {PastMatch} match
 * @param {Map<Colour, string>} names
 */
function races(match, names) {
  if (!match.races.length) return null;
  return h("section", { class: "plate", "aria-labelledby": "races-title" },
    h("h2", { id: "races-title" }, say("Races"), " ", h("small", null, match.races.length)),
    h("ol", { class: "race-list", tabindex: 0, "aria-labelledby": "races-title" },
      match.races.map((race) => h("li", null,
      h("span", { class: "number" }, race.number),
      raceCard(race.card),
      disputedChip(race.disputed),
      h("ol", { class: "mini-order" }, race.presses.map((press) =>
        h("li", { class: press.verdict === "punish" ? "is-punish" : null },
        token(press.colour, press.role, press.role_says),
        h("span", null, `${names.get(press.colour)} ${press.role_says}`),
        h("small", null, press.gap_text),
        press.allowance_text && h("small", null, press.allowance_text),
        press.dead_heat && h("small", null, term("dead heat", say("≈ dead heat"))),
        press.verdict === "punish" && h("small", null, say("✕ punished"))))),
      race.evidence && h("a", { class: "finish", href: `#${match.id}/${race.number}`,
        "aria-label": say("Photo finish of race {race}", { race: race.number }) }, say("Photo finish"))))));
}

/**
 * The card that a race was about; nothing in a game that has no cards.
 * @param {Card | null} card
 */
function raceCard(card) {
  if (card) return h("span", { class: "card is-small" }, cardPicture(card), cardSays(card));
  return cards().length > 0 && h("span", { class: "card is-small" }, say("no card"));
}

/**
 * One race as a photo finish, drawn by the box as wide as there is room for.
 * @param {string} id
 * @param {string} race
 */
async function finish(id, race) {
  const width = Math.max(320, Math.min(1200, byId("matches").clientWidth));
  const address = `/api/matches/${id}/strips/${race}.svg`;
  const drawn = await getPicture(`${address}?width=${width}`);
  document.title = [say("Race {race} of match {id}", { race, id }), "companion"].join(" · ");
  put(
    h("p", { class: "back" }, h("a", { href: `#${id}` }, say("← Match {id}", { id }))),
    h("div", { class: "title" },
      h("h1", { tabindex: -1 }, say("Photo finish, race {race}", { race })),
      h("a", { class: "button is-main", href: address, download: `match-${id}-race-${race}.svg` },
        say("Download the picture"))),
    h("div", { class: "strip", tabindex: 0, role: "group", "aria-label": say("The picture") }, drawn));
  part(byId("matches"), "h1").focus();
}

/** @param {PastMatch} match */
function course(match) {
  return h("section", { class: "plate course", "aria-labelledby": "course-title" },
    h("h2", { id: "course-title" }, say("Course")),
    folded(match.course, "course-title"));
}
