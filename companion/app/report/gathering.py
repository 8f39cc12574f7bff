"""Gathers what a report says, beside a box that runs or without one. Reads; what cannot be read is named and left out.

Part of `app`: it sees the settings, the state directory and the adapters. It passes on what `contents` allows.
"""

from __future__ import annotations

import platform
from dataclasses import KW_ONLY, dataclass, field
from datetime import date
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from companion.adapters.certificate.files import PANEL, PODS
from companion.adapters.evidence_files.reader import evidence_folder, find_evidence, stored_evidence
from companion.adapters.keys.ed25519 import check
from companion.adapters.machine.facts import facts
from companion.adapters.service.installed import program_commit, program_version
from companion.adapters.sqlite_journal import store
from companion.app.certificate.weighing import circumstances, own_key, weigh_file
from companion.app.report.contents import (
    Build,
    ButtonTimes,
    Certified,
    Delay,
    Display,
    Kept,
    Program,
    Report,
    Running,
    Times,
)
from companion.config.input_file import Inputs, inputs_file, read_inputs
from companion.core.errors import CompanionError, Malformed
from companion.core.evidence.keeping import StoredFile
from companion.core.evidence.written import EdgeSeen, Entry, checked_evidence
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH, label_of
from companion.core.timing.histograms import LinesTimes
from companion.files.aside import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.app.report.contents import Pod
    from companion.config.settings import Settings
    from companion.core.play.health import BoxStatus
    from companion.core.timing.certificate import Weighed
    from companion.core.timing.histograms import LineTimes

LIBRARIES = ("gpiod", "lgpio", "gpiozero", "luma.oled", "luma.core", "pillow", "smbus2", "evdev", "pyserial", "msgspec",
             "cryptography", "starlette", "uvicorn")  # fmt: skip
SOURCES = ("gpiod", "gpiozero", "pods", "evdev", "browser panels", "simulated panel", "script")
"""Names of sources that are this program's own words; another is "other"."""
NEWEST_EVIDENCE = 2_000
"""So many races at most are read again: an evening is some hundred."""
UNREADABLE = Kept(None, None, None, 0, 0)
Found = TypeVar("Found")


@dataclass(frozen=True)
class Seen:
    """What is there to be read. status: of the box, None where none ran. pods: who was asked. root: of the machine."""

    settings: Settings | None
    state: Path
    _: KW_ONLY
    status: BoxStatus | None = None
    is_running: bool = False
    pods: tuple[Pod, ...] = ()
    root: Path = Path("/")
    today: date = field(default_factory=date.today)
    damaged: tuple[str, ...] = ()


class Gathering:
    """Gathers, and notes what is damaged."""

    def __init__(self, seen: Seen) -> None:
        self._seen = seen
        self._damaged = list(seen.damaged)

    def report(self) -> Report:
        """Give the whole report."""
        seen, status = self._seen, self._seen.status
        settings = seen.settings
        kept_times = self._kept_times()
        certificates = [self._certificate(names.certificate) for names in (PANEL, PODS)]
        inputs = self._or("inputs.toml", partial(read_inputs, inputs_file(seen.state)), Inputs())
        return Report(
            made=seen.today.isoformat(),
            program=program(),
            machine=facts(seen.root),
            build=None if settings is None else build(settings),
            running=None if status is None else running(status, is_running=seen.is_running),
            certificates=tuple(one for one in certificates if one is not None),
            times=Times(
                since_start=() if status is None else button_times(("", one) for one in status.times),
                pictures=() if status is None else status.pictures,
                kept=kept_times,
                delays=tuple(Delay(model.delay_us, model.trials) for model in inputs.models.values()),
                longest_wait_us=None if status is None else longest_wait_us(status),
            ),
            pods=seen.pods,
            kept=self._kept(),
            damaged=tuple(self._damaged),
        )

    def _or(self, name: str, read: Callable[[], Found], otherwise: Found) -> Found:
        """Read a file; what is wrong with it is noted, by its kind alone: its text may hold what it was given."""
        try:
            return read()
        except Malformed:
            self._damaged.append(f"{name}: damaged")
        except (CompanionError, OSError):
            self._damaged.append(f"{name}: cannot be read")
        return otherwise

    def _certificate(self, name: str) -> Certified | None:
        settings = self._seen.settings
        pins = {} if settings is None or name == PODS.certificate else settings.pins.buttons
        weighed = self._or(name, lambda: weigh_file(self._seen.state / name, pins, check), None)
        return None if weighed is None else certified(weighed, own_key(self._seen.state))

    def _kept_times(self) -> tuple[ButtonTimes, ...]:
        folder, no_files, no_entries = evidence_folder(self._seen.state), list[StoredFile](), list[Entry]()
        stored = self._or("evidence", partial(stored_evidence, folder), no_files)
        newest = sorted(stored, key=lambda one: one.written_s)[-NEWEST_EVIDENCE:]
        found: dict[str, LinesTimes] = {}
        for one in newest:
            for entry in self._or(f"evidence {one.sha256[:8]}", partial(_evidence, folder, one.sha256), no_entries):
                if isinstance(entry, EdgeSeen):
                    times = found.setdefault(entry.source, LinesTimes())
                    times.see(entry.edge)
            for times in found.values():
                times.end()  # the next race may be of another day, and of another clock
        return button_times((own_word(source), one) for source, times in found.items() for one in times.values())

    def _kept(self) -> Kept:
        state = self._seen.state
        evidence = self._or("evidence", lambda: len(stored_evidence(evidence_folder(state))), 0)
        aside = self._or("state directory", lambda: sum(MARK in path.name for path in state.rglob("*")), 0)
        kept = Kept(0, 0, 0, 0, 0)
        if (state / store.FILE_NAME).exists():
            kept = self._or(store.FILE_NAME, lambda: matches(state), UNREADABLE)
        return Kept(kept.matches, kept.unfinished, kept.restarts, evidence, aside)


