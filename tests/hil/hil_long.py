"""Very many presses on kernel lines through the program's sources and contacts: is any told wrongly, or lost unsaid?

`make hil` plays a few rounds of each case by gpiod, `make hil ARGS=--long` a million pairs by both. All pairs of the
presses of a round count, 190 where all twenty lines are pressed and 120 where one seat's lines make noise. Interrupt
threads run where they like and all settings are the defaults. Collected by `tests/hil/run` only.
"""

import random
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.hil.box import GPIOS, LABELS
from tests.hil.guest import PYTHON, SHARED, SOURCE_READER, Chip, Guest, Process
from tests.hil.image import INSIDE
from tests.hil.pairs import Figures, account, judge, row, table
from tests.hil.patterns import CLEAN, LONG_SWITCH, REAL_SWITCH, SNAP_SWITCH, Contact, Span, Stroke, chatter, plan, press
from tests.hil.truth import PlayedStroke, as_played

BUTTONS = tuple(GPIOS.values())
NOISY = [gpio for label, gpio in GPIOS.items() if label.startswith("purple")]
OTHERS = [gpio for gpio in BUTTONS if gpio not in NOISY]
GAP_US = (20, 250)
FLOOD: Span = (60, 140)
SHARE = 0.005
"""How much of the long run `make hil` plays."""
PLAYED_AT_ONCE_US = 30_000_000
MOST_DISTURBED = 0.4
WANTED_PAIRS = 1_000_000
WANTED_REAL_PAIRS = 100_000


@dataclass(frozen=True, slots=True)
class Case:
    """Rounds of one kind.

    contacts: each press is by one of these switches. gap_us: between two presses. stopped_ms: how long the program is
    stopped by SIGSTOP in each round, from a random instant. load: busy processes beside it. is_real: the lines are
    moved as a switch moves them, by an ordinary process beside the interrupts' threads. strains: what is kept busy
    beside it ("disk", "network"), as `companion certify` does. sources: which it is for: under such a strain lgpio
    loses whole presses unsaid. noise: the closures and openings of the lines of the fifth seat, for `noise_us`.
    """

    name: str
    rounds: int
    period_us: int
    contacts: tuple[Contact, ...] = (CLEAN,)
    hold_us: int = 15_000
    stopped_ms: int = 0
    load: int = 0
    is_real: bool = False
    sources: tuple[str, ...] = ("gpiozero", "gpiod")
    gap_us: Span = GAP_US
    strains: tuple[str, ...] = ()
    noise: Span | None = None
    noise_us: int = 0

    def round(self, rng: random.Random, at_us: int) -> list[Stroke]:
        """One round that begins at `at_us`."""
        lines = OTHERS if self.noise else BUTTONS
        strokes = []
        pressed_us = at_us + self.noise_us // 2
        for gpio in rng.sample(lines, len(lines)):
            strokes.append(press(rng, gpio, pressed_us, self.hold_us, rng.choice(self.contacts)))
            pressed_us += rng.randint(*self.gap_us)
        if self.noise is not None:
            strokes += [chatter(rng, gpio, at_us, self.noise_us, self.noise, self.noise) for gpio in NOISY]
        return strokes


# Twenty bouncing switches at once are more edges than the emulator plays in their time: so half of them bounce.
HALF_BOUNCING = (CLEAN, REAL_SWITCH)
REAL = (CLEAN, CLEAN, SNAP_SWITCH, LONG_SWITCH)
REAL_GAP_US = (3, 2_000)
CASES = (
    Case("clean", 2_000, 70_000),
    Case("bouncing", 500, 220_000, HALF_BOUNCING, 30_000),
    Case("chattering", 200, 300_000, noise=(100, 1_500), noise_us=60_000),
    Case("stopped", 200, 600_000, HALF_BOUNCING, 30_000, stopped_ms=300),
    Case("loaded", 700, 150_000, load=4),
    Case("overflowing", 40, 1_200_000, stopped_ms=350, noise=FLOOD, noise_us=250_000),
    Case("real switches", 650, 150_000, REAL, 40_000, is_real=True, gap_us=REAL_GAP_US),
    Case("real, loaded", 100, 150_000, REAL, 40_000, load=1, is_real=True, gap_us=REAL_GAP_US),
    Case("real, strained", 100, 150_000, REAL, 40_000, is_real=True, gap_us=REAL_GAP_US, strains=("disk", "network"),
         sources=("gpiod",)),
)  # fmt: skip


def start(guest: Guest, chip: Chip, source: str, name: str) -> Process:
    pairs = ",".join(f"{label}={gpio}" for label, gpio in GPIOS.items())
    process = guest.start(name, [PYTHON, SOURCE_READER, source, chip.device, pairs])
    process.await_text("ready", seconds=180)
    return process


