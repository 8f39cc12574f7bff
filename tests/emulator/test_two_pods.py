"""Two emulated chips at once: one order of both in virtual time; in real time a box of both, unplugged and back."""

from __future__ import annotations

import itertools
import random

import pytest

from companion.core.pods.link import LineEdge, PodLink
from companion.core.record.lines import PressLine
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, Levels, Press
from tests.emulator.pods import VirtualPico, file_system
from tests.emulator.real_time import Box, RealTimePod

WEST, EAST = "e66138935f1a2b3c", "e66138935f4d5e6f"
LABELS = {WEST: ["red first", "yellow first"], EAST: ["green first", "blue first"]}
PINS = [2, 3]
ALL = [label for labels in LABELS.values() for label in labels]
SLICE_NS = MS // 2
"""How often the host looks at both."""
STARTS_NS = 700 * MS


class Table:
    """Two chips in virtual time on one host: a link for each, and one order of their presses."""

    def __init__(self, files) -> None:
        self.picos = {unique_id: VirtualPico(files, unique_id=unique_id) for unique_id in LABELS}
        self.links = {unique_id: PodLink(limit_ns=5 * MS) for unique_id in LABELS}
        self.plugged = set(LABELS)
        self.arbiter = Arbiter({label: LineTiming(bounce_ns=0) for label in ALL}, {"pods": 60 * MS})
        self.given: list[Press] = []
        self.truth: dict[str, int] = {}
        self.now_ns = STARTS_NS
        for unique_id, pico in self.picos.items():
            pico.advance(STARTS_NS)
            self.links[unique_id].reconnect(self.now_ns)
        self.arbiter.feed("pods", Levels(frozenset(), frozenset(ALL), self.now_ns))

    def close(self) -> None:
        for pico in self.picos.values():
            pico.close()

    def run(self, for_ns: int, presses: dict[str, int] | None = None) -> None:
        """Let time pass. presses: when each button is pressed, for 5 ms, from now."""
        edges: dict[str, list[tuple[int, int, int]]] = {unique_id: [] for unique_id in LABELS}
        for label, after_ns in (presses or {}).items():
            self.truth[label] = at_ns = self.now_ns + after_ns
            unique_id = next(one for one, labels in LABELS.items() if label in labels)
            pin = PINS[LABELS[unique_id].index(label)]
            edges[unique_id] += [(at_ns, pin, 0), (at_ns + 5 * MS, pin, 1)]
        until_ns = self.now_ns + for_ns
        while self.now_ns < until_ns:
            before_ns, self.now_ns = self.now_ns, self.now_ns + SLICE_NS
            for unique_id, pico in self.picos.items():
                self._talk(unique_id, pico, before_ns, edges.pop(unique_id, []))
            self.given += [event for event in self.arbiter.advance(self.now_ns) if isinstance(event, Press)]

    def _talk(self, unique_id: str, pico: VirtualPico, sent_ns: int, edges: list[tuple[int, int, int]]) -> None:
        link, is_plugged = self.links[unique_id], unique_id in self.plugged
        data = pico.advance(self.now_ns, usb=link.send(sent_ns) if is_plugged else b"", edges=edges)
        for event in [*link.receive(data if is_plugged else b"", self.now_ns), *link.advance(self.now_ns)]:
            if isinstance(event, LineEdge):
                link.acknowledge(event.mark)
                label = LABELS[unique_id][event.line]
                self.arbiter.feed("pods", Edge(label, event.active, event.t_ns, event.error_ns))

    def check(self) -> None:
        """Each press lies within its ± of the truth, and no two stand in the wrong order beyond theirs."""
        assert {press.line for press in self.given} == set(self.truth)
        for press in self.given:
            assert abs(press.t_ns - self.truth[press.line]) <= press.error_ns
        for one, other in itertools.combinations(self.given, 2):
            if self.truth[one.line] < self.truth[other.line]:
                assert one.t_ns - other.t_ns <= one.error_ns + other.error_ns


@pytest.fixture
def table(emulator, tmp_path):
    made = Table(file_system(tmp_path / "files.img", {"contact": "ground", "inputs": PINS}))
    yield made
    made.close()


