"""What a player's own page says: one line for whoever sits there, and what each of the four buttons does now. Pure.

Made of what everybody may see (`public`), of the seat's own newest press, its own private choices and what it has drawn
unseen; nothing else of a session is looked at. So where the table's order is not to be seen yet, this page has none
either. Knows no wire and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.hands.choosing import picked_at_once, role_name
from companion.core.panel import POSITIONS, Button, Colour, button_of, place_says
from companion.core.play.match_scenes import WHO_PROTESTS
from companion.core.ruling.offers import REVEAL
from companion.core.shown.calibrating import Calibrating
from companion.core.shown.own_presses import PressFate
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, LookOn, Question, Results, Standing, Status
from companion.core.signals.lasting import signs_of
from companion.core.signals.signs import Sign
from companion.core.words.texts import (
    Text,
    capital,
    joined,
    listed,
    number,
    small,
    text,
    texts,
    with_value,
    without_stop,
)
from companion.screens.text.wording import allowance, error, gap, grouped
from companion.screens.web import face_down
from companion.screens.web.waiting import hinted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.ruling.looks import Look
    from companion.core.ruling.offers import Offer
    from companion.core.shown.own_presses import OwnPress, Phone
    from companion.core.shown.scene import Menu, MenuItem, Row, Turn
    from companion.screens.everybody.public import PublicMatch, PublicState

Document = dict[str, Any]

NOTHING = text("nothing now")
"""What a button does that does nothing."""
TAKEN = text("taken")

TAP = text("Tap it: the referee then lets this phone in.")
WAIT, CHOOSE, CLOSED, YOUR_TURN = text("Wait"), text("Choose now"), text("Closed"), text("Your turn")

PRESS_SAYS = {
    PressFate.COUNTS: text("Taken"),
    PressFate.WAITS: text("Taken"),
    PressFate.ANSWERS: text("Chosen"),
    PressFate.LATE: text("Too late"),
    PressFate.PLAYED: text("Already played"),
    PressFate.NOT_YOURS: text("Not yours"),
    PressFate.NO_CARD: text("No card"),
    PressFate.NOTHING: text("Nothing to do now"),
    PressFate.TAKEN_BACK: text("Taken back"),
    PressFate.FACE_DOWN: text("Laid face down"),
    PressFate.EARLY: text("Too early"),
}
"""What became of a press, in two words."""
PRESS_WHY = {
    PressFate.LATE: text("The race takes no more presses: this one does not count."),
    PressFate.PLAYED: text("Only your first press counts in a race."),
    PressFate.NOT_YOURS: text("Another player chooses now: this press does not count."),
    PressFate.NO_CARD: text("No card lay there to press for: it does not count."),
    PressFate.NOTHING: text("That button does nothing now."),
    PressFate.EARLY: text("The card was still being said: press after the word."),
    PressFate.TAKEN_BACK: text("The referee took your press back."),
}
"""Why a press does not count, in a sentence."""
_IS_TAKEN = (PressFate.COUNTS, PressFate.WAITS, PressFate.FACE_DOWN)
_SECOND = (PressFate.PLAYED, PressFate.LATE)


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
        "sign": _sign(public, seat, now.said.mood),
        "pile": _pile(public.match, seat),
        "buttons": _buttons(public, seat, now.picks, press),
        "enters": _enters(public.match, seat),
        "in_hand": list(in_hand),
        "press": None if press is None else {"number": press.number, "fate": press.fate.value},
    }


def _document(seat: Colour | None, now: _Now) -> Document:
    mood, headline, detail = now.said
    return {
        "seat": seat, "mood": mood, "sign": None, "headline": headline, "detail": detail, "pile": None, "buttons": [],
        "options": list(now.options), "enters": False, "in_hand": [], "press": None, "colours": [],
    }  # fmt: skip


_SIGN_OF_MOOD = {"choose": Sign.YOURS, "open": Sign.OPEN, "bad": Sign.PUNISHED, "taken": Sign.ACCEPTED}


def _sign(public: PublicState, seat: Colour, mood: str) -> Sign | None:
    """Give what the line says, to be felt: what a seat's lamp and motor would say of it. None for nothing of that."""
    if mood in _SIGN_OF_MOOD:
        return _SIGN_OF_MOOD[mood]
    is_first = mood == "good" and signs_of(public.scene, ()).get(seat) is Sign.FIRST
    return Sign.FIRST if is_first else None


