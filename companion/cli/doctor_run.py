"""What `companion doctor` does: the parts that the settings name, handed to those who examine them."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import replace

from companion.adapters.certificate.files import PANEL
from companion.adapters.keys.ed25519 import check
from companion.adapters.service.status_file import runtime_directories
from companion.app.assembly import boot_id
from companion.app.boot_files.needs import wanted
from companion.app.certificate.loop import source_name
from companion.app.certificate.weighing import weigh_file
from companion.app.devices import make_displays, make_source
from companion.app.service import SERVICE_DIRECTORY
from companion.app.speech.examining import voices_to_look_at
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.input_file import inputs_file
from companion.config.reading import state_directory, usual_file
from companion.config.settings import Picture, Signals
from companion.core.errors import CompanionError, Unavailable
from companion.games import registry

if TYPE_CHECKING:
    from companion.app.speech.examining import Look
    from companion.cli.doctor import Serial
    from companion.cli.findings.finding import Finding
    from companion.config.groups.event import EventSettings
    from companion.config.pins import PinMap
    from companion.config.settings import Box, DisplaySettings, MatchSettings, Pods, Scanner, Source, Web
    from companion.ports import ButtonSource, Display


@click.command("doctor")
@config_option
@click.option("--buttons", is_flag=True, help="Ask for each button in turn; show its time stamp and bounce.")
@click.option("--display", is_flag=True, help="Find out which chip the display has: shows a picture, asks, sets it.")
@click.option("--repair", is_flag=True, help="Get back what can be read of matches in damaged databases.")
@state_dir_option
def command(config_file: Path | None, buttons: bool, display: bool, repair: bool, state_dir: str | None) -> int:
    """Check everything the box needs, and say how to mend what is wrong."""
    settings = read_settings(config_file, state_dir=state_dir)
    if repair:
        from companion.cli.mending.repair import run_repair

        return run_repair(state_directory(settings.box), click.echo)
    if display:
        return find_kind(settings.display, config_file or settings_to_write())
    fitted = Fitted(
        box=settings.box, source=settings.source, pins=settings.pins, display=settings.display, pods=settings.pods,
        scanner=settings.scanner, match=settings.match, picture=settings.picture, evdev=settings.evdev.enabled,
        voices=voices_to_look_at(settings.voice, settings.seats),
        signals=settings.signals, web=settings.web,
    )  # fmt: skip
    return doctor(fitted, buttons=buttons, event=settings.event)


@dataclass(frozen=True, kw_only=True)
class Fitted:
    """What the settings say of all that can be examined. evdev: input devices are read. web: None: left out."""

    box: Box
    source: Source
    pins: PinMap
    display: DisplaySettings
    pods: Pods
    scanner: Scanner
    match: MatchSettings
    picture: Picture = field(default_factory=Picture)
    signals: Signals = field(default_factory=Signals)
    web: Web | None = None
    evdev: bool = False
    voices: tuple[Look, ...] = ()


def doctor(fitted: Fitted, *, buttons: bool, event: EventSettings | None = None) -> int:
    """Examine the box, or with `buttons` ask for each button in turn; give the exit status, 1 where something is wrong.

    event: that the settings name, None: left out.

    Raises Unavailable where the buttons cannot be opened to be tried.
    """
    from companion.adapters.keys.box_key import BoxKey
    from companion.adapters.pods.ports import open_port
    from companion.cli.button_trial import Ear, try_buttons
    from companion.cli.doctor import Box as Examined
    from companion.cli.doctor import run_doctor
    from companion.cli.findings.event import check_event

    folder = state_directory(fitted.box)

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def source() -> ButtonSource:
        made = make_source(fitted.source, fitted.pins, folder)
        if made is None:
            raise Unavailable('source.kind = "none": this box reads no buttons')
        return made

    if buttons:
        ear = source()
        ear.open()
        try:
            return try_buttons(Ear(ear), list(fitted.pins.lines), say)
        finally:
            ear.close()
    display = fitted.display
    on_i2c = display.kind != "none" and display.interface == "i2c"
    examined = Examined(
        lines=fitted.pins.lines,
        make_source=source if fitted.source.kind != "none" else None,
        state_dir=folder,
        displays=tuple(make_displays(display, fitted.picture)),
        i2c=(display.i2c_bus, display.i2c_address) if on_i2c else None,
        find_serial=lambda: find_serial(fitted),
        open_port=open_port,
        games=registry.names(),
        game_problems=registry.problems(),
        find_files=lambda: find_files(fitted),
        weigh=lambda opened: weigh_file(folder / PANEL.certificate, fitted.pins.buttons, check, source_name(opened)),
        find_key=BoxKey(folder).look,
    )
    return run_doctor(examined, say, others=[*_others(fitted, folder), *check_event(event, folder)])


def _others(fitted: Fitted, folder: Path) -> list[Finding]:
    """Say how all is that a match can do without."""
    from companion.cli.doctor import check_voice
    from companion.cli.findings.boot_files import check_boot_files
    from companion.cli.findings.profiles import check_profiles
    from companion.cli.findings.scanner import check_scanner
    from companion.cli.findings.signals import check_signals
    from companion.cli.findings.web import check_web

    inputs = _inputs(fitted, folder) if fitted.evdev else ()
    needs = wanted(fitted.source, fitted.pins, fitted.display, fitted.signals)
    return [
        *check_boot_files(needs), *map(check_voice, fitted.voices), *inputs, *check_scanner(fitted.scanner),
        *check_signals(fitted.signals), *check_profiles(folder), *check_web(fitted.web),
    ]  # fmt: skip


def _inputs(fitted: Fitted, folder: Path) -> list[Finding]:
    """Say how each input device is."""
    from companion.app.inputs.examining import check_inputs
    from companion.cli.findings.finding import Finding, Health

    found = check_inputs(inputs_file(folder), fitted.scanner)
    return [Finding(Health(one.health), one.subject, one.text, one.mend) for one in found]


def find_kind(chosen: DisplaySettings, path: Path) -> int:
    """Have somebody say which chip the display has, and write it into the settings; 1 where it is none.

    Raises Unavailable: there is no display, it does not answer, a box draws on it, the settings cannot be written.
    """
    from companion.cli.mending.display_kind import ask_kind, candidates, keep_kind

    if chosen.kind == "none":
        raise Unavailable('display.kind = "none": this box has no display; set the one it has')
    if box_runs():
        raise Unavailable("the box runs and draws on the display: stop it first (sudo systemctl stop companion)")

    def make(kind: str) -> Display:
        (display,) = make_displays(replace(chosen, kind=kind), Picture())
        return display

    found = ask_kind(candidates(chosen.kind, chosen.interface), make, click.confirm, click.echo)
    if found is None:
        return 1
    if found == chosen.kind:
        click.echo(f"it is {found}, as the settings have it")
        return 0
    keep_kind(path, found)
    click.echo(f"it is {found}: {path} says so now")
    return 0


def settings_to_write() -> Path:
    """Give the file that settings are written to where none is named: the one that is read, else the user's own."""
    if (usual := usual_file()) is not None:
        return usual
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "table-companion" / "config.toml"


