"""What a hand card may claim from a table (`apache.md`, What a hand card may claim, Choices, Variants).

This is the one legality check: verdicts, settling, menus and replay all rest on it. Changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from companion.games.apache.cards import MAIDENS, MALES, TEEPEE, USUAL, Card, Counts, Role, indian
from companion.games.apache.wording import NO_BOOTY, NO_INDIAN

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.games.apache.state import Terms


class Choice(msgspec.Struct, frozen=True):
    """One thing a claimant may take.

    take: "booty", "teepees" or "wedding". cards: in the order they go onto the pile. named: the prisoners or the spouse
    that name the choice, any of them; empty where the choice has no such detail.
    """

    take: str
    cards: tuple[Card, ...]
    named: tuple[Card, ...] = ()


def choices(match: Terms, table: Counts, colour: Colour, role: Role) -> tuple[Choice, ...]:
    """Give all that the hand card may claim from `table`, each set of cards once; empty where it may claim nothing."""
    own = indian(colour, role)
    teepees = table[TEEPEE]
    usual = USUAL[role]
    booty = table[usual]
    if not table[own] or not (teepees or booty):
        return ()
    allies = match.allies_of(role)
    takers = (own, *(card for card in allies for _ in range(table[card])))
    found: list[Choice] = []
    if booty and role is Role.CHIEF:
        found += _with_prisoner(takers, allies, table, (usual,) * booty)
    elif booty:
        found.append(Choice("booty", takers + (usual,) * booty))
    if teepees:
        found.append(Choice("teepees", takers + (TEEPEE,) * teepees))
        if match.wedding:
            spouses = MALES if role is Role.MAIDEN else MAIDENS
            cards = (TEEPEE,) * teepees
            found += [Choice("wedding", (*takers, card, *cards), (card,)) for card in spouses if table[card]]
    return tuple(found)


def why_punished(match: Terms, table: Counts, colour: Colour, role: Role) -> str | None:
    """Tell why the hand card could not have claimed anything from `table`; None where it could."""
    if choices(match, table, colour, role):
        return None
    return NO_BOOTY if table[indian(colour, role)] else NO_INDIAN


def _with_prisoner(
    takers: tuple[Card, ...], allies: tuple[Card, ...], table: Counts, booty: tuple[Card, ...]
) -> list[Choice]:
    """Give a chief's claims of the usual booty. An ally comes along anyway, so allies as prisoner are one choice."""
    prisoners = [card for card in MALES if table[card] > (card == takers[0])]
    present = tuple(card for card in allies if table[card])
    found = [Choice("booty", takers + booty, present)] if present else []
    found += [Choice("booty", (*takers, card, *booty), (card,)) for card in prisoners if card not in allies]
    return found
