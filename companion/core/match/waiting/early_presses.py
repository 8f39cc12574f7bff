"""Presses that wait for their card: made while no card lies that they could be about. Pure; knows no game.

Such a press usually belongs to a card that has been turned and not entered yet. It waits with its time: when the card
is entered it follows it into the record; when no card was turned it is recorded as the ignored press it then is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.match.waiting.unrecorded import Instant
from companion.core.words.texts import texts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from companion.core.panel import Colour
    from companion.core.record.lines import PressLine


class Waited(NamedTuple):
    """What has waited: the presses in time, whether their race was closed and when, those that were late.

    closed_ns: None where the race still runs, or was closed by a restart, on another clock.
    """

    in_time: tuple[PressLine, ...]
    is_closed: bool
    closed_ns: int | None
    late: tuple[PressLine, ...]


class EarlyPresses:
    """The presses that wait, in the order they came.

    is_closed, closed_ns: whether their race was closed, and when; None where it was not, or by no time.
    """

    def __init__(self) -> None:
        self._presses: list[PressLine] = []
        self.is_closed = False
        self.closed_ns: int | None = None

    def __len__(self) -> int:
        return len(self._presses)

    def __iter__(self) -> Iterator[PressLine]:
        return iter(self._presses)

    def add(self, press: PressLine) -> bool:
        """Let a press wait. Gives False where it will not count: it is late, or not the first of its seat."""
        is_first = all(other.colour is not press.colour for other in self._presses)
        self._presses.append(press)
        return is_first and not self._is_late(press)

    def add_by_time(self, press: PressLine) -> None:
        """Let a press that has got its card wait in front of those that were made later."""
        later = (place for place, other in enumerate(self._presses) if other.t_ns > press.t_ns)
        self._presses.insert(next(later, len(self._presses)), press)

    def close(self, t_ns: int | None) -> None:
        """The race takes no press made later than this; a press from before still counts, however late it comes.

        t_ns: None where the clock has started anew since, so that no later press can be compared with these.
        """
        self.is_closed, self.closed_ns = True, t_ns

    def in_race(self, seated: Collection[Colour]) -> tuple[PressLine, ...]:
        """Give the presses that will count: the first in time of each seat."""
        first: dict[Colour, PressLine] = {}
        for press in sorted(self._presses, key=lambda press: press.t_ns):
            if press.colour in seated and not self._is_late(press):
                first.setdefault(press.colour, press)
        return tuple(first.values())

    def instants(self) -> tuple[Instant, ...]:
        """Say which presses wait."""
        return tuple(Instant(press.t_ns, press.colour) for press in self._presses)

    def late(self) -> tuple[PressLine, ...]:
        """Give the presses made after the close."""
        return tuple(press for press in self._presses if self._is_late(press))

    def take(self) -> Waited:
        """Give all that has waited, and let nothing wait any more."""
        in_time = tuple(press for press in self._presses if not self._is_late(press))
        waited = Waited(in_time, self.is_closed, self.closed_ns, self.late())
        self._presses, self.is_closed, self.closed_ns = [], False, None
        return waited

    def _is_late(self, press: PressLine) -> bool:
        return self.closed_ns is not None and press.t_ns > self.closed_ns


def without_card(count: int) -> str:
    """Say how many presses wait for their card."""
    return texts("{count} press without a card", "{count} presses without a card", count)
