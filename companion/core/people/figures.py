"""Figures of one person, each with the counts that it rests on. Pure.

Definitions
- Reaction: from the instant of the card (when a scanner saw it turned, else when the referee entered it) to the
  person's press, as it was stamped; no allowance is taken off. All presses that count, punished or not.
- Every figure of times carries its ±: a median or a fastest time grows with each of its times, so it certainly lies
  between the same figure of all times less their ± and of all times with their ± added.
- No figure of times rests on fewer than `LEAST` of them.
- First: place 1 as ruled, in races in which two or more pressed.
- Win: most points of a match that is over, alone; shared where others have as many.
"""

from __future__ import annotations

from statistics import median, quantiles
from typing import TYPE_CHECKING, NamedTuple

from companion.core.people.names import is_same, key_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.people.judged import MatchFacts, Reaction, SeatFacts

LEAST = 5
"""So few times say nothing yet of a person."""


class Estimate(NamedTuple):
    """A time and how far from it the truth may be, ns."""

    ns: int
    error_ns: int


class Times(NamedTuple):
    """What `n` reactions come to: the median, the quarters that are faster and slower, the fastest."""

    n: int
    median: Estimate
    faster: Estimate
    slower: Estimate
    fastest: Estimate


class Record(NamedTuple):
    """What a person has done in some matches. matches: that are over; wins: alone; shared: with others."""

    name: str
    matches: int = 0
    wins: int = 0
    shared: int = 0
    presses: int = 0
    contested: int = 0
    firsts: int = 0
    punished: int = 0
    reactions: tuple[Reaction, ...] = ()


def times_of(reactions: Sequence[Reaction]) -> Times | None:
    """Give the figures of some reactions, None where they are fewer than `LEAST`."""
    if len(reactions) < LEAST:
        return None
    low = [one.ns - one.error_ns for one in reactions]
    high = [one.ns + one.error_ns for one in reactions]
    middle = [one.ns for one in reactions]

    def estimate(figure: Callable[[list[int]], float]) -> Estimate:
        value = round(figure(middle))
        return Estimate(value, max(value - round(figure(low)), round(figure(high)) - value))

    return Times(
        len(reactions),
        estimate(median),
        estimate(lambda times: quantiles(times, n=4, method="inclusive")[0]),
        estimate(lambda times: quantiles(times, n=4, method="inclusive")[2]),
        estimate(min),
    )


def seats_of(match: MatchFacts, name: str) -> tuple[SeatFacts, ...]:
    """Give the seats that a person had in a match; () where none."""
    return tuple(seat for seat in match.seats if seat.name is not None and is_same(seat.name, name))


def record_of(name: str, matches: Iterable[MatchFacts]) -> Record:
    """Give what a person has done in matches; those in which they did not play do not count."""
    found = Record(name)
    for match in matches:
        seats = seats_of(match, name)
        if not seats:
            continue
        won = any(seat.leads for seat in seats)
        alone = all(is_same(seat.name or "", name) for seat in match.seats if seat.leads)
        found = Record(
            name,
            found.matches + 1,
            found.wins + (won and alone),
            found.shared + (won and not alone),
            found.presses + sum(seat.presses for seat in seats),
            found.contested + sum(seat.contested for seat in seats),
            found.firsts + sum(seat.firsts for seat in seats),
            found.punished + sum(seat.punished for seat in seats),
            (*found.reactions, *(one for seat in seats for one in seat.reactions)),
        )
    return found


def players_of(matches: Iterable[MatchFacts]) -> tuple[str, ...]:
    """Give whoever has a name in some matches, each once, as the newest match writes it."""
    found: dict[str, str] = {}
    for match in matches:
        for seat in match.seats:
            if seat.name is not None:
                found[key_of(seat.name)] = seat.name
    return tuple(found.values())


def standings(matches: Sequence[MatchFacts]) -> tuple[Record, ...]:
    """Give everybody's record, the best first: more wins, then more shared ones, then fewer matches, then the name."""
    records = [record_of(name, matches) for name in players_of(matches)]
    return tuple(sorted(records, key=lambda one: (-one.wins, -one.shared, one.matches, key_of(one.name))))
