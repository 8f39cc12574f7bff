// What a person may change of their own profile, in plain words. An empty field means: as the box has it.
import { append, h } from "../frame/dom.js";
import { say } from "../frame/say.js";
import { handTrial } from "./hand_trial.js";

/** @import { HandTrial, Touched, Wishes } from "../../../documents.js" */

const LANGUAGES = { "": say("as the box has it"), en: "English", fr: "français", it: "italiano", de: "Deutsch" };
const SIGNALS = { tones: say("a tone"), lamp: say("a lamp"), motor: say("a motor"),
  phone: say("my phone trembles") };
const WAYS = { automatic: say("automatic: one after another"), step: say("step by step, with a second switch"),
  inverse: say("inverse: hold to move on, let go to pick") };
const WORDS = { "": say("as the box has it"), few: say("few words"), usual: say("the usual"),
  full: say("everything explained") };

/**
 * @param {Wishes} wishes
 * @param {(wishes: Wishes) => void} keep
 * @param {(touches: Touched[], rounds: { place: number, from_ms: number }[], bounce: number | undefined) =>
 *   Promise<HandTrial>} tried
 */
export function wishesForm(wishes, keep, tried) {
  const { filters = {}, voice = {}, scanning = {}, screens = {} } = wishes;
  const order = scanning.order ?? [1, 2, 3, 4];
  const accept = number("accept_ms", say("A touch counts once it has lasted, ms"), filters.accept_ms, 0, 500, 1);
  const repeat = number("repeat_ms", say("After a press the same button is deaf for, ms"), filters.repeat_ms, 0, 5000,
    1);
  const bounce = number("bounce_ms", say("A finger that lifts for less than so long has not let go, ms"),
    filters.bounce_ms, 0, 50, 1);
  const scan = h("fieldset", { id: "scan-fields" }, h("legend", null, say("With one switch")));
  const hand = handTrial(tried, {
    accept: () => read(accept) ?? 2,
    bounce: () => read(bounce),
    take: (proposal) => {
      accept.input.value = String(proposal.accept_ms);
      repeat.input.value = proposal.repeat_ms ? String(proposal.repeat_ms) : "";
    },
  });
  const input = choice("input", say("I play with"), { buttons: say("four buttons"),
    scan: say("one switch, or two") },
    wishes.input ?? "buttons", () => {
      scan.hidden = input.select.value !== "scan";
    });
  const way = choice("way", say("Cards are offered"), WAYS, scanning.way ?? "automatic");
  const dwell = number("dwell_s", say("Each for, seconds"), scanning.dwell_s ?? 1, 0.3, 5, 0.1, true);
  const loops = number("loops", say("All of them, so many times"), scanning.loops ?? 3, 1, 20, 1, true);
  const places = order.map((place, index) => number(`order-${index}`, `${index + 1}.`, place, 1, 4, 1, true));
  const start = number("start", say("Beginning with place"), scanning.start ?? 1, 1, 4, 1, true);
  const move = number("move", say("With a second switch: the button that moves on"), scanning.move ?? 1,
    1, 4, 1, true);
  const again = tick("again", say("Ask once more before a card is fixed"), scanning.again ?? false);
  append(scan, [way.element, dwell.element, loops.element,
    h("p", { class: "label" }, say("Buttons in the order they are offered, counted from the left")),
    h("div", { class: "order-row" }, places.map(({ element }) => element)), start.element, move.element,
      again.element]);
  scan.hidden = (wishes.input ?? "buttons") !== "scan";
  const more = number("extension_s", say("A race stays open for me longer, seconds"),
    wishes.extension_s ?? undefined, 0, 120, 0.5);
  const language = choice("language", say("Language"), LANGUAGES, wishes.language ?? "");
  const rate = number("rate", say("How fast it speaks, 1 is usual"), voice.rate, 0.3, 4, 0.1);
  const volume = number("volume", say("How loud, percent"), voice.volume, 0, 100, 5);
  const words = choice("wordiness", say("It says"), WORDS, voice.wordiness ?? "");
  const simple = tick("simple", say("One step at a time"), screens.simple ?? false);
  const large = tick("large", say("Large letters, one fact on each picture"), screens.large ?? false);
  const chosen = screens.signals ?? Object.keys(SIGNALS);
  const signals = Object.entries(SIGNALS).map(([key, label]) =>
    tick(`signal-${key}`, label, chosen.some((one) => one === key)));
  /** @type {NonNullable<Wishes["mapping"]>} */
  let mapping = wishes.mapping ?? [];

  return h("form", { class: "stack", id: "wishes", onsubmit: (event) => {
    event.preventDefault();
    keep(entered());
  } },
    h("div", { class: "profile-parts" },
      h("fieldset", { class: "plate" }, h("legend", null, say("How I play")), input.element, scan, more.element),
      h("fieldset", { class: "plate" }, h("legend", null, say("My hand")), accept.element, repeat.element,
        bounce.element,
        hand),
      h("fieldset", { class: "plate" }, h("legend", null, say("What I hear")), language.element, words.element,
        rate.element, volume.element),
      h("fieldset", { class: "plate" }, h("legend", null, say("What I see and feel")), simple.element, large.element,
        h("p", { class: "label" }, say("I am told by")),
        h("div", { class: "ticks" }, signals.map(({ element }) => element))),
      mapping.length > 0 && own()),
    h("p", { class: "actions" }, h("button", { type: "submit", class: "button is-main", id: "keep" }, say("Keep it"))));

  /** Own buttons were assigned at the box, by pressing them; here they can be taken out. */
  function own() {
    const field = h("fieldset", { class: "plate" }, h("legend", null, say("My own buttons")));
    const draw = () => {
      field.replaceChildren(h("legend", null, say("My own buttons")));
      append(field, [h("ul", { class: "line-list" }, mapping.map((one) => h("li", { class: "actions" },
        h("span", null, say("{device}, {code}: button {place}", one)),
        h("button", { type: "button", class: "button is-small", onclick: () => {
          mapping = mapping.filter((other) => other !== one);
          draw();
        } }, say("Take out")))))]);
    };
    draw();
    return field;
  }

  /** @returns {Wishes} */
  function entered() {
    const told = signals.map(({ box }, index) => (box.checked ? Object.keys(SIGNALS)[index] : ""));
    const wanted = /** @type {NonNullable<NonNullable<Wishes["screens"]>["signals"]>} */ (told.filter(Boolean));
    return /** @type {Wishes} */ ({
      language: language.select.value,
      voice: some({ rate: read(rate), volume: read(volume), wordiness: words.select.value || undefined }),
      filters: some({ bounce_ms: read(bounce), accept_ms: read(accept), repeat_ms: read(repeat) }),
      extension_s: read(more) ?? null,
      input: input.select.value,
      scanning: some({ way: way.select.value, dwell_s: read(dwell), loops: read(loops),
        order: places.map((one) => read(one)), start: read(start), move: read(move), again: again.box.checked }),
      mapping,
      screens: some({ simple: simple.box.checked, large: large.box.checked,
        signals: wanted.length === signals.length ? undefined : wanted }),
    });
  }
}

