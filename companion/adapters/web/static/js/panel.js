// The panel: the arcade buttons and the knob in a browser. On a simulated box it is the panel; on a real one a phone
// stands in for the four buttons of a seat that the referee gives it.
import { bar } from "./frame/bar.js";
import { Connection } from "./wire/connection.js";
import { byId, h, isIn, show, within } from "./frame/dom.js";
import { CODES, labelOfCode, pressable } from "./buttons/inputs.js";
import { knob } from "./buttons/knob.js";
import { objections } from "./buttons/objections.js";
import { askLayout, chooseLayout, chosenLayout, LAYOUTS, learn, legendOf } from "./buttons/legends.js";
import { oled } from "./shown/oled.js";
import { PanelLink } from "./buttons/panel_link.js";
import { keysAreOn, turnKeys } from "./frame/keys.js";
import { showMark } from "./frame/edge_mark.js";
import { markTick, soundTick, volumeSlider } from "./frame/senses.js";
import { SIGNS } from "./frame/signs.js";
import { play, wake } from "./frame/sound.js";
import { readOut, sayNews } from "./frame/speaker.js";
import { onState, placeOf, POSITIONS } from "./shown/looks.js";
import { buttonPicture, COLOURS, isColour, token } from "./shown/symbols.js";
import { touchTrial } from "./buttons/trial.js";
import { asked, buttonSays, called, capital, choose, colourSays, decider, placeSays, required } from "./frame/words.js";
import { explained } from "./shown/explained.js";
import { withTerm } from "./frame/term.js";
import { listed, number, say } from "./frame/say.js";

/** @import { Button, ButtonFace, By, Colour, PanelMessage, Position, Secret, State } from "../../documents.js" */
/** @import { Answer } from "./buttons/panel_link.js" */

const KNOB = "knob push";
/** Where keys are for something else than to press; a tick takes no letters. */
const TYPED_IN = "input:not([type=checkbox]), select, textarea, dialog";
/** A clock with larger steps is told to whoever plays by it. */
const COARSE_MS = 4;
const connection = new Connection({ oled: true });
const link = new PanelLink(connection);
/**
 * The number of an input under way: what it is about.
 * @type {Map<number, Button>}
 */
const numbers = new Map();
const wished = new URLSearchParams(location.search).get("seat");
/** @type {Colour | null} */
let seat = isColour(wished) ? wished : null;

bar(connection);
const grid = h("div", { class: "buttons", id: "buttons" });
const phone = h("div", { class: "phone", id: "phone" });
const clock = h("p", { class: "clock", id: "clock" });
const trial = touchTrial(() => link.tellDevice());
const answer = h("p", { class: "answer", id: "answer" });
const dispute = h("p", { class: "dispute", id: "dispute" });
const reasons = h("div", { class: "reasons", id: "reasons" });
const choice = h("section", { class: "choice", id: "choice", tabindex: 0, "aria-label": say("What the box asks") });
const turning = knob({
  turn: (steps, event, by) => void link.turn(steps, event, by),
  press: (event, by) => down(KNOB, event, by),
  release: (event, by) => up(KNOB, event, by),
});
byId("panel").append(
  h("div", { class: "console" },
    h("div", { class: "console-top" },
      h("section", { class: "screen", "aria-label": say("The box’s display") }, oled(connection)),
      choice,
      h("section", { class: "knob-side", id: "knob-side", "aria-label": say("Knob") }, turning.element)),
    phone,
    h("section", { "aria-label": say("Buttons") }, grid),
    dispute,
    reasons,
    trial,
    h("div", { class: "console-foot" }, clock, answer, h("div", { class: "settings" },
      soundTick(), volumeSlider(), markTick(), keysTick(), layoutChoice(), viewChoice()))));

link.on("about", render);
connection.on("noted", ({ detail }) => {
  answer.textContent = `${capital(detail.says)}.`;
  readOut(answer.textContent);
});
link.on("answered", ({ detail }) => answered(detail));
link.on("refused", ({ detail }) => refused(detail));
connection.on("sound", ({ detail: { tone, seats, follows } }) => {
  play(tone, seats, follows);
  showMark(SIGNS[tone], listed(seats.map((one) => capital(colourSays(one)))));
});
onState(connection, (state) => {
  render();
  sayNews(state);
});
addEventListener("pointerdown", wake, { passive: true });
addEventListener("keydown", wake);
if (seat) link.ask(seat);
askLayout(render);
connection.open();

