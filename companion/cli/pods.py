"""What `companion pods` does: list, measure, name, assign and install. Talks with pods through their port threads.

Functions write by `say` and wait by `clock` and a queue, so that tests can lead them; the commands, at the end, only
parse.
"""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.host_clocks.reading import read_clocks
from companion.adapters.pods.bootloaders import find_bootloaders
from companion.adapters.pods.port_thread import Opened, PortThread, Trouble
from companion.adapters.pods.ports import find_pods, open_port
from companion.adapters.pods.prompt import wait_for_prompt
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.pod_file import LABELS, PodEntry, pods_file, read_pods, write_pods
from companion.config.reading import state_directory
from companion.config.toml_file import did_you_mean
from companion.core.errors import Malformed, Unavailable
from companion.core.pods.link import LineEdge, LinkState, Met, Refused
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.adapters.pods.port_thread import PortEvent
    from companion.config.settings import Pods
    from companion.core.pods.messages import Identity

PROGRAM = Path(__file__).parents[2] / "firmware" / "pod"
PACKED = Path(__file__).parents[1] / "firmware" / "pod"
"""Where the pods' program lies in a checkout, and in an installed package."""
MEET_S = 5.0
MPREMOTE_S = 60.0
"""A file takes a second or two; mpremote itself waits for a silent pod without end."""
CAUSES = {0: "unknown", 1: "power", 2: "watchdog", 3: "asked for"}


@dataclass
class Present:
    """A port, and the pod at it if there is one; else what is wrong."""

    thread: PortThread
    identity: Identity | None = None
    trouble: str = ""

    @property
    def unique_id(self) -> str:
        """As the file of pods has it; empty where there is no pod."""
        return self.identity.unique_id.hex() if self.identity is not None else ""


class Bench:
    """The pods that are plugged in, open; to be used with `with`."""

    def __init__(self, ports: Iterable[Path]) -> None:
        self._events: queue.SimpleQueue[tuple[PortThread, PortEvent]] = queue.SimpleQueue()
        self.present = [Present(PortThread(port, self._put, read_clocks=read_clocks)) for port in ports]

    def __enter__(self) -> Bench:
        """Open all ports and wait until every pod has told who it is, or cannot."""
        for present in self.present:
            present.thread.start()
        until = time.monotonic() + MEET_S
        while any(not p.unique_id and not p.trouble for p in self.present) and time.monotonic() < until:
            self.next(until - time.monotonic())
        return self

    def __exit__(self, *_: object) -> None:
        """Close the ports."""
        for present in self.present:
            present.thread.stop()

    def _put(self, thread: PortThread, event: PortEvent) -> None:
        self._events.put((thread, event))

    def next(self, patience_s: float) -> tuple[Present, PortEvent] | None:
        """Wait for the next event; None where none came in time."""
        try:
            thread, event = self._events.get(timeout=max(patience_s, 0))
        except queue.Empty:
            return None
        present = next(p for p in self.present if p.thread is thread)
        match event:
            case Met(identity=identity) | Refused(identity=identity):
                present.identity, present.trouble = identity, ""
            case Trouble(text=text):
                present.trouble = text
            case Opened():
                present.trouble = ""
            case LineEdge(mark=mark):
                thread.acknowledge(mark)
        return present, event

    def pass_time(self, seconds: float) -> None:
        """Talk with the pods for so long."""
        until = time.monotonic() + seconds
        while (rest := until - time.monotonic()) > 0:
            self.next(rest)


def ports_of(chosen: Pods) -> list[Path]:
    """Give the ports to look at: the named ones, else those found. Raises Unavailable where there are none."""
    ports = [Path(port) for port in chosen.ports] or find_pods()
    if ports:
        return ports
    if loaders := find_bootloaders():
        raise Unavailable(f"no pod is plugged in, but {loaders[0].says}")
    raise Unavailable("no pod is plugged in: nothing under /dev/serial/by-id is a Pico with MicroPython")


