"""A box at which an allowance is measured, with players as quick as a test says; no clock but the test's own."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from companion.core.calibration.menu import Supplies
from companion.core.match.effects import KeepTrials, Measured
from companion.core.shown.calibrating import Calibrating
from tests.core.play.virtual_box import VirtualBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.calibration.course import Calibration
    from companion.core.panel import Colour

    Quickness = Callable[[Colour, int], float | None]
    """How many ms a seat takes in a trial, by the trial's number from 0; None: it does not press."""


def supplies(seed: int = 1, **more: Any) -> Supplies:
    """Waits and cards drawn by a seed."""
    drawn = random.Random(seed)
    return Supplies(drawn.randrange, date=lambda: "2026-11-24T20:00:00Z", **more)


class Table(VirtualBox):
    """A seating at which somebody picks "calibrate". Times are ms of the test."""

    def __init__(self, *seats: str, **options: Any) -> None:
        options = {"supplies": supplies(), "start": False, **options}
        super().__init__(seats or ("red", "yellow", "blue"), "apache", **options)
        self.trials = 0

    def begin(self, player: str = "RED", first: str = "begin", plays: int = 0) -> None:
        """Have the allowance of a seat measured, by knob. plays: so often how it plays is changed to the next way."""
        for label in ("calibrate", player, *[f"{player} plays"] * plays, first):
            self.pick(label, self.now_ms + 100)

    @property
    def shown(self) -> Calibrating:
        """What is shown of it; it must be."""
        assert isinstance(self.body, Calibrating), self.body
        return self.body

    def until_asked(self) -> None:
        """Let time pass until a press is asked for, or the trials rest."""
        for _ in range(10):
            trial = self._calibration.trial
            if self.shown.asks is not None or trial is None:
                return
            self.run(max(trial.due_ns / 1_000_000, self.now_ms + 1))
        raise AssertionError("nothing is asked for")

    @property
    def _calibration(self) -> Calibration:
        calibration = self.session.measuring.menu.calibration
        assert calibration is not None
        return calibration

    def trial(self, quick: Quickness) -> None:
        """Let each seat press what is asked for, as quickly as `quick` says, and see what became of it."""
        self.until_asked()
        asked = self.shown.asks
        if asked is None:
            return
        now, longest = self.asked_ms, 0.0
        for seat in self.shown.seats:
            took = quick(seat.colour, self.trials)
            if took is not None:
                self.press(f"{seat.colour} {asked}", now + took)
                longest = max(longest, took)
        self.trials += 1
        self.run(now + longest + 200)

    @property
    def asked_ms(self) -> float:
        """When it was asked for."""
        trial = self._calibration.trial
        assert trial is not None
        assert trial.asked_ns is not None
        return trial.asked_ns / 1_000_000

    def play(self, quick: Quickness, most: int = 130) -> None:
        """Trials until they rest."""
        for _ in range(most):
            self.until_asked()
            if self.shown.asks is None:
                return
            self.trial(quick)
            self.run(self.now_ms + 1000)

    def measured(self) -> list[Measured]:
        """What was agreed to."""
        return [effect for effect in self.effects if isinstance(effect, Measured)]

    def kept_trials(self) -> list[bytes | None]:
        """What was to be kept, in order."""
        return [effect.content for effect in self.effects if isinstance(effect, KeepTrials)]
