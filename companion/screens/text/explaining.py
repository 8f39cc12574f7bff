"""Why a race was ruled as it was, seat by seat, for those who learn: what a practice match says beside each ruling.

Pure: rows and turns in, sentences out. It concludes nothing by itself; each sentence says again what the ruling says
already, with its reason. Knows no game by name: which heading of its rules a verdict goes by is the game's own word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.screens.text.wording import duration, error, whole_ms

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.shown.scene import Row, Turn


class Explained(NamedTuple):
    """What is told of one seat. clause: the heading of the game's rules that its verdict goes by; empty for none."""

    colour: Colour
    sentences: tuple[str, ...]
    clause: str


def explained(
    rows: Sequence[Row], turns: Sequence[Turn], heat_goes: str, clauses: Mapping[str, str]
) -> tuple[Explained, ...]:
    """Explain a judged race, in its order.

    heat_goes: what decides a dead heat, as the policy's label has it ("to the earlier time"). clauses: the game's.
    """
    by_colour = {turn.colour: turn for turn in turns}
    said = (
        (row, (*_order(rows, index, heat_goes), *_verdict(row, by_colour.get(row.colour))))
        for index, row in enumerate(rows)
    )
    return tuple(Explained(row.colour, sentences, _clause(row, clauses)) for row, sentences in said)


def _clause(row: Row, clauses: Mapping[str, str]) -> str:
    key = row.why if row.verdict == "punish" else row.verdict
    return clauses.get(key or "", "")


def _order(rows: Sequence[Row], index: int, heat_goes: str) -> Iterator[str]:
    """Say why a seat has its place."""
    row, first = rows[index], rows[0]
    if row.dead_heat:
        names = _and([str(row.colour), *map(str, row.tied_with)])
        yield f"Too close to call: the times of {names} differ by less than their ± together."
        yield f"A dead heat goes {heat_goes} in this match; that gives {row.colour} place {row.place}."
    elif len(rows) == 1:
        yield "Nobody else pressed."
    elif row is first:
        yield _first(rows)
    elif row.gap_ns < 0:
        yield f"Pressed {duration(-row.gap_ns)} before {first.colour}, who is placed first by an allowance."
    else:
        yield f"Pressed {duration(row.gap_ns)} after {first.colour}, {error(row.error_ns)}{_sure(row)}."
    if row.allowance is not None:
        off, raw = whole_ms(row.allowance.off_ns), duration(row.allowance.raw_ns)
        yield f"An allowance takes {off} ms off; without it it would be {raw} behind the earliest."


def _first(rows: Sequence[Row]) -> str:
    """Say why the first is first. Gaps are behind the first, by raw times: a negative one is of who pressed earlier."""
    earliest = min(rows, key=lambda row: row.gap_ns)
    if earliest.gap_ns < 0:
        return f"First by an allowance: {earliest.colour} pressed {duration(-earliest.gap_ns)} earlier."
    return f"Nobody pressed earlier: {rows[1].colour} came {duration(rows[1].gap_ns)} later."


def _sure(row: Row) -> str:
    return ", so the order is certain" if row.gap_ns > row.error_ns else ""


def _verdict(row: Row, turn: Turn | None) -> Iterator[str]:
    """Say why a play was good or punished, and what came of it."""
    if row.anticipated:
        yield "It was made so soon after the card that nobody can have seen it."
    if row.verdict == "punish":
        yield f"Punished: {row.why_says or 'the play was not allowed'}."
    elif row.verdict == "claim":
        yield "The play is good: what it needs was on the table when the race was judged."
    if turn is None:
        return
    if turn.result == "nothing":
        yield "When its turn came, those before had taken all of it. That is not punished."
    elif turn.result == "punished":
        number = len(turn.cards)
        yield f"It gives up {number} card{'' if number == 1 else 's'}." if number else "It has no card to give up."
    elif turn.cards:
        yield f"It takes {len(turn.cards)} card{'' if len(turn.cards) == 1 else 's'}."


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
