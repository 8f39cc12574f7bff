"""What a voice is given to say, how it is to say it, and what it tells of it. Plain values; knows no voice."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import NamedTuple

SLOWEST_WPM = 80
FASTEST_WPM = 450
"""The slowest and the fastest that eSpeak NG speaks, in words a minute."""
USUAL_WPM = 170


class Urgency(IntEnum):
    """How pressing something is to be heard; what is more pressing goes first."""

    CHATTER = 0
    """What need not be heard: a clock's time, a score."""
    NEWS = 1
    CHOICE = 2
    RULING = 3
    ALARM = 4
    START = 5
    """What a race opens with: it is never cut off."""


class Manner(NamedTuple):
    """How something is said.

    language: a tag ("en", "it-IT"). rate: words a minute, `SLOWEST_WPM` to `FASTEST_WPM`. volume, pitch: 0 to 100.
    """

    language: str = "en"
    rate: int = USUAL_WPM
    volume: int = 80
    pitch: int = 50


class Utterance(NamedTuple):
    """Sentences to be spoken without a pause for others. number: names it to whoever is told of it.

    ends_at_once: it has ended with its last sound, where the voice can do that; else a pause follows, as after a
    sentence, which belongs to it.
    """

    number: int
    text: str
    manner: Manner = Manner()
    ends_at_once: bool = False


class Phase(Enum):
    """What became of an utterance."""

    BEGAN = "began"
    ENDED = "ended"
    CUT = "cut off"
    FAILED = "failed"


class Heard(NamedTuple):
    """What a voice tells of utterance `number` at `t_ns`, CLOCK_MONOTONIC. why: in words, where it failed.

    BEGAN comes once its sound is on its way to the sound card, or the voice has the text where it tells no more; then
    one of the others. ENDED: all of it was played, as far as the voice knows.
    """

    number: int
    phase: Phase
    t_ns: int
    why: str = ""