/**
 * What there is of some fields.
 * @param {Record<string, unknown>} fields
 */
const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** @param {{ input: HTMLInputElement }} field */
const read = ({ input }) => (input.value === "" ? undefined : Number(input.value));

/**
 * @param {string} id
 * @param {string} label
 * @param {number | undefined} value
 * @param {number} min
 * @param {number} max
 * @param {number} step
 */
function number(id, label, value, min, max, step, required = false) {
  const input = h("input", { id, type: "number", min, max, step: step < 1 ? "any" : step, required,
    placeholder: required ? "" : say("as the box has it"), value: value === undefined ? "" : value });
  return { input, element: h("label", { class: "field" }, h("span", { class: "label" }, label), input) };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {Record<string, string>} choices
 * @param {string} value
 */
function choice(id, label, choices, value, changed = () => {}) {
  const known = value in choices ? choices : { ...choices, [value]: value };
  const select = h("select", { id, onchange: changed }, Object.entries(known).map(([key, text]) =>
    h("option", { value: key, selected: key === value }, text)));
  return { select, element: h("label", { class: "field" }, h("span", { class: "label" }, label), select) };
}

/**
 * @param {string} id
 * @param {string} label
 * @param {boolean} checked
 */
function tick(id, label, checked) {
  const box = h("input", { type: "checkbox", id, checked });
  return { box, element: h("label", { class: "tick" }, box, label) };
}