# -- without a seat ----------------------------------------------------------------------------------------------------


def _guest(phone: Phone) -> Said:
    if phone.asks is None:
        return Said("guest", text("Which colour do you play?"), phone.note or TAP)
    said = text("Phone {code} asks for {colour}").format(code=phone.code, colour=phone.asks)
    other = text("Another phone plays {colour}: the referee may give it to you.").format(colour=phone.asks)
    if phone.asks in phone.others:
        return Said("guest", said, phone.note or other)
    return Said("guest", said, phone.note or text("Tell the referee this code: one tap lets you play."))


def _colours(public: PublicState, phone: Phone) -> list[Document]:
    """Give the seats that can be asked for: those of the match, before one all."""
    match = public.match
    names = public.table.names if match is None else {seat.colour: seat.name or "" for seat in match.game.seats}
    colours = [seat.colour for seat in match.game.seats] if match is not None else []
    everybody = colours or list(Colour)
    return [
        {"colour": colour, "name": names.get(colour) or None,
         "says": text("another phone plays it") if colour in phone.others else ""}
        for colour in everybody
    ]  # fmt: skip


# -- with a seat -------------------------------------------------------------------------------------------------------


def _now(public: PublicState, seat: Colour, phone: Phone, secrets: Sequence[Document]) -> _Now:
    match, body = public.match, public.scene.body
    if public.is_offering:
        return _Now(Said("turn", text("Go on?"), text("A match was cut off: any of your buttons goes on with it.")),
                    Picks(otherwise=text("go on")))  # fmt: skip
    if match is None:
        return _seating(public, seat, body)
    if all(one.colour is not seat for one in match.game.seats):
        says = text("This match is played without {colour}: wait for the next.").format(colour=seat)
        return _Now(Said("wait", text("You look on"), says))
    now = _choice(public, seat, body, secrets) or _of_match(public, match, seat, body, phone.press)
    now = _with_at_once(public, match, seat, now)
    return _after_press(now, phone, has_place=_has_place(match, seat))


def _seating(public: PublicState, seat: Colour, body: object) -> _Now:
    if isinstance(body, Question):
        if seat in body.missing:
            about = text("{what}. Any of your buttons agrees.").format(what=joined(body.lines[1:]))
            return _Now(Said("choose", text("Do you agree?"), about), Picks(otherwise=text("agree")))
        waits = text("Waiting for {seats}.").format(seats=listed(colour.says for colour in body.missing))
        return _Now(Said("wait", text("You agreed") if body.missing else WAIT, waits))
    if isinstance(body, Calibrating):
        return _calibrating(body, seat)
    if not isinstance(body, (Lobby, LookOn)) or seat in public.table.seats:
        others = len(public.table.seats) - 1
        alone = text("Nobody else sits yet. The referee begins the match.")
        more = texts(
            "{count} more sits. The referee begins the match.",
            "{count} more sit. The referee begins the match.",
            others,
        )
        return _Now(Said("wait", text("You have a seat"), more if others else alone))
    return _Now(Said("turn", text("Sit down"), text("Press any of your buttons.")), Picks(otherwise=text("sit down")))


def _calibrating(body: Calibrating, seat: Colour) -> _Now:
    """Give what a seat does while an allowance is measured; what is asked for is on no page of one seat."""
    if all(one.colour is not seat for one in body.seats):
        detail = text("An allowance is measured, without {seat}.").format(seat=seat)
        return _Now(Said("wait", text("You look on"), detail))
    if body.proposal is None:
        detail = text("Press the card that it shows, as fast as you can.")
        return _Now(Said("open", text("Look at the display"), detail), _PLAY)
    if seat not in body.missing:
        return _Now(Said("wait", text("You agreed"), text("The others are asked.")))
    low, high = number(f"{body.proposal.low_ms:,}"), number(f"{body.proposal.high_ms:,}")
    about = text("{player} gets {ms} ms ({low} to {high} ms by the trials).").format(
        player=body.player, ms=number(f"{body.proposal.ms:,}"), low=low, high=high
    )
    return _Now(Said("choose", text("Do you agree?"), about), Picks({3: text("do not agree")}, text("agree")))


