// Files that games ask for: what there is, and one of them to write, look through, try out and judge past matches by.
// Behind the PIN.
import { bar } from "./frame/bar.js";
import { append, byId, h, part } from "./frame/dom.js";
import { readOut } from "./frame/speaker.js";
import { capital } from "./frame/words.js";
import { byPin, ENDED, loginForm } from "./desk/login.js";
import { fileLists } from "./files/lists.js";
import { workshop } from "./files/workshop.js";
import { get, messageOf, Refused } from "./wire/api.js";
import { fileHash, getFile } from "./wire/texts.js";
import { say } from "./frame/say.js";

/** @import { FileAsked } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

const TO_FILES = {
  open: say("Show the files"),
  help: say("Files for games are written by the referee alone. Enter the PIN that the box showed at its start."),
};

/** What is drawn now may be left without a word, or not. */
let isKept = () => true;

bar();
addEventListener("hashchange", () => begin());
addEventListener("beforeunload", (event) => {
  if (!isKept()) event.preventDefault();
});
begin();

/** @returns {Promise<void>} */
async function begin(said = "") {
  const [game = "", key = "", name = ""] = location.hash.slice(1).split("/").map(decoded);
  isKept = () => true;
  try {
    if (game.startsWith("pin=")) return await openBy(game.slice(4));
    const session = await get("/api/session");
    if (!session.referee) return logIn(said);
    const told = await get("/api/files");
    const asked = told.asked.find((one) => one.game === game && one.key === key);
    if (asked) await open(asked, name, session.simulated);
    else {
      document.title = [say("Files"), "companion"].join(" · ");
      put(h("h1", { tabindex: -1 }, say("Files for games")), fileLists(told, { tell, begin: go, refused }));
    }
    if (said) tell(said);
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) return logIn(ENDED);
    put(back(), h("h1", { tabindex: -1 }, say("Files for games")),
      h("p", { class: "problem", role: "alert" }, `${capital(messageOf(problem))}.`));
  }
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // no address of this page's own
  }
}

/**
 * @param {string} pin
 * @returns {Promise<void>}
 */
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
  put(h("h1", { class: "unseen" }, say("Files for games")), loginForm(said, () => begin(), TO_FILES));
}

/**
 * @param {FileAsked} asked
 * @param {string} name  of the file; empty for a new one
 * @param {boolean} isSimulated
 */
async function open(asked, name, isSimulated) {
  const first = name || asked.files[0]?.name;
  const file = first ? await getFile(asked.game, asked.key, first) : null;
  const shop = workshop(asked, file, name === "", { tell, go, refused, isSimulated });
  isKept = shop.isKept;
  document.title = [name || say("A new file"), "companion"].join(" · ");
  put(back(), h("h1", { tabindex: -1 }, `${asked.title}: ${asked.label}`), shop.element);
  part(byId("files"), "h1").focus();
}

const back = () => h("p", { class: "back" }, h("a", { href: "#" }, say("← All files")));

/** @param {...Child} parts */
function put(...parts) {
  byId("files").replaceChildren();
  append(byId("files"), parts);
}

/** @param {unknown} problem */
function refused(problem) {
  if (problem instanceof Refused && problem.status === 401) {
    return tell(say("{ended} Open the session again in another window: what you have written stays here.",
      { ended: ENDED }), true);
  }
  return tell(`${capital(messageOf(problem))}.`, true);
}

/**
 * Say above everything what was done, or why not.
 * @param {string} text
 */
function tell(text, isBad = false) {
  const place = byId("files");
  place.querySelector("#said")?.remove();
  const said = h("p", { id: "said", class: isBad ? "problem" : "plate said" }, text);
  place.prepend(said);
  said.scrollIntoView({ block: "nearest" });
  readOut(text);
}

/**
 * Show another part of the page, and what was done.
 * @param {Parameters<typeof fileHash> | []} where
 */
function go(where, says = "") {
  isKept = () => true;
  history.pushState(null, "", where.length === 3 ? fileHash(...where) : location.pathname);
  begin(says);
}