def test_presses_of_two_chips_are_one_race(table):
    table.run(1200 * MS)
    assert {link.identity.unique_id.hex() for link in table.links.values()} == set(LABELS)
    chance = random.Random(7)
    for _ in range(6):
        table.given.clear()
        table.truth.clear()
        order = chance.sample(ALL, len(ALL))
        times = itertools.accumulate(chance.randint(4 * MS, 9 * MS) for _ in order)
        table.run(250 * MS, dict(zip(order, times, strict=True)))
        assert [press.line for press in table.given] == order, "4 ms are more than both their ±"
        table.check()


def test_closer_than_their_uncertainty_they_are_never_put_in_a_wrong_order_for_sure(table):
    table.run(1200 * MS)
    chance = random.Random(8)
    for _ in range(6):
        table.given.clear()
        table.truth.clear()
        table.run(250 * MS, {label: chance.randint(5 * MS, 8 * MS) for label in ALL})
        table.check()


def test_a_press_made_while_one_of_them_is_unplugged_keeps_its_time(table):
    table.run(1200 * MS)
    table.plugged.remove(WEST)
    table.run(400 * MS, {"red first": 20 * MS, "blue first": 60 * MS})
    assert [press.line for press in table.given] == ["blue first"]
    table.plugged.add(WEST)
    table.links[WEST].reconnect(table.now_ns)
    table.run(600 * MS)
    assert {press.line for press in table.given} == {"red first", "blue first"}
    table.check()


# -- in real time, at a whole box --------------------------------------------------------------------------------------


class Plugs:
    """Pods in real time at ports that keep their names, as udev's do."""

    def __init__(self, folder) -> None:
        self._folder = folder
        self._pods: dict[str, RealTimePod] = {}

    def plug_in(self, name: str, unique_id: str) -> RealTimePod:
        files = file_system(self._folder / f"{name}.img", {"contact": "ground", "inputs": PINS})
        pod = self._pods[name] = RealTimePod(files, unique_id)
        pod.wait()
        self.port(name).unlink(missing_ok=True)
        self.port(name).symlink_to(pod.port)
        return pod

    def unplug(self, name: str) -> None:
        self.port(name).unlink()
        self._pods.pop(name).close()

    def port(self, name: str):
        return self._folder / f"port-{name}"

    def close(self) -> None:
        for pod in self._pods.values():
            pod.close()


@pytest.fixture
def plugs(emulator, tmp_path):
    made = Plugs(tmp_path)
    yield made
    made.close()


def press(pod: RealTimePod, label: str) -> None:
    pod.press_pin(PINS[next(labels.index(label) for labels in LABELS.values() if label in labels)])


def presses_of(box: Box) -> list[str]:
    return [f"{line.colour} {line.role}" for line in box.record() if isinstance(line, PressLine)]


def test_two_chips_race_at_one_box_and_one_that_was_unplugged_races_on(plugs, tmp_path):
    west, east = plugs.plug_in("west", WEST), plugs.plug_in("east", EAST)
    box = Box(tmp_path, [str(plugs.port(name)) for name in ("west", "east")],
              {WEST: ("west", LABELS[WEST]), EAST: ("east", LABELS[EAST])}, window_s=3.0)  # fmt: skip
    try:
        box.wait_for("ready: pods")
        press(east, "green first")
        press(west, "red first")
        box.wait_for('"type":"judge"')
        plugs.unplug("east")
        box.wait_for("port-east has gone")
        press(west, "yellow first")
        box.wait_for('"type":"judge"', count=2)
        east = plugs.plug_in("east", EAST)
        box.wait_for("pod east is back")
        press(west, "red first")
        press(east, "blue first")
        box.wait_for('"type":"judge"', count=3)
    finally:
        box.stop()
    assert presses_of(box) == ["green first", "red first", "yellow first", "red first", "blue first"]


def test_two_chips_of_one_number_are_told_by_both_ports_and_the_first_is_used(plugs, tmp_path):
    pods = {name: plugs.plug_in(name, WEST) for name in ("one", "two")}
    box = Box(tmp_path, [str(plugs.port(name)) for name in pods], {WEST: ("west", LABELS[WEST])}, window_s=3.0)
    try:
        box.wait_for("both say they are pod west")
        first, second = sorted(pods, key=lambda name: box.said.index(f"port-{name}"))
        assert f"port-{first} is used, " in box.said
        press(pods[second], "yellow first")
        press(pods[first], "red first")
        box.wait_for('"type":"judge"')
        plugs.unplug(first)
        box.wait_for("pod west is back")
        press(pods[second], "yellow first")
        box.wait_for('"type":"judge"', count=2)
    finally:
        box.stop()
    assert presses_of(box) == ["red first", "yellow first"]
