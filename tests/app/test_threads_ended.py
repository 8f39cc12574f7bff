"""Every thread of a running box, made to fail once: it says so, alarms, is there again, and the box still rules.

The box has all that starts a thread: pages, pods and a card scanner at real pseudo-terminals, a buzzer on the modelled
chip, a display, journal, intake, evidence, a key. What fails is a step of the thread's own.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn

from companion.adapters.evdev.wedge import Wedge
from companion.adapters.evidence_files.writer import EvidenceFiles
from companion.adapters.gpio.outputs import gpiod_output
from companion.adapters.gpio.outputs.buzzer import PanelBuzzer
from companion.adapters.intake_file.appended_file import AppendedFile
from companion.adapters.intake_file.intake import IntakeFile
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.nfc.chip import Chip
from companion.adapters.nfc.reader import TagReader, open_chip
from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.port_thread import PortThread
from companion.adapters.pods.ports import open_port
from companion.adapters.pods.source import PodsSource
from companion.adapters.signals.chips import Pca9685
from companion.adapters.signals.expander import ExpanderSignals, Wired
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.sqlite_journal import SqliteJournal, export_lines
from companion.adapters.text_stream.server import TextStream
from companion.adapters.text_stream.wire import SOCKET_NAME
from companion.app.assembly import ALL_LINES, build
from companion.app.event.joined import Joined
from companion.app.event.part import BoxAtEvent
from companion.app.event.thread import EventThread
from companion.app.inputs.assigner import InputFile
from companion.app.late_pages import LatePages
from companion.app.pages import StoredMatches, Web
from companion.app.parts import SeatSignals
from companion.app.reading.stream import TextStreamFollower
from companion.app.scanner import CardScanner
from companion.app.signals.thread import SignalThread
from companion.app.turn.display_thread import DisplayThread
from companion.config.deck_file import printed_deck
from companion.config.input_file import Inputs, inputs_file
from companion.config.languages import Languages
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.match.session_stages import SessionStage
from companion.core.panel import Colour, marked
from companion.core.play.scanning import ScannedLines
from companion.core.shown.scene import Status
from companion.core.signals.board import Lit
from companion.core.signals.signs import Outlet
from companion.core.timing.events import MS
from companion.ports import Sound, Tone
from tests.app.test_loop import Panel
from tests.docs.test_threads import in_table
from tests.fakes.event_link import BOX, EVENT, FakeDesk
from tests.fakes.expanders import FakeBus, FakePca9685
from tests.fakes.gpio_chip import FakeKernel
from tests.fakes.input_devices import FakeInputs
from tests.fakes.pn532 import WiredPn532
from tests.fakes.wired_pico import WiredPico
from tests.fakes.wired_reader import WiredReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.app.loop import BoxLoop
    from companion.core.play.session import Session

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

PATIENCE_S = 60.0
RED = ("red first", "red second", "red third", "red fourth")
POD = b"\1west\0\0\0"


class Injected(Exception):
    """A fault that a test put there."""


class Once:
    """Makes one step of one thread raise, the next time that it is come to, and sees that thread come to it again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: type, step: str, thread: str) -> None:
        self.thread, self.again = thread, threading.Event()
        self._left = 1
        self.real, self._patch, self._owner, self._step = getattr(owner, step), monkeypatch, owner, step

    def arm(self) -> None:
        once, real = self, self.real

        def step(*arguments: Any, **named: Any) -> Any:
            if once.is_here():
                if once._left:
                    once._left = 0
                    raise Injected(once.thread)
                once.again.set()
            return real(*arguments, **named)

        if asyncio.iscoroutinefunction(real):

            async def awaited(*arguments: Any, **named: Any) -> Any:
                return await step(*arguments, **named)

            self._patch.setattr(self._owner, self._step, awaited)
        else:
            self._patch.setattr(self._owner, self._step, step)

    def is_here(self) -> bool:
        return threading.current_thread().name == self.thread


STEPS: dict[str, tuple[type, str]] = {
    "display 1": (DisplayThread, "_try"),
    "journal": (SqliteJournal, "_sleep"),
    "evidence": (EvidenceFiles, "_sleep"),
    "intake": (IntakeFile, "_append"),
    "intake sync": (AppendedFile, "sync"),
    "key": (BoxKey, "signer"),
    "buzzer": (PanelBuzzer, "_next"),
    "square wave": (gpiod_output._Wave, "_run"),
    "signals": (SignalThread, "_sleep"),
    "card scanner": (ScannedLines, "feed"),
    "typing scanner": (Wedge, "_type"),
    "tag reader": (Chip, "tags"),
    "inputs file": (InputFile, "_put"),
    "pod west": (PortThread, "_turn"),
    "pages": (LatePages, "_begin"),
    "web": (uvicorn.Server, "on_tick"),
    "text stream": (TextStream, "_see_to"),
    "simulated panel": (SimulatedSource, "_until_due_ns"),
    "event": (EventThread, "_look"),
}
"""By its name: what each thread does over and over, or first."""
OF_A_DESK = ("asyncio", "event store", "simulated")
"""A tournament's, which no box has (tests/app/tournament)."""
OF_A_CERTIFICATE = ("busy disk",)
"""Processes of `companion certify`, which says so where one has ended (tests/adapters/certificate)."""
OF_A_VOICE = ("voice", "espeak-ng", "speech-dispatcher")
"""These are made to fail where there is a sound card (tests/app/speech/test_voice_threads.py)."""


