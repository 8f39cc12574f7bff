"""A calibration from its first word to its last: trials in rounds, the proposal, and everybody's consent.

Gives effects; takes presses in the order of time, and time itself. `stages` has the table, `trials` what becomes of a
press. Draws nothing itself: `draw` is handed in. Knows no device and no display.

What a press is compared with. The stimulus is the instant of the turn in which the box shows what is asked, the same
for every seat. What a display adds to it (a picture takes up to 25 ms to an OLED, a frame of a page up to 17 ms) is the
same for all who look at the same one, and is gone from the difference of medians. It is not for who looks at a page of
their own; so what is asked stands on the box's display and on a page for all, and on no player's phone.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.calibration import kept as keeping
from companion.core.calibration.interval import MOST, ROUND
from companion.core.calibration.proposing import looks
from companion.core.calibration.stages import TABLE, Cause, Stage
from companion.core.calibration.trials import (
    LONGEST_WAIT_MS,
    SHORTEST_WAIT_MS,
    Answer,
    Became,
    Series,
    Way,
    answer_of,
)
from companion.core.errors import Illegal
from companion.core.following import followed
from companion.core.match.effects import Announce, Effect, KeepTrials, Sound, Tone
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Position
from companion.core.timing.events import MS, SECOND
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.calibration.proposing import Proposal
    from companion.core.panel import Colour
    from companion.core.timing.events import Press

REST_NS = 900 * MS
"""So long it is shown what became of a trial."""
PATIENCE_NS = 10 * SECOND
"""So long after what is asked a press is waited for, unless the settings say otherwise."""
MOST_DIFFERENCE_NS = 2 * MS
"""Clocks that may differ by less than this are not said to widen an interval."""


class Trial:
    """The trial that runs. due_ns: when its stage ends by itself. asked_ns: when it was asked for, None: not yet."""

    def __init__(self, began_ns: int, due_ns: int, asks: Position) -> None:
        self.began_ns, self.due_ns, self.asks = began_ns, due_ns, asks
        self.asked_ns: int | None = None
        self.answers: dict[Colour, Answer] = {}
        self.early: dict[Colour, Press] = {}  # made before anything was asked for


class Measuring:
    """What a calibration for one player holds, and what is known of it. Asking changes nothing.

    ways: how each seat plays, in seat order. draw: gives a number from 0 to below another.
    """

    def __init__(
        self,
        player: Colour,
        ways: Mapping[Colour, Way],
        names: Mapping[Colour, str],
        draw: Callable[[int], int],
        patience_ns: int = PATIENCE_NS,
    ) -> None:
        """Raises Illegal where there is nobody to compare the player with."""
        if player not in ways or len(ways) < 2:
            raise Illegal(text("somebody must sit at the table to compare with: two seats are needed"))
        self.player, self.names = player, dict(names)
        self.ways = dict(ways)
        self.stage, self.notice = Stage.TOLD, ""
        self.series = {colour: Series() for colour in ways}
        self.agreed: set[Colour] = set()
        self.effects: list[Effect] = []
        self.trial: Trial | None = None
        self._draw, self._patience_ns, self._token = draw, patience_ns, 0

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """What was proposed at each look so far."""
        others = [series.times_ms for colour, series in self.series.items() if colour is not self.player]
        return looks_of(self.series[self.player].times_ms, others, self.doubt_ms)

    @property
    def doubt_ms(self) -> int:
        """By how much the clocks of two seats may differ, in whole ms: of phones; buttons of the box differ by none."""
        own = self.series[self.player].error_ns
        others = max(series.error_ns for colour, series in self.series.items() if colour is not self.player)
        return (own + others) // MS if own + others >= MOST_DIFFERENCE_NS else 0

    @property
    def wanted(self) -> int:
        """How many trials of each seat make the round whole that runs, or has just been."""
        return min(MOST, ROUND * (len([one for one in self.proposals if not one.is_enough]) + 1))

    @property
    def proposal(self) -> Proposal | None:
        """What is proposed; None while more trials are needed."""
        return next((one for one in self.proposals if one.is_enough), None)

    @property
    def missing(self) -> tuple[Colour, ...]:
        """The seats that have not agreed yet."""
        return tuple(colour for colour in self.series if colour not in self.agreed)

    @property
    def is_spoken(self) -> bool:
        """Tell whether what is asked is said aloud, for everybody at once."""
        return Way.SPOKEN in self.ways.values()

    def kept(self) -> keeping.Kept:
        """Give all that is needed to go on another time."""
        return keeping.Kept(keeping.VERSION, self.player, tuple(
            keeping.KeptSeries(colour, self.ways[colour], self.names.get(colour, ""), *series)
            for colour, series in self.series.items()
        ))  # fmt: skip

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which `advance` next has something to do, None where it has not. behind_ns: of what is
        settled behind now."""
        trial = self.trial
        if trial is None or self.stage is Stage.SPEAKING:
            return None
        if self.stage is Stage.ASKED and len(trial.answers) < len(self.series):
            return trial.due_ns + behind_ns + 1
        return trial.began_ns if self.stage is Stage.ASKED else trial.due_ns


