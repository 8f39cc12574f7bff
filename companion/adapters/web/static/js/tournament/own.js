// Whose phone this is: the player that somebody has said to be, kept on this device alone, for this event.

const OWN = "companion player";

/** The number of the player that this device is of, null where nobody has said. */
export function ownPlayer(/** @type {string | undefined} */ event) {
  const [of, number] = (localStorage.getItem(OWN) ?? "").split(" ");
  return event !== undefined && of === event && Number(number) > 0 ? Number(number) : null;
}

/**
 * @param {string} event
 * @param {number | null} player  null: nobody any more
 */
export function rememberPlayer(event, player) {
  if (player === null) localStorage.removeItem(OWN);
  else localStorage.setItem(OWN, `${event} ${player}`);
}
