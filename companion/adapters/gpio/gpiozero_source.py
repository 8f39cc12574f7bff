"""Buttons by gpiozero, for systems without libgpiod 2: the pin factory's own time stamp is kept.

gpiozero's ready-made `Button` gives its handler no time, starts a thread each and, with `bounce_time`, changes who was
first. `EdgeInput` is a device of our own on the same pins: no bounce time, no thread, a handler that gets the stamp.

The crossing between threads: the factory's thread calls `_Crossing.put`, which takes the time, appends to a deque and
writes to an eventfd, and does nothing else: lgpio loses reports without a word while a handler is busy, and its only
thread ends for good at an exception in one, so none can leave `put`. Everything else happens in the thread that calls
`read` and `check`. What lgpio may have lost before an edge is told from the delay of its report (`reports`). Knows no
game and no settings.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from gpiozero import InputDevice

from companion.adapters.gpio.interrupt_threads import PAUSE_NS, InterruptThreads, wait_words
from companion.adapters.gpio.lines.levels import MERGE_NS, ROTARY, RawEdge, all_lines
from companion.adapters.gpio.lines.panel_lines import Found, PanelLines
from companion.adapters.gpio.pin_factory import CHOICES, LGPIO_CONSUMER, TIMINGS, OpenFactory, open_factory
from companion.adapters.gpio.reports import KERNEL_KEEPS, Report, Reports
from companion.adapters.gpio.standstill import Standstill
from companion.core.errors import Malformed, Unavailable
from companion.core.panel import line_says
from companion.core.timing.certificate import merge_with, with_certificate
from companion.core.timing.events import SECOND, SourceFault
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from companion.core.timing.certificate import Certified
    from companion.core.timing.events import SourceEvent

MOST_AT_ONCE = 1024
"""The most reports that one `read` returns, with those that `check` took before it. While more wait, `fileno` stays
readable."""
BUSY_TRIES = 20
BUSY_PAUSE_S = 0.01
"""How often, and with which pause, a line that is still in use is asked for: 0.2 s at most."""


def to_ns(ticks: float) -> int:
    """Turn a factory's ticks (seconds on CLOCK_MONOTONIC) back into nanoseconds.

    lgpio's integer has been divided by 10⁹ on its way here: what that loses is below 1 µs for 100 years of uptime.
    """
    return round(ticks * SECOND)


class _Crossing:
    """Where the factory's thread leaves its reports. Fields touched by two threads: all of them."""

    def __init__(self, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.reports: deque[tuple[int, float, str, bool]] = deque()
        self._clock = clock
        self._left = MOST_AT_ONCE
        self.failures: deque[str] = deque(maxlen=8)
        self.wake = os.eventfd(1, os.EFD_NONBLOCK | os.EFD_CLOEXEC)  # 1: the levels are there to be read

    def put(self, ticks: float, label: str, state: bool) -> None:
        """Note a change of a pin's state; called in the factory's thread, lets no exception out."""
        try:
            self.reports.append((self._clock(), ticks, label, state))
            os.eventfd_write(self.wake, 1)
        except BaseException as error:  # noqa: BLE001 - it would end the thread that serves all buttons
            self.failures.append(repr(error))

    def renew(self) -> None:
        """Begin a new reading: `take` may return `MOST_AT_ONCE` reports again."""
        self._left = MOST_AT_ONCE

    def take(self) -> list[Report]:
        """Return the reports so far, in the order they came, as far as the reading has room for them.

        Called in the reader's thread. Contacts are to ground: low is active.
        """
        taken: list[Report] = []
        while self.reports and self._left:
            came_ns, ticks, label, state = self.reports.popleft()
            taken.append(Report(came_ns, RawEdge(to_ns(ticks), label, not state)))
            self._left -= 1
        return taken

    def quiet(self) -> None:
        """Take back the wake-up, before the reports are taken: one that comes in between wakes again."""
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self.wake)

    def close(self) -> None:
        """Give the descriptor back; a report still on its way finds -1 and not somebody else's descriptor."""
        wake, self.wake = self.wake, -1
        os.close(wake)


class EdgeInput(InputDevice):  # type: ignore[misc]  # gpiozero has no types
    """An input with a pull-up that reports every change with the pin factory's own time stamp."""

    def __init__(self, pin: int, label: str, put: Callable[[float, str, bool], None], *, pin_factory: Any) -> None:
        try:
            super().__init__(pin, pull_up=True, pin_factory=pin_factory)
            self._label = label
            self._put = put
            self.pin.bounce = None  # ever: lgpio would stamp the last bounce
            self.pin.edges = "both"
            self.pin.when_changed = self._changed
        except BaseException:
            self.close()
            pin_factory.release_pins(self, pin)  # gpiozero forgets this where the pin itself cannot be had
            raise

    def _changed(self, ticks: float, state: bool) -> None:
        self._put(ticks, self._label, state)


