"""The reader of tags above its driver, at a pseudo-terminal and on an I2C bus; the chip is played at its bytes."""

from __future__ import annotations

import queue
import time
from functools import partial
from pathlib import Path

import pytest

from companion.adapters.nfc.buses import I2cBus
from companion.adapters.nfc.chip import Chip, TagLeft
from companion.adapters.nfc.library import drivers
from companion.adapters.nfc.reader import TagReader, open_chip
from companion.adapters.nfc.tags import Tag
from companion.adapters.pods.ports import open_port
from companion.core.errors import Unavailable
from companion.core.play.scanning import Scan, Unreadable
from tests.fakes.pn532 import FakeTag, I2cPn532, WiredPn532, ndef_text

PATIENCE_S = 20.0
NTAG = bytes.fromhex("04a2b91c112280")
OTHER = bytes.fromhex("04ffffff112280")
CLASSIC = bytes.fromhex("deadbeef")
PHONE = bytes.fromhex("08123456")


OPEN = partial(open_chip, open_port=open_port)


class Heard:
    """A reader that runs, and what it said."""

    def __init__(self, port, open_bus=OPEN, **options):
        self.scans = queue.SimpleQueue[tuple[Scan | Unreadable, int]]()
        self.states = queue.SimpleQueue[str | None]()
        self.reader = TagReader(
            port, open_bus, lambda scan, t_ns: self.scans.put((scan, t_ns)), self.states.put, again_s=0.05, **options
        )  # fmt: skip
        self.reader.start()

    def scan(self):
        return self.scans.get(timeout=PATIENCE_S)

    def state(self):
        return self.states.get(timeout=PATIENCE_S)


@pytest.fixture
def hear():
    made = []

    def begin(port, **options):
        made.append(Heard(port, **options))
        return made[-1]

    yield begin
    for one in made:
        one.reader.close()
        one.reader.close()


@pytest.fixture
def wired(tmp_path):
    made = WiredPn532(tmp_path / "pn532")
    yield made
    made.unplug()


@pytest.fixture
def on_i2c():
    return I2cPn532()


def opened_on(i2c: I2cPn532, _port, is_ended):
    """As `open_chip` opens a chip on a bus, but for the kernel's bus."""
    bus = I2cBus(i2c, is_ended)
    driver = drivers()
    try:
        return Chip(driver.on_i2c(bus), driver.busy), bus
    except (OSError, ValueError, RuntimeError) as error:
        raise Unavailable(f"no PN532 answers: {error}") from error


def rest(chip, times=1):
    """Wait until the chip has been asked for its tags so often again."""
    asked = sum(command[0] == 0x4A for command in chip.commands)
    until = time.monotonic() + PATIENCE_S
    while sum(command[0] == 0x4A for command in chip.commands) < asked + times:
        assert time.monotonic() < until
        time.sleep(0.005)


def test_a_card_held_there_is_one_scan_and_another_once_it_was_taken_away(wired, hear):
    heard = hear(wired.path)
    assert heard.state() is None
    rest(wired.chip, 2)
    wired.chip.tags = [FakeTag(NTAG)]
    lies_ns = time.monotonic_ns()
    scan, t_ns = heard.scan()
    assert scan.code == "04A2B91C112280"
    assert t_ns - scan.error_ns <= lies_ns
    assert t_ns <= time.monotonic_ns()
    rest(wired.chip, 6)
    assert heard.scans.empty()
    wired.chip.tags = []
    rest(wired.chip, 5)
    wired.chip.tags = [FakeTag(NTAG)]
    assert heard.scan()[0].code == "04A2B91C112280"
    assert heard.scans.empty()


def test_a_tag_came_after_the_chip_was_asked_last_and_its_error_says_so(hear):
    """By a clock that the test turns: asked at 0 and 100 ms, found at the answer to the second question."""
    times = iter([0, 40, 100, 140] + [200] * 10_000)
    chip = ScriptedChip([[], [FakeTag(NTAG)]])
    heard = hear(Path("nowhere"), open_bus=chip.open, clock=lambda: next(times) * 1_000_000)
    assert heard.scan() == (Scan("04A2B91C112280", 140_000_000), 140_000_000)


