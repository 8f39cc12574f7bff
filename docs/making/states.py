"""State machines as the program runs them, for the documentation's diagrams.

A machine comes from a table that is data in a module of the program, a row for each state, or, for the phases of a
game's race, from walking the game itself through its contract. Nothing here is written down twice.
"""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.record.lines import RECORD_VERSION, Close, End, JudgeLine, PressLine, Seat, Setup
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.core.record.lines import Line

WALKS, STEPS = 40, 200
"""How often, and how far, a game is walked: several times what finds every arrow of the games that exist."""


class Arrow(NamedTuple):
    """From one state to another (or the same) by an event."""

    before: str
    event: str
    after: str


class Machine(NamedTuple):
    """States in the order they are drawn, from the top, and the arrows between them."""

    title: str
    states: tuple[str, ...]
    arrows: tuple[Arrow, ...]


def of_rows(title: str, rows: Mapping[Any, Mapping[Any, Any]]) -> Machine:
    """Give the machine of `{state: {event: cell}}`; a cell is the state after, or has it as its `after`."""
    cells = {(before, event): cell for before, row in rows.items() for event, cell in row.items()}
    return of_table(title, {place: getattr(cell, "after", cell) for place, cell in cells.items()})


def of_table(title: str, table: Mapping[tuple[Any, Any], Any]) -> Machine:
    """Give the machine of `{(state, event): state}`; the states of an enum in its order, others as they first come."""
    arrows = [Arrow(word(before), word(event), word(after)) for (before, event), after in table.items()]
    members = [state for pair in ((before, after) for (before, _), after in table.items()) for state in pair]
    kind = type(members[0])
    order = list(kind) if issubclass(kind, Enum) and {type(state) for state in members} == {kind} else members
    used = {state for arrow in arrows for state in (arrow.before, arrow.after)}
    return Machine(title, tuple(dict.fromkeys(name for name in map(word, order) if name in used)), tuple(arrows))


def word(value: object) -> str:
    """Give the word for a state or an event: an enum member's name, a class's name, else its text."""
    if isinstance(value, Enum):
        return value.name
    return value.__name__ if isinstance(value, type) else str(value)


def from_module(title: str, module: str, name: str) -> Callable[[], Machine]:
    """Give what makes the machine of table `name` of a module."""
    return lambda: of_rows(title, getattr(import_module(module), name))


def of_race(title: str, name: str) -> Callable[[], Machine]:
    """Give what makes the machine of an installed game's race, by playing it at random with fixed seeds."""
    return lambda: _walked(title, registry.find(name))


def _walked(title: str, game: Any) -> Machine:
    found: dict[Arrow, None] = {}
    phases: dict[Any, None] = {}
    for seed in range(WALKS):
        random = Random(seed)  # noqa: S311 - a walk, not a secret
        for before, line, after in _walk(game, random):
            phases |= dict.fromkeys((before, after))
            found[Arrow(before.name, str(line.__struct_config__.tag), after.name)] = None
    order = [phase for phase in type(next(iter(phases))) if phase in phases]
    rank = {phase.name: index for index, phase in enumerate(order)}
    arrows = sorted(found, key=lambda arrow: (rank[arrow.before], rank[arrow.after], arrow.event))
    return Machine(title, tuple(rank), tuple(arrows))


def _walk(game: Any, random: Random) -> Iterable[tuple[Any, Line, Any]]:
    """Give the phase before, the line, the phase after, for every line that changes a random match."""
    seats = tuple(Seat(colour) for colour in random.sample(list(Colour), game.seats.most))
    setup = Setup(
        record=RECORD_VERSION, match="0" * 32, game=game.name, edition=game.edition, seats=seats, first=seats[0].colour
    )
    state = game.start(setup)
    for number in range(STEPS):
        line = random.choice(_lines(game, state, number, random))
        try:
            after, _ = game.apply(state, line)
        except CompanionError:
            continue
        if after != state:
            yield game.race(state).phase, line, game.race(after).phase
        state = after


def _lines(game: Any, state: Any, number: int, random: Random) -> list[Line]:
    offered = [option.line for offer in game.offers(state) for option in offer.options]
    colour, role = random.choice(tuple(Colour)), random.choice(game.roles)
    lines: list[Line] = [PressLine(colour=colour, role=role, t_ns=number), Close(), JudgeLine()]
    lines += [random.choice(offered)] * 2 if offered else []
    return [End()] if number == STEPS - 1 or random.random() < 1 / STEPS else lines


MACHINES: dict[str, Callable[[], Machine]] = {
    "race-of-apache": of_race("A Pow-Wow of Apache", "apache"),
    "race-of-order": of_race("A round of Order", "order"),
    "session": from_module("The box, from on to off", "companion.core.match.session_stages", "TABLE"),
    "collecting": from_module("How the box collects a race", "companion.core.match.race_phases", "TABLE"),
    "scan": from_module("A scan that time moves on", "companion.core.switches.scan", "AUTOMATIC"),
    "calibration": from_module("How a calibration goes", "companion.core.calibration.stages", "TABLE"),
    "line": from_module("A line of the panel", "companion.core.timing.contacts", "TABLE"),
    "pod-link": from_module("The talk with a pod", "companion.core.pods.link_states", "TABLE"),
}
"""Every diagram, by the name that a page asks for it by. A table of the program is added by one line."""
