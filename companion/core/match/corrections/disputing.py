"""Protests of a match, the referee's answers to them, and the seats that sign its result. Pure.

None of it decides anything: what an answer changes is done by taking back or replacing lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Illegal
from companion.core.record.lines import Answer, Protest, Sign
from companion.core.shown.protests import protesting
from companion.core.shown.race_rows import newest_race
from companion.core.words import texts

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.ruling.history import History, Told


def newest_judged(match: Match) -> int | None:
    """Give the number of the newest race that is judged and stands, None before the first."""
    judged = newest_race(match.history, match.game)
    return None if judged is None else judged.order.race


def protest(match: Match, colour: Colour, race: int | None = None, text: str | None = None) -> str:
    """Let a seat dispute a race (None: the newest that is judged), and say so.

    Raises Illegal for a race that is not judged, a colour without a seat, and a seat whose last protest has no answer.
    """
    newest = newest_judged(match)
    if race is not None and race > (newest or 0):
        raise Illegal(texts.text("race {race} has not been judged").format(race=race))
    match.write(Protest(colour=colour, race=race or newest, text=text))
    if not race and not newest:
        return texts.text("{colour} protests").format(colour=colour)
    says = texts.text("{colour} protests against {race_name} {race}")
    return says.format(colour=colour, race_name=match.game.race_name, race=race or newest)


def answer(match: Match, number: int, text: str, by: str, *, stands: bool) -> str:
    """Answer the protest of line `number`, and say so. Raises Illegal where there is none, or it has its answer."""
    match.write(Answer(protest=number, text=text, stands=stands, by=by))
    asked = match.history[number - 1].line
    if isinstance(asked, Protest):
        says = (
            texts.text("{colour}'s protest: the ruling stands, says {by}")
            if stands
            else texts.text("{colour}'s protest: the ruling does not stand, says {by}")
        )
        return says.format(colour=asked.colour, by=by)
    says = (
        texts.text("the protest: the ruling stands, says {by}")
        if stands
        else texts.text("the protest: the ruling does not stand, says {by}")
    )
    return says.format(by=by)


def sign(match: Match, colour: Colour) -> str:
    """Let a seat accept the result, and say so.

    Raises Illegal before the end, for a second time, and while any protest has no answer.
    """
    match.write(Sign(colour=colour))
    return texts.text("{colour} accepts the result").format(colour=colour)


def may_protest(match: Match) -> tuple[Colour, ...]:
    """Give the seats that may protest now: those that have no protest without an answer; none before a race."""
    waiting = protesting(match.history)
    if newest_judged(match) is None:
        return ()
    return tuple(seat.colour for seat in match.setup.seats if seat.colour not in waiting)


def may_sign(match: Match) -> tuple[Colour, ...]:
    """Give the seats that may accept the result now and have not."""
    if not match.is_over or match.history.unanswered():
        return ()
    signed = match.history.signed()
    return tuple(seat.colour for seat in match.setup.seats if seat.colour not in signed)


def oldest_protest(history: History) -> Told | None:
    """Give the protest that has waited longest for its answer, None where none waits."""
    return next(iter(history.unanswered()), None)
