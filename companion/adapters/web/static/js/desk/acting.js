// Having something done by the box, with what it refuses said where the page wants it.
import { messageOf, post, Refused } from "../wire/api.js";
import { readOut } from "../frame/speaker.js";
import { capital } from "../frame/words.js";

/** @import { Bodies, Commands } from "../../../documents.js" */

/**
 * Give what does a thing and tells whether it was done. problem: where a refusal is said. onEnded: called where the
 * session has ended.
 * @param {HTMLElement} problem
 * @param {() => void} onEnded
 */
export function acting(problem, onEnded) {
  /**
   * @template {keyof Commands} A
   * @param {A} address
   * @param {Bodies[A]} body
   */
  return async (address, body) => {
    problem.hidden = true;
    try {
      readOut(`${capital((await post(address, body)).says)}.`);
      return true;
    } catch (refusal) {
      if (refusal instanceof Refused && refusal.status === 401) onEnded();
      else {
        problem.textContent = capital(messageOf(refusal));
        problem.hidden = false;
        readOut(problem.textContent);
      }
      return false;
    }
  };
}
