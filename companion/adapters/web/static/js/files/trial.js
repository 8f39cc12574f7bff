// A match with the text that is being written, on a box that nobody sits at: cards are turned, buttons pressed at
// chosen times, choices made, and the box rules. Nothing of it is kept. Knows no game.
import { h, show } from "../frame/dom.js";
import { readOut } from "../frame/speaker.js";
import { buttonSays, capital, colourSays, placeSays, required, who } from "../frame/words.js";
import { offerList } from "../desk/offers.js";
import { areaList, standing } from "../shown/areas.js";
import { folded } from "../shown/course.js";
import { explained } from "../shown/explained.js";
import { cardSays, POSITIONS, useLook } from "../shown/looks.js";
import { late, order, raceHead, statusSentence } from "../shown/race.js";
import { faceUp } from "../shown/scene.js";
import { seatList } from "../shown/seats.js";
import { cardPicture, COLOURS, token } from "../shown/symbols.js";
import { messageOf, post } from "../wire/api.js";
import { listed, say } from "../frame/say.js";

/** @import { Button, Choose, Colour, FileAsked, NextStep, Rehearsal, StateWithMatch, TriedStep }
 *    from "../../../documents.js" */
/** @import { Child } from "../frame/dom.js" */

const FEW_CARDS = 24;
const APART_MS = 120;

/**
 * Give `element`, and `changed()`: the text is another now.
 * @param {FileAsked} asked
 * @param {{ text: () => string, faults: () => unknown[] | null }} editor
 */
