"""What `companion certify` does: opens what the settings name, keeps notes of a trial, writes the certificate."""

from __future__ import annotations

import platform
import random
import sys
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from companion.adapters.certificate import files
from companion.adapters.certificate.load import Load
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.adapters.service.installed import program_version
from companion.app.certificate.loop import make_loop, pods_name, source_name
from companion.app.certificate.weighing import circumstances, weigh_file
from companion.app.devices import make_displays, make_source
from companion.cli.button_trial import Ear
from companion.cli.certificate.trial import Trial, wait_precisely
from companion.cli.options import Number, config_option, read_settings, state_dir_option
from companion.config.pins import HEADER_PIN
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.timing.certificate import PULSES, VALID_DAYS, Circumstances, Strain, certify, samples, seal
from companion.core.timing.loop_errors import LineFigures
from companion.core.words.encoding import encode
from companion.screens.text.certificate import certificate_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.config.pins import PinMap
    from companion.config.settings import Pods, Source
    from companion.core.timing.loop_errors import Paired
    from companion.ports import ButtonSource, Display, Signer


class Notes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a trial has found so far, so that it can be stopped and gone on with."""

    circumstances: Circumstances
    lines: tuple[LineFigures, ...]
    strain: Strain = Strain()


@dataclass(frozen=True, kw_only=True)
class Bench:
    """What is tried, and where what is found is kept.

    names: of the files in `folder`. lines: the input of each, by label. source: not opened. name: says how the open
    source reads. chosen, gpio: what drives the wire. displays: not opened. samples: where these go; None: nowhere.
    """

    folder: Path
    names: files.Names
    lines: Mapping[str, int]
    source: ButtonSource | None
    name: Callable[[ButtonSource], str]
    chosen: Source
    gpio: int | None
    displays: Sequence[Display]
    samples: Path | None = None

    @property
    def certificate(self) -> Path:
        """Where the certificate is."""
        return self.folder / self.names.certificate

    @property
    def notes(self) -> Path:
        """Where the notes of a trial are."""
        return self.folder / self.names.notes


@click.command("certify")
@config_option
@click.option("--pods", is_flag=True, help="Try the buttons on pods instead of those on pins.")
@click.option("--source", metavar="KIND", help="How the buttons are read: auto, gpiod, gpiozero.")
@click.option("--show", is_flag=True, help="Only say what the certificate says, and whether it is valid.")
@click.option("--anew", is_flag=True, help="Begin with the first line, also where a trial was stopped.")
@click.option("--days", type=Number(1, 3650), default=VALID_DAYS, show_default=True, help="How long it is to be valid.")
@click.option(
    "--samples",
    "samples_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Also add every change of the wire and its stamp to a file, as JSON Lines.",
)
@state_dir_option
def command(
    config_file: Path | None,
    pods: bool,
    source: str | None,
    show: bool,
    anew: bool,
    days: int,
    samples_file: Path | None,
    state_dir: str | None,
) -> int:
    """Measure the time stamps of every button's line with a loop of wire, and seal what was found. The output that the
    pin map names for it drives a wire, through a resistor of 1 kΩ, that you move from line to line; the box must not be
    running.
    """
    settings = read_settings(config_file, state_dir=state_dir, source=source)
    folder = state_directory(settings.box)
    displays = make_displays(settings.display, settings.picture)
    if pods:
        bench = _pods_bench(folder, settings.source, settings.pins, settings.pods, displays, samples_file)
    else:
        bench = _panel_bench(folder, settings.source, settings.pins, displays, samples_file)
    return _show(bench) if show else _certify(bench, anew=anew, days=days)


def _panel_bench(
    folder: Path, source: Source, pins: PinMap, displays: Sequence[Display], samples_file: Path | None
) -> Bench:
    made = make_source(source, pins, folder)
    return Bench(
        folder=folder, names=files.PANEL, lines=pins.buttons, source=made, name=source_name, chosen=source,
        gpio=pins.loop_output, displays=displays, samples=samples_file,
    )  # fmt: skip


def _pods_bench(
    folder: Path, source: Source, pins: PinMap, pods: Pods, displays: Sequence[Display], samples_file: Path | None
) -> Bench:
    from companion.app.pods import assigned_pods, lines_of, make_pods_source

    assigned = assigned_pods(pods, folder)
    return Bench(
        folder=folder, names=files.PODS, lines=lines_of(assigned),
        source=make_pods_source(pods, assigned, is_required=True), name=lambda _: pods_name(assigned), chosen=source,
        gpio=pins.loop_output, displays=displays, samples=samples_file,
    )  # fmt: skip


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _show(bench: Bench) -> int:
    """Print the certificate; exit status 1 where there is none, or it is not valid."""
    found = weigh_file(bench.certificate, bench.lines, check)
    if found is None:
        _say("not certified: companion certify makes a certificate")
        return 1
    for text in certificate_lines(found):
        _say(text)
    return 0 if found.is_valid else 1


def _certify(bench: Bench, *, anew: bool, days: int) -> int:
    signer = _signer(bench.folder)
    if bench.source is None:
        raise Unavailable('source.kind = "none": this box reads no buttons on pins; --pods is for those on pods')
    if not bench.lines:
        raise Unavailable("no button is connected: there is nothing to certify")
    with closing(bench.source) as source:
        source.open()
        load = Load(bench.folder, _answering(bench.displays))
        here = Notes(circumstances(bench.name(source), signer.key), (), Strain(load.kinds))
        before = here if anew else _noted(bench, here)
        done = list(before.lines)
        with load:
            silent = _try(bench, source, before, done)
            if load.ended:
                raise Unavailable(
                    f"the machine was not kept busy to the end ({', '.join(load.ended)}): see that it works still, and"
                    " try again with companion certify --anew"
                )
        strain = _strain(source, before)
    if silent:
        _say(f"no certificate: {', '.join(silent)} did not answer. The others are noted; go on with companion certify")
        return 1
    _write(bench, done, here.circumstances, signer, days, strain)
    return _show(bench)


def _answering(displays: Iterable[Display]) -> list[Display]:
    """Return the displays that answer, closed again; say of the others that they are not measured with."""
    found: list[Display] = []
    for display in displays:
        try:
            display.open()
        except Unavailable as error:
            _say(f"{error}. The box is measured without it")
            continue
        display.close()
        found.append(display)
    return found


def _signer(folder: Path) -> Signer:
    """Open the key before the work. Raises Unavailable, Malformed."""
    folder.mkdir(parents=True, exist_ok=True)
    key = BoxKey(folder)
    key.prepare()
    return key.signer()


def _strain(source: ButtonSource, before: Notes) -> Strain:
    """Return the load, and the longest wait under it, in this trial and before it was stopped."""
    waits_ns = (getattr(source, "longest_wait_ns", None), before.strain.longest_wait_ns)
    longest_ns = max((wait_ns for wait_ns in waits_ns if wait_ns is not None), default=None)
    return before.strain._replace(longest_wait_ns=longest_ns)


def _try(bench: Bench, source: ButtonSource, before: Notes, done: list[LineFigures]) -> list[str]:
    """Try all lines that are not done, and add them; give those that never answered."""

    def note(lines: list[LineFigures]) -> None:
        files.write(bench.notes, encode(Notes(before.circumstances, tuple(lines), _strain(source, before))))

    def save(lines: list[LineFigures], line: str, paired: Paired) -> None:
        if bench.samples is not None:
            files.append(bench.samples, samples(line, paired))
        note(lines)

    with closing(make_loop(source, bench.chosen, bench.gpio)) as loop:
        loop.open()
        note(done)
        _introduce(bench.gpio or 0, done, before.strain.load)
        ear = Ear(source, wait=wait_precisely)
        trial = Trial(ear, loop, bench.lines, random.SystemRandom(), _say, save, done, PULSES, bench.names.where)
        try:
            return trial.run()
        except KeyboardInterrupt:
            _say(f"stopped; {len(done)} lines are noted, go on with companion certify")
            raise


def _introduce(gpio: int, done: list[LineFigures], load: Sequence[str]) -> None:
    _say(f"GPIO {gpio} (header pin {HEADER_PIN[gpio]}) drives the wire: begin it there, with a resistor of 1 kΩ in it.")
    _say("Take the buzzer off that pin if it is on it. Press no button while a line is tried. Ctrl-C stops.")
    if done:
        _say(f"Done before: {', '.join(line.line for line in done)} (--anew begins with the first)")
    _say(f"The machine is kept busy meanwhile, as in a game with phones: {', '.join(load)}.")
    _say(f"Each line gets {PULSES} pulses, about {PULSES * 55 // 1000} s.")


def _noted(bench: Bench, here: Notes) -> Notes:
    """Return the notes that an interrupted trial left, of lines that are still where they were; else these, of none."""
    data = files.read(bench.notes)
    if data is None:
        return here
    try:
        notes = msgspec.json.decode(data, type=Notes)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return here
    if (notes.circumstances, notes.strain.load) != (here.circumstances, here.strain.load):
        return here
    lines = tuple(line for line in notes.lines if bench.lines.get(line.line) == line.input)
    return msgspec.structs.replace(notes, lines=lines)


def _write(
    bench: Bench, lines: list[LineFigures], here: Circumstances, signer: Signer, days: int, strain: Strain
) -> None:  # fmt: skip
    software = f"table-companion {program_version()} on Python {platform.python_version()}"
    certificate = certify(lines, here, software, datetime.now(UTC), days, strain)
    files.write(bench.certificate, seal(certificate, signer.key, signer.sign))
    files.remove(bench.notes)