def list_pods(chosen: Pods, file: Path, say: Callable[[str], None]) -> int:
    """Say of each port which pod is there and what `file` uses it for; give the exit status."""
    entries = read_pods(file)
    with Bench(ports_of(chosen)) as bench:
        bench.pass_time(0.5)
        for present in bench.present:
            for line in _described(present, entries.get(present.unique_id)):
                say(line)
        for line in _twins(bench.present):
            say(line)
        for loader in find_bootloaders():
            say(loader.says)
        plugged = {present.unique_id for present in bench.present}
    for unique_id, entry in entries.items():
        if unique_id not in plugged:
            say(f"{entry.name} ({unique_id}): not plugged in")
    return 0 if all(present.unique_id for present in bench.present) else 1


def _twins(plugged: Iterable[Present]) -> Iterator[str]:
    """Say which ports have pods of the same id: chips of one number, or one pod at two names."""
    ports: dict[str, list[str]] = {}
    for present in plugged:
        if present.unique_id:
            ports.setdefault(present.unique_id, []).append(str(present.thread.path))
    for unique_id, paths in ports.items():
        if len(paths) > 1:
            yield f"{' and '.join(paths)} both say they are pod {unique_id}: only the first is used; unplug one"


def _described(present: Present, entry: PodEntry | None) -> Iterator[str]:
    identity = present.identity
    if identity is None:
        yield present.trouble or f"{present.thread.path} does not answer"
        return
    name = entry.name if entry is not None else "not assigned"
    firmware = ".".join(map(str, identity.firmware))
    yield f"{name} ({present.unique_id}) at {present.thread.path}: {identity.lines} lines, firmware {firmware}"
    if present.thread.link.state is LinkState.REFUSED:
        yield f"  speaks only versions {identity.oldest} to {identity.newest} of the protocol: companion pods install"
    report = present.thread.link.report
    if report is not None:
        cause = CAUSES.get(report.cause, "unknown")
        yield f"  up {report.uptime_s} s, {report.resets} resets (last: {cause}), {report.overruns} edges lost"
    if entry is not None:
        yield f"  buttons: {', '.join(label or '-' for label in entry.labels)}"


def measure_pods(chosen: Pods, file: Path, seconds: float, say: Callable[[str], None]) -> int:
    """Say how well each pod's clock is known after `seconds`; 1 where a bound is wider than the settings allow."""
    entries = read_pods(file)
    is_good = True
    with Bench(ports_of(chosen)) as bench:
        bench.pass_time(seconds)
        for present in bench.present:
            link, entry = present.thread.link, entries.get(present.unique_id)
            bound_ns = link.bound_ns(time.monotonic_ns())
            name = entry.name if entry is not None else present.unique_id or str(present.thread.path)
            if bound_ns is None:
                say(f"{name}: {present.trouble or 'does not answer'}")
                is_good = False
                continue
            best_ns, drift_ppb = link.mapping.best_round_trip_ns or 0, link.mapping.drift_ppb
            drift = "not known yet" if drift_ppb is None else f"{drift_ppb / 1000:+.1f} ppm"
            say(
                f"{name}: bound {bound_ns / MS:.2f} ms, best round trip {best_ns / MS:.2f} ms of "
                f"{link.mapping.round_trips}, drift {drift}, {link.edges / seconds:.1f} edges/s, "
                f"{link.dropped_frames} frames garbled"
            )
            if link.is_doubted:
                say("  its times contradict each other: its clock jumps, its rate is wrong, or it dates edges wrongly")
                is_good = False
            if bound_ns > chosen.max_bound_ns:
                say(f"  wider than pods.max_bound_ms = {chosen.max_bound_ms}: its close calls are dead heats")
                is_good = False
    return 0 if is_good else 1


def name_pod(file: Path, which: str, name: str) -> str:
    """Give a pod of `file` another name; which: its present one, or its id. Raises Malformed, Unavailable."""
    entries = read_pods(file)
    unique_id = find_entry(entries, which)
    changed = {**entries, unique_id: replace(entries[unique_id], name=name)}
    save(file, changed)
    return f"{unique_id} is called {name}"


