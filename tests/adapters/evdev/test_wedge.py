"""A scanner that types: its codes by layout, its clock, hot plug; and keys that no code has."""

import queue
import time

import pytest

from companion.adapters.evdev.layouts import LAYOUTS, Typing, retyped
from companion.adapters.evdev.wedge import Wedge
from companion.core.play.scanning import Scan, Unreadable
from tests.fakes.input_devices import FakeInputs

SHIFT, ENTER, CAPS = 42, 28, 58
PATIENCE_S = 20
EVERY = sorted({key for signs in LAYOUTS.values() for key in signs} | {SHIFT, ENTER, CAPS, 100})


@pytest.fixture
def inputs(monkeypatch, tmp_path):
    return FakeInputs(monkeypatch, tmp_path)


class Heard:
    def __init__(self, inputs, port="usb 0c2e:0b61", layout="us"):
        self.scans = queue.SimpleQueue[tuple[Scan | Unreadable, int]]()
        self.states = queue.SimpleQueue[str | None]()
        self.wedge = Wedge(
            port, layout, lambda scan, t_ns: self.scans.put((scan, t_ns)), self.states.put,
            folder=inputs.folder, sys=inputs.sys,
        )  # fmt: skip
        self.wedge.start()

    def scan(self):
        return self.scans.get(timeout=PATIENCE_S)

    def state(self):
        return self.states.get(timeout=PATIENCE_S)


@pytest.fixture
def hear(inputs):
    made = []

    def begin(**options):
        made.append(Heard(inputs, **options))
        return made[-1]

    yield begin
    for one in made:
        one.wedge.close()


def reader(inputs, number=0):
    return inputs.plug(number, "Symbol", keys=EVERY, model=(3, 0x0C2E, 0x0B61))


def keys_for(text, layout):
    """The keys that type a text, each with whether shift is held."""
    signs = {sign: (key, shifted) for key, both in LAYOUTS[layout].items() for shifted, sign in enumerate(both) if sign}
    return [signs[sign] for sign in text]


def type_(device, text, layout="us", t_ns=None):
    for key, shifted in keys_for(text, layout):
        if shifted:
            device.key(SHIFT, True)
        device.key(key, True)
        device.key(key, False)
        if shifted:
            device.key(SHIFT, False)
    device.key(ENTER, True, t_ns=t_ns)
    device.key(ENTER, False)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("text", ["A-7F", "0123456789", "azmqwyzAZMQWYZ", "code.12/3"])
def test_what_each_country_s_scanner_types_is_the_code(layout, text):
    typing, typed = Typing(layout), b""
    for key, shifted in keys_for(text, layout):
        typed += typing.feed(SHIFT, True) if shifted else b""
        typed += typing.feed(key, True) + typing.feed(key, False)
        typed += typing.feed(SHIFT, False) if shifted else b""
    assert typed.decode() == text


def test_the_same_keys_are_other_signs_elsewhere():
    assert Typing("de").feed(21, True) == b"z"
    assert Typing("us").feed(21, True) == b"y"
    assert Typing("fr").feed(16, True) == b"a"


def test_caps_lock_makes_capitals_of_letters_alone():
    typing = Typing("us")
    typing.feed(CAPS, True)
    assert typing.feed(30, True) == b"A"
    assert typing.feed(2, True) == b"1"
    typing.feed(SHIFT, True)
    assert typing.feed(30, True) == b"a"


def test_a_code_counts_from_the_stamp_of_its_first_key_and_the_scanner_is_had_alone(inputs, hear):
    device = reader(inputs)
    heard = hear()
    assert heard.state() is None
    for first_ns in (7_000_000_000, 9_000_000_000):
        device.key(30, True, t_ns=first_ns)
        device.key(30, False, t_ns=first_ns + 4_000_000)
        device.key(3, True, t_ns=first_ns + 8_000_000)
        device.key(3, False, t_ns=first_ns + 12_000_000)
        device.key(ENTER, True, t_ns=first_ns + 160_000_000)
        device.key(ENTER, False, t_ns=first_ns + 164_000_000)
        assert heard.scan() == (Scan("a2"), first_ns)
    assert device.is_grabbed
    assert device.clock == time.CLOCK_MONOTONIC


def test_a_scanner_that_sends_no_enter_is_told_and_spoils_no_later_code(inputs, hear):
    device = reader(inputs)
    heard = hear()
    heard.state()
    for key in (30, 3):
        device.key(key, True, t_ns=7_000_000_000)
        device.key(key, False)
    scan, t_ns = heard.scan()
    assert isinstance(scan, Unreadable)
    assert "without Enter" in scan.text
    assert t_ns == 7_000_000_000
    type_(device, "OK")
    assert heard.scan()[0] == Scan("OK")


def test_a_scanner_that_another_program_has_is_told_and_taken_as_soon_as_it_is_free(inputs, hear):
    device = reader(inputs)
    device.grabbed_by_others = True
    heard = hear()
    assert heard.state() is None
    assert "types elsewhere too" in heard.state()
    device.grabbed_by_others = False
    assert heard.state() is None
    assert device.is_grabbed


def test_a_sign_that_the_set_layout_has_not_names_the_setting(inputs, hear):
    """The - of a US scanner is a key that types ß in Germany."""
    device = reader(inputs)
    heard = hear(layout="de")
    heard.state()
    device.key(12, True)
    type_(device, "1")
    scan, _ = heard.scan()
    assert isinstance(scan, Unreadable)
    assert "scanner.layout" in scan.text


@pytest.mark.parametrize(
    ("typed", "layout", "other", "meant"),
    [
        ("APACHE/001", "us", "de", "APACHE-001"), ("QPQCHE6))!", "us", "fr", "APACHE-001"),
        ("HARBOUR-Z", "de", "it", "HARBOUR-Y"),
    ],
)  # fmt: skip
def test_what_was_typed_is_known_as_other_keyboards_would_have_it(typed, layout, other, meant):
    assert retyped(typed, layout)[other] == meant


def test_a_scanner_may_come_late_go_and_come_again(inputs, hear):
    heard = hear()
    assert "no card scanner is plugged in" in heard.state()
    device = reader(inputs)
    assert heard.state() is None
    type_(device, "ONE")
    assert heard.scan()[0] == Scan("ONE")
    inputs.pull(device)
    assert heard.state() is not None
    device = reader(inputs, 4)
    assert heard.state() is None
    type_(device, "TWO")
    assert heard.scan()[0] == Scan("TWO")


def test_a_sign_that_no_code_has_and_lost_keys_are_told(inputs, hear):
    device = reader(inputs)
    heard = hear()
    heard.state()
    device.key(100, True)
    type_(device, "X")
    assert isinstance(heard.scan()[0], Unreadable)
    device.key(30, True)
    device.drop()
    assert isinstance(heard.scan()[0], Unreadable)
    type_(device, "OK")
    assert heard.scan()[0] == Scan("OK")


def test_a_scanner_is_found_by_its_file_too(inputs, hear, tmp_path):
    device = reader(inputs)
    other = inputs.plug(1, "Keyboard", keys=EVERY)
    link = tmp_path / "usb-Symbol-event-kbd"
    link.symlink_to(device.path)
    heard = hear(port=str(link))
    assert heard.state() is None
    type_(other, "NO")
    type_(device, "YES")
    assert heard.scan()[0] == Scan("YES")
    assert not other.is_grabbed


def test_a_scanner_that_may_not_be_read_says_the_way_out(inputs, hear):
    inputs.forbidden.add("event0")
    reader(inputs)
    assert "group input" in hear().state()
