"""Once We Moved Like the Wind as the contract of a game wants it. What is asked and shown is in the parts it is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Malformed
from companion.core.ruling.game import Adjustable
from companion.core.ruling.parameters import FileFault, Parameter, Sample, Seats, setting
from companion.games.once_we_moved.judging import play
from companion.games.once_we_moved.judging.by_hand import settable
from companion.games.once_we_moved.judging.course import by_side
from companion.games.once_we_moved.judging.lines import OWN_LINES, WindOutcome
from companion.games.once_we_moved.judging.pools import KEYS, LEVELS, Stickers, read_stickers
from companion.games.once_we_moved.judging.state import APACHE, ARMY, Stage, State, Terms
from companion.games.once_we_moved.judging.terrain import Terrain, read_terrain
from companion.games.once_we_moved.showing import Showing
from companion.games.once_we_moved.symbols import SYMBOLS

if TYPE_CHECKING:
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.rulings import Ruling

_PACKAGE = "companion.games.once_we_moved"
_READERS = {"terrain": read_terrain, "stickers": read_stickers}


class OnceWeMoved(Showing):
    """The game object that the entry point gives."""

    name = "once-we-moved"
    lines: tuple[type[Line], ...] = OWN_LINES
    roles: tuple[str, ...] = ("first", "second", "third", "fourth")
    symbols = SYMBOLS
    words = _PACKAGE
    demo = f"{_PACKAGE}:demo.script"
    rules = f"{_PACKAGE}:rules.md"
    rolls = True

    @property
    def title(self) -> str:
        """As much of it as a small display has room for; the rules have all of it."""
        return self.text("Once We Moved")

    @property
    def seats(self) -> Seats:
        """The first plays the Apache, the second the Army."""
        return Seats(2, 2, (self.text("Apache"), self.text("Army")))

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Turns, what the source does not give, and two files."""
        return (
            Parameter("turns", self.text("Turns"), "number", 7, low=7, high=9),
            Parameter("mountain", self.text("Mountain: Army"), "number", 0, low=0, high=9),
            Parameter("terrain", self.text("Terrain"), "file", ""),
            Parameter("stickers", self.text("Stickers"), "file", ""),
        )

    def samples(self, key: str) -> tuple[Sample, ...]:
        """Give files to begin with: the map as far as it is known, one to try, and the built-in names."""
        if key == "terrain":
            return (
                Sample("map.txt", self.text("The 41 areas, to be filled in"), f"{_PACKAGE}:map.txt"),
                Sample("practice.txt", self.text("Eight areas of ours, to try it"), f"{_PACKAGE}:practice.txt"),
            )
        if key == "stickers":
            return (Sample("stickers.txt", self.text("The names of the blocks"), f"{_PACKAGE}:stickers.txt"),)
        return ()

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
        """Give all that is wrong with a file, line by line."""
        return _READERS[key](text)[1] if key in _READERS else ()

    def start(self, setup: Setup) -> State:
        """Give the state before the first die. Raises Malformed for a file with a fault (W0)."""
        files = {key: file.text for key, file in (setup.files or {}).items()}
        turns, mountain = (setting(setup, parameter) for parameter in self.parameters[:2])
        apache, army = (seat.colour for seat in setup.seats)
        terrain, faults = read_terrain(files.get("terrain", ""))
        _verify("terrain", faults)
        stickers, faults = read_stickers(files.get("stickers", ""))
        _verify("stickers", faults)
        return _start(Terms((apache, army), int(turns), int(mountain), terrain, stickers))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
        return play.apply(state, line)

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give all that can be set by hand: tracks, forces, and with a board what stands in each area."""
        return tuple(Adjustable(key, self.key_says(key), low, high, value) for key, low, high, value in settable(state))

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.stage is Stage.OVER

    def can_end(self, state: State) -> bool:
        """Tell True before the end: players may stop at any time."""
        return state.stage is not Stage.OVER

    def is_exhausted(self, state: State) -> bool:
        """Tell whether the last turn is over."""
        return state.stage is Stage.END

    def outcome(self, state: State) -> WindOutcome:
        """Give the tracks, the forces and the areas as they stand."""
        terms, marks = state.terms, state.marks
        most = max(marks.levels)
        grounds = terms.terrain.grounds
        return WindOutcome(
            over=self.is_over(state),
            turn=marks.turn,
            turns=terms.turns,
            stage=state.stage.value,
            level=LEVELS[marks.level],
            incursion=marks.incursion,
            points=by_side(terms, state.points),
            levels=by_side(terms, marks.levels),
            out=dict(zip(KEYS, state.forces.out, strict=True)),
            gone=state.forces.gone,
            areas={ground.name: pair for ground, pair in zip(grounds, state.stacks, strict=True)},
            leaders=tuple(terms.colours[side] for side in (APACHE, ARMY) if marks.levels[side] == most),
        )


def _start(terms: Terms) -> State:
    return State(terms=terms, stacks=((0, 0),) * len(terms.terrain.grounds))


def _verify(key: str, faults: tuple[FileFault, ...]) -> None:
    """Raise Malformed for the first of the faults of a file."""
    for fault in faults:
        raise Malformed(f"rule W0: field `files`: {key}, line {fault.line}: {fault.says}")


__all__ = ["OnceWeMoved", "Stickers", "Terrain"]
