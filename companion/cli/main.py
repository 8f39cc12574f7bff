"""The command line: arguments and exit statuses only. What a command does is imported when it is called, so that the
others start fast.

Exit statuses: 0 done; 1 failed, with one line on standard error; 2 called wrongly; 130 ended by Ctrl-C; 141 the reader
of the output has gone. A traceback never reaches the terminal: it is a bug, and is kept in a file to be reported.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from companion.core.errors import CompanionError
from companion.core.record.dead_heats import POLICIES
from companion.core.shown.displays import CHIPS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from companion.config.reading import Flag
    from companion.config.settings import Settings

FAILED, USAGE, INTERRUPTED, READER_GONE = 1, 2, 130, 141

Result = TypeVar("Result")

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
        from importlib.metadata import version

        click.echo(f"companion {version('table-companion')}")
        context.exit()


_config = click.option(
    "--config", "config_file", metavar="FILE", type=click.Path(path_type=Path),
    help="Settings to use. Else: ~/.config/table-companion/config.toml, or /etc/table-companion/config.toml.",
)  # fmt: skip
_state_dir = click.option("--state-dir", metavar="DIR", help="Where matches are kept.")


@click.group(context_settings=_CONTEXT)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def companion() -> None:
    """A referee for games played with real cards: who was first, by how much, and was it a good play."""


_SETTINGS_OF_RUN = {
    "source": ("source", "kind"),
    "chip": ("source", "chip"),
    "game": ("match", "game"),
    "variants": ("match", "variants"),
    "window": ("timing", "window_s"),
    "dead_heat": ("match", "dead_heat"),
    "display": ("display", "kind"),
    "state_dir": ("box", "state_dir"),
    "port": ("web", "port"),
}
"""The options of `run` that are settings, and which."""


@companion.command()
@_config
@click.option("--simulate", is_flag=True, help="Without hardware: a panel in the browser, or in the terminal.")
@click.option("--terminal", is_flag=True, help="Draw the simulated panel in the terminal and press it by keys.")
@click.option(
    "--script", metavar="FILE", type=click.Path(path_type=Path), help="Play the timed presses of a file (simulated)."
)
@click.option("--plain", is_flag=True, help="Write lines of text instead of drawing the panel.")
@click.option("--source", metavar="KIND", help="How buttons are read: gpiod, gpiozero, auto or none.")
@click.option("--chip", metavar="NAME", help="GPIO chip for gpiod: label, name or path.")
@click.option("--seats", metavar="COLOURS", help="Who plays, clockwise: red,yellow,blue.")
@click.option("--first", metavar="COLOUR", help="Who reveals first (with --seats).")
@click.option("--game", metavar="NAME", help="The game: apache or order.")
@click.option("--variants", metavar="NAMES", help="Variants: wedding,warpath.")
@click.option("--no-cards", is_flag=True, help="Enter no cards: show only who was first.")
@click.option("--window", metavar="SECONDS", type=float, help="How long a race is open after its first press.")
@click.option("--dead-heat", metavar="POLICY", help=f"Too close to call: {' or '.join(POLICIES)}.")
@click.option("--display", metavar="CHIP", help=f"none, {', '.join(CHIPS)}.")
@click.option("--lan", is_flag=True, help="Let other machines in the network see the table; prints address and PIN.")
@click.option("--port", metavar="NUMBER", type=int, help="Port of the web pages.")
@click.option("--no-web", is_flag=True, help="Serve no web pages.")
@_state_dir
@click.option("--resume/--new", default=None, help="Go on with a match that was cut off, or begin anew; else it asks.")
def run(config_file: Path | None, **given: Any) -> int:
    """Referee a match."""
    settings, options = _checked(lambda: _run_arguments(config_file, given))
    from companion.app.run import run as referee

    return referee(settings, options)


@companion.command()
@click.argument("record", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def replay(record: str, as_json: bool) -> int:
    """Judge the record of a match again; - reads standard input."""
    from companion.cli.replay import run_replay

    return run_replay(record, as_json, sys.stdout.buffer, sys.stderr)


@companion.command()
@_config
@_state_dir
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def matches(config_file: Path | None, state_dir: str | None, as_json: bool) -> None:
    """List the stored matches."""
    directory = _state_directory(config_file, state_dir)
    from companion.cli.matches import listing

    for line in listing(directory, as_json=as_json):
        click.echo(line)


@companion.command()
@_config
@_state_dir
@click.argument("match_id", metavar="ID", type=click.IntRange(min=1))
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
def export(config_file: Path | None, state_dir: str | None, match_id: int, output: Path | None) -> None:
    """Print the record of a stored match."""
    directory = _state_directory(config_file, state_dir)
    from companion.cli.matches import export as export_match

    content = export_match(directory, match_id, output)
    if output is None:
        sys.stdout.buffer.write(content)


@companion.command()
@_config
def config(config_file: Path | None) -> None:
    """Print all settings that hold, with a comment on each."""
    settings = _settings(config_file, [])
    from companion.config.writing import render

    click.echo(render(settings), nl=False)


@companion.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def status(as_json: bool) -> int:
    """Say how the box on this machine is: running, match, sources, faults. Exit status 3 where it does not run."""
    from companion.cli.status import run_status

    return run_status(click.echo, as_json=as_json)


@companion.command()
@_config
@click.option("--buttons", is_flag=True, help="Ask for each button in turn; show its time stamp and bounce.")
@_state_dir
def doctor(config_file: Path | None, buttons: bool, state_dir: str | None) -> int:
    """Check everything the box needs, and say how to mend what is wrong."""
    settings = _settings(config_file, _flags({"state_dir": state_dir}))
    from companion.cli.doctor_run import doctor as examine

    return examine(settings, buttons=buttons)


@companion.group()
def pods() -> None:
    """Button pods: what is plugged in, how well its clock is known, which line is which button."""


@pods.command("list")
@_config
@_state_dir
def list_(config_file: Path | None, state_dir: str | None) -> int:
    """List the pods and what they are used for."""
    settings = _settings(config_file, _flags({"state_dir": state_dir}))
    from companion.cli.pods import list_pods

    return list_pods(settings, click.echo)


@pods.command()
@_config
@_state_dir
@click.option("--seconds", type=click.FloatRange(1, 3600), default=10.0, show_default=True, help="How long.")
def measure(config_file: Path | None, state_dir: str | None, seconds: float) -> int:
    """Measure round trip, bound, drift and edge rate of each pod."""
    settings = _settings(config_file, _flags({"state_dir": state_dir}))
    from companion.cli.pods import measure_pods

    return measure_pods(settings, seconds, click.echo)


@pods.command()
@_config
@_state_dir
@click.argument("pod")
@click.argument("name")
def name(config_file: Path | None, state_dir: str | None, pod: str, name: str) -> None:
    """Call POD (its present name or its id) NAME."""
    settings = _settings(config_file, _flags({"state_dir": state_dir}))
    from companion.cli.pods import name_pod

    click.echo(name_pod(settings, pod, name))


@pods.command()
@_config
@_state_dir
@click.argument("buttons", nargs=-1)
def assign(config_file: Path | None, state_dir: str | None, buttons: tuple[str, ...]) -> int:
    """Ask for each of BUTTONS ("red chief" …; else all twenty) to be pressed, and note which line it is."""
    settings = _settings(config_file, _flags({"state_dir": state_dir}))
    from companion.cli.pods import assign_pods
    from companion.config.pod_file import LABELS

    return assign_pods(settings, buttons or LABELS[:-1], click.echo)


@pods.command()
@_config
@click.option("--port", metavar="PATH", help="Where the pod is, if there are several.")
@click.option("--pins", metavar="FILE", type=click.Path(path_type=Path, exists=True), help="A pod.json to install too.")
def install(config_file: Path | None, port: str | None, pins: Path | None) -> int:
    """Install or update the pod's program by mpremote."""
    settings = _settings(config_file, [])
    from companion.cli.pods import install as install_program

    return install_program(settings, port, pins, click.echo)


