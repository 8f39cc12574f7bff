"""The command `companion event`: joins an event of many boxes, leaves it, and says how the box stands there.

The password is asked for, or read from standard input; never an argument, which anybody on the machine could read.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.service.status_file import runtime_directories
from companion.adapters.sqlite_journal import export_first_lines, export_lines
from companion.app.assembly import boot_id
from companion.app.event.joined import MOST_PASSWORD, Joined, forget_joined, joined_of, keep_joined
from companion.app.event.keeping import KeptFile
from companion.app.event.linking import broker_of
from companion.app.service import SERVICE_DIRECTORY
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.cli.status import look
from companion.config.reading import state_directory
from companion.core.errors import CompanionError, Malformed
from companion.screens.text.health import event_lines
from companion.tournament.wire import names_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.core.play.health import EventStatus

RESTART = "it holds from the box's next start: sudo systemctl restart companion"


@click.group("event", invoke_without_command=True)
@config_option
@state_dir_option
@click.pass_context
def command(context: click.Context, config_file: Path | None, state_dir: str | None) -> int:
    """An event of many boxes: how this one stands there; `join` and `leave` one."""
    if context.invoked_subcommand is not None:
        return 0
    settings = read_settings(config_file, state_dir=state_dir)
    folder = state_directory(settings.box)
    for line in told(joined_of(settings.event, folder), folder, _running(os.environ)):
        click.echo(line)
    return 0


@command.command("join")
@config_option
@state_dir_option
@click.argument("address")
@click.option("--event", required=True, help="The event's id, as the desk says it.")
@click.option("--box", required=True, help="This box's id there.")
@click.option("--ca", "ca_file", default="", help="Certificate authority of an mqtts:// broker; else the system's.")
@click.option("--certificate", default="", help="The box's own certificate, in the place of a password.")
@click.option("--key", default="", help="The private key of that certificate.")
def join(config_file: Path | None, state_dir: str | None, address: str, **given: str) -> int:
    """Join an event at the broker ADDRESS (mqtt://HOST or mqtts://HOST). Asks for the box's password."""
    settings = read_settings(config_file, state_dir=state_dir)
    paths = {name: str(Path(given[name]).absolute()) for name in ("ca_file", "certificate", "key") if given[name]}
    names_of(given["event"], given["box"])
    joined = Joined(address, given["event"], given["box"], **paths)
    broker_of(joined)
    if not joined.certificate:
        joined = Joined(address, given["event"], given["box"], password=_password(), **paths)
    keep_joined(state_directory(settings.box), joined)
    click.echo(f"joined {joined.event} as {joined.box} at {joined.broker}; {RESTART}")
    if settings.event.broker:
        click.echo("warning: the settings name an event too (event.broker), and go before this one")
    return 0


@command.command("leave")
@config_option
@state_dir_option
def leave(config_file: Path | None, state_dir: str | None) -> int:
    """Leave the event that was joined; its matches stay on the box, and are sent nowhere any more."""
    settings = read_settings(config_file, state_dir=state_dir)
    folder = state_directory(settings.box)
    if settings.event.broker:
        raise Malformed("the settings name the event: take [event] out of their file")
    joined = joined_of(settings.event, folder)
    if joined is None:
        click.echo("no event is joined")
        return 0
    for line in owed(joined, folder):
        click.echo(f"warning: {line}")
    forget_joined(folder)
    click.echo(f"left {joined.event}; {RESTART}")
    return 0


def told(joined: Joined | None, folder: Path, running: EventStatus | None) -> Iterator[str]:
    """Say how the box stands. running: as the running box says it, None where none runs at an event."""
    if joined is None:
        yield "no event is joined: companion event join ADDRESS --event ID --box ID"
        return
    yield f"joined: {joined.event} as {joined.box} at {joined.broker}"
    if running is not None:
        yield from event_lines(running)
        return
    yield "the box does not run at it"
    yield from owed(joined, folder)


def owed(joined: Joined, folder: Path) -> Iterator[str]:
    """Say of which matches the desk is not known to have all lines."""
    kept = KeptFile(folder, joined.event)
    for number, first in export_first_lines(folder).items():
        if kept.is_spared(first, 1 << 30):  # of this event
            lines = len(export_lines(folder, number))
            if kept.is_spared(first, lines):
                yield f"match {number} ({lines} lines) is not all at the desk"


def _running(environ: Mapping[str, str]) -> EventStatus | None:
    """Give how the running box says that it stands; None where none runs here."""
    try:
        seen = look(runtime_directories(environ, SERVICE_DIRECTORY), boot_id(), time.monotonic_ns())
    except CompanionError:
        return None
    return seen.status.event if seen.is_well else None


def _password() -> str:
    """Ask for it where somebody sits there, else read a line; empty for none. Raises Malformed."""
    if sys.stdin.isatty():
        found: str = click.prompt("Password of the box", hide_input=True, default="", show_default=False)
    else:
        found = sys.stdin.readline(MOST_PASSWORD + 2).removesuffix("\n")
    if len(found) > MOST_PASSWORD or not (found.isprintable() or not found):
        raise Malformed(f"a password is one line of at most {MOST_PASSWORD} characters that can be shown")
    return found
