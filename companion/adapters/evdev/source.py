"""All assigned input devices as one `ButtonSource`: USB and Bluetooth switches, pedals, game pads, keyboards.

No thread: the kernel stamps and queues, and the event loop reads. One epoll descriptor stands for all event files and
for the watch over their folder, so that a device is taken in, and let go, whenever it is plugged in or pulled. A device
that is not there keeps no box from starting. Knows no game.

Lines are named after the button and the device, "red first (pad)": each device's contact is its own, and a press by
either counts.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evdev.assigned import Lines, Ours, use_of
from companion.adapters.evdev.catching import Catcher
from companion.adapters.evdev.identity import INPUT, SYS
from companion.adapters.evdev.instants import instants_of
from companion.adapters.evdev.plugged import JOIN, MISSING, Plugged
from companion.adapters.evdev.ready import Ready
from companion.core.errors import Unavailable
from companion.core.timing.events import MS, Edge, Levels, SourceFault
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from companion.adapters.evdev.assigned import Assigned
    from companion.adapters.evdev.device import Device
    from companion.adapters.evdev.identity import Identity, Node
    from companion.adapters.evdev.instants import Instants
    from companion.core.timing.events import SourceEvent

NAME = "evdev"
"""The source's name, which its faults bear."""
UNKNOWN = text("{devices}: delay not known, so no order within {most} is certain (companion inputs measure)")
LOST = text("{device} lost edges: it sent more than the kernel keeps")
DENIED = text("{device} may not be read at {path}: {mend}")
GONE = text("{device} has gone: its buttons are dead until it is plugged in again")
BACK = text("{device} is back")


class Times(NamedTuple):
    """What is stated of devices. delay_ns: the worst from a stamp to its being read. unknown_ns: the most that a device
    may take that was not measured. press_percent: how far from rest a stick or a trigger is a press."""

    delay_ns: int = 30 * MS
    unknown_ns: int = 500 * MS
    press_percent: int = 60


