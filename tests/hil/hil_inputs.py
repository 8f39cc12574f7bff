"""USB switches, a game pad and a scanner that types, as uinput devices of a real kernel: `companion inputs` and
`companion run`. Collected by `tests/hil/run` only.
"""

import json
import random
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest

from companion.config.deck_file import printed_deck
from tests.hil.box import GPIOS, SETTINGS, Box, races, remarks
from tests.hil.contract import hold_contract
from tests.hil.errors import HilError
from tests.hil.guest import PROGRAM, PYTHON, Chip, Guest, Process
from tests.hil.hil_apache import chord
from tests.hil.image import REPOSITORY
from tests.hil.patterns import plan, press
from tests.hil.truth import as_played

XBOX_ADAPTIVE = {"title": "Microsoft X-Box Adaptive Controller", "vendor": 0x045E, "product": 0x0B0A}
BTN_A, BTN_B, BTN_X, BTN_Y = 0x130, 0x131, 0x133, 0x134
ABS_X, ABS_Z, ABS_HAT0X, ABS_PROFILE = 0x00, 0x02, 0x10, 0x21
PAD_KEYS = [BTN_A, BTN_B, BTN_X, BTN_Y]
PAD_AXES = {
    str(ABS_X): [-32768, 32767, 0], str(ABS_Z): [0, 1023, 0], str(ABS_HAT0X): [-1, 1, 0], str(ABS_PROFILE): [0, 4, 0]
}  # fmt: skip
PAD = "usb 045e:0b0a at hil-pad"
SWITCH = {"title": "Generic Switch", "vendor": 0x1234, "product": 0x0001}
KEY_SPACE, KEY_ENTER, KEY_LEFTSHIFT = 57, 28, 42
UNKNOWN_NS = 500_000_000
STAMP_NS = 1_000
DWELL_S = 4
"""Of scanning, long: the emulator may stand still for a while."""
LETTERS = dict(zip("QWERTYUIOPASDFGHJKLZXCVBNM", [*range(16, 26), *range(30, 39), *range(44, 51)], strict=True))
DIGITS = dict(zip("1234567890-", [*range(2, 12), 12], strict=True))


class Player:
    """Whoever plugs in devices and presses their keys, in the guest."""

    def __init__(self, guest: Guest, name: str) -> None:
        self._process = guest.start(name, [PYTHON, str(REPOSITORY / "tests/hil/inside/input_player.py")])
        self._process.await_text("ready")
        self._asked = 0

    def do(self, what: str, **arguments: Any) -> dict[str, Any]:
        """One command and its answer."""
        self._asked += 1
        self._process.write(json.dumps({"do": what, **arguments}) + "\n")
        give_up = time.monotonic() + 60
        while len(lines := self._process.stdout().splitlines()) <= self._asked or not lines[-1].endswith("}"):
            if time.monotonic() > give_up:
                raise HilError(f"the player did not answer\n{self._process.said()}")
            time.sleep(0.02)
        answer = dict(json.loads(lines[self._asked]))
        if "error" in answer:
            raise HilError(f"{what}: {answer['error']}")
        return answer

    def plug_pad(self) -> str:
        return str(self.do("plug", name="pad", keys=PAD_KEYS, axes=PAD_AXES, **XBOX_ADAPTIVE)["path"])

    def press(self, name: str, code: int) -> dict[str, Any]:
        """Press and let go, half a contact's length later; gives between what the kernel stamped it."""
        made = self.do("key", name=name, code=code, down=True)
        time.sleep(0.1)
        self.do("key", name=name, code=code, down=False)
        return made

    def end(self) -> None:
        self._process.kill()


@pytest.fixture
def player(guest: Guest, unique: str) -> Iterator[Player]:
    made = Player(guest, f"{unique}-player")
    yield made
    made.end()


@pytest.fixture
def box(guest: Guest, chip: Chip, unique: str) -> Iterator[Box]:
    made = Box(guest, unique)
    yield made
    made.kill()


def assign(guest: Guest, player: Player, name: str, presses: list[tuple[str, str, int]]) -> str:
    """`companion inputs assign`, with each key pressed when it is asked for; gives what it said."""
    process = guest.start(
        f"{name}-assign",
        [PROGRAM, "inputs", "assign", "--state-dir", f"/run/{name}", *(label for label, *_ in presses)],
    )
    for label, device, code in presses:
        process.await_text(f"press what shall be {label}")
        if code < 0:
            player.do("axis", name=device, code=-code, value=1000)
            player.do("axis", name=device, code=-code, value=0)
        else:
            player.press(device, code)
    assert process.wait(60) == 0, process.said()
    return process.stdout()


def await_remark(process: Process, text: str) -> None:
    process.await_text(text, seconds=30)


