"""A table of Les Apaches de Paris for tests: positions and lines as one writes them down, rulings out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import ByHand, ChanceLine, End, Line, Open, Seat, Setup, SetupFile, Undo
from companion.core.ruling.chance import commitment
from companion.core.ruling.judge import Judge
from companion.games.les_apaches.rules.districts import HIDEOUTS
from companion.games.les_apaches.rules.lines import Bail, DistrictSettled, Draft, Hideout, Muster, Prowl, Unlaid, Unmask
from companion.games.les_apaches.rules.state import Phase, State
from companion.games.registry import find

Rulings = tuple[Any, ...]
SEED = "5eed"
KINDS = {"l": "leader", "n": "novice", "r": "reinforcement"}


def setup_line(
    seats: str, board: str | None = None, *, box: bool = False, seed: str | None = SEED, **more: Any
) -> Setup:
    """Give a setup: seats clockwise, the first one begins."""
    colours = seats.split()
    return Setup(
        record=2,
        match="0" * 32,
        game="les-apaches",
        edition=1,
        seats=tuple(Seat(Colour(colour)) for colour in colours),
        first=Colour(more.pop("first", colours[0])),
        parameters={"burghers": "box" if box else "pieces", **more},
        files=None if board is None else {"board": SetupFile("board.toml", board)},
        seed_sha256=commitment(seed) if seed else None,
    )


class Table:
    """A match, by a judge of its own. Positions can be put down without playing up to them."""

    def __init__(self, seats: str, board: str | None = None, **more: Any) -> None:
        self.judge = Judge(find)
        self.rulings: Rulings = ()
        self.judge.feed(setup_line(seats, board, **more))

    @property
    def state(self) -> State:
        state: State = self.judge.state
        return state

    @property
    def game(self) -> Any:
        return self.judge.game

    def feed(self, line: Line) -> Rulings:
        return self.judge.feed(line)

    # -- positions

    def put(self, **gangs: str) -> Table:
        """Put figures down: red="3:2l1n 7:1l" takes two leaders and a novice of red's reserve to district 3, …"""
        for colour, places in gangs.items():
            for place in places.split():
                district, _, figures = place.partition(":")
                self._put(Colour(colour), int(district), figures)
        return self

    def _put(self, colour: Colour, district: int, figures: str) -> None:
        state = self.state
        seat = state.terms.colours.index(colour)
        counts = [
            int(next((n for n, k in zip(figures[::2], figures[1::2], strict=True) if k == kind), 0)) for kind in KINDS
        ]
        gang = state.gangs[seat]
        gang = replace(
            gang,
            leaders=gang.leaders - counts[0],
            novices=gang.novices - counts[1],
            reinforcements=gang.reinforcements - counts[2],
        )
        streets: list[list[Any]] = [list(row) for row in state.streets]
        streets[district - 1][seat] = tuple(counts)
        gangs = tuple(gang if n == seat else one for n, one in enumerate(state.gangs))
        self.judge.state = replace(state, gangs=gangs, streets=tuple(map(tuple, streets)))

    def gang(self, colour: str, **fields: Any) -> Table:
        """Change what a gang has."""
        state, seat = self.state, self.state.terms.colours.index(Colour(colour))
        gangs = tuple(replace(one, **fields) if n == seat else one for n, one in enumerate(state.gangs))
        self.judge.state = replace(state, gangs=gangs)
        return self

    def turn(self, lap: int = 1, *, hands: str = "", number: int = 1) -> Table:
        """Go to a lap of a round, the first player in turn. hands: "red=111 blue=26", else everybody has 1 6 6 …"""
        state = self.state
        course = state.course
        held = dict(part.split("=") for part in hands.split()) if hands else {}
        rows = []
        for colour in state.terms.colours:
            own = held.get(str(colour), "")
            rows.append(tuple(own.count(str(n)) for n in range(1, len(HIDEOUTS) + 1)))
        course = replace(course, number=number, lap=lap, at=0, hands=tuple(rows), acted=False)
        self.judge.state = replace(state, phase=Phase.TURN, course=course)
        return self

    # -- lines

    def draft(self, colour: str, district: int) -> Rulings:
        return self.feed(Draft(colour=Colour(colour), district=str(district)))

    def muster(self, colour: str, district: int, leaders: int = 0, novices: int = 0, extra: int = 0) -> Rulings:
        return self.feed(
            Muster(
                colour=Colour(colour), district=str(district), leaders=leaders, novices=novices, reinforcements=extra
            )
        )

    def prowl(self, colour: str, *steps: str, adjacent: bool | None = None) -> Rulings:
        """Move: each step is "l 3 4", a kind, from, to."""
        figures = tuple((KINDS[kind], origin, target) for kind, origin, target in map(str.split, steps))
        return self.feed(Prowl(colour=Colour(colour), figures=figures, adjacent=adjacent))

    def lay(self, colour: str, district: int, loot: str) -> Rulings:
        return self.feed(Hideout(colour=Colour(colour), district=str(district), loot=loot))

    def bail(self, colour: str, prisoners: int) -> Rulings:
        return self.feed(Bail(colour=Colour(colour), prisoners=prisoners))

    def unlaid(self, district: int, loot: str) -> Rulings:
        return self.feed(Unlaid(district=str(district), loot=loot))

    def unmask(self, colour: str, *, policeman: bool) -> Rulings:
        return self.feed(Unmask(colour=Colour(colour), policeman=policeman))

    def shuffle(self, *result: str) -> Rulings:
        by: Any = "hand" if result else "box"
        return self.feed(ChanceLine(name="burghers", n=1, by=by, result=result or None))

    def open(self) -> Rulings:
        return self.feed(Open(seed=SEED))

    def by_hand(self, key: str, value: int) -> Rulings:
        return self.feed(ByHand(set=key, value=value, reason="seen at the table"))

    def end(self) -> Rulings:
        return self.feed(End())

    def undo(self) -> Rulings:
        return self.feed(Undo())

    # -- what is the case

    def money(self) -> dict[str, int]:
        return {
            str(colour): gang.money for colour, gang in zip(self.state.terms.colours, self.state.gangs, strict=True)
        }

    def of(self, colour: str) -> Any:
        return self.state.gangs[self.state.terms.colours.index(Colour(colour))]

    def in_turn(self) -> str:
        return str(self.state.terms.colours[self.state.seat])

    def settle(self, loots: dict[int, str] | None = None, number: int = 1) -> list[DistrictSettled]:
        """End a round by the last hideout of the last gang, answer what is asked, and give what became of districts."""
        state = self.state
        last = state.terms.colours[-1]
        self.turn(6, hands=f"{last}={state.terms.quarters[0]}", number=number)
        course = self.state.course
        order = (*range(len(state.terms.colours)),)
        self.judge.state = replace(self.state, course=replace(course, at=len(order) - 1, order=order))
        rulings: list[Any] = list(self.lay(str(last), state.terms.quarters[0], "theft"))
        while self.state.phase is Phase.UNLAID:
            district = self.state.asking
            rulings += self.unlaid(district, (loots or {}).get(district, "money 200"))
        self.rulings = tuple(rulings)
        return [ruling for ruling in rulings if isinstance(ruling, DistrictSettled)]


def settled_in(rulings: Iterable[Any], district: int) -> DistrictSettled:
    settled = (one for one in rulings if isinstance(one, DistrictSettled))
    return next(one for one in settled if one.district == str(district))


def figures_in_all(state: State) -> list[tuple[int, int]]:
    """Count each gang's leaders and novices wherever they are."""
    found = []
    for seat, gang in enumerate(state.gangs):
        there = [row[seat] for row in state.streets]
        leaders = gang.leaders + sum(gang.hospital) + sum(gang.jail) + gang.killed + sum(f[0] for f in there)
        novices = gang.novices + gang.spent + sum(f[1] for f in there)
        found.append((leaders, novices))
    return found