def find_entry(entries: dict[str, PodEntry], which: str) -> str:
    """Give the id of the pod of this name or id. Raises Malformed."""
    for unique_id, entry in entries.items():
        if which in (unique_id, entry.name):
            return unique_id
    names = [entry.name for entry in entries.values()]
    raise Malformed(f"no pod is called {which}; {did_you_mean(which, names)}" if names else "no pod is assigned yet")


def save(path: Path, entries: dict[str, PodEntry]) -> None:
    """Write the file, unless it could not be read again: nothing has changed then. Raises Malformed, Unavailable."""
    trial = path.with_suffix(".trial")
    try:
        trial.unlink(missing_ok=True)
        if path.exists():
            shutil.copyfile(path, trial)  # with people's comments, which stay
        write_pods(trial, entries)
        read_pods(trial)
        trial.replace(path)
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        trial.unlink(missing_ok=True)


def assign_pods(
    chosen: Pods, file: Path, labels: Iterable[str], say: Callable[[str], None], patience_s: float = 60.0
) -> int:
    """Ask for each button in turn and note in `file` which pod's line was pressed; give the exit status.

    A button that another label was given to before belongs to the new one from then on. Nobody pressing for
    `patience_s` ends it; what was assigned until then is kept. Raises Malformed for what is no button.
    """
    wanted = list(labels)
    for label in wanted:
        if label not in LABELS:
            raise Malformed(f"{label!r} is no button; {did_you_mean(label, LABELS)}")
    entries = read_pods(file)
    with Bench(ports_of(chosen)) as bench:
        for label in wanted:
            say(f"press the button that shall be {label}")
            pressed = _pressed(bench, patience_s)
            if pressed is None:
                say("nobody pressed: ended")
                return 1
            present, line = pressed
            entries = assigned(entries, present, line, label)
            save(file, entries)
            say(f"  {label}: line {line} of {entries[present.unique_id].name}")
    return 0


def _pressed(bench: Bench, patience_s: float) -> tuple[Present, int] | None:
    until = time.monotonic() + patience_s
    since_ns = time.monotonic_ns()
    while (rest := until - time.monotonic()) > 0:
        found = bench.next(rest)
        if found is None:
            continue
        present, edge = found
        if not isinstance(edge, LineEdge):
            continue
        if edge.active and edge.t_ns + edge.error_ns > since_ns:  # not what the pod had kept from before
            return present, edge.line
    return None


def assigned(entries: dict[str, PodEntry], present: Present, line: int, label: str) -> dict[str, PodEntry]:
    """Give the pods with a line of one of them being `label`; a label it had elsewhere on that pod is taken off."""
    unique_id = present.unique_id
    names = {other.name for other in entries.values()}
    fresh = next(name for number in range(1, len(names) + 2) if (name := f"pod-{number}") not in names)
    entry = entries.get(unique_id, PodEntry(fresh, ()))
    count = max(present.identity.lines if present.identity is not None else 0, line + 1, len(entry.labels))
    labels = [None if old == label else old for old in entry.labels] + [None] * (count - len(entry.labels))
    labels[line] = label
    return {**entries, unique_id: replace(entry, labels=tuple(labels))}


def install(chosen: Pods, port: str | None, pins: Path | None, say: Callable[[str], None]) -> int:
    """Copy the pods' program onto the pod at `port` (the only one, if None) by mpremote, and restart it.

    pins: a pod.json to copy too; without, the one on the pod stays. Raises Unavailable.
    """
    ports = [Path(port)] if port else ports_of(chosen)
    if len(ports) > 1:
        raise Unavailable(f"there are {len(ports)} pods: say which with --port ({', '.join(map(str, ports))})")
    open_port(ports[0]).close()  # what cannot be opened is said at once; only a pod that restarts is waited for
    folder = PACKED if PACKED.is_dir() else PROGRAM
    files = [*sorted(folder.glob("*.py")), *([pins] if pins is not None else [])]
    if to_prompt(ports[0]):
        say("the pod restarts without its program")
    wait_for_prompt(ports[0])
    targets = [f":{'pod.json' if file == pins else file.name}" for file in files]
    for file, target in zip(files, targets, strict=True):
        _mpremote(ports[0], "cp", str(file), target)
        say(f"  {target[1:]}")
    if pins is None and "pod.json" not in _mpremote(ports[0], "ls"):
        _mpremote(ports[0], "cp", str(folder / "pod.json"), ":pod.json")
        say("  pod.json (four buttons on GPIO 2 to 5; change it with --pins)")
    _mpremote(ports[0], "reset")
    say("installed; now: companion pods assign")
    return 0


