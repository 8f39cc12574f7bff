"""A press that was taken for too late, or for a second one, and was for a card entered after it. Pure.

It moves, at its own time, to right after the newest card, and everything from there on is judged again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import to_builtins

from companion.core.errors import Illegal
from companion.core.match.race_phases import Happening, Stage, follow
from companion.core.record.lines import JudgeLine, PressLine, Reveal
from companion.core.ruling.replacing import Edit, Fate
from companion.core.ruling.rulings import IGNORED, Ignored
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.replacing import Preview

REASON = "it was for the new card"


def before_new_card(history: History) -> list[Told]:
    """Give the ignored presses, oldest first, of which one may have been for the newest card.

    Those made before it, back to the last card of the race before.
    """
    found: list[Told] = []
    has_card = has_race = False
    for told in history.standing_backwards():
        if isinstance(told.line, Reveal) and has_race:
            break
        has_race = has_race or (has_card and isinstance(told.line, JudgeLine))
        has_card = has_card or isinstance(told.line, Reveal)
        if has_card and isinstance(told.line, PressLine) and not told.counts:
            found.append(told)
    return found[::-1]


def edits_for_new_card(history: History, number: int) -> tuple[Edit, ...]:
    """Give the changes that move press `number` to right after the newest card. Raises Illegal where it cannot move."""
    stands = history.standing()
    told = next((told for told in stands if told.number == number), None)
    if told is None or not isinstance(told.line, PressLine):
        raise Illegal(text("line {number} is no press that stands").format(number=number))
    if told.counts:
        raise Illegal(text("the press of line {number} counts already").format(number=number))
    card = max((one.number for one in stands if isinstance(one.line, Reveal)), default=0)
    if card < number:
        raise Illegal(
            text("no card has been entered since the press of line {number}: enter the card first").format(
                number=number
            )
        )
    following = next((one.number for one in stands if one.number > card), len(history) + 1)
    return Edit(number, ()), Edit(following, (to_builtins(told.line),), before=True)


def verify_counts(outcome: Preview) -> None:
    """Raise Illegal where the press that was moved would not count in its new place either."""
    moved = next(retold for retold in outcome.retold if retold.fate is Fate.NEW)
    for ruling in moved.after:
        if isinstance(ruling, Ignored):
            says = text("that press would not count for the newest card either: {why}")
            raise Illegal(says.format(why=IGNORED.get(ruling.reason, ruling.reason)))


def for_new_card(match: Match, number: int, by: str) -> Preview:
    """Let the ignored press of line `number` count for the newest card. by: who says so.

    A race that begins with it closes by its window, as if it had been so all along. Raises Illegal; nothing has changed
    then.
    """
    was_between = match.stage is Stage.BETWEEN
    outcome = match.replace(edits_for_new_card(match.history, number), REASON, by, verify_counts)
    if was_between and match.stage is Stage.REOPENED:
        match.stage = follow(Stage.BETWEEN, Happening.COUNTS)
    return outcome
