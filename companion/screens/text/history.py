"""What was ruled, in sentences: for the course of a match line by line, and for the readable account. Pure.

`account` tells a whole record in order, with exact times; this tells any line by itself, for lists in which the newest
stands first. Both take their sentences from `ruling_says`. Knows no game by name; a game may give its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.match.veil import is_veiled, veiled_says
from companion.core.record.lines import Evidence, JudgeLine
from companion.core.ruling.looks import button_named, look_of
from companion.core.ruling.rulings import IGNORED, Ignored, Order, Resume, Ruling, Settled, Undone
from companion.core.shown.race_rows import NO_BASIS, Basis, basis_at, rows, turn_of
from companion.core.words.texts import joined, text, without_stop
from companion.screens.text.wording import allowance, became, gap

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.record.lines import PressLine
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History
    from companion.core.shown.scene import Row


def entries(course: History, game: Game[Any], last: int | None = None, veil: int | None = None) -> list[dict[str, Any]]:
    """Give the course as a list, the newest first; `last`: no more than so many, None for all.

    veil: after which line presses are not to be seen yet, None where all may be.
    """
    first = 0 if last is None else max(0, len(course) - last)
    return [_entry(course, index, game, veil) for index in range(len(course) - 1, first - 1, -1)]


def _entry(course: History, index: int, game: Game[Any], veil: int | None) -> dict[str, Any]:
    told = course[index]
    undone_by = course.taken_back_by(told.number)
    return {
        "line": told.number,
        "type": told.line.__struct_config__.tag,
        "says": sentences(course, index, game, veil),
        "undone": undone_by is not None,
        "undone_by": undone_by,
        "wall": told.line.wall,
        "race": told.line.race if isinstance(told.line, Evidence) else None,
    }


def sentences(course: History, index: int, game: Game[Any], veil: int | None = None) -> list[str]:
    """Tell entry `index` of a course."""
    told = course[index]
    if is_veiled(told, veil):
        return [veiled_says(told.line)]
    said = ["" if isinstance(told.line, JudgeLine) else told.says(game)]  # a judging's rulings say it all
    presses = course.presses_of(told.number) if isinstance(told.line, JudgeLine) else ()
    whys = reasons(course, told.number, game) if any(isinstance(ruling, Settled) for ruling in told.rulings) else {}
    basis = basis_at(course, told, game) if presses else NO_BASIS
    for ruling in told.rulings:
        said += ruling_says(ruling, game, presses, whys, basis)
    line, *rulings = said
    return [sentence for sentence in (line, *(one for one in rulings if one != line)) if sentence]


def ruling_says(
    ruling: Ruling,
    game: Game[Any],
    presses: Sequence[PressLine] = (),
    whys: Mapping[Colour, str] | None = None,
    basis: Basis = NO_BASIS,
) -> list[str]:
    """Say a ruling, each sentence without its full stop.

    presses, basis: those of the race, for the uncertainty of the gaps and what moved a place. whys: why each player of
    the race is punished.
    """
    own = game.sentences(ruling)
    if own is not None:
        return [without_stop(sentence) for sentence in own]
    said: list[str] = []
    match ruling:
        case Order():
            said = [row_says(row) for row in rows(ruling.order, presses, game, basis)]
        case Ignored():
            says = text("{colour} {button} does not count: {reason}")
            why = IGNORED.get(ruling.reason, ruling.reason)
            said = [says.format(colour=ruling.colour, button=button_named(game, ruling.role), reason=why)]
        case Settled():
            turn = turn_of(ruling, (whys or {}).get(ruling.colour, ""), game)
            who = text("{colour} ({button})").format(colour=turn.colour, button=turn.role)
            said = [became(turn, look_of(game, None), who)]
        case Resume(reveals=reveals) if reveals is not None:
            said = [text("{colour} reveals next").format(colour=reveals)]
        case Undone():
            said = [text("line {line} is taken back").format(line=ruling.line)]
    return said


def reasons(history: History, number: int, game: Game[Any]) -> dict[Colour, str]:
    """Give why each player is punished in the race that line `number` judged or settled, in the game's words."""
    judged = (history[number - 1], *history.standing_backwards(number))
    found = next((told for told in judged if isinstance(told.line, JudgeLine)), None)
    if found is None:
        return {}
    order = next((ruling for ruling in found.rulings if isinstance(ruling, Order)), None)
    places = order.order if order is not None else ()
    return {row.colour: row.why_says for row in rows(places, history.presses_of(found.number), game) if row.why_says}


def row_says(row: Row) -> str:
    """Say a place: "red ace is first", "blue ten +83.0 ms, dead heat, punished: no blue ten is face up".

    An allowance that moved it is said: "red ace is first: 5,200 − 800 ms allowance (raw +700 ms)".
    """
    is_first = row.place == 1 and row.gap_ns == 0
    says = text("{colour} {button} is {gap}") if is_first else text("{colour} {button} {gap}")
    said = says.format(colour=row.colour, button=row.role, gap=gap(row))
    if row.allowance is not None:
        said = joined((said, allowance(row.allowance)), ": ")
    parts = [said, *([text("dead heat")] if row.dead_heat else [])]
    if row.verdict == "punish":
        parts.append(text("punished: {why}").format(why=row.why_says or text("the play was not allowed")))
    return joined(parts)
