"""`companion certify` on kernel lines: the loop tool plays the wire, and the certificate is held against its log.

gpio-sim has no wires. So a process watches the output's level and moves the line that the wire is on: tens of
microseconds later on this machine's emulator, where a wire takes none. What the certificate then says of the stamps is
the tool's lateness, and must be that; a line that is made later on purpose must be found to be later by as much.

Collected by `tests/hil/run` only (the name does not begin with test_), because it boots a virtual machine.
"""

import json
import re
import time
from collections.abc import Callable
from statistics import median_high, median_low
from typing import Any

from companion.core.timing.certificate import PULSES
from tests.hil.box import SETTINGS, Box
from tests.hil.errors import HilError
from tests.hil.expected import ERROR_NS
from tests.hil.guest import PROGRAM, SHARED, Chip, Guest, Process, Wire
from tests.hil.patterns import plan, press
from tests.hil.truth import Passed

OUTPUT = 18
LINES = {"red first": 4, "red second": 14, "blue first": 8}
LATE, LATE_US = "blue first", 3_000
"""The line that is made later than the others, and by how much."""
LOST_ONE_IN = 101


def settings(name: str, lines: dict[str, int]) -> str:
    """The settings of a box with these buttons, which keeps its state in the guest's memory."""
    pins = "".join(f'"{label}" = {gpio}\n' for label, gpio in lines.items())
    box = SETTINGS.replace("[box]\n", f'[box]\nstate_dir = "/run/{name}"\n')
    return f"{box}[pins]\nbuzzer = {OUTPUT}\n{pins}"


class Certifying:
    """`companion certify` in the guest, and whoever moves the wire."""

    def __init__(self, guest: Guest, name: str, source: str, lines: dict[str, int]) -> None:
        self.guest, self.name, self.lines = guest, name, lines
        self.config = f"{name}-certify.toml"
        (guest.scratch / self.config).write_text(settings(name, lines))
        self.source = source
        self._runs = 0

    def start(self) -> Process:
        self._runs += 1
        samples = ["--samples", str(SHARED / f"{self.name}.samples")]
        command = [PROGRAM, "certify", "--config", str(SHARED / self.config), "--source", self.source, *samples]
        return self.guest.start(f"{self.name}-certify{self._runs}", command)

    def follow(self, process: Process, at: Callable[[str], None]) -> int:
        """Calls `at` with each line that it says, as it says it; its exit status."""
        told = 0
        give_up = time.monotonic() + 400
        while True:
            status = self.guest.ask("wait", name=process.name, timeout=0.1)["status"]
            said = process.stdout().splitlines(keepends=True)
            for text in said[told:]:
                if text.endswith("\n"):
                    told += 1
                    at(text.rstrip("\n"))
            if status is not None:
                return int(status)
            if time.monotonic() > give_up:
                raise HilError(f"certify did not end\n{process.said()}")

    def samples(self) -> list[dict[str, Any]]:
        text = (self.guest.scratch / f"{self.name}.samples").read_text()
        return [json.loads(line) for line in text.splitlines()]

    def certificate(self) -> dict[str, Any]:
        printed = self.guest.run(["/bin/cat", f"/run/{self.name}/certificate.json"]).stdout
        return dict(json.loads(printed)["certificate"])

    def show(self) -> tuple[int, list[str]]:
        shown = self.guest.run(
            [PROGRAM, "certify", "--show", "--config", str(SHARED / self.config)], check=False
        )  # fmt: skip
        return shown.returncode, shown.stdout.splitlines()


def delay_of(line: str) -> int:
    return LATE_US if line == LATE else 0


class Person:
    """Puts the wire where it is asked for; leaves it on the first line at first, and pulls it once in the middle."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.asked = ""
        self.was_forgotten = self.was_pulled = False
        self.said: list[str] = []

    def hear(self, text: str) -> None:
        self.said.append(text)
        if asked := re.match(r"put the wire on (.+) \(GPIO", text):
            self.asked = asked[1]
            if self.asked == "red second" and not self.was_forgotten:
                self.was_forgotten = True  # the wire stays where it is
            else:
                self.move()
        elif "which is done: move the wire to red second" in text:
            self.move()
        elif text.startswith(f"  {LATE} answers") and not self.was_pulled:
            self.was_pulled = True
            time.sleep(1)
            self.wire.take_off()

    def move(self) -> None:
        self.wire.put_on(LINES[self.asked], delay_of(self.asked))


def stamps_that_are_outside(samples: list[dict[str, Any]], passed: list[Passed]) -> list[dict[str, Any]]:
    """The samples whose stamp is in the bracket of no edge that the loop tool made on that line."""
    return [
        sample
        for sample in samples
        if sample["t_ns"] is not None
        and not any(
            edge.gpio == LINES[sample["line"]] and edge.level == (not sample["active"]) and edge.holds(sample["t_ns"])
            for edge in passed
        )
    ]


def true_median(line: str, samples: list[dict[str, Any]], passed: list[Passed]) -> tuple[int, int]:
    """Between which the median lateness of a line's closings lies, by when the loop tool moved it and nothing else."""
    spans = []
    for sample in samples:
        if sample["line"] == line and sample["active"]:
            edge = next(edge for edge in passed if edge.gpio == LINES[line] and edge.holds(sample["t_ns"]))
            spans.append((edge.before_ns - sample["after_ns"], edge.after_ns - sample["before_ns"]))
    return median_low(low for low, _ in spans), median_high(high for _, high in spans)