def to_prompt(port: Path) -> bool:
    """Ask the pod's program, if one runs, to make way; tell whether it did."""
    with Bench([port]) as bench:
        (present,) = bench.present
        if present.identity is None:
            return False
        present.thread.to_repl()
        return True


def _mpremote(port: Path, *command: str) -> str:
    found = find_spec("mpremote")
    if found is None or found.origin is None:
        raise Unavailable("mpremote is missing: pip install 'table-companion[pods]'")
    program = [sys.executable, "-m", "mpremote", "connect", str(port), *command]
    # Where this program has its libraries in a folder of its own, as in the Debian package, Python must be told.
    env = {**os.environ, "PYTHONPATH": str(Path(found.origin).parents[1])}
    try:
        done = subprocess.run(  # noqa: S603 - our own words
            program, capture_output=True, text=True, check=False, env=env, timeout=MPREMOTE_S
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(
            f"mpremote {command[0]} has not ended after {MPREMOTE_S:.0f} s at {port}: unplug the pod, plug it in again "
            "and install once more"
        ) from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(f"mpremote {command[0]} failed at {port}: {said[-1] if said else 'it does not say why'}")
    return done.stdout


# -- the commands ------------------------------------------------------------------------------------------------------


def _chosen(config_file: Path | None, state_dir: str | None) -> tuple[Pods, Path]:
    """Give the settings of the pods, and the file that says which line is which button."""
    settings = read_settings(config_file, state_dir=state_dir)
    return settings.pods, pods_file(settings.pods, state_directory(settings.box))


@click.group("pods")
def command() -> None:
    """Button pods: what is plugged in, how well its clock is known, which line is which button."""


@command.command("list")
@config_option
@state_dir_option
def _list(config_file: Path | None, state_dir: str | None) -> int:
    """List the pods and what they are used for."""
    return list_pods(*_chosen(config_file, state_dir), click.echo)


@command.command("measure")
@config_option
@state_dir_option
@click.option("--seconds", type=click.FloatRange(1, 3600), default=10.0, show_default=True, help="How long.")
def _measure(config_file: Path | None, state_dir: str | None, seconds: float) -> int:
    """Measure round trip, bound, drift and edge rate of each pod."""
    return measure_pods(*_chosen(config_file, state_dir), seconds, click.echo)


@command.command("name")
@config_option
@state_dir_option
@click.argument("pod")
@click.argument("name")
def _name(config_file: Path | None, state_dir: str | None, pod: str, name: str) -> None:
    """Call POD (its present name or its id) NAME."""
    _, file = _chosen(config_file, state_dir)
    click.echo(name_pod(file, pod, name))


@command.command("assign")
@config_option
@state_dir_option
@click.argument("buttons", nargs=-1)
def _assign(config_file: Path | None, state_dir: str | None, buttons: tuple[str, ...]) -> int:
    """Ask for each of BUTTONS ("red first" …; else all twenty) to be pressed, and note which line it is."""
    return assign_pods(*_chosen(config_file, state_dir), buttons or LABELS[:-1], click.echo)


@command.command("install")
@config_option
@click.option("--port", metavar="PATH", help="Where the pod is, if there are several.")
@click.option("--pins", metavar="FILE", type=click.Path(path_type=Path, exists=True), help="A pod.json to install too.")
def _install(config_file: Path | None, port: str | None, pins: Path | None) -> int:
    """Install or update the pod's program by mpremote."""
    return install(read_settings(config_file).pods, port, pins, click.echo)
