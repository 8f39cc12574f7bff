"""The command line: which commands there are, and exit statuses. A command's arguments and what it does stand in a
module of its own, which is imported when it is called, so that the others start fast.

Exit statuses: 0 done; 1 failed, with one line on standard error; 2 called wrongly; 130 ended by Ctrl-C; 141 the reader
of the output has gone. A traceback never reaches the terminal: it is a bug, and is kept in a file to be reported.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from companion.core.errors import CompanionError
from companion.files.reading import shown

if TYPE_CHECKING:
    from collections.abc import Sequence


_WRONG_PATHS = frozenset({
    errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.ELOOP, errno.EACCES, errno.EPERM, errno.EROFS, errno.ENXIO,
})  # fmt: skip
"""What the system says of a path that is not to be used as it was given; it is no bug."""

FAILED, USAGE, INTERRUPTED, READER_GONE = 1, 2, 130, 141


class Registered(NamedTuple):
    """A command: what the list of commands says of it, the module it stands in, and its name there."""

    says: str
    module: str
    attribute: str = "command"


COMMANDS = {
    "boot-files": Registered(
        "Have the Pi give the box its pins: the display's bus at 400 kHz, no serial port where buttons are.",
        "companion.cli.boot_files.command",
    ),
    "calibrate": Registered(
        "Measure the allowance of a seat: COLOUR is its colour.",
        "companion.cli.calibration.command",
    ),
    "certify": Registered(
        "Measure the time stamps of every button's line with a loop of wire, and seal what was found.",
        "companion.cli.certificate.command",
    ),
    "config": Registered("Print all settings that hold, with a comment on each.", "companion.cli.configuration"),
    "deck": Registered("Cards for a scanner: labels to print, factory codes to enrol.", "companion.cli.deck"),
    "doctor": Registered(
        "Check everything the box needs, and say how to mend what is wrong.", "companion.cli.doctor_run"
    ),
    "encrypt": Registered(
        "Encrypt the pages by a certificate authority of this box's own.", "companion.cli.encryption.command"
    ),
    "event": Registered(
        "An event of many boxes: how this one stands there; `join` and `leave` one.", "companion.cli.event.command"
    ),
    "export": Registered("Print the record of a stored match.", "companion.cli.matches", "export_command"),
    "inputs": Registered(
        "USB switches, pedals, game pads, keyboards: what is plugged in, which key is which button, how long it takes.",
        "companion.cli.inputs.command",
    ),
    "follow": Registered(
        "Tell what happens at the table, a sentence a line, as it happens; Enter says how everything stands.",
        "companion.cli.reading.command",
    ),
    "key": Registered("Print the public key that this box seals by.", "companion.cli.proofs.verify", "key_command"),
    "matches": Registered("List the stored matches.", "companion.cli.matches"),
    "files": Registered(
        "Files that games ask for: what there is, and what is wrong with one.", "companion.cli.files.command"
    ),
    "people": Registered(
        "Players: names that stay, what they have played, and how to be rid of them.", "companion.cli.people.command"
    ),
    "pin": Registered("Print the referee's PIN.", "companion.cli.access.pin"),
    "pods": Registered(
        "Button pods: what is plugged in, how well its clock is known, which line is which button.",
        "companion.cli.pods",
    ),
    "profiles": Registered(
        "Profiles of players: how each plays, in a file or a code that goes with them.",
        "companion.cli.profiles.command",
    ),
    "ratings": Registered(
        "List the ratings of players from event to event, the best first.", "companion.cli.ratings.command"
    ),
    "replay": Registered("Judge the record of a match again; - reads standard input.", "companion.cli.replay"),
    "report": Registered(
        "Write one file to send back: what this box is, what it measures, and no names.",
        "companion.cli.report.command",
    ),
    "run": Registered("Referee a match.", "companion.cli.run"),
    "signals": Registered(
        "Try the lamps and motors of the seats, one by one, and the lamps in buttons.", "companion.cli.signals.command"
    ),
    "strip": Registered("Draw a race as a photo finish, from a record and its evidence.", "companion.cli.proof.strip"),
    "status": Registered(
        "Say how the box on this machine is: running, match, sources, faults.", "companion.cli.status"
    ),
    "tournament": Registered(
        "Run the desk of a tournament of many boxes, or hold a simulated one.",
        "companion.cli.tournament.command",
    ),
    "voice": Registered(
        "Say TEXT as the box would say it, to hear its voice or to choose one.", "companion.cli.speaking.command"
    ),
    "verify": Registered(
        "Say up to which line the seals of a record hold; - reads standard input.", "companion.cli.proofs.verify"
    ),
}

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status; arguments: None for those of the process."""
    _prepare_streams()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        _abandon_output()
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001  # the last line of defence: no traceback on a player's screen
        click.echo(f"companion: {_sentence(error)}", err=True)
        return FAILED
    return status


def _run(arguments: list[str]) -> int:
    try:
        with companion.make_context("companion", arguments) as context:
            status = companion.invoke(context)
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.Abort:
        raise KeyboardInterrupt from None
    except click.ClickException as error:
        error.show()
        return error.exit_code


def _sentence(error: Exception) -> str:
    """Say what went wrong; what was not foreseen is a bug."""
    if isinstance(error, CompanionError):
        return str(error)
    if isinstance(error, OSError) and error.errno == errno.ENOSPC and not error.filename:
        _abandon_output()
        return f"cannot write the output: {error.strerror}"
    if isinstance(error, OSError) and error.filename and error.errno in _WRONG_PATHS:
        return f"cannot use {shown(os.fsdecode(error.filename))}: {error.strerror or error}"
    if isinstance(error, ValueError) and "null byte" in str(error):
        return "a path that was given has a zero byte in it"
    return _bug(error)


def _bug(error: Exception) -> str:
    handle, path = tempfile.mkstemp(prefix="companion-", suffix=".traceback.txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        traceback.print_exception(error, file=file)
    return f"this is a bug: {type(error).__name__}: {error}; please report it with {path}"


def _prepare_streams() -> None:
    """Stand in for closed streams, and never fail for a character that the terminal does not have."""
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  # for the life of the process
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        if reconfigure := getattr(getattr(sys, name), "reconfigure", None):
            reconfigure(errors="backslashreplace")


def _abandon_output() -> None:
    """Send what is still buffered nowhere: the interpreter would complain about it when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from companion.adapters.service.installed import program_commit, program_version

        click.echo(f"companion {program_version()}, commit {program_commit()}")
        context.exit()


class Commands(click.Group):
    """Finds a command by its name when it is called; lists them all without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        """Give the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """Import a command; None where there is none of this name."""
        if (found := COMMANDS.get(cmd_name)) is None:
            return None
        command: click.Command = getattr(import_module(found.module), found.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """Write the list of commands for the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.says) for name, command in COMMANDS.items()])


@click.group(cls=Commands, context_settings=_CONTEXT)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show version and commit."
)
def companion() -> None:
    """A referee for games played with real cards: who was first, by how much, and was it a good play."""
