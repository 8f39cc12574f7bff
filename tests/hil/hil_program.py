"""`companion run` on twenty simulated lines, by gpiod and by gpiozero: is the exported record what was pressed?

Rounds are of the game `order` with all five seats, so that each closes by itself and presses behind the close stay in
the record. Collected by `tests/hil/run` only.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from tests.hil.box import GPIOS, LABELS, LATE_MS, SEATS, SOURCES, Box, one_button_each, races, remarks
from tests.hil.expected import ERROR_NS, expected_replay, is_doubtful, judge_race
from tests.hil.guest import Chip, Guest
from tests.hil.patterns import (
    CLOSED,
    REAL_SWITCH,
    Kind,
    Stroke,
    bounce_duel,
    burst,
    burst_rounds,
    chatter,
    glitch,
    hold,
    plan,
    press,
    release,
)
from tests.hil.truth import PlayedStroke, as_played

both_sources = pytest.mark.parametrize("source", SOURCES)

BUTTONS = tuple(GPIOS.values())
ROUNDS = {"gpiod": 10, "gpiozero": 5}  # the second is for a kernel without a character device
LOGGED_ROUNDS = 8  # a round makes some twenty lines, and the log writes two hundred in ten seconds
BUSY, BUSIEST = 1, 2  # processes beside it: one CPU is busy, or each
# Where there is noise, it is on the lines of a colour that does not play, and everybody else's must come out unharmed.
QUIET_SEATS = SEATS[:-1]
NOISY = [gpio for label, gpio in GPIOS.items() if label.startswith(SEATS[-1])]
QUIET = [gpio for gpio in BUTTONS if gpio not in NOISY]
PERIOD_US = LATE_MS * 1000 + 250_000
Rounds = Sequence[Sequence[Stroke]]
# More edges than this within a second, with no closure of a millisecond among them, are a sick line (`chatter_hz`).
SICK_EDGES = 200
SHORT_NS = 1_000_000
USUAL_REMARKS = ("the kernel keeps", "later than its source states", "lgpio")


@pytest.fixture
def box(guest: Guest, chip: Chip, unique: str) -> Iterator[Box]:
    """The program, not started yet; a chip with nobody on it."""
    made = Box(guest, unique)
    yield made
    guest.load(0)
    made.kill()


def play_rounds(
    guest: Guest, chip: Chip, rounds: Rounds, *, spread: bool = False, load: int = BUSY
) -> list[list[PlayedStroke]]:
    """Plays rounds beside busy processes and waits until the last one has been judged."""
    planned = plan(rounds)
    guest.load(load)
    (played,) = guest.play(planned, chip, spread=spread)
    guest.load(0)
    guest.rest(2)
    strokes = iter(as_played(planned, played))
    return [[next(strokes) for _ in round_] for round_ in rounds]


def short_edges(stroke: PlayedStroke) -> int:
    """How many edges a stroke has before a closure of it that may have come out as long as a finger's."""
    for number, (before, after) in enumerate(pairwise(stroke.moments)):
        if before.level == CLOSED and after.after_ns - before.before_ns >= SHORT_NS:
            return number
    return len(stroke.moments)


def assert_recorded(box: Box, truth: Sequence[Sequence[PlayedStroke]], seats: Sequence[str] = SEATS) -> list[str]:
    """Every race of the exported record is what was pressed, and replay gives the true order; returns the remarks.

    Without those of how a source reads, and those of lgpio: it says what it cannot know and, on busy CPUs, that it may
    have lost edges.
    """
    record = box.record()
    least_ns = ERROR_NS[box.source]
    noted = [text for text in remarks(record) if not any(usual in text for usual in USUAL_REMARKS)]
    *judged, rest = races(record)
    assert rest == [], "something was recorded that belongs to no round"
    assert len(judged) == len(truth), f"{len(judged)} races of {len(truth)} rounds; remarks: {noted}"
    # What noise made after a race was closed stands in the next one.
    before = [[], *([s for s in strokes if s.stroke.kind is not Kind.PRESS] for strokes in truth)]
    sure = [
        (number, judge_race(race, [*noise, *strokes], LABELS, seats, least_ns))
        for number, (race, strokes, noise) in enumerate(zip(judged, truth, before, strict=False), 1)
        if not any(is_doubtful(stroke) for stroke in strokes if stroke.stroke.kind is Kind.PRESS)
    ]
    assert len(sure) >= len(truth) * 0.4, f"the host is too busy: only {len(sure)} rounds were played as planned"
    faults = [f"round {number}: {fault}" for number, verdict in sure for fault in verdict.faults]
    assert not faults, "\n".join([*faults, *noted])
    assert not any(verdict.wrong_first for _, verdict in sure)
    assert box.replay(record) == expected_replay(judged, seats)
    return noted


@both_sources
def test_bursts_of_twenty_buttons_are_recorded_as_pressed(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
    source: str,
) -> None:
    """On one of the guest's processors, and then spread over both."""
    box.start(source, "--no-cards")
    truth = []
    for spread in (False, True):
        rounds = burst_rounds(rng, BUTTONS, ROUNDS[source], period_us=PERIOD_US)
        truth += play_rounds(guest, chip, rounds, spread=spread, load=BUSIEST)
    box.stop()
    assert_recorded(box, truth)


