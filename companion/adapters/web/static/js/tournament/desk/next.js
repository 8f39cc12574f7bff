// What comes next of the event's course, with the button that does it.
import { h, show } from "../../frame/dom.js";
import { say } from "../../frame/say.js";
import { actButton, Saying } from "../acting.js";
import { clockFace } from "../frame.js";

/** @import { EventNow } from "../../../../tournament/event_documents.js" */
/** @import { Live } from "../live.js" */

/** @param {Live} live */
export function nextStep(live) {
  const saying = new Saying();
  const body = h("div", { class: "next-body" });
  const course = h("ol", { class: "course" });
  const clock = clockFace(live);
  const draw = (/** @type {EventNow} */ event) => {
    show(body, [event.next, event.round], () => [h("p", { class: "big" }, event.next.says),
      h("p", { class: "actions" }, button(event, saying))]);
    show(course, [event.stage, event.round, event.rounds], () => steps(event));
  };
  live.on("event", draw);
  return h("section", { class: "plate next", "aria-labelledby": "next-title" },
    h("div", { class: "next-head" }, h("h2", { id: "next-title" }, say("What comes next")), clock), course, body,
    saying.problem, saying.done);
}

/** @param {EventNow} event */
function steps({ stage, round, rounds }) {
  const at = ["entering", "check-in", "running", "ended"].indexOf(stage);
  const played = rounds === null ? say("Rounds ({round} drawn)", { round: round ?? 0 })
    : say("Rounds ({round} of {rounds} drawn)", { round: round ?? 0, rounds });
  return [say("Entries"), say("Check-in"), played, say("The end")].map((text, index) =>
    h("li", { class: index < at ? "is-done" : index === at ? "is-now" : "",
      "aria-current": index === at ? "step" : null }, text));
}

/**
 * @param {EventNow} event
 * @param {Saying} saying
 */
function button({ next, round, round_minutes: minutes }, saying) {
  const usual = { saying, kind: "is-main", key: "next" };
  const following = (round ?? 0) + 1;
  switch (next.key) {
    case "open":
      return actButton(say("Open the check-in"), "open-check-in", () => ({}), { ...usual, sure: () => ({
        title: say("Open the check-in?"), yes: say("Open the check-in"),
        about: [say("The SHA-256 of the seed is on the event’s page by now; it cannot be changed any more.")] }) });
    case "close":
      return actButton(say("Close the check-in"), "close-check-in", () => ({}), { ...usual, sure: () => ({
        title: say("Close the check-in?"), yes: say("Close the check-in"),
        about: [say("The seed is told to all. Players who come later can still be checked in, for the next "
          + "round.")] }) });
    case "draw":
      return actButton(say("Draw round {round}", { round: following }), "draw", () => ({ round: following }), usual);
    case "start":
      return minutes === null ? h("a", { class: "button is-main", href: "#rounds" }, say("To the clock"))
        : actButton(say("Start the clock, {minutes} minutes", { minutes }), "clock",
          () => ({ round: round ?? 1, action: "start", minutes: null }), usual);
    case "disputes":
      return h("a", { class: "button is-main", href: "/referee" }, say("To the referee’s page"));
    case "end":
      return actButton(say("End the event"), "end", () => ({}), { ...usual, sure: () => ({ title: say("End the event?"),
        yes: say("End the event"), isBad: true, about: [say("Nothing can be entered or changed after that.")] }) });
    case "download":
      return h("a", { class: "button is-main", href: "/api/event.zip", download: true },
        say("Download the event’s file"));
    default:
      return h("a", { class: "button", href: `#${next.part}` }, say("Look at the tables"));
  }
}
