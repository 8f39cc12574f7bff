"""Presses that were accepted and are not durable in the record yet: each is kept until nothing can lose it. Pure.

Theory of operation. A press is *taken* as soon as it is accepted, before it has its place in the order of time. It has
been *dealt with* once it went through the session and waits for nothing more (a card, a knob that is still held): then
everything that follows from it is written. When that much of the record is durable, the press need not be kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import BUTTON_BY_LABEL, label_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from companion.core.panel import Colour
    from companion.core.timing.events import Press


class Instant(NamedTuple):
    """Which press: whose, and when it was made. Nobody makes two in one nanosecond."""

    t_ns: int
    colour: Colour


def instant_of(press: Press) -> Instant | None:
    """Say which press it is; None for the knob's, which is nobody's."""
    button = BUTTON_BY_LABEL.get(label_of(press.line))
    return None if button is None else Instant(press.t_ns, button.colour)


class Unrecorded:
    """The presses that are kept, of one match."""

    def __init__(self) -> None:
        self._kept: dict[Instant, Press] = {}
        self._fed: set[Instant] = set()
        self._needs: dict[Instant, int] = {}  # the number of lines that must be durable first

    def __len__(self) -> int:
        return len(self._kept)

    def take(self, press: Press) -> bool:
        """Keep an accepted press. Gives False for one that is kept already, or is nobody's."""
        which = instant_of(press)
        if which is None or which in self._kept:
            return False
        self._kept[which] = press
        return True

    def fed(self, press: Press) -> None:
        """A press has its place in the order of time and goes through the session."""
        which = instant_of(press)
        if which is not None:
            self._fed.add(which)

    def dealt_with(self, waiting: Collection[Instant], written: Collection[Instant], lines: int) -> None:
        """All that was fed has been dealt with, but for what still waits.

        written: which of them became lines; what became none was an answer (a card, a choice), and must not be taken
        for a play later. lines: that the record has now.
        """
        for which in self._fed - set(waiting):
            self._fed.discard(which)
            if which in self._kept:
                self._needs[which] = lines if which in written else 0

    def durable(self, lines: int) -> list[Press]:
        """Give the presses that need not be kept any more: the first `lines` lines are durable."""
        done = [which for which, needs in self._needs.items() if needs <= lines]
        for which in done:
            del self._needs[which]
        return [self._kept.pop(which) for which in done]

    def give_up(self) -> list[Press]:
        """Give all that is kept, and keep nothing: the match is over."""
        kept = list(self._kept.values())
        self._kept.clear()
        self._fed.clear()
        self._needs.clear()
        return kept


def unknown_to(record: Iterable[Instant], presses: Iterable[Press]) -> list[Press]:
    """Give those of the presses that the record has no line of, in the order of time."""
    known = set(record)
    return sorted((press for press in presses if instant_of(press) not in known), key=lambda press: press.t_ns)
