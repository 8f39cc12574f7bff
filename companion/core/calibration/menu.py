"""A calibration at the box: whose allowance, how each seat plays, begin, pause, go on, agree; by knob and buttons.

Gives what there is to show, and takes what is done. Pure; knows no display.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from companion.core.calibration import kept as keeping
from companion.core.calibration.course import PATIENCE_NS, Calibration, is_same_table
from companion.core.calibration.interval import PER_MS
from companion.core.calibration.measured import allowance_of, median_ms
from companion.core.calibration.stages import Stage
from companion.core.calibration.trials import BECAME, WAYS, Series, Way
from companion.core.errors import CompanionError, Illegal, Malformed
from companion.core.match.effects import KeepTrials, Measured, Sound, Tone
from companion.core.shown.calibrating import Calibrating, ProposalShown, SeatTrials
from companion.core.shown.scene import Menu, MenuItem, Question
from companion.core.words.texts import number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.core.match.effects import Effect
    from companion.core.panel import Colour
    from companion.core.timing.events import Press


@dataclass
class Supplies:
    """What calibrations are made with. draw: gives a number from 0 to below another. kept: trials of another time, as
    `KeepTrials` had them. date: gives the wall time."""

    draw: Callable[[int], int]
    patience_ns: int = PATIENCE_NS
    kept: bytes | None = None
    date: Callable[[], str] = str


class _Item(NamedTuple):
    """A line of the menu, and what a push does."""

    item: MenuItem
    pick: Callable[[], None]


class CalibrationMenu:
    """What is asked and shown around a calibration. seats, names: who sits at the table. ways: how seats play, where
    that is known.

    is_left: it is over, and the seating goes on. effects: what is wanted done; notice: a word on what was done last.
    """

    def __init__(
        self, seats: tuple[Colour, ...], names: Mapping[Colour, str], supplies: Supplies, ways: Mapping[Colour, Way]
    ) -> None:
        """Raises Illegal where fewer than two seats are taken."""
        if len(seats) < 2:
            raise Illegal(text("two seats are needed: one is measured against the others"))
        self.calibration: Calibration | None = None
        self.is_left, self.notice = False, ""
        self.effects: list[Effect] = []
        self._seats, self._names, self._supplies, self._ways = seats, names, supplies, ways
        self._kept: keeping.Kept | None = None  # that may be gone on with
        self._cursor, self._now_ns = 0, 0

    def choose(self, player: Colour) -> None:
        """Measure this seat's allowance. Raises Illegal where nobody sits there."""
        if player not in self._seats:
            raise Illegal(text("{colour} has no seat").format(colour=player))
        supplies = self._supplies
        ways = {colour: self._ways.get(colour, Way.CHOICE) for colour in self._seats}
        self.calibration = Calibration(player, ways, self._names, supplies.draw, supplies.patience_ns)
        self._cursor = 0
        self._kept = self._found(self.calibration)

    def _found(self, calibration: Calibration) -> keeping.Kept | None:
        """Give the trials that can be gone on with; damaged ones are told, and kept no longer."""
        if self._supplies.kept is None:
            return None
        try:
            kept = keeping.parse(self._supplies.kept)
        except Malformed as error:
            self.notice = str(error)
            self._keep(None)
            return None
        return kept if is_same_table(calibration, kept) and kept.trials else None

    # -- what is done ------------------------------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """Take a seat's press."""
        if self.calibration is not None:
            self.calibration.press(press)
            self._collect()

    def turn(self, steps: int) -> None:
        """The knob was turned."""
        items = self._items()
        self._cursor = (self._cursor + steps) % len(items) if items else 0

    def click(self) -> None:
        """The knob was pushed: pick what is marked; in a trial, pause."""
        self.notice = ""
        items = self._items()
        try:
            if items:
                items[min(self._cursor, len(items) - 1)].pick()
            else:  # a trial runs
                self.pause()
        except CompanionError as error:
            self.notice = str(error)
            self.effects.append(Sound(Tone.REFUSED))
        self._collect()

    def hold(self) -> None:
        """The knob was held: a trial pauses; else it is left."""
        if self.calibration is not None and self.calibration.stage.is_trial:
            self.pause()
        else:
            self.leave()

    def go_on(self) -> None:
        """Begin, or go on. Raises Illegal where neither can be."""
        calibration, self.notice = self._running(), ""
        if self._kept is not None:
            calibration.take_up(self._kept)
            self._kept = None
        calibration.go_on(self._now_ns)
        self._cursor = 0

    def anew(self) -> None:
        """Begin without the trials of another time. Raises Illegal where it has begun."""
        if self._running().stage is not Stage.TOLD:
            raise Illegal(text("it has begun already"))
        self._kept = None
        self._keep(None)
        self.go_on()

    def pause(self) -> None:
        """Rest. Raises Illegal where no trial runs."""
        self._running().pause()
        self._cursor = 0

    def leave(self) -> None:
        """Back to the seating; nothing is changed."""
        if self.calibration is not None and not self.calibration.stage.is_over:
            self.calibration.leave()
        self._collect()
        self.is_left = True

    def agree(self, colour: Colour, *, agrees: bool = True) -> None:
        """Take a seat's consent, or that it does not. Raises Illegal where it is not asked."""
        calibration = self._running()
        if agrees:
            calibration.agree(colour)
        elif colour not in calibration.missing or calibration.stage is not Stage.PROPOSED:
            raise Illegal(text("{colour} is not asked to agree").format(colour=colour))
        else:
            calibration.decline(colour)
        self._collect()

    def without(self, colour: Colour) -> None:
        """Go on without a seat. Raises Illegal where that cannot be."""
        self._running().without(colour)
        self._seats = tuple(one for one in self._seats if one is not colour)
        self._cursor = 0
        self._collect()

    def set_way(self, colour: Colour, way: Way) -> None:
        """Say how a seat plays. Raises Illegal once trials have been made, or where nobody sits there."""
        self._running().set_way(colour, way)

    def said(self, token: int, t_ns: int, fault: str) -> None:
        """What is asked has been said, or could not be."""
        if self.calibration is not None:
            self.calibration.said(token, t_ns, fault)
            self._collect()

    def advance(self, now_ns: int, settled_ns: int) -> None:
        """Let time pass."""
        self._now_ns = now_ns
        if self.calibration is not None:
            self.calibration.advance(now_ns, settled_ns)
            self._collect()

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which `advance` next has something to do, None where it has not."""
        return self.calibration.next_deadline(behind_ns) if self.calibration is not None else None

    def _running(self) -> Calibration:
        if self.calibration is None:
            raise Illegal(text("no calibration has been begun"))
        return self.calibration

    def _collect(self) -> None:
        """Pass on what the calibration wants done; where it is over, what came of it."""
        calibration = self.calibration
        if calibration is None:
            return
        effects, calibration.effects = calibration.effects, []
        for effect in effects:
            if isinstance(effect, KeepTrials):
                self._supplies.kept = effect.content
        self.effects += effects
        self.notice = calibration.notice or self.notice
        if calibration.stage.is_over and not self.is_left:
            self.is_left = True
            if calibration.stage is Stage.AGREED:
                name = calibration.names.get(calibration.player, "")
                allowance = allowance_of(calibration, self._supplies.date())
                self.effects.append(Measured(calibration.player, name, allowance))

    def _keep(self, content: bytes | None) -> None:
        self._supplies.kept = content
        self.effects.append(KeepTrials(content))

    # -- what is shown -----------------------------------------------------------------------------------------------

    def scene(self) -> Calibrating | Question:
        """Give what there is to show."""
        items = tuple(one.item for one in self._items())
        menu = Menu("", items, min(self._cursor, max(0, len(items) - 1)))
        if self.calibration is None:
            return Question(text("Calibrate"), (text("Whose allowance is to be measured?"),), menu)
        return _scene(self.calibration, menu, self._kept)

    def _items(self) -> list[_Item]:
        calibration = self.calibration
        if calibration is None:
            seats = [_Item(MenuItem(seat.short), lambda seat=seat: self.choose(seat)) for seat in self._seats]  # type: ignore[misc]
            return [*seats, _Item(MenuItem(text("back")), self.leave)]
        if calibration.stage is Stage.TOLD:
            return [
                *self._beginnings(),
                *map(self._way, calibration.ways),
                _Item(MenuItem(text("not now")), self.leave),
            ]
        if calibration.stage is Stage.PAUSED:
            others = [colour for colour in calibration.series if colour is not calibration.player]
            leaving = [self._leaves(colour) for colour in others] if len(others) > 1 else []
            return [
                _Item(MenuItem(text("go on")), self.go_on),
                *leaving,
                _Item(MenuItem(text("go on another time")), self.leave),
            ]
        return [_Item(MenuItem(text("do not agree")), self.leave)] if calibration.stage is Stage.PROPOSED else []

    def _beginnings(self) -> list[_Item]:
        if self._kept is None:
            return [_Item(MenuItem(text("begin")), self.go_on)]
        says = text("go on after {count}").format(count=self._kept.trials)
        return [_Item(MenuItem(says), self.go_on), _Item(MenuItem(text("begin anew")), self.anew)]

    def _way(self, colour: Colour) -> _Item:
        calibration = self._running()
        ways = tuple(Way)
        following = ways[(ways.index(calibration.ways[colour]) + 1) % len(ways)]
        item = MenuItem(text("{seat} plays").format(seat=colour.short), WAYS[calibration.ways[colour]])
        return _Item(item, lambda: calibration.set_way(colour, following))

    def _leaves(self, colour: Colour) -> _Item:
        return _Item(MenuItem(text("without {seat}").format(seat=colour.short)), lambda: self.without(colour))


def _scene(calibration: Calibration, menu: Menu, kept: keeping.Kept | None) -> Calibrating:
    proposal, trial, stage = calibration.proposal, calibration.trial, calibration.stage
    answers = trial.answers if trial is not None and stage is Stage.RESTING else {}
    least = min(len(series.times_ms) for series in calibration.series.values())
    wanted = calibration.wanted
    shown = None
    if proposal is not None and stage is Stage.PROPOSED:
        found = proposal.interval
        shown = ProposalShown(
            proposal.ms, found.quarters // PER_MS, found.low_ms, found.high_ms, proposal.trials, proposal.is_low
        )
    return Calibrating(
        calibration.player,
        text("{seat}: {count} of {wanted}").format(
            seat=calibration.player.short, count=min(least, wanted), wanted=wanted
        ),
        _lines(calibration, shown, kept),
        menu,
        wanted,
        tuple(
            _seat(colour, calibration.ways[colour], series, BECAME[answers[colour].became] if colour in answers else "")
            for colour, series in calibration.series.items()
        ),
        trial.asks if trial is not None and stage is Stage.ASKED else None,
        any(way is Way.SWITCH for way in calibration.ways.values()),
        shown,
        calibration.missing if stage is Stage.PROPOSED else (),
        STAGES.get(stage, "trying"),
        kept.trials if kept is not None else 0,
    )


STAGES = {Stage.TOLD: "told", Stage.PAUSED: "paused", Stage.PROPOSED: "proposed"}
"""What pages call a stage; all others are of trials."""


def _seat(colour: Colour, way: Way, series: Series, became: str) -> SeatTrials:
    middle = median_ms(series.times_ms) if series.times_ms else None
    return SeatTrials(
        colour, way, series.times_ms, middle, series.anticipated, series.wrong, series.lapsed, became
    )  # fmt: skip


def _lines(calibration: Calibration, shown: ProposalShown | None, kept: keeping.Kept | None) -> tuple[str, ...]:
    stage, player = calibration.stage, calibration.player.short
    if shown is not None:
        return _proposal_lines(shown, player)
    if stage is Stage.TOLD:
        begun = text("some are kept from before") if kept is not None else text("30 trials and more")
        return (text("All seats press what is shown, as fast as they can."), begun)
    if stage is Stage.PAUSED:
        return (text("pause: {why}").format(why=calibration.notice) if calibration.notice else text("pause"),)
    if stage is Stage.RESTING:
        return ("",)
    return (text("wait …"),) if stage in {Stage.WAITING, Stage.SPEAKING} else ("",)


def _proposal_lines(shown: ProposalShown, player: str) -> tuple[str, ...]:
    low, high = number(f"{shown.low_ms:,}"), number(f"{shown.high_ms:,}")
    is_low, each = text("the interval's lower end, after {count} trials"), text("after {count} trials of each")
    return (
        text("{seat}: −{ms} ms").format(seat=player, ms=number(f"{shown.ms:,}")),
        text("95 %: {low} to {high} ms").format(low=low, high=high),
        (is_low if shown.is_low else each).format(count=shown.trials),
        text("any button agrees, the fourth does not"),
    )