def _choice(public: PublicState, seat: Colour, body: object, secrets: Sequence[Document]) -> _Now | None:
    """Give what is asked of a seat now, None where nothing is."""
    if secrets:
        items = [item for secret in secrets for item in secret["items"]]
        prompts = listed(one["prompt"] for one in secrets)
        said = Said("choose", text("Choose in secret"), text("{what}: only you see this.").format(what=prompts))
        places = {index: item for index in range(len(POSITIONS)) for item in items
                  if item["button"] == Button(seat, POSITIONS[index]).label}  # fmt: skip
        says = [joined(filter(None, (item["label"], item["value"])), " ") for item in items]
        on_buttons = Picks({index: says[items.index(item)] for index, item in places.items()})
        return _Now(said, on_buttons, () if len(places) == len(items) else _listed(says))
    if isinstance(body, Question) and body.title == WHO_PROTESTS:
        return _Now(
            Said("choose", text("Do you protest?"), text("Any of your buttons is your protest.")),
            Picks(otherwise=text("protest")),
        )
    if isinstance(body, Standing) and body.menu is not None and body.status is Status.CLOSED:
        return _which_card(public, seat)
    if not isinstance(body, Choosing) or body.is_private:
        return None
    return _own_choice(public, seat, body.menu) if body.seat is seat else _while_others(public, seat, body)


def _while_others(public: PublicState, seat: Colour, body: Choosing) -> _Now:
    """Give what is said to a seat while the display asks another one."""
    who = text("The referee") if body.seat is None else _called(public, body.seat)
    own = _own_too(public, seat)
    if own is None:
        return _Now(_with_result(public, seat, Said("wait", WAIT, text("{who} chooses now.").format(who=who))))
    about = text("{what}. {who} chooses too.").format(what=capital(without_stop(own.prompt, "?")), who=who)
    return _Now(Said("choose", CHOOSE, about), Picks(otherwise=own.prompt), _to_tap(own))


def _own_too(public: PublicState, seat: Colour) -> Offer | None:
    """Give what a seat must choose while the display asks another; a press of its own brings it there."""
    offers: Sequence[Offer] = public.match.offers if public.match is not None else ()
    own = (one for one in offers if one.seat is seat and one.required and not one.is_private and not one.at_once)
    return next((one for one in own if one.kind != REVEAL), None)


def _own_choice(public: PublicState, seat: Colour, menu: Menu) -> _Now:
    prompt = _of_seat(menu.title, seat)
    about: str = capital(prompt)
    if not prompt.endswith(("?", "!")):
        says = text("{what}.") if prompt == menu.title else text("{what}: which?")
        about = says.format(what=about)
    places = {}
    for item in menu.items:
        place = _place_of(item, seat, public.scene.roles)
        if place is not None:
            places[place] = item.says
    options = () if len(places) == len(menu.items) else _listed([item.says for item in menu.items])
    return _Now(Said("choose", CHOOSE, about), Picks(places), options)


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
    said = now.said if asks is None or now.said.mood == "choose" else Said("choose", CHOOSE, capital(asks))
    if said.mood == "open" and not match.game.race_name and not match.view.clocks:
        prompt = _of_seat(own[0].prompt, seat)
        own_part = "" if prompt.endswith("?") else joined((capital(prompt), "."), "")
        said = said._replace(headline=text("Ready?"), detail=_sentences(own_part, said.detail))
    return _Now(said, picks, tuple({(one["key"], one["item"]): one for one in options}.values()))


def _of_seat(prompt: str, seat: Colour) -> str:
    """Give a prompt with the seat's colour written out, as there is room for it here."""
    return with_value(prompt, seat.short, seat.says) if prompt.startswith(f"{seat.short} ") else prompt


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
        POSITIONS.index(option.button.position): text("it was {card}").format(card=option.label)
        for option in cards
        if option.button is not None and option.button.colour is seat
    }
    mine = _row_of(public, seat)
    enters = text("Which card was it? Enter it below.")
    detail = enters if _enters(public.match, seat) else text("Which card was it? It is entered now.")
    said = Said(
        "choose" if _enters(public.match, seat) else "wait",
        _place(mine) if mine else CLOSED,
        detail,
    )
    return _Now(said, Picks(places))


