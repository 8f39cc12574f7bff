// Players at the desk: entering, check-in by searching, putting right, leaving and coming back, pairs apart, CSV.
import { append, h, show } from "../../frame/dom.js";
import { say, sayMany } from "../../frame/say.js";
import { readOut } from "../../frame/speaker.js";
import { capital } from "../../frame/words.js";
import { actButton, actForm, orNull, Saying } from "../acting.js";
import { importPlayers } from "../api.js";
import { offerPlayers, PLAYERS, playerTyped } from "../choosing.js";
import { byName, matches, searchField } from "../parts.js";
import { folded, plate } from "./part.js";

/** @import { Entry, Players, Stage } from "../../../../tournament/event_documents.js" */
/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/** So many are listed before somebody searches. */
const MOST = 100;

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function playersPart(live) {
  const saying = new Saying();
  const list = h("ul", { class: "entries", id: "entries" });
  const count = h("p", { class: "sentence", role: "status" });
  /** @type {Players | null} */
  let told = null;
  let typed = "";
  let which = "all";
  const draw = () => {
    if (told === null) return;
    const stage = live.event?.stage ?? "entering";
    const found = told.players.filter((one) => wanted(one, which) && (!typed || String(one.player) === typed
      || matches(`${one.name} ${one.club}`, typed)));
    const some = byName(found).slice(0, MOST);
    count.textContent = found.length > some.length
      ? say("{some} of {all} players: search for the others", { some: some.length, all: found.length })
      : sayMany("one player", "{count} players", found.length);
    show(list, [some, stage], () => some.map((one) => entry(one, stage, saying)));
  };
  const apart = h("ul", { class: "apart" });
  live.follow("players", (players) => {
    told = players;
    offerPlayers(players.players);
    draw();
    show(apart, players.apart, () => players.apart.map(({ one, one_name: oneName, other, other_name: otherName }) =>
      h("li", null, h("span", null, say("{one} and {other}", { one: oneName, other: otherName })),
        actButton(say("May meet again"), "keep-apart", () => ({ one, other, apart: false }),
          { saying, kind: "is-small", key: `apart ${one} ${other}`,
            label: say("{one} and {other} may meet again", { one: oneName, other: otherName }) }))));
  });
  live.on("event", draw);
  const search = searchField({ id: "search-player", label: say("Search by name, club or number"),
    oninput: (text) => {
      typed = text;
      draw();
    } });
  const select = h("select", { id: "which-players", onchange: ({ currentTarget }) => {
    which = currentTarget.value;
    draw();
  } }, h("option", { value: "all" }, say("all")), h("option", { value: "there" }, say("there")),
  h("option", { value: "missing" }, say("not there")));
  const content = h("div", { class: "columns" },
    h("div", { class: "column wide" }, plate(say("Players"), h("div", { class: "tools" }, search,
      h("label", { class: "field" }, h("span", { class: "label" }, say("Show")), select)),
    saying.problem, saying.done, count, list)),
    h("div", { class: "column" }, plate(say("Enter a player"), enterForm()), apartForm(apart), files()));
  return { id: "players", title: say("Players"), content };
}

/**
 * @param {Entry} one
 * @param {string} which
 */
const wanted = ({ is_there: isThere }, which) => which === "all" || isThere === (which === "there");

function enterForm() {
  return actForm("enter-player", { id: "enter-player", title: say("New player"),
    fields: [{ name: "name", label: say("Name"), maxlength: 80 },
      { name: "club", label: say("Club"), optional: true, maxlength: 80 },
      { name: "fixed", label: say("Always at table"), type: "number", min: 1, max: 9999, optional: true },
      { name: "there", label: say("and is there already (from check-in on)"), type: "checkbox" }],
    yes: say("Enter"), keep: [],
    body: ({ name, club, fixed, there }) => ({ name, club, fixed: orNull(fixed), there: there === "yes" }) }).form;
}

