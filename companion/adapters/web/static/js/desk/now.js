// "What now": what the box waits for, always in the same place, and always with its answers: choices, the card that was
// turned, consents, the end, phones that ask, protests, why something was taken back. The digits press them in order.
import { h, isIn, show } from "../frame/dom.js";
import { keycap, setShortcut, shortcut } from "../frame/keys.js";
import { ask, lastName, rememberName } from "../frame/ask.js";
import { post } from "../wire/api.js";
import { setWindow, windowBar } from "../shown/race.js";
import { waitingProtests } from "../shown/disputes.js";
import { capital, colourSays, victory } from "../frame/words.js";
import { changesSay } from "./changes.js";
import { offerList } from "./offers.js";
import { askingPhones } from "./phones.js";
import { say } from "../frame/say.js";

/** @import { Preview, Question, State } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

/** Why something is taken back: as the record has it, and in words. @type {[string, string][]} */
const REASONS = [["wrong card entered", say("Wrong card entered")], ["wrong button", say("Wrong button")],
  ["agreed by all", say("Agreed by all")], ["a card fell over", say("A card fell over")]];
const MOST_KEYS = 9;

/**
 * Give the box: `element`, and `render(state)`. problem, faults: what is said above all answers where it is there.
 * form: of a new match.
 * @param {Desk} desk
 * @param {{ problem: HTMLElement, faults: HTMLElement,
 *   form: { begin: () => void, missing: () => number | null } }} others
 */
