"""The numbers that put players in order, each exact, from what the rounds gave them, as `docs/standings.md` says. Pure.

Each is a mean per round: "points" over all rounds that count for the player, byes and missed ones too; the others over
the rounds that the player sat at a table in. Nothing is rounded: two numbers are equal or they are not.
"""

from __future__ import annotations

from fractions import Fraction
from hashlib import sha256
from math import lcm
from typing import TYPE_CHECKING

from companion.tournament.standings.points import BYE, MOST_SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.tournament.log.lines import TieBreak
    from companion.tournament.standings.rounds import RoundPoints, Seated

    Rounds = Sequence[RoundPoints]

NEUTRAL = Fraction(BYE)
"""Of an opponent who has no other round, and of a player who has met nobody: the average of every table."""
LOWER_FIRST: frozenset[TieBreak] = frozenset(("punishments", "lots"))
"""In these the smaller number is better; in all others the larger one."""
_ALL_BUT_ONE = lcm(*range(1, MOST_SEATS))
"""What the opponents at a table, one to four, all divide."""


def mean(numbers: Sequence[Fraction | int], otherwise: Fraction | int = 0) -> Fraction:
    """Give the mean. otherwise: that of no numbers."""
    if not numbers:
        return Fraction(otherwise)
    whole = sum(numbers)
    return Fraction(whole, len(numbers)) if isinstance(whole, int) else whole / len(numbers)


def total(rounds: Rounds) -> int:
    """Give the sum of a player's points."""
    return sum(one.points for one in rounds if one.points is not None)


def points(rounds: Rounds) -> Fraction:
    """Give the mean of a player's points over the rounds that count."""
    return mean([one.points for one in rounds if one.points is not None])


def tables(rounds: Rounds) -> list[Seated]:
    """Give how a player came off at each table that has a result."""
    return [one.at for one in rounds if one.at is not None]


def win(at: Seated) -> Fraction:
    """Give how much of a table's first place a player has: all of it, a share of it, nothing."""
    return Fraction(1, at.sharing_first) if at.sharing_first else Fraction(0)


def wins(rounds: Rounds) -> Fraction:
    """Give how much of a first place a player has at a table, on average."""
    return mean([win(at) for at in tables(rounds)])


def cards(rounds: Rounds) -> Fraction:
    """Give the player's share of a table's cards, on average over the tables whose cards were counted."""
    return mean([Fraction(*at.cards) for at in tables(rounds) if at.cards is not None])


def without(rounds: Rounds, player: int) -> list[int]:
    """Give an opponent's points of all rounds that count, but those in which the opponent met `player`."""
    return [
        one.points for one in rounds if one.points is not None and (one.at is None or player not in one.at.opponents)
    ]


def opponent(rounds: Rounds, player: int) -> Fraction:
    """Give what an opponent is worth to `player`: the mean of all points but those of rounds in which they met."""
    those = without(rounds, player)
    return Fraction(sum(those), len(those)) if those else NEUTRAL


def opponents(player: int, of: Mapping[int, Rounds]) -> Fraction:
    """Give how good a player's opponents are elsewhere: the mean of each table's, and of these. of: by player.

    It is summed up in whole numbers, as many times too large as all that is divided by divides: thousands of players
    have a hundred thousand opponents, and a fraction of each would take seconds.
    """
    met = tables(of[player])
    if not met:
        return NEUTRAL
    times = lcm(*range(1, 1 + max(len(of[other]) for at in met for other in at.opponents)))
    whole = 0
    for at in met:
        worth = sum(_times(times, of[one], player) for one in at.opponents)
        whole += worth * (_ALL_BUT_ONE // len(at.opponents))
    return Fraction(whole, _ALL_BUT_ONE * times * len(met))


def _times(times: int, rounds: Rounds, player: int) -> int:
    """Give so many times what an opponent is worth, a whole number; see `opponent`."""
    those = without(rounds, player)
    return times * sum(those) // len(those) if those else times * BYE


def punishments(rounds: Rounds) -> Fraction:
    """Give how many of a player's presses were punished at a table, on average."""
    return mean([at.punished for at in tables(rounds)])


def lot(seed: str, event: str, player: int) -> int:
    """Give a player's lot, 256 bits, which nobody could know before the seed was told."""
    return int.from_bytes(sha256(f"{seed}:{event}:{player}".encode()).digest(), "big")
