"""The same presses at once through ours and through what a hobbyist writes, on simulated lines of a real kernel."""

from __future__ import annotations

from dataclasses import asdict

from tests.bench.measured import Measured
from tests.hil.beside import measure as play_both


def measure() -> Measured:
    out = Measured("Who was first: companion (gpiod) beside gpiozero.Button(bounce_time=0.02) with time.monotonic()")
    scenarios = play_both()
    out.values = {"scenarios": [asdict(scenario) for scenario in scenarios]}
    for scenario in scenarios:
        ours, theirs = scenario.ours, scenario.hobbyist
        out.row(scenario.name, f"{scenario.rounds} rounds, {scenario.presses} presses, both processors busy")
        for what, our, their in (
            ("wrong first", f"{ours.wrong_first}", f"{theirs.wrong_first}"),
            (
                "misordered pairs",
                share(ours.misordered_pairs, ours.pairs),
                share(theirs.misordered_pairs, theirs.pairs),
            ),
            ("presses lost", f"{ours.lost}", f"{theirs.lost}"),
        ):
            out.row(f"  {what}", f"ours {our}, hobbyist's {their}")
        out.promise(scenario.rounds > 0, f"{scenario.name}: rounds that the emulator played as planned")
        out.promise(ours.wrong_first == 0, f"{scenario.name}: nobody wrong is first")
        out.promise(ours.misordered_pairs == 0, f"{scenario.name}: no misordered pair")
        out.promise(ours.lost == ours.extra == 0, f"{scenario.name}: no press lost and none made up")
    return out


def share(count: int, of: int) -> str:
    return f"{count} of {of} ({count / of:.1%})" if of else "none told"