export function trial(asked, editor) {
  const { game, key } = asked;
  /** @type {Colour[]} */
  let seats = COLOURS.slice(0, Math.max(2, asked.min_seats));
  /** @type {TriedStep[]} */
  let steps = [];
  /** @type {Rehearsal | null} */
  let told = null;
  let played = "";
  let isBusy = false;
  /** When each seat presses which button, as it was last chosen. @type {Map<Colour, { button: string, ms: number }>} */
  const chosen = new Map();
  const problem = h("p", { class: "problem", role: "alert", hidden: true });
  const top = h("div", { class: "trial-top" });
  const now = h("div", { class: "trial-now" });
  const doing = h("div", { class: "trial-doing" });
  const course = h("div", { class: "trial-course" });
  const offers = offerList({ act: choose, seen: () => undefined }, next);
  const element = h("section", { class: "plate trial", "aria-labelledby": "trial-title" },
    h("h2", { id: "trial-title" }, say("Try it")),
    h("p", { class: "sentence" },
      say("A match on a box that nobody sits at, by this text. Turn cards, press buttons at "
      + "times that you choose, and see how it rules. Nothing of it is kept.")),
    problem, top, h("div", { class: "trial-parts" }, doing, now), course);

  /**
   * The match with these steps; one that cannot be is told, and the match stands as before.
   * @param {TriedStep[]} wanted
   */
  async function play(wanted) {
    if (isBusy) return false;
    isBusy = true;
    problem.hidden = true;
    const text = editor.text();
    try {
      const found = await post("/api/files/try", { game, key, text, seats, steps: wanted });
      await useLook(found.state.game?.look ?? game);
      [told, played, steps] = [found, text, wanted.slice(0, found.done)];
      if (found.refused) tell(wanted.length > 1 ? say("Step {step}: {why}", { step: found.refused.step,
        why: found.refused.says })
        : found.refused.says);
      return found.refused === null;
    } catch (refusal) {
      tell(messageOf(refusal));
      return false;
    } finally {
      isBusy = false;
      draw();
      announce();
    }
  }

  /** @param {string} text */
  function tell(text) {
    problem.textContent = `${capital(text)}.`;
    problem.hidden = false;
  }

  function announce() {
    if (!problem.hidden) return;
    const says = told?.course[0]?.says ?? [];
    if (says.length) readOut(says.join(" "));
  }

  /** @param {TriedStep} step */
  const doIt = (step) => play([...steps, step]);

  /**
   * What the list of decisions has done at a desk: here it is a step.
   * @type {import("../referee.js").Desk["act"]}
   */
  function choose(_address, body) {
    const { seen: _, ...how } = /** @type {Choose & { seen?: number }} */ (body);
    return doIt(/** @type {TriedStep} */ ({ do: "choose", ...how }));
  }

  /**
   * @param {{ kind: string, seat: Colour | null, chosen: string[] }} asks
   * @returns {Promise<NextStep>}
   */
  async function next(asks) {
    const found = await post("/api/files/try", { game, key, text: played, seats, steps, asks });
    return found.next ?? { done: false, prompt: "", values: [], says: "" };
  }

  function draw() {
    const isSound = (editor.faults() ?? [null]).length === 0;
    const isOther = told !== null && editor.text() !== played;
    show(top, [seats, told === null, steps.length, isSound, isOther], () => head(isSound, isOther));
    const state = told?.state;
    const hasMatch = state !== undefined && state.match !== null;
    for (const part of [now, doing, course]) part.hidden = !hasMatch;
    if (!told || !hasMatch) return;
    show(now, [state, isOther], () => standingNow(state));
    show(doing, [state, told.secrets], () => ways(state));
    offers.render({ ...state, offers: open(state) });
    show(course, told.course, () => [h("h3", { id: "trial-course-title" }, say("What happened, the newest first")),
      folded(told?.course ?? [], "trial-course-title")]);
  }

  /**
   * @param {boolean} isSound
   * @param {boolean} isOther
   */
  function head(isSound, isOther) {
    const most = Math.min(asked.max_seats, COLOURS.length);
    const isRight = seats.length >= asked.min_seats && seats.length <= most;
    return [
      h("fieldset", null, h("legend", null, say("Who plays, clockwise")),
        h("div", { class: "trial-seats" }, COLOURS.map((colour) => h("label", { class: "tick" },
          h("input", { type: "checkbox", value: colour, "data-key": `seat ${colour}`, checked: seats.includes(colour),
            onchange: () => sit(colour) }), token(colour), capital(colourSays(colour)))))),
      isOther && h("p", { class: "plate said" }, say("The text is another by now. "
        + "Below is still the match by the one before.")),
      h("p", { class: "actions" },
        h("button", { type: "button", class: "button is-main", id: "try-begin", "data-key": "begin",
          disabled: !isSound || !isRight, onclick: () => play([]) }, told === null ? say("Begin") : say("Begin anew")),
        isOther && steps.length > 0 && h("button", { type: "button", class: "button", id: "try-again",
          "data-key": "again", disabled: !isSound, onclick: () => play(steps) }, say("The same again by the new text")),
        told !== null && steps.length > 0 && h("button", { type: "button", class: "button", id: "try-back",
          "data-key": "back", onclick: () => play(steps.slice(0, -1)) }, say("One step back"))),
      !isSound && h("p", { class: "sentence" }, say("Once nothing is wrong with the text, it can be tried.")),
      !isRight && h("p", { class: "sentence" }, say("This game is for {low} to {high} players.",
        { low: asked.min_seats, high: most })),
    ];
  }

  /** @param {Colour} colour */
  function sit(colour) {
    seats = COLOURS.filter((one) => (one === colour ? !seats.includes(one) : seats.includes(one)));
    [told, steps] = [null, []];
    draw();
  }

  /**
   * How it stands: the race and its rulings, the score, what lies face up.
   * @param {StateWithMatch} state
   * @returns {Child}
   */
  function standingNow(state) {
    const { race } = state;
    return [
      race === null ? h("h3", { id: "race-title" }, state.game.title)
        : [raceHead(state, "h3"), h("p", { class: "sentence" }, statusSentence(race)), order(state), late(state),
          explained(state)],
      standing(state), seatList(state),
      state.table.length > 0 && h("div", { class: "claims" }, faceUp(state)),
      state.areas.length > 0 && h("div", { class: "areas" }, areaList(state.areas)),
    ];
  }

  /**
   * What can be done now.
   * @param {StateWithMatch} state
   * @returns {Child}
   */
  function ways(state) {
    if (state.match.over) return h("p", { class: "sentence" }, say("The match is over."));
    return [turning(state), pressing(state), secretly(), open(state).length > 0 && offers.element, others(state)];
  }

  /**
   * The decisions that are chosen here; the others are by their seats' buttons.
   * @param {StateWithMatch} state
   */
  const open = (state) => state.offers.filter((offer) => !offer.private);

  /** @param {StateWithMatch} state */
  function turning(state) {
    if (!state.can.reveal || state.cards.length === 0) return null;
    const known = state.cards.map(({ card }) => card);
    if (known.length <= FEW_CARDS) {
      return part(say("Turn a card"), h("div", { class: "try-cards" }, known.map((card) =>
        h("button", { type: "button", class: "button is-small", "data-key": `card ${card}`,
          onclick: () => doIt({ do: "reveal", card }) }, h("span", { class: "card is-small" }, cardPicture(card),
          h("span", null, cardSays(card)))))));
    }
    const options = known.map((card) => h("option", { value: card }, cardSays(card)));
    const list = h("select", { "aria-label": say("Card"), "data-key": "cards" }, options);
    return part(say("Turn a card"), h("form", { class: "actions", onsubmit: (event) => {
      event.preventDefault();
      doIt({ do: "reveal", card: list.value });
    } }, list, h("button", { type: "submit", class: "button", "data-key": "turn" }, say("Turn it"))));
  }

  /**
   * A row for each seat: which of its buttons, and how long after the others' first.
   * @param {StateWithMatch} state
   */
  function pressing(state) {
    const rows = state.seats.map(({ colour }, index) => {
      const last = chosen.get(colour) ?? { button: "", ms: index * APART_MS };
      const button = h("select", { "data-key": `button ${colour}`, "aria-label": say("Button of {colour}",
        { colour: colourSays(colour) }),
        onchange: keep }, h("option", { value: "" }, say("does not press")), POSITIONS.map((position, place) =>
        h("option", { value: position, selected: position === last.button },
          state.buttons[place]?.label || say("{place} button", { place: placeSays(place) }))));
      const ms = h("input", { type: "number", min: 0, max: 120000, step: 1, value: last.ms, required: true,
        "data-key": `ms ${colour}`, "aria-label": say("Milliseconds of {colour}", { colour: colourSays(colour) }),
          oninput: keep });
      function keep() {
        chosen.set(colour, { button: button.value, ms: Math.round(Number(ms.value)) || 0 });
      }
      keep();
      return h("li", null, token(colour), h("span", { class: "trial-who" }, capital(who(state.seats, colour))), button,
        h("span", { class: "with-unit" }, ms, h("span", { "aria-hidden": "true" }, "ms")));
    });
    return part(say("Press buttons"), h("form", { id: "trial-presses", onsubmit: (event) => {
      event.preventDefault();
      press(state);
    } }, h("ol", { class: "trial-rows" }, rows),
    h("button", { type: "submit", class: "button is-main", "data-key": "press" }, say("Press"))));
  }

  /** @param {StateWithMatch} state */
  function press(state) {
    const presses = state.seats.flatMap(({ colour }) => {
      const { button = "", ms = 0 } = chosen.get(colour) ?? {};
      return button ? [{ button: /** @type {Button} */ (`${colour} ${button}`), ms }] : [];
    });
    if (presses.length === 0) {
      tell(say("nobody presses: choose a button for a seat"));
      readOut(problem.textContent ?? "");
      return;
    }
    doIt({ do: "presses", presses });
  }

  /** What seats choose among that nobody else is to see: here whoever tries it is all of them. */
  function secretly() {
    const found = Object.entries(told?.secrets ?? {}).filter(([, choices]) => choices.length > 0);
    return found.length > 0 && part(say("Chosen secretly, by a seat's own buttons"), h("ul", { class: "sentence" },
      found.flatMap(([colour, choices]) => choices.map(({ prompt, items }) => h("li", null,
        `${capital(colourSays(/** @type {Colour} */ (colour)))}, ${prompt}: ${listed(items.map(({ button, label }) =>
          (button ? `${label} (${buttonSays(button)})` : label)))}.`)))));
  }

  /** @param {StateWithMatch} state */
  function others(state) {
    return part("", h("p", { class: "actions" },
      state.can.close && h("button", { type: "button", class: "button", "data-key": "close",
        onclick: () => doIt({ do: "close" }) }, say("Close the race")),
      required(state).length === 0 && h("button", { type: "button", class: "button is-small", "data-key": "wait",
        onclick: () => doIt({ do: "wait", ms: 1000 }) }, say("A second passes")),
      state.can.end && h("button", { type: "button", class: "button is-small", "data-key": "end",
        onclick: () => doIt({ do: "end" }) }, say("End the match"))));
  }

  draw();
  return { element, changed: draw };
}

/**
 * @param {string} title
 * @param {Child} content
 */
const part = (title, content) => h("div", { class: "trial-part" }, title && h("h3", null, title), content);