def test_a_button_is_assigned_by_pressing_it_and_named_by_the_kernel_s_codes(
    guest: Guest, player: Player, unique: str
) -> None:
    player.plug_pad()
    said = assign(guest, player, unique, [("red first", "pad", BTN_A), ("red second", "pad", -ABS_Z)])
    assert "RED first is now BTN_A of pad" in said
    assert "RED second is now ABS_Z+ of pad" in said
    listed = guest.run([PROGRAM, "inputs", "list", "--state-dir", f"/run/{unique}"]).stdout
    assert f"{XBOX_ADAPTIVE['title']}: {PAD}" in listed
    assert "pad: delay not known; BTN_A is red first, ABS_Z+ is red second" in listed


def test_a_pad_races_against_wired_buttons_goes_and_comes_and_types_nowhere_else(
    guest: Guest, chip: Chip, box: Box, player: Player, rng: random.Random, unique: str
) -> None:
    path = player.plug_pad()
    assign(guest, player, unique, [("red first", "pad", BTN_A)])
    player.do("heard", path=path)
    process = box.start("gpiod", "--no-cards", seats=("red", "yellow"))

    made = player.press("pad", BTN_A)
    assert player.do("heard", path=path)["events"] == [], "another reader heard the pad: it is not grabbed"
    planned = plan([[press(rng, GPIOS["yellow first"], 0, 80_000)]])
    (played,) = guest.play(planned, chip)
    (wired,) = as_played(planned, played)
    guest.rest(2)

    player.do("key", name="pad", code=BTN_A, down=True)
    player.do("pull", name="pad")
    await_remark(process, "pad has gone: its buttons are dead until it is plugged in again")
    player.plug_pad()
    await_remark(process, "pad is back")
    guest.rest(5)
    again = player.press("pad", BTN_A)
    guest.play(planned, chip)
    guest.rest(2)
    box.stop()

    record = box.record()
    first, *_, last, _rest = races(record)
    red = next(line for line in first if line.get("colour") == "red")
    assert red["error_ns"] == UNKNOWN_NS
    assert made["before_ns"] - STAMP_NS <= red["t_ns"] <= made["after_ns"], "the stamp is not of CLOCK_MONOTONIC"
    yellow = next(line for line in first if line.get("colour") == "yellow")
    assert wired.first.holds(yellow["t_ns"], yellow["error_ns"])
    reds = [line for race in races(record) for line in race if line.get("colour") == "red"]
    assert any(again["before_ns"] - STAMP_NS <= line["t_ns"] <= again["after_ns"] for line in [*last, *reds])
    order = next(ruling for ruling in box.replay(record) if ruling["type"] == "order")
    is_near = abs(red["t_ns"] - yellow["t_ns"]) <= UNKNOWN_NS + yellow["error_ns"]
    assert all(place["dead_heat"] is is_near for place in order["order"])
    assert any("delay not known" in text for text in remarks(record))
    setup = record[0]["conditions"]["seats"]
    assert "evdev" in setup["red"]["input"]
    assert "evdev" not in setup["yellow"]["input"]


def test_what_the_kernel_dropped_is_told_and_the_pad_goes_on(
    guest: Guest, chip: Chip, box: Box, player: Player, unique: str
) -> None:
    player.plug_pad()
    assign(guest, player, unique, [("red first", "pad", BTN_A), ("red second", "pad", BTN_B)])
    process = box.start("gpiod", "--no-cards", seats=("red", "yellow"))
    process.signal(signal.SIGSTOP)
    player.do("flood", name="pad", code=BTN_B, times=2_000)
    process.signal(signal.SIGCONT)
    await_remark(process, "pad lost edges: it sent more than the kernel keeps")
    guest.rest(2)
    made = player.press("pad", BTN_A)
    guest.rest(4)
    box.stop()
    record = box.record()
    presses = [line["t_ns"] for line in record if line["type"] == "press"]
    assert any(made["before_ns"] - STAMP_NS <= t_ns <= made["after_ns"] for t_ns in presses)
    assert any("lost edges" in text and "red second (pad)" in text for text in remarks(record))


