"""The game's own lines and rulings (`docs/games/les-apaches.md`): what is decided at the table, and what follows."""

from __future__ import annotations

from companion.core.panel import Colour  # noqa: TC001 - the decoder reads it
from companion.core.record.lines import Count, Line
from companion.core.ruling.rulings import Outcome, Ruling
from companion.games.les_apaches.rules.districts import District, Kind, Loot

Step = tuple[Kind, District, District]
"""A kind of figure, the district it leaves, and the one it enters."""


class Draft(Line, frozen=True, tag="draft"):
    """A hideout is taken from a district's stack."""

    colour: Colour
    district: District


class Muster(Line, frozen=True, tag="muster"):
    """Figures go from the reserve into a district."""

    colour: Colour
    district: District
    leaders: Count = 0
    novices: Count = 0
    reinforcements: Count = 0


class Prowl(Line, frozen=True, tag="prowl"):
    """One or two figures go to other districts. adjacent: the table says that these touch."""

    colour: Colour
    figures: tuple[Step, ...]
    adjacent: bool | None = None


class Hideout(Line, frozen=True, tag="hideout"):
    """A hideout is shown and laid."""

    colour: Colour
    district: District
    loot: Loot


class Bail(Line, frozen=True, tag="bail"):
    """So many prisoners are bought free."""

    colour: Colour
    prisoners: Count


class Unlaid(Line, frozen=True, tag="unlaid"):
    """What the hideout says that was taken away from a district."""

    district: District
    loot: Loot


class Unmask(Line, frozen=True, tag="unmask"):
    """Whether a gang's burghers have the policeman among them."""

    colour: Colour
    policeman: bool


LINES: tuple[type[Line], ...] = (Draft, Muster, Prowl, Hideout, Bail, Unlaid, Unmask)


class Drafted(Ruling, frozen=True, tag="drafted"):
    """The stacks are empty. hands: by colour, the districts of its hideouts."""

    round: int
    hands: dict[str, tuple[str, ...]]


class Mustered(Ruling, frozen=True, tag="mustered"):
    """Figures were placed. strength: of every gang in the district then."""

    colour: Colour
    district: str
    leaders: int
    novices: int
    reinforcements: int
    strength: dict[str, int]


class Prowled(Ruling, frozen=True, tag="prowled"):
    """Figures were moved. strengths: by the districts that were left or entered."""

    colour: Colour
    figures: tuple[Step, ...]
    strengths: dict[str, dict[str, int]]


class Laid(Ruling, frozen=True, tag="laid"):
    """A hideout was laid. left: how many the gang has yet."""

    colour: Colour
    district: str
    loot: str
    left: int


class Bailed(Ruling, frozen=True, tag="bailed"):
    """Prisoners were bought free, or none."""

    colour: Colour
    prisoners: int
    francs: int


class LastLap(Ruling, frozen=True, tag="last_lap"):
    """The last turn of each gang in a round comes, in this order."""

    round: int
    order: tuple[Colour, ...]


class DistrictSettled(Ruling, frozen=True, tag="district"):
    """What became of a district at the end of a round."""

    round: int
    district: str
    loot: str | None
    strength: dict[str, int]
    colour: Colour | None
    francs: int
    reinforcements: int
    lost: int
    burghers: int
    given: dict[str, int]


class RoundOver(Ruling, frozen=True, tag="round_over"):
    """Figures came home. back: leaders from hospital and jail. first: of the next round."""

    round: int
    back: dict[str, int]
    money: dict[str, int]
    first: Colour | None


class FinalAccount(Ruling, frozen=True, tag="account"):
    """What a gang gets at the end."""

    colour: Colour
    burghers: int
    burgher_francs: int
    policeman: bool
    policeman_francs: int
    jailed: int
    fit: int
    fit_francs: int
    money: int


class ApachesOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object. complete: the final accounts have been made."""

    complete: bool
    round: int
    lap: int
    money: dict[str, int]
    fit: dict[str, int]
    burghers: dict[str, int]
    policeman: Colour | None
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most money, and of those most figures fit for action."""
        return self.leaders
