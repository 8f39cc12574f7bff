"""How a calibration goes, as a table that runs. Pure.

Theory of operation. Somebody at the box or at a desk asks for it; it is told what will happen, and everybody tries when
they are ready. Trials follow each other without anybody's doing until a round is whole or somebody pauses; a trial that
is cut off counts for nobody. Once there are enough, numbers and plot are shown until every seat has agreed or one has
declined. What is not in the table cannot happen: it raises, and nothing has changed.
"""

from __future__ import annotations

from enum import Enum


class Stage(Enum):
    """What a calibration is at."""

    TOLD = "what will happen is told"
    WAITING = "a random wait runs"
    SPEAKING = "what is asked is being said"
    ASKED = "a press is asked for"
    RESTING = "what became of the trial is shown"
    PAUSED = "it rests until somebody goes on"
    PROPOSED = "the proposal waits for every seat"
    AGREED = "every seat has agreed"
    LEFT = "it was left, and nothing is changed by it"

    @property
    def is_over(self) -> bool:
        """Tell whether nothing can follow."""
        return self in {Stage.AGREED, Stage.LEFT}

    @property
    def is_trial(self) -> bool:
        """Tell whether a trial runs, or the pause after one."""
        return self in {Stage.WAITING, Stage.SPEAKING, Stage.ASKED, Stage.RESTING}


class Cause(Enum):
    """What leads on."""

    GO_ON = "somebody goes on"
    WAITED = "the wait is over"
    SAYS = "the wait is over, and what is asked is to be said"
    SAID = "it has been said"
    ANSWERED = "everybody has pressed, or nobody is waited for any longer"
    RESTED = "the next trial begins"
    PAUSE = "somebody pauses, or too few can go on"
    ENOUGH = "there are enough trials"
    MORE = "more trials are needed"
    ALL_AGREED = "the last seat has agreed"
    LEAVE = "somebody leaves it"


_TRIAL = {Cause.PAUSE: Stage.PAUSED, Cause.LEAVE: Stage.LEFT}

TABLE: dict[Stage, dict[Cause, Stage]] = {
    Stage.TOLD: {Cause.GO_ON: Stage.WAITING, Cause.LEAVE: Stage.LEFT},
    Stage.WAITING: {Cause.WAITED: Stage.ASKED, Cause.SAYS: Stage.SPEAKING, **_TRIAL},
    Stage.SPEAKING: {Cause.SAID: Stage.ASKED, **_TRIAL},
    Stage.ASKED: {Cause.ANSWERED: Stage.RESTING, **_TRIAL},
    Stage.RESTING: {
        Cause.RESTED: Stage.WAITING, Cause.ENOUGH: Stage.PROPOSED, Cause.MORE: Stage.PAUSED, **_TRIAL,
    },
    Stage.PAUSED: {
        Cause.GO_ON: Stage.WAITING, Cause.PAUSE: Stage.PAUSED, Cause.ENOUGH: Stage.PROPOSED, Cause.LEAVE: Stage.LEFT,
    },
    Stage.PROPOSED: {Cause.ALL_AGREED: Stage.AGREED, Cause.LEAVE: Stage.LEFT},
    Stage.AGREED: {},
    Stage.LEFT: {},
}  # fmt: skip
