"""`companion doctor`: looks at everything a box needs and says how to mend what is wrong.

Each check gives findings and never raises for what it finds. Knows Protocols and plain values, no adapter: `app` says
how the source and the display are made.

How a line's state is told, with nobody pressing for a second: *held* is active when the lines are opened and still
active at the end; *chattering* is more than 20 edges; *floating* is a few edges, which a line with a pull-up and an
open contact cannot have (a wire to nowhere that picks up the mains, or no pull-up). An unconnected line with a working
pull-up looks exactly like a button that nobody presses: `companion doctor --buttons` tells these apart.
"""

from __future__ import annotations

import errno
import os
import platform
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from companion.cli.button_trial import Ear, wait_readable
from companion.cli.findings.finding import Finding, Health
from companion.core.errors import CompanionError, Unavailable
from companion.core.record.seals import in_base64
from companion.core.timing.events import SECOND, Edge, Levels, SourceFault
from companion.files.aside import MARK

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from companion.core.timing.certificate import Weighed
    from companion.core.timing.events import SourceEvent
    from companion.ports import ButtonSource, Display

LISTEN_NS = SECOND
CHATTER_EDGES = 20
COARSEST_NS = 1000
"""A clock that ticks more coarsely than this is not good enough for close calls."""
TIGHT_BYTES = 50_000_000
"""Below this there is a warning; a match is about 100 kB."""
FULL_BYTES = 1_000_000
VOLATILE = ("tmpfs", "ramfs", "overlay")
"""File systems that a power cut empties (a read-only Pi keeps its writes in an overlay)."""
OLED_ADDRESSES = (0x3C, 0x3D)
NO_ANSWER = (errno.ENXIO, errno.EREMOTEIO, errno.ETIMEDOUT)
LIBRARIES = ("gpiod", "gpiozero", "lgpio", "luma.oled", "smbus2", "msgspec")


class I2cBus(Protocol):
    """As much of smbus2.SMBus as is needed."""

    def read_byte(self, i2c_addr: int, force: bool | None = None) -> int:
        """Read a byte of a chip's status. Raises OSError where none answers."""

    def close(self) -> None:
        """Give the bus back."""


class Closable(Protocol):
    """As much of an open serial port as is needed."""

    def close(self) -> None:
        """Give the port back."""


class Serial(NamedTuple):
    """What the settings say is at serial ports.

    ports: what is there, "pod" or "card scanner", and where. assigned: how many pods buttons are assigned to. loaders:
    what is to be said of each chip that shows its boot loader alone.
    """

    ports: tuple[tuple[str, Path], ...] = ()
    assigned: int = 0
    loaders: tuple[str, ...] = ()


def open_smbus(bus: int) -> I2cBus:
    """Open an I2C bus of this machine."""
    from smbus2 import SMBus

    opened: I2cBus = SMBus(bus)
    return opened


@dataclass(frozen=True)
class Box:
    """What is to be examined. None: this box has no such thing.

    lines: label to GPIO. i2c: bus and address of the display. find_serial: may raise CompanionError for a wrong file
    of pods or cards. open_port: raises Unavailable. games: that can be played. game_problems: why others cannot.
    find_key: gives the public key that records are sealed by, None before the first start; may raise CompanionError.
    find_files: gives the games' files that the settings name, "KEY=FILE"; raises CompanionError where one is no good.
    weigh: gives the certificate of an open source, None where there is none; may raise CompanionError.
    """

    lines: Mapping[str, int]
    make_source: Callable[[], ButtonSource] | None
    state_dir: Path
    displays: tuple[Display, ...] = ()
    i2c: tuple[int, int] | None = None
    find_serial: Callable[[], Serial] = Serial
    open_port: Callable[[Path], Closable] | None = None
    games: tuple[str, ...] = ()
    game_problems: Mapping[str, str] = field(default_factory=dict)
    find_files: Callable[[], tuple[str, ...]] | None = None
    weigh: Callable[[ButtonSource], Weighed | None] | None = None
    find_key: Callable[[], bytes | None] | None = None


