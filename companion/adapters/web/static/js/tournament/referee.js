// The referee of an event: protests first, with what the record says; then results by hand, points, announcements.
import { append, byId, h, show } from "../frame/dom.js";
import { say, sayMany } from "../frame/say.js";
import { capital, when } from "../frame/words.js";
import { messageOf, Refused } from "../wire/api.js";
import { actForm, byField, orNull, session } from "./acting.js";
import { get } from "./api.js";
import { offerPlayers, PLAYERS, playerTyped } from "./choosing.js";
import { begin } from "./frame.js";
import { ENDED, loginForm, may, openSession } from "./login.js";
import { matches, playerLinks, searchField } from "./parts.js";
import { announceForm, enterResult, pointsForm } from "./result_form.js";
import { TableRows } from "./table_rows.js";

/** @import { Account, Dispute, Seated } from "../../../tournament/event_documents.js" */

const live = begin({ tables: true });
let isOpen = false;
enter();

async function enter() {
  try {
    if (may(await openSession("referee"), "referee")) return opening();
    ask("");
  } catch (problem) {
    ask(capital(messageOf(problem)));
  }
}

/** @param {string} said */
function ask(said) {
  const form = loginForm("referee", said, () => enter());
  if (isOpen && byId("again").hasChildNodes()) return; // it is asked already
  if (isOpen) byId("again").replaceChildren(form); // what is typed below stays
  else byId("referee").replaceChildren(form);
}

function opening() {
  if (isOpen) {
    byId("again").replaceChildren();
    live.again();
    return;
  }
  isOpen = true;
  session.ended = () => ask(ENDED);
  live.on("refused", (problem) => {
    if (problem instanceof Refused && problem.status === 401) session.ended();
  });
  const count = h("p", { class: "sentence", role: "status" });
  const waiting = h("ul", { class: "disputes", id: "disputes" });
  const answered = h("ul", { class: "answered-list" });
  const older = h("details", { class: "folded plate" }, h("summary", null, say("Answered")), answered);
  append(byId("referee"), []);
  byId("referee").replaceChildren(h("div", { id: "again" }), h("div", { class: "columns" },
    h("div", { class: "column wide" }, h("section", { class: "plate", "aria-labelledby": "disputes-title" },
      h("h2", { id: "disputes-title" }, say("Protests")), count, waiting), older),
    h("div", { class: "column" }, h("div", { class: "plate" }, announceForm()), byHand(),
      h("details", { class: "plate folded" }, h("summary", null, say("Give points of a round")),
        pointsForm(() => live.event?.round ?? null, PLAYERS, playerTyped)))));
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();
  live.follow("disputes", ({ disputes }) => {
    const open = disputes.filter(({ answer }) => answer === null);
    count.textContent = open.length === 0 ? say("No protest waits.")
      : sayMany("One protest waits.", "{count} protests wait.", open.length);
    keep(waiting, shown, open);
    show(answered, disputes.filter(({ answer }) => answer !== null), () =>
      disputes.filter(({ answer }) => answer !== null).map(answeredSays));
    older.hidden = disputes.length === open.length;
  });
}

/** @param {Dispute} dispute */
const keyOf = ({ match, line }) => `${match} ${line}`;

/**
 * Have the list show what waits; a form that somebody is typing in stays as it is.
 * @param {HTMLElement} list
 * @param {Map<string, HTMLElement>} shown
 * @param {Dispute[]} open
 */
function keep(list, shown, open) {
  const keys = new Set(open.map(keyOf));
  for (const [key, element] of shown) {
    if (keys.has(key)) continue;
    element.remove();
    shown.delete(key);
  }
  for (const dispute of open) {
    if (shown.has(keyOf(dispute))) continue;
    const element = disputeOf(dispute);
    shown.set(keyOf(dispute), element);
    list.append(element);
  }
}