/** @param {HTMLElement} apart */
function apartForm(apart) {
  const { form, saying } = actForm("keep-apart", { id: "keep-apart", title: say("Two who must not meet"),
    fields: [{ name: "one", label: say("One"), list: PLAYERS },
      { name: "other", label: say("The other"), list: PLAYERS }],
    yes: say("Keep apart"),
    body: ({ one, other }) => {
      try {
        return { one: playerTyped(one), other: playerTyped(other), apart: true };
      } catch (problem) {
        saying.refused(problem, form);
        return null;
      }
    } });
  return folded(say("Pairs that must not meet"), form, apart);
}

function files() {
  const saying = new Saying();
  const file = h("input", { id: "csv-file", type: "file", accept: ".csv,text/csv" });
  const send = h("button", { type: "submit", class: "button" }, say("Enter all of the file"));
  const form = h("form", { class: "act", onsubmit: async (event) => {
    event.preventDefault();
    const chosen = file.files?.[0];
    if (!chosen) return saying.refused(new Error(say("choose a file first")));
    send.disabled = true;
    try {
      const { says } = await importPlayers(await chosen.text());
      saying.said(says);
      readOut(capital(says));
      file.value = "";
    } catch (problem) {
      saying.refused(problem);
    }
    send.disabled = false;
  } }, h("label", { class: "field" }, h("span", { class: "label" }, say("CSV file with name, club and table")), file),
  saying.problem, saying.done, h("p", { class: "actions" }, send,
    h("a", { class: "button", href: "/api/players.csv", download: true }, say("Save all players as CSV"))));
  return folded(say("Players from and to a file"), form);
}

/**
 * @param {Entry} one
 * @param {Stage} stage
 * @param {Saying} saying
 */
function entry(one, stage, saying) {
  const { player, name, club, fixed, is_there: isThere, has_entered: hasEntered } = one;
  const row = h("li", { class: isThere && "is-there" });
  const buttons = [];
  if (stage === "check-in" || stage === "running") {
    buttons.push(isThere
      ? actButton(say("Leaves"), "drop", () => ({ player }), { saying, kind: "is-small", key: `drop ${player}`,
        label: say("{name} leaves", { name }), sure: () => ({ title: say("{name} leaves?", { name }),
          yes: say("Leaves"), about: [say("They are in no drawing from here on, and may come back at any time.")] }) })
      : actButton(hasEntered ? say("Is back") : say("Is there"), "check-in", () => ({ player }), { saying,
        kind: "is-small is-main", key: `in ${player}`, label: hasEntered ? say("{name} is back", { name })
          : say("{name} is there", { name }) }));
  }
  if (stage !== "ended") {
    buttons.push(h("button", { type: "button", class: "button is-small", "data-key": `edit ${player}`,
      "aria-label": say("Change the entry of {name}", { name }), onclick: () => edit(one, saying) }, say("Change")));
  }
  append(row, [h("span", { class: "number" }, player), h("span", { class: "who" }, h("strong", null, name),
    club && h("small", null, club),
    fixed !== null && h("small", null, say("always at table {table}", { table: fixed })),
    isThere ? h("small", null, say("there")) : hasEntered && h("small", null, say("has left"))),
  h("span", { class: "actions" }, buttons)]);
  return row;
}

/**
 * @param {Entry} one
 * @param {Saying} saying
 */
function edit({ player, name, club, fixed }, saying) {
  const before = document.activeElement;
  const { form } = actForm("edit-player", { id: "edit-player", title: say("Number {player}", { player }),
    fields: [{ name: "name", label: say("Name"), value: name, maxlength: 80 },
      { name: "club", label: say("Club"), value: club, optional: true, maxlength: 80 },
      { name: "fixed", label: say("Always at table"), type: "number", min: 1, max: 9999, optional: true,
        value: fixed === null ? "" : String(fixed) }],
    yes: say("Change"),
    body: (values) => ({ player, name: values.name, club: values.club, fixed: orNull(values.fixed) }),
    done: () => {
      saying.said(say("the entry is changed"));
      dialog.close();
    } });
  const dialog = h("dialog", { class: "plate", "aria-label": say("Change an entry") }, form,
    h("p", { class: "actions" }, h("button", { type: "button", class: "button", onclick: () => dialog.close() },
      say("Leave it"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

