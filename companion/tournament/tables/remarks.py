"""What is to be marked at a table's result: what decided it beside the presses, and how well times are known. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.record.condition_changes import CONDITIONS, UNCHANGED, newest_remark
from companion.core.record.lines import ByHand, HandLine, Moved, Undo
from companion.core.record.practice import is_practice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.record.lines import Conditions, Setup
    from companion.core.ruling.history import History

PRACTICE_MATCH = "practice match"


def remarks_of(setup: Setup, history: History) -> tuple[str, ...]:
    """Give what is to be marked, in few words each; () for nothing. history: what counts of the record."""
    return (*_of_setup(setup), *_of_lines(history))


def is_practice_match(history: History) -> bool:
    """Tell whether a record is of a match that was played to learn."""
    return is_practice(told.line for told in history)


def _of_setup(setup: Setup) -> Iterator[str]:
    allowed = [f"{seat.colour} {seat.allowance_ms} ms" for seat in setup.seats if seat.allowance_ms]
    if allowed:
        yield f"allowance: {', '.join(allowed)}"
    if setup.event is not None and setup.first is not setup.seats[0].colour:
        yield "begun by another seat than drawn"
    if setup.timing != "race":
        yield "untimed"
    elif setup.conditions is None:
        yield "nothing is said of how times were taken"
    else:
        yield from _of_conditions(setup.conditions)


def _of_conditions(conditions: Conditions) -> Iterator[str]:
    longer = [f"{colour} {seat.extension_ms} ms" for colour, seat in conditions.seats.items() if seat.extension_ms]
    if longer:
        yield f"longer window: {', '.join(longer)}"
    uncertified = [source.name for source in conditions.sources if source.certificate is None]
    if uncertified:
        yield f"times without a certificate: {', '.join(uncertified)}"


def _of_lines(history: History) -> Iterator[str]:
    if is_practice_match(history):
        yield PRACTICE_MATCH
    by_hand = sum(isinstance(told.line, (ByHand, HandLine)) for told in history.standing_backwards())
    if by_hand:
        yield f"set by hand: {by_hand}"
    undone = sum(isinstance(told.line, Undo) for told in history)
    if undone:
        yield f"taken back: {undone}"
    moved = sum(isinstance(told.line, Moved) for told in history)
    if moved:
        yield f"moved to another box: {moved}"
    if (newest_remark(told.line for told in reversed(history)) or UNCHANGED) != UNCHANGED:
        yield f"other {CONDITIONS} than when it began"