@companion.group()
def deck() -> None:
    """Cards for a scanner: labels to print, factory codes to enrol."""


@deck.command()
@click.argument("out", metavar="OUT.pdf", type=click.Path(path_type=Path))
@click.option("--sheet", default="a4-65", show_default=True, help="Paper and labels on it; a wrong one lists them all.")
@click.option("--skip", type=click.IntRange(0), default=0, help="Labels used already on the first sheet.")
@click.option("--game", default="apache", show_default=True, help="Whose cards.")
@click.option("--deck", "deck_file", type=click.Path(path_type=Path), help="Codes of a deck's file instead of our own.")
def labels(out: Path, sheet: str, skip: int, game: str, deck_file: Path | None) -> None:
    """Write label sheets for all cards: a QR code each, and the card's name."""
    from companion.cli.labels import sheet as sheet_of
    from companion.cli.labels import write_labels
    from companion.config.deck_file import printed_deck, read_deck

    on = _checked(lambda: sheet_of(sheet))
    cards = read_deck(deck_file) if deck_file is not None else printed_deck(game)
    pages = write_labels(out, cards, on, skip)
    click.echo(f"{len(cards.codes)} labels on {pages} pages of {on.name}; print at 100 %, not fitted to the page")


@deck.command()
@_config
@click.argument("deck_file", metavar="DECK.toml", type=click.Path(path_type=Path))
@click.option("--game", default="apache", show_default=True, help="Whose cards, for a new file.")
def enrol(config_file: Path | None, deck_file: Path, game: str) -> int:
    """Scan each card and say which it is; the codes are kept in DECK.toml."""
    settings = _settings(config_file, [])
    from companion.cli.deck import enrol_cards

    return enrol_cards(settings, deck_file, game, lambda question: str(click.prompt(question)), click.echo)


