// Decisions at the referee's desk: every one that anybody may or must make now, by its options, a number, a roll or one
// field after the other; and what the referee may set by hand. What is private is chosen by its own seat's buttons.
import { h, show } from "../frame/dom.js";
import { messageOf, post } from "../wire/api.js";
import { ask, lastName, rememberName } from "../frame/ask.js";
import { token } from "../shown/symbols.js";
import { asked, capital, choose as choosing, decider } from "../frame/words.js";
import { say } from "../frame/say.js";

/** @import { Adjustable, Choose, Colour, NextStep, Offer, State } from "../../../documents.js" */
/** @import { Child } from "../frame/dom.js" */
/** @import { Desk } from "../referee.js" */

/** As many outcomes, or things to be set by hand, have a button each. */
const FEW = 8;
/** Nothing can be set while a line is being saved: the list stays for so long. */
const MOMENT_MS = 1000;

/**
 * What has been entered of a choice that takes several: the values of its fields, or what was drawn by hand.
 * @typedef {{ chosen: string[], step: NextStep | null, problem: string }} Draft
 */

/** @param {Pick<Offer, "kind" | "seat">} offer */
const keyOf = ({ kind, seat }) => `${kind} ${seat ?? "-"}`;

/**
 * Give the decisions: `element`, and `render(state)`. What was begun is forgotten when the record goes on.
 * next: gives the next field of a choice of many, in the match that runs.
 * @param {Pick<Desk, "act" | "seen">} desk
 * @param {(asks: { kind: string, seat: Colour | null, chosen: string[] }) => Promise<NextStep>} next
 */
