"""The cards that lie face down in an untimed match, and who plays none: what everybody may know, and what not. Pure.

Everybody may know who has laid a card and who plays none. Which card it is may nobody know before all are shown, so it
is in no line, no scene and no snapshot until then; the press stays in the intake, so that no kill loses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.core.match.waiting.unrecorded import Instant

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import PressLine


class Shown(NamedTuple):
    """The cards as they are shown, all at one instant, in seat order. changed: how often seats had changed theirs."""

    lines: tuple[PressLine, ...]
    changed: tuple[tuple[Colour, int], ...]


class FaceDown:
    """The cards of the race that is to come. seats: all that may play, clockwise."""

    def __init__(self) -> None:
        self._laid: dict[Colour, PressLine] = {}
        self._without: dict[Colour, int] = {}  # and since when
        self._changes: dict[Colour, int] = {}
        self._originals: dict[Instant, Instant] = {}  # of presses that were shown: when each was made

    def __bool__(self) -> bool:
        return bool(self._laid or self._without)

    @property
    def laid(self) -> frozenset[Colour]:
        """Whose card lies face down."""
        return frozenset(self._laid)

    @property
    def without(self) -> frozenset[Colour]:
        """Who plays no card this time."""
        return frozenset(self._without)

    def lay(self, line: PressLine) -> None:
        """Lay a card, in the place of the one that this seat has laid before."""
        before = self._laid.get(line.colour)
        if before is not None and before.role != line.role:
            self._changes[line.colour] = self._changes.get(line.colour, 0) + 1
        self._without.pop(line.colour, None)
        self._laid[line.colour] = line

    def play_none(self, colour: Colour, t_ns: int) -> None:
        """Play no card; one that lies there is taken up again."""
        self._laid.pop(colour, None)
        self._without[colour] = t_ns

    def show(self, t_ns: int, seats: tuple[Colour, ...]) -> Shown:
        """Show all cards at one instant; none lies face down after that."""
        laid = [self._laid[colour] for colour in seats if colour in self._laid]
        changed = tuple((colour, self._changes[colour]) for colour in seats if colour in self._changes)
        self._originals = {Instant(t_ns, line.colour): Instant(line.t_ns, line.colour) for line in laid}
        self.take_up()
        return Shown(tuple(replace(line, t_ns=t_ns, error_ns=0) for line in laid), changed)

    def take_up(self) -> None:
        """Everybody takes up the own card again."""
        self._laid.clear()
        self.next_card()
        self._changes.clear()

    def next_card(self) -> None:
        """Another card is what it is about: who played none may play."""
        self._without.clear()

    def instants(self) -> tuple[Instant, ...]:
        """Say which presses lie face down."""
        return tuple(Instant(line.t_ns, line.colour) for line in self._laid.values())

    def original(self, shown: Instant) -> Instant:
        """Say when a press was made that is shown at this instant; any other was made then."""
        return self._originals.get(shown, shown)
