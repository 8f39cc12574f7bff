"""Standings worked out once more, from `docs/standings.md` alone: slowly, by other means, sharing no code."""

from __future__ import annotations

import hashlib
from fractions import Fraction

HALF = Fraction(1, 2)


class Slow:
    """An event by the page's rules; everything is looked for anew each time that it is asked for."""

    def __init__(self, rounds, seed, event):
        self.rounds = sorted(rounds, key=lambda one: one.number)
        self.seed, self.event = seed, event

    def table(self, player, one):
        for result in one.results:
            if any(place.player == player for place in result.places):
                return result
        return None

    def is_listed(self, player, one):
        return player in one.byes or player in one.missed or player in one.given or self.table(player, one) is not None

    def of_round(self, player, one):
        """Points of a round; None where it does not count."""
        if player in one.given:
            return Fraction(one.given[player])
        if player in one.byes:
            return Fraction(12)
        if player in one.missed:
            return Fraction(0)
        result = self.table(player, one)
        if result is None:
            before = [two for two in self.rounds if two.number <= one.number and self.is_listed(player, two)]
            return Fraction(0) if before and not one.waiting else None
        (mine,) = [place for place in result.places if place.player == player]
        got = Fraction(0)
        for place in result.places:
            if place.player != player:
                got += 1 if place.rank > mine.rank else HALF if place.rank == mine.rank else 0
        return 24 * got / (len(result.places) - 1)

    def mean(self, numbers, otherwise=0):
        numbers = list(numbers)
        return sum(numbers, Fraction(0)) / len(numbers) if numbers else Fraction(otherwise)

    def played(self, player):
        found = [(one, self.table(player, one)) for one in self.rounds]
        return [(one, result) for one, result in found if result is not None]

    def points(self, player, but_for=None):
        return [
            got
            for one in self.rounds
            if (got := self.of_round(player, one)) is not None
            and not (but_for and self.table(player, one) and self.table(player, one) == self.table(but_for, one))
        ]

    def wins(self, player):
        for _, result in self.played(player):
            firsts = [place.player for place in result.places if place.rank == 1]
            yield Fraction(1, len(firsts)) if player in firsts else Fraction(0)

    def cards(self, player):
        for _, result in self.played(player):
            is_counted = all(place.cards is not None for place in result.places)
            if is_counted and (whole := sum(place.cards for place in result.places)):
                yield Fraction(*(place.cards for place in result.places if place.player == player)) / whole

    def opponents(self, player):
        for _, result in self.played(player):
            yield self.mean(
                self.mean(self.points(place.player, player), 12) for place in result.places if place.player != player
            )

    def punished(self, player):
        for _, result in self.played(player):
            yield from (Fraction(place.punished) for place in result.places if place.player == player)

    def value(self, name, player):
        match name:
            case "points":
                return self.mean(self.points(player))
            case "opponents":
                return self.mean(self.opponents(player), 12)
            case "wins":
                return self.mean(self.wins(player))
            case "cards":
                return self.mean(self.cards(player))
            case "punishments":
                return self.mean(self.punished(player))
            case _:
                return int(hashlib.sha256(f"{self.seed}:{self.event}:{player}".encode()).hexdigest(), 16)

    def order(self, players, names):
        """Give (player, values) from the first to the last."""
        found = [(player, tuple(self.value(name, player) for name in names)) for player in players]

        def beats(one, other):
            for name, mine, theirs in zip(names, one[1], other[1], strict=True):
                if mine != theirs:
                    return (mine < theirs) == (name in {"lots", "punishments"})
            return one[0] < other[0]

        return sorted(found, key=lambda one: sum(beats(other, one) for other in found if other is not one))
