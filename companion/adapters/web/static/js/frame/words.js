// Names, lists and dates as people read them. Times, cards and reasons come from the box in words.

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

/**
 * What a seat is called: by its player's name, else by what the game calls it, else by its colour.
 * @param {Pick<Seat, "colour" | "name" | "title">} seat
 */
export const called = ({ colour, name, title }) => name ?? title ?? capital(colour);

/**
 * "Ann (red)" or "Red".
 * @param {Seat[]} seats
 * @param {Colour} colour
 */
export function who(seats, colour) {
  const seat = seats.find((one) => one.colour === colour);
  return seat?.name || seat?.title ? `${called(seat)} (${colour})` : capital(colour);
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
export const decider = ({ seats }, { seat }) => (seat ? capital(who(seats, seat)) : "The referee");

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
  if (names.length === 0) return "The match is over.";
  return names.length === 1 ? `${capital(names[0])} wins.` : `${capital(listed(names))} share the victory.`;
}

/**
 * "red, yellow and blue"
 * @param {string[]} words
 */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * A date and time of the reader's own place; the text itself where it is none.
 * @param {string} text
 */
export function when(text) {
  const date = new Date(text);
  if (Number.isNaN(date.valueOf())) return text ?? "";
  return date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/**
 * What whoever has the turn does: of a game that runs races, or turns cards, that comes next.
 * @param {State} state
 */
export const doesNext = ({ can, game }) =>
  can.reveal ? "reveals the next card" : game?.race_name ? "is next" : "has the turn";