// -- what is shown ----------------------------------------------------------------------------------------------------

function render() {
  const about = link.about;
  const state = connection.state;
  if (!about || !state) return;
  const isSimulated = state.simulated;
  const own = isSimulated ? seat : about.seat;
  document.body.classList.toggle("is-single", own !== null);
  const mayTurn = about.buttons.includes(KNOB);
  byId("knob-side").hidden = !mayTurn;
  byId("view").hidden = !isSimulated;
  const colours = isSimulated ? (seat ? [seat] : COLOURS) : about.seat ? [about.seat] : [];
  const secrets = own !== null && link.secret?.seat === own ? link.secret.choices : [];
  show(grid, [colours, about.buttons, state.roles, state.buttons, secrets, legends(),
    state.seats.map((one) => [one.colour, one.name, one.title])], () => buttons(colours, state, secrets));
  grid.hidden = colours.length === 0;
  show(phone, [isSimulated, about.seat, about.asks, about.code], () => phonePart(isSimulated, about));
  phone.hidden = isSimulated;
  trial.hidden = isSimulated;
  show(choice, [state.phase, state.offers, state.seats, state.menu, state.question, state.notice, own, secrets],
    () => prompt(state, own, secrets));
  show(dispute, [own, state.can.protest, state.can.sign, state.signed],
    () => own && objections(own, state, connection));
  show(reasons, [own, state.race?.explained, state.seats], () => explained(state, own));
  document.body.classList.toggle("is-ready", about.ready);
  show(clock, clockSays(about), () => withTerm(clockSays(about), `±${about.error_ms} ms`, "uncertainty"));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (grid.querySelectorAll(".arcade"))) {
    const [colour, position] = (element.dataset.button ?? "").split(" ");
    const role = state.roles[placeOf(position)];
    const pressed = state.race?.is_running && state.race.rows.some((row) => row.colour === colour
      && row.role_says === role);
    element.classList.toggle("is-played", Boolean(pressed));
  }
}

/** @param {PanelMessage} about */
function clockSays(about) {
  if (link.outside) return say("This page is no panel now: what to do is said beside this.");
  if (!connection.isLive) return say("Connection lost: stay on this page, and say aloud what you press meanwhile.");
  if (!about.ready) return say("Comparing clocks with the box: wait a moment before you press.");
  return [say("Ready."),
    about.error_ms !== null && say("This page’s clock is known to ±{width} ms.", { width: about.error_ms }),
    about.step_ms > COARSE_MS && coarse(about.step_ms)].filter(Boolean).join(" ");
}

/** @param {number} step */
function coarse(step) {
  return say("This browser tells the time in steps of {step} ms, so presses may count from when they reach the"
    + " box. A setting of the browser against fingerprinting may do that.", { step: number(step, 1) });
}

/**
 * @param {Colour[]} colours
 * @param {State} state
 * @param {Secret[]} secrets
 */
function buttons(colours, state, secrets) {
  return colours.map((colour) => {
    const owner = state.seats.find((one) => one.colour === colour);
    const name = owner && (owner.name || owner.title) ? called(owner) : "";
    const plays = state.seats.length === 0 || state.seats.some((one) => one.colour === colour);
    return h("div", { class: `bank ${colour}${plays ? "" : " is-unowned"}`, role: "group",
      "aria-label": name ? `${name}, ${colourSays(colour)}` : colourSays(colour) },
      h("p", { class: "bank-name" }, token(colour), h("span", null, h("strong", null, capital(colourSays(colour))),
        name && ` ${name}`, !plays && h("small", null, " ", say("not playing")))),
      POSITIONS.slice(0, Math.max(state.buttons.length, state.roles.length)).map((position, index) =>
        arcade(colour, index, state.buttons[index] ?? { label: placeSays(index), symbol: null },
          secretOf(`${colour} ${position}`, secrets))));
  });
}

/** What is printed on the keys that play; null where none does. */
const legends = () => keysAreOn() && POSITIONS.map((position) => CODES[position].map(legendOf));

/**
 * What a button picks of the private choices, empty where nothing.
 * @param {Button} button
 * @param {Secret[]} secrets
 */
function secretOf(button, secrets) {
  const item = secrets.flatMap(({ items }) => items).find((one) => one.button === button);
  return item ? `${item.label} ${item.value}`.trim() : "";
}