/** @param {Dispute} dispute */
function disputeOf(dispute) {
  const { round, table, match, line, box, players } = dispute;
  const account = h("div", { class: "account" }, h("p", { class: "empty" }, say("The record is being read…")));
  const read = async () => {
    account.replaceChildren();
    try {
      append(account, [accountOf(await get(`/api/disputes/${round}/${table}/${match}/${line}`), players)]);
    } catch (problem) {
      append(account, [h("p", { class: "problem" }, capital(messageOf(problem))),
        h("button", { type: "button", class: "button is-small", onclick: read }, say("Read the record again"))]);
    }
  };
  read();
  const { form } = actForm("answer", { id: `answer-${table}-${line}`, title: say("Answer"),
    fields: [{ name: "stands", label: say("The ruling"), choices: [{ value: "yes", label: say("stands") },
      { value: "no", label: say("does not stand: the box’s referee puts it right") }] },
    { name: "text", label: say("Reason"), type: "textarea", maxlength: 500 },
    { name: "minutes", label: say("Minutes for a further protest"), type: "number", min: 0, max: 1000, optional: true },
    byField()],
    yes: say("Answer it"),
    body: ({ stands, text, minutes, by }) => ({ round, table, match, line, text, by, stands: stands === "yes",
      minutes: orNull(minutes) }),
    sure: ({ stands }) => ({ title: stands === "yes" ? say("The ruling stands?") : say("The ruling does not stand?"),
      yes: say("Answer it"),
      about: [say("The answer goes to the table’s display and into the event’s log, and stays there.")]
    }) });
  return h("li", { class: "dispute" },
    h("h3", { class: "dispute-title" }, say("Round {round}, table {table}", { round, table }),
      box && h("small", null, ` ${box}`)),
    h("p", null, playerLinks(players)), account, form);
}

/**
 * @param {Account} account
 * @param {Seated[]} players  in the order of the seats
 */
function accountOf({ says, race, seats, presses, course, evidence, fault }, players) {
  const names = new Map(seats.map(({ colour }, seat) => [colour, players[seat]?.name]));
  return [h("p", { class: "big" }, capital(says)),
    h("p", { class: "sentence" }, seats.map(({ colour, short }) => `${short} ${names.get(colour) ?? ""}`).join(" · ")),
    fault && h("p", { class: "problem" }, capital(fault)),
    presses.length > 0 && [h("p", { class: "label" }, race === null ? say("Presses")
      : say("Presses of race {race}", { race })),
    h("ol", { class: "presses" }, presses.map(({ colour, says: press, allowance }) => h("li", null,
      capital(press), names.get(colour) ? ` (${names.get(colour)})` : "",
      allowance && h("small", null, ` ${allowance}`))))],
    course.length > 0 && h("details", null, h("summary", null, say("What the record says of it")),
      h("ol", { class: "told" }, course.map((one) => h("li", null, capital(one))))),
    h("p", { class: "sentence" }, evidence
      ? say("The box has kept the edges of these presses as evidence, by its hash in the record.")
      : say("The record names no evidence of this race beside itself.")),
    evidence && h("p", null, h("code", null, evidence))];
}

/** @param {Dispute} dispute */
function answeredSays({ round, table, players, answer }) {
  const until = answer?.until ? say("further protests until {when}", { when: when(answer.until) }) : "";
  return h("li", null, h("strong", null, say("Round {round}, table {table}", { round, table })), " ",
    players.map(({ name }) => name).join(", "),
    answer && h("p", null, answer.stands ? say("The ruling stands.") : say("The ruling does not stand."), " ",
      say("{by}: {text}", { by: answer.by, text: answer.text }),
      until && ` (${until})`));
}

function byHand() {
  const list = h("ul", { class: "table-rows is-short" });
  let typed = "";
  live.follow("pairings", ({ tables, byes }) => offerPlayers([...tables.flatMap(({ players }) => players), ...byes]));
  const rows = new TableRows(live, list, (row) => row.stage === "disputed" || (typed !== ""
    && (String(row.table) === typed || matches(row.players.map(({ name }) => name).join(" "), typed))), {
    after: (row) => h("button", { type: "button", class: "button is-small",
      "aria-label": say("Enter the result of table {table} by hand", { table: row.table }),
      onclick: () => enterResult(row) }, say("By hand")) });
  return h("section", { class: "plate", "aria-labelledby": "by-hand-title" },
    h("h2", { id: "by-hand-title" }, say("A result by hand")),
    searchField({ id: "search-table", label: say("Search for a name or a table"), oninput: (text) => {
      typed = text;
      rows.filter();
    } }), list);
}
