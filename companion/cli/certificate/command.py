"""What `companion certify` does: opens what the settings name, keeps notes of a trial, writes the certificate."""

from __future__ import annotations

import platform
import random
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
import msgspec

from companion.adapters.certificate import files
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import check
from companion.adapters.service.installed import program_version
from companion.app.certificate.loop import make_loop, source_name
from companion.app.certificate.weighing import circumstances, weigh_file
from companion.app.devices import make_source
from companion.cli.button_trial import Ear
from companion.cli.certificate.trial import Trial, wait_precisely
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.pins import HEADER_PIN
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.timing.certificate import PULSES, VALID_DAYS, Circumstances, certify, samples, seal
from companion.core.timing.loop_errors import LineFigures
from companion.screens.text.certificate import certificate_lines

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.config.pins import PinMap
    from companion.config.settings import Source
    from companion.core.timing.loop_errors import Paired
    from companion.ports import ButtonSource, Signer


class Notes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a trial has found so far, so that it can be stopped and gone on with."""

    circumstances: Circumstances
    lines: tuple[LineFigures, ...]


class Wired(NamedTuple):
    """How the buttons are connected and read, where the certificate is kept, and where its samples go, if anywhere."""

    folder: Path
    source: Source
    pins: PinMap
    samples: Path | None


@click.command("certify")
@config_option
@click.option("--source", metavar="KIND", help="How the buttons are read: auto, gpiod, gpiozero.")
@click.option("--show", is_flag=True, help="Only say what the certificate says, and whether it is valid.")
@click.option("--anew", is_flag=True, help="Begin with the first line, also where a trial was stopped.")
@click.option(
    "--days", type=click.IntRange(1, 3650), default=VALID_DAYS, show_default=True, help="How long it is to be valid."
)
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
    wired = Wired(state_directory(settings.box), settings.source, settings.pins, samples_file)
    return _show(wired) if show else _certify(wired, anew=anew, days=days)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def _show(wired: Wired) -> int:
    """Print the certificate; exit status 1 where there is none, or it is not valid."""
    found = weigh_file(wired.folder, wired.pins.buttons, check)
    if found is None:
        _say("not certified: companion certify makes a certificate")
        return 1
    for text in certificate_lines(found):
        _say(text)
    return 0 if found.is_valid else 1


def _certify(wired: Wired, *, anew: bool, days: int) -> int:
    signer = _signer(wired.folder)
    source = make_source(wired.source, wired.pins, wired.folder)
    if source is None:
        raise Unavailable('source.kind = "none": this box reads no buttons')
    if not wired.pins.buttons:
        raise Unavailable("no button is connected to a pin: there is nothing to certify")
    with closing(source):
        source.open()
        here = circumstances(source_name(source), signer.key)
        done = [] if anew else _noted(wired.folder, here, wired.pins.buttons)
        trial, silent = _try(wired, source, here, done)
    if silent:
        _say(f"no certificate: {', '.join(silent)} did not answer. The others are noted; go on with companion certify")
        return 1
    _write(wired.folder, trial.done, here, signer, days)
    return _show(wired)


def _signer(folder: Path) -> Signer:
    """Open the key before the work. Raises Unavailable, Malformed."""
    folder.mkdir(parents=True, exist_ok=True)
    key = BoxKey(folder)
    key.prepare()
    return key.signer()


def _try(wired: Wired, source: ButtonSource, here: Circumstances, done: list[LineFigures]) -> tuple[Trial, list[str]]:
    """Try all lines that are not done; give the trial and the lines that never answered."""
    folder, gpio = wired.folder, wired.pins.loop_output

    def note(lines: list[LineFigures]) -> None:
        files.write(folder / files.NOTES, msgspec.json.encode(Notes(here, tuple(lines))))

    def save(lines: list[LineFigures], line: str, paired: Paired) -> None:
        if wired.samples is not None:
            files.append(wired.samples, samples(line, paired))
        note(lines)

    with closing(make_loop(source, wired.source, gpio)) as loop:
        loop.open()
        note(done)
        _introduce(gpio or 0, done)
        trial = Trial(
            Ear(source, wait=wait_precisely), loop, wired.pins.buttons, random.SystemRandom(), _say, save, done, PULSES
        )
        try:
            return trial, trial.run()
        except KeyboardInterrupt:
            _say(f"stopped; {len(done)} lines are noted, go on with companion certify")
            raise


def _introduce(gpio: int, done: list[LineFigures]) -> None:
    _say(f"GPIO {gpio} (header pin {HEADER_PIN[gpio]}) drives the wire: begin it there, with a resistor of 1 kΩ in it.")
    _say("Take the buzzer off that pin if it is on it. Press no button while a line is tried. Ctrl-C stops.")
    if done:
        _say(f"Done before: {', '.join(line.line for line in done)} (--anew begins with the first)")
    _say(f"Each line gets {PULSES} pulses, about {PULSES * 55 // 1000} s.")


def _noted(folder: Path, here: Circumstances, lines: Mapping[str, int]) -> list[LineFigures]:
    """Give the figures of a trial that was stopped, of lines that are still where they were then."""
    data = files.read(folder / files.NOTES)
    if data is None:
        return []
    try:
        notes = msgspec.json.decode(data, type=Notes)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    return [line for line in notes.lines if notes.circumstances == here and lines.get(line.line) == line.gpio]


def _write(folder: Path, lines: list[LineFigures], here: Circumstances, signer: Signer, days: int) -> None:
    software = f"table-companion {program_version()} on Python {platform.python_version()}"
    certificate = certify(lines, here, software, datetime.now(UTC), days)
    files.write(folder / files.CERTIFICATE, seal(certificate, signer.key, signer.sign))
    files.remove(folder / files.NOTES)