def test_a_switch_that_is_pulled_in_mid_scan_plays_what_was_offered_last_and_serves_again(
    guest: Guest, chip: Chip, player: Player, rng: random.Random, unique: str
) -> None:
    scans = f'[seats.red]\ninput = "scan"\nscan_dwell_s = {DWELL_S}\nscan_loops = 1\nscan_order = [4, 2, 3, 1]\n'
    box = Box(guest, unique, settings=SETTINGS + scans)
    try:
        player.do("plug", name="switch", keys=[KEY_SPACE, KEY_ENTER], axes={}, **SWITCH)
        assign(guest, player, unique, [("red first", "switch", KEY_SPACE)])
        process = box.start("gpiod", seats=("red", "yellow"))
        guest.play(plan(chord(rng, "red fourth", 0)), chip)
        guest.rest(2)
        pulled = player.press("switch", KEY_SPACE)
        guest.rest(1)
        player.do("pull", name="switch")
        await_remark(process, "keys has gone: its buttons are dead until it is plugged in again")
        guest.rest(4 * DWELL_S + 3)
        player.do("plug", name="switch", keys=[KEY_SPACE, KEY_ENTER], axes={}, **SWITCH)
        await_remark(process, "keys is back")
        guest.play(plan(chord(rng, "yellow third", 0)), chip)
        guest.rest(2)
        again = player.press("switch", KEY_SPACE)
        guest.rest(DWELL_S / 2)
        player.press("switch", KEY_SPACE)  # the first that is offered: the fourth button's
        guest.rest(DWELL_S + 3)
        box.stop()
    finally:
        box.kill()
    record = box.record()
    pressed = [line for line in record if line["type"] == "press"]
    assert [(line["colour"], line["role"]) for line in pressed] == [("red", "chief"), ("red", "hunter")], process.said()
    for line, made in zip(pressed, (pulled, again), strict=True):
        assert made["before_ns"] - STAMP_NS <= line["t_ns"] <= made["after_ns"], "it is not the first press's time"
    told = remarks(record)
    assert any("keys has gone" in text for text in told)
    assert any("did not pick" in text for text in told)
    assert any("picked its card by switch scanning" in text for text in told)


def keys_of(code: str) -> list[list[int]]:
    """The keys that type a code on a US keyboard, and Enter."""
    keys = [[DIGITS[sign]] if sign in DIGITS else [KEY_LEFTSHIFT, LETTERS[sign.upper()]] for sign in code.upper()]
    return [*keys, [KEY_ENTER]]


def test_a_scanner_that_types_reveals_a_card_and_a_switch_and_a_wire_race_for_it(
    guest: Guest, chip: Chip, player: Player, rng: random.Random, unique: str
) -> None:
    scanner = '[scanner]\nkind = "keyboard"\nport = "usb 0c2e:0b61"\n'
    box = Box(guest, unique, settings=SETTINGS + scanner)
    codes = {card: code for code, card in printed_deck("apache").codes.items()}
    try:
        player.do("plug", name="switch", keys=[KEY_SPACE, 30], axes={}, **SWITCH)
        assign(guest, player, unique, [("red fourth", "switch", KEY_SPACE)])
        process = box.start("gpiod", seats=("red", "yellow"))
        every = [*DIGITS.values(), *LETTERS.values(), KEY_LEFTSHIFT, KEY_ENTER]
        path = player.do("plug", name="reader", title="Symbol", vendor=0x0C2E, product=0x0B61, keys=every, axes={})
        await_remark(process, "the card scanner is there")
        player.do("heard", path=path["path"])
        for card in ("red hunter", "buffalo"):
            typed = player.do("type", name="reader", codes=keys_of(codes[card]))
            guest.rest(1)
        player.do("type", name="reader", codes=keys_of("LOST")[:-1])
        await_remark(process, "a code without Enter behind it")
        assert player.do("heard", path=path["path"])["events"] == [], "another reader heard the scanner"
        made = player.press("switch", KEY_SPACE)
        planned = plan([[press(rng, GPIOS["yellow fourth"], 0, 80_000)]])
        guest.play(planned, chip)
        guest.rest(6)
        box.stop()
    finally:
        box.kill()
    record = box.record()
    told = [(line["type"], line.get("card") or line.get("colour")) for line in record
            if line["type"] in ("reveal", "press", "judge")]  # fmt: skip
    assert told[:5] == [
        ("reveal", "red hunter"), ("reveal", "buffalo"), ("press", "red"), ("press", "yellow"), ("judge", None)
    ], process.said()  # fmt: skip
    reveal = [line for line in record if line["type"] == "reveal"][1]
    assert typed["before_ns"] - STAMP_NS <= reveal["t_ns"] <= typed["first_ns"], "not the stamp of its first key"
    red = next(line for line in record if line["type"] == "press" and line["colour"] == "red")
    assert made["before_ns"] - STAMP_NS <= red["t_ns"] <= made["after_ns"]
    order = next(ruling for ruling in box.replay(record) if ruling["type"] == "order")
    assert {place["colour"] for place in order["order"]} == {"red", "yellow"}


def test_the_source_keeps_its_contract_on_the_kernel_s_own_devices(guest: Guest) -> None:
    assert "18 passed" in hold_contract(guest, "uinput", {"COMPANION_UINPUT": "1"})
