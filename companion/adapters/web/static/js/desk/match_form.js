// A new match: game, seats clockwise with names and allowances, who begins, what the game asks, how races go.
import { h, maybe, show } from "../frame/dom.js";
import { say, sayMany } from "../frame/say.js";
import { get, messageOf, post } from "../wire/api.js";
import { fileHash, getFile, textOf } from "../wire/texts.js";
import { COLOURS, isColour, token } from "../shown/symbols.js";
import { capital, colourSays } from "../frame/words.js";
import { term } from "../frame/term.js";

/** @import { Colour, DeadHeat, FileAsked, FileFault, Game, ListedFile, Lobby } from "../../../documents.js" */
/** @import { NewMatch, Parameter, Phone, Policy, Setting, State, Timing } from "../../../documents.js" */
/** @import { Desk } from "../referee.js" */

/** @typedef {{ colour: Colour, name: string, allowance_ms: number, by_profile: boolean }} DraftSeat */
/**
 * @typedef {{
 *   game: string, seats: DraftSeat[], first: Colour | "", variants: string[], dead_heat: DeadHeat, window_s: number,
 *   timing: Timing,
 *   parameters: Record<string, Setting>, files: Record<string, { name: string, text: string }> | null,
 *   practice: boolean,
 * }} Draft  files: null for those that were chosen at the box
 */

/**
 * Give the form: `element`, and `render(state)`, which fills it with the seating on the box until it is touched.
 * begin: as its button does, or go to the seats that are free; missing: how many players there are too few, 0 for none.
 * @param {Pick<Desk, "act">} desk
 * @param {() => void} onDraft  called when `missing` has changed
 */
