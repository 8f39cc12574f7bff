"""Who could not play a race at this table without help, and what is proposed instead: to play without times. Pure.

A seat that scans has to be offered its cards in private, and a blind player to hear a card when the others see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Collection

    from companion.core.panel import Colour


class Outlets(NamedTuple):
    """By what the box can tell. seats: those with an earphone or a motor; phones: those that a phone plays."""

    seats: frozenset[Colour] = frozenset()
    phones: frozenset[Colour] = frozenset()
    has_voice: bool = True


def proposal(seats: Collection[Colour], scanning: Collection[Colour], outlets: Outlets, *, is_spoken: bool) -> str:
    """Say why to play without times; empty where everybody can play a race.

    seats: that are taken. scanning: those that play by a switch. is_spoken: cards shall be said before they are shown.
    """
    if is_spoken and not outlets.has_voice:
        return text("no voice says the cards: “play untimed” is fair to whoever cannot see them")
    told = outlets.seats | outlets.phones
    alone = next((colour for colour in seats if colour in scanning and colour not in told), None)
    if alone is None:
        return ""
    return text("{colour} scans without phone, earphone or motor: “play untimed” hides its card").format(
        colour=alone.short
    )