def stops(
    guest: Guest, chip: Chip, case: Case, reader: Process, first: int, rounds: int, rng: random.Random
) -> Process:
    """Has the reader stopped once in each round."""
    orders = []
    for number in range(rounds):
        begin_s = (number * case.period_us + rng.randint(0, case.period_us // 10)) / 1e6
        orders += [f"{begin_s:.3f}:SIGSTOP", f"{begin_s + case.stopped_ms / 1000:.3f}:SIGCONT"]
    pull = f"{chip.folder}/sim_gpio{first}/pull"
    sender = guest.start(
        f"{reader.name}-stops-{rng.getrandbits(64):x}",
        [PYTHON, str(INSIDE / "signaller.py"), pull, str(reader.pid), *orders],
    )
    sender.await_text("ready")
    return sender


def strained(guest: Guest, case: Case, name: str) -> list[Process]:
    """Keeps the guest's disk, a folder of the host, and its network busy."""
    module = [PYTHON, "-m", "companion.adapters.certificate.load"]
    orders = {"disk": ["disk", str(SHARED)], "network": ["network"]}
    return [guest.start(f"{name}-{strain}", [*module, *orders[strain]]) for strain in case.strains]


def play(
    guest: Guest, chip: Chip, case: Case, reader: Process, rng: random.Random, count: int, entered: dict[int, list[int]]
) -> list[list[PlayedStroke]]:
    """Plays rounds of a case, so many at once as a pattern may be long. entered: is added to where they are traced."""
    at_once = max(1, PLAYED_AT_ONCE_US // case.period_us)
    out: list[list[PlayedStroke]] = []
    guest.load(case.load)
    strains = strained(guest, case, reader.name)
    while len(out) < count:
        number = min(at_once, count - len(out))
        rounds = [case.round(rng, index * case.period_us) for index in range(number)]
        planned = plan(rounds)
        sender = stops(guest, chip, case, reader, planned.edges[0].gpio, number, rng) if case.stopped_ms else None
        if case.is_real:
            played, traced = guest.play_traced(planned, chip)
            for line, times_ns in traced.items():
                entered.setdefault(line, []).extend(times_ns)
        else:
            (played,) = guest.play(planned, chip, spread=True)
        if sender is not None:
            assert sender.wait(seconds=120) == 0
        strokes = iter(as_played(planned, played))
        out += [[next(strokes) for _ in round_] for round_ in rounds]
    guest.load(0)
    for strain in strains:
        strain.kill()
    return out


def sitting(guest: Guest, chip: Chip, source: str, name: str, case: Case, count: int, rng: random.Random) -> Figures:
    """One process of a source for rounds of one case, and their figures."""
    reader = start(guest, chip, source, name)
    entered: dict[int, list[int]] = {}
    rounds = play(guest, chip, case, reader, rng, count, entered)
    assert reader.stop(seconds=300) == 0, reader.said()
    told, figures = account(reader.stdout().splitlines(), list(GPIOS), source), Figures()
    judge(rounds, LABELS, told, figures, entered or None)
    return figures


@pytest.fixture
def report(request: pytest.FixtureRequest, run_folder: Path) -> Iterator[list[list[str]]]:
    """Rows of the table, which is printed and kept however the test ends, with what was wrong."""
    rows: list[list[str]] = []
    yield rows
    (run_folder / "pairs.md").write_text(table(rows) + "\n")
    wrong = run_folder / "pairs.faults"
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else nullcontext():
        print("\n" + table(rows))
        print(wrong.read_text() if wrong.exists() else "", end="")


@pytest.mark.timeout(3600)
def test_no_pair_is_told_the_wrong_way_round_and_no_press_is_lost_in_silence(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
    report: list[list[str]],
    run_folder: Path,
    pytestconfig: pytest.Config,
) -> None:
    is_long = bool(pytestconfig.getoption("--long"))
    all_figures: list[Figures] = []
    real: list[Figures] = []
    for source in ("gpiozero", "gpiod") if is_long else ("gpiod",):
        for case in (case for case in CASES if source in case.sources):
            count = case.rounds if is_long else max(4, int(case.rounds * SHARE))
            figures = sitting(guest, chip, source, f"{unique}-{source}-{case.name}", case, count, rng)
            report.append(row(source, case.name, figures))
            all_figures.append(figures)
            real += [figures] if case.is_real and source == "gpiod" else []
            with (run_folder / "pairs.faults").open("a") as faults:
                faults.writelines(f"{source} {case.name}: {fault}\n" for fault in figures.faults)
                faults.writelines(f"{source} {case.name}: {why}: {n} rounds\n" for why, n in figures.disturbed.items())
    assert [fault for figures in all_figures for fault in figures.faults] == []
    assert sum(figures.wrong for figures in all_figures) == 0
    rounds = sum(figures.rounds for figures in all_figures)
    assert sum(figures.disturbed_rounds for figures in all_figures) <= rounds * MOST_DISTURBED, "the host is too busy"
    assert sum(figures.pairs for figures in all_figures) >= (WANTED_PAIRS if is_long else 1)
    assert sum(figures.pairs for figures in real) >= (WANTED_REAL_PAIRS if is_long else 1)
    assert [figures.endless for figures in real] == [0] * len(real)
    assert sum(figures.wide for figures in real) <= 0.01 * sum(figures.presses for figures in real)
