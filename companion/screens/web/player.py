"""What a player's own page says: one line for whoever sits there, and what each of the four buttons does now. Pure.

Made of what everybody may see (`public`), of the seat's own newest press, its own private choices and what it has drawn
unseen; nothing else of a session is looked at. So where the table's order is not to be seen yet, this page has none
either. Knows no wire and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.panel import POSITIONS, Button, Colour, button_of
from companion.core.play.choosing import picked_at_once, role_name
from companion.core.play.match_scenes import WHO_PROTESTS
from companion.core.ruling.offers import REVEAL
from companion.core.shown.own_presses import PressFate
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, LookOn, Question, Results, Standing, Status
from companion.screens.text.wording import TOO_SOON, allowance, error, gap, grouped, lead
from companion.screens.web.waiting import hinted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.ruling.looks import Look
    from companion.core.ruling.offers import Offer
    from companion.core.shown.own_presses import OwnPress, Phone
    from companion.core.shown.scene import Menu, MenuItem, Row, Turn
    from companion.screens.web.public import PublicMatch, PublicState

Document = dict[str, Any]

NOTHING = "nothing now"
"""What a button does that does nothing."""
TAKEN = "taken"

PRESS_SAYS = {
    PressFate.COUNTS: "Taken",
    PressFate.WAITS: "Taken",
    PressFate.ANSWERS: "Chosen",
    PressFate.LATE: "Too late",
    PressFate.PLAYED: "Already played",
    PressFate.NOT_YOURS: "Not yours",
    PressFate.NO_CARD: "No card",
    PressFate.NOTHING: "Nothing to do now",
    PressFate.TAKEN_BACK: "Taken back",
}
"""What became of a press, in two words."""
PRESS_WHY = {
    PressFate.LATE: "The race takes no more presses: this one does not count.",
    PressFate.PLAYED: "Only your first press counts in a race.",
    PressFate.NOT_YOURS: "Another player chooses now: this press does not count.",
    PressFate.NO_CARD: "No card lay there to press for: it does not count.",
    PressFate.NOTHING: "That button does nothing now.",
    PressFate.TAKEN_BACK: "The referee took your press back.",
}
"""Why a press does not count, in a sentence."""
_IS_TAKEN = (PressFate.COUNTS, PressFate.WAITS)
_SECOND = (PressFate.PLAYED, PressFate.LATE)
_YOU = {
    "takes": "You take",
    "gives up": "You give up",
    "has no card to give up": "You have no card to give up",
    "gets nothing: others were faster": "You get nothing: others were faster",
}
"""What became of a player, said to that phone."""


class Said(NamedTuple):
    """The line on top. mood: how it is drawn, one of the words in `README.md` of the pages."""

    mood: str
    headline: str
    detail: str = ""


class Picks(NamedTuple):
    """What the buttons of a seat do. by_place: a text by the button's place; else: of all others, NOTHING for nothing.

    is_play: each is what the game calls it.
    """

    by_place: Mapping[int, str] = {}
    otherwise: str = NOTHING
    is_play: bool = False


_PLAY, _IDLE = Picks(is_play=True), Picks()


class _Now(NamedTuple):
    """What is said to a seat, and what its buttons do."""

    said: Said
    picks: Picks = _IDLE
    options: tuple[Document, ...] = ()
    is_end: bool = False


def player_document(
    public: PublicState | None, phone: Phone, secrets: Sequence[Document] = (), in_hand: Sequence[Document] = ()
) -> Document:
    """Give all that a player's page says. public: None before the first state.

    secrets: the seat's private choices. in_hand: what it has drawn unseen.
    """
    seat = phone.seat
    if public is None or seat is None:
        return {**_document(None, _Now(_guest(phone))), "colours": _colours(public, phone) if public else []}
    now = _now(public, seat, phone, secrets)
    press = phone.press
    return {
        **_document(seat, now),
        "pile": _pile(public.match, seat),
        "buttons": _buttons(public, seat, now.picks, press),
        "enters": _enters(public.match, seat),
        "in_hand": list(in_hand),
        "press": None if press is None else {"number": press.number, "fate": press.fate.value},
    }


def _document(seat: Colour | None, now: _Now) -> Document:
    mood, headline, detail = now.said
    return {
        "seat": seat, "mood": mood, "headline": headline, "detail": detail, "pile": None, "buttons": [],
        "options": list(now.options), "enters": False, "in_hand": [], "press": None, "colours": [],
    }  # fmt: skip


# -- without a seat ----------------------------------------------------------------------------------------------------


def _guest(phone: Phone) -> Said:
    if phone.asks is None:
        return Said("guest", "Which colour do you play?", phone.note or "Tap it: the referee then lets this phone in.")
    said = f"Phone {phone.code} asks for {phone.asks}"
    if phone.asks in phone.others:
        return Said("guest", said, phone.note or f"Another phone plays {phone.asks}: the referee may give it to you.")
    return Said("guest", said, phone.note or "Tell the referee this code: one tap lets you play.")


def _colours(public: PublicState, phone: Phone) -> list[Document]:
    """Give the seats that can be asked for: those of the match, before one all."""
    match = public.match
    names = public.table.names if match is None else {seat.colour: seat.name or "" for seat in match.game.seats}
    colours = [seat.colour for seat in match.game.seats] if match is not None else []
    everybody = colours or list(Colour)
    return [
        {"colour": colour, "name": names.get(colour) or None,
         "says": "another phone plays it" if colour in phone.others else ""}
        for colour in everybody
    ]  # fmt: skip


# -- with a seat -------------------------------------------------------------------------------------------------------


def _now(public: PublicState, seat: Colour, phone: Phone, secrets: Sequence[Document]) -> _Now:
    match, body = public.match, public.scene.body
    if public.is_offering:
        return _Now(Said("turn", "Go on?", "A match was cut off: any of your buttons goes on with it."),
                    Picks(otherwise="go on"))  # fmt: skip
    if match is None:
        return _seating(public, seat, body)
    if all(one.colour is not seat for one in match.game.seats):
        return _Now(Said("wait", "You look on", f"This match is played without {seat}: wait for the next."))
    now = _choice(public, seat, body, secrets) or _of_match(public, match, seat, body)
    now = _with_at_once(public, match, seat, now)
    return _after_press(now, phone, has_place=_has_place(match, seat))


def _seating(public: PublicState, seat: Colour, body: object) -> _Now:
    if isinstance(body, Question):
        if seat in body.missing:
            about = ", ".join(body.lines[1:])
            return _Now(Said("choose", "Do you agree?", f"{about}. Any of your buttons agrees."),
                        Picks(otherwise="agree"))  # fmt: skip
        return _Now(Said("wait", "You agreed" if body.missing else "Wait", f"Waiting for {_list(body.missing)}."))
    if not isinstance(body, (Lobby, LookOn)) or seat in public.table.seats:
        others = len(public.table.seats) - 1
        sit = "Nobody else sits yet" if others == 0 else f"{others} more {'sits' if others == 1 else 'sit'}"
        return _Now(Said("wait", "You have a seat", f"{sit}. The referee begins the match."))
    return _Now(Said("turn", "Sit down", "Press any of your buttons."), Picks(otherwise="sit down"))


def _choice(public: PublicState, seat: Colour, body: object, secrets: Sequence[Document]) -> _Now | None:
    """Give what is asked of a seat now, None where nothing is."""
    if secrets:
        items = [item for secret in secrets for item in secret["items"]]
        said = Said("choose", "Choose in secret", f"{_list([one['prompt'] for one in secrets])}: only you see this.")
        places = {index: item for index in range(len(POSITIONS)) for item in items
                  if item["button"] == Button(seat, POSITIONS[index]).label}  # fmt: skip
        says = [f"{item['label']} {item['value']}".strip() for item in items]
        on_buttons = Picks({index: says[items.index(item)] for index, item in places.items()})
        return _Now(said, on_buttons, () if len(places) == len(items) else _listed(says))
    if isinstance(body, Question) and body.title == WHO_PROTESTS:
        return _Now(
            Said("choose", "Do you protest?", "Any of your buttons is your protest."), Picks(otherwise="protest")
        )
    if isinstance(body, Standing) and body.menu is not None and body.status is Status.CLOSED:
        return _which_card(public, seat)
    if not isinstance(body, Choosing) or body.is_private:
        return None
    return _own_choice(public, seat, body.menu) if body.seat is seat else _while_others(public, seat, body)


def _while_others(public: PublicState, seat: Colour, body: Choosing) -> _Now:
    """Give what is said to a seat while the display asks another one."""
    who = "The referee" if body.seat is None else _called(public, body.seat)
    own = _own_too(public, seat)
    if own is None:
        return _Now(_with_result(public, seat, Said("wait", "Wait", f"{who} chooses now.")))
    about = f"{own.prompt.removesuffix('?')}. {who} chooses too."
    return _Now(Said("choose", "Choose now", _capital(about)), Picks(otherwise=own.prompt), _to_tap(own))


def _own_too(public: PublicState, seat: Colour) -> Offer | None:
    """Give what a seat must choose while the display asks another; a press of its own brings it there."""
    offers: Sequence[Offer] = public.match.offers if public.match is not None else ()
    own = (one for one in offers if one.seat is seat and one.required and not one.is_private and not one.at_once)
    return next((one for one in own if one.kind != REVEAL), None)


def _own_choice(public: PublicState, seat: Colour, menu: Menu) -> _Now:
    prompt = _of_seat(menu.title, seat)
    end = "" if prompt.endswith(("?", "!")) else "." if prompt == menu.title else ": which?"
    about = prompt + end
    places = {}
    for item in menu.items:
        place = _place_of(item, seat, public.scene.roles)
        if place is not None:
            places[place] = item.says
    options = () if len(places) == len(menu.items) else _listed([item.says for item in menu.items])
    return _Now(Said("choose", "Choose now", _capital(about)), Picks(places), options)


def _with_at_once(public: PublicState, match: PublicMatch, seat: Colour, now: _Now) -> _Now:
    """Put what a seat's buttons pick at once onto those that are named for nothing else."""
    body, race = public.scene.body, match.race
    own = [offer for offer in match.offers if offer.at_once and offer.seat is seat and not offer.is_private]
    is_asked = isinstance(body, Question) and body.title == WHO_PROTESTS
    if not own or is_asked or isinstance(body, Standing) or (race is not None and race.is_running):
        return now
    named = [pick for offer in own for pick in picked_at_once(offer, public.scene.roles)]
    by_place = {place: label for label, places in reversed(named) for place in places}
    picks = now.picks._replace(by_place={**by_place, **now.picks.by_place}, is_play=False)
    options = now.options and (*now.options, *(one for offer in own for one in _to_tap(offer)))
    asks = next((offer.prompt for offer in own if offer.required), None)
    said = now.said if asks is None or now.said.mood == "choose" else Said("choose", "Choose now", _capital(asks))
    if said.mood == "open" and not match.game.race_name and not match.view.clocks:
        prompt = _of_seat(own[0].prompt, seat)
        own_part = "" if prompt.endswith("?") else f"{_capital(prompt)}. "
        said = said._replace(headline="Ready?", detail=f"{own_part}{said.detail}".strip())
    return _Now(said, picks, tuple({(one["key"], one["item"]): one for one in options}.values()))


