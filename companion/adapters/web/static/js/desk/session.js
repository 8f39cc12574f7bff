// Who this page is to the box: the session that the browser has, or one by the PIN in the page's own link.
import { get } from "../wire/api.js";
import { byPin } from "./login.js";

/** @import { Session } from "../../../documents.js" */

/**
 * Give the session. A PIN in the address ("#pin=123456", as the box prints it) opens one, and is taken out of there.
 * Refused where the box cannot be reached or the PIN is wrong.
 * @returns {Promise<Session>}
 */
export async function openSession() {
  const pin = /^#pin=(\d{4,12})$/.exec(location.hash)?.[1];
  if (pin) history.replaceState(null, "", location.pathname);
  const session = await get("/api/session");
  return pin && !session.referee ? byPin(pin) : session;
}
