// How much of a record a change touches, in words.
import { say, sayMany } from "../frame/say.js";

/** @import { Preview } from "../../../documents.js" */

/** @param {Preview} preview */
export function changesSay({ changed, misfits }) {
  if (changed + misfits === 0) return say("No later ruling changes.");
  const rulings = sayMany("{count} later ruling changes.", "{count} later rulings change.", changed);
  const lines = sayMany("{count} line does not fit any more.", "{count} lines do not fit any more.", misfits);
  return `${rulings} ${lines}`;
}
