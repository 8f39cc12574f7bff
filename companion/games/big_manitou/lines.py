"""The lines and rulings of Big Manitou (`big-manitou.md`, Lines in, Lines out). Fields are in the order of the JSON."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.core.panel import Colour  # noqa: TC001 - the decoder reads the fields' types
from companion.core.record.lines import Line
from companion.core.ruling.rulings import Outcome, Ruling

GroundName = Literal["left", "middle", "right"]
MOST_ON_GROUND = 9
Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_ON_GROUND)]


class GroundsLine(Line, frozen=True, tag="grounds"):
    """So many tiles lie on the left, middle and right ground, from this hunt on."""

    booty: tuple[Count, Count, Count]


class BootyLine(Line, frozen=True, tag="booty"):
    """This tile lies on that ground."""

    ground: GroundName
    tile: str


class HuntingLine(Line, frozen=True, tag="hunting"):
    """A seat has its cards and is ready."""

    colour: Colour


class HuntLine(Line, frozen=True, tag="hunt"):
    """A seat plays a card face up at a ground."""

    colour: Colour
    card: str
    ground: GroundName


class ForgoLine(Line, frozen=True, tag="forgo"):
    """A seat plays no card, or moves no hunter."""

    colour: Colour


class RideLine(Line, frozen=True, tag="ride"):
    """A seat moves one of its hunters to that ground."""

    colour: Colour
    card: str
    ground: GroundName


class ForfeitLine(Line, frozen=True, tag="forfeit"):
    """A seat discards a tile to the thief."""

    colour: Colour
    tile: str


class LootLine(Line, frozen=True, tag="loot"):
    """A seat takes a tile from the ground that is being shared."""

    colour: Colour
    tile: str


LINES: tuple[type[Line], ...] = (
    GroundsLine, BootyLine, HuntingLine, HuntLine, ForgoLine, RideLine, ForfeitLine, LootLine,
)  # fmt: skip

# -- what follows from them ------------------------------------------------------------------------------------------


class Muster(Ruling, frozen=True, tag="muster"):
    """The tiles of a hunt lie there: which, by ground; who takes how many cards, and begins."""

    hunt: int
    dealer: Colour
    begins: Colour
    cards: dict[str, int]
    tiles: dict[str, tuple[str, ...]]


class CardPlayed(Ruling, frozen=True, tag="played"):
    """A card lies at a ground."""

    hunt: int
    ground: str
    colour: Colour
    card: str


class Passed(Ruling, frozen=True, tag="passed"):
    """A seat has played no card, or moved no hunter."""

    hunt: int
    colour: Colour
    what: Literal["turn", "eighth", "ride"]


class Rode(Ruling, frozen=True, tag="rode"):
    """A hunter was moved to a ground. before: from which."""

    hunt: int
    ground: str
    colour: Colour
    card: str
    before: str


class Guard(Ruling, frozen=True, tag="guard"):
    """A second hero was laid upon one of the same seat."""

    hunt: int
    ground: str
    colour: Colour
    card: str
    under: str


class Trial(Ruling, frozen=True, tag="trial"):
    """A hero met another seat's. up: whose hero lies face up there now."""

    hunt: int
    ground: str
    colour: Colour
    card: str
    against: Colour
    met: str
    result: Literal["wins", "both", "loses"]
    sacrifice: bool
    up: Colour | None


class Thief(Ruling, frozen=True, tag="thief"):
    """Whose hunters are strongest of all: they pay, in this order."""

    hunt: int
    totals: dict[str, int]
    pays: tuple[Colour, ...]


class Stolen(Ruling, frozen=True, tag="stolen"):
    """A seat has paid the thief; None where it had nothing."""

    hunt: int
    colour: Colour
    tile: str | None


class Gained(Ruling, frozen=True, tag="gained"):
    """A seat takes a tile from a ground."""

    hunt: int
    ground: str
    colour: Colour
    by: Literal["hero", "most", "second"]
    tile: str


class Cylinder(Ruling, frozen=True, tag="cylinder"):
    """The totem's or the horse's cylinder goes to a seat."""

    hunt: int
    of: Literal["totem", "horse"]
    colour: Colour
    before: Colour | None


class Totals(Ruling, frozen=True, tag="totals"):
    """What the hunters of a ground come to, and who takes therefore."""

    hunt: int
    ground: str
    totals: dict[str, int]
    tied: tuple[Colour, ...]
    most: Colour | None
    second: Colour | None


class Gone(Ruling, frozen=True, tag="gone"):
    """Tiles of a ground that nobody takes."""

    hunt: int
    ground: str
    tiles: tuple[str, ...]


class Hunted(Ruling, frozen=True, tag="hunted"):
    """A hunt is over."""

    hunt: int
    points: dict[str, int]


class Having(msgspec.Struct, frozen=True):
    """What a seat has: the sums of the numbers on its tipis and buffaloes, of the others how many; all its tiles."""

    tipis: int
    buffaloes: int
    horses: int
    totems: int
    tomahawks: int
    tiles: int


class ManitouOutcome(Outcome, frozen=True, tag="outcome"):
    """How the match stands. totem, horse: who holds the cylinder; tomahawk: who has the point for most of them."""

    hunts: int
    points: dict[str, int]
    has: dict[str, Having]
    totem: Colour | None
    horse: Colour | None
    tomahawk: Colour | None
    grounds: int
    gone: int
    bag: int
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who leads."""
        return self.leaders