def _of_seat(prompt: str, seat: Colour) -> str:
    """Give a prompt with the seat's colour written out, as there is room for it here."""
    return f"{seat}{prompt.removeprefix(seat.short)}" if prompt.startswith(f"{seat.short} ") else prompt


def _place_of(item: MenuItem, seat: Colour, roles: Sequence[str]) -> int | None:
    """Give which of a seat's four buttons picks an item, None where none of them does."""
    names = [role_name(roles, index) for index in range(len(POSITIONS))]
    if item.role is not None:
        return names.index(item.role) if item.role in names else None
    own = [f"{seat} {name}" for name in names]
    return own.index(item.button) if item.button in own else None


def _listed(says: Sequence[str]) -> tuple[Document, ...]:
    """Give what a seat may pick now, each to be tapped: where its four buttons cannot name all of it."""
    return tuple({"kind": "", "key": "", "item": number, "label": label} for number, label in enumerate(says))


def _to_tap(offer: Offer) -> tuple[Document, ...]:
    """Give the options of an offer, each to be tapped, whatever is on the display."""
    return tuple({"kind": offer.kind, "key": one.key, "item": None, "label": one.label} for one in offer.options)


def _enters(match: PublicMatch | None, seat: Colour) -> bool:
    """Tell whether a seat may say which card it has turned up: where one turns, that one."""
    if match is None or match.progress.is_over or match.view.turn not in (None, seat):
        return False
    return any(offer.kind == REVEAL and offer.options for offer in match.offers)


