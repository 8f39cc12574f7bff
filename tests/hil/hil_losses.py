"""`companion run` where edges are late, merged, too many and lost: what the record makes of it, by default settings.

Collected by `tests/hil/run` only.
"""

import random
from collections.abc import Iterator
from signal import SIGCONT, SIGSTOP
from typing import Any

import pytest

from tests.hil.box import GPIOS, Box, races, remarks
from tests.hil.guest import PYTHON, Chip, Guest, Process
from tests.hil.image import INSIDE
from tests.hil.patterns import Contact, Stroke, burst, burst_rounds, chatter, plan, press
from tests.hil.truth import as_played

BUTTONS = tuple(GPIOS.values())
FAST_SWITCH = Contact(make_us=(1_000, 9_000), break_us=(1_000, 9_000), closed_us=(40, 400), open_us=(40, 400))
SETTINGS = """\
[box]
resume = "always"
[display]
kind = "none"
"""
WINDOW_US = 3_000_000
TRIES = 3
"""How often a round is played that the emulator disturbs."""
ENDS_S = 60
"""It has to end, not to be quick: a line that it logs takes some 50 ms through the share where the host is slow."""
PERIOD_US = 4_500_000
"""The default window and the time for what is late after it, and some rest."""


@pytest.fixture
def box(guest: Guest, chip: Chip, unique: str) -> Iterator[Box]:
    """The program, not started yet; a chip with nobody on it."""
    made = Box(guest, unique, settings=SETTINGS)
    yield made
    guest.load(0)
    made.kill()


def signals(guest: Guest, chip: Chip, name: str, process: Process, label: str, *orders: str) -> Process:
    """Have signals sent to the program, so long after a button was first pressed."""
    pull = f"{chip.folder}/sim_gpio{GPIOS[label]}/pull"
    script = str(INSIDE / "signaller.py")
    sender = guest.start(f"{name}-signals", [PYTHON, script, pull, str(process.pid), *orders])
    sender.await_text("ready")
    return sender


def presses(race: list[dict[str, Any]]) -> list[str]:
    return [f"{line['colour']} {line['role']}" for line in race if line["type"] == "press"]


def playing(race: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A race without the colour that only makes noise: the emulator may stand still in it, and make a press of it."""
    return [line for line in race if line["type"] != "press" or line["colour"] != "purple"]


def test_a_press_in_time_counts_though_the_program_stood_still_while_edges_were_held(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
    unique: str,
) -> None:
    """`close` was written at 3000.5 ms, and behind it the press made at 2900.6 ms, which was not ranked."""
    noise = chatter(rng, GPIOS["purple second"], WINDOW_US - 170_000, 300_000, (40, 400), (40, 400))
    red, blue = (
        press(rng, GPIOS["red first"], 0, 60_000),
        press(rng, GPIOS["blue first"], WINDOW_US - 100_000, 60_000),
    )
    late = plan([red, blue], noise)
    for number in range(TRIES):
        made = box if number == 0 else Box(guest, f"{unique}-{number}", settings=SETTINGS)
        program = made.start("gpiod", "--no-cards", seats=("red", "yellow", "blue"))
        sender = signals(guest, chip, f"{unique}-{number}", program, "red first", "2.85:SIGSTOP", "3.25:SIGCONT")
        (played,) = guest.play(late, chip, spread=True)
        assert sender.wait() == 0
        guest.rest(6)
        made.stop()
        true_red, true_blue = as_played(late, played)[:2]
        if true_blue.first.after_ns - true_red.first.before_ns < WINDOW_US * 1000:
            break  # else the emulator stood still, and blue's press was really made too late
    else:
        pytest.fail("the host is too busy: no press was made in time")
    record = made.record()
    race, *_ = (playing(lines) for lines in races(record))
    assert [line["type"] for line in race] == ["press", "press", "close"], (race, true_red.first, true_blue.first)
    assert presses(race) == ["red first", "blue first"]
    assert [text for text in remarks(record) if "later than" in text] == []


def test_a_race_with_lost_edges_is_ruled_and_its_remark_names_the_seat_that_may_have_lost_a_press(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
) -> None:
    program = box.start("gpiod", "--no-cards")
    noise = chatter(rng, GPIOS["purple first"], 0, 300_000, (60, 140), (60, 140))
    quiet = [
        GPIOS[f"{seat} {role}"] for seat, role in zip(["red", "yellow", "green", "blue"], ["first"] * 4, strict=True)
    ]
    strokes: list[Stroke] = [noise, *burst(rng, quiet, 150_000, gap_us=(1_000, 2_000))]
    flood = plan(strokes)
    assert len(noise.edges) > 2_500
    program.signal(SIGSTOP)
    guest.play(flood, chip)
    program.signal(SIGCONT)
    guest.rest(6)
    box.stop()
    record = box.record()
    told = [text for text in remarks(record) if "may have been lost on" in text]
    assert told
    assert all("purple first" in text and "red" not in text for text in told)
    race, *_ = races(record)
    order = [stroke.gpio for stroke in strokes[1:]]
    assert [GPIOS[label] for label in presses(race) if not label.startswith("purple")] == order
    assert [line["type"] for line in race].count("close") == 1
    assert any(line["type"] == "judge" for line in record)


def test_twenty_switches_bouncing_together_make_no_flood_of_remarks_and_sigterm_ends_the_box_in_its_midst(
    guest: Guest,
    chip: Chip,
    box: Box,
    rng: random.Random,
    unique: str,
) -> None:
    """1,700 "came later" remarks in 12 rounds, and one run did not end within 60 s of SIGTERM."""
    program = box.start("gpiod", "--no-cards")
    rounds = burst_rounds(rng, BUTTONS, 12, period_us=300_000, contact=FAST_SWITCH)
    guest.play(plan(rounds), chip, spread=True)
    ending = [chatter(rng, gpio, 0, 1_000_000, (60, 400), (60, 400)) for gpio in BUTTONS]
    sender = signals(guest, chip, unique, program, "red first", "0.5:SIGTERM")
    guest.play(plan(ending), chip, spread=True)
    assert sender.wait() == 0
    assert program.wait(seconds=ENDS_S) == 0, program.said()
    assert len(remarks(box.record())) < 100