def _evidence(folder: Path, sha256: str) -> list[Entry]:
    return checked_evidence(find_evidence(folder, sha256) or b"", sha256)


def program() -> Program:
    """Say what runs."""
    versions = {name: _version(name) for name in LIBRARIES}
    return Program(program_version(), program_commit(), platform.python_version(), versions)


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def build(settings: Settings) -> Build:
    """Say how the box is built, in words of the settings that are chosen from a list, and numbers."""
    shown = settings.display
    second = settings.picture.second_address
    return Build(
        source=settings.source.kind,
        pins=dict(settings.pins.named),
        display=Display(shown.kind, shown.interface, (shown.i2c_address, *((second,) if second else ())), shown.rotate),
        buzzer=settings.buzzer.kind,
        signals=settings.signals.kind,
        pods=settings.pods.enabled,
        scanner=settings.scanner.kind if settings.scanner.port else "none",
        input_devices=settings.evdev.enabled,
        pages=settings.web.enabled,
    )


def running(status: BoxStatus, *, is_running: bool) -> Running:
    """Say how the box is. Faults tell of pods and files by name: they are counted."""
    return Running(
        is_running=is_running,
        life=status.life.value,
        sources={own_word(source.name): source.fault is None for source in status.sources},
        faults=len(status.faults),
        had_fault=status.last_fault is not None,
        recorded=status.recorded,
    )


def certified(weighed: Weighed, key: bytes | None) -> Certified:
    """Give what was measured, and what is not as it was then, without the numbers of either box."""
    one = weighed.certificate
    then = one.circumstances
    now = circumstances(then.source, key)
    differs = [name for name in ("box", "board", "serial", "kernel") if getattr(then, name) != getattr(now, name)]
    if weighed.faults and not differs:
        differs = ["its seal, its date or its lines"]
    return Certified(
        source=own_word(then.source),
        date=one.date.date().isoformat(),
        expires=one.expires.date().isoformat(),
        is_valid=weighed.is_valid,
        differs=tuple(differs),
        worst_difference_ns=one.worst_difference_ns,
        lines=tuple(line for line in one.lines if is_button(line.line)),
    )


def longest_wait_us(status: BoxStatus) -> float | None:
    """Return the longest wait of an interrupt's thread; None if no source knows it."""
    waits_ns = (source.longest_wait_ns for source in status.sources)
    return max((wait_ns / 1000 for wait_ns in waits_ns if wait_ns is not None), default=None)


def own_word(source: str) -> str:
    """Give a source's name where it is one of this program's words: "gpiozero/lgpio", "pods", "other"."""
    kind, _, how = source.partition("/")
    if kind not in SOURCES:
        return "other"
    return f"{kind}/{how}" if kind == "gpiozero" and how in {"lgpio", "rpigpio", "pigpio", "native"} else kind


def is_button(line: str) -> bool:
    """Tell whether a line is called by a label of the panel."""
    return line in BUTTON_BY_LABEL or line == KNOB_PUSH


def button_times(found: Iterable[tuple[str, LineTimes]]) -> tuple[ButtonTimes, ...]:
    """Give the times of lines that are buttons. Two lines of one button (two pods) are two entries."""
    return tuple(
        ButtonTimes(label, source, one.error_ns / 1000, one.bounce, one.arrival, one.gaps, one.edges, one.merged)
        for source, one in found
        if is_button(label := label_of(one.line))
    )


def matches(state: Path) -> Kept:
    """Count what is stored. Raises what reading a store does."""
    with store.reading(state) as database:
        rows = store.read_matches(database)
        restarts = sum(map(len, store.lines_with(database, (b'"type":"restart"',))))
    return Kept(len(rows), sum(not row.finished for row in rows), restarts, 0, 0)
