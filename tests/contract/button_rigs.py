"""What the button sources' contract suite runs on: each rig is a source with a hand on its lines.

Without hardware: libgpiod's Python above a fake of its C layer, gpiozero on its mock pins, the simulated panel, a pod's
program on a fake board. Where
COMPANION_GPIO_SIM names the folder of a chip of the kernel's gpio-sim (`/sys/devices/platform/gpio-sim.N/gpiochipM`),
also libgpiod and gpiozero's lgpio on that chip, with real edges.
"""

from __future__ import annotations

import os
import select
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from companion.adapters.evdev.assigned import Assigned as AssignedKeys
from companion.adapters.evdev.source import EvdevSource
from companion.adapters.gpio.gpiod_source import GpiodSource
from companion.adapters.gpio.gpiozero_source import GpiozeroSource
from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.source import PodsSource
from companion.adapters.simulated.source import SimulatedSource
from companion.adapters.web.phones.panel_source import PanelSource
from companion.core.errors import Unavailable
from companion.core.panel import BUTTONS, KNOB_PUSH, label_of
from companion.core.timing.events import SECOND, Edge, Levels, SourceEvent
from tests.fakes.gpio_chip import Clock, FakeKernel
from tests.fakes.input_devices import FakeInputs
from tests.fakes.wired_pico import WiredPico

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.ports import ButtonSource

LINES = {button.label: number for number, button in enumerate(BUTTONS, start=4)} | {KNOB_PUSH: 24}
GPIO_SIM = os.environ.get("COMPANION_GPIO_SIM")
PATIENCE_S = 10.0


class Rig(Protocol):
    """A source and the contacts of its lines."""

    source: ButtonSource

    def close_contact(self, label: str) -> None: ...

    def open_contact(self, label: str) -> None: ...

    def closed_contacts(self) -> set[str]:
        """The lines whose contact is really closed now."""
        ...

    def now_ns(self) -> int: ...

    def elsewhere(self) -> ButtonSource | None:
        """Give a source like this one that is told to use what is not there; None where there is no such thing."""
        ...


class FakeGpiodRig:
    """libgpiod above a fake of its C layer."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.clock = Clock()
        kernel = FakeKernel(monkeypatch, tmp_path)
        kernel.add("gpiochip4", label="gpio-brcmstb")
        self.chip = kernel.add("gpiochip0")
        self.source = GpiodSource(LINES, clock=self.clock)

    def close_contact(self, label: str) -> None:
        self.chip.drive(LINES[label], grounded=True, t_ns=self.clock())

    def open_contact(self, label: str) -> None:
        self.chip.drive(LINES[label], grounded=False, t_ns=self.clock())

    def closed_contacts(self) -> set[str]:
        return {label for label, number in LINES.items() if number in self.chip.grounded}

    def now_ns(self) -> int:
        return self.clock()

    def elsewhere(self) -> ButtonSource:
        return GpiodSource(LINES, chip="pinctrl-nowhere")


class MockGpiozeroRig:
    """gpiozero on its mock pins."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.source = GpiozeroSource(LINES, factory="mock")
        self.closed: set[str] = set()

    def _move(self, label: str, *, high: bool) -> None:
        if self.source.pins is not None:
            pin = self.source.pins.factory.pin(LINES[label])
            (pin.drive_high if high else pin.drive_low)()
            (self.closed.discard if high else self.closed.add)(label)

    def close_contact(self, label: str) -> None:
        self._move(label, high=False)

    def open_contact(self, label: str) -> None:
        self._move(label, high=True)

    def closed_contacts(self) -> set[str]:
        return set(self.closed)

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def elsewhere(self) -> ButtonSource:
        return GpiozeroSource(LINES | {"red first": 77}, factory="mock")