def _run_arguments(config_file: Path | None, given: dict[str, Any]) -> Any:
    from companion.config.run_options import RunOptions, parse_seats
    from companion.config.toml_file import WrongOption

    simulate = given["simulate"] or given["terminal"] or given["script"] is not None
    if simulate and given["source"] not in (None, "none"):
        raise WrongOption(
            f"--source {given['source']}: a simulated panel has no buttons on pins; leave one of them out"
        )
    seats, first = parse_seats(given["seats"], given["first"])
    settings = _settings(config_file, _flags(given))
    options = RunOptions(
        simulate=simulate, terminal=given["terminal"], script=given["script"], plain=given["plain"],
        seats=seats, first=first,
    )  # fmt: skip
    return settings, options


def _flags(given: dict[str, Any]) -> list[Flag]:
    """Give the settings among the options of a command."""
    from companion.config.reading import Flag
    from companion.config.run_options import split_words

    flags = []
    for name, key in _SETTINGS_OF_RUN.items():
        if (value := given.get(name)) is not None:
            value = split_words(value) if name == "variants" else value
            flags.append(Flag(f"--{name.replace('_', '-')}", key, value))
    if given.get("no_cards"):
        flags.append(Flag("--no-cards", ("match", "cards"), value=False))
    if given.get("lan"):
        flags.append(Flag("--lan", ("web", "lan"), value=True))
    if given.get("no_web"):
        flags.append(Flag("--no-web", ("web", "enabled"), value=False))
    if (resume := given.get("resume")) is not None:
        flags.append(Flag("--resume" if resume else "--new", ("box", "resume"), "always" if resume else "never"))
    return flags


def _settings(config_file: Path | None, flags: list[Flag]) -> Settings:
    from companion.config.reading import load, usual_file

    return _checked(lambda: load(config_file or usual_file(), flags))


def _state_directory(config_file: Path | None, state_dir: str | None) -> Path:
    from companion.config.reading import state_directory

    return state_directory(_settings(config_file, _flags({"state_dir": state_dir})))


def _checked(read: Callable[[], Result]) -> Result:
    """Turn a wrong option into an error of usage."""
    from companion.config.toml_file import WrongOption

    try:
        return read()
    except WrongOption as error:
        raise click.UsageError(str(error), click.get_current_context()) from None