class Calibration(Measuring):
    """Measures it. Call `press`, `advance` and what people do; then take `effects`."""

    def take_up(self, kept: keeping.Kept) -> None:
        """Go on with trials of another time. Raises Illegal where they are of other people, or other seats."""
        if not is_same_table(self, kept):
            raise Illegal(text("the trials that were kept are of other players: begin anew"))
        for seat in kept.seats:
            self.ways[seat.colour] = seat.way
            self.series[seat.colour] = seat.series

    # -- what people do ----------------------------------------------------------------------------------------------

    def set_way(self, colour: Colour, way: Way) -> None:
        """Say how a seat plays. Raises Illegal once trials have been made, or for a colour that has no seat."""
        if self.stage is not Stage.TOLD or any(series.times_ms for series in self.series.values()):
            raise Illegal(text("how a seat plays is said before its first trial"))
        if colour not in self.ways:
            raise Illegal(text("{colour} has no seat").format(colour=colour))
        self.ways[colour] = way

    def go_on(self, now_ns: int) -> None:
        """Begin, or go on after a pause. Raises Illegal where neither can be."""
        self._follow(Cause.GO_ON)
        self.notice = ""
        self._next_trial(now_ns)

    def pause(self, why: str = "") -> None:
        """Rest; the trial that runs counts for nobody. Raises Illegal where no trial runs."""
        self._follow(Cause.PAUSE)
        self.trial, self.notice = None, why

    def leave(self) -> None:
        """End it without changing anything; what was tried is kept for another time, unless it was complete."""
        was_complete = self.stage is Stage.PROPOSED
        self._follow(Cause.LEAVE)
        self.trial = None
        if was_complete:
            self.effects.append(KeepTrials(None))

    def without(self, colour: Colour) -> None:
        """Go on without a seat that has left. Raises Illegal where that is the player, or nobody else is left."""
        if self.stage not in {Stage.TOLD, Stage.PAUSED}:
            raise Illegal(text("pause first, then a seat can leave"))
        if colour is self.player or len(self.series) <= 2 or colour not in self.series:
            raise Illegal(text("without {colour} there is nothing to measure").format(colour=colour))
        del self.series[colour], self.ways[colour]
        self._keep()
        if self.stage is Stage.PAUSED and self.proposal is not None:
            self._follow(Cause.ENOUGH)

    def agree(self, colour: Colour) -> None:
        """Take a seat's consent. Raises Illegal where it is not asked."""
        if self.stage is not Stage.PROPOSED or colour not in self.series:
            raise Illegal(text("{colour} is not asked to agree").format(colour=colour))
        self.effects.append(Sound(Tone.IGNORED if colour in self.agreed else Tone.ACCEPTED, (colour,)))
        self.agreed.add(colour)
        if not self.missing:
            self._follow(Cause.ALL_AGREED)
            self.effects.append(KeepTrials(None))

    def decline(self, colour: Colour) -> None:
        """A seat does not agree: nothing is changed."""
        self.notice = text("{seat} does not agree").format(seat=colour.short)
        self.leave()

    def press(self, press: Press) -> None:
        """Take a press of a seat's button: the answer of a trial, or a seat's consent."""
        button = BUTTON_BY_LABEL[press.line]
        if button.colour not in self.series:
            return
        if self.stage is Stage.PROPOSED:
            self._consent(button.colour, button.position)
        elif self.trial is not None and press.t_ns >= self.trial.began_ns:
            self._answer(self.trial, button.colour, button.position, press)

    def _consent(self, colour: Colour, position: Position) -> None:
        """Any button agrees but the fourth, which declines; who has one switch declines by the knob or the desk."""
        if position is Position.FOURTH and self.ways[colour] is not Way.SWITCH:
            self.decline(colour)
        else:
            self.agree(colour)

    # -- trials ------------------------------------------------------------------------------------------------------

    def said(self, token: int, t_ns: int, fault: str = "") -> None:
        """What is asked has been said, to its end at t_ns; an older word's end means nothing. fault: why it was not."""
        trial = self.trial
        if token != self._token or trial is None or self.stage is not Stage.SPEAKING:
            return
        if fault:
            self.pause(text("nobody can say what is asked: {fault}").format(fault=fault))
            return
        self._follow(Cause.SAID)
        self._ask(trial, t_ns)

    def advance(self, now_ns: int, settled_ns: int) -> None:
        """Let time pass: `now_ns` for what is shown; every press up to `settled_ns` has been told."""
        trial = self.trial
        if trial is None:
            return
        if self.stage is Stage.WAITING and now_ns >= trial.due_ns:
            self._show(trial, now_ns)
        elif self.stage is Stage.ASKED and (settled_ns > trial.due_ns or len(trial.answers) == len(self.series)):
            self._end(trial, now_ns)
        elif self.stage is Stage.RESTING and now_ns >= trial.due_ns:
            self._rested(now_ns)

    def _next_trial(self, now_ns: int) -> None:
        wait_ms = SHORTEST_WAIT_MS + self._draw(LONGEST_WAIT_MS - SHORTEST_WAIT_MS + 1)
        asks = POSITIONS[self._draw(len(POSITIONS))]
        self.trial = Trial(now_ns, now_ns + wait_ms * MS, asks)

    def _show(self, trial: Trial, now_ns: int) -> None:
        if self.is_spoken:
            self._follow(Cause.SAYS)
            self._token += 1
            self.effects.append(Announce(trial.asks, self._token))
        else:
            self._follow(Cause.WAITED)
            self._ask(trial, now_ns)

    def _ask(self, trial: Trial, t_ns: int) -> None:
        """It is asked for at t_ns; who has pressed before can answer no more."""
        trial.asked_ns, trial.due_ns = t_ns, t_ns + self._patience_ns
        early, trial.early = trial.early, {}
        for colour, press in early.items():
            self._answer(trial, colour, BUTTON_BY_LABEL[press.line].position, press)

    def _answer(self, trial: Trial, colour: Colour, position: Position, press: Press) -> None:
        if colour in trial.answers or self.stage is Stage.RESTING:
            return
        if trial.asked_ns is None:
            trial.early.setdefault(colour, press)
            return
        trial.answers[colour] = answer_of(press, position, self.ways[colour], trial.asks, trial.asked_ns)

    def _end(self, trial: Trial, now_ns: int) -> None:
        """Everybody has answered, or will not any more: note what became of it."""
        self._follow(Cause.ANSWERED)
        for colour in self.series:
            answer = trial.answers.setdefault(colour, Answer(Became.LAPSED))
            self.series[colour] = self.series[colour].with_answer(answer)
        counts = all(answer.became is Became.COUNTS for answer in trial.answers.values())
        self.effects.append(Sound(Tone.ACCEPTED if counts else Tone.IGNORED))
        trial.due_ns = now_ns + REST_NS
        self._keep()

    def _rested(self, now_ns: int) -> None:
        answers = self.trial.answers.values() if self.trial is not None else ()
        if all(answer.became is Became.LAPSED for answer in answers):
            self.pause(text("nobody has pressed"))
        elif self.proposal is not None:
            self._follow(Cause.ENOUGH)
            self.trial = None
            self.effects.append(Sound(Tone.CHOOSE))
        elif self._is_round_over():
            self._follow(Cause.MORE)
            self.trial = None
            self.notice = text("the interval is too wide: {count} more").format(count=ROUND)
        else:
            self._follow(Cause.RESTED)
            self._next_trial(now_ns)

    def _is_round_over(self) -> bool:
        """Tell whether the trial that has just been was the last of a round."""
        trial = self.trial
        least = min(len(series.times_ms) for series in self.series.values())
        had = min(
            len(series.times_ms) - (trial is not None and trial.answers[colour].became is Became.COUNTS)
            for colour, series in self.series.items()
        )
        return least // ROUND > had // ROUND

    def _keep(self) -> None:
        self.effects.append(KeepTrials(keeping.dump(self.kept())))

    def _follow(self, cause: Cause) -> None:
        self.stage = followed(TABLE, self.stage, cause)


def is_same_table(calibration: Calibration, kept: keeping.Kept) -> bool:
    """Tell whether trials that were kept are of these players, on these seats."""
    names = calibration.names
    here = [(colour, names.get(colour, "")) for colour in calibration.series]
    return kept.player is calibration.player and [(seat.colour, seat.name) for seat in kept.seats] == here


def looks_of(player: Sequence[int], others: Sequence[Sequence[int]], doubt_ms: int) -> tuple[Proposal, ...]:
    """Give what was proposed at each look, up to the one that was enough; each is worked out once."""
    whole = min(len(player), *map(len, others), MOST) // ROUND * ROUND
    series = tuple(sorted(tuple(one[:whole]) for one in others))
    return _looks(tuple(player[:whole]), series, doubt_ms)


@lru_cache(maxsize=4)
def _looks(player: tuple[int, ...], others: tuple[tuple[int, ...], ...], doubt_ms: int) -> tuple[Proposal, ...]:
    return tuple(looks(player, others, doubt_ms))
