"""The edges that a source has lost, or may have: told at once, then once a second for as long as it goes on. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.timing.events import SECOND, SourceFault
from companion.core.words.texts import texts

if TYPE_CHECKING:
    from collections.abc import Iterable

TOLD_NS = SECOND
"""How often a loss that goes on is told."""


class Losses:
    """What was lost since it was last told. perhaps: the sentence where it is not known whether any was.

    `is_owing`: the levels of the lines that lost edges are to be told anew.
    """

    def __init__(self, perhaps: str) -> None:
        self._perhaps = perhaps
        self._lost = 0
        self._lines: dict[str, None] = {}
        self._is_news = False
        self._told_ns: int | None = None
        self.is_owing = False

    def hear(self, lost: int, lines: Iterable[str]) -> None:
        """Edges were lost, or may have been (`lost` 0). lines: on which a press may have gone with them."""
        self._lost += lost
        self._lines |= dict.fromkeys(lines)
        self._is_news = self.is_owing = True

    def tell(self, source: str, now_ns: int, *, at_once: bool = False) -> list[SourceFault]:
        """Give what is to be said now. at_once: whether or not something was said a moment ago."""
        is_early = self._told_ns is not None and now_ns - self._told_ns < TOLD_NS
        if not self._is_news or (is_early and not at_once):
            return []
        says = (
            texts(
                "{count} edge was lost: more came than the kernel could keep",
                "{count} edges were lost: more came than the kernel could keep",
                self._lost,
            )
            if self._lost
            else self._perhaps
        )
        fault = SourceFault(source, says, now_ns, self._lost, tuple(self._lines))
        self._lost, self._is_news, self._told_ns = 0, False, now_ns
        self._lines.clear()
        return [fault]
