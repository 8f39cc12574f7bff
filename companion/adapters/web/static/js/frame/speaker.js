// The page's one polite live region, and what the box has to say of a match as it goes on: in its own words, which are
// the voice's too. Where this page is read aloud (`voice.js`), it reads the same.
import { readAloud } from "./voice.js";

/** @import { State, Urgency } from "../../../documents.js" */

/** @type {string[]} */
const waiting = [];
let timer = 0;

/**
 * Have a sentence spoken by a screen reader, after those that wait, and read aloud where that is switched on.
 * @param {string | null} text
 */
export function readOut(text) {
  if (!text) return;
  write(text);
  readAloud([text]);
}

/** @param {string} text */
function write(text) {
  if (waiting.at(-1) === text) return;
  waiting.push(text);
  if (timer === 0) timer = setTimeout(speak, 120);
}

function speak() {
  const region = document.getElementById("spoken");
  if (region) region.textContent = waiting.splice(0).join(" ");
  timer = 0;
}

/**
 * What was there to say of the state before; null: there was none.
 * @type {Set<string> | null}
 */
let known = null;

/** The key of what has no words: what was ruled is being saved, and all that held a moment ago still does. */
const SAVING = "saving";

/** What a reader would not want to wait for: it cuts off what is being read. */
const PRESSING = /** @type {Urgency[]} */ (["ruling", "alarm"]);

/**
 * Say what is new in a state. The first state is not news.
 * @param {State} state
 */
export function sayNews(state) {
  const before = known;
  const keys = state.spoken.map(({ key }) => key);
  known = new Set(keys.includes(SAVING) ? [...before ?? [], ...keys] : keys);
  const news = before === null ? [] : state.spoken.filter(({ key, says }) => says && !before.has(key));
  for (const { says } of news) write(says);
  readAloud(news.map(({ says }) => says), news.some(({ urgency }) => PRESSING.includes(urgency)));
}