export function offerList({ act, seen }, next = (asks) => post("/api/steps", asks)) {
  const element = h("div", { class: "offers", id: "offers" });
  /** @type {Map<string, Draft>} */
  let drafts = new Map();
  let lines = -1;
  /** @type {State | null} */
  let newest = null;

  /** @param {Offer} offer */
  const draftOf = (offer) => drafts.get(keyOf(offer)) ?? { chosen: [], step: null, problem: "" };
  /**
   * @param {Offer} offer
   * @param {Choose} how
   */
  const choose = (offer, how) => act("/api/choose", { kind: offer.kind, seat: offer.seat, ...how, seen: seen() });

  /**
   * @param {Offer} offer
   * @param {Draft} draft
   */
  function keep(offer, draft) {
    drafts.set(keyOf(offer), draft);
    draw();
  }

  /**
   * Ask the box for the field after the values `chosen`.
   * @param {Offer} offer
   * @param {string[]} chosen
   */
  async function step(offer, chosen) {
    const before = lines;
    /** @type {Draft} */
    let draft = { chosen, step: null, problem: "" };
    try {
      draft = { ...draft, step: await next({ kind: offer.kind, seat: offer.seat, chosen }) };
    } catch (refusal) {
      draft = { ...draft, problem: capital(messageOf(refusal)) };
    }
    if (before === lines) keep(offer, draft);
  }

  function draw() {
    const state = newest;
    if (!state) return;
    show(element, [state.offers, state.seats, [...drafts]], () => state.offers.map((offer) => one(state, offer)));
  }

  /**
   * @param {State} state
   * @param {Offer} offer
   */
  function one(state, offer) {
    const title = offer.private ? choosing([decider(state, offer)], { secretly: true }) : asked(state, offer);
    return h("section", { class: "offer", "aria-label": title, "data-offer": keyOf(offer) },
      h("p", { class: "wanted-line" }, offer.seat && token(offer.seat), h("span", null, title),
        !offer.required && h("span", { class: "chip is-idle" }, say("optional"))),
      offer.private ? h("p", { class: "sentence" }, say("By a button of their own; nobody else sees what there is."))
        : ways(offer));
  }

  /**
   * @param {Offer} offer
   * @returns {Child}
   */
  function ways(offer) {
    if (offer.number) return number(offer, offer.number);
    if (offer.chance) return chance(offer, offer.chance);
    if (offer.stepped) return steps(offer);
    return h("div", { class: "options" }, offer.options.map((option) =>
      h("button", { type: "button", class: "button option", "data-answer": "", "data-key": option.key,
        onclick: () => choose(offer, { option: option.key }) }, capital(option.label))));
  }

  /**
   * @param {Offer} offer
   * @param {{ low: number, high: number }} range
   */
  function number(offer, { low, high }) {
    const entry = h("input", { type: "number", min: low, max: high, value: low, required: true, step: 1,
      "data-key": `${keyOf(offer)} number`, "aria-label": say("A number from {low} to {high}", { low, high }) });
    /** @param {SubmitEvent} event */
    const enter = (event) => {
      event.preventDefault();
      choose(offer, { number: Number(entry.value) });
    };
    return h("form", { class: "actions", onsubmit: enter }, entry, h("span", { class: "range" },
      say("{low} to {high}", { low, high })),
      h("button", { class: "button is-main", type: "submit" }, "OK"));
  }

  /**
   * @param {Offer} offer
   * @param {{ outcomes: string[], count: number }} what
   */
  function chance(offer, { outcomes, count }) {
    const draft = draftOf(offer);
    const left = [...outcomes];
    for (const outcome of draft.chosen) left.splice(left.indexOf(outcome), 1);
    /** @param {string} outcome */
    const pick = (outcome) => {
      const chosen = [...draft.chosen, outcome];
      if (chosen.length === count) choose(offer, { result: chosen });
      else keep(offer, { ...draft, chosen });
    };
    return [
      h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main", "data-answer": "",
      "data-key": "roll",
        onclick: () => choose(offer, { roll: true }) }, say("Let the box do it"))),
      h("p", { class: "sentence" }, byHandSays(draft.chosen, count)),
      pickOne(offer, [...new Set(left)].map((outcome) => ({ key: outcome, label: outcome })), pick),
      draft.chosen.length > 0 && back(() => keep(offer, { ...draft, chosen: draft.chosen.slice(0, -1) })),
    ];
  }

  /**
   * @param {string[]} chosen
   * @param {number} of
   */
  function byHandSays(chosen, of) {
    if (of === 1) return say("Or by hand:");
    const drawn = chosen.join(", ") || say("none yet");
    return say("Or by hand, in their order: {drawn} ({number} of {of})", { drawn, number: chosen.length, of });
  }

  /** @param {Offer} offer */
  function steps(offer) {
    const draft = draftOf(offer);
    if (draft.problem) return h("p", { class: "problem" }, draft.problem);
    if (draft.step === null) {
      return h("p", { class: "actions" }, h("button", { type: "button", class: "button", "data-answer": "",
      "data-key": "begin",
        onclick: () => step(offer, draft.chosen) }, say("Choose")));
    }
    const { chosen } = draft;
    const goBack = chosen.length > 0 && back(() => step(offer, chosen.slice(0, -1)));
    if (draft.step.done) {
      return [h("p", { class: "sentence" }, `${capital(draft.step.says)}.`), h("p", { class: "actions" },
        h("button", { type: "button", class: "button is-main", "data-answer": "", "data-key": "do",
          onclick: () => choose(offer, { steps: chosen }) }, say("Do it")), goBack)];
    }
    return [h("p", { class: "sentence" }, capital(draft.step.prompt)),
      pickOne(offer, draft.step.values, (key) => step(offer, [...chosen, key])), goBack];
  }

  /**
   * Few values as buttons, many as a list.
   * @param {Offer} offer
   * @param {{ key: string, label: string }[]} values
   * @param {(key: string) => void} pick
   */
  function pickOne(offer, values, pick) {
    if (values.length <= FEW) {
      return h("div", { class: "options" }, values.map(({ key, label }) =>
        h("button", { type: "button", class: "button option", "data-answer": "", "data-key": `value ${key}`,
          onclick: () => pick(key) }, label)));
    }
    const list = h("select", { "data-key": `${keyOf(offer)} values`, "aria-label": capital(offer.prompt) },
      values.map(({ key, label }) => h("option", { value: key }, label)));
    /** @param {SubmitEvent} event */
    const enter = (event) => {
      event.preventDefault();
      pick(list.value);
    };
    return h("form", { class: "actions", onsubmit: enter }, list,
      h("button", { type: "submit", class: "button" }, "OK"));
  }

  /** @param {() => void} onclick */
  const back = (onclick) => h("p", { class: "actions" },
    h("button", { type: "button", class: "button is-small", "data-key": "back", onclick }, say("One back")));

  return {
    element,
    /** @param {State} state */
    render(state) {
      const now = state.match?.lines ?? -1;
      if (now !== lines) drafts = new Map();
      [lines, newest] = [now, state];
      draw();
    },
  };
}

