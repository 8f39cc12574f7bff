"""What may happen to a pod and its host while edges come, and what a dishonest pod may do: for tests and the bench."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.pods.link import Doubt
from companion.core.timing.events import MS, SECOND
from tests.core.pods.host_world import HostWorld, Rate, Sleep, adjtime, steps_of_rate, timesyncd
from tests.core.pods.pod_world import Lie, PodWorld, Usb

if TYPE_CHECKING:
    from collections.abc import Callable

WRAP_NS = 2**30 * 1000
"""A pod's counter of 30 bits wraps after so long; with its count of wraps it has 46 bits."""
USB = Usb()
"""A controller that looks once a millisecond, both ways; threads that are 0.05 to 0.3 ms late."""
STALLED = Usb(stall=0.05, stall_ns=40 * MS)
"""A hub keeps one portion in twenty, and all behind it, for up to 40 ms."""
LATE_THREADS = Usb(thread_ns=(50_000, 15 * MS))


class Chances(NamedTuple):
    """What is drawn for each world. at_ns: when it happens. usual_ppb: at what rate MONOTONIC is usually corrected."""

    random: random.Random
    at_ns: int
    usual_ppb: int
    until_ns: int

    def sleep(self) -> Sleep:
        return Sleep(self.at_ns, self.at_ns + self.random.choice((300 * MS, 5 * SECOND, 4000 * SECOND)))

    def usually(self, *rates: Rate) -> list[Rate]:
        return [Rate(0, self.usual_ppb), *rates]

    def slewed(self, by: Callable[[int, int, int], list[Rate]], offset_ns: int) -> dict[str, Any]:
        return {"rates": self.usually(*by(self.at_ns, offset_ns, self.usual_ppb))}


SCENARIOS: dict[str, Callable[[Chances], dict[str, Any]]] = {
    "USB frames": lambda _: {},
    "hub stalls": lambda _: {"usb": STALLED},
    "requests slower": lambda _: {"usb": Usb(more_out_ns=(2 * MS, 6 * MS))},
    "answers slower": lambda _: {"usb": Usb(more_back_ns=(2 * MS, 6 * MS))},
    "threads late": lambda _: {"usb": LATE_THREADS},
    "adjtime 10 ms": lambda of: of.slewed(adjtime, 10 * MS),
    "adjtime -200 ms": lambda of: of.slewed(adjtime, -200 * MS),
    "timesyncd 10 ms": lambda of: of.slewed(timesyncd, 10 * MS),
    "timesyncd 200 ms": lambda of: of.slewed(timesyncd, 200 * MS),
    "timesyncd -200 ms": lambda of: of.slewed(timesyncd, -200 * MS),
    "step of rate": lambda of: {"rates": of.usually(Rate(of.at_ns, of.random.choice((-500_000, 500_000))))},
    "tick adjusted at any time": lambda of: {"rates": steps_of_rate(of.random, of.until_ns)},
    "sleep": lambda of: {"sleeps": (of.sleep(),)},
    "sleep while slewed": lambda of: {
        "sleeps": (of.sleep(),), "rates": of.usually(*timesyncd(of.at_ns - SECOND, 200 * MS, of.usual_ppb)),
    },
    "pod begins anew": lambda of: {"reboots_ns": (of.at_ns, of.at_ns + 3 * SECOND)},
    "unplugged": lambda of: {"unplugged": ((of.at_ns, of.at_ns + of.random.choice((100 * MS, 2500 * MS))),)},
    "counter wraps": lambda of: {"offset_ns": WRAP_NS * of.random.choice((1, 65_536)) - 5 * SECOND},
    "everything at once": lambda of: {
        "rates": steps_of_rate(of.random, of.until_ns), "usb": of.random.choice((STALLED, LATE_THREADS)),
        "sleeps": (of.sleep(),), "reboots_ns": (of.at_ns + SECOND,), "offset_ns": WRAP_NS - 3 * SECOND,
    },
}  # fmt: skip
"""Those in which the pod is honest: what each makes of a world."""
RESENT = frozenset({"unplugged", "everything at once"})
"""Those in which edges are sent again, and are told to have come late."""


def world(name: str, seed: int, until_ns: int = 10 * SECOND) -> PodWorld:
    """Give the world of a scenario, not begun. Raises KeyError for none of SCENARIOS."""
    chance = random.Random(seed)
    of = Chances(chance, chance.randint(2 * SECOND, 4 * SECOND), chance.randint(-20_000, 20_000), until_ns)
    given: dict[str, Any] = {"drift_ppb": chance.randint(-100_000, 100_000), "offset_ns": chance.randrange(WRAP_NS)}
    given |= SCENARIOS[name](of)
    sleeps = given.pop("sleeps", ())
    until_ns += sum(sleep.until_ns - sleep.from_ns for sleep in sleeps)
    return PodWorld(seed, HostWorld(given.pop("rates", of.usually()), sleeps), until_ns=until_ns, **given)


def _clock(name: str, clock: Callable[[int], int]) -> Lie:
    return Lie(f"a clock that {name}", clock, clock)


def _jump(by_us: int) -> Lie:
    return _clock(f"jumps by {by_us / 1000:g} ms", lambda ticks: ticks + (by_us if ticks > 4_000_000 else 0))


LIES = (
    _clock("runs 1,000 ppm fast", lambda ticks: ticks * 1001 // 1000),
    _clock("runs 1,000 ppm slow", lambda ticks: ticks * 999 // 1000),
    _clock("runs 400 ppm fast", lambda ticks: ticks * 10004 // 10000),
    _jump(20_000),
    _jump(-20_000),
    _jump(3_000),
    Lie("answers 5 ms ahead every other second", pong=lambda ticks: ticks + 5_000 * (ticks // 1_000_000 % 2)),
    Lie("answers 60 ms ahead: its edges are dated early", pong=lambda ticks: ticks + 60_000),
    Lie("answers 10 ms behind: its edges are dated late", pong=lambda ticks: ticks - 10_000),
    Lie("edges dated 60 ms early", stamp=lambda ticks: ticks - 60_000),
    Lie("every other edge dated 100 ms early", stamp=lambda ticks: ticks - 100_000 * (ticks // 1000 % 2)),
    Lie("edges dated 10 ms late", stamp=lambda ticks: ticks + 10_000),
)
"""Dishonest pods whose lies can be seen."""


class Outcome(NamedTuple):
    """What became of a world's edges; ns. missing: edges of a pod that ran on and were never told."""

    edges: int
    outside: int
    later_than_heard: int
    errors_ns: list[int]
    doubts: list[Doubt]
    missing: int


def outcome(world: PodWorld) -> Outcome:
    """Run a world."""
    told = world.run()
    doubts = [event for event, _ in world.events if isinstance(event, Doubt) and event.cause is not None]
    return Outcome(
        len(told),
        sum(one.is_outside for one in told),
        sum(one.edge.t_ns > one.heard_ns for one in told),
        [one.edge.error_ns for one in told],
        doubts,
        world.missing,
    )
