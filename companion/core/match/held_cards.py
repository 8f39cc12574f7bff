"""Cards that a scanner saw turned while a race ran that they cannot be about: they wait until it is judged. Pure.

Nobody turns a card within a race; one that is scanned more than a second after its first press is the next one, turned
early (`record.md`, Illegal lines). Its time stays when it was turned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import CompanionError
from companion.core.match.effects import Log
from companion.core.match.race_phases import Stage
from companion.core.record.lines import Reveal
from companion.core.ruling.offers import Option
from companion.core.ruling.race import RacePhase
from companion.core.timing.events import SECOND

if TYPE_CHECKING:
    from companion.core.match.match import Match


class HeldCard(NamedTuple):
    """A card that was turned at `t_ns`. remark, source: what the record says of it beside.

    is_turned: False where `t_ns` is only when it was entered, as by a camera that is held over a card that lies there.
    """

    card: str
    t_ns: int
    remark: str
    source: str
    is_turned: bool = True


def must_wait(match: Match, t_ns: int) -> bool:
    """Tell whether a card turned at `t_ns` cannot be about the race that runs or is not judged yet."""
    if _must_queue(match):
        return True
    if match.unpicked and match.phase is not RacePhase.WAITING:
        return True
    race = match.race
    presses = race.presses if race is not None and match.stage is not Stage.BETWEEN else ()
    return bool(presses) and t_ns > min(press.t_ns for press in presses) + SECOND


def turn(match: Match, held: HeldCard) -> bool:
    """Enter a card that was seen being turned; False where it has to wait. Raises Illegal where it cannot be there.

    One of which it is not known when it was turned is the card of the race that runs, however late it is told.
    """
    if must_wait(match, held.t_ns) if held.is_turned else _must_queue(match):
        match.held.append(held)
        return False
    _enter(match, held)
    return True


def _must_queue(match: Match) -> bool:
    """Tell whether any card comes behind others, a word or a choice."""
    return bool(match.held) or match.announced is not None or match.must_decide() is not None


def release(match: Match) -> None:
    """Enter the cards that waited, once no race runs and nothing is to be chosen; one that does not fit is told."""
    while match.held and match.stage is Stage.BETWEEN and match.announced is None and match.must_decide() is None:
        held = match.held.pop(0)
        try:
            _enter(match, held)
        except CompanionError as error:
            text = f"{held.card} was turned while a race ran, and could not be entered after it: {error}"
            match.effects.append(Log(text))
            match.remark(text, held.source)


def _enter(match: Match, held: HeldCard) -> None:
    match.reveal(Option(held.card, Reveal(card=held.card, turned=held.is_turned or None)), held.t_ns)
    if match.announced is not None:
        match.announced.remarks.append((held.remark, held.source))
    else:
        match.remark(held.remark, held.source)
