"""What the referee may set by hand (`les-apaches.md`, 10): money, and where figures are. No figure is lost by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.games.les_apaches.rules.state import Column, Figures, Phase, State, paid, with_figures, with_gang

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.record.lines import ByHand

MOST_MONEY = 20_000
MOST_BURGLARIES = 7
SETTABLE = frozenset(Phase) - {Phase.SEALED, Phase.DONE, Phase.OVER}
KINDS = ("leaders", "novices", "reinforcements")


class Setting(NamedTuple):
    """Something that can be set. what: "money", a kind of figure, …; district: where, 0 where that is not asked."""

    colour: Colour
    what: str
    district: int
    high: int
    value: int

    @property
    def key(self) -> str:
        """As the record names it."""
        return f"{self.colour} {self.what} {self.district}" if self.district else f"{self.colour} {self.what}"


def settings(state: State) -> Iterator[Setting]:
    """Give all that can be set now."""
    if state.phase not in SETTABLE:
        return
    for seat, (colour, gang) in enumerate(zip(state.terms.colours, state.gangs, strict=True)):
        yield Setting(colour, "money", 0, MOST_MONEY, gang.money)
        for district in state.terms.opened:
            there = state.streets[district - 1][seat]
            for what, own, reserve in zip(KINDS, there, gang.reserve, strict=True):
                if own + reserve:
                    yield Setting(colour, what, district, own + reserve, own)
        for what, out in (("hospital", gang.hospital[0]), ("jail", gang.jail[0]), ("killed", gang.killed)):
            if out + gang.leaders:
                yield Setting(colour, what, 0, out + gang.leaders, out)
        yield Setting(colour, "burglaries", 0, MOST_BURGLARIES, gang.burglaries)


def set_by_hand(state: State, line: ByHand) -> State:
    """Give the state with what was entered; the judge has checked the key and the range."""
    colour, what, *where = line.set.split()
    seat = state.terms.colours.index(Colour(colour))
    gang = state.gangs[seat]
    if where:
        return _with_figures(state, seat, KINDS.index(what), int(where[0]), line.value)
    match what:
        case "money":
            return paid(state, seat, Column.HAND, line.value - gang.money)
        case "hospital":
            home = gang.leaders + gang.hospital[0] - line.value
            return with_gang(state, seat, replace(gang, leaders=home, hospital=(line.value, gang.hospital[1])))
        case "jail":
            home = gang.leaders + gang.jail[0] - line.value
            return with_gang(state, seat, replace(gang, leaders=home, jail=(line.value, gang.jail[1])))
        case "killed":
            home = gang.leaders + gang.killed - line.value
            return with_gang(state, seat, replace(gang, leaders=home, killed=line.value))
    return with_gang(state, seat, replace(gang, burglaries=line.value))


def _with_figures(state: State, seat: int, kind: int, district: int, value: int) -> State:
    there, gang = list(state.streets[district - 1][seat]), state.gangs[seat]
    reserve = list(gang.reserve)
    reserve[kind] += there[kind] - value
    there[kind] = value
    figures: Figures = (there[0], there[1], there[2])
    home = replace(gang, leaders=reserve[0], novices=reserve[1], reinforcements=reserve[2])
    streets = with_figures(state.streets, district, seat, figures)
    return replace(with_gang(state, seat, home), streets=streets)
