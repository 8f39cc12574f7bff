"""Trials that are kept between two sittings, so that a calibration which was cut off is gone on with. Pure.

They are kept after each trial as a whole, or not at all. What they lead to is in no profile before every seat agreed.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.core.calibration.trials import Series, Way
from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.profiles.evidence import TimeMs
from companion.core.words.encoding import encode
from companion.core.words.texts import text

VERSION = 1
MOST_TIMES = 1_000

_Count = Annotated[int, msgspec.Meta(ge=0, le=10_000)]


class KeptSeries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's trials. name: of who sat there, "" where none was given. Else as in `Series`."""

    colour: Colour
    way: Way
    name: str = ""
    times_ms: Annotated[tuple[TimeMs, ...], msgspec.Meta(max_length=MOST_TIMES)] = ()
    error_ns: Annotated[int, msgspec.Meta(ge=0)] = 0
    anticipated: _Count = 0
    wrong: _Count = 0
    lapsed: _Count = 0

    @property
    def series(self) -> Series:
        """Give the trials alone."""
        return Series(self.times_ms, self.error_ns, self.anticipated, self.wrong, self.lapsed)


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A calibration for `player` that was cut off: everybody's trials, in the order of the seats."""

    version: int
    player: Colour
    seats: tuple[KeptSeries, ...]

    def __post_init__(self) -> None:
        """Raises ValueError where it cannot be a calibration."""
        colours = [seat.colour for seat in self.seats]
        if len(set(colours)) < len(colours) or self.player not in colours:
            raise ValueError("each seat has its trials once, and the player has some")
        if self.version != VERSION:
            raise ValueError(f"version {self.version}, and this program reads {VERSION}")

    @property
    def trials(self) -> int:
        """Of the seat that has fewest, how many count."""
        return min(len(seat.times_ms) for seat in self.seats)


def dump(kept: Kept) -> bytes:
    """Give it as it is kept."""
    return encode(kept)


def parse(content: bytes) -> Kept:
    """Read it again. Raises Malformed where it is damaged, or of another version."""
    try:
        return msgspec.json.decode(content, type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(text("the trials that were kept cannot be read: {error}").format(error=error)) from error