def box_runs() -> bool:
    """Tell whether a box runs on this machine."""
    from companion.cli.status import look

    try:
        return look(runtime_directories(os.environ, SERVICE_DIRECTORY), boot_id(), time.monotonic_ns()).is_alive
    except CompanionError:
        return False


def find_files(fitted: Fitted) -> tuple[str, ...]:
    """Say by which files the game of the settings is played. Raises Malformed, Unavailable for one that is no good."""
    from companion.app.storing.game_files import files_of

    named = files_of(fitted.box, fitted.match)
    return tuple(f"{fitted.match.game} is played by {key}={file.name}" for key, file in named.items())


def find_serial(fitted: Fitted) -> Serial:
    """Give what is meant to be at serial ports: the named ones, and what looks like a pod where none is named.

    Raises Malformed, Unavailable for a wrong file of pods or of cards, which would keep the box from starting.
    """
    from companion.adapters.pods.bootloaders import find_bootloaders
    from companion.adapters.pods.ports import find_pods
    from companion.app.scanner import load_deck
    from companion.cli.doctor import Serial
    from companion.config.pod_file import pods_file, read_pods

    ports: list[tuple[str, Path]] = []
    assigned = 0
    loaders: tuple[str, ...] = ()
    if fitted.pods.enabled:
        assigned = len(read_pods(pods_file(fitted.pods, state_directory(fitted.box))))
        ports += [("pod", port) for port in [*map(Path, fitted.pods.ports)] or find_pods()]
        loaders = tuple(loader.says for loader in find_bootloaders())
    if fitted.scanner.port:
        load_deck(fitted.scanner, fitted.match.game)
    if fitted.scanner.port and fitted.scanner.kind == "serial":
        ports.append(("card scanner", Path(fitted.scanner.port)))
    return Serial(tuple(ports), assigned, loaders)
