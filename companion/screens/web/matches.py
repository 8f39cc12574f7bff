"""The record as documents: what of it can be replaced, what a replacement leads to, and a past match with its times.

Pure; knows no wire and no game by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.record.lines import JudgeLine, PressLine, Reveal
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.replacing import Fate
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.race_rows import rows
from companion.screens.text import history as telling
from companion.screens.text.wording import gap
from companion.screens.web.state import offer_document, variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game, LineField
    from companion.core.ruling.history import History
    from companion.core.ruling.replacing import Preview, Retold
    from companion.core.ruling.rulings import Ruling

Document = dict[str, Any]


def content(line: Line | Ruling | LineField) -> Document:
    """Give a line as the record has it, a ruling, or a field of a line."""
    document: Document = msgspec.to_builtins(line)
    return document


def record_document(history: History, match_id: int | None, game: Game[Any]) -> Document:
    """Give the lines that stand and can be replaced, oldest first."""
    return {
        "match": match_id,
        "seen": len(history),
        "lines": [
            {
                "line": told.number,
                "says": game.describe(told.line),
                "content": content(told.line),
                "fields": [content(field) for field in game.fields(told.line)],
            }
            for told in history.standing()
        ],
    }


def preview_document(preview: Preview, game: Game[Any]) -> Document:
    """Give what a replacement leads to; lines that stay as they are after the last change are left out."""
    told = list(preview.retold)
    while told and told[-1].fate is Fate.SAME:
        told.pop()
    presses = [entry.line for entry in preview.retold if isinstance(entry.line, PressLine)]
    return {
        "seen": preview.seen,
        "lines": [_retold(entry, game, presses) for entry in told],
        "outcome": {
            "before": telling.ruling_says(preview.before, game),
            "after": telling.ruling_says(preview.after, game),
        },
        "misfits": preview.count(Fate.MISFIT),
        "changed": preview.count(Fate.CHANGED),
        "then": {"offer": None if preview.decision is None else offer_document(preview.decision)},
    }


def _retold(entry: Retold, game: Game[Any], presses: Sequence[PressLine]) -> Document:
    def says(rulings: Iterable[Ruling]) -> list[str]:
        return [sentence for ruling in rulings for sentence in telling.ruling_says(ruling, game, presses)]

    document: Document = {
        "line": entry.number,
        "says": game.describe(entry.line),
        "state": entry.fate.value,
        "before": says(entry.before),
        "after": says(entry.after),
    }
    if entry.message:
        document["message"] = entry.message
    return document


def match_document(lines: Iterable[bytes], find_game: Callable[[str], Game[Any]]) -> Document:
    """Judge a stored record and tell it: course (oldest first), score, and each race with its reaction times.

    A record that cannot be judged to its end is told as far as it goes; `fault` says why.
    """
    judge = Judge(find_game)
    fault: str | None = None
    for line, rulings in judged_lines(lines, judge):
        if line is not None:
            continue
        faults = [ruling for ruling in rulings if isinstance(ruling, Fault)]
        fault = f"line {faults[0].line} is {faults[0].kind}: {faults[0].message}" if faults else None
    if judge.game is None or judge.setup is None:
        return {"fault": fault, "course": [], "races": [], "seats": []}
    game, setup = judge.game, judge.setup
    view = game.view(judge.state)
    return {
        "game": game.name,
        "title": game.title,
        "fault": fault,
        "over": judge.is_over(),
        "seats": [{"colour": s.colour, "short": s.colour.short, "name": s.name} for s in setup.seats],
        "variants": variants(game, setup.variants),
        "score_label": view.score_label,
        "scores": [{"colour": colour, "score": score} for colour, score in view.scores],
        "leaders": list(judge.outcome().ahead()),
        "outcome": telling.ruling_says(judge.outcome(), game),
        "course": telling.entries(judge.history, game)[::-1],
        "races": races(judge.history, game),
    }


def races(history: History, game: Game[Any]) -> list[Document]:
    """Give the judged races that stand: who pressed, how long after the card (ns), how far apart."""
    found: list[Document] = []
    card: Reveal | None = None
    has_begun = card_came_late = False
    for told in history.standing():
        has_begun = has_begun or told.counts
        if isinstance(told.line, Reveal):
            card, card_came_late = told.line, has_begun
        elif isinstance(told.line, JudgeLine):
            order = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
            revealed_ns = None if card is None or card_came_late else card.t_ns
            found.append(_race(order, history.presses_of(told.number), card, revealed_ns, game))
            card, has_begun, card_came_late = None, False, False
    return found


def _race(
    order: Order, presses: Sequence[PressLine], card: Reveal | None, revealed_ns: int | None, game: Game[Any]
) -> Document:
    times = {press.colour: press for press in presses}
    return {
        "number": order.race,
        "card": None if card is None else card.card,
        "revealed": revealed_ns is not None,
        "presses": [
            {
                "place": row.place,
                "colour": row.colour,
                "role": row.role,
                "reaction_ns": None if revealed_ns is None else times[row.colour].t_ns - revealed_ns,
                "error_ns": times[row.colour].error_ns,
                "gap_ns": row.gap_ns,
                "gap_text": gap(row),
                "dead_heat": row.dead_heat,
                "verdict": row.verdict,
            }
            for row in rows(order.order, presses, game)
        ],
    }