class EvdevSource:
    """A `ButtonSource` of input devices.

    assigned: what each is used for, by one of `Identity.keys`; Malformed is raised for a key that cannot be. folder,
    sys: where the kernel's files are. wants: tells which devices are not somebody else's (a card scanner's).
    """

    name = NAME
    certificate: str | None = None
    is_gone = False

    def __init__(
        self,
        assigned: Mapping[str, Assigned],
        times: Times | None = None,
        *,
        folder: Path = INPUT,
        sys: Path = SYS,
        clock: Callable[[], int] = time.monotonic_ns,
        wants: Callable[[Node], bool] = lambda _: True,
    ) -> None:
        self.catcher = Catcher()
        """Who wants to know which key is pressed next; `arrange` after a change."""
        self._times, self._clock = times or Times(), clock
        self._uses = {key: Lines(use) for key, use in assigned.items()}
        self._plugged = Plugged(folder, sys, self._times.press_percent)
        self._ours = Ours(wants)
        self._ready: Ready | None = None
        self._news: list[SourceEvent] = []
        self._lost: set[str] = set()  # names of devices that went
        self._said: set[str] = set()  # what cannot be had, told once

    # -- what it states ----------------------------------------------------------------------------------------------

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines of all devices, plugged in or not."""
        return tuple(sorted(line for use in self._uses.values() for line in use.assigned.lines))

    @property
    def identities(self) -> tuple[Identity, ...]:
        """The devices that are open."""
        return tuple(device.node.identity for device in self._plugged.devices)

    @property
    def delay_ns(self) -> int:
        """From the instant that an edge is given, which lies before its stamp."""
        return self._times.delay_ns + max((one.before_ns for one in self._instants()), default=0)

    @property
    def error_ns(self) -> int:
        """Of the best device that is there; where none is, of one that was not measured."""
        return min((one.error_ns for one in self._instants()), default=self._times.unknown_ns)

    @property
    def remark(self) -> str | None:
        """Name the devices whose delay is not known."""
        names = sorted({use.assigned.name for use in self._uses.values() if use.assigned.delay_ns is None})
        if not names:
            return None
        return UNKNOWN.format(devices=joined(names), most=f"{self._times.unknown_ns // MS} ms")

    @property
    def given_until_ns(self) -> int | None:
        """Everything that was there at the last reading was given, unless a device sends faster than can be read."""
        behind = [
            self._instants_of(device).of(device.decoder.stamp_ns) - 1
            for device in self._plugged.devices
            if device.has_more and device.decoder.stamp_ns is not None
        ]
        return min(behind, default=None)

    # -- life --------------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Take all assigned devices that are there, and watch for others.

        Raises:
            Unavailable: open already; or the system has no place for input devices.
        """
        if self._ready is not None:
            raise Unavailable("the input devices are already open: close them first")
        self._ready = Ready(self._plugged.folder)
        self._look()
        now_ns = self._clock()
        faults = [event._replace(t_ns=now_ns) for event in self._news if isinstance(event, SourceFault)]
        earliest_ns = min((one.of(now_ns) for one in self._instants()), default=now_ns)
        self._news = [_levels(self._uses.values(), earliest_ns), *faults]
        self._ready.signal()

    def fileno(self) -> int:
        """Give the descriptor to watch. Raises Unavailable while closed."""
        if self._ready is None:
            raise Unavailable("the input devices are not open: open them first")
        return self._ready.fileno()

    def use(self, assigned: Mapping[str, Assigned]) -> None:
        """Use devices so from now on; how each line is then is told by the next `read`. Raises Malformed."""
        before, self._uses = self.lines, {key: Lines(use) for key, use in assigned.items()}
        now_ns = self._clock()
        self._news.append(Levels(frozenset(), frozenset(before) - frozenset(self.lines), now_ns))
        for device in self._plugged.devices:
            if (use := self._use_of(device)) is not None:
                use.restate(device.node.path, device.decoder.active)
                self._news.append(_levels([use], self._instants_of(device).of(now_ns)))
        if self._ready is not None:
            self._look()

    def welcome(self, titles: frozenset[str]) -> None:
        """Open devices that call themselves so, before they have a use: somebody has brought them."""
        if titles != self._ours.titles:
            self._ours.titles = titles
            if self._ready is not None:
                self._look()

    def close(self) -> None:
        """Let go of all devices; may be called again."""
        for device in self._plugged.devices:
            self._plugged.drop(device)
        self._news = []
        self._uses = {key: Lines(use.assigned) for key, use in self._uses.items()}
        if self._ready is not None:
            self._ready.close()
            self._ready = None

    # -- events ------------------------------------------------------------------------------------------------------

    def read(self) -> list[SourceEvent]:
        """Give what has happened since the last call, sorted by time; nothing while closed."""
        if self._ready is None:
            return []
        has_changed = self._ready.take()
        edges = [event for device in self._plugged.devices for event in self._read(device)]
        if has_changed:
            self._look()
        events, self._news = self._news + edges, []
        return sorted(events, key=lambda event: event.t_ns)

    def check(self) -> None:
        """Try again what could not be opened, or not be had alone."""
        if self._ready is None:
            return
        if self._plugged.denied or (self.catcher.hears_strangers and not self._ours.hears_strangers):
            self._ours.hears_strangers = self._ours.hears_strangers or self.catcher.hears_strangers
            self._look()
        self.arrange()

    def arrange(self) -> None:
        """Have of each device what it is used for, and no more: all of it while a press is to be caught."""
        is_open_to_all = self.catcher.on_catch is not None
        if is_open_to_all and not self._ours.hears_strangers and self._ready is not None:
            self._ours.hears_strangers = True
            self._look()
            return
        for device in self._plugged.devices:
            use = self._use_of(device)
            device.hear(None if is_open_to_all else use.axes if use is not None else ())
            if (fault := device.grab(use is not None)) is not None:
                self._tell(fault)
        if self._news and self._ready is not None:
            self._ready.signal()

    def _read(self, device: Device) -> list[SourceEvent]:
        try:
            out = self._told(device)
            return out + self._adrift(device) if device.decoder.is_adrift else out
        except OSError:
            self._drop(device)
            return []

    def _told(self, device: Device) -> list[SourceEvent]:
        use, instants, node = self._use_of(device), self._instants_of(device), device.node
        heard = [
            edge
            for edge in device.read()
            if not self.catcher.takes(node.identity, edge, has_use=use is not None and use.has(edge.key))
        ]
        moved = use.feed(node.path, heard) if use is not None else []
        return [Edge(edge.line, edge.active, instants.of(edge.t_ns), instants.error_ns) for edge in moved]

    def _adrift(self, device: Device) -> list[SourceEvent]:
        """Edges were lost: say so, and how the device's lines are now."""
        keys, use, now_ns = device.restate(), self._use_of(device), self._clock()
        if use is None:
            return []
        use.restate(device.node.path, keys)
        name = use.assigned.name
        says = LOST.format(device=name)
        fault = SourceFault(NAME, says, now_ns, lines=tuple(sorted(use.assigned.lines)), about=name)
        return [fault, _levels([use], self._instants_of(device).of(now_ns))]

    # -- devices -----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Take in what is new, let go of what has gone, and say what cannot be had."""
        for device in self._plugged.vanished():
            self._drop(device)
        for device in self._plugged.look(partial(self._ours.has, uses=self._uses)):
            self._take_in(device)
        for path, identity in self._plugged.denied.items():
            if (use := use_of(identity, self._uses)) is not None:
                self._tell(DENIED.format(device=use.assigned.name, path=str(path), mend=JOIN))
        if self._plugged.is_without_library and self._uses:
            self._tell(MISSING)
        self.arrange()

    def _take_in(self, device: Device) -> None:
        if self._ready is not None:
            self._ready.add(device.fileno())
        if (use := self._use_of(device)) is None:
            return
        use.restate(device.node.path, device.decoder.active)
        now_ns, name = self._clock(), use.assigned.name
        self._news.append(_levels([use], self._instants_of(device).of(now_ns)))
        if name in self._lost:
            self._lost.remove(name)
            self._news.append(SourceFault(NAME, BACK.format(device=name), now_ns, about=name, is_over=True))

    def _drop(self, device: Device) -> None:
        """A device was pulled: what it held down is let go of."""
        if self._ready is not None:
            self._ready.remove(device.fileno())
        use, now_ns = self._use_of(device), self._clock()
        self._plugged.drop(device)
        if use is None:
            return
        use.restate(device.node.path, ())
        self._news.append(_levels([use], self._instants_of(device).of(now_ns)))
        name = use.assigned.name
        if name not in self._lost and not any(self._use_of(other) is use for other in self._plugged.devices):
            self._lost.add(name)
            self._news.append(SourceFault(NAME, GONE.format(device=name), now_ns, about=name))

    def _tell(self, says: str) -> None:
        if says not in self._said:
            self._said.add(says)
            self._news.append(SourceFault(NAME, says, self._clock(), about=says))

    def _use_of(self, device: Device) -> Lines | None:
        return use_of(device.node.identity, self._uses)

    def _instants(self) -> list[Instants]:
        return [self._instants_of(device) for device in self._plugged.devices if self._use_of(device) is not None]

    def _instants_of(self, device: Device) -> Instants:
        use = self._use_of(device)
        delay_ns = None if use is None else use.assigned.delay_ns
        return instants_of(device.node.polling_ns, delay_ns, self._times.unknown_ns)


def _levels(uses: Iterable[Lines], t_ns: int) -> Levels:
    """Give how lines are; t_ns: on the scale of their edges, which lie before their stamps."""
    every = list(uses)
    known = frozenset(line for use in every for line in use.assigned.lines)
    return Levels(frozenset(line for use in every for line in use.active), known, t_ns)
