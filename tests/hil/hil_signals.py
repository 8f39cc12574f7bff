"""Lamps and motors of the seats on the kernel's i2c-stub, which keeps what the program writes by SMBus. It plays no
chip: that an expander sets its outputs by these registers is its datasheet's word (`tests/fakes/expanders.py`).
Collected by `tests/hil/run` only.
"""

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

import pytest

from companion.core.signals.rhythms import SEEN
from tests.hil.box import GPIOS, SETTINGS, Box
from tests.hil.errors import HilError
from tests.hil.guest import PROGRAM, PYTHON, Chip, Guest
from tests.hil.image import INSIDE
from tests.hil.patterns import plan, press

BUS = 0
"""The guest's i2c-stub; a Pi's header has bus 1."""
MS = 1_000_000
SLACK_MS = 400
"""The emulator may stop for so long between two writes, or between two looks at them."""
TRIES = 8
KILLER = """
import os, smbus2, time
with smbus2.SMBus({bus}) as bus:
    print("ready", flush=True)
    while not bus.read_i2c_block_data(0x20, 0x14, 1)[0] & 1:
        time.sleep(0.005)
    os.kill({pid}, 9)
    print("killed", flush=True)
"""
"""Kills the box in the guest as soon as red's lamp is lit, which it is for a moment only."""
OFF, FULL = [0, 0, 0, 0x10], [0, 0x10, 0, 0]


def settings(kind: str, address: int = 0) -> str:
    return f'{SETTINGS}[signals]\nkind = "{kind}"\ni2c_bus = {BUS}\ni2c_address = {address}\n'


@pytest.fixture
def made(guest: Guest, chip: Chip, unique: str) -> Iterator[list[Box]]:
    """Boxes that a test starts; none of them outlives it."""
    boxes: list[Box] = []
    yield boxes
    for box in boxes:
        box.kill()


def start(guest: Guest, made: list[Box], name: str, text: str) -> Box:
    box = Box(guest, name, settings=text)
    made.append(box)
    box.start("gpiod", "--game", "order", seats=("red", "yellow"))
    return box


def read(guest: Guest, address: int, register: int, length: int) -> list[int]:
    script = (
        f"import smbus2\nwith smbus2.SMBus({BUS}) as bus: "
        f"print(*bus.read_i2c_block_data({address}, {register}, {length}))"
    )
    return [int(value) for value in guest.run([PYTHON, "-c", script]).stdout.split()]


def run_on_bus(guest: Guest, what: str) -> None:
    """Write to the stub, which keeps what earlier tests have written: it plays no chip that could forget it."""
    guest.run([PYTHON, "-c", f"import smbus2\nbus = smbus2.SMBus({BUS})\n{what}\nbus.close()"])


def test_a_press_is_seen_and_felt_by_its_own_seat_in_the_rhythm_that_is_written(
    guest: Guest, chip: Chip, made: list[Box], rng: random.Random, unique: str
) -> None:
    red_lamp, red_motor, yellow_motor = 0x06, 0x26, 0x2A
    watch = [f"0x40:{register}:4" for register in (red_lamp, red_motor, yellow_motor)]
    box = start(guest, made, unique, settings("pca9685"))
    assert read(guest, 0x40, 0xFE, 1) == [5], "it was set up"
    guest.rest(8)  # the race is open: that is told at the start
    reader = guest.start(f"{unique}-reader", [PYTHON, str(INSIDE / "register_reader.py"), str(BUS), *watch])
    reader.await_text("ready")
    (played,) = guest.play(plan([[press(rng, GPIOS["red first"], 0, 80_000)]]), chip)
    guest.rest(2)
    assert reader.stop() == 0, reader.said()
    box.stop()
    rows = [[int(word) for word in line.split()] for line in reader.stdout().splitlines() if line[:1].isdigit()]
    after = [row for row in rows if row[0] > played[0].before_ns]
    motor = [(row[0], row[2:]) for row in after if row[1] == 1]
    assert [values for _, values in motor[:2]] == [FULL, OFF], "one short pulse"
    assert [row for row in after if row[1] == 2 and row[2:] == FULL] == [], "yellow's hand is told nothing"
    lamp = [(row[0], row[2:]) for row in after if row[1] == 0]
    on_ns, off_ns = next((t, u) for (t, is_on), (u, _) in pairwise(lamp) if is_on == FULL)
    assert -SLACK_MS / 4 <= (off_ns - on_ns) / MS - SEEN.short <= SLACK_MS  # both ends are seen late, by a look
    rises = [t_ns for t_ns, values in lamp if values == FULL]
    assert all(sum(first <= t < first + 1000 * MS for t in rises) <= 3 for first in rises)


