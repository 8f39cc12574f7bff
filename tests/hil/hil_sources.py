"""The program's own sources on kernel lines, with nothing of the program behind them: is every stated ± true?

Interrupt threads run where they like here, so edges are merged, queued the wrong way round and lost; the sources may be
uncertain of as much as they cannot know, and must say so. Collected by `tests/hil/run` only.
"""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from signal import SIGCONT, SIGSTOP

import pytest

from companion.adapters.gpio import gpiod_request, gpiozero_source
from tests.hil.box import GPIOS, LABELS
from tests.hil.guest import PYTHON, SOURCE_READER, Chip, Guest, Process
from tests.hil.patterns import REAL_SWITCH, Contact, Kind, burst_rounds, chatter, plan, press
from tests.hil.truth import PlayedStroke, as_played

both_sources = pytest.mark.parametrize("source", ["gpiod", "gpiozero"])

BUTTONS = tuple(GPIOS.values())
MOST = {"gpiod": 2 * 5 * gpiod_request.MOST_AT_ONCE, "gpiozero": 4 * gpiozero_source.MOST_AT_ONCE}
"""The most edges in one reading. gpiod has a request for each of five seats, and one event may stand for two edges."""
BUSY = 4
PERIOD_US = 200_000
NINE_MS = Contact(make_us=(9_000, 9_000), break_us=(9_000, 9_000))
# As fast as contacts are seen to bounce: closer together than a late interrupt thread.
FAST_SWITCH = Contact(make_us=(1_000, 9_000), break_us=(1_000, 9_000), closed_us=(40, 400), open_us=(40, 400))


@dataclass(frozen=True, slots=True)
class Told:
    """An edge as the source gave it."""

    active: bool
    t_ns: int
    error_ns: int
    merged_ns: int
    lost_since_ns: int | None

    @property
    def reach_ns(self) -> int:
        """The ± that a press has at least which begins with it."""
        return self.error_ns if self.lost_since_ns is None else max(self.error_ns, self.t_ns - self.lost_since_ns)


@dataclass(frozen=True, slots=True)
class Heard:
    """All that a source gave: edges by label, faults as (text, lines), late labels."""

    edges: dict[str, list[Told]]
    faults: list[tuple[str, list[str]]]
    late: list[str]
    most: int
    """The most edges that one reading gave."""


def start(guest: Guest, chip: Chip, source: str, name: str, gpios: Sequence[int] = BUTTONS) -> Process:
    pairs = ",".join(f"{LABELS[gpio]}={gpio}" for gpio in gpios)
    process = guest.start(name, [PYTHON, SOURCE_READER, source, chip.device, pairs])
    process.await_text("ready", seconds=180)
    return process


def stop(process: Process) -> Heard:
    assert process.stop(seconds=120) == 0, process.said()
    edges: dict[str, list[Told]] = defaultdict(list)
    faults, late, most = [], [], 0
    for line in process.stdout().splitlines():
        if not line.startswith("["):
            continue
        kind, *values = json.loads(line)
        if kind == "edge":
            edges[values[0]].append(Told(*values[1:]))
        elif kind == "fault":
            faults.append((values[0], values[2:]))
        elif kind == "late":
            late.append(values[0])
        elif kind == "most":
            most = values[0]
    return Heard({line: sorted(told, key=lambda edge: edge.t_ns) for line, told in edges.items()}, faults, late, most)


def told_of(strokes: Sequence[PlayedStroke], heard: Heard) -> list[tuple[PlayedStroke, Told | None]]:
    """The presses, and the first closing told of each: the first after half the pause before it.

    Without those told as lost: a line on which a loss was told may have lost all of a press, or its closing, so that
    what is told of it begins with an opening.
    """
    out: list[tuple[PlayedStroke, Told | None]] = []
    lossy = {line for _, lines in heard.faults for line in lines}
    by_line: dict[str, list[PlayedStroke]] = defaultdict(list)
    for stroke in strokes:
        by_line[LABELS[stroke.gpio]].append(stroke)
    for label, own in by_line.items():
        ends_ns = [0, *(stroke.moments[-1].after_ns for stroke in own)]
        for stroke, before_ns in zip(own, ends_ns, strict=False):
            begin_ns = (before_ns + stroke.first.before_ns) // 2 if before_ns else 0
            until_ns = stroke.moments[-1].after_ns + PERIOD_US * 100
            told = [edge for edge in heard.edges.get(label, []) if begin_ns < edge.t_ns < until_ns]
            is_told_lost = label in lossy and not (told and told[0].active)
            if stroke.stroke.kind is Kind.PRESS and not is_told_lost:
                out.append((stroke, next((edge for edge in told if edge.active), None)))
    return sorted(out, key=lambda pair: pair[0].first.before_ns)


