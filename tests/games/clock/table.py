"""A clock for tests: lines in as one writes them down, times in milliseconds, rulings out."""

from __future__ import annotations

from typing import Any

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import ByHand, End, Line, Restart, Seat, Setup, Undo
from companion.core.ruling.judge import Judge
from companion.games.clock import GAME
from companion.games.clock.lines import Adjust, Done, Fall, Late, Pass, Pause, Score, Start

MS = 1_000_000
S = 1_000 * MS


CLOCK: Any = GAME
"""The game, for tests that look into what it gives."""


def find(_name: str) -> Any:
    return GAME


class Table:
    """Seats clockwise; `first` begins. Parameters as the setup has them."""

    def __init__(self, seats: str = "red yellow", *, first: str | None = None, **parameters: Any) -> None:
        self.judge: Any = Judge(find)
        self.colours = [Colour(one) for one in seats.split()]
        self.judge.feed(
            Setup(
                record=2,
                match="0" * 32,
                game="clock",
                edition=1,
                seats=tuple(Seat(colour) for colour in self.colours),
                first=Colour(first or self.colours[0]),
                parameters=parameters or None,
            )
        )

    @property
    def state(self) -> Any:
        return self.judge.state

    def feed(self, line: Line) -> tuple[Any, ...]:
        rulings: tuple[Any, ...] = self.judge.feed(line)
        return rulings

    def refused(self, line: Line) -> int:
        """Give the number of the rule that refuses a line; nothing has changed."""
        before = self.judge.state
        try:
            self.judge.feed(line)
        except Illegal as error:
            assert self.judge.state == before
            return int(str(error).rsplit("(rule ", 1)[1].rstrip(")"))
        raise AssertionError(f"{line} is taken")

    def start(self, ms: float | None = 0) -> tuple[Any, ...]:
        return self.feed(Start(t_ns=_ns(ms)))

    def pause(self, ms: float | None) -> tuple[Any, ...]:
        return self.feed(Pause(t_ns=_ns(ms)))

    def done(self, colour: str, ms: float | None, error_ns: int = 0) -> tuple[Any, ...]:
        return self.feed(Done(colour=Colour(colour), t_ns=_ns(ms), error_ns=error_ns))

    def passes(self, colour: str, ms: float | None) -> tuple[Any, ...]:
        return self.feed(Pass(colour=Colour(colour), t_ns=_ns(ms)))

    def falls(self, colour: str, ms: float) -> tuple[Any, ...]:
        return self.feed(Fall(colour=Colour(colour), t_ns=_ns(ms)))

    def late(self, colour: str, ms: float | None, error_ns: int = 0) -> tuple[Any, ...]:
        return self.feed(Late(colour=Colour(colour), t_ns=_ns(ms), error_ns=error_ns))

    def score(self, colour: str, value: int) -> tuple[Any, ...]:
        return self.feed(Score(colour=Colour(colour), value=value))

    def adjust(self, colour: str, seconds: Any) -> tuple[Any, ...]:
        return self.feed(Adjust(colour=Colour(colour), seconds=seconds))

    def by_hand(self, key: str, value: int) -> tuple[Any, ...]:
        return self.feed(ByHand(set=key, value=value, reason="a test"))

    def restart(self) -> None:
        self.feed(Restart())

    def undo(self) -> None:
        """As the box does: the lines that go together, and what is written then."""
        newest = self.judge.history.newest_doing()
        assert newest is not None
        how = GAME.taking_back(self.state, newest.line)
        for _ in range(how.lines):
            self.feed(Undo())
        if how.then is not None:
            self.feed(how.then)

    def end(self) -> tuple[Any, ...]:
        return self.feed(End())

    # -- what is the case

    def left(self) -> dict[str, float]:
        """Give what is left of each clock, in milliseconds."""
        return {str(c): clock.left / MS for c, clock in zip(self.colours, self.state.seats, strict=True)}

    @property
    def turn(self) -> str:
        return str(self.colours[self.state.turn])

    @property
    def phase(self) -> str:
        return str(self.state.phase.value)

    def out(self) -> list[str]:
        return [str(self.colours[seat]) for seat in self.state.fallen]


def _ns(ms: float | None) -> int | None:
    return None if ms is None else round(ms * MS)
