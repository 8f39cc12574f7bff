"""What the box waits for, in one sentence for the referee: always something, whatever the stage. Pure.

Made of what everybody may see. It names no press and no place: what may not be seen yet cannot be read from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.shown.scene import Idle, Question, Status

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.view import View
    from companion.screens.web.public import PublicMatch, PublicState, PublicTable

NO_COUNTDOWN = "no countdown: you close it"
"""Beside a race that was opened again: its window has passed, and nothing closes it by itself."""


def waits_for(public: PublicState) -> dict[str, Any]:
    """Say what the box waits for, and, of a race that takes presses without a window, that nothing counts down."""
    match = public.match
    is_open = match is not None and _is_reopened(match)
    return {"says": _says(public), "countdown": NO_COUNTDOWN if is_open else ""}


def _says(public: PublicState) -> str:
    body = public.scene.body
    if public.is_offering:
        return "A match was cut off: take it up, or leave it."
    if public.match is None:
        missing = body.missing if isinstance(body, Question) else ()
        return _agreement(missing) if missing else _seating(public.table)
    if isinstance(body, Idle) and body.held:
        return "The knob is held: a button names the card."
    if isinstance(body, Question) and not public.match.progress.is_over:
        return f"The box asks at its knob: {body.title}"
    return _of_match(public.match)


def _agreement(missing: tuple[Colour, ...]) -> str:
    verb = "has" if len(missing) == 1 else "have"
    return f"{_capital(_listed(missing))} {verb} to agree, by a button or by telling you."


def _seating(table: PublicTable) -> str:
    if not table.seats:
        return "Nobody sits yet: seat the players, then begin the match."
    verb = "sits" if len(table.seats) == 1 else "sit"
    return f"{_capital(_listed(table.seats))} {verb}: begin the match, or seat more players."


def _of_match(match: PublicMatch) -> str:
    progress = match.progress
    race = match.race
    if progress.status is Status.SAVING:
        return "What was ruled is being saved."
    if progress.is_over:
        return _end(match)
    if progress.asks_card:
        return _card(match)
    if race is not None and race.is_running:
        return _running(match, race.hidden_for)
    required = tuple(offer for offer in match.offers if offer.required)
    return _choice(match, required) if required else _next(match)


def _end(match: PublicMatch) -> str:
    open_protests = sum(protest["answer"] is None for protest in match.course.protests)
    if open_protests:
        return "The match is over, and a protest waits for its answer."
    if all(seat.colour in match.course.signed for seat in match.game.seats):
        return "The match is over, and all have accepted the result."
    return "The match is over: who accepts the result?"


def _card(match: PublicMatch) -> str:
    if match.race is not None and match.race.card is not None:
        return "Was another card turned? Enter it, or say that there was none."
    return "Which card was turned? Enter it, or say that there was none."


def _running(match: PublicMatch, hidden_for: tuple[Colour, ...]) -> str:
    if match.progress.status is not Status.PROVISIONAL:
        return "The race is closed: late presses are waited out."
    if hidden_for:
        return f"Presses are collected, and hidden until {_listed(hidden_for)} pressed."
    if _is_reopened(match):
        return "The race is open again, until you close it."
    return "Presses are being collected."


def _is_reopened(match: PublicMatch) -> bool:
    progress = match.progress
    is_running = match.race is not None and match.race.is_running and progress.status is Status.PROVISIONAL
    return is_running and progress.closes_at_ns is None and bool(match.can["close"])


def _choice(match: PublicMatch, required: tuple[Offer, ...]) -> str:
    seats = [offer.seat for offer in required if offer.seat is not None]
    if not seats:
        return "You decide."
    who = _listed([_who(match, seat) for seat in seats])
    secretly = " secretly, by their own buttons" if all(offer.is_private for offer in required) else ""
    return f"{_capital(who)} {'chooses' if len(seats) == 1 else 'choose'}{secretly}."


def _next(match: PublicMatch) -> str:
    turn = match.view.turn
    if match.can["reveal"]:
        who = _capital(_who(match, turn)) if turn is not None else "Somebody"
        return f"{who} turns the next card: enter it."
    if match.game.race_name:
        return f"{_capital(_who(match, turn))} is next." if turn is not None else "The first press is waited for."
    says = "The next move is waited for." if turn is None else f"{_capital(_who(match, turn))} has the turn."
    return f"{says} {hinted(match.view)}".strip()


def hinted(view: View) -> str:
    """Give what a game reminds of, in sentences."""
    says = _capital(" ".join(view.hints))
    return says if not says or says.endswith(".") else f"{says}."


def _who(match: PublicMatch, colour: Colour) -> str:
    """Give "Ann (red)", or the colour of a seat that nobody gave a name."""
    name = next((seat.name or seat.title for seat in match.game.seats if seat.colour is colour), None)
    return f"{name} ({colour})" if name else str(colour)


def _listed(words: tuple[str, ...] | list[str] | tuple[Colour, ...] | list[Colour]) -> str:
    texts = [str(word) for word in words]
    return texts[-1] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
