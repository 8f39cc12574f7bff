// A person's own page: how they play, what their hand needs, and what goes with them to another box. Opened by what
// their card says, or by the referee, who sees everybody's.
import { bar } from "./frame/bar.js";
import { ask } from "./frame/ask.js";
import { append, byId, h, part } from "./frame/dom.js";
import { say } from "./frame/say.js";
import { readOut as speak } from "./frame/speaker.js";
import { capital } from "./frame/words.js";
import { byPin, ENDED, loginForm } from "./desk/login.js";
import { along } from "./profile/along.js";
import { cardForm, forgetCard, keepCard, keptCard } from "./profile/card.js";
import { list } from "./profile/list.js";
import { wishesForm } from "./profile/wishes_form.js";
import { get, messageOf, post, Refused } from "./wire/api.js";

/** @import { Along, HandTrial, Profile, Touched, Wishes } from "../../documents.js" */
/** @import { Child } from "./frame/dom.js" */

/**
 * Who asks, and for whom: what each of the ways does is the same to look at.
 * @typedef {{
 *   change: (wishes: Wishes) => Promise<Profile>, along: () => Promise<Along>, remove: () => Promise<unknown>,
 *   tried: (touches: Touched[], rounds: { place: number, from_ms: number }[], bounce: number | undefined) =>
 *     Promise<HandTrial>,
 * }} Way
 */

const BY_PIN = {
  open: say("Show all profiles"),
  help: say("The referee sees everybody’s profile. Enter the PIN that the box’s display shows."),
};

bar();
addEventListener("hashchange", () => begin());
begin();

async function begin(said = "", isBad = false) {
  const [, kind = "", which = ""] = /^#(card|person|pin|mine)=?(.*)$/.exec(location.hash) ?? [];
  try {
    if (kind === "pin" || kind === "card") history.replaceState(null, "", location.pathname);
    if (kind === "pin") await byPin(which);
    if (kind === "card") keepCard(decodeURIComponent(which));
    const isReferee = (await get("/api/session")).referee;
    if (kind === "person" && isReferee) await ofPerson(decodeURIComponent(which));
    else if (keptCard() && (kind === "card" || kind === "mine" || !isReferee)) await own(keptCard());
    else if (isReferee) await all();
    else ways();
    if (said) tell(said, isBad);
  } catch (problem) {
    failed(problem);
  }
}

/** @param {unknown} problem */
function failed(problem) {
  if (problem instanceof Refused && problem.status === 401) return ways(ENDED);
  if (problem instanceof Refused && problem.status === 404 && keptCard()) forgetCard();
  ways();
  return tell(`${capital(messageOf(problem))}.`, true);
}

/** @param {...Child} parts */
function put(...parts) {
  byId("profile").replaceChildren();
  append(byId("profile"), parts);
}

/**
 * Say above everything what was done, or why not.
 * @param {string} text
 */
function tell(text, isBad = false) {
  byId("profile").querySelector("#said")?.remove();
  byId("profile").prepend(h("p", { id: "said", class: isBad ? "problem" : "plate said", role: "status" }, text));
  speak(text);
}

/** Nobody is known yet: the ways in. */
function ways(said = "") {
  document.title = "Profile · companion";
  put(h("h1", { tabindex: -1 }, say("Profile")),
    h("p", { class: "sentence" }, say("A profile keeps how a person plays, and goes with them.")),
    h("p", { class: "sentence" },
      say("Filters for a hand that trembles, one switch, a voice, an allowance that was measured: all of it.")),
    h("div", { class: "profile-ways" },
      cardForm((card) => {
        keepCard(card);
        location.hash = "#mine";
        begin();
      }),
      loginForm(said, () => begin(), BY_PIN)));
}

async function all() {
  document.title = "Profiles · companion";
  const [told, names] = await Promise.all([get("/api/profiles"), get("/api/people/names")]);
  put(h("h1", { tabindex: -1 }, say("Profiles")), list(told, names, {
    begin: async (name) => {
      await act(async () => {
        await post("/api/profiles/begin", { name });
        location.hash = `#person=${encodeURIComponent(name)}`;
      });
    },
    takeIn: (text) => takeIn(text),
  }));
}

/** @param {string} text */
async function takeIn(text, instead = false) {
  try {
    const { name } = await post("/api/profiles/import", instead ? { text, instead } : { text });
    await begin(say("The profile of {name} is kept.", { name }));
  } catch (problem) {
    if (!(problem instanceof Refused && problem.status === 409 && !instead)) return failed(problem);
    const answer = await ask({ title: say("Take its place?"), about: [`${capital(messageOf(problem))}.`,
      say("What the profile here says is lost then.")], yes: say("Take its place"), isBad: true });
    if (answer) await takeIn(text, true);
  }
  return undefined;
}