@dataclass(frozen=True)
class Machine:
    """Where the doctor looks; tests give their own."""

    dev: Path = Path("/dev")
    sys: Path = Path("/sys")
    proc: Path = Path("/proc")
    open_bus: Callable[[int], I2cBus] = open_smbus
    clock: Callable[[], int] = time.monotonic_ns
    wait: Callable[[int, int], bool] = wait_readable
    resolution_ns: int = field(default_factory=lambda: round(time.get_clock_info("monotonic").resolution * SECOND))
    release: str = field(default_factory=platform.release)


def run_doctor(
    box: Box, say: Callable[[str], None], machine: Machine | None = None, others: Iterable[Finding] = ()
) -> int:
    """Check everything, print a line for each finding, and give the exit status: 1 where there is a fault.

    others: what was found of devices that are examined elsewhere.
    """
    machine = machine or Machine()
    findings = [*examine(box, machine), *others]
    width = max(len(finding.subject) for finding in findings)
    for finding in findings:
        say(f"{finding.health:<8} {finding.subject:<{width}}  {finding.text}")
        if finding.mend:
            say(f"{'':<8} {'':<{width}}  -> {finding.mend}")
    faults = sum(finding.health is Health.FAULT for finding in findings)
    warnings = sum(finding.health is Health.WARNING for finding in findings)
    say(f"{faults} faults, {warnings} warnings" if faults or warnings else "all is well")
    return 1 if faults else 0


def examine(box: Box, machine: Machine) -> Iterable[Finding]:
    """Do all checks, one after the other."""
    yield from check_versions(machine)
    yield from check_games(box.games, box.game_problems)
    if box.find_files is not None:
        yield check_files(box.find_files)
    yield from check_clock(machine)
    yield from check_permissions(machine, box.i2c, has_pins=box.make_source is not None)
    if box.make_source is not None:
        yield from check_lines(box.lines, box.make_source(), machine, box.weigh)
    if box.open_port is not None:
        yield from check_serial(box.find_serial, box.open_port)
    if box.i2c is not None:
        yield check_i2c(machine, *box.i2c)
    for number, display in enumerate(box.displays, start=1):
        yield check_display(display, "display" if number == 1 else f"display {number}")
    yield from check_state_dir(box.state_dir, machine)
    yield from check_asides(box.state_dir)
    if box.find_key is not None:
        yield check_key(box.find_key)


def check_versions(machine: Machine) -> Iterable[Finding]:
    """Check Python, the kernel and the libraries."""
    yield Finding(Health.OK, "python", platform.python_version() + f" ({sys.executable})")
    number = tuple(int(part) for part in machine.release.split("-")[0].split(".")[:2] if part.isdigit())
    if number < (5, 10):
        mend = "update the system (Raspberry Pi OS 12 or newer), or set the button source to gpiozero with RPi.GPIO"
        yield Finding(Health.FAULT, "kernel", f"{machine.release}: edges by libgpiod 2 need 5.10", mend)
    else:
        yield Finding(Health.OK, "kernel", machine.release)
    versions = {name: _version(name) for name in LIBRARIES}
    there = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    absent = [name for name, version in versions.items() if not version]
    if absent:
        mend = "pip install 'table-companion[pi]'"
        yield Finding(Health.WARNING, "libraries", f"{there}; not installed: {', '.join(absent)}", mend)
    else:
        yield Finding(Health.OK, "libraries", there)


def check_games(games: tuple[str, ...], problems: Mapping[str, str]) -> Iterable[Finding]:
    """Say which games there are, and which cannot be played: name to reason. The others are played all the same."""
    if games:
        yield Finding(Health.OK, "games", ", ".join(games))
    for name, why in problems.items():
        yield Finding(Health.WARNING, "games", f"{name}: {why}", "tell its author, or uninstall its package")


