"""The same presses at once through `companion run` and through what a hobbyist writes: who gets the order wrong?

Two chips are driven with one pattern, so that both programs run in one guest, on the same loaded CPUs, and neither gets
easier presses. Used by the benchmark (`python -m tests.hil.beside [ROUNDS]` prints it as JSON).
"""

import json
import random
import sys
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.hil.box import GPIOS, LABELS, LATE_MS, SEATS, Box, races
from tests.hil.errors import HilError
from tests.hil.expected import is_doubtful
from tests.hil.guest import PYTHON, Chip, Guest, Process
from tests.hil.image import BUILD, INSIDE, build
from tests.hil.patterns import REAL_SWITCH, Span, Stroke, bounce_duel, burst, plan
from tests.hil.truth import PlayedStroke, as_played, compare

ROUNDS = 40
BUSY = 2
PERIOD_US = LATE_MS * 1000 + 300_000
SEED = 1

Order = list[str]
"""Labels of the buttons in the order told, by the teller's own times."""


@dataclass(slots=True)
class Score:
    """How often somebody was wrong; `misordered_pairs` of `pairs` that were told at all."""

    wrong_first: int = 0
    lost: int = 0
    extra: int = 0
    misordered_pairs: int = 0
    pairs: int = 0

    def count(self, truth: Sequence[str], told: Order) -> None:
        found = compare(truth, told)
        self.wrong_first += found.wrong_first
        self.lost += len(found.lost)
        self.extra += len(found.extra)
        self.misordered_pairs += found.misordered_pairs
        self.pairs += found.pairs


@dataclass(slots=True)
class Scenario:
    """One kind of presses, and both scores on it; `rounds` that the emulator played as planned."""

    name: str
    rounds: int = 0
    presses: int = 0
    ours: Score = field(default_factory=Score)
    hobbyist: Score = field(default_factory=Score)


def clean_round(rng: random.Random, at_us: int) -> list[Stroke]:
    """All twenty, with contacts that do not bounce."""
    return burst(rng, list(LABELS), at_us)


def bouncing_round(rng: random.Random, at_us: int) -> list[Stroke]:
    """One button of each seat; the first bounces, the second is clean, the rest bounce."""
    first, second, *others = one_of_each_seat(rng)
    later: Span = (50, 2_000)
    rest = burst(rng, others, at_us + 5_000, gap_us=later, hold_us=60_000, contact=REAL_SWITCH)
    return [*bounce_duel(rng, first, second, at_us), *rest]


def one_of_each_seat(rng: random.Random) -> list[int]:
    """A line of each seat, in random order."""
    return rng.sample([GPIOS[f"{seat} {rng.choice(['first', 'second', 'third', 'fourth'])}"] for seat in SEATS], 5)


SCENARIOS: dict[str, Callable[[random.Random, int], list[Stroke]]] = {
    "20 clean contacts, 50 to 200 µs apart": clean_round,
    "5 switches, the first bouncing, the second clean": bouncing_round,
}


def play_beside(guest: Guest, name: str, rounds: int, folder_name: str) -> Scenario:
    """Plays one scenario through both and scores them."""
    rng = random.Random(f"{SEED} {name}")
    make = SCENARIOS[name]
    parts = [make(rng, number * PERIOD_US) for number in range(rounds)]
    theirs, ours = guest.add_chip(f"{folder_name}-theirs"), guest.add_chip(f"{folder_name}-ours", label="bench-ours")
    try:
        box, rival = Box(guest, f"{folder_name}-box"), start_hobbyist(guest, theirs, f"{folder_name}-hobbyist")
        box.start("gpiod", "--no-cards", chip=ours.device)
        guest.load(BUSY)
        logs = guest.play(plan(parts), theirs, ours)
        guest.load(0)
        guest.rest(2)
        box.stop()
        told_by_rival = hobbyists_presses(rival)
    finally:
        guest.load(0)
        guest.remove_chip(theirs)
        guest.remove_chip(ours)
    return _score(name, parts, [as_played(plan(parts), log) for log in logs], box, told_by_rival)


def start_hobbyist(guest: Guest, chip: Chip, name: str) -> Process:
    """Starts the hobbyist's program; gpiozero takes the first chip, as on a Pi."""
    if chip.device != "/dev/gpiochip0":
        raise HilError(f"gpiozero would take /dev/gpiochip0, not {chip.device}")
    lines = ",".join(map(str, LABELS))
    environment = {"GPIOZERO_PIN_FACTORY": "lgpio"}
    process = guest.start(name, [PYTHON, str(INSIDE / "hobbyist.py"), lines], env=environment)
    process.await_text("ready", seconds=180)
    return process


def hobbyists_presses(process: Process) -> list[tuple[int, str]]:
    """(time, label) of each press its handlers saw, by their own times."""
    if process.stop(seconds=60) != 0:
        raise HilError(f"the hobbyist's program failed\n{process.said()}")
    rows = (line.split() for line in process.stdout().splitlines() if line.startswith("press "))
    return sorted((int(t_ns), LABELS[int(gpio)]) for _, gpio, t_ns in rows)


def _score(
    name: str, parts: Sequence[Sequence[Stroke]], played: Sequence[Sequence[PlayedStroke]], box: Box,
    told_by_rival: Sequence[tuple[int, str]],
) -> Scenario:  # fmt: skip
    theirs, ours = [_rounds(parts, strokes) for strokes in played]
    told_by_us = [
        [f"{line['colour']} {line['role']}" for line in race if line["type"] == "press"] for race in races(box.record())
    ][:-1]
    if len(told_by_us) != len(ours):
        raise HilError(f"{len(told_by_us)} races were recorded of {len(ours)} rounds")
    starts = [min(stroke.first.before_ns for stroke in strokes) for strokes in theirs]
    by_round: list[Order] = [[] for _ in starts]
    for t_ns, label in told_by_rival:
        by_round[max(bisect_right(starts, t_ns) - 1, 0)].append(label)
    result = Scenario(name)
    for number, strokes in enumerate(ours):
        if any(is_doubtful(stroke) for stroke in [*strokes, *theirs[number]]):
            continue
        truth = [LABELS[stroke.gpio] for stroke in sorted(strokes, key=lambda stroke: stroke.first.before_ns)]
        result.rounds += 1
        result.presses += len(truth)
        result.ours.count(truth, told_by_us[number])
        result.hobbyist.count(truth, by_round[number])
    return result


def _rounds(parts: Sequence[Sequence[Stroke]], strokes: Sequence[PlayedStroke]) -> list[list[PlayedStroke]]:
    left = iter(strokes)
    return [[next(left) for _ in part] for part in parts]


def measure(rounds: int = ROUNDS) -> list[Scenario]:
    """Boots a guest and plays all scenarios.

    Raises:
        HilError: the guest cannot be built or does not work.
    """
    image = build(say=lambda text: print(text, file=sys.stderr))
    with tempfile.TemporaryDirectory(dir=BUILD) as folder, Guest(image, Path(folder) / "guest") as guest:
        return [play_beside(guest, name, rounds, f"bench{number}") for number, name in enumerate(SCENARIOS)]


def main() -> int:
    """Prints the scenarios as JSON."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    print(json.dumps([asdict(scenario) for scenario in measure(rounds)], indent=1, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
