"""How the box collects a race: its stages, what can happen in each, and what follows, as a table that runs. Pure.

Theory of operation. The game says what a press means (`RacePhase`); a stage says what the box waits for. `follow` reads
the table. What happens outside the collecting (a line taken back, a call replaced, a match taken up) is told by where
the game's race stands afterwards. What is not in the table cannot happen: it raises, and nothing has changed.
"""

from __future__ import annotations

from enum import Enum

from companion.core.following import followed
from companion.core.ruling.race import RacePhase


class Stage(Enum):
    """What the box waits for."""

    BETWEEN = "no race runs"
    EARLY = "presses wait for a card"
    EARLY_CLOSED = "the presses that wait for their card are all in: which card?"
    PICKING = "the presses are all in, and a seat picks its own card by a switch"
    COLLECTING = "presses are collected until the window ends"
    REOPENED = "presses are collected until the referee closes: a close was taken back"
    FACE_DOWN = "cards are laid face down until every seat has laid one or plays none"
    PAUSING = "late presses are waited out before the judging"
    ASKING = "all presses are in, and somebody has more to enter before the judging"

    @property
    def is_of_race(self) -> bool:
        """Tell whether a race has begun that is not judged yet."""
        return self is not Stage.BETWEEN

    @property
    def is_collecting(self) -> bool:
        """Tell whether a race takes presses now."""
        return self in {Stage.EARLY, Stage.COLLECTING, Stage.REOPENED, Stage.FACE_DOWN}

    @property
    def is_early(self) -> bool:
        """Tell whether presses wait for a card: the one that was turned, or a seat's own that a switch picks."""
        return self in {Stage.EARLY, Stage.EARLY_CLOSED, Stage.PICKING}

    @property
    def asks_card(self) -> bool:
        """Tell whether a closed race waits to be told its card."""
        return self in {Stage.EARLY_CLOSED, Stage.ASKING}

    @property
    def is_pausing(self) -> bool:
        """Tell whether a closed race waits out its late presses before it is judged."""
        return self is Stage.PAUSING

    @property
    def awaits_judging(self) -> bool:
        """Tell whether a race is closed and not judged yet: the newest close is its own."""
        return self in {Stage.EARLY_CLOSED, Stage.PICKING, Stage.PAUSING, Stage.ASKING}

    @property
    def has_window(self) -> bool:
        """Tell whether the race closes by itself."""
        return self in {Stage.EARLY, Stage.COLLECTING}


class Happening(Enum):
    """What happens to the collecting of a race."""

    WAITS = "a press has no card yet"
    COUNTS = "a press counts in the race"
    LAID = "a card is laid face down, or somebody plays none"
    CLOSED = "no more presses"
    PICKS = "no more presses, and a seat picks its own card yet"
    PICKED = "every seat's own card is picked, and the one that was turned is not entered"
    PAUSED = "no more presses, in a game whose next race is open at once"
    CARD = "a card is entered"
    NO_CARD = "no card was turned"
    JUDGED = "judged"
    BACK_OPEN = "the record was changed, and a race runs"
    BACK_CLOSED = "the record was changed, and a closed race is not judged"
    BACK_BETWEEN = "the record was changed, and no race runs"


TABLE: dict[Stage, dict[Happening, Stage]] = {
    Stage.BETWEEN: {
        Happening.WAITS: Stage.EARLY,
        Happening.COUNTS: Stage.COLLECTING,
        Happening.LAID: Stage.FACE_DOWN,
        Happening.CARD: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.REOPENED,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
    Stage.EARLY: {
        Happening.WAITS: Stage.EARLY,
        Happening.CLOSED: Stage.EARLY_CLOSED,
        Happening.PICKS: Stage.PICKING,
        Happening.PICKED: Stage.EARLY,
        Happening.CARD: Stage.BETWEEN,  # the presses follow their card, and count
        Happening.NO_CARD: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.EARLY,
        Happening.BACK_CLOSED: Stage.EARLY,
        Happening.BACK_BETWEEN: Stage.EARLY,
    },
    Stage.EARLY_CLOSED: {
        Happening.WAITS: Stage.EARLY_CLOSED,
        Happening.CARD: Stage.BETWEEN,
        Happening.NO_CARD: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.EARLY_CLOSED,
        Happening.BACK_CLOSED: Stage.EARLY_CLOSED,
        Happening.BACK_BETWEEN: Stage.EARLY_CLOSED,
    },
    Stage.PICKING: {
        Happening.WAITS: Stage.PICKING,
        Happening.PICKED: Stage.EARLY_CLOSED,
        Happening.CARD: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.PICKING,
        Happening.BACK_CLOSED: Stage.PICKING,
        Happening.BACK_BETWEEN: Stage.PICKING,
    },
    Stage.COLLECTING: {
        Happening.WAITS: Stage.EARLY,  # the card they were about was none, or a switch picks a seat's own
        Happening.COUNTS: Stage.COLLECTING,
        Happening.LAID: Stage.FACE_DOWN,  # the box stopped while it showed the cards: the others follow
        Happening.CLOSED: Stage.ASKING,
        Happening.PAUSED: Stage.PAUSING,
        Happening.CARD: Stage.COLLECTING,
        Happening.BACK_OPEN: Stage.COLLECTING,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
    Stage.REOPENED: {
        Happening.WAITS: Stage.EARLY,
        Happening.COUNTS: Stage.REOPENED,
        Happening.LAID: Stage.FACE_DOWN,
        Happening.CLOSED: Stage.ASKING,
        Happening.PAUSED: Stage.PAUSING,
        Happening.CARD: Stage.REOPENED,
        Happening.BACK_OPEN: Stage.REOPENED,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
    Stage.FACE_DOWN: {
        Happening.LAID: Stage.FACE_DOWN,
        Happening.CARD: Stage.FACE_DOWN,
        Happening.WAITS: Stage.EARLY,  # all are shown, and their card is not known yet
        Happening.COUNTS: Stage.COLLECTING,  # all are shown
        Happening.CLOSED: Stage.ASKING,
        Happening.BACK_OPEN: Stage.REOPENED,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
    Stage.PAUSING: {
        Happening.CARD: Stage.ASKING,
        Happening.JUDGED: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.REOPENED,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
    Stage.ASKING: {
        Happening.CARD: Stage.ASKING,
        Happening.JUDGED: Stage.BETWEEN,
        Happening.BACK_OPEN: Stage.REOPENED,
        Happening.BACK_CLOSED: Stage.ASKING,
        Happening.BACK_BETWEEN: Stage.BETWEEN,
    },
}


def follow(stage: Stage, happening: Happening) -> Stage:
    """Give the stage after something happened. Raises Illegal for what cannot happen then."""
    return followed(TABLE, stage, happening)


def changed_to(phase: RacePhase | None) -> Happening:
    """Say what a change of the record has led to. phase: of the game's race, None in a game without."""
    if phase is RacePhase.COLLECTING:
        return Happening.BACK_OPEN
    return Happening.BACK_CLOSED if phase is RacePhase.CLOSED else Happening.BACK_BETWEEN