class SimulatedRig:
    """The simulated panel, on the machine's own clock: its thread waits by it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.source = SimulatedSource(time.monotonic_ns, LINES)
        self.closed: set[str] = set()

    def close_contact(self, label: str) -> None:
        self.closed.add(label)
        self.source.edge(label, True, time.monotonic_ns())

    def open_contact(self, label: str) -> None:
        self.closed.discard(label)
        self.source.edge(label, False, time.monotonic_ns())

    def closed_contacts(self) -> set[str]:
        return set(self.closed)

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def elsewhere(self) -> None:
        return None


SLOWEST_NS = 2 * SECOND
"""The fake board and its port are threads of this process: on a busy machine they take longer than a pod by USB."""


class PodRig:
    """A pod's very program on a fake board, at the other end of a pseudo-terminal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.wired = WiredPico(lines=len(LINES))
        self.nowhere = tmp_path / "ttyACM9"
        assigned = {self.wired.pico.unique_id.hex(): Assigned("rig", tuple(LINES))}
        self.source = PodsSource(assigned, ports=[self.wired.path], is_required=True, delay_ns=SLOWEST_NS)

    def close_contact(self, label: str) -> None:
        self._move(label, closed=True)

    def open_contact(self, label: str) -> None:
        self._move(label, closed=False)

    def _move(self, label: str, *, closed: bool) -> None:
        """Before the source is open, the pod has no power yet: else it would keep the edge and tell it."""
        line = list(LINES).index(label)
        try:
            self.source.fileno()
        except Unavailable:
            with self.wired.pico.lock:
                self.wired.pico.pins[line].level = 0 if closed else 1
                self.wired.pico.boot()
        else:
            self.wired.pico.contact(line, closed)

    def closed_contacts(self) -> set[str]:
        return {label for label, pin in zip(LINES, self.wired.pico.pins, strict=True) if not pin.level}

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def elsewhere(self) -> ButtonSource:
        return PodsSource({}, ports=[self.nowhere], is_required=True)

    def close(self) -> None:
        self.wired.close()


