"""What a seat can be told without words, and the words that always go with it. Knows no lamp and no game.

Whatever the buzzer says is a sign too, so that nobody has to hear it; some signs are seen and felt only.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from companion.core.match.effects import Tone
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.words.texts import Text


class Sign(StrEnum):
    """What a seat is told; the value is its name on a wire and in a page."""

    OPEN = "open"
    YOURS = "yours"
    FIRST = "first"
    PUNISHED = "punished"
    ACCEPTED = "accepted"
    IGNORED = "ignored"
    REFUSED = "refused"
    TIME_LOW = "little time"
    TIME_UP = "time is up"
    ALARM = "alarm"


SAYS: Mapping[Sign, Text] = {
    Sign.OPEN: text("Press now"),
    Sign.YOURS: text("Your choice"),
    Sign.FIRST: text("First"),
    Sign.PUNISHED: text("Punished"),
    Sign.ACCEPTED: text("Taken"),
    Sign.IGNORED: text("Does not count"),
    Sign.REFUSED: text("Not possible"),
    Sign.TIME_LOW: text("Little time"),
    Sign.TIME_UP: text("Time is up"),
    Sign.ALARM: text("Look at the box"),
}
"""In a word or two, for whoever sees or reads it."""

MEANS: Mapping[Sign, Text] = {
    Sign.OPEN: text("a race takes presses"),
    Sign.YOURS: text("this seat must choose"),
    Sign.FIRST: text("this seat was first, and is not punished"),
    Sign.PUNISHED: text("this seat is punished"),
    Sign.ACCEPTED: text("what this seat did was taken"),
    Sign.IGNORED: text("a press of this seat is too late, or does not count for another reason"),
    Sign.REFUSED: text("what was tried cannot be done now"),
    Sign.TIME_LOW: text("little is left on a clock"),
    Sign.TIME_UP: text("a time has run out"),
    Sign.ALARM: text("something is wrong with the box: its display says what"),
}
"""The same in a sentence, for whoever learns them."""

OF_TONE: Mapping[Tone, Sign] = {
    Tone.ACCEPTED: Sign.ACCEPTED,
    Tone.IGNORED: Sign.IGNORED,
    Tone.PUNISHED: Sign.PUNISHED,
    Tone.CHOOSE: Sign.YOURS,
    Tone.REFUSED: Sign.REFUSED,
    Tone.TIME_LOW: Sign.TIME_LOW,
    Tone.TIME_UP: Sign.TIME_UP,
    Tone.FIRST: Sign.FIRST,
}
"""What is seen and felt of what is heard."""

ANSWERS = frozenset({Sign.ACCEPTED, Sign.IGNORED, Sign.REFUSED})
"""What a seat is told of what it just did: the newest takes the place of the one before."""


class Outlet(StrEnum):
    """By what a seat can be told apart from the others: its lamp is seen by all, its motor is felt by its own hand."""

    LAMP = "lamp"
    MOTOR = "motor"