class GpiozeroSource:
    """A `ButtonSource` on one of gpiozero's pin factories.

    lines, rotary, merge_ns, certified, clock: as in `GpiodSource`. factory, chip, work_dir: see `open_factory`.
    delay_ns, error_ns: None takes what is stated for the factory; with "auto" both are only settled by `open`.
    """

    name = "gpiozero"
    is_gone = False

    def __init__(
        self,
        lines: Mapping[str, int],
        *,
        rotary: tuple[int, int] | None = None,
        factory: str = "auto",
        chip: str | None = None,
        work_dir: Path | None = None,
        delay_ns: int | None = None,
        error_ns: int | None = None,
        merge_ns: int = MERGE_NS,
        certified: Certified | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        if factory not in CHOICES:
            raise Malformed(f"buttons cannot be read by {factory!r}; there are: {', '.join(CHOICES)}")
        self._lines = all_lines(lines, rotary)
        self._panel = PanelLines(lines, has_knob=rotary is not None)
        self._choice, self._wanted, self._work_dir = factory, chip, work_dir
        self._stated = (delay_ns, error_ns)
        self._certified = certified
        self._clock = clock
        self._stated_merge_ns = self._merge_ns = merge_ns
        self._settle(factory if factory in TIMINGS else "lgpio")
        self._devices: dict[str, EdgeInput] = {}
        self._threads = InterruptThreads(LGPIO_CONSUMER, (), merge_ns)
        self._counts: dict[int, int] = {}
        self._crossing: _Crossing | None = None
        self._reports, self._standstill = Reports(self._lines), Standstill()
        self._waiting: list[SourceEvent] = []
        self.pins: OpenFactory | None = None
        """The open factory, None while closed."""

    def open(self) -> None:
        """Claim all lines as inputs with pull-ups.

        Raises:
            Unavailable: no factory works, or a pin cannot be had; or already open.
        """
        if self.pins is not None:
            raise Unavailable("the buttons' lines are already open: close them first")
        self.pins = open_factory(self._choice, chip=self._wanted, work_dir=self._work_dir)
        self._settle(self.pins.name)
        self._crossing = _Crossing(self._clock)
        self._reports, self._standstill = Reports(self._lines), Standstill()
        for label, gpio in self._lines.items():
            try:
                self._devices[label] = self._claim(gpio, label, self._crossing, self.pins)
            except Exception as error:
                self.close()
                raise Unavailable(
                    f"GPIO {gpio} ({label}) cannot be had: {error}: stop what uses it, or use another pin"
                ) from error
        self._threads = InterruptThreads(LGPIO_CONSUMER, self._lines.values(), self._merge_ns, still_ns=self.delay_ns)
        self._counts = dict.fromkeys(self._lines.values(), 0)
        self._panel.claimed(self._levels(), self.error_ns)

    def fileno(self) -> int:
        """Give the descriptor to watch. Raises Unavailable while closed."""
        if self._crossing is None:
            raise Unavailable("the buttons' lines are not open: open them first")
        return self._crossing.wake

    @property
    def reading(self) -> str:
        """What a record says of how it reads: what the kernel keeps, and how long a merged edge may have waited."""
        says = text("the kernel keeps {edges} edges of each button; {waits}")
        waits = wait_words(self._merge_ns, is_counted=self.longest_wait_ns is not None)
        return says.format(edges=KERNEL_KEEPS, waits=waits)

    @property
    def longest_wait_ns(self) -> int | None:
        """The longest wait of an interrupt's thread since `open`, in ns; None where the machine does not tell."""
        return self._threads.longest_ns if self._threads.are_known else None

    @property
    def given_until_ns(self) -> int | None:
        """The instant before the earliest edge that waits to be judged, is too many for one reading, or on its way."""
        waiting = [self._reports.given_until_ns, self._standstill.given_until_ns]
        if self._crossing is not None and self._crossing.reports:
            waiting += [to_ns(min(ticks for _, ticks, *_ in tuple(self._crossing.reports))) - 1]
        return min((until_ns for until_ns in waiting if until_ns is not None), default=None)

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call, without waiting; nothing while closed."""
        crossing = self._crossing
        if crossing is None:
            return []
        crossing.quiet()
        out, self._waiting = self._waiting, []
        edges = self._edges(crossing, hold=self._panel.is_started)
        out += self._panel.take(edges) if self._panel.is_started else self._panel.start(edges)
        crossing.renew()
        if crossing.reports or self._reports.given_until_ns is not None:
            os.eventfd_write(crossing.wake, 1)
        return out + self._reports.losses.tell(self.name, self._clock()) + self._failures(crossing)

    def check(self) -> None:
        """Look for reports that were lost; what is found is given by `read`. To be called about once a second.

        This is also what notices that lgpio's thread has died: then no line's change is ever reported.
        """
        crossing = self._crossing
        if crossing is None or not self._panel.is_started:
            return
        found = self._panel.take(self._edges(crossing))
        self._threads.watch(self._clock(), self._counts)
        levels = self._levels()
        found += self._panel.take(self._edges(crossing))
        told = self._lines if not crossing.reports else ()
        quiet = [label for label in told if not self._reports.is_waiting(label)]
        if missed := self._panel.missed(levels, self.delay_ns, quiet):
            says = text("missed a report of {lines}: {why}")
            says = says.format(lines=joined(map(line_says, missed)), why=self._cause())
            fault = SourceFault(self.name, says, levels.t_ns, lines=tuple(missed))
            crossing.renew()
            found += [fault, *self._panel.again(levels, self._edges(crossing), quiet)]
        if found:
            self._waiting += found
            os.eventfd_write(crossing.wake, 1)

    def close(self) -> None:
        """Give the lines back; may be called again."""
        for device in self._devices.values():
            with contextlib.suppress(Exception):  # lgpio: see `_claim`; the factory gives the line back all the same
                device.close()
        self._devices.clear()
        if self.pins is not None:
            self.pins.close()
        self.pins = None
        if self._crossing is not None:
            self._crossing.close()
        self._crossing = None
        self._threads.close()
        self._waiting = []
        self._panel.is_started = False

    def _edges(self, crossing: _Crossing, *, hold: bool = True) -> list[RawEdge]:
        """Take what was reported, and what can be said of losses before it, where the factory is one that loses."""
        taken = self._as_merged(crossing.take())
        if self.pins is None or not TIMINGS[self.pins.name].is_lossy:
            return [report.edge for report in taken]
        longest_ns = max((report.came_ns - report.edge.t_ns for report in taken), default=0)
        self._standstill.look(self._clock(), longest_ns, self.delay_ns)
        for report in taken:
            self._reports.put(report)
        edges = self._reports.give(self._clock() if hold else None)
        if suspects := self._reports.suspects - set(ROTARY):
            self._reports.losses.hear(0, sorted(suspects))
        self._reports.suspects.clear()
        return edges

    def _as_merged(self, taken: list[Report]) -> list[Report]:
        """Say of each edge how early it may have been, as interrupts may have been merged.

        What kept a report for so long that nothing was measured may have kept the interrupt's thread for as long: edges
        may be missing for as long as it was late.
        """
        now_ns = self._clock()
        for report in taken:
            self._counts[self._lines[report.edge.line]] += 1
        seen = {self._lines[report.edge.line] for report in taken}
        has_paused = any(now_ns - report.edge.t_ns > PAUSE_NS for report in taken)
        numbers = {line: self._counts[line] for line in seen}
        waits_ns, merged = self._threads.look(now_ns, numbers, has_paused=has_paused)
        is_kernels = self.pins is not None and self.pins.name == "lgpio"  # all others take the time themselves
        out: list[Report] = []
        for report in taken:
            line, age_ns = self._lines[report.edge.line], now_ns - report.edge.t_ns
            wait_ns = waits_ns[line] if age_ns <= PAUSE_NS else self._threads.unmeasured_ns
            is_merged = is_kernels and (merged is None or line in merged or age_ns > self.delay_ns)
            since_ns = report.edge.t_ns - wait_ns if is_merged else None
            lost_ns = report.edge.t_ns - age_ns if is_merged and age_ns > PAUSE_NS else None
            edge = report.edge._replace(since_ns=since_ns, wait_ns=wait_ns, lost_since_ns=lost_ns)
            out.append(report._replace(edge=edge))
        return out

    @staticmethod
    def _claim(number: int, label: str, crossing: _Crossing, pins: OpenFactory) -> EdgeInput:
        """Claim a line. lgpio's thread may still hold it for some milliseconds after it was given back."""
        for _ in range(BUSY_TRIES):
            try:
                return EdgeInput(number, label, crossing.put, pin_factory=pins.factory)
            except Exception as error:
                if "busy" not in str(error):
                    raise
                time.sleep(BUSY_PAUSE_S)
        return EdgeInput(number, label, crossing.put, pin_factory=pins.factory)

    def _settle(self, factory: str) -> None:
        timing = TIMINGS[factory]
        delay_ns, error_ns = self._stated
        self.delay_ns = timing.delay_ns if delay_ns is None else delay_ns
        self.error_ns, self.certificate = with_certificate(
            timing.error_ns if error_ns is None else error_ns, f"{self.name}/{factory}", self._certified
        )
        self._merge_ns = merge_with(self._stated_merge_ns, f"{self.name}/{factory}", self._certified)
        self.remark = timing.remark

    def _levels(self) -> Found:
        now_ns = self._clock()
        return Found(now_ns, {label for label, device in self._devices.items() if device.is_active})

    def _failures(self, crossing: _Crossing) -> list[SourceEvent]:
        out: list[SourceEvent] = []
        while crossing.failures:
            says = text("a report could not be taken: {why}").format(why=crossing.failures.popleft())
            out.append(SourceFault(self.name, says, self._clock()))
        return out

    def _cause(self) -> str:
        if self.pins is not None and not self.pins.is_reporting():
            return "lgpio's thread has ended, all buttons are dead until the lines are opened again"
        return "it was lost on its way"