/**
 * What the referee may set by hand: `element`, and `render(state)`. Few things have a button each; of many one is
 * chosen from a list, in groups, which stays open and where it is while values change.
 * @param {Pick<Desk, "act" | "seen">} desk
 */
export function byHand({ act, seen }) {
  const element = h("div", { class: "act-list" });
  /** @type {Adjustable[]} */
  let things = [];
  let chosen = "";
  let gone = 0;

  /** @param {Adjustable} one */
  async function set({ key, label, low, high, value }) {
    const said = await ask({
      title: say("Set {what}", { what: label }),
      about: [say("It is {value}; from {low} to {high}. The record keeps who set it, and why.", { value, low, high })],
      fields: [{ name: "value", label: capital(label), value: String(value), type: "number", min: low, max: high },
        { name: "reason", label: say("Why") }, { name: "by", label: say("Who"), value: lastName(), maxlength: 40 }],
      yes: say("Set it"),
    });
    if (!said) return;
    rememberName(said.by);
    await act("/api/by-hand", { set: key, value: Number(said.value), reason: said.reason, by: said.by, seen: seen() });
  }

  /** @param {Adjustable} one */
  const option = ({ key, label }) => h("option", { value: key, selected: key === chosen }, capital(label));

  /** Give the things as options, each group where the first of it stands. */
  function options() {
    const groups = new Set(things.map((one) => one.group || one.key));
    return [...groups].map((group) => {
      const several = things.filter((one) => one.group === group);
      return several.length > 0 ? h("optgroup", { label: group }, several.map(option))
        : things.filter((one) => one.key === group).map(option);
    });
  }

  function picker() {
    const list = h("select", { "data-key": "by hand",
      onchange: (event) => { chosen = event.currentTarget.value; } }, options());
    /** @param {SubmitEvent} event */
    const enter = (event) => {
      event.preventDefault();
      const one = things.find(({ key }) => key === list.value);
      if (one) set(one);
    };
    return h("form", { class: "actions", onsubmit: enter },
      h("label", { class: "field" }, h("span", { class: "label" }, say("What")), list),
      h("button", { type: "submit", class: "button", "data-key": "set by hand" }, say("Set it …")));
  }

  /** @param {Adjustable[]} now */
  function draw(now) {
    things = now;
    const plate = element.closest("section");
    if (plate) plate.hidden = things.length === 0;
    if (things.length <= FEW) {
      show(element, things, () => things.map((one) =>
        h("button", { type: "button", class: "button", "data-key": `set ${one.key}`, onclick: () => set(one) },
          `${capital(one.label)}: ${one.value}`)));
      return;
    }
    show(element, things.map(({ key, label, group }) => [key, label, group]), picker);
    for (const one of element.querySelectorAll("option")) {
      const thing = things.find(({ key }) => key === one.value);
      const says = thing ? `${capital(thing.label)}: ${thing.value}` : one.text;
      if (one.text !== says) one.text = says;
    }
  }

  return {
    element,
    /** @param {State} state */
    render(state) {
      clearTimeout(gone);
      const isMoment = state.adjustable.length === 0 && things.length > 0 && state.match && !state.match.over;
      if (isMoment) gone = setTimeout(() => draw([]), MOMENT_MS);
      else draw(state.adjustable);
    },
  };
}
