"""What a press may take, and whether it is right (`docs/games/claim.md`, Choices of a press, `judge`). Changes nothing.

This is the one legality check: verdicts, settling, menus, replay and dry runs rest on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.games.claim.moving import do, pickable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.claim.language.description import Hand, Move, Take
    from companion.games.claim.language.sight import Card, Cards, Sight
    from companion.games.claim.lines import Moved


class Choice(NamedTuple):
    """One thing a presser may take: the card picked, the rival, both by number; how the cards lie then, what went."""

    take: Take
    picked: Card | None
    rival: int | None
    cards: Cards
    moved: tuple[Moved, ...]


class _Course(NamedTuple):
    """How far the moves of a choice have been done."""

    picked: Card | None
    cards: Cards
    moved: tuple[Moved, ...] = ()


def choices(sight: Sight, hand: Hand) -> Iterator[Choice]:
    """Give all that is open to the presser whom the sight is of, in order."""
    for take in hand.takes:
        if take.when is not None and not take.when(sight):
            continue
        for rival in _rivals(sight, take):
            for course in _courses(sight, take.moves, rival, _Course(None, sight.cards)):
                yield Choice(take, course.picked, rival, course.cards, course.moved)


def why_wrong(sight: Sight, hand: Hand) -> str | None:
    """Tell why a press of this hand is wrong; None where it is right."""
    for need in hand.needs:
        if not need.holds(sight):
            return need.why
    return None if any(True for _ in choices(sight, hand)) else hand.why


def _rivals(sight: Sight, take: Take) -> tuple[int | None, ...]:
    if take.rival is None:
        return (None,)
    found = []
    for seat in sight.others():
        sight.it = seat
        if take.rival(sight):
            found.append(seat)
    return tuple(found)


def _courses(sight: Sight, moves: tuple[Move, ...], rival: int | None, course: _Course) -> Iterator[_Course]:
    """Do moves one after the other, with each card that can be picked; give the courses that come to their end."""
    if not moves:
        yield course
        return
    move, rest = moves[0], moves[1:]
    now = sight if course.cards is sight.cards else sight.at(course.cards)
    for picked in pickable(now, move, rival) if move.picks else (course.picked,):
        done = do(now, move, rival, picked)
        if done.total >= move.least:
            yield from _courses(now, rest, rival, _Course(picked, done.cards, course.moved + done.moved))
