"""Why a race was ruled as it was, seat by seat, for those who learn: what a practice match says beside each ruling.

Pure: rows and turns in, sentences out. It concludes nothing by itself; each sentence says again what the ruling says
already, with its reason. Knows no game by name: which heading of its rules a verdict goes by is the game's own word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import listed, text, texts
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
        names = listed(colour.says for colour in (row.colour, *row.tied_with))
        yield text("Too close to call: the times of {names} differ by less than their ± together.").format(names=names)
        heat = text("A dead heat goes {how} in this match; that gives {colour} place {place}.")
        yield heat.format(how=heat_goes, colour=row.colour, place=row.place)
    elif len(rows) == 1:
        yield text("Nobody else pressed.")
    elif row is first:
        yield _first(rows)
    elif row.gap_ns < 0:
        says = text("Pressed {time} before {first}, who is placed first by an allowance.")
        yield says.format(time=duration(-row.gap_ns), first=first.colour)
    else:
        is_sure = row.gap_ns > row.error_ns
        after = text("Pressed {time} after {first}, {error}, so the order is certain.")
        says = after if is_sure else text("Pressed {time} after {first}, {error}.")
        yield says.format(time=duration(row.gap_ns), first=first.colour, error=error(row.error_ns))
    if row.allowance is not None:
        says = text("An allowance takes {off} ms off; without it it would be {raw} behind the earliest.")
        yield says.format(off=whole_ms(row.allowance.off_ns), raw=duration(row.allowance.raw_ns))


def _first(rows: Sequence[Row]) -> str:
    """Say why the first is first. Gaps are behind the first, by raw times: a negative one is of who pressed earlier."""
    earliest = min(rows, key=lambda row: row.gap_ns)
    if earliest.gap_ns < 0:
        says = text("First by an allowance: {colour} pressed {time} earlier.")
        return says.format(colour=earliest.colour, time=duration(-earliest.gap_ns))
    says = text("Nobody pressed earlier: {colour} came {time} later.")
    return says.format(colour=rows[1].colour, time=duration(rows[1].gap_ns))


def _verdict(row: Row, turn: Turn | None) -> Iterator[str]:
    """Say why a play was good or punished, and what came of it."""
    if row.anticipated:
        yield text("It was made so soon after the card that nobody can have seen it.")
    if row.verdict == "punish":
        yield text("Punished: {why}.").format(why=row.why_says or text("the play was not allowed"))
    elif row.verdict == "claim":
        yield text("The play is good: what it needs was on the table when the race was judged.")
    if turn is None:
        return
    if turn.result == "nothing":
        yield text("When its turn came, those before had taken all of it. That is not punished.")
    elif turn.result == "punished":
        count = len(turn.cards)
        none = text("It has no card to give up.")
        yield texts("It gives up {count} card.", "It gives up {count} cards.", count) if count else none
    elif turn.cards:
        yield texts("It takes {count} card.", "It takes {count} cards.", len(turn.cards))
