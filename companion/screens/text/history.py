"""The course of a match in sentences, line by line: what came from outside and what was ruled on it. Pure.

The readable account (`account`) tells a whole record in order; this tells any line of it by itself, for lists in which
the newest stands first. Knows no game by name; a game may give its own sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.record.lines import Claim, Close, End, JudgeLine, PressLine, Remark, Reveal, Setup, Undo
from companion.core.ruling.rulings import Ignored, Order, Resume, Ruling, Settled, Undone
from companion.core.shown.race_rows import rows
from companion.screens.text.wording import counted, gap, grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.shown.scene import Row


def entries(course: History, game: Game[Any], last: int | None = None) -> list[dict[str, Any]]:
    """Give the course as a list, the newest first; `last`: no more than so many, None for all."""
    first = 0 if last is None else max(0, len(course) - last)
    return [_entry(course, index, game) for index in range(len(course) - 1, first - 1, -1)]


def _entry(course: History, index: int, game: Game[Any]) -> dict[str, Any]:
    told = course[index]
    undone_by = course.taken_back_by(told.number)
    return {
        "line": told.number,
        "type": told.line.__struct_config__.tag,
        "says": sentences(course, index, game),
        "undone": undone_by is not None,
        "undone_by": undone_by,
        "wall": told.line.wall,
    }


def sentences(course: History, index: int, game: Game[Any]) -> list[str]:
    """Tell entry `index` of a course."""
    told = course[index]
    said = [line_says(told.line)]
    presses = course.presses_of(told.number) if isinstance(told.line, JudgeLine) else ()
    for ruling in told.rulings:
        said += ruling_says(ruling, game, presses)
    return [sentence for sentence in said if sentence]


def line_says(line: Line) -> str:
    """Say what a line of the record is, without what was ruled on it; empty for a judging, whose rulings say it all."""
    match line:
        case Setup():
            said = f"the match begins: {', '.join(_seat(seat.colour, seat.name) for seat in line.seats)}"
        case Reveal():
            said = f"{line.card} is revealed"
        case PressLine():
            said = f"{line.colour} plays {line.role}"
        case Claim():
            details = (("prisoner", line.prisoner), ("spouse", line.spouse))
            said = f"{line.colour} chooses {line.take}" + "".join(f", {name} {card}" for name, card in details if card)
        case Remark():
            said = f"{line.source}: {line.text}" if line.source else line.text
        case Undo():
            said = "taken back" + (f" by {line.by}" if line.by else "") + (f": {line.reason}" if line.reason else "")
        case _:
            words = {Close: "no more presses are taken", JudgeLine: "", End: "the game is ended"}
            said = words.get(type(line), str(line.__struct_config__.tag))
    return said


def _seat(colour: str, name: str | None) -> str:
    return f"{colour} ({name})" if name else colour


def ruling_says(ruling: Ruling, game: Game[Any], presses: Sequence[PressLine] = ()) -> list[str]:
    """Say a ruling. `presses`: those of the race, for the uncertainty of the gaps."""
    match ruling:
        case Order():
            said = [row_says(row) for row in rows(ruling.order, presses)]
        case Ignored():
            said = [f"{ruling.colour} {ruling.role} does not count: {ruling.reason}"]
        case Settled():
            said = [settled_says(ruling)]
        case Resume(reveals=reveals):
            said = [f"{reveals} reveals next"] if reveals is not None else []
        case Undone():
            said = [f"line {ruling.line} is taken back"]
        case _:
            said = list(game.sentences(ruling) or ())
    return said


def row_says(row: Row) -> str:
    """Say a place: "red hunter is first", "blue chief +83.0 ms, dead heat, punished: no blue chief is face up"."""
    who = f"{row.colour} {row.role}"
    said = f"{who} is {gap(row)}" if row.place == 1 and row.gap_ns == 0 else f"{who} {gap(row)}"
    if row.dead_heat:
        said += ", dead heat"
    if row.verdict == "punish":
        said += f", punished: {why_says(row)}"
    return said


def why_says(row: Row) -> str:
    """Say why a play is punished, in a sentence without its full stop."""
    if row.why == "no matching Indian":
        return f"no {row.colour} {row.role} is face up"
    if row.why == "nothing to claim":
        return f"nothing lies there that a {row.role} could claim"
    return row.why or "the play was not allowed"


def settled_says(ruling: Settled) -> str:
    """Say what became of a player, card by card."""
    who = f"{ruling.colour} {ruling.role}"
    cards = () if ruling.cards is msgspec.UNSET else ruling.cards
    listed = ", ".join(counted(count, card) for count, card in grouped(cards))
    if ruling.result == "punished":
        return f"{who} is punished and " + (f"gives up {listed}" if cards else "has no card to give up")
    if ruling.result == "nothing":
        return f"{who} gets nothing: others were faster"
    tribute = ruling.tribute if isinstance(ruling.tribute, dict) else {}
    given = "".join(f"; {colour} gives {count} buffalo" for colour, count in tribute.items())
    return f"{who} takes {listed}{given}"
