"""The pod's side: its frames against the shared vectors, its grammar by mpy-cross, its names by MicroPython's stubs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tokenize
from importlib.metadata import files
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.fakes.pico import PROGRAM, FakePico, FakePin, load_program, ticks_add, ticks_diff

VECTORS = json.loads((PROGRAM.parents[1] / "tests" / "vectors" / "pod_frames.json").read_text())
FILES = sorted(PROGRAM.glob("*.py"))


@pytest.fixture
def frames():
    return FakePico(lambda: 0)._load()["pod_frames"]


def named(vector):
    return vector.get("message") or vector["name"]


@pytest.mark.parametrize("vector", VECTORS["host_to_pod"], ids=named)
def test_the_pod_understands_what_the_vectors_say(frames, vector):
    decoder = frames.FrameIn()
    *before, last = [decoder.feed(byte) for byte in bytes.fromhex(vector["wire"])]
    assert not any(before)
    assert last
    assert decoder.buf[1 : decoder.end].hex() == vector["payload"]


@pytest.mark.parametrize("vector", VECTORS["pod_to_host"], ids=named)
def test_the_pod_s_frames_are_those_of_the_vectors(frames, vector):
    payload = bytes.fromhex(vector["payload"])
    out = frames.FrameOut()
    out.buf[1 : 1 + len(payload)] = payload
    out.end(1 + len(payload))
    assert out.buf[: out.length].hex() == vector["wire"]


@pytest.mark.parametrize("vector", [v for v in VECTORS["broken"] if v["fault"] != "too_long"], ids=named)
def test_the_pod_counts_a_broken_frame_and_takes_the_next(frames, vector):
    decoder = frames.FrameIn()
    assert not any(decoder.feed(byte) for byte in bytes.fromhex(vector["wire"]))
    assert decoder.bad == 1
    assert [decoder.feed(byte) for byte in bytes.fromhex(VECTORS["host_to_pod"][0]["wire"])][-1]


def test_a_frame_longer_than_any_is_dropped_whole(frames):
    decoder = frames.FrameIn()
    assert not any(decoder.feed(7) for _ in range(5000))
    assert not decoder.feed(0)
    assert decoder.bad == 1
    assert [decoder.feed(byte) for byte in bytes.fromhex(VECTORS["host_to_pod"][1]["wire"])][-1]


def test_the_stamps_of_a_counter_that_wraps_between_two_steps_have_their_own_wraps():
    now = [2**30 * 1000 - 3_000_000]
    pico = FakePico(lambda: now[0])
    pico.boot()
    pico.step()
    pico.contact(0, closed=True)
    now[0] += 5_000_000
    pico.contact(0, closed=False)
    pico.step()
    ring = pico.pod.ring
    assert [(ring.wraps[at], ring.stamps[at]) for at in (0, 1)] == [(0, 2**30 - 3000), (1, 2000)]


def test_the_pod_is_silent_until_it_is_called_so_that_its_prompt_can_be_used():
    pico = FakePico(lambda: 10**9)
    pico.boot()
    pico.contact(0, closed=True)
    pico.inbox.extend(bytes.fromhex(VECTORS["host_to_pod"][1]["wire"]))
    for _ in range(10):
        pico.step()
    assert pico.take() == b""


def test_the_pod_keeps_edges_while_the_host_cannot_be_written_to():
    pico = FakePico(lambda: 10**9)
    pico.boot()
    pico.inbox.extend(bytes.fromhex(VECTORS["host_to_pod"][0]["wire"]))
    pico.step()
    pico.take()
    pico.is_writable = False
    pico.contact(0, closed=True)
    pico.step()
    assert pico.take() == b""
    pico.is_writable = True
    pico.step()
    assert len(pico.take()) > 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_micropython_s_own_compiler_takes_it(path, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(path)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def stubs_of(*distributions: str, into: Path) -> Path:
    """Lay the files of stub distributions into a folder of their own, away from CPython's packages."""
    for distribution in distributions:
        for file in files(distribution) or []:
            if file.suffix == ".pyi" or file.name == "VERSIONS":
                place = into / file
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file.locate(), place)
    return into


def faults(paths: list[Path], tmp_path: Path) -> list[str]:
    """Check files with the board's stubs in place of CPython's library; gives what mypy says of these files."""
    stubs = stubs_of("micropython-rp2-rpi_pico-stubs", "micropython-stdlib-stubs", into=tmp_path / "stubs")
    settings = tmp_path / "mypy.ini"
    settings.write_text(
        "[mypy]\ncheck_untyped_defs = True\nno_site_packages = True\nfollow_imports = silent\n"
        f"cache_dir = {tmp_path / 'cache'}\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(settings), "--custom-typeshed-dir", str(stubs),
         "--show-absolute-path", *map(str, paths)],
        capture_output=True, text=True, check=False, env={**os.environ, "MYPYPATH": str(stubs)},
    )  # fmt: skip
    assert f"checked {len(paths)} source file" in done.stdout, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if line.startswith(tuple(map(str, paths))) and ": error:" in line]