class BrowserRig:
    """Browsers' panels, at the lowest layer: edges as `Panels` hands them over, with no mark on the lines."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.source = PanelSource(time.monotonic_ns, LINES, mark="")
        self.closed: set[str] = set()

    def _put(self, label: str, *, active: bool) -> None:
        self.source.put(Edge(label, active, time.monotonic_ns(), self.source.error_ns))

    def close_contact(self, label: str) -> None:
        self._put(label, active=True)

    def open_contact(self, label: str) -> None:
        self._put(label, active=False)

    def closed_contacts(self) -> set[str]:
        return set()  # nobody holds a button of a page that is not connected yet

    def now_ns(self) -> int:
        return time.monotonic_ns()

    def elsewhere(self) -> None:
        return None


class EvdevRig:
    """Input devices by python-evdev, with a seat's keys on each of five: their files are FIFOs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.inputs = FakeInputs(monkeypatch, tmp_path)
        keys = [(label, number // 4, 0x130 + number % 4) for number, label in enumerate(LINES)]
        self.keys = {label: (number, code) for label, number, code in keys}
        self.pads = [self.inputs.plug(n, keys=[0x130, 0x131, 0x132, 0x133], uniq=f"A{n}") for n in range(6)]
        assigned = {
            f"usb 1234:0001 number A{pad}": AssignedKeys(
                f"pad{pad}", {f"KEY_0x{code:x}": label for label, number, code in keys if number == pad}
            )
            for pad in range(6)
        }
        self.source = _Unmarked(assigned, folder=self.inputs.folder, sys=self.inputs.sys)

    def _move(self, label: str, *, down: bool) -> None:
        pad, code = self.keys[label]
        self.pads[pad].key(code, down)

    def close_contact(self, label: str) -> None:
        self._move(label, down=True)

    def open_contact(self, label: str) -> None:
        self._move(label, down=False)

    def closed_contacts(self) -> set[str]:
        return {label for label, (pad, code) in self.keys.items() if code in self.pads[pad].down}

    def now_ns(self) -> int:
        return time.monotonic_ns() // 1000 * 1000  # as the kernel's stamps of input events are

    def elsewhere(self) -> ButtonSource:
        return EvdevSource({}, folder=Path("/nowhere/at/all/input"))


class UinputRig:
    """The same on a kernel's own input devices, made by uinput.

    The kernel keeps 64 events of a device for a reader: each edge is two, with its report.
    """

    kept_edges = 28

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        from evdev import UInput, ecodes

        keys = [(label, number // 4, 0x130 + number % 4) for number, label in enumerate(LINES)]
        self.keys = {label: (pad, code) for label, pad, code in keys}
        buttons: dict[int, Sequence[int]] = {ecodes.EV_KEY: [0x130, 0x131, 0x132, 0x133]}
        self.pads = [
            UInput(buttons, name=f"pad {n}", vendor=1, product=n, bustype=3, phys=f"rig-{n}/input0") for n in range(6)
        ]
        self.down: set[str] = set()
        assigned = {
            f"usb 0001:000{pad} at rig-{pad}": AssignedKeys(
                f"pad{pad}", {f"KEY_0x{code:x}": label for label, number, code in keys if number == pad}
            )
            for pad in range(6)
        }
        self.source = _Unmarked(assigned)

    def _move(self, label: str, *, down: bool) -> None:
        pad, code = self.keys[label]
        (self.down.add if down else self.down.discard)(label)
        self.pads[pad].write(1, code, int(down))
        self.pads[pad].syn()

    def close_contact(self, label: str) -> None:
        self._move(label, down=True)

    def open_contact(self, label: str) -> None:
        self._move(label, down=False)

    def closed_contacts(self) -> set[str]:
        return set(self.down)

    def now_ns(self) -> int:
        return time.monotonic_ns() // 1000 * 1000

    def elsewhere(self) -> ButtonSource:
        return EvdevSource({}, folder=Path("/nowhere/at/all/input"))

    def close(self) -> None:
        for pad in self.pads:
            pad.close()


class _Unmarked(EvdevSource):
    """Its lines by the buttons' labels alone, as the suite names them."""

    def read(self) -> list[SourceEvent]:
        return [_plain(event) for event in super().read()]


def _plain(event: SourceEvent) -> SourceEvent:
    if isinstance(event, Levels):
        return Levels(frozenset(map(label_of, event.active)), frozenset(map(label_of, event.known)), event.t_ns)
    return event._replace(line=label_of(event.line)) if isinstance(event, Edge) else event


class _SimRig:
    """The kernel's gpio-sim. Claiming a line with a pull-up opens its contact: only the chip knows what is closed."""

    source: ButtonSource

    def __init__(self) -> None:
        assert GPIO_SIM is not None
        self.folder = Path(GPIO_SIM)
        self.device = f"/dev/{self.folder.name}"
        self._not_before_ns = 0
        os.sched_setaffinity(0, {0})
        for label in LINES:
            self.open_contact(label)

    def _line(self, label: str) -> Path:
        return self.folder / f"sim_gpio{LINES[label]}"

    def _pull(self, label: str, direction: str) -> None:
        """Move a line, at least 100 µs after the one before and on one processor: else interrupts may overtake."""
        while time.monotonic_ns() < self._not_before_ns:
            pass
        (self._line(label) / "pull").write_text(direction)
        self._not_before_ns = time.monotonic_ns() + 100_000

    def close_contact(self, label: str) -> None:
        self._pull(label, "pull-down")

    def open_contact(self, label: str) -> None:
        self._pull(label, "pull-up")

    def closed_contacts(self) -> set[str]:
        return {label for label in LINES if (self._line(label) / "value").read_text().strip() == "0"}

    def now_ns(self) -> int:
        return time.monotonic_ns()


class SimGpiodRig(_SimRig):
    """libgpiod on gpio-sim."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        super().__init__()
        self.source = GpiodSource(LINES, chip=self.device)

    def elsewhere(self) -> ButtonSource:
        return GpiodSource(LINES, chip="pinctrl-nowhere")


class SimGpiozeroRig(_SimRig):
    """gpiozero's lgpio on gpio-sim."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        super().__init__()
        self.source = GpiozeroSource(LINES, factory="lgpio", chip=self.device)

    def elsewhere(self) -> ButtonSource:
        return GpiozeroSource(LINES, factory="lgpio", chip="pinctrl-nowhere")


RIGS = [
    pytest.param(FakeGpiodRig, id="gpiod-fake"),
    pytest.param(MockGpiozeroRig, id="gpiozero-mock"),
    pytest.param(SimulatedRig, id="simulated"),
    pytest.param(PodRig, id="pods"),
    pytest.param(BrowserRig, id="browser"),
    pytest.param(EvdevRig, id="evdev"),
]
if os.environ.get("COMPANION_UINPUT"):
    RIGS += [pytest.param(UinputRig, id="uinput")]
if GPIO_SIM:
    RIGS += [pytest.param(SimGpiodRig, id="gpiod-kernel"), pytest.param(SimGpiozeroRig, id="gpiozero-kernel")]


def is_readable(source: ButtonSource, timeout_s: float = PATIENCE_S) -> bool:
    """Wait until the source says that it has something, as the event loop does."""
    poll = select.poll()
    poll.register(source.fileno(), select.POLLIN)
    return bool(poll.poll(int(timeout_s * 1000)))


def read_until(source: ButtonSource, edges: int) -> list[list[SourceEvent]]:
    """Read, each time the descriptor says so, until so many edges have come (or none for a long while)."""
    batches: list[list[SourceEvent]] = []
    while sum(isinstance(event, Edge) for batch in batches for event in batch) < edges:
        if not is_readable(source):
            break
        batches.append(source.read())
    return batches


def first_levels(rig: Rig) -> Levels:
    """Open the rig's source and take its first event, which must be its levels."""
    rig.source.open()
    assert is_readable(rig.source), "levels wait to be read, and the descriptor does not say so"
    levels, *_ = rig.source.read()
    assert isinstance(levels, Levels)
    return levels