def _which_card(public: PublicState, seat: Colour) -> _Now:
    """Ask which card was turned: a button names its own, as on the box."""
    offers: Sequence[Offer] = public.match.offers if public.match is not None else ()
    cards = [
        option for offer in offers if offer.kind == REVEAL for option in offer.options if option.button is not None
    ]
    places = {
        POSITIONS.index(option.button.position): f"it was {option.label}"
        for option in cards
        if option.button is not None and option.button.colour is seat
    }
    mine = _row_of(public, seat)
    enters = "Enter it below." if _enters(public.match, seat) else "It is entered now."
    said = Said(
        "choose" if _enters(public.match, seat) else "wait",
        _place(mine) if mine else "Closed",
        f"Which card was it? {enters}",
    )
    return _Now(said, Picks(places))


def _of_match(public: PublicState, match: PublicMatch, seat: Colour, body: object) -> _Now:
    if isinstance(body, Final):
        return _ended(public, match, seat, body)._replace(is_end=True)
    if isinstance(body, Standing) and body.status is Status.PROVISIONAL:
        return _running(public, match, seat)
    idle = _between(public, match, seat)
    if isinstance(body, (Standing, Results)):
        is_open = isinstance(body, Results)
        return _Now(_with_result(public, seat, idle.said), idle.picks if is_open else _IDLE)
    return idle if isinstance(body, (Idle, Question)) else _Now(idle.said)