def _of_match(
    public: PublicState, match: PublicMatch, seat: Colour, body: object, press: OwnPress | None
) -> _Now:  # fmt: skip
    if isinstance(body, Final):
        return _ended(public, match, seat, body)._replace(is_end=True)
    if isinstance(body, Standing) and body.status is Status.PROVISIONAL:
        return _running(public, match, seat, press)
    idle = _between(public, match, seat)
    if isinstance(body, (Standing, Results)):
        is_open = isinstance(body, Results)
        return _Now(_with_result(public, seat, idle.said), idle.picks if is_open else _IDLE)
    return idle if isinstance(body, (Idle, Question)) else _Now(idle.said)


def _running(public: PublicState, match: PublicMatch, seat: Colour, press: OwnPress | None) -> _Now:
    race, row = match.race, _row_of(public, seat)
    if match.game.is_untimed:
        faces = [face.label for face in public.scene.look.buttons] or public.scene.roles
        return _Now(Said(*face_down.says(race, seat, press, faces)), _PLAY)
    if row is not None:
        return _Now(Said("taken", text("Taken"), text("{place} so far.").format(place=_place(row))))
    if race is not None and seat in race.made:
        seats = listed(colour.says for colour in race.hidden_for)
        says = text("The order is shown once {seats} pressed.").format(seats=seats)
        return _Now(Said("taken", text("Taken"), says))
    is_on = text("{race_name} {race} is on.")
    says = is_on.format(race_name=match.game.race_name, race=race.number) if race else Text("")
    return _Now(Said("open", text("Press now"), says), _PLAY)


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
    if match.game.is_untimed and match.can["none"]:
        return _Now(Said(*face_down.before(turns=turn is seat and reveals)), picks)
    if turn is seat:
        says = _sentences(joined((capital(phase), "."), ""), hinted(match.view)) if phase else ""
        return _Now(Said("turn", YOUR_TURN, text("You turn the next card.") if reveals else says), picks)
    if turn is not None:
        if reveals:
            does = text("{who} turns the next card.")
        else:
            does = text("{who} has the turn: {phase}.") if phase else text("{who} is next.")
        says = does.format(who=_called(public, turn), phase=phase)
        return _Now(Said("wait", text("Get ready"), says), picks)
    begins = hinted(match.view)
    if match.game.race_name:
        says = text("The first press begins {race_name} {race}.")
        begins = says.format(race_name=small(match.game.race_name), race=_next_race(match))
    is_done = any(offer.at_once for offer in match.offers)  # others have still to say that they are ready
    ready = text("Ready")
    return _Now(Said("open", ready if is_done or not phase else capital(phase), begins), picks)


def _of_clocks(match: PublicMatch, seat: Colour) -> Said:
    """Say whose clock runs."""
    runs = [clock.seat for clock in match.view.clocks if clock.is_running and clock.seat is not None]
    if seat in runs:
        return Said("turn", YOUR_TURN, text("Your clock runs."))
    if not runs:
        phase = match.view.phase
        stand = _sentences(text("The clocks stand."), hinted(match.view))
        return Said("wait", capital(phase) if phase else WAIT, stand)
    seats = listed(colour.says for colour in runs)
    says = texts("The clock of {seats} runs.", "The clocks of {seats} run.", len(runs), seats=seats)
    return Said("wait", WAIT, says)


def _next_race(match: PublicMatch) -> int:
    return 1 if match.race is None else match.race.number + (not match.race.is_running)


def _ended(public: PublicState, match: PublicMatch, seat: Colour, body: Final) -> _Now:
    said = _who_won(public, match, seat)
    if seat in match.course.signed:
        return _Now(_adding(said, text("You accepted the result.")))
    if body.disputed:
        return _Now(_adding(said, text("The referee answers a protest; then you may accept the result.")))
    if seat in match.can.get("sign", ()):
        return _Now(_adding(said, text("Accept the result, or protest.")), Picks(otherwise=text("accept the result")))
    return _Now(said)


