"""The notes of each tone, for buzzers and pages: pitches where there are some, else the rhythm alone. Tables; pure."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from companion.core.match.effects import Tone
from companion.core.panel import Colour
from companion.core.signals.rhythms import SEAT_SOUNDED, SEATS, SOUNDED, rhythm_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.core.signals.rhythms import Scale


class Note(NamedTuple):
    """A pitch (0 is silence) for so many milliseconds."""

    hz: float
    ms: int


REST = Note(0, 70)
PAUSE = Note(0, 160)
"""Between what is said and of whom."""

PITCHES: Mapping[Tone, Sequence[Note]] = {
    Tone.ACCEPTED: (Note(1047, 60), Note(1568, 110)),
    Tone.IGNORED: (Note(330, 260),),
    Tone.PUNISHED: (Note(784, 180), Note(523, 180), Note(262, 500)),
    Tone.FIRST: (Note(784, 80), Note(1047, 80), Note(1568, 240)),
    Tone.CHOOSE: (Note(1319, 70), REST, Note(1319, 70)),
    Tone.REFUSED: (Note(247, 60), REST, Note(247, 60), REST, Note(247, 60), REST, Note(247, 60)),
    Tone.TIME_LOW: (Note(2093, 60), Note(1760, 60)),
    Tone.TIME_UP: (Note(1760, 120), REST, Note(1760, 120), REST, Note(1760, 700)),
}
"""Rising is good, low is not, falling is bad, two equal ones are a question, a rattle is a no; very high is time."""

SEAT_PITCHES: Mapping[Colour, float] = {
    Colour.RED: 523,
    Colour.YELLOW: 659,
    Colour.GREEN: 784,
    Colour.BLUE: 988,
    Colour.PURPLE: 1175,
}
"""Hertz of each seat's own tone: C, E, G, B, D, each at least a minor third from the next, below what is said."""


def _in_rhythm(rhythm: str, scale: Scale, hz: float) -> tuple[Note, ...]:
    """Give a rhythm at one pitch, without a rest after it."""
    notes = [note for on_ms, off_ms in scale.beats(rhythm) for note in (Note(hz, on_ms), Note(0, off_ms))]
    return tuple(notes[:-1])


RHYTHMIC: Mapping[Tone, Sequence[Note]] = {tone: _in_rhythm(rhythm_of(tone), SOUNDED, 1) for tone in Tone}
"""The tones of a buzzer that has one pitch of its own: any hertz but 0 is that."""

OWN: Mapping[Colour, Sequence[Note]] = {
    seat: _in_rhythm(rhythm, SEAT_SOUNDED, SEAT_PITCHES[seat]) for seat, rhythm in SEATS.items()
}
"""Each seat's own tone."""


def notes_of(tone: Tone, seats: Iterable[Colour] = (), *, has_pitches: bool = True) -> tuple[Note, ...]:
    """Give the notes of a tone and then, each after a pause, those of the seats that it is about."""
    owns = (note for seat in seats for note in (PAUSE, *OWN[seat]))
    return (*(PITCHES if has_pitches else RHYTHMIC)[tone], *owns)


def duty_of(volume: int) -> float:
    """Give the share of a wave's period for which a passive buzzer is on, for a volume of 0 to 100.

    What is heard is mostly the wave's fundamental, whose height is sin(π · share): 0.5 is the loudest, and the height
    falls in step with `volume`. The clicks of its edges stay as they are, so that a soft tone is also a thinner one.
    """
    return math.asin(max(0, min(100, volume)) / 100) / math.pi
