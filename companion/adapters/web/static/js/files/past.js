// What a file would have ruled in the matches that this box has seen: one match after the other, and whoever looks on
// may stop it at any time.
import { h } from "../frame/dom.js";
import { readOut } from "../frame/speaker.js";
import { capital, when } from "../frame/words.js";
import { get, messageOf, post } from "../wire/api.js";
import { say } from "../frame/say.js";

/** @import { DryRun, FileOf, ListedMatch } from "../../../documents.js" */

const MOST = 100;

/**
 * Give `element`, and `changed()`: the text is another now.
 * @param {FileOf} of
 * @param {{ text: () => string, faults: () => unknown[] | null }} editor
 */
export function pastMatches({ game, key }, editor) {
  let isRunning = false;
  let isWanted = false;
  const button = h("button", { type: "button", class: "button", id: "judge-past", onclick: begin },
    say("Judge them by it"));
  const status = h("p", { class: "sentence", role: "status", id: "past-status" });
  const list = h("ol", { class: "past-list" });
  const element = h("section", { class: "plate", "aria-labelledby": "past-title" },
    h("h2", { id: "past-title" }, say("Past matches")),
    h("p", { class: "sentence" }, say("Of the {count} newest matches of this box: in which races this text rules "
      + "what was ruled, and in which it would not have. Nothing is changed by it.", { count: MOST })),
    h("p", { class: "actions" }, button), status, list);

  async function begin() {
    if (isRunning) {
      isWanted = false;
      return;
    }
    [isRunning, isWanted] = [true, true];
    button.textContent = say("Stop");
    list.replaceChildren();
    try {
      await run((await get("/api/matches")).slice(0, MOST), editor.text());
    } catch (problem) {
      status.textContent = `${capital(messageOf(problem))}.`;
    }
    isRunning = false;
    button.textContent = say("Judge them by it");
    changed();
  }

  /**
   * @param {ListedMatch[]} matches
   * @param {string} text
   */
  async function run(matches, text) {
    let [races, agreed, looked, left] = [0, 0, 0, 0];
    for (const match of matches) {
      if (!isWanted) break;
      const told = await told1(match, text);
      looked += 1;
      races += told.races;
      agreed += told.agreed;
      left += told.why_not ? 1 : 0;
      list.append(item(match, told));
      const counts = { looked, of: matches.length, agreed, races, left };
      status.textContent = left
        ? say("{looked} of {of} matches: the same in {agreed} of {races} races; {left} cannot be compared.", counts)
        : say("{looked} of {of} matches: the same in {agreed} of {races} races.", counts);
    }
    if (matches.length === 0) status.textContent = say("This box has seen no match yet.");
    readOut(status.textContent ?? "");
  }

  /**
   * One match; what cannot be judged is told in its place, and ends nothing.
   * @param {ListedMatch} match
   * @param {string} text
   * @returns {Promise<DryRun>}
   */
  async function told1({ id }, text) {
    try {
      return await post("/api/files/dry-run", { game, key, text, match: id });
    } catch (problem) {
      return { match: id, races: 0, agreed: 0, differing: [], left_out: 0, why_not: messageOf(problem) };
    }
  }

  /**
   * @param {ListedMatch} match
   * @param {DryRun} told
   */
  function item(match, told) {
    const title = h("span", null, h("a", { href: `/matches#${match.id}` }, say("Match {id}", { id: match.id })),
      ` ${match.title}${match.started ? `, ${when(match.started)}` : ""}`);
    if (told.why_not) return h("li", null, title, h("p", { class: "sentence" }, say("Not compared: {why}.",
      { why: told.why_not })));
    const same = told.agreed === told.races;
    return h("li", null, title, " ", h("span", { class: `chip ${same ? "is-good" : "is-bad"}` },
      same ? say("the same in all {races} races", { races: told.races })
        : say("the same in {agreed} of {races} races", { agreed: told.agreed, races: told.races })),
      told.differing.length > 0 && h("details", null, h("summary", null, say("Where it differs")),
        h("dl", { class: "differing" }, told.differing.map(({ race, ruled, would }) => [
          h("dt", null, say("Race {race}", { race })), h("dd", null, h("strong", null, say("Ruled:")), " ", ruled),
          h("dd", null, h("strong", null, say("By this text:")), " ", would)]),
        told.left_out > 0 && h("dd", null, say("And {count} more.", { count: told.left_out })))));
  }

  function changed() {
    button.disabled = !isRunning && (editor.faults() === null || (editor.faults() ?? []).length > 0);
  }

  return { element, changed };
}
