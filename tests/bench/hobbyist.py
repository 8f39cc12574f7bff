"""The same presses at once through ours and through what a hobbyist writes, on simulated lines of a real kernel."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

from tests.bench.measured import Measured, exact, share_of
from tests.hil.beside import Scenario
from tests.hil.beside import measure as play_both

if TYPE_CHECKING:
    from collections.abc import Sequence


class Sizes(NamedTuple):
    """rounds: of each scenario."""

    rounds: int = 40


USUAL = Sizes()
SMOKE = Sizes(rounds=2)
NAMES = ("clean", "bouncing")
"""What figures call each scenario, in the order in which they are played."""
FIGURES = {
    f"{who}_{what}": unit
    for who in ("ours", "hobbyist")
    for what, unit in (("wrong_first", "rounds"), ("misordered", "pairs"), ("lost", "presses"))
}


def measure(sizes: Sizes = USUAL) -> Measured:
    return told_of(play_both(sizes.rounds))


def told_of(scenarios: Sequence[Scenario]) -> Measured:
    """Make rows and figures of scenarios that were played."""
    out = Measured("Who was first: companion (gpiod) beside gpiozero.Button(bounce_time=0.02) with time.monotonic()")
    out.values = {"scenarios": [asdict(scenario) for scenario in scenarios]}
    for name, scenario in zip(NAMES, scenarios, strict=True):
        _figures(out, name, scenario)
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


def _figures(out: Measured, name: str, scenario: Scenario) -> None:
    """Add both programs' figures: ours may have no fault at all, and so are exact."""
    ours, theirs = scenario.ours, scenario.hobbyist
    out.figures |= {
        f"ours_wrong_first@{name}": exact(ours.wrong_first),
        f"ours_misordered@{name}": exact(ours.misordered_pairs),
        f"ours_lost@{name}": exact(ours.lost),
        f"hobbyist_wrong_first@{name}": share_of(theirs.wrong_first, scenario.rounds),
        f"hobbyist_misordered@{name}": share_of(theirs.misordered_pairs, theirs.pairs),
        f"hobbyist_lost@{name}": share_of(theirs.lost, scenario.presses),
    }


def share(count: int, of: int) -> str:
    return f"{count} of {of} ({count / of:.1%})" if of else "none told"
