"""The guest itself, before any program of ours runs in it: are its edges, its clock and its manners to be trusted?

Collected by `tests/hil/run` only (the name does not begin with test_), because it boots a virtual machine.
"""

import random
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.errors import HilError
from tests.hil.guest import PYTHON, SOURCE_READER, Chip, Guest, Process
from tests.hil.image import INSIDE, Image
from tests.hil.patterns import OPEN, REAL_SWITCH, burst_rounds, hold, plan, release
from tests.hil.truth import Played

LINES = tuple(range(4, 24))
BUSY = 4
# gpiozero hands lgpio's nanoseconds on as a float of seconds.
FLOAT_NS = 1_000
LOOK = "cd /proc/$1 && readlink cwd fd/1 fd/2 && cut -d' ' -f6 stat"


@pytest.fixture
def reader(guest: Guest, chip: Chip, unique: str) -> Iterator[Process]:
    """python3-gpiod on twenty lines of the chip."""
    process = start_reader(guest, chip, unique)
    yield process
    if "end\n" not in process.stdout():
        process.stop()


def start_reader(guest: Guest, chip: Chip, name: str) -> Process:
    script = str(INSIDE / "edge_reader.py")
    process = guest.start(name, [PYTHON, script, chip.device, ",".join(map(str, LINES))])
    process.await_text("ready")
    return process


def edges_told(process: Process) -> list[tuple[int, int, int, int]]:
    """(line, level, t_ns, seqno) in the order of delivery, of a reader that has ended well."""
    assert process.stop() == 0, process.said()
    rows = [line.split()[1:] for line in process.stdout().splitlines() if line.startswith("edge ")]
    return [(int(line), int(level), int(t_ns), int(seqno)) for line, level, t_ns, seqno in rows]


def assert_told_as_played(told: list[tuple[int, int, int, int]], played: list[Played]) -> None:
    by_stamp = sorted(told, key=lambda edge: edge[2])
    assert [edge[:2] for edge in by_stamp] == [(edge.gpio, edge.level) for edge in played]
    assert [edge[3] for edge in by_stamp] == list(range(1, len(played) + 1)), "sequence numbers out of order"
    assert all(edge.holds(t_ns) for edge, (_, _, t_ns, _) in zip(played, by_stamp, strict=True))


@pytest.mark.parametrize("spread", [False, True], ids=["one-cpu", "two-cpus"])
@pytest.mark.parametrize("busy", [0, BUSY], ids=["idle", "loaded"])
def test_every_edge_of_a_burst_arrives_with_its_time(
    guest: Guest,
    chip: Chip,
    reader: Process,
    rng: random.Random,
    busy: int,
    spread: bool,
) -> None:
    bursts = plan(burst_rounds(rng, LINES, 20))
    guest.load(busy)
    (played,) = guest.play(bursts, chip, spread=spread)
    guest.load(0)
    told = edges_told(reader)
    assert_told_as_played(told, played)


def test_every_edge_of_bouncing_presses_arrives_with_its_time(
    guest: Guest,
    chip: Chip,
    reader: Process,
    rng: random.Random,
) -> None:
    guest.load(BUSY)
    (played,) = guest.play(plan(burst_rounds(rng, LINES[:5], 20, contact=REAL_SWITCH)), chip)
    guest.load(0)
    assert_told_as_played(edges_told(reader), played)


def test_a_button_held_before_the_claim_is_still_held_after_it(guest: Guest, chip: Chip, unique: str) -> None:
    guest.play(plan(hold(LINES[3])), chip)
    process = start_reader(guest, chip, unique)
    assert guest.levels(chip, LINES[2:5]) == [1, 0, 1]
    (played,) = guest.play(plan(release(LINES[3])), chip)
    told = edges_told(process)
    assert f"level {LINES[3]} 0" in process.stdout()
    assert f"level {LINES[2]} 1" in process.stdout()
    assert [edge[:2] for edge in told] == [(LINES[3], OPEN)]
    assert_told_as_played(told, played)