def _running(public: PublicState, match: PublicMatch, seat: Colour) -> _Now:
    race, row = match.race, _row_of(public, seat)
    if row is not None:
        return _Now(Said("taken", "Taken", f"{_capital(_place(row))} so far."))
    if race is not None and seat in race.made:
        return _Now(Said("taken", "Taken", f"The order is shown once {_list(race.hidden_for)} pressed."))
    return _Now(Said("open", "Press now", f"{match.game.race_name} {race.number} is on." if race else ""), _PLAY)


def _between(public: PublicState, match: PublicMatch, seat: Colour) -> _Now:
    """Give what is said while nothing is asked and no race runs."""
    turn = match.view.turn
    reveals = any(offer.kind == REVEAL and offer.options for offer in match.offers)
    picks = _PLAY
    if match.game.race_name == "":
        own = next((offer for offer in match.offers if offer.seat is seat and not offer.at_once), None)
        picks = _IDLE if own is None else Picks(otherwise=own.prompt)
    if match.view.clocks and match.game.race_name == "":
        return _Now(_of_clocks(match, seat), picks)
    phase = "" if match.game.race_name or reveals else match.view.phase
    if turn is seat:
        says = "You turn the next card." if reveals else f"{_capital(phase)}. {hinted(match.view)}" if phase else ""
        return _Now(Said("turn", "Your turn", says.strip()), picks)
    if turn is not None:
        does = "turns the next card" if reveals else f"has the turn: {phase}" if phase else "is next"
        return _Now(Said("wait", "Get ready", f"{_called(public, turn)} {does}."), picks)
    begins = (
        f"The first press begins {match.game.race_name.lower()} {_next_race(match)}."
        if match.game.race_name
        else hinted(match.view)
    )
    is_done = any(offer.at_once for offer in match.offers)  # others have still to say that they are ready
    return _Now(Said("open", "Ready" if is_done else _capital(phase) or "Ready", begins), picks)


