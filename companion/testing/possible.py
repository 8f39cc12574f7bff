"""Which lines a game says can be written now: of every offer, of its race, of its deadline, of what may be set by hand.

Asks a game through its contract alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.record.lines import ByHand, ChanceLine, TimedLine
from companion.core.ruling.chance import drawn, next_number
from companion.core.ruling.offers import Step

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.history import History
    from companion.core.ruling.offers import Offer

FEW = 30
"""Of a range of more numbers than this, its ends and some between are looked at."""


def numbers(offer: Offer, random: Random) -> list[int]:
    """Give numbers that an offer takes: all of a small range, else both ends and some between."""
    entry = offer.number
    if entry is None:
        return []
    if entry.high - entry.low < FEW:
        return list(range(entry.low, entry.high + 1))
    return sorted({entry.low, entry.high, *(random.randint(entry.low, entry.high) for _ in range(4))})


def completed(game: AnyGame, state: Any, offer: Offer, chosen: tuple[str, ...], random: Random) -> Line:
    """Complete a stepped offer at random, after the values `chosen`."""
    step = game.step(state, offer, chosen)
    return step if not isinstance(step, Step) else completed(
        game, state, offer, (*chosen, random.choice(step.values).key), random
    )  # fmt: skip


def every_completion(game: AnyGame, state: Any, offer: Offer, chosen: tuple[str, ...] = ()) -> Iterator[Line]:
    """Give every complete line of a stepped offer."""
    step = game.step(state, offer, chosen)
    if not isinstance(step, Step):
        yield step
        return
    for value in step.values:
        yield from every_completion(game, state, offer, (*chosen, value.key))


def rolls(offer: Offer, history: History, seed: str, random: Random) -> list[ChanceLine]:
    """Give what may come of an offer of chance: the box's own roll, and two made by hand."""
    chance = offer.chance
    if chance is None:
        return []
    n = next_number(chance.name, history)
    by_box = None if chance.is_secret else drawn(seed, chance, n)
    by_hand = [tuple(random.sample(chance.outcomes, chance.count)) for _ in range(2)]
    return [
        ChanceLine(name=chance.name, n=n, by="box", result=by_box),
        *(ChanceLine(name=chance.name, n=n, by="hand", result=result) for result in by_hand),
    ]


def offered(game: AnyGame, state: Any, offer: Offer, history: History, seed: str, random: Random) -> list[Line]:
    """Give lines that an offer says are legal: all of them, or of very many a part drawn at random."""
    if offer.number is not None:
        return [offer.number.line(value) for value in numbers(offer, random)]
    if offer.chance is not None:
        return list(rolls(offer, history, seed, random))
    if offer.is_stepped:
        return [completed(game, state, offer, (), random) for _ in range(3)]
    return [option.line for option in offer.options]


def covers(game: AnyGame, state: Any, offer: Offer, line: Line) -> bool:
    """Tell whether an offer has exactly this line among its legal ones; of chance: by its name."""
    line = untimed(line)
    if offer.number is not None:
        entry = offer.number
        return any(entry.line(value) == line for value in range(entry.low, entry.high + 1))
    if offer.chance is not None:
        return isinstance(line, ChanceLine) and line.name == offer.chance.name
    if offer.is_stepped:
        return any(known == line for known in every_completion(game, state, offer))
    return any(option.line == line for option in offer.options)


def untimed(line: Line) -> Line:
    """Give a line as an offer has it: without the instant of the press that chose it."""
    return msgspec.structs.replace(line, t_ns=None, error_ns=0) if isinstance(line, TimedLine) else line


def by_hand(game: AnyGame, state: Any) -> list[ByHand]:
    """Give lines that set each adjustable thing to both ends of its range."""
    return [
        ByHand(set=one.key, value=value, reason="a test")
        for one in game.adjustable(state)
        for value in (one.low, one.high)
    ]
