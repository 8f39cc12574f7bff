"""Many things that may be set by hand, so that one is found among them: in groups. Pure; knows no game.

A label names first whose a thing is ("RED points"), or last ("017 RED"): labels are in the people's language, keys are
not. So things are grouped by the first word of their labels or by the last, whichever makes the way to one shorter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.ruling.game import Adjustable

FEW = 8
"""So many are found in one list."""


class Group(NamedTuple):
    """Things that go together; says: the word that they share, of one alone its whole label."""

    says: str
    things: tuple[Adjustable, ...]


def grouped(things: Sequence[Adjustable]) -> tuple[Group, ...]:
    """Give the things in groups, each where its first one stands."""
    return min(_by_word(things, 0), _by_word(things, -1), key=_way)


def _by_word(things: Sequence[Adjustable], place: int) -> tuple[Group, ...]:
    found: dict[str, list[Adjustable]] = {}
    for one in things:
        found.setdefault((one.label.split() or [one.key])[place], []).append(one)
    return tuple(
        Group(word if len(several) > 1 else several[0].label, tuple(several)) for word, several in found.items()
    )


def _way(groups: Sequence[Group]) -> tuple[int, int]:
    """Give how many items there are at most to go by: the groups, then the largest of them; and how many groups."""
    return len(groups) + max((len(group.things) for group in groups), default=0), len(groups)