def _of_clocks(match: PublicMatch, seat: Colour) -> Said:
    """Say whose clock runs."""
    runs = [clock.seat for clock in match.view.clocks if clock.is_running and clock.seat is not None]
    if seat in runs:
        return Said("turn", "Your turn", "Your clock runs.")
    if not runs:
        return Said("wait", _capital(match.view.phase) or "Wait", f"The clocks stand. {hinted(match.view)}".strip())
    return Said(
        "wait", "Wait", f"The {'clock' if len(runs) == 1 else 'clocks'} of {_list(runs)} run{'s' * (len(runs) == 1)}."
    )


def _next_race(match: PublicMatch) -> int:
    return 1 if match.race is None else match.race.number + (not match.race.is_running)


def _ended(public: PublicState, match: PublicMatch, seat: Colour, body: Final) -> _Now:
    said = _who_won(public, match, seat)
    if seat in match.course.signed:
        return _Now(_adding(said, "You accepted the result."))
    if body.disputed:
        return _Now(_adding(said, "The referee answers a protest; then you may accept the result."))
    if seat in match.can.get("sign", ()):
        return _Now(_adding(said, "Accept the result, or protest."), Picks(otherwise="accept the result"))
    return _Now(said)


def _who_won(public: PublicState, match: PublicMatch, seat: Colour) -> Said:
    leaders = match.progress.leaders
    is_shared = len(leaders) > 1
    if seat in leaders:
        return Said("good", "You share the victory" if is_shared else "You win")
    names = _list([_called(public, one) for one in leaders])
    won = f"{names} {'share the victory' if is_shared else 'wins'}." if names else ""
    return Said("over", "The match is over", won)


def _adding(said: Said, detail: str) -> Said:
    return said._replace(detail=f"{said.detail} {detail}".strip())


# -- the newest race ---------------------------------------------------------------------------------------------------


def _with_result(public: PublicState, seat: Colour, idle: Said) -> Said:
    """Say what became of a seat in the race that is shown; `idle` where there is nothing."""
    match = public.match
    race = match.race if match is not None else None
    if match is None or race is None or race.is_running:
        return idle
    row = next((one for one in race.rows if one.colour is seat), None)
    status = match.progress.status
    if status is Status.CLOSED:
        return Said("wait", _place(row) if row else "Closed", "No more presses are taken.")
    if row is None:
        return idle._replace(detail=" ".join(filter(None, ("You did not press.", idle.detail))))
    if status is Status.SAVING:
        return Said("wait", _place(row), "It is being saved.")
    turn = next((one for one in race.turns if one.colour is seat), None)
    mood, detail = _verdict(row, turn, public.scene.look)
    unsaved = " NOT RECORDED." if status is Status.NOT_RECORDED else ""
    moved = f" {_capital(allowance(row.allowance))}." if row.allowance is not None else ""
    after = f" {idle.detail}" if idle.headline == "Your turn" else ""
    return Said(mood, _place(row), f"{detail}{moved}{unsaved}{after}".strip())


def _verdict(row: Row, turn: Turn | None, look: Look) -> tuple[str, str]:
    """Give the mood and a sentence on what was ruled of a place."""
    if row.verdict == "punish":
        why = f"Punished: {row.why_says or 'the play was not allowed'}."
        return "bad", f"{why} {_became(turn, look)}".strip() if turn is not None else why
    if turn is not None:
        return ("wait" if turn.result == "nothing" else "good"), _became(turn, look)
    if row.anticipated:
        return "bad", f"{_capital(TOO_SOON)}: made before anybody can have seen the card."
    return ("good", "You may claim.") if row.verdict == "claim" else ("good" if row.place == 1 else "wait", "")


def _became(turn: Turn, look: Look) -> str:
    does = lead(turn)
    cards = ", ".join(look.counted(count, card) for count, card in grouped(turn.cards))
    said = _YOU.get(does, _capital(does))
    listed = f"{said} {cards}" if cards and turn.result != "nothing" else said
    return f"{listed}; {turn.note}." if turn.note else f"{listed}."


def _row_of(public: PublicState, seat: Colour) -> Row | None:
    """Give the seat's place in the race that runs, or was run last."""
    race = public.match.race if public.match is not None else None
    return next((row for row in race.rows if row.colour is seat), None) if race is not None else None


def _has_place(match: PublicMatch, seat: Colour) -> bool:
    race = match.race
    return (
        race is not None
        and match.progress.status is not Status.PROVISIONAL
        and any(row.colour is seat for row in race.rows)
    )


