"""Times to places on paper: an axis with round steps, and how its times are told. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS, SECOND
from companion.core.words.language import ENGLISH
from companion.core.words.texts import joined, number

if TYPE_CHECKING:
    from companion.core.words.language import Language

US = 1_000


class Axis(NamedTuple):
    """From `from_ns` at `left` to `to_ns` at `right`. zero_ns: the instant that is told as 0.

    language: what stands along it is in.
    """

    from_ns: int
    to_ns: int
    left: float
    right: float
    zero_ns: int
    language: Language = ENGLISH

    def x(self, t_ns: int) -> float:
        """Give where an instant lies; one outside lies on the nearer edge."""
        share = (t_ns - self.from_ns) / max(1, self.to_ns - self.from_ns)
        return self.left + (self.right - self.left) * min(1.0, max(0.0, share))

    def has(self, t_ns: int) -> bool:
        """Tell whether an instant lies on it."""
        return self.from_ns <= t_ns <= self.to_ns

    def ticks(self, most: int) -> list[tuple[int, str]]:
        """Give instants at round distances from zero, at most about so many, and what each is called."""
        step = _round_step(self.to_ns - self.from_ns, most)
        first = -(-(self.from_ns - self.zero_ns) // step)
        last = (self.to_ns - self.zero_ns) // step
        return [(self.zero_ns + n * step, _told(n * step, step)) for n in range(first, last + 1)]


def signed(time_ns: int) -> str:
    """Say a time from the first press on, exactly to the microsecond ("+83.402 ms")."""
    sign = "−" if time_ns < 0 else "+" if time_ns > 0 else ""
    whole, part = divmod((abs(time_ns) + 500) // 1000, 1000)
    return joined((number(f"{sign}{whole:,}.{part:03d}"), "ms"), " ")


def _round_step(length_ns: int, most: int) -> int:
    rough = max(1, length_ns // max(1, most))
    power: int = 10 ** (len(str(rough)) - 1)
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)


def _told(time_ns: int, step_ns: int) -> str:
    """Say the time of a tick, as finely as ticks are apart."""
    if step_ns >= SECOND // 2:
        unit, name = SECOND, "s"
    else:
        unit, name = (MS, "ms") if step_ns >= MS // 2 or abs(time_ns) >= 10 * MS else (US, "µs")
    digits = next(digits for digits in range(10) if step_ns * 10**digits % unit == 0)
    sign = "−" if time_ns < 0 else "+" if time_ns > 0 else ""
    whole, part = divmod(abs(time_ns), unit)
    fraction = f".{part * 10**digits // unit:0{digits}}" if digits and time_ns else ""
    return joined((number(f"{sign}{whole:,}{fraction}"), name), " ")
