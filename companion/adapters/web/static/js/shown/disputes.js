// Protests and signatures: what each says, and on the desk the answers, and what is noted for a seat that says so.
import { h, show } from "../frame/dom.js";
import { ask, lastName, rememberName } from "../frame/ask.js";
import { token } from "./symbols.js";
import { capital, colourSays, coloursSay, who } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Colour, Protest, Seat, State, StateWithMatch } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

/**
 * That a race is disputed, and by whom; nothing where it is not.
 * @param {Colour[]} disputed
 */
export const disputedChip = (disputed) => disputed.length > 0
  && h("span", { class: "chip is-bad is-disputed" }, say("⚑ disputed by {who}", { who: coloursSay(disputed) }));

/**
 * Every protest with its answer; `extra` gives what can be done with one.
 * @param {Protest[]} protests
 * @param {(protest: Protest) => HTMLElement | null} extra
 */
export function protestList(protests, extra = () => null) {
  return h("ul", { class: "protest-list" }, protests.map((protest) => h("li", null,
    token(protest.colour),
    h("div", null,
      h("p", null, `${capital(protest.says)}.`),
      protest.answer
        ? h("p", { class: "answered" }, answerSays(protest.answer))
        : h("p", null, h("span", { class: "chip is-bad" }, say("no answer yet")))),
    extra(protest))));
}

/** @param {NonNullable<Protest["answer"]>} answer */
function answerSays({ stands, by, text: why }) {
  if (!by) return stands ? say("The ruling stands: {why}", { why }) : say("The ruling does not stand: {why}", { why });
  return stands ? say("The ruling stands, says {by}: {why}", { by, why })
    : say("The ruling does not stand, says {by}: {why}", { by, why });
}

/**
 * Protests that wait for the referee's answer: `element`, and `render(state)`.
 * @param {Pick<Desk, "act">} desk
 */
export function waitingProtests({ act }) {
  const element = h("div", { class: "protests" });

  /**
   * @param {Protest} protest
   * @param {boolean} stands
   */
  async function answer(protest, stands) {
    const said = await ask({
      title: stands ? say("The ruling stands?") : say("The ruling does not stand?"),
      about: [`${capital(protest.says)}.`,
        stands ? "" : say("The answer changes nothing by itself: take lines back, or replace a call.")].filter(Boolean),
      fields: [{ name: "text", label: say("Why") }, { name: "by", label: say("Who"), value: lastName(),
        maxlength: 40 }],
      yes: stands ? say("It stands") : say("It does not stand"),
    });
    if (!said) return;
    rememberName(said.by);
    await act("/api/answer", { protest: protest.line, text: said.text, stands, by: said.by });
  }

  /** @param {Protest} one */
  const answers = (one) => h("p", { class: "actions" },
    h("button", { type: "button", class: "button is-small", id: `stands-${one.line}`, "data-answer": "",
      "data-key": `stands ${one.line}`, onclick: () => answer(one, true) }, say("It stands")),
    h("button", { type: "button", class: "button is-small", id: `changed-${one.line}`, "data-answer": "",
      "data-key": `changed ${one.line}`, onclick: () => answer(one, false) }, say("It does not")));

  return {
    element,
    /** @param {State} state */
    render(state) {
      const waiting = state.protests.filter((protest) => !protest.answer);
      show(element, waiting, () => waiting.length > 0 && protestList(waiting, answers));
    },
  };
}

/**
 * Give the desk's part, all protests and signatures: `element`, and `render(state)`.
 * @param {Pick<Desk, "act">} desk
 */
export function disputes({ act }) {
  const element = h("div", { class: "disputes" });

  /**
   * @param {Colour} colour
   * @param {Seat[]} seats
   */
  async function protest(colour, seats) {
    const said = await ask({
      title: say("{who} protests?", { who: capital(who(seats, colour)) }),
      about: [say("Against the newest race that is judged. It is noted, and waits for an answer.")],
      fields: [{ name: "text", label: say("What about"), optional: true }], yes: say("Note the protest"),
    });
    if (said) await act("/api/protest", said.text ? { colour, text: said.text } : { colour });
  }

  /** @param {StateWithMatch} state */
  function build({ protests, can, signed, seats, match }) {
    return [
      protests.length > 0 && protestList(protests),
      can.protest.length > 0 && h("p", { class: "actions" }, can.protest.map((colour) =>
        h("button", { type: "button", class: "button is-small", "data-key": `protest ${colour}`,
          id: `protest-${colour}`, onclick: () => protest(colour, seats) }, say("{who} protests",
            { who: capital(colourSays(colour)) })))),
      match.over && h("p", { class: "sentence" }, signed.length > 0
        ? say("Signed by {who}.", { who: coloursSay(signed) }) : say("Nobody has signed the result yet.")),
    ];
  }

  return {
    element,
    /** @param {State} state */
    render(state) {
      if (state.match) {
        show(element, [state.protests, state.can.protest, state.signed, state.seats, state.match.over],
          () => build(state));
      }
    },
  };
}
