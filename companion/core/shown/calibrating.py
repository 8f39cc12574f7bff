"""What a calibration shows: trials, numbers, what is proposed. Plain values, for any display."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.panel import Colour, Position
    from companion.core.shown.scene import Menu


@dataclass(frozen=True, slots=True)
class SeatTrials:
    """A seat's trials. way: how it plays: "choice" among its cards, one "switch", "spoken". times_ms: those that count,
    oldest first. median_ms: of them, None where there is none.

    anticipated, wrong, lapsed: how many did not count, and why. became: what became of this trial, "" where it is not
    known yet.
    """

    colour: Colour
    way: str = "choice"
    times_ms: tuple[int, ...] = ()
    median_ms: int | None = None
    anticipated: int = 0
    wrong: int = 0
    lapsed: int = 0
    became: str = ""


@dataclass(frozen=True, slots=True)
class ProposalShown:
    """An allowance that trials speak for: 95 of 100 such intervals, from low_ms to high_ms, hold the true difference.

    difference_ms: the player's median less the median of the others' medians. is_low: the proposal is the lower end.
    """

    ms: int
    difference_ms: int
    low_ms: int
    high_ms: int
    trials: int
    is_low: bool = False


@dataclass(frozen=True, slots=True)
class Calibrating:
    """An allowance for `player` is being measured.

    title, lines: what there is to read. asks: which of a seat's four buttons is asked for now; None: none is. is_any:
    some seat answers with any button. wanted: so many trials of each seat make this round whole. menu: what can be
    picked, by the knob. missing: the seats that have not agreed to the proposal yet. stage: "told" what will happen,
    "trying", "paused" or "proposed". kept: so many trials of each seat are kept from before, to go on with.
    """

    player: Colour
    title: str
    lines: tuple[str, ...]
    menu: Menu
    wanted: int
    seats: tuple[SeatTrials, ...] = ()
    asks: Position | None = None
    is_any: bool = False
    proposal: ProposalShown | None = None
    missing: tuple[Colour, ...] = ()
    stage: str = "trying"
    kept: int = 0