def test_after_a_kill_the_next_start_switches_off_what_was_left_on(
    guest: Guest, chip: Chip, made: list[Box], rng: random.Random, unique: str
) -> None:
    box = start(guest, made, f"{unique}-killed", settings("mcp23017"))
    assert read(guest, 0x20, 0x00, 2) == [0xE0, 0xE0], "lamps and motors are outputs, the rest inputs"
    assert box.process is not None
    killer = guest.start(f"{unique}-killer", [PYTHON, "-c", KILLER.format(bus=BUS, pid=box.process.pid)])
    killer.await_text("ready")
    for _ in range(TRIES):  # a press before the race is open lights nothing
        guest.play(plan([[press(rng, GPIOS["red first"], 0, 80_000)]]), chip)
        with suppress(HilError):
            killer.await_text("killed", seconds=5)
            break
    assert killer.wait() == 0, "red pressed, and its lamp never said so"
    box.kill()
    assert read(guest, 0x20, 0x14, 1)[0] & 1, "nobody has switched it off"
    off = [PROGRAM, "signals", "--off", "--config", f"/run/hil/{unique}-killed.toml"]
    guest.run(off)
    assert read(guest, 0x20, 0x14, 2) == [0, 0]


def test_without_the_expander_that_is_set_play_goes_on_and_it_is_said(
    guest: Guest, chip: Chip, made: list[Box], rng: random.Random, unique: str
) -> None:
    box = start(guest, made, unique, settings("mcp23017", 0x21))
    process = box.process
    assert process is not None
    process.await_text("no lamps and motors on the MCP23017 at address 0x21")
    guest.play(plan([[press(rng, GPIOS["red first"], 0, 80_000)], [press(rng, GPIOS["yellow first"], 40_000, 80_000)]]),
               chip)  # fmt: skip
    guest.rest(3)
    box.stop()
    assert {"press", "close", "judge"} <= {line["type"] for line in box.record()}


def test_the_pressed_button_is_lit_by_itself_and_goes_dark_with_the_program(
    guest: Guest, chip: Chip, made: list[Box], rng: random.Random, unique: str
) -> None:
    run_on_bus(guest, "for output in range(16): bus.write_i2c_block_data(0x40, 0x06 + 4 * output, [0, 0, 0, 0x10])")
    lamps = f'{SETTINGS}[signals]\nbutton_lamps = "pca9685"\ni2c_bus = {BUS}\n'
    box = start(guest, made, unique, lamps)
    assert [read(guest, address, 0xFE, 1) for address in (0x40, 0x41)] == [[5], [5]], "both were set up"
    guest.rest(8)
    guest.play(plan([[press(rng, GPIOS["yellow second"], 0, 80_000)]]), chip)
    guest.rest(2)
    lit = {output for output in range(16) if read(guest, 0x40, 0x06 + 4 * output, 4) == FULL}
    assert 5 in lit, "yellow's second button"
    assert lit.isdisjoint(range(4)), "red's are dark"
    run_on_bus(guest, "bus.write_byte_data(0x40, 0xFD, 0)")  # what was written at the start is not the end's
    box.stop()
    assert read(guest, 0x40, 0xFD, 1) == [0x10], "all off, by the chip's own register for all"
