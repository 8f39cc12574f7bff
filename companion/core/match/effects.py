"""What a session wants done in the world. It says so; `app` does it. Knows no device."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from companion.core.record.lines import Line
    from companion.core.timing.events import Press


class Tone(Enum):
    """What the box says by sound; each must be told from the others with eyes shut."""

    ACCEPTED = "accepted"
    IGNORED = "ignored"
    PUNISHED = "punished"
    CHOOSE = "your choice"
    REFUSED = "refused"
    TIME_LOW = "little time"
    TIME_UP = "time is up"


class Began(NamedTuple):
    """A new match: the lines that follow belong to it."""

    game: str


class Wrote(NamedTuple):
    """A line was added to the match's record; it must be stored durably, in order."""

    line: Line


class TookIn(NamedTuple):
    """A press was accepted while the match runs: it must outlive the program until it is recorded."""

    press: Press


class Recorded(NamedTuple):
    """What follows from an accepted press is durable: it need not be kept any more."""

    press: Press


class GaveUp(NamedTuple):
    """The unfinished match in the journal is not to be offered again."""


class Sound(NamedTuple):
    """A tone is to be played."""

    tone: Tone


class Log(NamedTuple):
    """Worth a line in the program's log, not in the record."""

    text: str


Effect = Began | Wrote | TookIn | Recorded | GaveUp | Sound | Log
