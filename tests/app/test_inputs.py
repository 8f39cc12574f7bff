"""Any input as any button, in a box that runs: asked for, pressed, kept; strangers told; a card that is full told."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.evdev.source import EvdevSource, Times
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES, build, line_timings
from companion.app.devices import InputDevices
from companion.app.inputs.assigner import Assigner, InputFile
from companion.app.storing.profiles import profiles_in
from companion.config.input_file import InputEntry, Inputs, inputs_file, read_inputs
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.assigning.rewiring import Wire
from companion.core.errors import Illegal
from companion.core.hands.knob import Click, Rotation
from companion.core.match.effects import Log
from companion.core.panel import Colour
from companion.core.play.commands import AskInput, perform
from companion.core.profiles.profile import OwnButton, Profile
from companion.core.shown.scene import Lobby, Question
from companion.core.timing.events import MS
from tests.core.play.test_sitting import People
from tests.fakes.input_devices import FakeInputs

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

RED, YELLOW, *_ = Colour
A, B = 0x130, 0x131
PATIENCE_S = 30.0
SIMULATED = SimulatedSource.name


class Running:
    """A box with a simulated panel and fake input devices, in its event loop."""

    def __init__(self, folder: Path, devices: FakeInputs, *, asks: bool = True) -> None:
        self.settings = load(None, [Flag("--state-dir", ("box", "state_dir"), str(folder))])
        self.devices, self.folder = devices, folder
        self.panel = SimulatedSource(time.monotonic_ns, ALL_LINES)
        self.panel.open()
        self.file = InputFile(inputs_file(folder))
        kept = read_inputs(inputs_file(folder))
        source = EvdevSource({}, Times(5 * MS), folder=devices.folder, sys=devices.sys)
        self.assigner = Assigner(source, kept, self.file, lambda lines: line_timings(self.settings, lines), asks=asks)
        self.assigner.profiles = profiles_in(folder)
        self.part = InputDevices(self.assigner)
        self.part.open()
        self.loop = build(
            self.settings, RunOptions(simulate=True), sources=[self.panel, source],
            lines=[*ALL_LINES, *self.part.lines], displays=[], buzzer=None,
        )  # fmt: skip
        self.part.attach(self.loop)

    @property
    def session(self):
        return self.loop.box.session

    async def until(self, is_so: Callable[[], object]) -> None:
        for _ in range(int(PATIENCE_S / 0.005)):
            if is_so():
                return
            await asyncio.sleep(0.005)
        raise AssertionError(self.session.scene())

    async def press(self, label: str) -> None:
        self.panel.edge(label, True, time.monotonic_ns())
        await asyncio.sleep(0.05)
        self.panel.edge(label, False, time.monotonic_ns())
        await asyncio.sleep(0.05)

    async def key(self, pad, code: int) -> None:
        pad.key(code, True)
        await asyncio.sleep(0.05)
        pad.key(code, False)
        await asyncio.sleep(0.4)

    async def assign(self, label: str, press: Callable[[], Awaitable[None]]) -> None:
        self.loop.act(lambda session: session.ask_input(label))
        await press()
        await self.until(lambda: self.session.wanted_input is None)
        await asyncio.sleep(0.4)  # what was caught does nothing until it has been quiet


def played(box: Running, scenario: Callable[[Running], Awaitable[None]]) -> Running:
    """Run a scenario in a box; afterwards it is closed."""

    async def live() -> None:
        running = asyncio.create_task(box.loop.run())
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(scenario(box), 2 * PATIENCE_S)
        finally:
            box.loop.stop()
            await running

    try:
        asyncio.run(live())
    finally:
        box.part.close()
    return box


@pytest.fixture
def devices(monkeypatch, tmp_path):
    return FakeInputs(monkeypatch, tmp_path)


@pytest.fixture
def play(devices, tmp_path):
    """Run a scenario in a box; afterwards it is closed."""

    return lambda scenario: played(Running(tmp_path / "state", devices), scenario)


def test_a_key_is_a_button_from_the_moment_it_was_pressed_for_it_and_after_a_restart(devices, play):
    pad = devices.plug(0, "Big Switch", uniq="A1")

    async def scenario(box):
        await box.assign("red second", lambda: box.key(pad, A))
        assert box.session.table.seats == ()
        assert "RED second is now BTN_A of pad" in box.session.scene().notice
        await box.key(pad, A)
        await box.until(lambda: box.session.table.seats == (RED,))

    box = play(scenario)
    kept = {"usb 1234:0001 number A1": InputEntry("pad", "Big Switch", {"BTN_A": "red second"})}
    assert read_inputs(inputs_file(box.folder)).devices == kept

    async def again(box):
        await box.key(pad, A)
        await box.until(lambda: box.session.table.seats == (RED,))

    play(again)


def test_a_button_of_one_seat_becomes_another_seat_s(play):
    async def scenario(box):
        await box.assign("red first", lambda: box.press("yellow third"))
        await box.press("yellow third")
        await box.until(lambda: box.session.table.seats == (RED,))
        await box.press("yellow first")
        await box.until(lambda: box.session.table.seats == (RED, YELLOW))

    box = play(scenario)
    assert read_inputs(inputs_file(box.folder)).lines == {Wire(SIMULATED, "yellow third"): "red first"}


def test_what_was_assigned_can_be_taken_away(devices, play):
    pad = devices.plug(0, uniq="A1")

    async def scenario(box):
        await box.assign("red second", lambda: box.key(pad, A))
        box.loop.act(lambda session: perform(session, AskInput(button="red second", forget=True), 0))
        await box.until(lambda: box.assigner.inputs == Inputs())
        await box.key(pad, A)
        assert box.session.table.seats == ()

    assert read_inputs(inputs_file(play(scenario).folder)) == Inputs()


def test_the_knob_leads_to_it_and_out_of_it(play):
    async def scenario(box):
        def turn_and_push(steps):
            box.session._take_up(Rotation(steps, 0))
            box.session._take_up(Click(0))

        turn_and_push(-1)
        assert isinstance(box.session.scene().body, Question)
        turn_and_push(1)
        turn_and_push(2)
        assert box.session.wanted_input == "yellow third"
        for _ in range(2):
            turn_and_push(0)
            turn_and_push(-1)
        assert isinstance(box.session.scene().body, (Lobby, Question))
        box.session.ask_input(None)
        assert isinstance(box.session.scene().body, Lobby)

    play(scenario)


def test_a_device_without_a_use_is_told_and_not_what_was_typed_on_it(devices, play):
    async def scenario(box):
        pad = devices.plug(3, "Foot Pedal", keys=[57])
        await box.until(lambda: pad.clock is not None)
        await box.key(pad, 57)
        await box.until(lambda: box.session.scene().alarms)
        (text,) = box.session.scene().alarms
        assert text == "a button of Foot Pedal has no use: assign it by the knob (buttons)"

    play(scenario)


def test_a_card_that_takes_no_file_is_told_and_what_was_assigned_holds_meanwhile(devices, play, monkeypatch):
    pad = devices.plug(0, uniq="A1")

    def full(*_):
        raise OSError(28, "No space left on device")

    async def scenario(box):
        monkeypatch.setattr("companion.app.inputs.assigner.write_inputs", full)
        await box.assign("red second", lambda: box.key(pad, A))
        await box.until(lambda: any("holds until the box is switched off" in one for one in box.session.scene().alarms))
        await box.key(pad, A)
        await box.until(lambda: box.session.table.seats == (RED,))

    play(scenario)


def test_it_is_asked_at_the_seating_alone_and_only_where_somebody_listens(play, tmp_path):
    async def scenario(box):
        box.loop.act(lambda session: perform(session, AskInput(button="red first"), 0))
        assert box.session.wanted_input == "red first"
        box.loop.act(lambda session: perform(session, AskInput(button=None), 0))
        assert box.session.wanted_input is None
        box.session._lobby.can_assign = False
        with pytest.raises(Illegal, match="before a match"):
            box.session.ask_input("red first")
        assert not [effect for effect in box.session.take() if isinstance(effect, Log) and "refused" in effect.text]

    play(scenario)


def test_buttons_that_somebody_has_brought_are_those_of_the_seat_they_take_for_as_long_as_they_sit_there(devices, play):
    pad = devices.plug(0, "Big Switch", uniq="A1")
    brought = (OwnButton(device="Big Switch", code=B, place=3), OwnButton(device="panel", code=1, place=2))

    async def scenario(box):
        await box.until(lambda: pad.clock is not None)
        box.session._lobby.sitting.people = People(Profile(name="Ann", mapping=brought))
        await box.press("yellow first")
        await box.until(lambda: box.session.table.seats == (YELLOW,))
        box.loop.act(lambda session: session.sit(YELLOW, "Ann"))
        await box.until(lambda: pad.is_grabbed)
        assert list(box.assigner.source.lines) == ["yellow third (pad)"]
        wire = Wire(SIMULATED, "yellow first")
        assert box.loop.box.rewiring.name_of(wire) == "yellow second (yellow first)"
        box.loop.act(lambda session: session.sit(YELLOW, None))
        assert box.loop.box.rewiring.name_of(wire) == "yellow first"
        await box.until(lambda: not pad.is_grabbed)

    assert not inputs_file(play(scenario).folder).exists()


def test_what_is_assigned_while_the_file_is_being_written_is_written_too(tmp_path, monkeypatch):
    began, goes_on, written = threading.Event(), threading.Event(), []

    def slow(_path, inputs):
        began.set()
        assert goes_on.wait(PATIENCE_S)
        written.append(inputs)

    monkeypatch.setattr("companion.app.inputs.assigner.write_inputs", slow)
    file = InputFile(inputs_file(tmp_path))
    first, second = (Inputs({f"usb {name}": InputEntry(name)}) for name in "ab")
    file.write(first)
    assert began.wait(PATIENCE_S)
    file.write(second)
    goes_on.set()
    file.close()
    assert written == [first, second]