def check_files(find_files: Callable[[], tuple[str, ...]]) -> Finding:
    """Check what the settings have the game played by: with a file that is no good the box doesn't start."""
    try:
        files = find_files()
    except CompanionError as error:
        mend = "companion files check says all that is wrong with a file; companion files list says which there are"
        return Finding(Health.FAULT, "files", str(error).removeprefix("files: "), mend)
    return Finding(Health.OK, "files", ", ".join(files) or "the settings name none")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def check_clock(machine: Machine) -> Iterable[Finding]:
    """Check what CLOCK_MONOTONIC is made of and how finely it ticks."""
    path = machine.sys / "devices/system/clocksource/clocksource0/current_clocksource"
    try:
        source = path.read_text().strip()
    except OSError as error:
        yield Finding(Health.WARNING, "clock", f"its source is not told ({error.strerror})", f"look at {path}")
        return
    text = f"{source}, CLOCK_MONOTONIC ticks every {machine.resolution_ns} ns"
    if source == "jiffies" or machine.resolution_ns > COARSEST_NS:
        mend = "use a kernel with high-resolution timers; until then close calls are not to be believed"
        yield Finding(Health.FAULT, "clock", text, mend)
    else:
        yield Finding(Health.OK, "clock", text)


def check_permissions(machine: Machine, i2c: tuple[int, int] | None, *, has_pins: bool = True) -> Iterable[Finding]:
    """Check that the device files are there and may be used."""
    if has_pins:
        yield _check_device(sorted(machine.dev.glob("gpiochip*")), "gpio", "GPIO", "this machine has no GPIO chip")
    if i2c is not None:
        path = machine.dev / f"i2c-{i2c[0]}"
        mend = "switch I2C on: sudo companion boot-files, then restart"
        yield _check_device([path] if path.exists() else [], "i2c", "I2C", f"{path} is not there", mend)


def _check_device(
    paths: list[Path], group: str, what: str, absent: str, mend: str = "play with companion run --simulate"
) -> Finding:
    subject = f"{what} access"
    if not paths:
        return Finding(Health.FAULT, subject, absent, mend)
    denied = [str(path) for path in paths if not os.access(path, os.R_OK | os.W_OK)]
    if len(denied) == len(paths):
        join = f"sudo usermod -aG {group} $USER, then log in again"
        return Finding(Health.FAULT, subject, f"{', '.join(denied)} may not be read and written", join)
    return Finding(Health.OK, subject, ", ".join(str(path) for path in paths if str(path) not in denied))


def check_lines(
    lines: Mapping[str, int],
    source: ButtonSource,
    machine: Machine,
    weigh: Callable[[ButtonSource], Weighed | None] | None = None,
) -> Iterable[Finding]:
    """Open the button source and listen for a second during which nobody presses anything; weigh its certificate."""
    try:
        source.open()
    except Unavailable as error:
        yield Finding(Health.FAULT, "buttons", *_split(str(error)))
        return
    try:
        events = _listen(Ear(source, machine.clock, machine.wait))
        certificate = [] if weigh is None else [check_certificate(source, weigh)]
    finally:
        source.close()
    if source.remark:
        yield Finding(Health.WARNING, "buttons", source.remark, "install gpiod for the kernel's own time stamps")
    told = f"{source.name}: {len(lines)} lines, ± {source.error_ns / 1000:g} µs"
    yield Finding(Health.OK, "buttons", told)
    yield from certificate
    yield from judge_lines(lines, events)


def check_certificate(source: ButtonSource, weigh: Callable[[ButtonSource], Weighed | None]) -> Finding:
    """Say whether a certificate is valid for this source, which is open; without one a box plays all the same."""
    mend = "companion certify: a quarter of an hour, a wire and a resistor of 1 kΩ"
    try:
        found = weigh(source)
    except CompanionError as error:
        return Finding(Health.WARNING, "certificate", str(error), mend)
    if found is None:
        return Finding(Health.WARNING, "certificate", "this box is not certified", mend)
    if not found.is_valid:
        return Finding(Health.WARNING, "certificate", f"not valid: {'; '.join(found.faults)}", mend)
    certificate = found.certificate
    text = f"valid until {certificate.expires:%Y-%m-%d}, adds {certificate.worst_difference_ns / 1000:.1f} µs to each ±"
    return Finding(Health.OK, "certificate", text)


def _listen(ear: Ear) -> list[SourceEvent]:
    until_ns = ear.clock() + LISTEN_NS
    events: list[SourceEvent] = []
    while more := ear.listen(until_ns):
        events += more
    return events


