// People: names that stay, standings, evenings, one person's figures, results to print. Behind the PIN, but for links
// and results.
import { bar } from "./frame/bar.js";
import { ask } from "./frame/ask.js";
import { append, byId, h, part } from "./frame/dom.js";
import { readOut } from "./frame/speaker.js";
import { capital } from "./frame/words.js";
import { byPin, ENDED, loginForm } from "./desk/login.js";
import { evenings, files, links, personHash, players } from "./people/lists.js";
import { drawn, folded, notes, table } from "./people/sheet.js";
import { get, getSheet, messageOf, post, Refused } from "./wire/api.js";
import { say } from "./frame/say.js";

/** @import { Bodies, Commands, Sheet, Sheets } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

const TO_PEOPLE = {
  open: say("Show the people"),
  help: say("Names and figures of people are shown to the referee alone. "
    + "Enter the PIN that the box showed at its start."),
};

bar();
addEventListener("hashchange", () => begin());
begin();

async function begin(said = "") {
  const [, kind = "", which = ""] = /^#(person|evening|result|shared|pin)=(.*)$/.exec(location.hash) ?? [];
  try {
    const isOpen = ["pin", "result", "shared"].includes(kind);
    if (!isOpen && !(await get("/api/session")).referee) return logIn(said);
    if (kind === "pin") await openBy(which);
    else if (kind === "result") await sheet(`/api/matches/${which}/result`, backTo(`/matches#${which}`,
      say("The match")));
    else if (kind === "shared") await sheet(`/api/shared/${which}/sheet`, null);
    else if (kind === "person") await person(which);
    else if (kind === "evening") await evening(which);
    else await overview();
    if (said) tell(said);
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) logIn();
    else {
      put(kind !== "shared" && home(), h("h1", { tabindex: -1 }, say("People")),
        h("p", { class: "problem" }, `${capital(messageOf(problem))}.`));
    }
  }
}

/** @param {string} pin */
async function openBy(pin) {
  history.replaceState(null, "", location.pathname);
  try {
    await byPin(pin);
  } catch (problem) {
    return logIn(messageOf(problem));
  }
  return begin();
}

function logIn(said = "") {
  put(h("h1", { class: "unseen" }, say("People")), loginForm(said, () => begin(), TO_PEOPLE));
}

/** @param {...Child} parts */
function put(...parts) {
  byId("people").replaceChildren();
  append(byId("people"), parts);
}

/**
 * @param {string} href
 * @param {string} text
 */
function backTo(href, text) {
  return h("p", { class: "back for-screen" }, h("a", { href }, `← ${text}`));
}

function home() {
  return backTo("#", say("All people"));
}

/**
 * Have something done; whatever the box refuses is said. Tells whether it was done.
 * @template {keyof Commands} A
 * @param {A} address
 * @param {Bodies[A]} body
 * @param {(says: string) => Promise<void> | void} then
 */
async function act(address, body, then) {
  try {
    const { says } = await post(address, body);
    readOut(`${capital(says)}.`);
    await then(`${capital(says)}.`);
    return true;
  } catch (problem) {
    refused(problem);
    return false;
  }
}

/** @param {unknown} problem */
function refused(problem) {
  if (problem instanceof Refused && problem.status === 401) return logIn(ENDED);
  readOut(messageOf(problem));
  return tell(`${capital(messageOf(problem))}.`, true);
}

/**
 * Say above everything what was done, or why not.
 * @param {string} text
 */
function tell(text, isBad = false) {
  byId("people").querySelector("#said")?.remove();
  byId("people").prepend(h("p", { id: "said", class: isBad ? "problem" : "plate said" }, text));
}

// -- the lists --------------------------------------------------------------------------------------------------------

async function overview() {
  document.title = [say("People"), "companion"].join(" · ");
  const [told, link] = await Promise.all([get("/api/people"), get("/api/link")]);
  put(
    h("div", { class: "title" }, h("h1", { tabindex: -1 }, say("People"))),
    told.fault && h("p", { class: "problem" }, capital(told.fault)),
    h("div", { class: "lists" },
      h("div", { class: "column" },
        told.standings.map((one, index) => (index === 0 ? table(one) : folded(one))), evenings(told.evenings),
        notes(told.notes)),
      h("div", { class: "column" },
        players(told.people, (name) => act("/api/people/add", { name }, begin)),
        links(told.shares, link, (token) => act("/api/shares/remove", { token }, begin)), files())));
}

// -- one sheet --------------------------------------------------------------------------------------------------------

/**
 * @param {keyof Sheets} address
 * @param {Child} back
 * @param {(sheet: Sheet) => Child} actions
 */
async function sheet(address, back, actions = () => null) {
  const told = await getSheet(address);
  document.title = `${told.title} · companion`;
  put(back, drawn(told, actions(told)));
  part(byId("people"), "h1").focus();
}

/** @param {string} which  the name, encoded: once more in the address, so that no slash of a name parts it */
function person(which) {
  return sheet(`/api/people/${encodeURIComponent(which)}/sheet`, home(), ({ title: name }) => [
    h("a", { class: "button", id: "profile-of", href: `/profile${personHash(name)}` }, say("Profile")),
    button("share", say("Give out a link"), () => share("/api/shares/person", { person: name })),
    button("rename", say("Change the name"), () => rename(name)),
    button("remove", say("Delete"), () => remove(name), "is-bad"),
  ]);
}

/** @param {string} which */
function evening(which) {
  return sheet(`/api/evenings/${which}/sheet`, home(), () =>
    button("share", say("Give out a link"), () => share("/api/shares/evening", { evening: which })));
}

/**
 * @param {string} id
 * @param {string} text
 * @param {() => void} onclick
 */
function button(id, text, onclick, kind = "") {
  return h("button", { type: "button", id, class: `button ${kind}`, onclick }, text);
}

/**
 * @template {"/api/shares/person" | "/api/shares/evening"} A
 * @param {A} address
 * @param {Bodies[A]} body
 */
async function share(address, body) {
  try {
    const { says } = await post(address, body);
    go("#", say("Here is the link: {link}. Copy it below Links; there it can be taken back, too.", { link: says }));
  } catch (problem) {
    refused(problem);
  }
}

/** @param {string} name */
async function rename(name) {
  const answer = await ask({ title: say("Change the name {name}", { name }), yes: say("Change it"),
    about: [say("In every stored record, too. The name of another player makes the two one: that cannot be undone.")],
    fields: [{ name: "to", label: say("New name"), value: name, maxlength: 12 }] });
  if (answer) await act("/api/people/rename", { name, to: answer.to }, (says) => go(personHash(answer.to), says));
}

/** @param {string} name */
async function remove(name) {
  const answer = await ask({ title: say("Delete {name}?", { name }), yes: say("Delete"), isBad: true,
    about: [say("The name goes from the list, from every stored record and from the links. This cannot be undone."),
      say("Presses and rulings stay, by colour alone. Seals cover no names, so every record still holds.")] });
  if (answer) await act("/api/people/remove", { name }, (says) => go("#", says));
}

/**
 * Show another part of the page, and what was done.
 * @param {string} hash
 * @param {string} says
 */
function go(hash, says) {
  history.pushState(null, "", hash === "#" ? location.pathname : hash);
  begin(says);
}
