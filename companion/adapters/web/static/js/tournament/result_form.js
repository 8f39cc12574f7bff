// A table's result entered by hand: who came where, with a reason.
import { h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { actForm, byField, orNull } from "./acting.js";

/** @import { TableRow } from "../../../tournament/event_documents.js" */

/**
 * Open the form in a dialog.
 * @param {TableRow} row
 */
export function enterResult(row) {
  const before = document.activeElement;
  const { form } = actForm("result", {
    id: "result-by-hand",
    title: say("Result of table {table}, by hand", { table: row.table }),
    about: h("p", { class: "sentence" }, say("It takes the place of any other result, is final, and is marked as "
      + "entered by hand. Players who tied have the same number: 1, 2, 2, 4.")),
    fields: [
      ...row.players.flatMap(({ player, name }) => {
        const had = row.result?.find((one) => one.player === player);
        return [
          { name: `rank-${player}`, label: say("{name}: number", { name }), type: /** @type {"number"} */ ("number"),
            min: 1, max: 5, value: had ? String(had.rank) : "" },
          { name: `cards-${player}`, label: say("{name}: cards", { name }), type: /** @type {"number"} */ ("number"),
            min: 0, max: 1000, optional: true, value: String(had?.cards ?? "") }];
      }),
      { name: "reason", label: say("Reason") }, byField()],
    yes: say("Enter the result"),
    isBad: true,
    body: (values) => ({ round: row.round, table: row.table, reason: values.reason, by: values.by,
      places: row.players.map(({ player }) => ({ player, rank: Number(values[`rank-${player}`]),
        cards: orNull(values[`cards-${player}`]) })) }),
    sure: () => ({ title: say("Enter this result?"), isBad: true, yes: say("Enter the result"),
      about: [say("It goes into the event’s log, and stays there.")] }),
    done: () => dialog.close(),
  });
  const dialog = h("dialog", { class: "plate", "aria-label": say("Result by hand") }, form, h("p", { class: "actions" },
    h("button", { type: "button", class: "button", onclick: () => dialog.close() }, say("Leave it"))));
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}

/** Give a player's points of a round in the place of those that a result gives. */
export function pointsForm(/** @type {() => number | null} */ round, /** @type {string} */ list,
  /** @type {(typed: string) => number} */ playerTyped) {
  const { form, saying } = actForm("points", {
    id: "give-points",
    title: say("Give points of a round"),
    about: h("p", { class: "sentence" }, say("In the place of those that the result gives; "
      + "24 is a whole win, 12 a bye.")),
    fields: [{ name: "player", label: say("Player"), list },
      { name: "round", label: say("Round"), type: "number", min: 1, max: 99 },
      { name: "points", label: say("Points"), type: "number", min: 0, max: 1000 },
      { name: "reason", label: say("Reason") }, byField()],
    yes: say("Give the points"),
    isBad: true,
    body: (values) => {
      try {
        return { round: Number(values.round), player: playerTyped(values.player), points: Number(values.points),
          reason: values.reason, by: values.by };
      } catch (problem) {
        saying.refused(problem, form);
        return null;
      }
    },
    sure: ({ points, player }) => ({ title: say("Give {points} points to {player}?", { points, player }),
      yes: say("Give the points"), isBad: true, about: [say("It goes into the event’s log, and stays there.")] }),
  });
  form.addEventListener("focusin", () => {
    const field = form.querySelector("[name=round]");
    if (field instanceof HTMLInputElement && field.value === "") field.value = String(round() ?? "");
  });
  return form;
}

/** Say something on all displays. */
export function announceForm() {
  return actForm("announce", { id: "announce", title: say("Announce"),
    fields: [{ name: "text", label: say("What all displays and pages say"), type: "textarea", maxlength: 500 },
      byField()],
    yes: say("Announce it"),
    body: ({ text, by }) => ({ text, by }) }).form;
}