def judge_lines(lines: Mapping[str, int], events: Iterable[SourceEvent]) -> Iterable[Finding]:
    """Tell held, floating and chattering lines from what came while nobody pressed."""
    edges = dict.fromkeys(lines, 0)
    active: set[str] = set()
    first: frozenset[str] = frozenset()
    for event in events:
        if isinstance(event, SourceFault):
            yield Finding(Health.FAULT, "buttons", event.text, "run companion doctor again; look at the wiring")
        elif isinstance(event, Levels):
            active, first = set(event.active), first or event.active
        elif isinstance(event, Edge) and event.line in edges:
            edges[event.line] += 1
            (active.add if event.active else active.discard)(event.line)
    well = True
    for label, number in lines.items():
        finding = _judge(f"GPIO {number}", label, edges[label], label in active and label in first)
        if finding is not None:
            well = False
            yield finding
    if well:
        yield Finding(Health.OK, "lines", "none is held, floating or chattering")


def _judge(where: str, label: str, edges: int, is_held: bool) -> Finding | None:
    if edges > CHATTER_EDGES:
        text = f"{where} chatters: {edges} edges in a second with nobody pressing"
        return Finding(Health.FAULT, label, text, "look for a loose wire or a broken switch, keep it away from mains")
    if edges:
        text = f"{where} floats: {edges} edges in a second with nobody pressing"
        return Finding(Health.FAULT, label, text, "check its ground wire; keep the wire short, or add 10 kΩ to 3.3 V")
    if is_held:
        text = f"{where} is held down"
        return Finding(Health.FAULT, label, text, "let it go; if nobody holds it: a jammed button or a short to ground")
    return None


def check_voice(voice: tuple[str, Callable[[], str]]) -> Finding:
    """Say by what the box speaks, or a seat hears; without it everything else goes on."""
    subject, look = voice
    try:
        return Finding(Health.OK, subject, look())
    except Unavailable as error:
        return Finding(Health.WARNING, subject, *_split(str(error)))


def check_serial(find: Callable[[], Serial], open_port: Callable[[Path], Closable]) -> Iterable[Finding]:
    """Open each port that the settings mean, and give it back: is it there, may it be used, does nobody hold it?"""
    try:
        ports, assigned, loaders = find()
    except CompanionError as error:
        yield Finding(Health.FAULT, "serial", *_split(str(error)))
        return
    first: dict[Path, str] = {}
    for subject, path in ports:
        if (real := path.resolve()) in first:
            text = f"{path} is the port of a {first[real]} already"
            yield Finding(Health.FAULT, subject, text, "give each its own: pods.ports, scanner.port")
        else:
            first[real] = subject
            yield _check_port(subject, path, open_port)
    yield from (Finding(Health.WARNING, "pods", told) for told in loaders)
    plugged = sum(subject == "pod" and path.exists() for path, subject in first.items())
    if assigned > plugged:
        text = f"{assigned} have buttons assigned, {plugged} are plugged in"
        yield Finding(Health.WARNING, "pods", text, "plug them in; one without its program: companion pods install")
    elif plugged > assigned:
        text = f"{plugged} are plugged in, {assigned} have buttons assigned"
        yield Finding(Health.WARNING, "pods", text, "say which button is which: companion pods assign")


def _check_port(subject: str, path: Path, open_port: Callable[[Path], Closable]) -> Finding:
    try:
        open_port(path).close()
    except Unavailable as error:
        return Finding(Health.FAULT, subject, *_split(str(error)))
    return Finding(Health.OK, subject, f"{path} can be opened")


def check_i2c(machine: Machine, bus: int, address: int) -> Finding:
    """Ask the display's chip for a byte at its address, and look where else a display could be."""
    subject = f"I2C {bus}"
    try:
        opened = machine.open_bus(bus)
    except OSError as error:
        mend = "switch I2C on (sudo companion boot-files) and join the group i2c (sudo usermod -aG i2c $USER)"
        return Finding(Health.FAULT, subject, f"cannot be opened: {error.strerror or error}", mend)
    try:
        if _answers(opened, address):
            return Finding(Health.OK, subject, f"a chip answers at {address:#04x}")
        elsewhere = [other for other in OLED_ADDRESSES if other != address and _answers(opened, other)]
    except OSError as error:
        mend = "check SDA (pin 3) and SCL (pin 5): one may be shorted to ground"
        return Finding(Health.FAULT, subject, f"the bus fails: {error.strerror or error}", mend)
    finally:
        opened.close()
    if elsewhere:
        text = f"nothing answers at {address:#04x}, but a chip does at {elsewhere[0]:#04x}"
        return Finding(Health.FAULT, subject, text, f"set the display's address to {elsewhere[0]:#04x}")
    text = f"nothing answers at {address:#04x}"
    return Finding(Health.FAULT, subject, text, "check the display's four wires: 3.3 V, ground, SDA pin 3, SCL pin 5")


