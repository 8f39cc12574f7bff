"""Where calibrations are at home in the seating: one at most goes on, in its place. Pure.

It lasts as long as the session: what trials were kept, and what allowances of seats rest on that were measured since
then. Whoever plays by a profile has that in the profile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.calibration.menu import CalibrationMenu, Supplies
from companion.core.errors import Illegal
from companion.core.match.effects import Measured
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.calibration.trials import Way
    from companion.core.match.effects import Effect
    from companion.core.panel import Colour
    from companion.core.profiles.evidence import Evidence
    from companion.core.profiles.profile import Allowance


class CalibrationHost:
    """Begins calibrations, and ends them. supplies: what they are made with; None: none can be. ways: gives how seats
    play that do not choose among four cards.

    measured: the allowance of a seat, and what it rests on, by who sat there then ("" for no name).
    """

    def __init__(
        self, supplies: Supplies | None = None, ways: Callable[[], Mapping[Colour, Way]] = dict
    ) -> None:  # fmt: skip
        self.supplies, self._ways = supplies, ways
        self.measured: dict[tuple[Colour, str], Allowance] = {}
        self._menu: CalibrationMenu | None = None

    @property
    def is_on(self) -> bool:
        """Tell whether one goes on."""
        return self._menu is not None

    @property
    def menu(self) -> CalibrationMenu:
        """Give the one that goes on. Raises Illegal where none does."""
        if self._menu is None:
            raise Illegal(text("no allowance is being measured"))
        return self._menu

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which time next does something to the one that goes on, None where it does not."""
        return None if self._menu is None else self._menu.next_deadline(behind_ns)

    def can_open(self, seats: tuple[Colour, ...]) -> bool:
        """Tell whether one can be begun at this table."""
        return self.supplies is not None and len(seats) > 1

    def open(self, seats: tuple[Colour, ...], names: Mapping[Colour, str], player: Colour | None = None) -> None:
        """Begin one; player: whose allowance, None where that is to be picked. Raises Illegal where it cannot be."""
        if self.supplies is None:
            raise Illegal(text("this box measures no allowances"))
        menu = CalibrationMenu(seats, names, self.supplies, self._ways())
        if player is not None:
            menu.choose(player)
        self._menu = menu

    def close(self) -> None:
        """End it where one goes on: something else begins. What was tried is kept."""
        self._menu = None

    def take(self) -> tuple[list[Effect], str, Measured | None]:
        """Give what is to be done, what is to be said, and what was agreed to just now; where it is over, end it."""
        menu = self.menu
        effects, menu.effects = menu.effects, []
        agreed = next((effect for effect in effects if isinstance(effect, Measured)), None)
        if agreed is not None:
            self.measured[agreed.colour, agreed.name] = agreed.allowance
        if menu.is_left:
            self._menu = None
        return effects, menu.notice, agreed

    def evidence_of(self, colour: Colour, name: str, allowance_ms: int) -> Evidence | None:
        """Give what a seat's allowance rests on; None where it is not what was measured for whoever sits there."""
        found = self.measured.get((colour, name))
        return found.evidence if found is not None and found.ms == allowance_ms else None
