"""The record as documents: what of it can be replaced, what a replacement leads to, and a past match with its times.

Pure; knows no wire and no game by name.
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any

from companion.core.match.veil import is_veiled, veiled_content, veiled_says
from companion.core.panel import Colour
from companion.core.record.lines import Evidence, JudgeLine, PressLine, Reveal
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.replacing import Fate, known_presses
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.protests import disputing
from companion.core.shown.race_rows import NO_BASIS, Basis, basis_at, rows
from companion.core.words.encoding import builtins
from companion.core.words.texts import plain, text
from companion.screens.everybody.looks import look_key
from companion.screens.everybody.public import protest_documents
from companion.screens.text import history as telling
from companion.screens.text.wording import allowance, duration, gap
from companion.screens.web.highlights import highlights
from companion.screens.web.offers import offer_document
from companion.screens.web.state import ledger_document, variants

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.game import Game, LineField
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.replacing import KnownPress, Preview, Retold
    from companion.core.ruling.rulings import Ruling
    from companion.core.shown.scene import Row

Document = dict[str, Any]


def content(line: Line | Ruling | LineField) -> Document:
    """Give a line as the record has it, a ruling, or a field of a line."""
    document: Document = builtins(line)
    return document


def is_hidden(line: Line, game: Game[Any]) -> bool:
    """Tell whether a line says more to its own seat than to everybody."""
    seat = getattr(line, "colour", None)
    return isinstance(seat, Colour) and game.describe(line, seat) != game.describe(line)


def public_content(line: Line, game: Game[Any]) -> Document:
    """Give a line as everybody may have it while the match runs: of a hidden one only what it is, and whose."""
    if not is_hidden(line, game):
        return content(line)
    return {"type": line.__struct_config__.tag, "colour": line.colour, "hidden": True}  # type: ignore[attr-defined]


def record_document(
    history: History, match_id: int | None, game: Game[Any], veil: int | None = None
) -> Document:  # fmt: skip
    """Give the lines that stand and can be replaced, oldest first, and what can be put in before one of them.

    The cards of the deck by their names; of presses those that the record has, with the time that each keeps. `veil`:
    as `entries` has it.
    """
    known = known_presses(history, game.roles)
    return {
        "match": match_id,
        "seen": len(history),
        "cards": [{"value": card.name, "label": card.says} for card in game.deck],
        "presses": [_known_press(one, history, game) for one in known if not is_veiled(history[one.number - 1], veil)],
        "lines": [_replaceable(told, game, veil) for told in history.standing()],
    }


def _replaceable(told: Told, game: Game[Any], veil: int | None) -> Document:
    line = told.line
    if is_veiled(told, veil):
        return {"line": told.number, "says": veiled_says(line), "content": veiled_content(line), "fields": []}
    return {
        "line": told.number,
        "says": told.says(game),
        "content": public_content(line, game),
        "fields": [] if is_hidden(line, game) else [content(one) for one in game.fields(line)],
    }


def _known_press(press: KnownPress, history: History, game: Game[Any]) -> Document:
    told = history[press.number - 1]
    state = "counts" if told.counts else "ignored"
    if not isinstance(told.line, PressLine):
        state = "told"
    elif history.taken_back_by(press.number) is not None:
        state = "taken back"
    return {
        "line": press.number,
        "says": game.describe(press.line),
        "state": state,
        "content": content(press.line),
    }


def preview_document(preview: Preview, history: History, game: Game[Any], basis: Basis = NO_BASIS) -> Document:
    """Give what a replacement leads to; lines that stay as they are after the last change are left out.

    history: of the record before it, or longer.
    """
    told = list(preview.retold)
    while told and told[-1].fate is Fate.SAME:
        told.pop()
    presses = [entry.line for entry in preview.retold if isinstance(entry.line, PressLine)]
    return {
        "seen": preview.seen,
        "lines": [_retold(entry, _says(entry, history, game), game, presses, basis) for entry in told],
        "outcome": {
            "before": telling.ruling_says(preview.before, game),
            "after": telling.ruling_says(preview.after, game),
        },
        "misfits": preview.count(Fate.MISFIT),
        "changed": preview.count(Fate.CHANGED),
        "then": {"offer": None if preview.decision is None else offer_document(preview.decision)},
    }


def _says(entry: Retold, history: History, game: Game[Any]) -> str:
    """Say what a line is, where it stands now."""
    if entry.number > len(history):
        return game.describe(entry.line)
    return history[entry.number - 1]._replace(line=entry.line).says(game)


def _retold(entry: Retold, line_says: str, game: Game[Any], presses: Sequence[PressLine], basis: Basis) -> Document:
    def says(rulings: Iterable[Ruling]) -> list[str]:
        return [sentence for ruling in rulings for sentence in telling.ruling_says(ruling, game, presses, basis=basis)]

    document: Document = {
        "line": entry.number,
        "says": line_says,
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
        return {"fault": fault, "course": [], "races": [], "figures": [], "seats": []}
    game, setup = judge.game, judge.setup
    view = game.view(judge.state)
    told = [{**race, "disputed": list(disputing(judge.history, race["number"]))} for race in races(judge.history, game)]
    return {
        "game": game.name,
        "look": look_key(game, setup),
        "title": game.title,
        "fault": fault,
        "over": judge.is_over(),
        "seats": [
            {"colour": s.colour, "short": s.colour.short, "name": judge.history.names.get(s.colour)}
            for s in setup.seats
        ],
        "variants": variants(game, setup.variants),
        "score_label": view.score_label,
        "scores": [{"colour": colour, "score": score} for colour, score in view.scores],
        "leaders": list(judge.outcome().ahead()),
        "outcome": telling.ruling_says(judge.outcome(), game),
        "protests": protest_documents(judge.history, game),
        "signed": list(judge.history.signed()),
        "course": telling.entries(judge.history, game)[::-1],
        "ledgers": [ledger_document(ledger) for ledger in game.ledgers(judge.state)],
        "races": told,
        "highlights": highlights(told, {str(seat): name for seat, name in judge.history.names.items()}, game.race_name),
        "figures": figures(told, [seat.colour for seat in setup.seats], game.race_name),
    }


def races(history: History, game: Game[Any]) -> list[Document]:
    """Give the judged races that stand: who pressed, how long after the card (ns), how far apart."""
    found: list[Document] = []
    evidence = {told.line.race for told in history if isinstance(told.line, Evidence)}
    card: Reveal | None = None
    has_begun = card_came_late = False
    for told in history.standing():
        has_begun = has_begun or told.counts
        if isinstance(told.line, Reveal):
            card, card_came_late = told.line, has_begun
        elif isinstance(told.line, JudgeLine):
            order = next(ruling for ruling in told.rulings if isinstance(ruling, Order))
            revealed_ns = None if card is None or card_came_late else card.t_ns
            presses, basis = history.presses_of(told.number), basis_at(history, told, game)
            race = _race(order, presses, rows(order.order, presses, game, basis), card, revealed_ns)
            found.append({**race, "evidence": order.race in evidence})
            card, has_begun, card_came_late = None, False, False
    return found


def _race(
    order: Order, presses: Sequence[PressLine], places: Sequence[Row], card: Reveal | None, revealed_ns: int | None
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
                "role": plain(row.role),
                "role_says": row.role,
                "reaction_ns": None if revealed_ns is None else times[row.colour].t_ns - revealed_ns,
                "error_ns": times[row.colour].error_ns,
                "gap_ns": row.gap_ns,
                "gap_text": gap(row),
                "allowance_text": None if row.allowance is None else allowance(row.allowance),
                "says": telling.row_says(row),
                "dead_heat": row.dead_heat,
                "anticipated": row.anticipated,
                "verdict": row.verdict,
            }
            for row in places
        ],
    }


def figures(told: Sequence[Document], colours: Sequence[str], race_name: str) -> list[Document]:
    """Give the pictures that a match's times make: each player's own, with the fastest, median and slowest in words.

    A figure that nobody has a time for is left out. Times in ns; a gap that an allowance made negative counts as 0.
    """
    read: tuple[tuple[str, str, Callable[[Document], int | None]], ...] = (
        (text("Reaction times"), text("from the card to the press"), _reaction_ns),
        (text("Gaps"), text("behind the first of the race"), _gap_ns),
    )
    made = [_figure(title, how, ns_of, told, colours, race_name) for title, how, ns_of in read]
    return [figure for figure in made if figure["players"]]


def _reaction_ns(press: Document) -> int | None:
    reaction_ns: int | None = press["reaction_ns"]
    return reaction_ns if reaction_ns is not None and reaction_ns >= 0 else None


def _gap_ns(press: Document) -> int | None:
    return None if press["place"] == 1 else max(0, press["gap_ns"])


def _figure(
    title: str,
    how: str,
    ns_of: Callable[[Document], int | None],
    told: Sequence[Document],
    colours: Sequence[str],
    race_name: str,
) -> Document:
    values: dict[str, list[Document]] = {colour: [] for colour in colours}
    for race in told:
        for press in race["presses"]:
            if (ns := ns_of(press)) is not None:
                says = text("{race_name} {race}: {button}, {time}").format(
                    race_name=race_name, race=race["number"], button=press["role_says"], time=duration(ns)
                )
                values[press["colour"]].append({"ns": ns, "error_ns": press["error_ns"], "says": says})
    players = [_player(colour, found) for colour, found in values.items() if found]
    return {"title": title, "how": how, "players": players}


def _player(colour: str, values: list[Document]) -> Document:
    times = [value["ns"] for value in values]
    middle_ns = round(median(times))
    return {
        "colour": colour,
        "values": values,
        "median_ns": middle_ns,
        "fastest": duration(min(times)),
        "median": duration(middle_ns),
        "slowest": duration(max(times)),
    }
