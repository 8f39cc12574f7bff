// Rounds at the desk: the drawing, changing it by hand with the difference it makes, the clock, announcements.
import { h, show } from "../../frame/dom.js";
import { say } from "../../frame/say.js";
import { actButton, actForm, byField, Saying } from "../acting.js";
import { get } from "../api.js";
import { PLAYERS, playerTyped } from "../choosing.js";
import { clockFace } from "../frame.js";
import { playerLinks } from "../parts.js";
import { announceForm } from "../result_form.js";
import { folded, plate } from "./part.js";

/** @import { Cost, EventNow, Pairings, Rounds } from "../../../../tournament/event_documents.js" */
/** @import { Live } from "../live.js" */
/** @import { DeskPart } from "./part.js" */

/**
 * @param {Live} live
 * @returns {DeskPart}
 */
export function roundsPart(live) {
  const drawing = h("div", null);
  const list = h("ul", { class: "rounds" });
  live.follow("pairings", (told) => show(drawing, told, () => drawn(told)));
  live.follow("rounds", (told) => show(list, told.rounds, () => roundsOf(told)));
  const content = h("div", { class: "columns" },
    h("div", { class: "column wide" }, plate(say("The newest drawing"), drawing)),
    h("div", { class: "column" }, clockPlate(live), plate(say("All displays"), announceForm()), swapForm(live),
      plate(say("Rounds"), list)));
  return { id: "rounds", title: say("Rounds"), content };
}

/** @param {Pairings} told */
function drawn({ round, tables, byes }) {
  if (round === null) return h("p", { class: "empty" }, say("No round is drawn yet."));
  return [h("p", { class: "sentence" }, say("Round {round}", { round })),
    h("ol", { class: "drawn" }, tables.map(({ table, players }) => h("li", null, h("span", { class: "number" }, table),
      h("span", null, playerLinks(players))))),
    byes.length > 0 && h("p", null, say("Byes:"), " ", playerLinks(byes))];
}

/** @param {Rounds} told */
function roundsOf({ rounds }) {
  if (rounds.length === 0) return h("li", { class: "empty" }, say("No round is drawn yet."));
  return [...rounds].reverse().map(({ round, tables, byes, sheet, changed }) => h("li", null,
    h("strong", null, say("Round {round}", { round })), " ", say("{tables} tables, {byes} byes", { tables, byes }),
    changed && h("p", { class: "sentence" }, say("Changed by hand by {by}: {reason}", { by: changed.by,
      reason: changed.reason }), " ", differenceSays(changed.difference)),
    h("p", { class: "hashed" }, say("Hash of the pairings:"), " ", h("code", null, sheet))));
}

/** @param {Cost} difference */
const differenceSays = ({ meetings, spread, seats }) =>
  say("Earlier meetings {meetings}, differences of points {spread}, repeated seats {seats}.",
    { meetings: signed(meetings), spread: signed(spread), seats: signed(seats) });

/** @param {number} value */
const signed = (value) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : "±0");

/** @param {Live} live */
function clockPlate(live) {
  const saying = new Saying();
  const place = h("div", null);
  const minutes = h("input", { id: "clock-minutes", type: "number", min: 1, max: 1000 });
  const field = h("label", { class: "field" }, h("span", { class: "label" }, say("Minutes")), minutes);
  live.on("event", (event) => {
    if (minutes.value === "" && document.activeElement !== minutes) minutes.value = String(event.round_minutes ?? "");
    show(place, [event.round, event.clock?.is_running, event.clock === null], () =>
      clockButtons(event, saying, minutes));
  });
  return plate(say("The round’s clock"), clockFace(live), field, saying.problem, saying.done, place);
}

/**
 * @param {EventNow} event
 * @param {Saying} saying
 * @param {HTMLInputElement} minutes
 */
function clockButtons({ round, clock }, saying, minutes) {
  if (round === null) return h("p", { class: "empty" }, say("No round is drawn yet."));
  /**
   * @param {string} text
   * @param {"start" | "pause" | "resume" | "stop"} action
   */
  const button = (text, action, kind = "") => actButton(text, "clock", () => ({ round, action,
    minutes: action === "start" && minutes.value ? Number(minutes.value) : null }), { saying, kind, key: action });
  return h("p", { class: "actions" },
    clock === null && button(say("Start"), "start", "is-main"),
    clock?.is_running && button(say("Pause"), "pause", "is-main"),
    clock !== null && !clock.is_running && [button(say("Go on"), "resume", "is-main"),
      button(say("Start anew"), "start")],
    clock !== null && button(say("Stop"), "stop"));
}

/** @param {Live} live */
function swapForm(live) {
  const difference = h("p", { class: "sentence", role: "status", id: "swap-difference" });
  const { form, saying } = actForm("swap", { id: "swap", title: say("Two players change places"),
    about: h("p", { class: "sentence" }, say("Only while nothing of the round has been played. It is logged with the "
      + "difference that it makes.")),
    fields: [{ name: "one", label: say("One"), list: PLAYERS },
      { name: "other", label: say("The other"), list: PLAYERS },
      { name: "reason", label: say("Reason") }, byField()],
    yes: say("Change places"),
    more: [difference],
    body: (values) => {
      try {
        return { round: live.event?.round ?? 1, one: playerTyped(values.one), other: playerTyped(values.other),
          reason: values.reason, by: values.by };
      } catch (problem) {
        saying.refused(problem, form);
        return null;
      }
    },
    sure: () => ({ title: say("Have them change places?"), yes: say("Change places"),
      about: [difference.textContent || say("It goes into the event’s log, and stays there.")] }),
    done: () => {
      difference.textContent = "";
    } });
  form.addEventListener("change", async () => {
    const values = ["one", "other"].map((name) => /** @type {HTMLInputElement} */ (
      form.querySelector(`[name="${name}"]`)).value.trim());
    difference.textContent = "";
    if (!values[0] || !values[1] || !live.event?.round) return;
    saying.clear();
    try {
      const [one, other] = values.map(playerTyped);
      const { before, after } = await get(`/api/swap/${live.event.round}/${one}/${other}`);
      difference.textContent = say("The difference:").concat(" ", differenceSays({
        meetings: after.meetings - before.meetings, spread: after.spread - before.spread,
        seats: after.seats - before.seats }));
    } catch (problem) {
      saying.refused(problem);
    }
  });
  return folded(say("Change the drawing by hand"), form);
}
