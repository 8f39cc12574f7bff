// A trial before the match: one button after another is asked for; each touch is shown, with its length and whether it
// counts. At the end the box proposes what this hand needs. Nothing is kept before the person says so.
import { append, h } from "../frame/dom.js";
import { capital } from "../frame/words.js";
import { say } from "../frame/say.js";
import { readOut as speak } from "../frame/speaker.js";
import { messageOf } from "../wire/api.js";

/** @import { HandTrial, Touched } from "../../../documents.js" */

const ROUNDS = [1, 3, 2, 4, 1];
/** After a press that was meant, so long is listened for what the hand does next. */
const AFTER_MS = 1500;
/** A touch of the button that was asked for that lasts so long is the one that was meant. */
const MEANT_MS = 400;
const PLACES = [1, 2, 3, 4];

/**
 * @param {(touches: Touched[], rounds: { place: number, from_ms: number }[], bounce: number | undefined) =>
 *   Promise<HandTrial>} tried
 * @param {{ accept: () => number, bounce: () => number | undefined, take: (proposal: HandTrial) => void }} form
 */
export function handTrial(tried, form) {
  const place = h("div", { class: "hand" });
  const opener = h("button", { type: "button", class: "button", id: "try-hand", onclick: () => run() },
    say("Try my hand"));
  place.append(opener);
  return place;

  function run() {
    /** @type {Touched[]} */
    const touches = [];
    /** @type {{ place: number, from_ms: number }[]} */
    const rounds = [];
    /** @type {Map<number, number>} */
    const held = new Map();
    const begun = performance.now();
    let isOver = false;
    let next = 0;
    const now = h("p", { class: "hand-now", role: "status" });
    const seen = h("ol", { class: "touches", "aria-label": say("Touches") });
    const pads = new Map(PLACES.map((one) => [one, pad(one)]));
    place.replaceChildren(now, h("div", { class: "hand-pads" }, [...pads.values()]), seen,
      h("p", { class: "actions" }, h("button", { type: "button", class: "button", id: "hand-stop", onclick: stop },
        say("Leave the trial"))));
    askFor();
    pads.get(ROUNDS[0])?.focus();

    /** @param {number} one */
    function pad(one) {
      const button = h("button", { type: "button", class: "hand-pad", "data-place": one,
        "aria-label": say("Trial button {one}", { one }) }, one);
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        button.setPointerCapture(event.pointerId);
        down(one, event.timeStamp);
      });
      for (const type of /** @type {const} */ (["pointerup", "pointercancel"])) {
        button.addEventListener(type, (event) => up(one, event.timeStamp));
      }
      button.addEventListener("keydown", (event) => {
        if ((event.key !== " " && event.key !== "Enter") || event.repeat) return;
        event.preventDefault();
        down(one, event.timeStamp);
      });
      button.addEventListener("keyup", (event) => {
        if (event.key === " " || event.key === "Enter") up(one, event.timeStamp);
      });
      return button;
    }

    function askFor() {
      const asked = ROUNDS[rounds.length];
      rounds.push({ place: asked, from_ms: performance.now() - begun });
      for (const [one, button] of pads) button.classList.toggle("is-asked", one === asked);
      now.textContent = say("{count} of {all}: press button {asked}, and hold it for a moment.",
        { count: rounds.length, all: ROUNDS.length, asked });
      speak(now.textContent);
    }

    /**
     * @param {number} one
     * @param {number} stamp
     */
    function down(one, stamp) {
      if (isOver || held.has(one)) return;
      held.set(one, stamp - begun);
      pads.get(one)?.classList.add("is-held");
    }

    /**
     * @param {number} one
     * @param {number} stamp
     */
    function up(one, stamp) {
      const from = held.get(one);
      if (from === undefined) return;
      held.delete(one);
      pads.get(one)?.classList.remove("is-held");
      if (isOver) return;
      const touch = { place: one, from_ms: Math.max(0, from), until_ms: Math.max(0, from, stamp - begun) };
      touches.push(touch);
      const length = touch.until_ms - touch.from_ms;
      seen.append(line(one, length, length >= form.accept(), length >= form.accept() ? "" : say("too short")));
      seen.lastElementChild?.scrollIntoView({ block: "nearest" });
      if (one !== rounds[rounds.length - 1]?.place || length < MEANT_MS || next) return;
      next = setTimeout(() => {
        next = 0;
        if (isOver) return;
        if (rounds.length < ROUNDS.length) askFor();
        else finish();
      }, AFTER_MS);
    }

    async function finish() {
      isOver = true;
      now.textContent = say("One moment…");
      try {
        const proposal = await tried(touches, rounds, form.bounce());
        proposed(proposal);
      } catch (problem) {
        place.replaceChildren(h("p", { class: "problem", role: "alert" }, `${capital(messageOf(problem))}.`), opener);
      }
    }

    function stop() {
      isOver = true;
      clearTimeout(next);
      place.replaceChildren(opener);
      opener.focus();
    }
  }

  /** @param {HandTrial} proposal */
  function proposed(proposal) {
    const values = { accept: proposal.accept_ms, repeat: proposal.repeat_ms };
    const says = [proposal.repeat_ms
      ? say("A touch should count after {accept} ms, and the button then be deaf for {repeat} ms.", values)
      : say("A touch should count after {accept} ms.", values), ...proposal.says];
    const take = h("button", { type: "button", class: "button is-main", id: "hand-take", onclick: () => {
      form.take(proposal);
      place.replaceChildren(h("p", { class: "sentence" }, say("It stands in the fields above: keep it below.")),
        opener);
      opener.focus();
    } }, say("Take these"));
    place.replaceChildren();
    append(place, [
      h("div", { id: "hand-says" }, says.map((text) => h("p", null, text))),
      h("ol", { class: "touches", tabindex: 0, "aria-label": say("Touches as they would be then") },
        proposal.touches.map((one) => line(one.place, one.length_ms, one.is_press, one.why))),
      h("p", { class: "actions" }, take, opener)]);
    speak(says.join(" "));
    take.focus();
  }
}

/**
 * @param {number} place
 * @param {number} length
 * @param {boolean} isPress
 * @param {string} why
 */
function line(place, length, isPress, why) {
  return h("li", { class: isPress ? "is-press" : "is-none" }, h("span", null, say("button {place}", { place })),
    h("span", null, say("{length} ms", { length: Math.round(length) })),
    h("span", null, isPress ? say("counts") : say("no press: {why}", { why })));
}
