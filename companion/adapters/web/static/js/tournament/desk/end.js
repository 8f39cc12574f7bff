// The end of an event, its file, and what the organiser should know.
import { h, show } from "../../frame/dom.js";
import { say } from "../../frame/say.js";
import { capital } from "../../frame/words.js";
import { actButton, Saying } from "../acting.js";
import { hashed } from "../parts.js";
import { plate } from "./part.js";

/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function endPart(live) {
  const saying = new Saying();
  const notes = h("ul", { class: "notes" });
  const end = h("div", null);
  const head = h("dl", { class: "hashes" });
  live.follow("notes", (told) => show(notes, [told.notes, told.faults], () => (told.notes.length + told.faults.length
    ? [...told.faults.map((text) => h("li", { class: "problem" }, capital(text))),
      ...told.notes.map((text) => h("li", null, capital(text)))]
    : h("li", { class: "empty" }, say("Nothing to be told.")))));
  live.on("event", (event) => {
    show(head, [event.head], () => hashed(say("Head of the log, {lines} lines", { lines: event.lines }), event.head));
    show(end, event.stage, () => (event.stage !== "running" ? null
      : actButton(say("End the event"), "end", () => ({}), { saying, kind: "is-bad", key: "end", sure: () => ({
        title: say("End the event?"), yes: say("End the event"), isBad: true,
        about: [say("Nothing can be entered or changed after that.")] }) })));
  });
  const content = h("div", { class: "columns" },
    h("div", { class: "column wide" }, plate(say("What you should know"), notes)),
    h("div", { class: "column" }, plate(say("The end, and the event’s file"),
      h("p", { class: "sentence" }, say("The file has every sealed record, the log and the keys: whoever has it can "
        + "work out every ruling, drawing and standing again.")), head, saying.problem, saying.done,
      h("div", { class: "actions" }, h("a", { class: "button", href: "/api/event.zip", download: true },
        say("Download the event’s file")), end))));
  return { id: "end", title: say("End and notes"), content };
}