export function whatNow(desk, { problem, faults, form }) {
  const { act, seen } = desk;
  const title = h("h2", { id: "now-title" });
  const closing = windowBar();
  const direct = h("div", { class: "wanted", id: "wanted" });
  const offers = offerList(desk);
  const protests = waitingProtests(desk);
  const phones = askingPhones(desk);
  const reasons = h("div", { class: "reasons", id: "reasons" });
  const answers = h("div", { class: "answers", id: "answers", tabindex: 0, role: "group",
    "aria-label": say("Answers") },
    problem, direct, offers.element, faults, protests.element, phones.element, reasons);
  const element = h("section", { class: "plate now", id: "now", "aria-labelledby": "now-title" },
    title, closing, answers);

  /**
   * @param {string} key
   * @param {string} label
   * @param {() => void} onclick
   * @param {{ isMain?: boolean, shortcut?: string }} how
   */
  const answer = (key, label, onclick, { isMain = false, shortcut: own = "" } = {}) =>
    h("button", { type: "button", class: `button${isMain ? " is-main" : ""}`, id: `act-${key}`,
      "data-key": key, onclick,
      ...(own ? shortcut(own) : { "data-answer": "" }) }, label, own && keycap(own));

  /** @param {State} state */
  function resume(state) {
    return [h("p", { class: "sentence" }, state.question?.lines.join(" · ")),
      h("p", { class: "actions" },
        answer("resume", say("Take it up"), () => act("/api/resume", { resume: true }), { isMain: true }),
        answer("decline", say("Leave it"), () => act("/api/resume", { resume: false })))];
  }

  /**
   * Every seat agrees to the allowances, by a button of its own, or by the referee whom it has told.
   * @param {Question} question
   */
  function consents(question) {
    const by = h("input", { type: "text", maxlength: 40, required: true, value: lastName(), "data-key": "consent by" });
    return [h("p", { class: "sentence" }, [question.title, ...question.lines].join(" · ")),
      h("label", { class: "field" }, h("span", null, say("Your name, for the record")), by),
      h("p", { class: "actions" }, question.missing.map((seat) => h("button", { type: "button", class: "button",
        "data-answer": "", "data-consent": seat,
        onclick: () => by.reportValidity() && act("/api/consent", { seat, by: by.value }) },
        say("{seat} has told me to agree", { seat: capital(colourSays(seat)) }))))];
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
      title: say("It was for the new card?"),
      about: [say("{press}, line {line}, counts for the newest card, at its own time.",
        { press: capital(says), line }),
        ...changed.map((text) => `${capital(text)}.`),
        changesSay(preview)],
      fields: [{ name: "by", label: say("Who"), value: lastName(), maxlength: 40 }],
      yes: say("It was for the new card"),
    });
    if (!said) return;
    rememberName(said.by);
    await act("/api/for-new-card", { line, by: said.by, seen: preview.seen });
  }

  /** @param {State} state */
  function inMatch(state) {
    const { can } = state;
    return [
      state.match?.over && h("p", { class: "victory" }, victory(state)),
      h("p", { class: "actions" },
        can.close && answer("close", closeSays(state),
          () => act("/api/close", { seen: seen() }), { isMain: true, shortcut: "Shift+C" }),
        can.no_card && answer("no-card", capital(can.no_card), () => act("/api/no-card", { seen: seen() }),
          { isMain: Boolean(state.race?.asks_card) }),
        state.race?.is_running && can.none.map((seat) => answer(`none-${seat}`,
          say("{colour} plays no card", { colour: capital(colourSays(seat)) }), () => act("/api/none", { seat,
            seen: seen() }))),
        can.was_play && answer("was-play", say("That button was a play"), () => act("/api/was-play", { seen: seen() })),
        can.for_new_card.map((press) => answer(`new-card-${press.line}`, say("For the new card: {press}",
          { press: press.says }),
          () => forNewCard(press))),
        can.sign.map((colour) => h("button", { type: "button", class: "button", "data-answer": "",
          "data-key": `sign ${colour}`, id: `sign-${colour}`, onclick: () => act("/api/sign", { colour }) },
          say("{seat} accepts the result", { seat: capital(colourSays(colour)) }))),
        can.leave && answer("leave", say("Back to the seating"), () => act("/api/leave", {}), { isMain: true })),
    ];
  }

  /** @param {State} state */
  const closeSays = (state) => (state.race?.without ? say("Show the cards")
    : say("Close the {race}", { race: state.game?.race_name ?? "" }));

  /** @param {State} state */
  function directly(state) {
    if (state.phase === "offer") return resume(state);
    if (state.match !== null) return inMatch(state);
    if (state.question?.missing.length) return consents(state.question);
    const missing = form.missing();
    const measures = h("p", null, h("a", { href: "/calibrate" }, say("Measure an allowance")));
    if (state.calibration !== null) return measures;
    return [missing !== null && h("p", { class: "actions" }, missing > 0
      ? answer("seat", say("Seat the players"), form.begin)
      : answer("begin", say("Begin the match"), form.begin, { isMain: true })), measures];
  }

  /**
   * What was taken back without a reason: it may be told now, by one tap, or never.
   * @param {State["can"]["explain"]} lines
   */
  function why(lines) {
    if (lines.length === 0) return null;
    const numbers = lines.map(({ line }) => line);
    /** @param {string} reason */
    const tell = (reason) => {
      const by = lastName();
      return act("/api/undo/reason", { lines: numbers, reason, ...(by ? { by } : {}) });
    };
    async function another() {
      const said = await ask({ title: say("Why was it taken back?"), about: lines.map(({ says }) =>
        `${capital(says)}.`),
        fields: [{ name: "reason", label: say("Why") }, { name: "by", label: say("Who"), value: lastName(),
          maxlength: 40 }],
        yes: say("Note it") });
      if (!said) return;
      rememberName(said.by);
      await act("/api/undo/reason", { lines: numbers, reason: said.reason, by: said.by });
    }
    const says = lines.map((one) => one.says).join("; ");
    return [h("p", { class: "asked-words" }, say("Taken back: {what}. Why? It can wait, and may stay unsaid.",
      { what: says })),
      h("p", { class: "actions" }, REASONS.map(([reason, says]) => h("button",
        { type: "button", class: "button is-small",
        "data-key": `why ${reason}`, onclick: () => tell(reason) }, says)),
        h("button", { type: "button", class: "button is-small", id: "why-other", "data-key": "why other",
          onclick: another }, say("Something else…")))];
  }

  /** Have the digits press the answers, in their order. */
  function number() {
    const all = [...answers.querySelectorAll("[data-answer]")];
    for (const [index, one] of all.entries()) {
      const key = index < MOST_KEYS && !one.matches(":disabled") ? String(index + 1) : null;
      one.querySelector(".keycap")?.remove();
      if (key) one.append(keycap(key));
      setShortcut(one, key);
    }
    watching.takeRecords(); // what was done here is no news
  }
  const watching = new MutationObserver(number);

  answers.addEventListener("keydown", (event) => {
    // up and down move through the answers, so that the tabulator need not
    if (!["ArrowDown", "ArrowUp"].includes(event.key) || isIn(event, "input, select, textarea")) return;
    /** @type {(Element | null)[]} */
    const all = [...answers.querySelectorAll("button")];
    const now = all.indexOf(document.activeElement);
    const next = all[(now + (event.key === "ArrowDown" ? 1 : all.length - 1)) % all.length];
    if (next instanceof HTMLElement) next.focus();
    event.preventDefault();
  });
  watching.observe(answers, { childList: true, subtree: true });

  return {
    element,
    /** @param {State} state */
    render(state) {
      const before = title.textContent;
      if (before && before !== state.waits.says) answers.scrollTop = 0; // something else is asked
      title.textContent = state.waits.says;
      setWindow(closing, state, { keepsPlace: true });
      show(direct, [state.phase, state.can, state.question, state.game, state.match?.over, state.leaders,
      state.race?.asks_card,
        state.match === null && form.missing()], () => directly(state));
      offers.render(state);
      protests.render(state);
      phones.render(state);
      show(reasons, state.can.explain, () => why(state.can.explain));
    },
  };
}
