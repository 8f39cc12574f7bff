"""The simulated panel: keys become timed edges, the picture fits every terminal, the terminal is put back."""

import asyncio
import os
import pathlib
import pty
import select
import subprocess
import sys
import termios

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.terminal import TerminalPanel
from companion.adapters.terminal.arrangement import Shown, arranged
from companion.adapters.terminal.keys import BUTTON_OF_KEY
from companion.adapters.terminal.pixels import Grain, drawn
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, Colour, Position
from companion.core.shown.scene import Menu, Question, Scene
from companion.core.timing.events import MS, Edge, Turned
from companion.ports import Sound, Tone

LINES = (*BUTTON_BY_LABEL, KNOB_PUSH)
ERROR_NS = 5 * MS


class Clock:
    now_ns = 1_000 * MS

    def __call__(self):
        return self.now_ns


class Chip:
    changes = 0

    def picture(self):
        return Image.new("1", (128, 64), 1)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def source(clock):
    source = SimulatedSource(clock, LINES)
    source.open()
    source.read()
    yield source
    source.close()


def lines_of(scene):
    assert isinstance(scene.body, Question)
    return scene.body.lines


@pytest.fixture
def panel(source, clock):
    return TerminalPanel(source, Chip(), lines_of, clock)


def test_each_button_has_its_own_key_in_the_order_of_colours_and_roles():
    assert sorted(BUTTON_OF_KEY.values()) == sorted(BUTTON_BY_LABEL)
    assert [BUTTON_OF_KEY[key] for key in "1qaz"] == [f"red {position}" for position in Position]
    assert [BUTTON_OF_KEY[key] for key in "zxcvb"] == [f"{colour} fourth" for colour in Colour]


def test_a_key_is_a_press_at_the_time_it_was_read_with_the_error_of_a_keyboard(panel, source, clock):
    panel.key("z")
    start_ns = clock.now_ns
    clock.now_ns += 500 * MS
    assert source.read() == [
        Edge("red fourth", True, start_ns, ERROR_NS),
        Edge("red fourth", False, start_ns + 120 * MS, ERROR_NS),
    ]


def test_capitals_press_too_but_for_the_one_that_quits(panel, source):
    panel.key("Z")
    assert [edge.line for edge in source.read()] == ["red fourth"]


def test_a_held_key_repeats_and_is_one_press(panel, source, clock):
    for _ in range(30):
        panel.key("5")
        clock.now_ns += 33 * MS
    clock.now_ns += 500 * MS
    assert [(edge.line, edge.active) for edge in source.read()] == [("purple first", True), ("purple first", False)]


def test_arrows_turn_and_enter_pushes_the_knob(panel, source, clock):
    for key in ("right", "left", "c-m", "x-unknown"):
        panel.key(key)
    clock.now_ns += 80 * MS
    now_ns = clock.now_ns
    assert source.read() == [
        Turned(1, now_ns - 80 * MS),
        Turned(-1, now_ns - 80 * MS),
        Edge(KNOB_PUSH, True, now_ns - 80 * MS, ERROR_NS),
        Edge(KNOB_PUSH, False, now_ns, ERROR_NS),
    ]


@pytest.mark.parametrize("lets_go", ["h", " ", "c-m", "u"])
def test_h_holds_the_knob_until_a_knob_key_lets_it_go(panel, source, clock, lets_go):
    panel.key("h")
    clock.now_ns += 3_000 * MS
    panel.key("z")
    panel.key(lets_go)
    assert [(edge.line, edge.active) for edge in source.read()] == [
        (KNOB_PUSH, True),
        ("red fourth", True),
        (KNOB_PUSH, False),
    ]
    clock.now_ns += 3_000 * MS
    assert [(edge.line, edge.active) for edge in source.read()] == [("red fourth", False)]


def test_u_holds_the_knob_for_longer_than_a_second(panel, source, clock):
    panel.key("u")
    clock.now_ns += 2_000 * MS
    down, up = source.read()
    assert up.t_ns - down.t_ns > 1_000 * MS


class Terminal(DummyOutput):
    """Prints nowhere, and keeps what would have been printed."""

    def __init__(self, columns, rows):
        self.size = Size(rows=rows, columns=columns)
        self.text = ""

    def get_size(self):
        return self.size

    def write(self, data):
        self.text += data

    write_raw = write


def run(panel, typed, terminal, during=None):
    quits = []

    async def main():
        stop = asyncio.Event()

        def on_quit():
            quits.append(True)
            stop.set()

        with create_pipe_input() as keyboard:
            async with panel.running(on_quit, keyboard, terminal):
                if during is not None:
                    during()
                keyboard.send_text(typed)
                await stop.wait()

    asyncio.run(main())
    return quits


def test_keys_typed_in_a_terminal_reach_the_lines_and_q_quits(panel, source):
    assert run(panel, "z\x1b[C\x1b[Dh\rQ", Terminal(80, 24))
    events = [(event.line, event.active) if isinstance(event, Edge) else event.steps for event in source.read()]
    assert events == [("red fourth", True), 1, -1, (KNOB_PUSH, True), (KNOB_PUSH, False)]


def test_control_c_quits(panel):
    assert run(panel, "\x03", Terminal(80, 24))


def test_an_exception_comes_through_and_leaves_no_application_behind(panel):
    def fail():
        raise LookupError("boom")

    with pytest.raises(LookupError, match="boom"):
        run(panel, "", Terminal(80, 24), during=fail)