def test_the_list_of_steps_is_the_list_of_threads() -> None:
    # A browser that cannot be started is no fault of the box, and is not begun again.
    ours = {re.sub(r" …$| 1$", "", name) for name in in_table()} - {"main", "web reading", "browser"}
    ours -= {*OF_A_VOICE, *OF_A_DESK, *OF_A_CERTIFICATE}
    assert {re.sub(r" 1$| west$", "", name) for name in STEPS} == ours


class FullBox:
    """A box of everything, run in the test's event loop."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        FakeKernel(monkeypatch, folder).add()
        self.pico = WiredPico(unique_id=POD)
        self.pico.name(folder / "west")
        self.reader = WiredReader(folder / "reader")
        self.port = free_port()
        self.settings = load(None, [
            Flag("--state-dir", ("box", "state_dir"), str(folder / "state")),
            Flag("--port", ("web", "port"), self.port),
            Flag("--scanner", ("scanner", "port"), str(self.reader.path)),
            Flag("--late", ("timing", "late_ms"), 0),
            Flag("--game", ("match", "game"), "order"),
        ])  # fmt: skip
        self.source = SimulatedSource(time.monotonic_ns, ALL_LINES)
        pod = Assigned("west", tuple(marked(label, "west") for label in RED))
        self.pods = PodsSource({POD.hex(): pod}, ports=[self.pico.path])
        self.buzzer = PanelBuzzer(27, factory="gpiod")
        self.display = Panel()
        expander = ExpanderSignals(
            Pca9685(), {Lit(Colour.RED, Outlet.LAMP): Wired(0)}, open_bus=FakeBus({0x40: FakePca9685()}).open
        )
        self.signals = SeatSignals([expander])
        self.pages = LatePages(
            lambda source: Web(
                self.settings.web, self.settings.display, folder / "state", simulated=False, source=source
            )
        )
        self.scanner = CardScanner(self.settings.scanner, printed_deck("apache"))
        devices = FakeInputs(monkeypatch, folder)
        self.typing = devices.plug(0, "Symbol", keys=[30, 28], model=(3, 1, 2))
        self.wedge = Wedge(
            "usb 0001:0002", "us", lambda *_: None, lambda _: None, folder=devices.folder, sys=devices.sys
        )  # fmt: skip
        self.chip = WiredPn532(folder / "pn532")
        self.tags = TagReader(
            self.chip.path, partial(open_chip, open_port=open_port), lambda *_: None, lambda _: None
        )  # fmt: skip
        self.stream = TextStreamFollower(folder / SOCKET_NAME, Languages())
        self.inputs_file = InputFile(inputs_file(folder / "state"))
        joined = Joined("mqtt://127.0.0.1", EVENT, BOX)
        self.event = BoxAtEvent(joined, folder / "state", "en", make_link=FakeDesk().make_link)
        self.loop: BoxLoop | None = None
        self._rested_ns = 0

    async def play(self, monkeypatch: pytest.MonkeyPatch) -> None:
        steps = {thread: Once(monkeypatch, *step, thread) for thread, step in STEPS.items()}
        for thread in ("pages", "key"):  # they live once
            steps[thread].arm()
        for part in (self.source, self.pods, self.buzzer, self.pages):
            part.open()
        self.pods.on_alarm = lambda _key, _text: None
        lines = (*ALL_LINES, *self.pages.lines, *(marked(label, "west") for label in RED))
        self.loop = loop = build(
            self.settings, RunOptions(seats=(Colour.RED, Colour.YELLOW)),
            sources=[self.source, self.pods, *self.pages.sources], lines=lines, displays=[self.display],
            buzzer=self.buzzer, outbox=self.event,
        )  # fmt: skip
        self.pages.attach(loop)
        self.event.attach(loop)
        self.scanner.attach(loop)
        self.signals.attach(loop)
        self.stream.open(loop)
        self.wedge.start()
        self.tags.start()
        self.event.ready()
        running = asyncio.create_task(loop.run(on_ready=self.pages.ready))
        try:
            await self._fail_each(steps)
        finally:
            loop.stop()
            await running
            await asyncio.to_thread(self.pages.close)
            await asyncio.to_thread(self.event.close)
            self.scanner.close()
            self.signals.close()
            self.stream.close()
            self.wedge.close()
            self.tags.close()
            self.chip.unplug()
            self.inputs_file.close()

    async def _fail_each(self, steps: dict[str, Once]) -> None:
        await self._race()
        for thread, once in steps.items():
            if thread not in ("pages", "key"):
                once.arm()
            await self._stir(thread, once)
            await self._until(once.again.is_set, f"{thread} was begun again")
            await self._until(partial(self._alarms, thread), f"{thread}: an alarm")
            assert thread in ("pages", "key", "square wave", "inputs file") or thread in names(), thread
            await self._race()
        await self._read_pages()

    async def _read_pages(self) -> None:
        """See that the pages are back at their port, and read stored matches; what fails there reaches who asks."""
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=PATIENCE_S) as client:
            assert (await client.get("/api/state")).status_code == 200
            assert [match["id"] for match in (await client.get("/api/matches")).json()] == [2, 1]
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(StoredMatches, "matches", lambda _: (_ for _ in ()).throw(Injected("web reading")))
                assert (await client.get("/api/matches")).status_code == 500
            assert (await client.get("/api/matches")).status_code == 200

    async def _stir(self, thread: str, once: Once) -> None:
        """Have something come to a thread that sleeps else."""
        loop = self.loop
        assert loop is not None
        if thread == "key":
            loop.act(end)
            await self._until(lambda: loop.box.session.stage is SessionStage.ENDED, "the end")
            loop.act(lambda session: session.leave())
            loop.act(lambda session: session.begin(session.table))
        elif thread == "card scanner":
            await self._until(lambda: self._show_card() or once.again.is_set(), "the scanner reads again")
        elif thread == "typing scanner":
            await self._until(lambda: self._type() or once.again.is_set(), "the scanner that types reads again")
        elif thread == "text stream":
            await asyncio.to_thread(self._read_along, once)
        elif thread == "inputs file":
            self.inputs_file.write(Inputs())
        elif thread in ("buzzer", "square wave"):
            self.buzzer.play(Sound(Tone.PUNISHED))
            await asyncio.sleep(0)
        else:
            await self._race()

    def _read_along(self, once: Once) -> None:
        """Read along, also after the thread was begun again: a reader that was there stays."""
        with socket.socket(socket.AF_UNIX) as reader:
            reader.settimeout(PATIENCE_S)
            reader.connect(str(self.folder / SOCKET_NAME))
            reader.sendall(b'{"again":true}\n')
            assert once.again.wait(PATIENCE_S)
            assert reader.recv(4096)

    def _type(self) -> None:
        self.typing.key(30, 30 not in self.typing.down)

    def _show_card(self) -> None:
        self.reader.show(b"~12345\r\n")

    async def _race(self) -> None:
        """Have a race ruled, and its ruling stored."""
        assert self.loop is not None
        match = self.loop.box.session.match
        assert match is not None
        before = match.lines_written
        await self._until(lambda: time.monotonic_ns() > self._rested_ns, "the buttons are released")
        now_ns = time.monotonic_ns()
        self._rested_ns = now_ns + 400 * MS  # longer than a press is held, and its button deaf
        self.source.press("red second", now_ns)
        self.source.press("yellow second", now_ns + MS)
        await self._until(lambda: match.lines_written >= before + 4, "a race is judged")
        await self._until(lambda: match.status is Status.FINAL, "the ruling is stored")

    def _alarms(self, thread: str) -> bool:
        assert self.loop is not None
        alarms = self.loop.box.session.scene().alarms
        return any(text.startswith(f"the thread {thread} failed (Injected") for text in alarms)

    async def _until(self, holds: Callable[[], Any], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE_S):
                while not holds():
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(what) from None


def end(session: Session) -> None:
    assert session.match is not None
    session.match.end()


def names() -> set[str]:
    return {thread.name for thread in threading.enumerate()}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FullBox]:
    made = FullBox(tmp_path, monkeypatch)
    yield made
    made.pico.close()
    made.reader.unplug()


def test_each_thread_that_fails_says_so_alarms_and_is_begun_again_and_the_box_rules_on(
    box: FullBox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asyncio.run(box.play(monkeypatch))
    said = [record.getMessage() for record in caplog.records]
    for thread in STEPS:
        assert sum(text.startswith(f"the thread {thread} failed (Injected") for text in said) == 1, thread
    for match in (1, 2):
        assert len(export_lines(box.folder / "state", match)) > 4
