"""What `companion inputs` does: lists, assigns, forgets and measures. Writes by `say`, so that tests can lead it."""

from __future__ import annotations

import select
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.adapters.evdev.codes import name_of
from companion.adapters.evdev.identity import INPUT, SYS, nodes
from companion.adapters.evdev.source import EvdevSource
from companion.app.inputs.assigning import assign_key, forget_button, key_for
from companion.config.input_file import LABELS, MeasuredModel, read_inputs, write_inputs
from companion.config.toml_file import did_you_mean
from companion.core.errors import Malformed
from companion.core.timing.events import MS, SECOND, Edge
from companion.core.timing.input_delay import LEAST_TRIALS, delay_of, paired

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from companion.adapters.evdev.catching import Touched
    from companion.adapters.evdev.identity import Identity, Node
    from companion.config.input_file import Inputs
    from companion.ports import ButtonSource

PATIENCE_S = 30.0
RUNNING = "where the box is running it has them to itself: assign at the box then, by its knob"


@dataclass(frozen=True)
class Bench:
    """Where to look. file: of inputs. patience_s: how long a press is waited for."""

    file: Path
    say: Callable[[str], None]
    folder: Path = INPUT
    sys: Path = SYS
    patience_s: float = PATIENCE_S
    clock: Callable[[], float] = time.monotonic

    def nodes(self) -> list[Node]:
        """Give the event files that are there."""
        return nodes(self.folder, self.sys)

    def source(self) -> EvdevSource:
        """Give a source that hears everything and takes nothing, not opened."""
        return EvdevSource({}, folder=self.folder, sys=self.sys)


def list_inputs(bench: Bench) -> int:
    """List the devices that are there, and those that are assigned and are not. Gives the exit status."""
    inputs, seen = read_inputs(bench.file), set()
    found: dict[str, Identity] = {}
    for node in bench.nodes():
        found.setdefault(node.identity.by_number or node.identity.by_port, node.identity)
    for identity in found.values():
        key = key_for(identity, (), inputs)
        seen.add(key)
        bench.say(f"{identity.title or 'a device without a name'}: {key}")
        _say_use(bench, inputs, key, identity.model)
    for key in sorted(inputs.devices.keys() - seen):
        bench.say(f"{inputs.devices[key].title}: {key}, not plugged in")
        _say_use(bench, inputs, key, "")
    for wire, label in inputs.lines.items():
        bench.say(f"{wire.source}: {wire.line} is {label}")
    if not found:
        bench.say(f"no input device is plugged in (looked in {bench.folder})")
    return 0


def _say_use(bench: Bench, inputs: Inputs, key: str, model: str) -> None:
    measured = inputs.models.get(model or " ".join(key.split()[:2]))
    delay = f"at most {measured.delay_us / 1000:.1f} ms" if measured is not None else "not known"
    entry = inputs.devices.get(key)
    if entry is None or not entry.keys:
        bench.say(f"    delay {delay}; no use")
        return
    keys = ", ".join(f"{code} is {label}" for code, label in entry.keys.items())
    bench.say(f"    {entry.name}: delay {delay}; {keys}")


def assign_inputs(bench: Bench, labels: Sequence[str]) -> int:
    """Ask for the key of each of `labels` to be pressed, and note which it is. Gives the exit status.

    Raises Malformed, Unavailable.
    """
    for label in labels:
        if label not in LABELS:
            raise Malformed(f"{label!r} is no button; {did_you_mean(label, LABELS)}")
    inputs = read_inputs(bench.file)
    source = bench.source()
    source.open()
    try:
        for label in labels:
            touched = _next_press(bench, source, label)
            if touched is None:
                bench.say(f"nothing was pressed in {bench.patience_s:g} s; {RUNNING}")
                return 1
            changed = assign_key(inputs, touched.identity, source.identities, name_of(touched.key), label)
            inputs = changed.inputs
            bench.say(f"    {changed.says}")
            write_inputs(bench.file, inputs)
    finally:
        source.close()
    return 0


def _next_press(bench: Bench, source: EvdevSource, label: str) -> Touched | None:
    caught: list[Touched] = []
    source.catcher.on_catch = caught.append
    source.arrange()
    bench.say(f"press what shall be {label}")
    until = bench.clock() + bench.patience_s
    while not caught and bench.clock() < until:
        _wait([source], 0.5)
        source.read()
    source.catcher.on_catch = None
    return caught[0] if caught else None


def forget_inputs(bench: Bench, labels: Iterable[str]) -> int:
    """Take everything away that was assigned to buttons. Gives the exit status. Raises Malformed."""
    inputs = read_inputs(bench.file)
    for label in labels:
        if label not in LABELS:
            raise Malformed(f"{label!r} is no button; {did_you_mean(label, LABELS)}")
        changed = forget_button(inputs, label)
        inputs = changed.inputs
        bench.say(changed.says)
    write_inputs(bench.file, inputs)
    return 0


def measure_input(bench: Bench, wired: ButtonSource, line: str, trials: int) -> int:
    """Measure how long a device takes, against a wired button that is pressed together with it.

    wired: not opened. line: its button. trials: how many pushes. Gives the exit status. Raises Unavailable.
    """
    source = bench.source()
    wired.open()
    try:
        source.open()
        touched, pushes = _pushed(bench, source, wired, line, trials)
    finally:
        source.close()
        wired.close()
    if not touched:
        bench.say(f"no press of an input device came; {RUNNING}")
        return 1
    identity = touched[0].identity
    stamps = [one.t_ns for one in touched if one.identity == identity]
    measured = delay_of(paired(pushes, stamps))
    if measured is None:
        bench.say(f"too few pushes pressed both (of {trials}; {LEAST_TRIALS} are needed): tape the two together")
        return 1
    polling_ns = next((one.polling_ns for one in bench.nodes() if one.identity == identity), None)
    bound_us = -(-measured.bound_ns(polling_ns) // 1000)
    asked = "nobody knows how often" if polling_ns is None else f"every {polling_ns / MS:g} ms"
    bench.say(
        f"{identity.title}: {measured.least_ns / MS:.1f} to {measured.worst_ns / MS:.1f} ms after the wire, "
        f"median {measured.median_ns / MS:.1f} ms, in {measured.trials} pushes; the machine asks it: {asked}"
    )
    bench.say(f"a press of a {identity.model} is taken to need at most {bound_us / 1000:.1f} ms")
    inputs = read_inputs(bench.file)
    kept = MeasuredModel(bound_us, measured.trials, datetime.now(UTC).date().isoformat())
    write_inputs(bench.file, replace(inputs, models={**inputs.models, identity.model: kept}))
    return 0


def _pushed(
    bench: Bench, source: EvdevSource, wired: ButtonSource, line: str, trials: int
) -> tuple[list[Touched], list[int]]:
    touched: list[Touched] = []
    pushes: list[int] = []
    source.catcher.on_stranger = touched.append
    source.check()
    bench.say(f"tape the device's button and {line} together, and press both with one push, {trials} times")
    until = bench.clock() + bench.patience_s
    while bench.clock() < until and (len(pushes) < trials or len(touched) < trials):
        _wait([source, wired], 0.2)
        source.read()
        for event in wired.read():
            is_push = isinstance(event, Edge) and event.line == line and event.active
            if is_push and isinstance(event, Edge) and (not pushes or event.t_ns - pushes[-1] > SECOND // 5):
                pushes.append(event.t_ns)
                until = bench.clock() + bench.patience_s
    return touched, pushes


def _wait(sources: Sequence[ButtonSource], seconds: float) -> None:
    select.select([source.fileno() for source in sources], [], [], seconds)