@both_sources
def test_bouncing_switches_are_recorded_once_at_their_first_edge_and_lose_to_no_clean_contact_after_it(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
    source: str,
) -> None:
    bouncing = [
        burst(rng, one_button_each(rng), number * PERIOD_US, hold_us=60_000, contact=REAL_SWITCH)
        for number in range(ROUNDS[source])
    ]
    duels = []
    for number in range(ROUNDS[source]):
        at_us = number * PERIOD_US
        first, second, *others = one_button_each(rng)
        later = burst(rng, others, at_us + 5_000, gap_us=(50, 2_000), hold_us=60_000, contact=REAL_SWITCH)
        duels.append([*bounce_duel(rng, first, second, at_us), *later])
    box.start(source, "--no-cards")
    truth = play_rounds(guest, chip, bouncing) + play_rounds(guest, chip, duels)
    box.stop()
    assert_recorded(box, truth)


def test_glitches_are_logged_and_not_recorded(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
) -> None:
    rounds = []
    for number in range(LOGGED_ROUNDS):
        at_us = number * PERIOD_US + 30_000
        knocks = [glitch(rng, gpio, at_us + rng.randint(-25_000, 60_000), (100, 1_000)) for gpio in NOISY]
        rounds.append([*burst(rng, QUIET, at_us), *knocks])
    process = box.start("gpiod", "--no-cards", seats=QUIET_SEATS)
    truth = play_rounds(guest, chip, rounds)
    box.stop()
    assert assert_recorded(box, truth, QUIET_SEATS) == []
    knocked = [stroke for strokes in truth for stroke in strokes if stroke.stroke.kind is Kind.GLITCH]
    sure = Counter(LABELS[stroke.gpio] for stroke in knocked if not is_doubtful(stroke))
    logged = {label: process.stderr().count(f"{label}: a contact of ") for label in GPIOS}
    assert sum(sure.values()) >= 10, "the host is too busy: hardly a glitch came out short"
    assert all(logged[label] >= count for label, count in sure.items())
    assert sum(logged.values()) <= len(knocked)


def test_held_buttons_are_named_and_count_again_when_they_are_well(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
) -> None:
    held, stuck = ["red first", "blue fourth"], "green third"
    well = [gpio for label, gpio in GPIOS.items() if label not in held]
    guest.play(plan([hold(GPIOS[label]) for label in held]), chip)
    process = box.start("gpiod", "--no-cards")
    truth = play_rounds(guest, chip, burst_rounds(rng, well, 3, period_us=PERIOD_US))
    guest.play(plan([release(GPIOS[label]) for label in held]), chip)
    guest.rest(2)
    # Held for longer than `stuck_s`: one press at its first edge, then out of play until it is let go of.
    others = [gpio for gpio in BUTTONS if gpio != GPIOS[stuck]]
    leaning = [press(rng, GPIOS[stuck], 0, 5_000_000), *burst(rng, others, 100)]
    truth += play_rounds(guest, chip, [leaning, burst(rng, BUTTONS, 7_000_000)])
    box.stop()
    noted = assert_recorded(box, truth)
    assert sorted(noted[:2]) == [f"{label}: held down at start" for label in sorted(held)]
    assert sorted(noted[2:4]) == [f"{label}: well again" for label in sorted(held)]
    assert noted[4:] == [f"{stuck}: stuck: held too long", f"{stuck}: well again"]
    assert all(f"{label}: held down at start" in process.stderr() for label in held)


def test_a_chattering_line_is_named_and_spoils_no_other(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
) -> None:
    bad, episodes = NOISY[0], 4
    rounds: list[list[Stroke]] = []
    for episode in range(episodes):
        # More edges at once than a finger makes, then now and then one for a second, with a round in its midst.
        at_us = episode * 4_000_000
        fast = chatter(rng, bad, at_us, 150_000, closed_us=(60, 140), open_us=(60, 140))
        slow = chatter(rng, bad, at_us + 160_000, 1_000_000, closed_us=(100, 800), open_us=(1_500, 5_000))
        noise = Stroke(Kind.CHATTER, (*fast.edges, *slow.edges))
        rounds += [[noise, *burst(rng, QUIET, at_us + 400_000)], burst(rng, QUIET, at_us + 3_000_000)]
    box.start("gpiod", "--no-cards", seats=QUIET_SEATS)
    truth = play_rounds(guest, chip, rounds)
    box.stop()
    noted = assert_recorded(box, truth, QUIET_SEATS)
    chattered = [stroke for strokes in truth for stroke in strokes if stroke.stroke.kind is Kind.CHATTER]
    short = [short_edges(stroke) for stroke in chattered]
    sick = sum(edges > SICK_EDGES for edges in short)
    assert sick, "the host is too busy: no episode came out as fast as it was planned"
    named = f"{LABELS[bad]}: chattering: too many edges"
    assert noted.count(named) >= sick
    others = [label for label in GPIOS if label.split()[0] in QUIET_SEATS]
    assert not [text for text in noted if any(label in text for label in others)], "it spoils no other"
    if short == [len(stroke.moments) for stroke in chattered]:
        assert noted == [named, f"{LABELS[bad]}: well again"] * episodes


def test_a_box_that_was_killed_goes_on_where_it_was(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
) -> None:
    box.start("gpiod", "--no-cards")
    truth = play_rounds(guest, chip, burst_rounds(rng, BUTTONS, 3, period_us=PERIOD_US))
    box.await_recorded(sum(map(len, truth)))
    box.kill()
    box.start("gpiod", "--no-cards")
    truth += play_rounds(guest, chip, burst_rounds(rng, BUTTONS, 3, period_us=PERIOD_US))
    box.stop()
    assert_recorded(box, truth)
