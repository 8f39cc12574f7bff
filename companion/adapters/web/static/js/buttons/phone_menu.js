// The one menu of a player’s page: what is heard, felt and seen, what is known of this phone, help, and getting up.
import { markTick, soundTick, tick, volumeSlider } from "../frame/senses.js";
import { h, show } from "../frame/dom.js";
import { number, say } from "../frame/say.js";
import { isSimple, makeSimple } from "../frame/simple.js";
import { canSpeak, letSpeak, speaks } from "./one_switch.js";
import { voiceControls } from "../frame/voice.js";
import { canTremble, letTremble, tremble, trembles } from "./touch_back.js";
import { touchTrial } from "./trial.js";
import { cardForm, keepCard, keptCard } from "../profile/card.js";
import { colourSays } from "../frame/words.js";

/** @import { Colour } from "../../../documents.js" */
/** @import { PanelLink } from "./panel_link.js" */

/** A clock with larger steps is told to whoever plays by it. */
const COARSE_MS = 4;

/**
 * Give the button that opens it, and what draws it anew.
 * @param {PanelLink} link
 * @param {() => Colour | null} seat
 * @param {() => void} leave
 * @param {(card: string) => void} sit  play by the profile that a card names
 */
export function phoneMenu(link, seat, leave, sit) {
  const code = h("p", { class: "menu-code", id: "code" });
  const clock = h("p", { class: "menu-clock", id: "clock" });
  const doubt = h("p", { class: "menu-clock", id: "doubt" });
  const seated = h("p", { class: "actions" });
  const mine = h("div");
  const dialog = h("dialog", { class: "plate", "aria-labelledby": "menu-title", id: "menu" },
    h("h2", { id: "menu-title" }, say("This phone")), code, clock, doubt,
    soundTick(), volumeSlider(), markTick(),
    canTremble() && tick("tremble", say("Tremble at what is new for you"), trembles(), (on) => {
      letTremble(on);
      tremble("accepted");
    }),
    tick("simple", say("Simple screen"), isSimple(), makeSimple),
    canSpeak() && tick("speak-cues", say("Speak what a switch is offered"), speaks(), letSpeak),
    voiceControls(),
    touchTrial(() => link.tellDevice()),
    h("p", { class: "actions" },
      document.fullscreenEnabled && h("button", { type: "button", class: "button", id: "full-screen",
        onclick: fullScreen }, say("Full screen")),
      h("a", { class: "button", href: "/help" }, say("Help"))),
    seated, mine,
    h("p", { class: "actions" }, h("button", { type: "button", class: "button is-main", id: "menu-close",
      onclick: () => dialog.close() }, say("Back to the buttons"))));
  document.body.append(dialog);
  const opener = h("button", { type: "button", class: "button menu-opener", id: "menu-opener",
    "aria-haspopup": "dialog", onclick: () => dialog.showModal() }, say("Menu"));
  /** @param {boolean} isLive */
  const render = (isLive) => {
    const { about } = link;
    code.textContent = about ? say("Its code is {code}.", { code: about.code }) : "";
    clock.textContent = about ? clockSays(about, isLive) : "";
    const own = seat();
    show(seated, own, () => own && h("button", { type: "button", class: "button is-bad", id: "leave",
      onclick: () => {
        dialog.close();
        leave();
      } }, say("Give up the seat ({colour})", { colour: colourSays(own) })));
    show(mine, [seat(), keptCard()], () => ownProfile(Boolean(seat()), (card) => {
      keepCard(card);
      dialog.close();
      sit(card);
    }));
  };
  /** @param {string} why  the newest press counts from its arrival */
  const doubted = (why) => {
    doubt.textContent = say("A press was counted from its arrival: {why}.", { why });
  };
  return { opener, render, doubted };
}

/**
 * One's own profile: to be looked at, and to be played by once the phone has a seat.
 * @param {boolean} isSeated
 * @param {(card: string) => void} sit
 */
function ownProfile(isSeated, sit) {
  const look = h("a", { class: "button", href: "/profile#mine", id: "my-profile" }, say("My profile"));
  if (!isSeated) return h("p", { class: "actions" }, look);
  return keptCard() ? h("p", { class: "actions" }, h("button", { type: "button", class: "button", id: "sit",
    onclick: () => sit(keptCard()) }, say("Play by my profile")), look) : cardForm(sit, say("Play by my profile"));
}

/**
 * @param {import("../../../documents.js").PanelMessage} about
 * @param {boolean} isLive
 */
function clockSays({ ready, error_ms: width, step_ms: step }, isLive) {
  if (!isLive || !ready) return say("Its clock is being compared with the box.");
  const known = width === null ? "" : say("Its clock is known to ±{width} ms.", { width: width });
  if (step <= COARSE_MS) return known;
  const coarse = say("This browser tells the time in steps of {step} ms: presses may count from when they arrive.",
    { step: number(step, 1) });
  return `${known} ${coarse}`.trim();
}

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen({ navigationUI: "hide" }).catch(() => {});
}
