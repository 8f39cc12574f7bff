"""What the box waits for, in one sentence for the referee: always something, whatever the stage. Pure.

Made of what everybody may see. It names no press and no place: what may not be seen yet cannot be read from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.shown.calibrating import Calibrating
from companion.core.shown.scene import Idle, Question, Status
from companion.core.words.texts import capital, joined, listed, text, texts
from companion.screens.web import face_down

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.panel import Colour
    from companion.core.play.snapshot import RaceNow
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.view import View
    from companion.screens.everybody.public import PublicMatch, PublicState, PublicTable

NO_COUNTDOWN = text("no countdown: you close it")
"""Beside a race that was opened again: its window has passed, and nothing closes it by itself."""


def waits_for(public: PublicState) -> dict[str, Any]:
    """Say what the box waits for, and, of a race that takes presses without a window, that nothing counts down."""
    match = public.match
    is_open = match is not None and _is_reopened(match)
    return {"says": _says(public), "countdown": NO_COUNTDOWN if is_open else ""}


def _says(public: PublicState) -> str:
    body = public.scene.body
    if public.is_offering:
        return text("A match was cut off: take it up, or leave it.")
    if public.match is None:
        missing = body.missing if isinstance(body, (Question, Calibrating)) else ()
        if isinstance(body, Calibrating) and not missing:
            return text("An allowance is measured: the trials go on, or somebody pauses.")
        return _agreement(missing) if missing else _seating(public.table)
    if isinstance(body, Idle) and body.held:
        return text("The knob is held: a button names the card.")
    if isinstance(body, Question) and not public.match.progress.is_over:
        return text("The box asks at its knob: {question}").format(question=body.title)
    return _of_match(public.match)


def _agreement(missing: tuple[Colour, ...]) -> str:
    return texts(
        "{who} has to agree, by a button or by telling you.",
        "{who} have to agree, by a button or by telling you.",
        len(missing),
        who=capital(_listed(missing)),
    )


def _seating(table: PublicTable) -> str:
    if not table.seats:
        return text("Nobody sits yet: seat the players, then begin the match.")
    return texts(
        "{who} sits: begin the match, or seat more players.",
        "{who} sit: begin the match, or seat more players.",
        len(table.seats),
        who=capital(_listed(table.seats)),
    )


def _of_match(match: PublicMatch) -> str:
    progress = match.progress
    race = match.race
    if progress.status is Status.SAVING:
        return text("What was ruled is being saved.")
    if progress.is_over:
        return _end(match)
    if progress.is_announcing:
        return text("A card is announced: the race opens at the end of the word.")
    if progress.asks_card:
        return _card(match)
    if race is not None and race.is_running:
        return _running(match, race)
    required = tuple(offer for offer in match.offers if offer.required)
    return _choice(match, required) if required else _next(match)


def _end(match: PublicMatch) -> str:
    open_protests = sum(protest["answer"] is None for protest in match.course.protests)
    if open_protests:
        return text("The match is over, and a protest waits for its answer.")
    if all(seat.colour in match.course.signed for seat in match.game.seats):
        return text("The match is over, and all have accepted the result.")
    return text("The match is over: who accepts the result?")


def _card(match: PublicMatch) -> str:
    if match.race is not None and match.race.card is not None:
        return text("Was another card turned? Enter it, or say that there was none.")
    return text("Which card was turned? Enter it, or say that there was none.")


def _running(match: PublicMatch, race: RaceNow) -> str:
    if match.progress.status is not Status.PROVISIONAL:
        return text("The race is closed: late presses are waited out.")
    if race.hidden_for and race.without is not None:
        return face_down.waits_says(race)
    if race.hidden_for:
        says = text("Presses are collected, and hidden until {who} played.")
        return says.format(who=_listed(race.hidden_for))
    if _is_reopened(match):
        return text("The race is open again, until you close it.")
    return text("Presses are being collected.")


def _is_reopened(match: PublicMatch) -> bool:
    progress = match.progress
    is_running = match.race is not None and match.race.is_running and progress.status is Status.PROVISIONAL
    if match.game.is_untimed and match.race is not None and match.race.hidden_for:
        return False
    return is_running and progress.closes_at_ns is None and bool(match.can["close"])


def _choice(match: PublicMatch, required: tuple[Offer, ...]) -> str:
    seats = [offer.seat for offer in required if offer.seat is not None]
    if not seats:
        return text("You decide.")
    who = capital(listed(_who(match, seat) for seat in seats))
    if all(offer.is_private for offer in required):
        return texts(
            "{who} chooses secretly, by their own buttons.",
            "{who} choose secretly, by their own buttons.",
            len(seats),
            who=who,
        )
    return texts("{who} chooses.", "{who} choose.", len(seats), who=who)


def _next(match: PublicMatch) -> str:
    turn = match.view.turn
    if match.can["reveal"]:
        if turn is None:
            return text("Somebody turns the next card: enter it.")
        return text("{who} turns the next card: enter it.").format(who=capital(_who(match, turn)))
    if match.game.is_untimed:
        return text("Everybody lays a card face down, or plays none.")
    if turn is None:
        if match.game.race_name:
            return text("The first press is waited for.")
        says = text("The next move is waited for.")
    elif match.game.race_name:
        return text("{who} is next.").format(who=capital(_who(match, turn)))
    else:
        says = text("{who} has the turn.").format(who=capital(_who(match, turn)))
    return joined(filter(None, (says, hinted(match.view))), " ")


def hinted(view: View) -> str:
    """Give what a game reminds of, in sentences."""
    says = capital(joined(view.hints, " "))
    return says if not says or says.endswith(".") else joined((says, "."), "")


def _who(match: PublicMatch, colour: Colour) -> str:
    """Give "Ann (red)", or the colour of a seat that nobody gave a name."""
    name = next((seat.name or seat.title for seat in match.game.seats if seat.colour is colour), None)
    return text("{name} ({colour})").format(name=name, colour=colour) if name else colour.says


def _listed(seats: Iterable[Colour]) -> str:
    return listed(colour.says for colour in seats)