def _place(row: Row) -> str:
    """Say a place: "1st", "2nd, +83.0 ms ±40 µs", "1st, dead heat ±40 µs"."""
    ordinal = {1: "1st", 2: "2nd", 3: "3rd"}.get(row.place, f"{row.place}th")
    if row.place == 1 and row.gap_ns == 0:
        return f"{ordinal}, dead heat {error(row.error_ns)}" if row.dead_heat else ordinal
    behind = gap(row) if row.dead_heat else f"{gap(row)} {error(row.error_ns)}"
    return f"{ordinal}, {behind}" + (", dead heat" if row.dead_heat else "")


# -- the own press -----------------------------------------------------------------------------------------------------


def _after_press(now: _Now, phone: Phone, *, has_place: bool) -> _Now:
    """Say what became of the own press, where that is newer than what there is to say else.

    has_place: the seat has its place in a race that takes no more presses; a second press changes nothing of that.
    """
    press = phone.press
    if press is None or not press.is_new or press.fate is PressFate.ANSWERS or _is_of_the_end(now, press):
        return now
    is_asked = now.said.mood == "choose" and press.fate is not PressFate.NOTHING
    if is_asked or (has_place and not phone.is_ahead and press.fate in _SECOND):
        return now
    if press.fate not in _IS_TAKEN:
        return now._replace(said=Said("late", PRESS_SAYS[press.fate], PRESS_WHY[press.fate]))
    if phone.is_ahead:
        shown = "The order is shown when no more presses are taken."
        return _Now(Said("taken", PRESS_SAYS[press.fate], shown))
    if press.fate is PressFate.WAITS and now.said.mood == "taken":
        return now._replace(said=now.said._replace(detail=f"{now.said.detail} It waits for its card."))
    return now


def _is_of_the_end(now: _Now, press: OwnPress) -> bool:
    """Tell whether a press did nothing any more: how the match has ended is what is to be seen from then on."""
    return now.is_end and press.fate is PressFate.NOTHING


def _buttons(public: PublicState, seat: Colour, picks: Picks, press: OwnPress | None) -> list[Document]:
    """Give a seat's buttons with what each does now."""
    roles, faces = public.scene.roles, public.scene.look.buttons
    row = _row_of(public, seat)
    is_running = public.match is not None and public.match.race is not None and public.match.race.is_running
    counted = button_of(seat, row.role, roles) if row is not None and is_running else None
    if press is not None and press.is_new and press.fate in _IS_TAKEN and not picks.is_play and not picks.by_place:
        counted = press.button
    out = []
    for index in range(max(len(roles), len(faces), 1, *(place + 1 for place in picks.by_place))):
        button = Button(seat, POSITIONS[index])
        label = faces[index].label if index < len(faces) else str(role_name(roles, index))
        says = label if picks.is_play else picks.by_place.get(index, picks.otherwise)
        is_counted = button == counted and says == NOTHING
        is_itself = index < len(faces) and (index not in picks.by_place or _is_said_by(label, says))
        out.append(
            {
                "button": button.label,
                "label": label,
                "symbol": (faces[index].symbol or None) if is_itself or is_counted else None,
                "says": TAKEN if is_counted else says,
                "does": says != NOTHING,
            }
        )
    return out


def _is_said_by(face: str, says: str) -> bool:
    """Tell whether what a button does now is what it is drawn as: later fields of a choice are something else."""
    return face.lower() in says.lower() or says.lower() in face.lower()


def _pile(match: PublicMatch | None, seat: Colour) -> str | None:
    """Say what a seat has: "4 cards"; None where it has nothing that counts."""
    if match is None:
        return None
    score = dict(match.view.scores).get(seat)
    return None if score is None else f"{score} {match.view.score_label}".strip()


def _called(public: PublicState, seat: Colour) -> str:
    """Give what people call a seat: its player's name, else its title, else its colour."""
    seats = public.match.game.seats if public.match is not None else ()
    found = next((one for one in seats if one.colour is seat), None)
    return (found and (found.name or found.title)) or _capital(seat)


def _list(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