def test_micropython_s_stubs_know_every_name_it_uses(tmp_path):
    assert faults(FILES, tmp_path) == []


@pytest.mark.parametrize("path", [path for path in FILES if path.name != "main.py"], ids=lambda path: path.name)
def test_no_floats_and_no_files_in_play(path):
    with path.open("rb") as file:
        tokens = list(tokenize.tokenize(file.readline))
    numbers = [token.string for token in tokens if token.type == tokenize.NUMBER]
    assert not [number for number in numbers if "." in number]
    names = {token.string for token in tokens if token.type == tokenize.NAME}
    assert not names & {"open", "float", "print"}
    assert not [token for token in tokens if token.type == tokenize.OP and token.string == "/"], "a float division"


class FakeBoard:
    """The modules that main.py needs beside the program's."""

    def __init__(self, tmp_path: Path, pins: dict[str, object], *, resets: int = 0, wants_repl: bool = False) -> None:
        (tmp_path / "pod.json").write_text(json.dumps(pins))
        self.memory = {0x4005800C + 4: 0x50D10000 | resets - 1 if resets else 0x1234, 0x4005800C + 8: 0}
        if wants_repl:
            self.memory[0x4005800C + 8] = 0x52455021
        self.made: list[FakePin] = []
        board = self

        class Pin(FakePin):
            def __init__(self, *arguments: int, **settings: int) -> None:
                super().__init__(*arguments, **settings)
                board.made.append(self)

        self.watchdogs: list[int] = []
        self.machine = SimpleNamespace(
            Pin=Pin, mem32=self.memory, PWRON_RESET=1, WDT_RESET=3, reset_cause=lambda: 3 if resets else 1,
            unique_id=lambda: bytes(8), disable_irq=lambda: 0, enable_irq=lambda state: None,
            WDT=self._watchdog,
        )  # fmt: skip
        self.interrupt_characters: list[int] = []
        self.micropython = SimpleNamespace(
            native=lambda function: function, kbd_intr=self.interrupt_characters.append,
            alloc_emergency_exception_buf=lambda size: None,
        )  # fmt: skip
        self.main = load_program(
            machine=self.machine,
            micropython=self.micropython,
            time=SimpleNamespace(ticks_us=lambda: 5, ticks_diff=ticks_diff, ticks_add=ticks_add),
            os=SimpleNamespace(urandom=bytes),
        )["main"]

    def _watchdog(self, timeout: int) -> SimpleNamespace:
        self.watchdogs.append(timeout)
        return SimpleNamespace(feed=lambda: None)


def test_a_wrong_name_would_be_found_by_the_stubs(tmp_path):
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import machine\n\n\ndef go():\n    machine.Pin(2).vallue()\n    machine.WDT(milliseconds=3)\n")
    found = "\n".join(faults([wrong], tmp_path))
    assert "vallue" in found
    assert "milliseconds" in found


def test_the_pins_are_those_of_the_pod_s_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    board = FakeBoard(tmp_path, {"contact": "ground", "inputs": [2, 3, 4], "lamps": [6, None]})
    pins, lamps, active = board.main.load_pins()
    assert [pin.number for pin in pins] == [2, 3, 4]
    assert [lamp and lamp.number for lamp in lamps] == [6, None, None]
    assert {pin.pull for pin in pins} == {FakePin.PULL_UP}
    assert active == 0


@pytest.mark.parametrize(
    "pins",
    [{"inputs": []}, {"inputs": list(range(25))}, {"inputs": [2, 2]}, {"inputs": [2], "lamps": [2]},
     {"inputs": [2], "lamps": [3, 4]}],
    ids=["none", "25", "twice", "input and lamp", "more lamps"],
)  # fmt: skip
def test_pins_that_cannot_be_are_refused_before_play(tmp_path, monkeypatch, pins):
    monkeypatch.chdir(tmp_path)
    board = FakeBoard(tmp_path, pins)
    with pytest.raises(ValueError, match=r"pod\.json"):
        board.main.load_pins()


def test_resets_are_counted_through_watchdog_resets_and_not_through_a_power_cut(tmp_path):
    cold = FakeBoard(tmp_path, {}).main.Board()
    assert (cold.resets, cold.cause) == (0, 1)
    warm = FakeBoard(tmp_path, {}, resets=3).main.Board()
    assert (warm.resets, warm.cause) == (3, 2)


def test_asked_to_the_pod_starts_without_its_program_once(tmp_path):
    board = FakeBoard(tmp_path, {}, resets=1, wants_repl=True)
    board.main.main()
    assert board.watchdogs == []
    assert board.interrupt_characters == []
    assert board.memory[0x4005800C + 8] == 0
