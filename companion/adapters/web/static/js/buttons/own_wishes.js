// How whoever plays by a profile of their own wants this phone: its language, how it tells, how large. It holds while
// they sit there; what was chosen on the phone itself goes before it.
import { language } from "../frame/say.js";
import { wishSimple } from "../frame/simple.js";
import { wishSound } from "../frame/sound.js";
import { wishVoice } from "../frame/voice.js";
import { wishTremble } from "./touch_back.js";

/** @import { WishesMessage } from "../../../documents.js" */

const CAME = "companion language of the profile";

/** @param {WishesMessage} wishes */
export function heed(wishes) {
  const isOne = wishes.seat !== null;
  wishTremble(isOne ? wishes.trembles : null);
  wishSound(isOne ? wishes.sounds : null);
  wishSimple(isOne ? wishes.simple || null : null);
  wishVoice(wishes.rate, wishes.volume);
  document.documentElement.classList.toggle("is-large", wishes.large);
  speak(wishes.language);
}

/**
 * Load the page anew in another language; once, so that whoever chooses another one afterwards keeps it.
 * @param {string} code
 */
function speak(code) {
  if (code === "" || code === sessionStorage.getItem(CAME)) return;
  sessionStorage.setItem(CAME, code);
  if (code === language) return;
  const address = new URL(location.href);
  address.searchParams.set("language", code);
  location.replace(address);
}