def test_gpiozero_takes_the_guest_for_a_pi_and_lgpio_stamps_as_the_kernel_does(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
) -> None:
    script = str(INSIDE / "gpiozero_reader.py")
    process = guest.start(unique, [PYTHON, script, ",".join(map(str, LINES))])
    process.await_text("ready")
    (played,) = guest.play(plan(burst_rounds(rng, LINES, 5)), chip)
    assert process.stop() == 0, process.said()
    assert "board 4B LGPIOFactory" in process.stdout()
    told = sorted(
        (int(t_ns), int(line), int(level))
        for word, line, level, t_ns in (row.split() for row in process.stdout().splitlines() if row.startswith("edge"))
    )
    assert [edge[1:] for edge in told] == [(edge.gpio, edge.level) for edge in played]
    assert all(edge.holds(t_ns, FLOAT_NS) for edge, (t_ns, *_) in zip(played, told, strict=True))


def test_chips_are_found_by_label_and_two_get_the_same_presses(
    guest: Guest,
    chip: Chip,
    rng: random.Random,
    unique: str,
) -> None:
    other = guest.add_chip("other", label="pinctrl-rp1")
    try:
        assert {chip.device, other.device} == {"/dev/gpiochip0", "/dev/gpiochip1"}
        labels = guest.run([PYTHON, "-c", (
            "import gpiod\n"
            "for number in (0, 1):\n"
            "    with gpiod.Chip(f'/dev/gpiochip{number}') as chip: print(chip.get_info().label)"
        )])  # fmt: skip
        assert labels.stdout.split() == ["pinctrl-bcm2711", "pinctrl-rp1"]
        readers = [start_reader(guest, one, f"{unique}-{one.name}") for one in (chip, other)]
        both = guest.play(plan(burst_rounds(rng, LINES, 5)), chip, other)
        for process, played in zip(readers, both, strict=True):
            assert_told_as_played(edges_told(process), played)
    finally:
        guest.remove_chip(other)


def test_both_displays_and_all_expanders_answer_on_the_i2c_bus_and_nobody_else(guest: Guest) -> None:
    done = guest.run([PYTHON, "-c", (
        "import smbus2\n"
        "with smbus2.SMBus(0) as bus:\n"
        "    bus.write_i2c_block_data(0x3c, 0x40, [1, 2, 3])\n"
        "    print(bus.read_i2c_block_data(0x3c, 0x40, 3))\n"
        "    for address in range(0x08, 0x78):\n"
        "        try: bus.read_byte_data(address, 0)\n"
        "        except OSError: continue\n"
        "        print(hex(address))\n"
    )])  # fmt: skip
    assert done.stdout.splitlines() == ["[1, 2, 3]", "0x20", "0x3c", "0x3d", "0x40", "0x41"]


def test_the_guest_cannot_write_to_the_host(guest: Guest, run_folder: Path) -> None:
    target = run_folder / "written-by-the-guest"
    guest.run([PYTHON, "-c", f"open({str(target)!r}, 'w').write('x'); print(open({str(target)!r}).read())"])
    assert not target.exists()


def test_a_failing_process_is_told_with_its_status_and_its_words(guest: Guest) -> None:
    with pytest.raises(HilError, match=r"status 7 in the guest:\n(.*\n)*.*out of luck"):
        guest.run([PYTHON, "-c", "import sys; print('out of luck', file=sys.stderr); sys.exit(7)"])
    with pytest.raises(HilError, match="did not end within 1 s"):
        guest.run([PYTHON, "-c", "import time; time.sleep(5)"], seconds=1)


def test_a_fork_is_a_process_of_its_own_with_what_it_was_given(guest: Guest, chip: Chip, unique: str) -> None:
    command = [PYTHON, SOURCE_READER, "gpiod", chip.device]
    first, second = (
        guest.start(f"{unique}-{line}", [*command, f"red first={line}"], cwd=Path("/run")) for line in LINES[:2]
    )
    for process in (first, second):
        process.await_text("ready")
        told = guest.run(["/bin/sh", "-c", LOOK, "look", str(process.pid)]).stdout.splitlines()
        printed = [f"/run/printed/{process.name}.{output}" for output in ("stdout", "stderr")]
        assert told == ["/run", *printed, str(process.pid)], "a session of its own has its number"
    first.kill()
    assert first.wait() == -signal.SIGKILL
    assert second.stop() == 0, second.said()


def test_a_guest_that_dies_is_told_with_its_console(image: Image, run_folder: Path) -> None:
    with (
        pytest.raises(HilError, match="the guest went down"),
        Guest(image, run_folder / "dying") as doomed,
        pytest.raises(HilError, match=r"the guest went down\n(.*\n)*.*console\.log\n(.*\n)*.*sysrq"),
    ):
        doomed.run(["/bin/sh", "-c", "echo c > /proc/sysrq-trigger; sleep 60"])