def _answers(bus: I2cBus, address: int) -> bool:
    try:
        bus.read_byte(address)
    except OSError as error:
        if error.errno in NO_ANSWER:
            return False
        raise
    return True


def check_display(display: Display, subject: str) -> Finding:
    """Start a display as a match would."""
    try:
        display.open()
    except Unavailable as error:
        return Finding(Health.FAULT, subject, *_split(str(error)))
    display.close()
    return Finding(Health.OK, subject, f"{display.size[0]}×{display.size[1]} started")


def check_state_dir(state_dir: Path, machine: Machine) -> Iterable[Finding]:
    """Check that records can be kept: written, with room, and still there after a power cut."""
    subject = "state"
    try:
        state_dir.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=state_dir) as trial:
            trial.write(b"trial")
            trial.flush()
            os.fsync(trial.fileno())
        room = os.statvfs(state_dir)
    except OSError as error:
        mend = "make it writable for this user, or set another state directory; matches are not recorded until then"
        yield Finding(Health.FAULT, subject, f"{state_dir} cannot be written: {error.strerror or error}", mend)
        return
    free = room.f_bavail * room.f_frsize
    text = f"{state_dir} can be written, {free // 1_000_000} MB free"
    if free < TIGHT_BYTES:
        health = Health.FAULT if free < FULL_BYTES else Health.WARNING
        yield Finding(health, subject, text, "make room on the card: sudo apt clean; journalctl --vacuum-size=50M")
    else:
        yield Finding(Health.OK, subject, text)
    kind = file_system(state_dir, machine.proc)
    if kind in VOLATILE:
        mend = "set a state directory on the card or on a USB stick"
        yield Finding(Health.WARNING, subject, f"{state_dir} is on {kind}: a power cut empties it", mend)


def check_asides(state_dir: Path) -> Iterable[Finding]:
    """Say whether damaged files were set aside."""
    try:
        found = sorted(
            path.name for path in state_dir.iterdir() if MARK in path.name and path.suffix in (".sqlite", ".jsonl")
        )
    except OSError as error:
        yield Finding(Health.WARNING, "records", f"{state_dir} cannot be listed: {error.strerror or error}")
        return
    if found:
        text = f"{len(found)} damaged {'file was' if len(found) == 1 else 'files were'} set aside: {', '.join(found)}"
        mend = "companion doctor --repair gets back what can be read; then keep the file elsewhere, or delete it"
        yield Finding(Health.WARNING, "records", text, mend)


def check_key(find_key: Callable[[], bytes | None]) -> Finding:
    """Check that records can be sealed."""
    try:
        key = find_key()
    except CompanionError as error:
        return Finding(Health.WARNING, "seals", *_split(f"records are not sealed: {error}"))
    if key is None:
        return Finding(Health.OK, "seals", "the box makes its key at its first start")
    return Finding(Health.OK, "seals", f"records are sealed by the key {in_base64(key)}")


def file_system(path: Path, proc: Path = Path("/proc")) -> str | None:
    """Give the type of the file system that `path` is on, None where the system does not tell."""
    try:
        mounts = (proc / "self/mounts").read_text().splitlines()
    except OSError:
        return None
    at = path.resolve()
    found: tuple[int, str] | None = None
    for mount in mounts:
        _, point, kind, *_ = mount.split(" ")
        where = Path(point.replace("\\040", " "))
        if at.is_relative_to(where) and (found is None or len(where.parts) >= found[0]):
            found = (len(where.parts), kind)
    return found[1] if found else None


def _split(message: str) -> tuple[str, str]:
    """Split an error's text into what is wrong and how to mend it, at its last colon."""
    text, colon, mend = message.rpartition(": ")
    return (text, mend) if colon else (message, "")
