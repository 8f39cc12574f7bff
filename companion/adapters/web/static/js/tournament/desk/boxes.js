// Boxes at the desk: those that wait to be enrolled, by the code on their display; which is there; how far each is.
import { h, show } from "../../frame/dom.js";
import { number, say, sayMany } from "../../frame/say.js";
import { capital } from "../../frame/words.js";
import { actButton, actForm, Saying } from "../acting.js";
import { offerBoxes } from "../choosing.js";
import { plate } from "./part.js";

/** @import { Box } from "../../../../tournament/event_documents.js" */
/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function boxesPart(live) {
  const saying = new Saying();
  const waiting = h("div", null);
  const list = h("ul", { class: "entries", id: "boxes-list" });
  const count = h("p", { class: "sentence" });
  const gone = h("p", { class: "sentence" });
  live.follow("boxes", (told) => {
    offerBoxes(told.boxes.map(({ box }) => box));
    const there = told.boxes.filter((one) => one.is_there).length;
    count.textContent = say("{there} of {all} connected", { there, all: told.boxes.length });
    show(waiting, told.waiting, () => (told.waiting.length === 0
      ? h("p", { class: "empty" }, say("No box waits. One that is set up for this event appears here by itself."))
      : h("ul", { class: "waiting" }, told.waiting.map(({ box, why }) =>
        h("li", null, h("strong", null, box), " ", h("span", { class: "chip is-heat" }, why))))));
    show(list, told.boxes, () => told.boxes.map((one) => entry(one, saying)));
    gone.textContent = told.gone.length ? say("No longer in: {boxes}", { boxes: told.gone.join(", ") }) : "";
  }, () => list.closest("[hidden]") === null); // it changes all the time, and a thousand are a lot to draw
  const { form } = actForm("enrol-box", { id: "enrol-box", title: say("Enrol a box"),
    about: h("p", { class: "sentence" }, say("Go to the box, and type the ten digits that its display shows. So nobody "
      + "else can pass for it.")),
    fields: [{ name: "code", label: say("Code on the box’s display"), maxlength: 40 }], yes: say("Enrol"),
    body: ({ code }) => ({ code }) });
  const content = h("div", { class: "columns" },
    h("div", { class: "column wide" }, plate(say("Boxes"), count, saying.problem, saying.done, list, gone)),
    h("div", { class: "column" }, plate(say("Waiting to be enrolled"), waiting, form)));
  return { id: "boxes", title: say("Boxes"), content };
}

/**
 * @param {Box} one
 * @param {Saying} saying
 */
function entry({ box, is_there: isThere, table, code, software, lines, behind, fault }, saying) {
  return h("li", { class: isThere && "is-there" },
    h("span", { class: "who" }, h("strong", null, box),
      h("small", null, table === null ? say("no table") : say("table {table}", { table })),
      h("small", null, behind ? sayMany("one line is still to come", "{count} lines are still to come", behind)
        : say("{lines} lines are here", { lines: number(lines) })),
      h("small", null, h("code", null, code), software && ` · ${software}`),
      fault && h("small", { class: "is-bad" }, capital(fault))),
    h("span", { class: `chip ${isThere ? "is-good" : "is-bad"}` }, isThere ? say("connected") : say("not connected")),
    h("span", { class: "actions" }, actButton(say("Take out"), "let-box-go", () => ({ box, reason: "" }), { saying,
      kind: "is-small", key: `out ${box}`, label: say("Take {box} out of the event", { box }), sure: () => ({
        title: say("Take {box} out of the event?", { box }), yes: say("Take out"), isBad: true,
        about: [say("What it sealed up to now stays. Its table has to go on on another box.")] }) })));
}
