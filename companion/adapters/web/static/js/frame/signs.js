// What each sign is as a tone and as trembling: the tables of companion/core/signals, which a test compares.
// Written by `python -m tests.adapters.web.page_signs`.

/** @import { Colour, Sign, Tone } from "../../../documents.js" */

/**
 * Of each tone its notes: hertz (0: none) and milliseconds.
 * @type {Record<Tone, [number, number][]>}
 */
export const NOTES = {
  "accepted": [[1047, 60], [1568, 110]],
  "ignored": [[330, 260]],
  "punished": [[784, 180], [523, 180], [262, 500]],
  "first": [[784, 80], [1047, 80], [1568, 240]],
  "your choice": [[1319, 70], [0, 70], [1319, 70]],
  "refused": [[247, 60], [0, 70], [247, 60], [0, 70], [247, 60], [0, 70], [247, 60]],
  "little time": [[2093, 60], [1760, 60]],
  "time is up": [[1760, 120], [0, 70], [1760, 120], [0, 70], [1760, 700]],
};

/**
 * Of each seat its own tone.
 * @type {Record<Colour, [number, number][]>}
 */
export const OWN = {
  "red": [[523, 200]],
  "yellow": [[659, 200], [0, 70], [659, 60]],
  "green": [[784, 60], [0, 70], [784, 200]],
  "blue": [[988, 200], [0, 70], [988, 200]],
  "purple": [[1175, 60], [0, 70], [1175, 200], [0, 70], [1175, 60]],
};

/**
 * What is seen and felt of what is heard.
 * @type {Record<Tone, Sign>}
 */
export const SIGNS = {
  "accepted": "accepted",
  "ignored": "ignored",
  "punished": "punished",
  "first": "first",
  "your choice": "yours",
  "refused": "refused",
  "little time": "little time",
  "time is up": "time is up",
};

/**
 * Of each sign how a phone trembles: on, off, on, in milliseconds.
 * @type {Record<Sign, number[]>}
 */
export const FELT = {
  "open": [320, 120, 100],
  "yours": [100, 120, 100],
  "first": [100, 120, 320],
  "punished": [1000],
  "accepted": [100],
  "ignored": [320],
  "refused": [100, 120, 100, 120, 100, 120, 100],
  "little time": [100, 120, 100, 120, 100],
  "time is up": [320, 120, 320, 120, 320],
  "alarm": [320, 120, 320],
};

/** Between what is said and of whom, in milliseconds. */
export const PAUSE_MS = 160;
/** A cue is so many short pulses, each with a rest after it, in milliseconds. */
export const PULSE_MS = [100, 120];
/** A mark at the edge stands at least so long, so that no two come within a third of a second. */
export const SEEN_MS = 1600;