export function matchForm({ act }, onDraft = () => {}) {
  /** @type {Game[]} */
  let games = [];
  /** @type {Policy[]} */
  let heats = [];
  /** @type {Draft} */
  let draft = { game: "", seats: [], first: "", variants: [], dead_heat: "timestamp", window_s: 3, timing: "race",
    parameters: {},
    files: null, practice: false };
  /** The files that the box has for what games ask. @type {FileAsked[]} */
  let offered = [];
  /** Which files were chosen at the box, by name. @type {Record<string, string>} */
  let seated = {};
  /** What was wrong with a file that was to be taken, by what asks for it. @type {Record<string, string>} */
  const problems = {};
  /** Whoever has a profile of their own, in small letters. @type {string[]} */
  let profiled = [];
  /** Why the box proposes to play without times. @type {string | null} */
  let whyUntimed = null;
  let isTouched = false;
  /** @type {number | null} */
  let told = null;
  const known = h("datalist", { id: "known-names" });
  const form = h("div");
  const element = h("div", null, known, form);
  learnNames();
  learnFiles();
  Promise.all([get("/api/games"), get("/api/dead-heats")]).then(([found, policies]) => {
    games = found;
    heats = policies;
    draft.game ||= games[0]?.name ?? "";
    draw();
  }, () => {});

  /** Offer the names of all who have played here, so that none is typed twice. Without them, play goes on. */
  function learnNames() {
    get("/api/people/names").then((names) =>
      known.replaceChildren(...names.map((name) => h("option", { value: name }))), () => {});
    get("/api/profiles").then(({ profiles }) => {
      profiled = profiles.map(({ name }) => name.toLowerCase());
      draw();
    }, () => {});
  }

  /** Offer the files that there are. Without them, one of this device can still be taken. */
  function learnFiles() {
    get("/api/files").then(({ asked }) => {
      offered = asked;
      draw();
    }, () => {});
  }

  /** @param {Partial<Draft>} more */
  function change(more) {
    draft = { ...draft, ...more };
    if (!draft.seats.some((seat) => seat.colour === draft.first)) draft.first = "";
    isTouched = true;
    draw();
  }

  /**
   * Keep what is being typed without drawing anew under the fingers.
   * @param {Partial<Draft>} more
   */
  function keep(more) {
    draft = { ...draft, ...more };
    isTouched = true;
  }

  /** @param {string} name */
  const hasProfile = (name) => profiled.includes(name.toLowerCase());
  /** @param {Colour} colour */
  const sit = (colour) => change({ seats: [...draft.seats, { colour, name: "", allowance_ms: 0, by_profile: true }] });
  /** @param {Colour} colour */
  const rise = (colour) => change({ seats: draft.seats.filter((seat) => seat.colour !== colour) });
  /**
   * @param {Colour} colour
   * @param {Partial<DraftSeat>} more
   */
  const edit = (colour, more) =>
    keep({ seats: draft.seats.map((seat) => (seat.colour === colour ? { ...seat, ...more } : seat)) });

  /**
   * @param {Colour} colour
   * @param {number} by
   */
  function shift(colour, by) {
    const seats = [...draft.seats];
    const from = seats.findIndex((seat) => seat.colour === colour);
    const [seat] = seats.splice(from, 1);
    seats.splice(from + by, 0, seat);
    change({ seats });
  }

  /** @param {SubmitEvent} event */
  async function start(event) {
    event.preventDefault();
    /** @type {NewMatch} */
    const body = {
      game: draft.game,
      seats: draft.seats.map(({ colour, name, allowance_ms: allowance, by_profile: byProfile }) =>
        ({ colour, ...(name ? { name } : {}), ...(hasProfile(name) && byProfile ? { by_profile: true }
          : allowance ? { allowance_ms: allowance } : {}) })),
      variants: draft.variants, dead_heat: draft.dead_heat, window_ms: Math.round(draft.window_s * 1000),
    };
    if (draft.practice) body.practice = true;
    if (isUntimed()) body.timing = "untimed";
    if (draft.first) body.first = draft.first;
    if (Object.keys(draft.parameters).length) body.parameters = draft.parameters;
    if (draft.files) body.files = draft.files;
    if (!await act("/api/match", body)) return;
    isTouched = false;
    learnNames();
  }

  const isUntimed = () =>
    draft.timing === "untimed" && Boolean(games.find(({ name }) => name === draft.game)?.race_name);

  /**
   * Without times, they cannot decide a dead heat.
   * @param {Timing} timing
   */
  function timed(timing) {
    const left = heats.filter((one) => !(timing === "untimed" && one.by_time)).map(({ key }) => key);
    change({ timing, dead_heat: left.includes(draft.dead_heat) ? draft.dead_heat : left[0] ?? draft.dead_heat });
  }

  function draw() {
    const game = games.find((one) => one.name === draft.game);
    if (game) show(form, [draft.game, profiled, draft.seats.map((seat) => seat.colour), draft.first, draft.variants,
      draft.dead_heat, draft.timing, whyUntimed, games.length, offered, seated, problems,
      draft.files && Object.entries(draft.files).map(([key, { name }]) => [key, name])],
      () => build(game));
    if (missing() === told) return;
    told = missing();
    onDraft();
  }

  /** How many players there are too few; null as long as nobody knows which games there are. */
  function missing() {
    const game = games.find((one) => one.name === draft.game);
    return game ? Math.max(0, game.min_seats - draft.seats.length) : null;
  }

  function begin() {
    const form = element.querySelector("form");
    if (form && missing() === 0) form.requestSubmit();
    else maybe(element, ".free button")?.focus();
  }

  /** @param {Game} game */
  function build(game) {
    const free = COLOURS.filter((colour) => !draft.seats.some((seat) => seat.colour === colour));
    const isShort = missing() !== 0;
    return h("form", { class: "match-form", id: "match-form", onsubmit: start },
      games.length > 1 && h("label", { class: "field" }, h("span", { class: "label" }, say("Game")),
        h("select", { "data-key": "game",
          onchange: (event) => change({ game: event.currentTarget.value, variants: [], parameters: {},
            files: {} }) },
          games.map((one) => h("option", { value: one.name, selected: one.name === draft.game }, one.title)))),
      h("fieldset", null, h("legend", null, say("Seats, clockwise")),
        h("ol", { class: "seating" }, draft.seats.map((seat, index) =>
          seatRow(seat, index, game.seat_titles[index] ?? ""))),
        draft.seats.length < game.max_seats && h("p", { class: "free" }, free.map((colour) =>
          h("button", { type: "button", class: "button", "data-key": `sit ${colour}`, onclick: () => sit(colour) },
            token(colour), say("Seat {colour}", { colour: colourSays(colour) }))))),
      h("div", { class: "pair" },
        h("label", { class: "field" }, h("span", { class: "label" }, capital(game.first_title) || say("Who begins")),
          h("select", { "data-key": "first", id: "first",
            onchange: ({ currentTarget: { value } }) => change({ first: isColour(value) ? value : "" }) },
            h("option", { value: "" }, say("the first seat")), draft.seats.map(({ colour }) =>
              h("option", { value: colour, selected: colour === draft.first }, colourSays(colour))))),
        game.race_name && h("label", { class: "field" }, h("span", { class: "label" }, say("How it is played")),
          h("select", { "data-key": "timing", id: "timing",
            onchange: ({ currentTarget: { value } }) => timed(value === "untimed" ? "untimed" : "race") },
            h("option", { value: "race", selected: !isUntimed() }, say("a race: the first press counts")),
            h("option", { value: "untimed", selected: isUntimed() }, say("face down, without a clock")))),
        game.race_name && !isUntimed() && h("label", { class: "field" },
          h("span", { class: "label" }, say("Collecting window, seconds")),
          h("input", { type: "number", id: "window", min: 0.5, max: 120, step: 0.1, required: true,
            value: draft.window_s, oninput: (event) => keep({ window_s: Number(event.currentTarget.value) }) })),
        game.race_name && h("label", { class: "field" }, h("span", { class: "label" }, say("A dead heat goes")),
          h("select", { "data-key": "heat", id: "dead-heat",
            onchange: (event) => change({ dead_heat: /** @type {DeadHeat} */ (event.currentTarget.value) }) },
            heats.filter((one) => !(isUntimed() && one.by_time)).map(({ key, label }) =>
              h("option", { value: key, selected: key === draft.dead_heat }, label))))),
      game.race_name && !isUntimed() && whyUntimed && h("p", { id: "why-untimed" },
        capital(whyUntimed), " ",
        h("button", { type: "button", class: "button", "data-key": "untimed", onclick: () => timed("untimed") },
          say("Play untimed"))),
      game.race_name && h("p", { class: "asked" }, say("What is meant:"), " ", term("window", say("collecting window")),
        " · ", term("dead heat", say("dead heat")), " · ", term("allowance", say("allowance"))),
      game.variants.length > 0 && h("fieldset", null, h("legend", null, say("Variants")),
        h("div", { class: "ticks" }, game.variants.map(({ key, label }) =>
        h("label", { class: "tick" }, h("input", { type: "checkbox", name: "variant", value: key,
          "data-key": `variant ${key}`, checked: draft.variants.includes(key),
          onchange: (event) => change({ variants: event.currentTarget.checked ? [...draft.variants, key]
            : draft.variants.filter((one) => one !== key) }) }), label)))),
      game.parameters.length > 0 && h("fieldset", null, h("legend", null,
        say("{game}: settings", { game: game.title })),
        h("div", { class: "pair" }, game.parameters.map(parameter))),
      game.race_name && h("label", { class: "tick" }, h("input", { type: "checkbox", id: "practice",
        "data-key": "practice", checked: draft.practice,
        onchange: (event) => keep({ practice: event.currentTarget.checked }) }), say("Practice: explain each ruling")),
      h("button", { type: "submit", class: "button is-main", id: "begin", "data-key": "begin",
        disabled: isShort },
        isShort ? sayMany("Seat {count} more", "Seat {count} more", missing() ?? 0) : say("Begin the match")));
  }

  /**
   * @param {string} key
   * @param {Setting} value
   */
  const set = (key, value) => keep({ parameters: { ...draft.parameters, [key]: value } });

  /**
   * What a game asks, by its kind.
   * @param {Parameter} asked
   */
  function parameter({ key, label, kind, default: usual, choices, low, high }) {
    const value = draft.parameters[key] ?? usual;
    const common = { id: `parameter-${key}`, "data-key": `parameter ${key}` };
    /** @param {HTMLElement} entry */
    const field = (entry) => h("label", { class: "field" }, h("span", { class: "label" }, capital(label)), entry);
    if (kind === "yes-no") {
      return h("label", { class: "tick" }, h("input", { ...common, type: "checkbox", checked: value === true,
        onchange: (event) => set(key, event.currentTarget.checked) }), capital(label));
    }
    if (kind === "choice") {
      return field(h("select", { ...common, onchange: (event) => set(key, event.currentTarget.value) },
        choices.map((one) => h("option", { value: one.key, selected: one.key === value }, one.label))));
    }
    if (kind === "number") {
      return field(h("input", { ...common, type: "number", min: low, max: high, step: 1, required: true,
        value: Number(value), oninput: (event) => set(key, Math.round(Number(event.currentTarget.value))) }));
    }
    return fileChoice(key, label, usual !== "", common);
  }

  /**
   * A file that the game asks for: one of the box, or one of this device.
   * @param {string} key
   * @param {string} label
   * @param {boolean} hasUsual
   * @param {{ id: string, "data-key": string }} common
   */
  function fileChoice(key, label, hasUsual, common) {
    const known = offered.find((one) => one.game === draft.game && one.key === key)?.files ?? [];
    const usual = known.find((one) => one.is_usual);
    const chosen = draft.files ? draft.files[key]?.name : seated[key];
    const isKnown = chosen === undefined || known.some((one) => one.name === chosen && !one.is_usual);
    const name = chosen ?? "";
    const says = problems[key];
    return h("div", { class: "file-choice", role: "group", "aria-label": capital(label) },
      h("label", { class: "field" }, h("span", { class: "label" }, capital(label)),
        h("select", { ...common, "aria-describedby": says ? `${common.id}-says` : null,
          onchange: (event) => choose(key, event.currentTarget.value) },
          h("option", { value: "", selected: name === "" }, usualSays(hasUsual, usual)),
          !isKnown && h("option", { value: name, selected: true }, name),
          known.filter((one) => !one.is_usual).map((one) => h("option", { value: one.name, selected: one.name === name,
            disabled: one.faults > 0 }, optionSays(one))))),
      h("label", { class: "field" }, h("span", { class: "label" }, say("or one of this device")),
        h("input", { type: "file", id: `upload-${key}`, "data-key": `upload ${key}`, accept: "text/*,.toml,.txt",
          onchange: (event) => take(key, event.currentTarget.files?.[0]) })),
      h("a", { class: "button is-small", href: fileHash(draft.game, key, isKnown ? name : ""),
        "data-key": `write ${key}` }, say("Look at it, or write one")),
      says && h("p", { class: "problem", id: `${common.id}-says`, role: "alert" }, says));
  }

  /**
   * Take a file of the box; "" for what stands where nothing is said.
   * @param {string} key
   * @param {string} name
   */
  async function choose(key, name) {
    const { [key]: _, ...others } = draft.files ?? {};
    delete problems[key];
    if (!name) return change({ files: others });
    try {
      const { text } = await getFile(draft.game, key, name);
      change({ files: { ...others, [key]: { name, text } } });
    } catch (problem) {
      problems[key] = `${capital(messageOf(problem))}.`;
      draw();
    }
  }

  /**
   * Read a file of this device, whole, and have the box look through it before anybody begins with it.
   * @param {string} key
   * @param {File | undefined} file
   */
  async function take(key, file) {
    if (!file) return;
    const { [key]: _, ...others } = draft.files ?? {};
    delete problems[key];
    try {
      const text = await textOf(file);
      const { faults } = await post("/api/files/check", { game: draft.game, key, text });
      const [first] = faults;
      if (!first) return change({ files: { ...others, [key]: { name: file.name, text } } });
      problems[key] = faultsOf(file.name, first, faults.length - 1);
    } catch (problem) {
      problems[key] = `${file.name}: ${messageOf(problem)}.`;
    }
    draw();
  }

  /**
   * @param {DraftSeat} seat
   * @param {number} index
   * @param {string} title
   */
  function seatRow({ colour, name, allowance_ms: allowance, by_profile: byProfile }, index, title) {
    const tick = h("label", { class: "tick by-profile", hidden: !hasProfile(name) },
      h("input", { type: "checkbox", checked: byProfile, "data-key": `profile ${colour}`,
        onchange: (event) => edit(colour, { by_profile: event.currentTarget.checked }) }), say("by their profile"));
    /**
     * @param {string} key
     * @param {string} label
     * @param {string} sign
     * @param {boolean} enabled
     * @param {() => void} onclick
     */
    const small = (key, label, sign, enabled, onclick) =>
      h("button", { type: "button", class: "button is-small", "data-key": `${key} ${colour}`, "aria-label": label,
        disabled: !enabled, onclick }, sign);
    const says = colourSays(colour);
    return h("li", { "data-colour": colour }, token(colour),
      h("strong", { class: "colour" }, capital(says), title && h("small", null, ` ${title}`)),
      h("label", { class: "field" }, h("span", { class: "unseen" }, say("Name of {colour}", { colour: says })),
        h("input", { class: "name", value: name, maxlength: 12, placeholder: say("name"), list: known.id,
        autocomplete: "off",
        oninput: (event) => {
          edit(colour, { name: event.currentTarget.value.trim() });
          tick.hidden = !hasProfile(event.currentTarget.value.trim());
        } })), tick,
      h("label", { class: "field" }, h("span", { class: "unseen" }, say("Allowance of {colour}, milliseconds",
        { colour: says })),
        h("span", { class: "with-unit" }, h("input",
          { class: "allowance", type: "number", min: 0, max: 60000, step: 1, value: allowance,
          oninput: (event) => edit(colour,
          { allowance_ms: Math.max(0, Math.round(Number(event.currentTarget.value)) || 0) }) }),
          h("span", { "aria-hidden": "true" }, say("ms allowance")))),
      h("span", { class: "row-actions" },
        small("up", say("Move {colour} earlier", { colour: says }), "↑", index > 0, () => shift(colour, -1)),
        small("down", say("Move {colour} later", { colour: says }), "↓", index < draft.seats.length - 1, () =>
          shift(colour, 1)),
        small("rise", say("Take {colour} out", { colour: says }), "✕", true, () => rise(colour))));
  }

  /**
   * The seating on the box, and after it the seats that phones have been given.
   * @param {Lobby} lobby
   * @param {Phone[]} phones
   */
  function fromBox(lobby, phones) {
    const byPhone = COLOURS.filter((one) => phones.some(({ seat }) => seat === one) && !lobby.seats.includes(one));
    const seats = [...lobby.seats, ...byPhone].map((colour) => ({ colour, name: lobby.names[colour] ?? "",
      allowance_ms: lobby.allowances_ms[colour] ?? 0,
      by_profile: lobby.by_profile.includes(colour) || !lobby.names[colour] }));
    seated = lobby.files;
    draft = { game: lobby.game, seats, first: lobby.first ?? "", variants: lobby.variants, dead_heat: lobby.dead_heat,
      window_s: lobby.window_ms / 1000, parameters: lobby.parameters, files: null,
      practice: lobby.practice, timing: lobby.timing };
    draw();
  }

  return {
    element,
    begin,
    missing,
    /** @param {State} state */
    render(state) {
      whyUntimed = state.lobby?.why_untimed ?? null;
      if (state.lobby && !isTouched) fromBox(state.lobby, state.phones);
      else if (state.lobby) draw();
      else if (state.game && !isTouched && draft.game !== state.game.name) {
        draft = { ...draft, game: state.game.name }; // the page was opened in a match
        draw();
      }
    },
  };
}

/**
 * What stands where no file is chosen.
 * @param {boolean} hasUsual
 * @param {ListedFile | undefined} usual
 */
function usualSays(hasUsual, usual) {
  if (!hasUsual) return say("none");
  return usual?.kind === "sample" ? say("the usual one ({file})", { file: usual.name }) : say("the usual one");
}

/** @param {ListedFile} file */
function optionSays({ name, title, faults }) {
  const named = title ? `${name}: ${title}` : name;
  return faults > 0 ? say("{file} (has faults)", { file: named }) : named;
}

/**
 * What is wrong with a file, by the first of its faults.
 * @param {string} name
 * @param {FileFault} first
 * @param {number} others
 */
function faultsOf(name, { line, says }, others) {
  const where = line ? say("{file}, line {line}", { file: name, line }) : name;
  return others > 0 ? say("{where}: {what} (and {count} more).", { where, what: says, count: others })
    : `${where}: ${says}.`;
}
