// Names, lists and dates as people read them. Times, cards and reasons come from the box in words.
import { language, listed, say } from "./say.js";

/** @import { Colour, Offer, Row, Seat, State } from "../../../documents.js" */

/**
 * How far behind place 1, in the box's words, taken apart to be set in different sizes: "+83.4", "ms"; a word alone
 * has no unit. What is uncertain about it is `error_text`.
 * @param {Pick<Row, "gap_text" | "error_text">} row
 * @returns {{ number: string, unit: string }}
 */
export function gapParts({ gap_text: gap, error_text: error }) {
  const bare = gap.endsWith(error) ? gap.slice(0, -error.length).trim() : gap;
  const [number, unit = ""] = bare.split(" ");
  return { number, unit };
}

/** @param {string | null | undefined} text */
export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

/** @type {Record<Colour, string>} */
const COLOURS = { red: say("red"), yellow: say("yellow"), green: say("green"), blue: say("blue"),
  purple: say("purple") };
const PLACES = [say("first"), say("second"), say("third"), say("fourth")];

/**
 * The name of a colour, for people.
 * @param {Colour} colour
 */
export const colourSays = (colour) => COLOURS[colour];

/**
 * Colours one after the other: "red, blue".
 * @param {Colour[]} colours
 */
export const coloursSay = (colours) => colours.map(colourSays).join(", ");

/**
 * Which of a seat's buttons, from the left, counted from 0: "second"
 * @param {number} index
 */
export const placeSays = (index) => PLACES[index] ?? "";

/**
 * A button of the panel: "red second".
 * @param {string} button
 */
export function buttonSays(button) {
  const [colour, position] = button.split(" ");
  const index = ["first", "second", "third", "fourth"].indexOf(position);
  const named = COLOURS[/** @type {Colour} */ (colour)];
  return named && index >= 0 ? say("{colour} {place}", { colour: named, place: PLACES[index] }) : say("knob push");
}

/**
 * A label as it stands within a list; nouns keep their letters in German.
 * @param {string} text
 */
export const small = (text) => (language === "de" ? text : text.toLowerCase());

/**
 * What a seat is called: by its player's name, else by what the game calls it, else by its colour.
 * @param {Pick<Seat, "colour" | "name" | "title">} seat
 */
export const called = ({ colour, name, title }) => name ?? title ?? capital(colourSays(colour));

/**
 * "Ann (red)" or "Red".
 * @param {Seat[]} seats
 * @param {Colour} colour
 */
export function who(seats, colour) {
  const seat = seats.find((one) => one.colour === colour);
  return seat?.name || seat?.title ? `${called(seat)} (${colourSays(colour)})` : capital(colourSays(colour));
}

/**
 * The decisions that play waits for.
 * @param {State} state
 */
export const required = (state) => state.offers.filter((offer) => offer.required);

/**
 * Who decides, for people: "Ann (red)", or the referee.
 * @param {State} state
 * @param {Pick<Offer, "seat">} offer
 */
export const decider = ({ seats }, { seat }) => (seat ? capital(who(seats, seat)) : say("The referee"));

/**
 * What is to be decided, and by whom: "Ann (red) takes" where the prompt begins with the seat, else "Ann (red): Bid".
 * @param {State} state
 * @param {Pick<Offer, "seat" | "prompt">} offer
 */
export function asked(state, { seat, prompt }) {
  const short = state.seats.find(({ colour }) => colour === seat)?.short;
  const who = decider(state, { seat });
  return short && prompt.startsWith(`${short} `) ? who + prompt.slice(short.length) : `${who}: ${capital(prompt)}`;
}

/**
 * What is said at the end: who has won.
 * @param {State} state
 */
export function victory(state) {
  const names = state.leaders.map((colour) => who(state.seats, colour));
  if (names.length === 0) return say("The match is over.");
  const all = capital(listed(names));
  return names.length === 1 ? say("{who} wins.", { who: all }) : say("{who} share the victory.", { who: all });
}

/** How dates are written: as the reader's own place does where that speaks the page's language. */
const placed = globalThis.navigator?.languages?.find((one) => one.split("-")[0] === language) ?? language;

/**
 * A date and time of the reader's own place; the text itself where it is none.
 * @param {string} text
 */
export function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.valueOf())) return text ?? "";
  return date.toLocaleString(placed, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * What comes next of whoever has the turn: in a game that runs races, or turns cards.
 * @param {State} state
 * @param {string} who
 */
export function doesNext({ can, game }, who) {
  if (can.reveal) return say("{who} reveals the next card", { who });
  return game?.race_name ? say("{who} is next", { who }) : say("{who} has the turn", { who });
}

/**
 * That some choose, each for themselves.
 * @param {string[]} whom
 * @param {{ secretly?: boolean }} how
 */
export function choose(whom, { secretly = false } = {}) {
  const who = listed(whom);
  if (secretly) {
    return whom.length > 1 ? say("{who} choose secretly", { who }) : say("{who} chooses secretly", { who });
  }
  return whom.length > 1 ? say("{who} choose", { who }) : say("{who} chooses", { who });
}