/**
 * Do something; what the box refuses is said, and the page stays.
 * @param {() => Promise<void>} what
 */
async function act(what) {
  try {
    await what();
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 401) ways(ENDED);
    else tell(`${capital(messageOf(problem))}.`, true);
  }
}

/** @param {string} card */
async function own(card) {
  const found = await post("/api/profile", { card });
  person(found, {
    change: (wishes) => post("/api/profile/change", { card, wishes }),
    along: () => post("/api/profile/along", { card }),
    remove: async () => {
      await post("/api/profile/remove", { card });
      forgetCard();
    },
    tried: (touches, rounds, bounce) =>
      post("/api/profile/trial", { card, touches, rounds, ...(bounce === undefined ? {} : { bounce_ms: bounce }) }),
  }, h("p", { class: "actions" }, h("button", { type: "button", class: "button", id: "forget", onclick: () => {
    forgetCard();
    location.hash = "";
    ways();
  } }, say("This device is not mine"))));
}

/** @param {string} name */
async function ofPerson(name) {
  const { profiles } = await get("/api/profiles");
  const found = profiles.find((one) => one.name === name) ?? await post("/api/profiles/begin", { name });
  person(found, {
    change: (wishes) => post("/api/profiles/change", { name: found.name, wishes }),
    along: () => post("/api/profiles/along", { name: found.name }),
    remove: () => post("/api/profiles/remove", { name: found.name }),
    tried: (touches, rounds, bounce) =>
      post("/api/profile/trial", { touches, rounds, ...(bounce === undefined ? {} : { bounce_ms: bounce }) }),
  }, h("p", { class: "actions" }, h("button", { type: "button", class: "button", id: "new-card", onclick: () =>
    act(async () => {
      await post("/api/profiles/card", { name: found.name });
      await begin(say("{name} has a new card: show it below. An older one opens nothing any more.",
        { name: found.name }));
    }) }, found.has_card ? say("Give out a new card")
    : say("Give out a card"))), true);
}

/**
 * @param {Profile} profile
 * @param {Way} way
 * @param {Child} more
 */
function person(profile, way, more, isReferee = false) {
  document.title = `${profile.name} · companion`;
  put(
    isReferee && h("p", { class: "back" }, h("a", { href: "#" }, say("← All profiles"))),
    h("h1", { tabindex: -1, translate: "no" }, profile.name),
    agreed(profile),
    wishesForm(profile.wishes, (wishes) => act(async () => {
      person(await way.change(wishes), way, more, isReferee);
      tell(say("It is kept. It holds from the next match on."));
    }), way.tried),
    along(way.along),
    h("section", { class: "plate stack", "aria-labelledby": "more-title" },
      h("h2", { id: "more-title" }, isReferee ? say("Card, and the end of it") : say("This device, and the end of it")),
      more,
      h("p", { class: "actions" }, h("button", { type: "button", class: "button is-bad", id: "remove", onclick: () =>
        remove(profile.name, way) }, say("Delete the profile")))));
  part(byId("profile"), "h1").focus();
}

/** @param {Profile} profile */
function agreed({ concessions, allowance_ms: allowance, measured }) {
  if (concessions.length === 0) return null;
  return h("section", { class: "plate", "aria-labelledby": "agreed-title" },
    h("h2", { id: "agreed-title" }, say("What every seat agrees to before a match")),
    h("ul", { class: "agreed" }, concessions.map((text) => h("li", null, `${capital(text)}.`))),
    allowance > 0 && h("p", { class: "sentence" }, measured
      ? say("The allowance was measured on {date}.", { date: measured.slice(0, 10) })
      : say("The allowance was not measured.")));
}

/**
 * @param {string} name
 * @param {Way} way
 */
async function remove(name, way) {
  const answer = await ask({ title: say("Delete the profile of {name}?", { name }), yes: say("Delete"), isBad: true,
    about: [say("All that it says and all that was measured goes, and the card opens nothing any more."),
      say("The name stays on the list of players, and in records."),
      say("Take it along first, if it is wanted elsewhere.")] });
  if (!answer) return;
  await act(async () => {
    await way.remove();
    history.replaceState(null, "", location.pathname);
    await begin(say("The profile of {name} is deleted.", { name }));
  });
}
