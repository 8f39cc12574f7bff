"""What a player's own page says in an untimed match while cards lie face down: to that page alone. Pure.

The own card is named to whoever laid it, and to nobody else; everybody may know who has laid one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import POSITIONS
from companion.core.shown.own_presses import PressFate
from companion.core.words.texts import capital, joined, listed, text, texts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.panel import Colour
    from companion.core.play.snapshot import RaceNow
    from companion.core.shown.own_presses import OwnPress

NO_HURRY = text("Nobody sees it before all are shown. There is no hurry.")


class Lies(NamedTuple):
    """The line on top: how it is drawn, and what it says."""

    mood: str
    headline: str
    detail: str


def says(race: RaceNow | None, seat: Colour, press: OwnPress | None, faces: Sequence[str]) -> Lies:
    """Say to a seat how its card lies. press: its newest, None for none. faces: what its buttons are called."""
    waits = _waits(race)
    if race is not None and seat in race.made:
        own = _face(press, faces)
        change = text("Another button changes it.")
        said = text("{card}. Another button changes it.").format(card=capital(own)) if own else change
        return Lies("taken", text("Your card lies face down"), joined(filter(None, (said, waits)), " "))
    if race is not None and seat in (race.without or ()):
        said = text("A button lays one after all.")
        return Lies("wait", text("You play no card"), joined(filter(None, (said, waits)), " "))
    return before(turns=False)


def before(*, turns: bool) -> Lies:
    """Say to a seat that it may lay a card. turns: it may turn the next one instead."""
    if turns:
        return Lies("turn", text("Your turn"), text("You turn the next card, or lay one of yours face down."))
    return Lies("open", text("Lay a card"), NO_HURRY)


def waits_says(race: RaceNow) -> str:
    """Say it for the referee."""
    return joined(filter(None, (text("Cards are laid face down, without a clock."), _waits(race))), " ")


def _waits(race: RaceNow | None) -> str:
    seats = race.hidden_for if race is not None else ()
    if not seats:
        return ""
    who = capital(listed(seats))
    return texts("{colours} has still to lay one.", "{colours} have still to lay one.", len(seats), colours=who)


def _face(press: OwnPress | None, faces: Sequence[str]) -> str:
    if press is None or press.fate is not PressFate.FACE_DOWN:
        return ""
    place = POSITIONS.index(press.button.position)
    return faces[place] if place < len(faces) else ""
