"""A person's own filters in the place of the box's: what becomes of the timing of a seat's lines. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.core.timing.contacts import LineTiming


class OwnFilters(NamedTuple):
    """Times in ns, as in `LineTiming`; None: as the box has it for the seat."""

    bounce_ns: int | None = None
    accept_ns: int | None = None
    repeat_ns: int | None = None

    def over(self, usual: LineTiming) -> LineTiming:
        """Give the timing of a line that has these in the place of its own."""
        return replace(usual, **{name: value for name, value in self._asdict().items() if value is not None})
