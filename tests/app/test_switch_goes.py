"""A seat's only switch goes in mid-scan, in a box that runs: play goes on, it is told, and back again it plays.

An input device by the kernel's interface, and a pod's own program on a serial line; a phone: `test_phone_goes.py`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.evdev.assigned import Assigned as AssignedKeys
from companion.adapters.evdev.source import EvdevSource, Times
from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES, build
from companion.app.pods import Pods
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.panel import POSITIONS, Colour
from companion.core.record.lines import PressLine, Remark
from companion.core.shown.scene import Results
from companion.core.timing.events import MS
from tests.fakes.input_devices import FakeInputs
from tests.fakes.wired_pico import WiredPico

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

RED, YELLOW, *_ = Colour
PATIENCE_S = 30.0
KEY, BTN_A = "usb 1234:0001 number A1", 0x130
UNIQUE_ID = b"\1west\0\0\0"
HELD_S = 0.05
SCANS = [
    Flag("", ("seats", "red", "input"), "scan"),
    Flag("", ("seats", "red", "scan_dwell_s"), 0.3),
    Flag("", ("seats", "red", "scan_loops"), 2),
]


class Jack:
    """A switch at an input device: `press` it, `pull` the device, `plug` it in again."""

    says = "pad has gone: its buttons are dead until it is plugged in again"

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self._inputs = FakeInputs(monkeypatch, tmp_path)
        self.plug()
        pad = AssignedKeys("pad", {"BTN_A": "red first"}, delay_ns=5 * MS)
        self.source = EvdevSource({KEY: pad}, Times(), folder=self._inputs.folder, sys=self._inputs.sys)
        self.source.open()
        self.lines, self.part = self.source.lines, None

    def plug(self) -> None:
        self._device = self._inputs.plug(0, uniq="A1")

    def pull(self) -> None:
        self._inputs.pull(self._device)

    def move(self, *, down: bool) -> None:
        self._device.key(BTN_A, down)

    def close(self) -> None:
        """The loop closes its source."""


class PodJack:
    """A switch in a pod's first jack."""

    says = "has gone"

    def __init__(self, _monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self._pico = WiredPico(unique_id=UNIQUE_ID)
        self._pico.name(tmp_path / "pod")
        labels = tuple(f"red {position}" for position in POSITIONS)
        self.source = PodsSource({UNIQUE_ID.hex(): Assigned("west", labels)}, ports=[self._pico.path])
        self.lines, self.part = labels, Pods(self.source, labels)
        self.source.open()

    def plug(self) -> None:
        self._pico.plug()

    def pull(self) -> None:
        self._pico.unplug(power=True)

    def move(self, *, down: bool) -> None:
        self._pico.pico.contact(0, closed=down)

    def close(self) -> None:
        self._pico.close()


class Running:
    """A match of red, who has that switch alone, and yellow, at buttons of the box."""

    def __init__(self, jack: Jack | PodJack, folder: Path) -> None:
        self.jack = jack
        settings = load(
            None, [Flag("", ("box", "state_dir"), str(folder)), Flag("", ("match", "game"), "order"), *SCANS]
        )
        self.panel = SimulatedSource(time.monotonic_ns, ALL_LINES)
        self.panel.open()
        self.loop = build(
            settings, RunOptions(simulate=True, seats=(RED, YELLOW)), sources=[self.panel, jack.source],
            lines=dict.fromkeys([*ALL_LINES, *jack.lines]), displays=[], buzzer=None,
        )  # fmt: skip
        if jack.part is not None:
            jack.part.attach(self.loop)

    @property
    def session(self):
        return self.loop.box.session

    @property
    def cued(self):
        return self.session.switches.cued()

    def presses(self) -> list[PressLine]:
        return [told.line for told in self.session.match.history if isinstance(told.line, PressLine)]

    def remarks(self) -> str:
        return "\n".join(told.line.text for told in self.session.match.history if isinstance(told.line, Remark))

    def told(self) -> list[str]:
        """What people are told, and were."""
        return [*self.remarks().splitlines(), *self.session.scene().alarms, self.session.scene().notice]

    async def until(self, is_so: Callable[[], object]) -> None:
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, self.session.scene()
            await asyncio.sleep(0.005)

    async def press(self) -> None:
        for down in (True, False):
            self.jack.move(down=down)
            await asyncio.sleep(HELD_S)

    async def press_yellow(self) -> None:
        for down in (True, False):
            self.panel.edge("yellow first", down, time.monotonic_ns())
            await asyncio.sleep(HELD_S)


@pytest.fixture(params=[Jack, PodJack], ids=["input device", "pod"])
def jack(request, monkeypatch, tmp_path):
    made = request.param(monkeypatch, tmp_path)
    yield made
    made.close()


@pytest.fixture
def play(jack, tmp_path):
    def run(scenario: Callable[[Running], Awaitable[None]]) -> None:
        async def live() -> None:
            box = Running(jack, tmp_path / "state")
            running = asyncio.create_task(box.loop.run())
            await asyncio.sleep(0)
            try:
                await asyncio.wait_for(scenario(box), 4 * PATIENCE_S)
            finally:
                box.loop.stop()
                await running

        asyncio.run(live())

    return run


def test_a_switch_that_goes_in_mid_scan_has_played_what_was_offered_last_and_plays_again_once_it_is_back(play):
    async def scenario(box: Running) -> None:
        await box.press()
        await box.until(lambda: box.cued)
        box.jack.pull()
        await box.until(lambda: any(box.jack.says in told for told in box.told()))
        await box.press_yellow()
        await box.until(lambda: len(box.presses()) == 2)
        assert {line.colour for line in box.presses()} == {RED, YELLOW}
        (red,) = [line for line in box.presses() if line.colour == RED]
        assert red.role == POSITIONS[-1], "what was offered last"
        assert red.t_ns < min(line.t_ns for line in box.presses() if line.colour == YELLOW)
        await box.until(lambda: "did not pick" in box.remarks())
        assert box.cued == ()
        await box.until(lambda: isinstance(box.session.scene().body, Results))

        box.jack.plug()
        await box.until(lambda: any("is back" in told or "is well" in told for told in box.told()))
        await box.press()
        await box.until(lambda: box.cued)

    play(scenario)
