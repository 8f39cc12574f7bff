"""The one launch route: parts are opened, attached, run and closed in order; a failure is told once."""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from companion.adapters.oled.chip import simulated
from companion.adapters.service.status_file import StatusFile, read_status
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES, build
from companion.app.launch import launch
from companion.app.parts import Part, Screen
from companion.app.service import Service
from companion.app.simulated import SimulatedButtons
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.errors import Unavailable
from companion.core.play.health import Life
from tests.app.test_service import Manager

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from companion.app.loop import BoxLoop


class Told(Part):
    """Writes down what happens to it, and fails where it is told to."""

    def __init__(self, name: str, log: list[str], fails_at: str = "", error: Exception | None = None) -> None:
        self._name, self._log = name, log
        self._fails_at, self._error = fails_at, error or Unavailable("it is broken")

    def _note(self, what: str) -> None:
        self._log.append(f"{what} {self._name}")
        if what == self._fails_at:
            raise self._error

    def open(self) -> None:
        self._note("open")

    def attach(self, loop: BoxLoop) -> None:
        self._note("attach")

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        self._note("enter")
        yield
        self._note("leave")

    def ready(self) -> None:
        self._note("ready")

    def close(self) -> None:
        self._note("close")


class OneLife:
    """One life of a box of these parts, stopped as soon as it is ready."""

    def __init__(self, folder: Path, *parts: Part) -> None:
        self.manager, self.folder = Manager(), folder
        self._buttons = SimulatedButtons(SimulatedSource(time.monotonic_ns, ALL_LINES))
        self._parts = parts

    def run(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        settings = load(None, [Flag("--state-dir", ("box", "state_dir"), str(self.folder / "state"))])
        service = Service(self.manager, StatusFile(self.folder))

        class Stop(Part):
            def ready(self) -> None:
                asyncio.get_running_loop().call_soon(service.stop)

        def assemble(parts: Sequence[Part]) -> BoxLoop:
            return build(
                settings, RunOptions(), sources=[source for part in parts for source in part.sources], lines=ALL_LINES,
                displays=[display for part in parts for display in part.displays], buzzer=None,
            )  # fmt: skip

        await launch(lambda: [self._buttons, *self._parts, Stop()], assemble, service)


def test_parts_are_opened_attached_told_and_closed_in_order(tmp_path: Path) -> None:
    log: list[str] = []
    life = OneLife(tmp_path, Told("one", log), Told("two", log))
    life.run()
    assert log == [
        "open one", "open two", "attach one", "attach two", "enter one", "enter two", "ready one", "ready two",
        "leave two", "leave one", "close two", "close one",
    ]  # fmt: skip
    assert [what for what in life.manager.what() if what in ("ready", "stopping", "close")] == [
        "ready", "stopping", "close",
    ]  # fmt: skip


def test_threads_wait_for_each_other_a_tenth_of_a_millisecond_at_most_while_a_box_runs(tmp_path: Path) -> None:
    seen: list[float] = []

    class Looks(Part):
        def ready(self) -> None:
            seen.append(sys.getswitchinterval())

    before = sys.getswitchinterval()
    OneLife(tmp_path, Looks()).run()
    assert seen == [pytest.approx(0.0001)]
    assert sys.getswitchinterval() == before


@pytest.mark.parametrize(
    ("at", "closed"),
    [("open", ["one"]), ("attach", ["two", "one"]), ("enter", ["two", "one"]), ("ready", ["two", "one"])],
)
def test_a_failure_is_told_once_and_closes_what_was_opened(tmp_path: Path, at: str, closed: list[str]) -> None:
    log: list[str] = []
    life = OneLife(tmp_path, Told("one", log, at), Told("two", log))
    with pytest.raises(Unavailable, match="it is broken"):
        life.run()
    assert [entry.removeprefix("close ") for entry in log if entry.startswith("close")] == closed
    failed = [text for what, text, _ in life.manager.told if what == "status" and text.startswith("failed")]
    assert failed == ["failed: it is broken"]
    assert life.manager.what()[-1] == "close"
    status = read_status((tmp_path,))
    assert status.life is Life.FAILED
    assert status.last_fault is not None
    assert status.last_fault.text == "it is broken"


def test_a_bug_is_told_too(tmp_path: Path) -> None:
    life = OneLife(tmp_path, Told("one", [], "ready", ZeroDivisionError("one by none")))
    with pytest.raises(ZeroDivisionError):
        life.run()
    assert ("status", "failed: ZeroDivisionError('one by none')") in [told[:2] for told in life.manager.told]


def test_why_a_box_cannot_start_stays_on_its_display(tmp_path: Path) -> None:
    display, wire = simulated("ssd1306")
    with pytest.raises(Unavailable):
        OneLife(tmp_path, Screen(display), Told("one", [], "open")).run()
    assert wire.chip.picture().getbbox() is not None
    fresh, blank = simulated("ssd1306")
    OneLife(tmp_path, Screen(fresh)).run()
    assert blank.chip.picture().getbbox() is None, "a box that was stopped leaves it dark"
