"""The rhythm of each sign, the same whether it is seen, felt or heard, and of each seat's own tone. Tables; pure.

A rhythm is written with three lengths: `.` short, `-` long, `=` very long, each at least three times the one before.
Two rhythms can be told apart where they have different numbers of beats, or one beat differs in its length. What a beat
lasts depends on the sense: a lamp must not flash faster than three times a second (WCAG 2.2, 2.3.1), a motor takes some
50 ms to turn and as long to stop, a buzzer is the quickest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.panel import Colour
from companion.core.signals.signs import OF_TONE, Outlet, Sign
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.match.effects import Tone

RHYTHMS: Mapping[Sign, str] = {
    Sign.ACCEPTED: ".",
    Sign.IGNORED: "-",
    Sign.PUNISHED: "=",
    Sign.YOURS: "..",
    Sign.FIRST: ".-",
    Sign.OPEN: "-.",
    Sign.ALARM: "--",
    Sign.TIME_LOW: "...",
    Sign.TIME_UP: "---",
    Sign.REFUSED: "....",
}

SEATS: Mapping[Colour, str] = {
    Colour.RED: "-",
    Colour.YELLOW: "-.",
    Colour.GREEN: ".-",
    Colour.BLUE: "--",
    Colour.PURPLE: ".-.",
}
"""Each seat's own tone, after what is said of the seat: for a buzzer that has one pitch only this is all of it."""


class Beat(NamedTuple):
    """On for so many milliseconds, then off for so many."""

    on_ms: int
    off_ms: int


class Scale(NamedTuple):
    """What the three lengths last in milliseconds, and the rest after each beat."""

    short: int
    long: int
    very_long: int
    rest: int

    def beats(self, rhythm: str) -> tuple[Beat, ...]:
        """Give a rhythm as beats."""
        lengths = {".": self.short, "-": self.long, "=": self.very_long}
        return tuple(Beat(lengths[mark], self.rest) for mark in rhythm)


class Pattern(NamedTuple):
    """Beats, once or again and again. A pattern of no beats is off for good."""

    beats: tuple[Beat, ...] = ()
    is_endless: bool = False

    @property
    def round_ns(self) -> int:
        """How long the beats take once, the last rest included."""
        return sum(on_ms + off_ms for on_ms, off_ms in self.beats) * MS

    def is_over(self, since_ns: int) -> bool:
        """Tell whether it has ended `since_ns` after its beginning."""
        return not self.is_endless and since_ns >= self.round_ns

    def is_on(self, since_ns: int) -> bool:
        """Tell whether it is on `since_ns` after its beginning."""
        return self._at(since_ns)[0]

    def next_change(self, since_ns: int) -> int | None:
        """Give when, from its beginning, the next beat or rest begins, or it ends; None where nothing changes."""
        return self._at(since_ns)[1]

    def _at(self, since_ns: int) -> tuple[bool, int | None]:
        if not self.beats or self.is_over(since_ns):
            return False, None
        if self.is_endless and all(beat.off_ms == 0 for beat in self.beats):
            return True, None
        end_ns = since_ns - since_ns % self.round_ns
        for on_ms, off_ms in self.beats:
            end_ns += on_ms * MS
            if since_ns < end_ns:
                return True, end_ns
            end_ns += off_ms * MS
            if since_ns < end_ns:
                return False, end_ns
        raise AssertionError("a round is as long as its beats")


OFF = Pattern()
STEADY = Pattern((Beat(1000, 0),), is_endless=True)

SOUNDED = Scale(short=60, long=300, very_long=900, rest=70)
"""Of a buzzer with a pitch of its own."""
FELT = Scale(short=100, long=320, very_long=1000, rest=120)
"""Of a motor, and of a phone that trembles."""
SEEN = Scale(short=150, long=500, very_long=1600, rest=250)
"""Of a lamp: 2.5 flashes a second at most."""
SEAT_SOUNDED = Scale(short=60, long=200, very_long=600, rest=70)
"""Of a seat's own tone: shorter, as something was said before it."""
LEAST_RISE_NS = 334 * MS
"""From one flash of a lamp to its next, whatever it is told: no more than three in any second."""
LONGEST_CUE = 12
"""More pulses than these nobody counts: a cue of a higher number has so many."""

SCALES: Mapping[Outlet, Scale] = {Outlet.LAMP: SEEN, Outlet.MOTOR: FELT}

PASSING: Mapping[Outlet, Mapping[Sign, Pattern]] = {
    outlet: {sign: Pattern(scale.beats(rhythm)) for sign, rhythm in RHYTHMS.items()} for outlet, scale in SCALES.items()
}
"""What each sign does once, when it is given."""


def _again(beats: tuple[Beat, ...], rest_ms: int) -> Pattern:
    """Give beats for ever, with a longer rest before each round: what lasts begins after the same was given once."""
    return Pattern((Beat(0, rest_ms), *beats[:-1], Beat(beats[-1].on_ms, 0)), is_endless=True)


WINK = _again(SEEN.beats("."), 1850)
"""A lamp's short flash every two seconds."""


LASTING: Mapping[Outlet, Mapping[Sign, Pattern]] = {
    Outlet.LAMP: {
        Sign.OPEN: WINK,
        Sign.YOURS: _again(SEEN.beats(RHYTHMS[Sign.YOURS]), 1250),
        Sign.ACCEPTED: STEADY,
        Sign.FIRST: STEADY,
    },
    Outlet.MOTOR: {Sign.YOURS: _again(FELT.beats(RHYTHMS[Sign.YOURS]), 6000)},
}
"""What it does after that for as long as it holds; nothing where it is not here. A choice that waits is felt again."""


def cue_pattern(number: int) -> Pattern:
    """Give what a seat's motor does for the option of that number in scanning: so many pulses; 0: nothing."""
    return Pattern(FELT.beats("." * min(number, LONGEST_CUE)))


def rhythm_of(tone: Tone) -> str:
    """Give the rhythm of a tone: that of the sign it is."""
    return RHYTHMS[OF_TONE[tone]]
