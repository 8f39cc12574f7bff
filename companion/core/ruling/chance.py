"""Dice and draws that anybody can draw again: from a seed the box commits to before the first (`record.md`). Pure.

The setup holds the SHA-256 of the seed, the record the results, and its `open` line the seed itself: from then on a
reader checks every result. The number that a roll is drawn with counts the standing rolls of its name, so that one that
was taken back comes out the same when it is rolled again.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.record.lines import ChanceLine, Open
from companion.core.ruling.offers import DIE
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.record.lines import Setup
    from companion.core.ruling.history import History
    from companion.core.ruling.offers import Chance, Offer
    from companion.core.ruling.view import Held


def commitment(seed: str) -> str:
    """Give the SHA-256 of a seed, in hex, as a setup holds it."""
    return sha256(seed.encode()).hexdigest()


def die(seed: str, name: str, n: int) -> int:
    """Give roll number `n` (from 1) of the die `name`: 1 to 6."""
    return 1 + int.from_bytes(sha256(f"{seed}:{name}:{n}".encode()).digest()) % len(DIE)


def dealt(seed: str, name: str, n: int, items: Sequence[str]) -> tuple[str, ...]:
    """Give all `items` in the order in which draw number `n` (from 1) deals them; equal ones in the game's order."""

    def lot(item: str) -> bytes:
        return sha256(f"{seed}:{name}:{n}:{item}".encode()).digest()

    return tuple(sorted(items, key=lot))


def drawn(seed: str, chance: Chance, n: int) -> tuple[str, ...]:
    """Give what comes out of roll number `n`: a die's number, or the cards that are dealt from the pool."""
    if not chance.items:
        return (str(die(seed, chance.name, n)),)
    return dealt(seed, chance.name, n, chance.items)[: chance.count]


def held_items(held: Held, rolls: Mapping[tuple[str, int], ChanceLine], seed: str) -> tuple[str, ...] | None:
    """Give what a seat holds of a draw; None where it was dealt from a seed that is not there (empty).

    rolls: those that stand, by name and number; () for a draw that is none of them.
    """
    line = rolls.get((held.chance, held.n))
    if line is None:
        return ()
    if line.result is None and not seed:
        return None
    result = dealt(seed, held.chance, held.n, held.items) if line.result is None else line.result
    return result[held.first : held.first + held.count]


def next_number(name: str, history: History) -> int:
    """Give the number of the next roll of this name: one more than stand."""
    return 1 + history.rolls(name)


def verify_chance(line: ChanceLine, history: History, setup: Setup | None, offers: Iterable[Offer]) -> None:
    """Raise Illegal for a roll that nobody asks for, out of its turn, or that cannot have come out."""
    chance = _chance_of(line, offers)
    if chance is None:
        raise Illegal(f"field `name`: no {line.name!r} is to be rolled or drawn now")
    expected = next_number(line.name, history)
    if line.n != expected:
        raise Illegal(f"field `n`: {line.name} is number {expected} now, not {line.n}")
    if line.by == "box" and (setup is None or setup.seed_sha256 is None):
        raise Illegal("field `by`: the setup has no `seed_sha256`, so a roll is made by hand")
    if why := _why_wrong(line, chance):
        raise Illegal(f"field `result`: {why}")


def _chance_of(line: ChanceLine, offers: Iterable[Offer]) -> Chance | None:
    chances = (offer.chance for offer in offers if offer.chance is not None)
    return next((chance for chance in chances if chance.name == line.name), None)


def _why_wrong(line: ChanceLine, chance: Chance) -> str:
    """Say why a result cannot stand; empty where it can. A box's secret one is not told, any other is."""
    if line.result is None:
        return "" if chance.is_secret and line.by == "box" else "what came out is entered"
    if chance.is_secret and line.by == "box":
        return "it is secret, and so it is not told"
    left = list(chance.outcomes)
    for item in line.result:
        if item not in left:
            return f"{item!r} cannot come out; allowed: {', '.join(left)}"
        left.remove(item)
    return "" if len(line.result) == chance.count else f"{chance.count} come out, not {len(line.result)}"


def verify_seed(line: Open, history: History, setup: Setup | None, offers: Callable[[Any], Iterable[Offer]]) -> None:
    """Raise Illegal for a seed that is not the one committed to, was shown before, or draws other results.

    offers: what a state of the game offers.
    """
    if setup is None or commitment(line.seed) != setup.seed_sha256:
        raise Illegal("field `seed`: this is not the seed that the setup's `seed_sha256` commits to")
    for told in history.standing():
        if isinstance(told.line, Open):
            raise Illegal(text("the seed has been shown already"))
        if isinstance(told.line, ChanceLine) and told.line.by == "box" and told.line.result is not None:
            chance = _chance_of(told.line, offers(told.before))
            if chance is not None and drawn(line.seed, chance, told.line.n) != told.line.result:
                raise Illegal(f"line {told.number}: the seed draws another result; the box did not roll this")
