"""The clock mapping's bound against the truth.

Drift of up to ±100 ppm, delays of 0.1 to 5 ms each way, one burst of 20 round trips a second. How many of
100,000 presses lie outside their stated bound (none may), and the bound and the true error.
"""

from __future__ import annotations

from typing import NamedTuple

from companion.core.timing.clock_mapping import ClockMapping, SteadyTimes
from companion.core.timing.events import MS
from tests.bench.measured import Measured, exact, of_values
from tests.core.timing.two_clocks import TwoClocks


class Sizes(NamedTuple):
    """presses: of all cases. late_s: how long clocks have been mapped in the later half of them."""

    presses: int = 100_000
    late_s: int = 1800


USUAL = Sizes()
SMOKE = Sizes(presses=800, late_s=5)
FIGURES = {"outside": "presses", "bound_p50": "ms"}


class Case(NamedTuple):
    """A pair of clocks and a link."""

    name: str
    drift_ppb: int
    out_ns: tuple[int, int] = (MS // 10, 5 * MS)
    back_ns: tuple[int, int] = (MS // 10, 5 * MS)
    wander_ppb: int = 0

    def __str__(self) -> str:
        return self.name


class Found(NamedTuple):
    """What was measured; ns."""

    presses: int
    outside: int
    median_bound_ns: int
    p99_bound_ns: int
    median_error_ns: int
    worst_error_ns: int


CASES = (
    Case("+100 ppm", 100_000),
    Case("-100 ppm", -100_000),
    Case("+20 ppm, wandering", 20_000, wander_ppb=2_000),
    Case("answers slower than requests", 40_000, out_ns=(MS // 10, MS)),
)


def simulate(case: Case, presses: int, seconds: int = 60, after_s: int = 0) -> Found:
    """Spread presses over `seconds` seconds, after the clocks have been mapped for `after_s`."""
    clocks = TwoClocks(20, case.drift_ppb, case.out_ns, case.back_ns, case.wander_ppb)
    mapping = ClockMapping()
    steady = SteadyTimes(mapping)
    bounds: list[int] = []
    errors: list[int] = []
    for second in range(after_s + seconds):
        began_ns = clocks.now_ns
        clocks.burst(mapping)
        instants = range(clocks.now_ns, began_ns + 10**9)
        if second >= after_s:
            for at_ns in sorted(clocks.chance.choices(instants, k=presses // seconds)):
                mapped = steady.place(clocks.remote_ticks(at_ns))
                bounds.append(mapped.error_ns)
                errors.append(abs(mapped.t_ns - at_ns))
        clocks.rest_of_second(began_ns)
    outside = sum(error > bound for error, bound in zip(errors, bounds, strict=True))
    bounds.sort()
    errors.sort()
    middle, p99 = len(bounds) // 2, len(bounds) * 99 // 100
    return Found(len(bounds), outside, bounds[middle], bounds[p99], errors[middle], errors[-1])


def measure(sizes: Sizes = USUAL) -> Measured:
    """Measure all cases, at the start and after half an hour."""
    result = Measured("Clock mapping of pods and phones (simulated links, a burst of 20 round trips a second)")
    medians: dict[str, list[int]] = {}
    outside = total = 0
    for case in CASES:
        for after_s, label in ((0, "0 to 50 s"), (sizes.late_s, f"after {sizes.late_s // 60} min")):
            found = simulate(case, sizes.presses // (2 * len(CASES)), seconds=50, after_s=after_s)
            bound, p99, error, worst = (f"{value / MS:.2f}" for value in found[2:])
            text = f"bound p50 {bound} ms, p99 {p99} ms; true error p50 {error} ms, max {worst} ms"
            result.row(f"{case.name}, {label}", text)
            result.values[f"{case.name}, {label}"] = found._asdict()
            medians.setdefault(case.name, []).append(found.median_bound_ns)
            outside, total = outside + found.outside, total + found.presses
    result.row("presses whose true time lay outside the bound", f"{outside} of {total:,}")
    result.figures["outside"] = exact(outside)
    result.figures["bound_p50"] = of_values([median / MS for both in medians.values() for median in both])
    result.promise(outside == 0, f"{outside} of {total} presses lay outside their stated bound")
    for name, (early, late) in medians.items():
        result.promise(max(early, late) <= 600_000, f"{name}: the bound's median is above 0.6 ms")
        result.promise(late <= early * 11 // 10, f"{name}: the bound is wider after 30 minutes than at the start")
    return result
