"""The lines and rulings of a clock, beside those of every record (`docs/games/clock.md`, Lines, Rulings)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from companion.core.panel import Colour  # noqa: TC001 - a line is read by its types
from companion.core.record.lines import HandLine, Line, TimedLine
from companion.core.ruling.rulings import Outcome, Ruling

MOST_POINTS = 9_999
Points = Annotated[int, msgspec.Meta(ge=-MOST_POINTS, le=MOST_POINTS)]


class Start(TimedLine, frozen=True, tag="start"):
    """The clocks run."""

    colour: Colour | None = None


class Pause(TimedLine, frozen=True, tag="pause"):
    """The clocks stop."""

    colour: Colour | None = None


class Done(TimedLine, frozen=True, tag="done"):
    """A seat ends its turn."""

    colour: Colour


class Pass(TimedLine, frozen=True, tag="pass"):
    """A seat ends its turn, and has no further one in this round."""

    colour: Colour


class Fall(TimedLine, frozen=True, tag="fall"):
    """A flag falls, and every press made before it is in the record."""

    colour: Colour


class Late(TimedLine, frozen=True, tag="late"):
    """Whose flag has just fallen pressed."""

    colour: Colour


class Score(Line, frozen=True, tag="score"):
    """A seat has so many points in all."""

    colour: Colour
    value: Points


class Adjust(HandLine, frozen=True, tag="adjust"):
    """The referee gives a seat so much time, or takes it."""

    colour: Colour
    seconds: Literal[-300, -120, -60, -10, -1, 1, 10, 60, 120, 300]


LINES: tuple[type[Line], ...] = (Start, Pause, Done, Pass, Fall, Late, Adjust, Score)


class Flag(Ruling, frozen=True, tag="flag"):
    """A flag has fallen. place: in the order in which they fell. t_ns: None by hand."""

    colour: Colour
    t_ns: int | None
    place: int
    out: bool

    def is_alarm(self) -> bool:
        """Tell that everybody is to hear of it."""
        return True


class Stopped(Ruling, frozen=True, tag="stopped"):
    """Fewer than two are in."""

    left: tuple[Colour, ...]


class RoundOver(Ruling, frozen=True, tag="round"):
    """A round has ended. first: whose turn it is then, None where all move at once."""

    round: int
    first: Colour | None


class TurnOver(Ruling, frozen=True, tag="turn"):
    """A move is completed. left_ns: after all that was added. close: see `docs/games/clock.md`, Rulings."""

    colour: Colour
    how: Literal["done", "pass"]
    t_ns: int | None
    spent_ns: int
    left_ns: int
    added_ns: int
    moves: int
    close: bool


class TooLate(Ruling, frozen=True, tag="late"):
    """A press that came after its clock had stopped."""

    colour: Colour
    t_ns: int | None
    behind_ns: int | None
    close: bool


class Times(msgspec.Struct, frozen=True):
    """What a seat has used, as of the last recorded instant."""

    left_ns: int
    spent_ns: int
    longest_ns: int
    over_ns: int
    moves: int


class ClockOutcome(Outcome, frozen=True, tag="outcome"):
    """The `outcome` object."""

    times: dict[str, Times]
    fallen: tuple[Colour, ...]
    rounds: int
    scores: dict[str, int]
    leaders: tuple[Colour, ...]

    def ahead(self) -> tuple[Colour, ...]:
        """Give who has most points, or is left."""
        return self.leaders