def test_tones_are_written_and_the_log_keeps_one_line_of_a_menu_that_is_leafed_through(panel, clock):
    for number in (1, 2, 3):
        panel.show(Scene(Question("", (f"Which card? ({number} of 26): card {number}", "constant"), Menu("", ()))))
    panel.play(Sound(Tone.PUNISHED, (Colour.RED,)))
    terminal = Terminal(80, 40)
    run(panel, "Q", terminal, during=panel._redraw)
    assert list(panel._log) == ["Which card? (1 of 26): card 1", "constant", "Which card? (3 of 26): card 3"]
    assert "punished RED" in terminal.text


def shown(size=(128, 64), log=(), tone="", down=frozenset()):
    picture = Image.frombytes("1", size, bytes((31 * n) % 256 for n in range(size[0] // 8 * size[1])))
    return Shown(picture, ("words of the scene",), log, down, False, tone)


def texts(lines):
    return ["".join(text for _, text in line) for line in lines]


@given(
    st.sampled_from([(128, 64), (256, 64)]),
    st.integers(1, 400),
    st.integers(1, 100),
    st.lists(st.text(st.characters(categories=["L", "N"]), max_size=200), max_size=30),
)
def test_nothing_is_wider_or_higher_than_the_terminal(size, columns, rows, log):
    lines = texts(arranged(shown(size, tuple(log), "punished"), columns, rows))
    assert len(lines) <= rows
    assert all(len(line) <= columns for line in lines)


@pytest.mark.parametrize(
    ("columns", "rows", "grain"),
    [
        (80, 24, Grain.BRAILLE),
        (100, 30, Grain.BRAILLE),
        (110, 40, Grain.QUADRANT),
        (150, 45, Grain.HALF),
        (200, 33, Grain.HALF),
    ],
)
def test_the_picture_is_drawn_whole_in_the_finest_grain_that_fits_and_the_legend_with_it(columns, rows, grain):
    what = shown(down=frozenset({"red fourth"}))
    lines = texts(arranged(what, columns, rows))
    pictured = drawn(what.picture, grain)
    assert [line[: len(pictured[0])] for line in lines[1 : 1 + len(pictured)]] == pictured
    legend = "\n".join(line[0 if rows > 40 or columns < 112 else len(pictured[0]) :] for line in lines)
    for word in ("RED", "PUR", "first", "fourth", "*z*", "turn", "take back", "Q"):
        assert word in legend


def test_a_terminal_that_is_too_small_gets_the_words_and_is_told_what_is_needed():
    lines = texts(arranged(shown(), 60, 20))
    assert "words of the scene" in lines
    assert any("at least 71×22" in line for line in lines)
    assert any("at least 128×22" in line for line in texts(arranged(shown((256, 64)), 100, 24)))


def test_the_newest_of_the_log_fills_what_is_left():
    lines = texts(arranged(shown(log=tuple(f"line {n}" for n in range(50)), tone="accepted"), 80, 27))
    assert lines[-1] == "line 49"
    assert "♪ accepted" in lines[0]


@given(st.integers(1, 5), st.integers(1, 9), st.data(), st.sampled_from(Grain))
def test_every_pixel_is_drawn_once_at_its_place(columns, rows, data, grain):
    size = (columns * 2, rows * 4)
    lit = data.draw(st.lists(st.booleans(), min_size=size[0] * size[1], max_size=size[0] * size[1]))
    picture = Image.new("1", size)
    picture.putdata([int(on) for on in lit])
    across, down = grain.value
    marks = {
        Grain.HALF: " ▀▄█",
        Grain.QUADRANT: " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█",
        Grain.BRAILLE: None,
    }[grain]
    braille = (0, 3, 1, 4, 2, 5, 6, 7)
    for row, line in enumerate(drawn(picture, grain)):
        for column, character in enumerate(line):
            bits = marks.index(character) if marks else ord(character) - 0x2800
            for index in range(across * down):
                x, y = column * across + index % across, row * down + index // across
                bit = index if marks else braille[index]
                assert bool(bits >> bit & 1) == bool(picture.getpixel((x, y)))


CRASH = """
import asyncio, os, signal, sys
from PIL import Image
from companion.adapters.terminal import TerminalPanel

class Chip:
    changes = 0
    def picture(self):
        return Image.new("1", (128, 64))

async def main():
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with TerminalPanel(None, Chip(), lambda scene: ()).running(stop.set):
        await asyncio.sleep(0.2)
        if sys.argv[1] == "raise":
            raise LookupError("boom")
        os.kill(os.getpid(), signal.SIGTERM)
        await stop.wait()
asyncio.run(main())
"""


@pytest.mark.parametrize("how", ["raise", "terminate"])
def test_a_real_terminal_is_put_back_after_an_exception_and_after_sigterm(how):
    outer, inner = pty.openpty()
    before = termios.tcgetattr(inner)
    child = subprocess.Popen(
        [sys.executable, "-c", CRASH, how], stdin=inner, stdout=inner, stderr=subprocess.PIPE, cwd=pathlib.Path.cwd()
    )
    written = b""
    os.set_blocking(outer, False)
    while child.poll() is None:
        try:
            written += os.read(outer, 65536)
        except BlockingIOError:
            select.select([outer], [], [], 0.05)
    while True:
        try:
            written += os.read(outer, 65536)
        except (BlockingIOError, OSError):
            break
    assert child.stderr is not None
    assert (b"LookupError" in child.stderr.read()) == (how == "raise")
    child.stderr.close()
    assert written.count(b"\x1b[?1049h") == written.count(b"\x1b[?1049l") == 1, "the other screen is left"
    assert written.rfind(b"\x1b[?25h") > written.rfind(b"\x1b[?25l"), "the cursor is back"
    assert termios.tcgetattr(inner)[3] == before[3], "keys are echoed again"
    os.close(outer)
    os.close(inner)
