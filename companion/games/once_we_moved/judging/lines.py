"""The game's own lines and rulings (`docs/games/once-we-moved.md`, Lines in, Rulings)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from companion.core.panel import Colour  # noqa: TC001 - msgspec reads it
from companion.core.record.lines import Line
from companion.core.ruling.rulings import Outcome, Ruling

Tally = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]


class Undisclosed(Line, frozen=True, tag="undisclosed"):
    """The blocks of the pool were drawn at the table; the box knows none of them."""


class Chieftains(Line, frozen=True, tag="chieftains"):
    """So many Apache leaders are out this turn."""

    tally: Tally


class Segment(Line, frozen=True, tag="segment"):
    """A side is done. crossed: without a board, that Apache blocks went from the US to Mexico."""

    colour: Colour
    crossed: bool = False


class Deploy(Line, frozen=True, tag="deploy"):
    """Blocks are set up in an area."""

    colour: Colour
    area: str
    tally: Tally


class Trek(Line, frozen=True, tag="trek"):
    """Blocks go over one border."""

    colour: Colour
    whence: str
    whither: str
    tally: Tally


class Surplus(Line, frozen=True, tag="surplus"):
    """Without a board: so many blocks were taken off for being over a limit."""

    colour: Colour
    tally: Tally


class Stacked(Line, frozen=True, tag="stacked"):
    """So many of the blocks in an area that is over its limit are leaders."""

    colour: Colour
    area: str
    tally: Tally


class Unmasked(Line, frozen=True, tag="unmasked"):
    """So many rumours were shown, with a board in an area."""

    tally: Tally
    area: str | None = None


class Reinforced(Line, frozen=True, tag="reinforced"):
    """So much strength was gained in towns."""

    tally: Tally


class Removed(Line, frozen=True, tag="removed"):
    """A block is out of the match for good."""

    sticker: str


class Casualties(Line, frozen=True, tag="casualties"):
    """Blocks were taken off by combat."""

    colour: Colour
    area: str
    tally: Tally


class Reckoning(Line, frozen=True, tag="reckoning"):
    """What the rules that are known do not say: a number of the turn's account, entered."""

    toll: str
    tally: Tally


OWN_LINES: tuple[type[Line], ...] = (
    Undisclosed, Chieftains, Segment, Deploy, Trek, Surplus, Stacked, Unmasked, Reinforced, Removed, Casualties,
    Reckoning,
)  # fmt: skip


class ProvocationRuling(Ruling, frozen=True, tag="provocation"):
    """How provoked both sides are."""

    turn: int
    die: int
    modifier: int
    level: str


class Forces(Ruling, frozen=True, tag="forces"):
    """How many blocks are out of each pool."""

    turn: int
    out: dict[str, int]


class Cost(Ruling, frozen=True, tag="cost"):
    """What each of the blocks pays for the border; None where that is not known."""

    colour: Colour
    whence: str
    whither: str
    tally: int
    points: int | None
    crossing: bool


class Crossed(Ruling, frozen=True, tag="crossed"):
    """Apache blocks went from the US to Mexico."""

    colour: Colour


class Excess(Ruling, frozen=True, tag="excess"):
    """So many blocks are taken off for being over a limit."""

    colour: Colour
    area: str | None
    tally: int


class Earned(Ruling, frozen=True, tag="earned"):
    """Victory points."""

    colour: Colour
    toll: str
    tally: int
    points: int


class TurnRuling(Ruling, frozen=True, tag="turn"):
    """A turn is over. gains: who gains a victory level."""

    turn: int
    level: str
    points: dict[str, int]
    gains: Colour | None
    levels: dict[str, int]
    incursion: bool


class WindOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object."""

    turn: int
    turns: int
    stage: str
    level: str
    incursion: bool
    points: dict[str, int]
    levels: dict[str, int]
    out: dict[str, int]
    gone: tuple[str, ...]
    areas: dict[str, tuple[int, int]]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most victory levels."""
        return self.leaders