/**
 * @param {Colour} colour
 * @param {number} index
 * @param {ButtonFace} face
 * @param {string} secret
 */
function arcade(colour, index, face, secret) {
  /** @type {Position} */
  const position = POSITIONS[index];
  const label = `${colour} ${position}`;
  const key = keysAreOn() && legendOf(CODES[position][COLOURS.indexOf(colour)]);
  const element = h("button", { type: "button", class: `arcade ${colour}`, "data-button": label, "data-key": label,
    "aria-label": capital(`${colourSays(colour)} ${face.label}${secret && `: ${secret}`}`), "aria-keyshortcuts": key,
    "aria-pressed": "false" },
    h("span", { class: "cap mark" }, buttonPicture(face, index)),
    h("span", { class: "legend" }, face.label, key && h("kbd", null, key.toUpperCase())),
    secret && h("span", { class: "secret" }, secret));
  pressable(element, (event, by) => down(label, event, by), (event, by) => up(label, event, by));
  return element;
}

/**
 * @param {boolean} isSimulated
 * @param {PanelMessage} about
 */
function phonePart(isSimulated, about) {
  if (isSimulated) return null;
  const asks = about.asks && about.asks !== about.seat
    ? say("The referee sees {phone} asking for {colour}, and may give it the seat.",
      { phone: about.code, colour: colourSays(about.asks) })
    : say("Which colour do you play? The referee then gives this phone the seat.");
  return [
    h("p", { class: "code" }, h("span", { class: "label" }, say("This phone")), h("strong", null, about.code)),
    h("p", { class: "sentence" }, about.seat ? say("This phone plays {colour}.", { colour: colourSays(about.seat) })
      : asks, " ", within(say("{larger} say what each does."),
      { larger: h("a", { href: `/play${about.seat ? `#seat=${about.seat}` : ""}` }, say("Larger buttons")) })),
    about.seat ? null : h("div", { class: "ask", role: "group", "aria-label": say("Ask for a seat") },
      COLOURS.map((colour) =>
      h("button", { type: "button", class: "button", "data-key": `ask ${colour}`,
        "aria-pressed": String(about.asks === colour), onclick: () => link.ask(colour) }, token(colour),
        capital(colourSays(colour))))),
  ];
}

/**
 * What the box wants now, where buttons answer it: the options with the button that picks each.
 * @param {State} state
 * @param {Colour | null} own
 * @param {Secret[]} secrets
 */
function prompt(state, own, secrets) {
  const notice = state.notice && h("p", { class: "notice" }, capital(state.notice));
  if (secrets.length > 0) {
    return [secrets.map((one) => h("p", { class: "choice-title" }, own && token(own), capital(one.prompt))),
      h("p", null, say("Only this page shows what your buttons choose.")), notice];
  }
  if (state.phase !== "choosing" || !state.menu) return notice || null;
  const { items, cursor } = state.menu;
  const deciding = required(state);
  const [first] = deciding;
  const hidden = deciding.filter((offer) => offer.private);
  if (first?.private) {
    return [h("p", { class: "choice-title" }, first.seat && token(first.seat),
      choose(hidden.map((offer) => decider(state, offer)), { secretly: true })),
      notice];
  }
  const mine = own === null || own === first?.seat;
  return [
    h("p", { class: "choice-title" }, first?.seat && token(first.seat),
      first ? asked(state, first) : state.menu.title),
    mine && h("ul", null, items.map((item, index) =>
      h("li", { class: index === cursor ? "is-current" : null },
      h("span", { class: "card" }, (item.role || item.button) && h("kbd", null, item.button ?? item.role),
        h("span", null, `${item.label} ${item.value}`.trim()))))),
    notice,
  ];
}

function keysTick() {
  const box = h("input", { type: "checkbox", id: "keys-play", checked: keysAreOn(), onchange: () => {
    turnKeys(box.checked);
    render();
  } });
  return h("label", { class: "tick" }, box, say("Keys press"));
}

/** What the keys are called, where it is not found out: on plain HTTP a browser does not tell. */
function layoutChoice() {
  const select = h("select", { id: "layout", onchange: () => {
    chooseLayout(select.value);
    render();
  } }, h("option", { value: "" }, say("keys as found")),
  Object.keys(LAYOUTS).map((name) => h("option", { value: name, selected: name === chosenLayout() }, name)));
  return h("label", { class: "field" }, h("span", { class: "unseen" }, say("Keyboard")), select);
}

function viewChoice() {
  const select = h("select", {
    id: "view",
    onchange: (event) => {
      seat = isColour(event.currentTarget.value) ? event.currentTarget.value : null;
      history.replaceState(null, "", seat ? `?seat=${seat}` : location.pathname);
      if (seat) link.ask(seat);
      render();
    },
  }, h("option", { value: "" }, say("all twenty buttons")),
  COLOURS.map((colour) => h("option", { value: colour, selected: colour === seat }, say("only {colour}",
    { colour: colourSays(colour) }))));
  return h("label", { class: "field" }, h("span", { class: "unseen" }, say("Show")), select);
}

// -- what is done -----------------------------------------------------------------------------------------------------

/**
 * @param {Button} label
 * @param {Event} event
 * @param {By} by
 */
function down(label, event, by) {
  if (!link.about?.buttons.includes(label)) return;
  numbers.set(link.press(label, event, by), label);
  latch(label, "is-down", true);
  latch(label, "is-sent", true);
}

/**
 * @param {Button} label
 * @param {Event} event
 * @param {By} by
 */
function up(label, event, by) {
  if (!link.about?.buttons.includes(label)) return;
  link.release(label, event, by);
  latch(label, "is-down", false);
}

/**
 * @param {Button} label
 * @param {string} name
 * @param {boolean} on
 */
function latch(label, name, on) {
  const element = label === KNOB ? turning.pushed : grid.querySelector(`[data-button="${label}"]`);
  element?.classList.toggle(name, on);
  if (name === "is-down") element?.setAttribute("aria-pressed", String(on));
}

/** @param {Answer} answer */
function answered({ n, taken, why, error_ms: width, arrival, input }) {
  const label = numbers.get(n);
  numbers.delete(n);
  if (label) latch(label, "is-sent", false);
  if (taken && arrival && label) answer.textContent = say("{button}: taken as it reached the box, for {why}.",
    { button: capital(buttonSays(label)), why: arrival });
  else if (taken && label && label !== KNOB) answer.textContent = say("{button}: taken, ±{width} ms.",
    { button: capital(buttonSays(label)), width: width ?? "?" });
  else if (!taken && input?.type === "press") {
    answer.textContent = say("{button}: not taken, {why}.",
      { button: capital(buttonSays(label ?? input.button)), why: why ?? "" });
    readOut(answer.textContent);
    play("refused");
  }
}

/** @param {{ message: string }} problem */
function refused({ message }) {
  if (link.outside?.code !== "place_lost") {
    answer.textContent = capital(message);
    return;
  }
  answer.replaceChildren(`${capital(message)}. `,
    h("button", { type: "button", class: "button is-small", id: "take-back", onclick: () => link.takeBack() },
      say("Take it back here")), " ",
    h("button", { type: "button", class: "button is-small", onclick: () => link.startAnew() },
      say("Play here as a panel of its own")));
}

// The keyboard plays without a button being focused, but not while something else takes the keys.
/** @type {Map<string, Button>} */
const keysDown = new Map();
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isIn(event, TYPED_IN)) return;
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    if (isIn(event, ".knob")) return; // the knob itself has taken it
    turning.byKey(event.key === "ArrowRight" ? 1 : -1, event);
    return;
  }
  if (learn(event)) render();
  const label = (keysAreOn() ? labelOfCode(event.code, COLOURS) : null) ?? knobKey(event);
  if (label === null) return;
  event.preventDefault();
  if (event.repeat || keysDown.has(event.code)) return;
  keysDown.set(event.code, label);
  down(label, event, "key");
});
addEventListener("keyup", (event) => letGo(event.code, event));
addEventListener("blur", (event) => {
  for (const code of [...keysDown.keys()]) letGo(code, event);
});

/** @param {KeyboardEvent} event */
function knobKey(event) {
  const isFree = event.target === document.body || event.target === byId("main");
  return isFree && (event.key === "Enter" || event.key === " ") ? KNOB : null;
}

/**
 * @param {string} code
 * @param {Event} event
 */
function letGo(code, event) {
  const label = keysDown.get(code);
  if (label === undefined) return;
  keysDown.delete(code);
  up(label, event, "key");
}
