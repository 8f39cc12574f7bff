// The organiser's desk: what comes next, and a part of the page for each thing that is done.
import { byId, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { messageOf, Refused } from "../wire/api.js";
import { capital } from "../frame/words.js";
import { session } from "./acting.js";
import { logOut } from "./api.js";
import { boxesPart } from "./desk/boxes.js";
import { endPart } from "./desk/end.js";
import { nextStep } from "./desk/next.js";
import { playersPart } from "./desk/players.js";
import { printsPart } from "./desk/prints.js";
import { roundsPart } from "./desk/rounds.js";
import { tablesPart } from "./desk/tables.js";
import { begin } from "./frame.js";
import { ENDED, loginForm, may, openSession } from "./login.js";

/** @import { DeskPart } from "./desk/part.js" */

const live = begin({ tables: true });
/** @type {DeskPart[]} */
let parts = [];
enter();

async function enter(said = "") {
  try {
    const opened = await openSession("organiser");
    if (may(opened, "organiser") && opened.role === "organiser") return opening();
    ask(said);
  } catch (problem) {
    ask(capital(messageOf(problem)));
  }
}

/** @param {string} said */
function ask(said) {
  const form = loginForm("organiser", said, () => enter());
  if (parts.length && byId("again").hasChildNodes()) return; // it is asked already
  if (parts.length) byId("again").replaceChildren(form); // what is typed below stays
  else byId("desk").replaceChildren(form);
}

function opening() {
  if (parts.length) {
    byId("again").replaceChildren();
    live.again();
    return;
  }
  session.ended = () => ask(ENDED);
  live.on("refused", (problem) => {
    if (problem instanceof Refused && problem.status === 401) session.ended();
  });
  parts = [playersPart, boxesPart, roundsPart, tablesPart, printsPart, endPart].map((make) => make(live));
  const nav = h("nav", { class: "parts", "aria-label": say("Parts of the desk") }, h("ul", null,
    parts.map(({ id, title }) => h("li", null, h("a", { href: `#${id}`, id: `to-${id}` }, title)))));
  byId("desk").replaceChildren(h("div", { id: "again" }), nextStep(live), nav, ...parts.map(({ id, title, content }) =>
    h("section", { id, class: "desk-part", "aria-label": title }, content)),
  h("p", { class: "actions" }, h("button", { type: "button", class: "button is-small", onclick: async () => {
    await logOut().catch(() => {});
    location.reload();
  } }, say("Log out"))));
  addEventListener("hashchange", turn);
  turn();
}

/** Show the part that the address names, the first where it names none. */
function turn() {
  const wanted = parts.find(({ id }) => `#${id}` === location.hash) ?? parts[0];
  for (const { id } of parts) {
    byId(id).hidden = id !== wanted.id;
    if (id === wanted.id) byId(`to-${id}`).setAttribute("aria-current", "true");
    else byId(`to-${id}`).removeAttribute("aria-current");
  }
  live.look();
}

