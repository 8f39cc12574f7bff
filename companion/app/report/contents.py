"""What is in a report: its form, version 1, and reading it. Knows no file.

Nobody's name can be in it, because nothing is passed on that somebody could have named: every word is one of this
program's own, of a table of settings, or a fact of a machine's maker. A pod, a device, a match is counted. Where what
is read holds such words all the same (faults tell of pods by name), their number is given and not their text.
"""

from __future__ import annotations

import re

import msgspec

from companion.adapters.machine.facts import Facts
from companion.core.errors import Malformed
from companion.core.timing.histograms import BOUNDS_US, Histogram
from companion.core.timing.loop_errors import LineFigures
from companion.core.words.encoding import encode

NUMBERS = re.compile(r"\[([\s0-9,-]+)\]")
FORM = "table-companion report"
VERSION = 1


class Program(msgspec.Struct, frozen=True):
    """What runs. libraries: name to version, None where it is not installed."""

    version: str
    commit: str
    python: str
    libraries: dict[str, str | None]


class Display(msgspec.Struct, frozen=True):
    """The OLED, by the settings."""

    kind: str
    interface: str
    addresses: tuple[int, ...]
    rotate: int


class Build(msgspec.Struct, frozen=True):
    """What the settings say of the box. pins: what is connected to which GPIO. bounce_ms: of a seat that sets none."""

    source: str
    pins: dict[str, int]
    display: Display
    buzzer: str
    signals: str
    pods: bool
    scanner: str
    input_devices: bool
    pages: bool


class Certified(msgspec.Struct, frozen=True):
    """A certificate: what `companion certify` measured. date, expires: days. differs: what is not as it was then."""

    source: str
    date: str
    expires: str
    is_valid: bool
    differs: tuple[str, ...]
    worst_difference_ns: int
    lines: tuple[LineFigures, ...]


class Delay(msgspec.Struct, frozen=True):
    """How long devices of one model take from the press to the stamp, at most, by so many trials."""

    delay_us: int
    trials: int


class ButtonTimes(msgspec.Struct, frozen=True):
    """Of one button.

    button: its label. by: how it was read, where that is known. error_us: the widest ± of an edge. bounce: of closings.
    arrival: from an edge's stamp to the loop's look at the clock. gaps: between a closing's first edges. edges, merged:
    how many edges closings had, and how many of them interrupts were merged for.
    """

    button: str
    by: str
    error_us: float
    bounce: Histogram
    arrival: Histogram
    gaps: Histogram = Histogram()
    edges: int = 0
    merged: int = 0


class Times(msgspec.Struct, frozen=True):
    """All times. since_start, pictures: of the box that runs, or ran last. kept: of races whose evidence is there.

    steps_us: the bounds of all histograms. longest_wait_us: of an interrupt's thread, since the box's start; None where
    the machine does not tell.
    """

    since_start: tuple[ButtonTimes, ...]
    pictures: tuple[Histogram, ...]
    kept: tuple[ButtonTimes, ...]
    delays: tuple[Delay, ...]
    steps_us: tuple[int, ...] = BOUNDS_US
    longest_wait_us: float | None = None


class Pod(msgspec.Struct, frozen=True):
    """A pod, by its place in the list. Where a box runs its ports are taken: then it is not asked, and all is None."""

    lines: int | None = None
    firmware: str | None = None
    clock_us: float | None = None
    resets: int | None = None
    edges_lost: int | None = None


class Running(msgspec.Struct, frozen=True):
    """The box that runs, or ran last since the machine was switched on. sources: name, and whether it is well."""

    is_running: bool
    life: str
    sources: dict[str, bool]
    faults: int
    had_fault: bool
    recorded: bool


class Kept(msgspec.Struct, frozen=True):
    """What the state directory holds. unfinished: matches without an end. restarts: of the box within matches."""

    matches: int | None
    unfinished: int | None
    restarts: int | None
    evidence: int
    set_aside: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The whole. made: the day. damaged: what could not be read, and how."""

    form: str = FORM
    version: int = VERSION
    made: str
    program: Program
    machine: Facts
    build: Build | None
    running: Running | None
    certificates: tuple[Certified, ...]
    times: Times
    pods: tuple[Pod, ...]
    kept: Kept
    damaged: tuple[str, ...]


def dump_report(report: Report) -> bytes:
    """Give the file: JSON that a person can read too, a list of numbers on one line."""
    told = msgspec.json.format(encode(report), indent=1).decode()
    return NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", told).encode() + b"\n"


def read_report(content: bytes) -> Report:
    """Read a file. Raises Malformed where it is none, or another version's."""
    try:
        head = msgspec.json.decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"this is no report: {error}") from error
    if not isinstance(head, dict) or head.get("form") != FORM:
        raise Malformed(f'this is no report: it has no "form": "{FORM}"')
    if head.get("version") != VERSION:
        raise Malformed(f"a report of version {head.get('version')!r}; this program reads version {VERSION}")
    try:
        return msgspec.json.decode(content, type=Report)
    except msgspec.DecodeError as error:
        raise Malformed(f"this report is damaged: {error}") from error
