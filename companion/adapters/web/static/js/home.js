// The first page: the ways in, which come with it; how the box stands; and, on a simulated box, a match to try.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, show } from "./frame/dom.js";
import { messageOf, post } from "./wire/api.js";
import { openSession } from "./desk/session.js";
import { readOut } from "./frame/speaker.js";
import { capital } from "./frame/words.js";
import { say } from "./frame/say.js";

/** @import { State } from "../../documents.js" */

const connection = new Connection();
const problem = byId("home-problem");

bar(connection);
const told = new Promise((resolve) => {
  connection.on("state", ({ detail: { state } }) => {
    render(state);
    resolve(null);
  });
  connection.on("lost", resolve);
});
connection.open();
byId("try").addEventListener("click", tryIt);
const session = openSession().then(({ simulated }) => {
  byId("try-tile").hidden = !simulated;
}, tell);
Promise.all([session, told]).then(() => document.body.classList.add("is-drawn"));

/** @param {State} state */
function render(state) {
  const hasMatch = state.match !== null;
  show(byId("now"), [state.now, hasMatch], () => [
    h("p", null, h("strong", null, state.now.title), " ", h("span", null, state.now.says)),
    hasMatch && h("a", { class: "button is-small", href: "/table", "data-key": "watch" }, say("Watch")),
  ]);
}

async function tryIt() {
  problem.hidden = true;
  try {
    if (!connection.state?.match || connection.state.match.over) await post("/api/try", {});
    location.assign("/try");
  } catch (refusal) {
    tell(refusal);
  }
}

/** @param {unknown} refusal */
function tell(refusal) {
  problem.textContent = capital(messageOf(refusal));
  problem.hidden = false;
  readOut(problem.textContent);
}
