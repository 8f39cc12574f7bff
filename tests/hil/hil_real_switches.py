"""Switches as they are, on kernel lines that move while the interrupts' threads still wake: is the ± one to live with?

The lines are moved by an ordinary process on another processor than the threads'. A press tool of real-time priority
lets each thread run before it moves the line again, and so never shows what a merged interrupt does. Collected by
`tests/hil/run` only.
"""

import random
from collections.abc import Iterator, Sequence
from signal import SIGCONT, SIGSTOP

import pytest

from companion.core.timing.contacts import ContactLimits
from companion.core.timing.events import MS, Press
from tests.hil.box import GPIOS, LABELS
from tests.hil.guest import PYTHON, SOURCE_READER, Chip, Guest, Process
from tests.hil.pairs import ENDLESS_NS, Account, Entered, Figures, account, judge
from tests.hil.patterns import CLEAN, LONG_SWITCH, SNAP_SWITCH, Plan, Stroke, chatter, glitch, plan, press
from tests.hil.truth import PlayedStroke, as_played

BUTTONS = tuple(GPIOS.values())
REAL = (CLEAN, SNAP_SWITCH, SNAP_SWITCH, LONG_SWITCH)
OWN_NS = 20_000
"""What gpiod states for an edge of which it knows all."""
PERIOD_US = 250_000


def start(guest: Guest, chip: Chip, source: str, name: str) -> Process:
    pairs = ",".join(f"{label}={gpio}" for label, gpio in GPIOS.items())
    process = guest.start(name, [PYTHON, SOURCE_READER, source, chip.device, pairs])
    process.await_text("ready", seconds=180)
    return process


def ended(process: Process, source: str, limits: ContactLimits | None = None) -> Account:
    assert process.stop(seconds=300) == 0, process.said()
    return account(process.stdout().splitlines(), list(GPIOS), source, limits)


def played(guest: Guest, chip: Chip, planned: Plan) -> list[PlayedStroke]:
    """Play it as a hand would: beside the threads, and no more urgent than anything else."""
    (edges,) = guest.play(planned, chip, priority=0, cpu=1)
    return as_played(planned, edges)


def traced(guest: Guest, chip: Chip, planned: Plan) -> tuple[list[PlayedStroke], Entered]:
    """Play it so, and give when the kernel entered the handlers of the interrupts."""
    edges, entered = guest.play_traced(planned, chip)
    return as_played(planned, edges), entered


def figures(rounds: Sequence[Sequence[PlayedStroke]], told: Account, entered: Entered | None = None) -> Figures:
    found = Figures()
    judge(rounds, LABELS, told, found, entered)
    assert found.faults == []
    assert found.wrong == 0
    return found


def by_rounds(strokes: Sequence[PlayedStroke], rounds: Sequence[Sequence[Stroke]]) -> list[list[PlayedStroke]]:
    left: Iterator[PlayedStroke] = iter(strokes)
    return [[next(left) for _ in round_] for round_ in rounds]


def presses(told: Account) -> list[Press]:
    return [press for own in told.presses.values() for press in own]


def test_real_switches_are_no_dead_heats_and_their_uncertainty_is_no_more_than_what_their_threads_waited(
    guest: Guest, chip: Chip, rng: random.Random, unique: str
) -> None:
    """Of thirty bouncing presses 24 carried ±0.64 to 3.0 s: the time since the seat's last edge."""
    rounds = [
        [
            press(rng, gpio, number * PERIOD_US + place * rng.randint(20, 400), 40_000, rng.choice(REAL))
            for place, gpio in enumerate(rng.sample(BUTTONS, 5))
        ]
        for number in range(30)
    ]
    process = start(guest, chip, "gpiod", unique)
    strokes, entered = traced(guest, chip, plan(rounds))
    told = ended(process, "gpiod")
    found = figures(by_rounds(strokes, rounds), told, entered)
    assert told.wait_ns is not None, "the kernel tells how long its threads wait"
    assert found.wide <= 0.01 * found.presses, told.wait_ns
    assert max(found.errors_ns) <= ENDLESS_NS, told.wait_ns


@pytest.mark.parametrize("settle_ms", [2, 40], ids=["usual", "above-the-wait"])
def test_a_spike_before_a_press_widens_it_by_the_wait_at_most_and_by_nothing_once_it_cannot_be_a_press(
    guest: Guest, chip: Chip, rng: random.Random, unique: str, settle_ms: int
) -> None:
    """Nine of sixty presses carried ±0.7 to 3.3 s: a doubt lasted for a second, and spread over the whole seat."""
    rounds = [
        [
            glitch(rng, spiked, number * PERIOD_US, (30, 50)),
            press(rng, pressed, number * PERIOD_US + rng.randint(40_000, 90_000), 60_000),
        ]
        for number in range(30)
        for spiked, pressed in [(rng.choice(BUTTONS), rng.choice(BUTTONS))]
    ]
    process = start(guest, chip, "gpiod", unique)
    strokes, entered = traced(guest, chip, plan(rounds))
    told = ended(process, "gpiod", ContactLimits(settle_ns=settle_ms * MS))
    found = figures(by_rounds(strokes, rounds), told, entered)
    assert told.wait_ns is not None
    allowed_ns = OWN_NS + (0 if told.wait_ns <= settle_ms * MS else told.wait_ns)
    assert max(found.errors_ns) <= allowed_ns, told.wait_ns


def test_a_program_that_stood_still_while_a_switch_chattered_knows_the_presses_as_well_as_ever(
    guest: Guest, chip: Chip, rng: random.Random, unique: str
) -> None:
    """±4.5 to 6 s, though nothing was lost: the queue was not full."""
    process = start(guest, chip, "gpiod", unique)
    bad, *others = rng.sample(BUTTONS, 5)
    rounds = []
    done: list[PlayedStroke] = []
    for _ in range(5):
        noise = chatter(rng, bad, 0, 300_000, closed_us=(200, 1_500), open_us=(200, 1_500))
        round_ = [noise, *(press(rng, gpio, rng.randint(20_000, 200_000), 100_000) for gpio in others)]
        process.signal(SIGSTOP)
        done += played(guest, chip, plan(round_))
        process.signal(SIGCONT)
        guest.rest(0.5)
        rounds.append(round_)
    told = ended(process, "gpiod")
    figures(by_rounds(done, rounds), told)
    clean = [one for one in presses(told) if one.line != LABELS[bad]]
    assert len(clean) >= 4 * len(rounds) - 2
    assert max(one.error_ns for one in clean) <= OWN_NS + 2 * MS


def test_clean_presses_at_rest_are_known_by_gpiozero_too(
    guest: Guest, chip: Chip, rng: random.Random, unique: str
) -> None:
    """Of 400 presses 56 carried ±0.6 to 2.2 s: lgpio's thread was 5 ms late, and might have lost what came before."""
    rounds = [
        [
            press(rng, gpio, number * PERIOD_US + place * rng.randint(100, 2_000), 60_000)
            for place, gpio in enumerate(rng.sample(BUTTONS, len(BUTTONS)))
        ]
        for number in range(20)
    ]
    process = start(guest, chip, "gpiozero", unique)
    strokes = played(guest, chip, plan(rounds))
    found = figures(by_rounds(strokes, rounds), ended(process, "gpiozero"))
    assert sum(error_ns > 50 * MS for error_ns in found.errors_ns) <= 0.05 * found.presses