def _who_won(public: PublicState, match: PublicMatch, seat: Colour) -> Said:
    leaders = match.progress.leaders
    is_shared = len(leaders) > 1
    if seat in leaders:
        return Said("good", text("You share the victory") if is_shared else text("You win"))
    who = listed(_called(public, one) for one in leaders)
    won = texts("{who} wins.", "{who} share the victory.", len(leaders), who=who) if leaders else ""
    return Said("over", text("The match is over"), won)


def _adding(said: Said, detail: str) -> Said:
    return said._replace(detail=_sentences(said.detail, detail))


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
        return Said("wait", _place(row) if row else CLOSED, text("No more presses are taken."))
    if row is None:
        return idle._replace(detail=_sentences(text("You did not press."), idle.detail))
    if status is Status.SAVING:
        return Said("wait", _place(row), text("It is being saved."))
    turn = next((one for one in race.turns if one.colour is seat), None)
    mood, detail = _verdict(row, turn, public.scene.look)
    unsaved = text("NOT RECORDED.") if status is Status.NOT_RECORDED else ""
    moved = joined((capital(allowance(row.allowance)), "."), "") if row.allowance is not None else ""
    after = idle.detail if idle.headline == YOUR_TURN else ""
    return Said(mood, _place(row), _sentences(detail, moved, unsaved, after))


def _verdict(row: Row, turn: Turn | None, look: Look) -> tuple[str, str]:
    """Give the mood and a sentence on what was ruled of a place."""
    if row.verdict == "punish":
        why = text("Punished: {why}.").format(why=row.why_says or text("the play was not allowed"))
        return "bad", _sentences(why, _became(turn, look)) if turn is not None else why
    if turn is not None:
        return ("wait" if turn.result == "nothing" else "good"), _became(turn, look)
    if row.anticipated:
        return "bad", text("Too soon: made before anybody can have seen the card.")
    return ("good", text("You may claim.")) if row.verdict == "claim" else ("good" if row.place == 1 else "wait", "")


def _became(turn: Turn, look: Look) -> str:
    cards = joined(look.counted(count, card) for count, card in grouped(turn.cards))
    if turn.result == "nothing":
        says = text("You get nothing: others were faster")
    elif turn.result == "punished":
        says = text("You give up {cards}") if cards else text("You have no card to give up")
    else:
        says = text("You take {cards}") if cards else Text("{result}")
    told = says.format(cards=cards, result=capital(turn.result))
    return joined((joined((told, turn.note), "; ") if turn.note else told, "."), "")


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
    place = _ORDINALS.get(row.place) or text("{place}th").format(place=row.place)
    if row.place == 1 and row.gap_ns == 0:
        heat = text("{place}, dead heat {error}").format(place=place, error=error(row.error_ns))
        return heat if row.dead_heat else place
    behind = gap(row) if row.dead_heat else joined((gap(row), error(row.error_ns)), " ")
    return joined((place, behind, *([text("dead heat")] if row.dead_heat else [])))


_ORDINALS = {1: text("1st"), 2: text("2nd"), 3: text("3rd")}


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
        shown = text("The order is shown when no more presses are taken.")
        return _Now(Said("taken", PRESS_SAYS[press.fate], shown))
    if press.fate is PressFate.WAITS and now.said.mood == "taken":
        return now._replace(said=_adding(now.said, text("It waits for its card.")))
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
        label = faces[index].label if index < len(faces) else place_says(str(role_name(roles, index)))
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
    return None if score is None else joined(filter(None, (str(score), match.view.score_label)), " ")


def _called(public: PublicState, seat: Colour) -> str:
    """Give what people call a seat: its player's name, else its title, else its colour."""
    seats = public.match.game.seats if public.match is not None else ()
    found = next((one for one in seats if one.colour is seat), None)
    return (found and (found.name or found.title)) or capital(seat.says)


def _sentences(*parts: str) -> str:
    """Give sentences one after the other; empty ones are left out."""
    return joined(filter(None, parts), " ")