def test_a_tag_that_lay_there_before_the_chip_answered_came_at_a_time_that_nobody_knows(wired, hear):
    wired.chip.tags = [FakeTag(NTAG)]
    assert hear(wired.path).scan()[0] == Scan("04A2B91C112280", None)


def test_two_tags_are_two_scans_and_one_that_leaves_is_not_the_other_one_again(wired, hear):
    heard = hear(wired.path)
    assert heard.state() is None
    one, two = FakeTag(NTAG), FakeTag(CLASSIC, kind=0x08)
    wired.chip.tags = [one, two]
    assert {heard.scan()[0].code for _ in range(2)} == {"04A2B91C112280", "DEADBEEF"}
    wired.chip.tags = [two]
    rest(wired.chip, 5)
    assert heard.scans.empty()
    wired.chip.tags = [two, one]
    assert heard.scan()[0].code == "04A2B91C112280"


def test_a_phone_is_no_card(wired, hear):
    heard = hear(wired.path)
    heard.state()
    wired.chip.tags = [FakeTag(PHONE, kind=0x20)]
    scan, _ = heard.scan()
    assert isinstance(scan, Unreadable)
    assert "another number each time" in scan.text


def test_a_text_on_the_tag_is_its_code_where_that_is_wanted(wired, hear):
    heard = hear(wired.path, by_text=True)
    heard.state()
    wired.chip.tags = [FakeTag(NTAG, pages=ndef_text("APACHE-007"))]
    assert heard.scan()[0].code == "APACHE-007"


@pytest.mark.parametrize(
    "tag",
    [FakeTag(OTHER), FakeTag(OTHER, pages=ndef_text("ä ö")), FakeTag(OTHER, pages=ndef_text(" "))],
    ids=["empty", "no code", "blank"],
)
def test_a_tag_without_such_a_text_goes_by_its_number(wired, hear, tag):
    heard = hear(wired.path, by_text=True)
    heard.state()
    wired.chip.tags = [tag]
    assert heard.scan()[0].code == "04FFFFFF112280"


def test_a_number_is_read_of_a_tag_that_keeps_its_pages_by_a_key(wired, hear):
    heard = hear(wired.path, by_text=True)
    heard.state()
    tag = FakeTag(CLASSIC, kind=0x08)
    wired.chip.tags = [tag]
    assert heard.scan()[0].code == "DEADBEEF"
    assert tag.reads == []


def test_a_tag_that_moves_while_it_is_read_is_read_once_more(wired, hear):
    heard = hear(wired.path, by_text=True)
    heard.state()
    rest(wired.chip)
    tag = FakeTag(NTAG, pages=ndef_text("APACHE-007"), breaks_off=1)
    wired.chip.tags = [tag]
    assert heard.scan()[0].code == "APACHE-007"
    assert tag.reads == [3, 3, 7]


def test_a_tag_that_was_read_at_the_second_try_counts_from_when_it_was_found(hear):
    times = iter([0, 40, 100, 140] + [200] * 10_000)
    chip = ScriptedChip([[], [FakeTag(NTAG, pages=ndef_text("APACHE-007"), breaks_off=1)]])
    heard = hear(Path("nowhere"), by_text=True, open_bus=chip.open, clock=lambda: next(times) * 1_000_000)
    assert heard.scan() == (Scan("APACHE-007", 140_000_000), 140_000_000)


def test_a_tag_that_is_gone_before_its_text_was_read_is_told_and_is_no_other_card(wired, hear):
    heard = hear(wired.path, by_text=True)
    heard.state()
    wired.chip.tags = [FakeTag(NTAG, pages=ndef_text("APACHE-007"), breaks_off=99)]
    scan, _ = heard.scan()
    assert isinstance(scan, Unreadable)
    assert "taken away" in scan.text
    rest(wired.chip, 4)
    assert heard.scans.empty()