def outside(strokes: Sequence[PlayedStroke], heard: Heard) -> list[str]:
    """The presses whose true first edge lies outside what the first edge told of them states."""
    wrong = []
    for stroke, first in told_of(strokes, heard):
        if first is None:
            wrong.append(f"{LABELS[stroke.gpio]}: nothing was told, and no loss")
        elif not stroke.first.holds(first.t_ns, first.reach_ns):
            miss_ns = stroke.first.miss_ns(first.t_ns)
            wrong.append(f"{LABELS[stroke.gpio]}: {miss_ns} ns outside ±{first.reach_ns} ns")
    return wrong


def misordered(strokes: Sequence[PlayedStroke], heard: Heard) -> int:
    """Neighbouring presses whose order is told the wrong way round, and for certain."""
    firsts = [first for _, first in told_of(strokes, heard) if first is not None]
    return sum(earlier.t_ns - later.t_ns > earlier.reach_ns + later.reach_ns for earlier, later in pairwise(firsts))


@pytest.mark.parametrize(
    ("source", "contact", "spread"),
    [
        ("gpiod", REAL_SWITCH, True),
        ("gpiod", FAST_SWITCH, True),
        ("gpiozero", REAL_SWITCH, True),
        ("gpiozero", FAST_SWITCH, False),  # lgpio cannot show what late threads merge: its remark says so
    ],
    ids=["gpiod-real", "gpiod-fast", "gpiozero-real", "gpiozero-fast"],
)
def test_no_press_is_outside_its_stated_uncertainty_where_edges_merge_and_are_lost(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
    source: str,
    contact: Contact,
    spread: bool,
) -> None:
    process = start(guest, chip, source, unique)
    bursts = plan(burst_rounds(rng, BUTTONS, 30, period_us=PERIOD_US, contact=contact))
    guest.load(BUSY)
    (played,) = guest.play(bursts, chip, spread=spread)
    guest.load(0)
    heard = stop(process)
    strokes = as_played(bursts, played)
    assert outside(strokes, heard) == []
    assert misordered(strokes, heard) == 0
    assert len({label for label, told in heard.edges.items() if told}) == len(BUTTONS)
    if source == "gpiod":
        assert heard.late == []
    if (source, contact) == ("gpiod", REAL_SWITCH):
        certain = [edge for told in heard.edges.values() for edge in told if edge.error_ns == 20_000]
        assert len(certain) > sum(map(len, heard.edges.values())) * 0.5, "most is as certain as it is without a gap"


def test_a_program_that_stood_still_while_a_switch_bounced_says_what_it_cannot_know(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
) -> None:
    """Eight of ten races had the wrong first with gpiozero, and nothing said so: 16 edges are kept for lgpio."""
    process = start(guest, chip, "gpiozero", unique)
    strokes: list[PlayedStroke] = []
    for _ in range(10):
        bouncing, clean = rng.sample(BUTTONS, 2)
        at_us = rng.randint(2_000, 8_000)
        duel = plan([press(rng, bouncing, 0, 100_000, NINE_MS), press(rng, clean, at_us, 100_000)])
        process.signal(SIGSTOP)
        (played,) = guest.play(duel, chip)
        guest.rest(0.1)
        process.signal(SIGCONT)
        guest.rest(0.5)
        strokes += as_played(duel, played)
    heard = stop(process)
    assert outside(strokes, heard) == []
    assert misordered(strokes, heard) == 0
    assert any("may have been lost" in text and lines for text, lines in heard.faults)


@both_sources
def test_fourteen_hundred_edges_on_one_line_are_a_remark_and_cost_no_other_line_anything(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
    source: str,
) -> None:
    process = start(guest, chip, source, unique)
    bad, good = GPIOS["purple first"], GPIOS["red second"]
    noise = chatter(rng, bad, 0, 140_000, closed_us=(60, 140), open_us=(60, 140))
    flood = plan([noise, press(rng, good, 70_000, 100_000)])
    assert len(noise.edges) > 1_300
    process.signal(SIGSTOP)
    (played,) = guest.play(flood, chip)
    process.signal(SIGCONT)
    guest.rest(1)
    heard = stop(process)
    strokes = as_played(flood, played)
    assert outside(strokes, heard) == []
    (told,) = [edge for edge in heard.edges["red second"] if edge.active]
    suspects = {line for text, lines in heard.faults if "lost" in text for line in lines}
    assert "purple first" in suspects
    if source == "gpiod":
        assert told.error_ns == 20_000, "the flood costs only its maker"
        assert all(label.startswith("purple") for label in suspects)


@both_sources
def test_twenty_switches_bouncing_together_are_read_by_and_by_with_hardly_a_remark(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
    source: str,
) -> None:
    process = start(guest, chip, source, unique)
    together = plan(burst_rounds(rng, BUTTONS, 12, period_us=PERIOD_US, gap_us=(50, 100), contact=FAST_SWITCH))
    (played,) = guest.play(together, chip, spread=True)
    heard = stop(process)
    strokes = as_played(together, played)
    assert outside(strokes, heard) == []
    assert misordered(strokes, heard) == 0
    assert len(heard.faults) < 12, heard.faults
    assert 0 < heard.most <= MOST[source]
