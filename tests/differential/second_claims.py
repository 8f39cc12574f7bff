"""What a hand card of Apache may claim from a table, and in which order it goes onto the pile; by the rules alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.differential.strict_lines import COLOURS, INDIAN_ROLES, Line

USUAL = {"maiden": "necklace", "warrior": "tomahawk", "hunter": "buffalo", "chief": "totem pole"}
MALE_ROLES = ("chief", "warrior", "hunter")
MALES = tuple(f"{colour} {role}" for colour in COLOURS for role in INDIAN_ROLES if role in MALE_ROLES)
MAIDENS = tuple(f"{colour} maiden" for colour in COLOURS)

Table = Counter[str]


@dataclass
class Option:
    """One way to claim: `named` are all (prisoner, spouse) by which a player may name it."""

    take: str
    cards: list[str]
    named: set[tuple[str | None, str | None]] = field(default_factory=set)

    def is_named_by(self, claim: Line) -> bool:
        return self.take == claim["take"] and (claim.get("prisoner"), claim.get("spouse")) in self.named


class Claims:
    """The claims of one match, by its seats and variants."""

    def __init__(self, setup: Line) -> None:
        playing = {seat["colour"] for seat in setup["seats"]}
        self.unowned = [colour for colour in COLOURS if colour not in playing]
        self.variants = set(setup.get("variants", ()))

    def options(self, table: Table, colour: str, role: str) -> list[Option]:
        """Give what the hand card may claim; options that take the same cards are one."""
        if not table[f"{colour} {role}"]:
            return []
        merged: dict[tuple[str, ...], Option] = {}
        for option in self._all(table, colour, role):
            same = merged.setdefault((option.take, *sorted(option.cards)), option)
            same.named |= option.named
        return list(merged.values())

    def why_not(self, table: Table, colour: str, role: str) -> str | None:
        """Say why the hand card can claim nothing from this table; None where it can."""
        if not table[f"{colour} {role}"]:
            return "no matching Indian"
        return None if self.options(table, colour, role) else "nothing to claim"

    def _all(self, table: Table, colour: str, role: str) -> Iterator[Option]:
        own = [f"{colour} {role}", *self._allies(table, role)]
        left = table - Counter([f"{colour} {role}"])
        usual = [USUAL[role]] * table[USUAL[role]]
        if usual and role == "chief":
            for prisoner in _standing(left, MALES):
                taken = own if prisoner in own[1:] else [*own, prisoner]
                yield Option("booty", [*taken, *usual], {(prisoner, None)})
        elif usual:
            yield Option("booty", [*own, *usual], {(None, None)})
        if table["teepee"]:
            yield from self._with_teepees(own, left, role)

    def _with_teepees(self, own: list[str], left: Table, role: str) -> Iterator[Option]:
        teepees = ["teepee"] * left["teepee"]
        yield Option("teepees", [*own, *teepees], {(None, None)})
        if "wedding" in self.variants:
            for spouse in _standing(left, MALES if role == "maiden" else MAIDENS):
                yield Option("wedding", [*own, spouse, *teepees], {(None, spouse)})

    def _allies(self, table: Table, role: str) -> list[str]:
        if "shared-booty" not in self.variants:
            return []
        cards = [f"{colour} {role}" for colour in self.unowned]
        return [card for card in cards for _ in range(table[card])]


def _standing(table: Table, cards: tuple[str, ...]) -> list[str]:
    return [card for card in cards if table[card]]