@pytest.mark.parametrize(
    "fault", ["nack", "error", "silent", "no answer", "garbage", "checksum", "cut", "other command"]
)
@pytest.mark.parametrize("bus", ["uart", "i2c"])
def test_what_no_chip_should_send_is_told_and_the_chip_is_opened_again(fault, bus, wired, on_i2c, hear):
    if bus == "uart":
        heard, chip = hear(wired.path), wired.chip
    else:
        heard, chip = hear(Path("/dev/i2c-1"), open_bus=partial(opened_on, on_i2c)), on_i2c.chip
    assert heard.state() is None
    rest(chip)
    chip.faults = [fault]
    assert "has gone" in heard.state()
    assert heard.state() is None
    rest(chip)
    chip.tags = [FakeTag(NTAG)]
    assert heard.scan()[0].code == "04A2B91C112280"


def test_a_chip_that_is_unplugged_is_told_and_read_again_when_it_is_back(wired, hear):
    heard = hear(wired.path)
    assert heard.state() is None
    wired.chip.tags = [FakeTag(NTAG)]
    heard.scan()
    wired.unplug()
    assert "has gone" in heard.state()
    assert "is not there" in heard.state()
    wired.plug()
    assert heard.state() is None
    rest(wired.chip, 5)
    wired.chip.tags = [FakeTag(NTAG)]
    assert heard.scan()[0].code == "04A2B91C112280"


def test_on_i2c_a_chip_that_is_unplugged_is_told_and_read_again_when_it_is_back(on_i2c, hear):
    heard = hear(Path("/dev/i2c-1"), open_bus=partial(opened_on, on_i2c))
    assert heard.state() is None
    rest(on_i2c.chip)
    on_i2c.chip.tags = [FakeTag(NTAG), FakeTag(CLASSIC, kind=0x08)]
    assert {heard.scan()[0].code for _ in range(2)} == {"04A2B91C112280", "DEADBEEF"}
    on_i2c.is_there = False
    assert "has gone" in heard.state()
    assert "no PN532" in heard.state()
    assert on_i2c.closed == 1
    on_i2c.is_there = True
    assert heard.state() is None


def test_at_a_port_where_something_else_hangs_it_says_that_no_pn532_answers(tmp_path):
    silent = WiredPn532(tmp_path / "modem")
    silent.chip.faults = ["silent"] * 99
    try:
        with pytest.raises(Unavailable, match=r"no PN532 answers at .*modem"):
            OPEN(silent.path, lambda: False)
    finally:
        silent.unplug()


def test_a_bus_that_is_not_there_is_named():
    with pytest.raises(Unavailable, match="no PN532 answers at /dev/i2c-99: No such file"):
        OPEN(Path("/dev/i2c-99"), lambda: False)


def test_it_can_be_ended_while_no_chip_answers(wired, hear):
    """The driver itself waits for a second, four times."""
    wired.chip.faults = ["silent"] * 99
    heard = hear(wired.path)
    until = time.monotonic() + PATIENCE_S
    while not wired.chip.commands:
        assert time.monotonic() < until
        time.sleep(0.005)
    heard.reader.close()
    assert heard.states.empty()


def test_the_chip_is_told_not_to_look_for_ever_and_for_two_tags_at_once(wired, hear):
    heard = hear(wired.path)
    heard.state()
    rest(wired.chip, 2)
    assert bytes([0x32, 5, 0xFF, 1, 2]) in wired.chip.commands
    assert bytes([0x4A, 2, 0]) in wired.chip.commands


class ScriptedChip:
    """A chip that lists tags as it is told, then the last for ever."""

    def __init__(self, lists):
        self._lists, self._now = lists, []

    def open(self, _port, _is_ended):
        return self, self

    def tags(self):
        self._now = self._lists.pop(0) if len(self._lists) > 1 else self._lists[0]
        return [Tag(number, tag.uid, tag.kind) for number, tag in enumerate(self._now, start=1)]

    def read(self, tag, page):
        said = self._now[tag.number - 1].read(page)
        if said[0]:
            raise TagLeft
        return said[1:]

    def close(self):
        pass
