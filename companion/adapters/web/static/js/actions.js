// What a referee may rule now: close, no card, it was a play, for the new card, take back, note, end.
import { h, show } from "./dom.js";
import { post } from "./api.js";
import { ask, lastName, rememberName } from "./ask.js";
import { capital } from "./words.js";

/** @import { Preview, State, StateWithMatch } from "../../documents.js" */
/** @import { Desk } from "./referee.js" */

const REASONS = ["wrong card entered", "wrong button", "agreed by all", "a card fell over"];

/**
 * Give the rulings: `element`, and `render(state)`.
 * @param {Desk} desk
 */
export function actions({ act, seen, connection }) {
  const element = h("div", { class: "act-list" });

  async function takeBack() {
    const undo = connection.state?.can.undo;
    if (!undo) return;
    const said = await ask({
      title: "Take back?",
      about: [`${capital(undo.says)}${undo.line ? `, line ${undo.line}` : ""}. ` +
        "It stays in the record, with who took it back and why."],
      fields: [{ name: "reason", label: "Why", suggestions: REASONS },
        { name: "by", label: "Who", value: lastName(), maxlength: 40 }],
      yes: "Take it back", isBad: true,
    });
    if (!said) return;
    rememberName(said.by);
    await act("/api/undo", { reason: said.reason, by: said.by, line: undo.line });
  }

  /** @param {{ line: number, says: string }} press */
  async function forNewCard({ line, says }) {
    /** @type {Preview} */
    let preview;
    try {
      preview = await post("/api/for-new-card/preview", { line, seen: seen() });
    } catch {
      await act("/api/for-new-card", { line, by: lastName() || "referee", seen: seen() }); // it says why not
      return;
    }
    const changed = preview.lines.filter(({ state }) => state === "changed").flatMap(({ after }) => after);
    const said = await ask({
      title: "It was for the new card?",
      about: [`${capital(says)}, line ${line}, counts for the newest card, at its own time.`,
        ...changed.map((text) => `${capital(text)}.`),
        `${preview.changed} later rulings change, ${preview.misfits} lines do not fit any more.`],
      fields: [{ name: "by", label: "Who", value: lastName(), maxlength: 40 }],
      yes: "It was for the new card",
    });
    if (!said) return;
    rememberName(said.by);
    await act("/api/for-new-card", { line, by: said.by, seen: preview.seen });
  }

  async function end() {
    const said = await ask({ title: "End the match?",
      about: ["The score is final then. The end can be taken back as any other line."], yes: "End the match",
      isBad: true });
    if (said) await act("/api/end", { seen: seen() });
  }

  async function note() {
    const said = await ask({ title: "A note in the record", about: ["It decides nothing."],
      fields: [{ name: "text", label: "Note" }, { name: "by", label: "Who", value: lastName(), maxlength: 40 }],
      yes: "Note it" });
    if (!said) return;
    rememberName(said.by);
    await act("/api/remark", { text: said.text, by: said.by });
  }

  /** @param {StateWithMatch} state */
  function build({ can, game, match }) {
    /**
     * @param {string} key
     * @param {string} label
     * @param {() => void} onclick
     * @param {{ isMain?: boolean, isBad?: boolean, enabled?: boolean }} how
     */
    const button = (key, label, onclick, { isMain = false, isBad = false, enabled = true } = {}) =>
      h("button", { type: "button", class: `button${isMain ? " is-main" : ""}${isBad ? " is-bad" : ""}`,
        "data-key": key, id: `act-${key}`, disabled: !enabled, onclick }, label);
    return [
      game.race_name && button("close", `Close the ${game.race_name}`, () => act("/api/close", { seen: seen() }),
        { isMain: can.close, enabled: can.close }),
      can.no_card && button("no-card", capital(can.no_card), () => act("/api/no-card", { seen: seen() }),
        { isMain: true }),
      can.was_play && button("was-play", "That button was a play", () => act("/api/was-play", { seen: seen() })),
      can.for_new_card.map((press) => button(`new-card-${press.line}`, `For the new card: ${press.says}`,
        () => forNewCard(press))),
      button("undo", can.undo ? `Take back: ${can.undo.says}` : "Nothing to take back", takeBack,
        { enabled: Boolean(can.undo) }),
      button("note", "Note something", note, { enabled: !match.over }),
      button("end", "End the match", end, { isBad: true, enabled: can.end }),
    ];
  }

  return {
    element,
    /** @param {State} state */
    render(state) {
      if (state.match) show(element, [state.can, state.game, state.match.over], () => build(state));
    },
  };
}