def test_a_box_is_certified_by_a_wire_and_its_presses_carry_the_worst_difference(
    guest: Guest, chip: Chip, rng: Any, unique: str
) -> None:
    wire = guest.start_loop(f"{unique}-loop", chip, OUTPUT)
    certifying = Certifying(guest, unique, "gpiod", LINES)
    process, person = certifying.start(), Person(wire)
    status = certifying.follow(process, person.hear)
    passed = wire.changes()
    assert status == 0, process.said()

    # Who answered, what was not moved, and what came off.
    assert "  that is red first, which is done: move the wire to red second" in person.said
    assert f"  {LATE} stopped answering: the wire has come off; its pulses do not count" in person.said

    certificate, samples = certifying.certificate(), certifying.samples()
    lines = {line["line"]: line for line in certificate["lines"]}
    assert set(lines) == set(LINES)
    assert all((line["pulses"], line["lost"], line["spurious"]) == (PULSES, 0, 0) for line in lines.values())
    assert len(samples) == 2 * PULSES * len(LINES)

    # Every stamp is that of the edge which the loop tool made.
    assert stamps_that_are_outside(samples, passed) == []

    # Its figures are those of the edges that were made; the line that is later is found to be later.
    medians = {name: line["error"]["median_ns"] for name, line in lines.items()}
    for name, line in lines.items():
        low_ns, high_ns = true_median(name, samples, passed)
        assert low_ns - line["bracket_ns"] <= medians[name] <= high_ns + line["bracket_ns"], (
            low_ns,
            high_ns,
        )
        assert name == LATE or medians[LATE] - medians[name] > LATE_US * 1000 // 2, medians
    assert lines[LATE]["error"]["min_ns"] >= LATE_US * 1000 - lines[LATE]["bracket_ns"]
    assert certificate["late"] == LATE
    worst_ns = certificate["worst_difference_ns"]
    assert worst_ns >= lines[LATE]["most_ns"] - min(line["least_ns"] for line in lines.values())
    assert worst_ns >= LATE_US * 1000

    status, shown = certifying.show()
    assert status == 0
    assert shown[-1] == "valid"
    presses_of_a_certified_box(guest, chip, rng, unique, worst_ns)


def presses_of_a_certified_box(guest: Guest, chip: Chip, rng: Any, name: str, worst_ns: int) -> None:
    """The same state directory, a match, two presses: both carry what is stated and the worst difference."""
    box = Box(guest, name, settings=settings(name, LINES))
    box.start("gpiod", "--no-cards", seats=("red", "blue"))
    try:
        guest.play(
            plan([press(rng, LINES["red first"], 0, 80_000), press(rng, LINES["blue first"], 200_000, 80_000)]), chip
        )
        guest.rest(5)
    finally:
        box.stop()
    presses = [line for line in box.record() if line["type"] == "press"]
    errors = {line["colour"]: line["error_ns"] for line in presses}
    assert set(errors) == {"red", "blue"}
    assert set(errors.values()) == {ERROR_NS["gpiod"] + worst_ns}


def test_a_line_that_loses_edges_gets_a_certificate_that_says_so_and_is_not_valid(
    guest: Guest, chip: Chip, unique: str
) -> None:
    wire = guest.start_loop(f"{unique}-loop", chip, OUTPUT)
    certifying = Certifying(guest, unique, "gpiod", {"red first": 4})

    def hear(text: str) -> None:
        if text.startswith("put the wire on"):
            wire.put_on(4)
        elif "answers" in text:
            wire.lose(LOST_ONE_IN)

    process = certifying.start()
    assert certifying.follow(process, hear) == 1, process.said()
    wire.changes()
    (line,) = certifying.certificate()["lines"]
    # A change that is not passed on takes the one after it along, which then changes nothing; 5 of 600 are not.
    most = 2 * (2 * PULSES // LOST_ONE_IN)
    assert most // 3 <= line["lost"] <= most
    assert sum(sample["t_ns"] is None for sample in certifying.samples()) == line["lost"]
    status, said = certifying.show()
    assert status == 1
    assert said[-2:] == ["not valid:", f"  red first lost {line['lost']} edges"]
