"""Many things that may be set by hand, so that one is found among them: in groups. Pure; knows no game.

A label names first whose a thing is ("RED points"), or last what it is about ("017 RED"); keys are not for people. So
things are grouped by the first word of their labels, unless the last word makes far fewer groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import Text

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
    by_first, by_last = _by_word(things, 0), _by_word(things, -1)
    return by_last if 2 * len(by_last) <= len(by_first) else by_first


def _by_word(things: Sequence[Adjustable], place: int) -> tuple[Group, ...]:
    found: dict[str, list[Adjustable]] = {}
    for one in things:
        found.setdefault((one.label.split() or [one.key])[place], []).append(one)
    return tuple(
        Group(_said(word, several[0].label) if len(several) > 1 else several[0].label, tuple(several))
        for word, several in found.items()
    )


def _said(word: str, label: str) -> str:
    """Give a word of a label as what it is for people: where it was filled in as a text, that text."""
    values = label.values.values() if isinstance(label, Text) else ()
    return next((value for value in values if isinstance(value, str) and value == word), word)
