"""The arguments of `companion run`; what it does is the app's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.options import Number, checked, config_option, read_settings, state_dir_option
from companion.core.record.dead_heats import POLICIES
from companion.core.shown.displays import CHIPS

if TYPE_CHECKING:
    from companion.config.run_options import RunOptions


@click.command("run")
@config_option
@click.option("--simulate", is_flag=True, help="Without hardware: a panel in the browser, or in the terminal.")
@click.option("--phones", is_flag=True, help="Without hardware: phones in this network are the buttons.")
@click.option("--terminal", is_flag=True, help="Draw the simulated panel in the terminal and press it by keys.")
@click.option(
    "--script", metavar="FILE", type=click.Path(path_type=Path), help="Play the timed presses of a file (simulated)."
)
@click.option(
    "--demo", is_flag=True, help="Play the match that comes with the program (simulated; its record is kept apart)."
)
@click.option("--plain", is_flag=True, help="Write lines of text instead of drawing the panel.")
@click.option("--source", metavar="KIND", help="How buttons are read: gpiod, gpiozero, auto or none.")
@click.option("--chip", metavar="NAME", help="GPIO chip for gpiod: label, name or path.")
@click.option("--seats", metavar="COLOURS", help="Who plays, clockwise: red,yellow,blue.")
@click.option("--first", metavar="COLOUR", help="Who begins: reveals, deals, moves first (with --seats).")
@click.option("--confirmed", metavar="NAME", help="NAME vouches that all seats agree to allowances (with --seats).")
@click.option("--game", metavar="NAME", help="The game, by its name; a name that is none lists those there are.")
@click.option("--variants", metavar="NAMES", help="Variants, as the game names them: one,other.")
@click.option(
    "--file",
    "files",
    metavar="KEY=FILE",
    multiple=True,
    help="A file that the game asks for: one that comes along or is kept, by its name, or a path.",
)
@click.option("--no-cards", is_flag=True, help="Enter no cards: show only who was first.")
@click.option("--untimed", is_flag=True, help="Lay cards face down, without a clock; all are shown together.")
@click.option("--window", metavar="SECONDS", type=float, help="How long a race is open after its first press.")
@click.option("--dead-heat", metavar="POLICY", help=f"Too close to call: {' or '.join(POLICIES)}.")
@click.option("--display", metavar="CHIP", help=f"none, {', '.join(CHIPS)}.")
@click.option("--lan", is_flag=True, help="Let other machines in the network see the table; prints address and PIN.")
@click.option("--port", metavar="NUMBER", type=Number(0), help="Port of the web pages.")
@click.option("--no-browser", is_flag=True, help="Open no browser on this machine; else one where there is one.")
@click.option("--no-web", is_flag=True, help="Serve no web pages.")
@click.option("--language", metavar="CODE", help="Of the words of games: en, or what the game has (de).")
@state_dir_option
@click.option("--resume/--new", default=None, help="Go on with a match that was cut off, or begin anew; else it asks.")
def command(config_file: Path | None, **given: Any) -> int:
    """Referee a match."""
    if given["demo"]:
        given = checked(lambda: _with_demonstration(given))
    options = checked(lambda: _options(given))
    if options.phones:
        given = {**given, **NO_PANEL}
    settings = read_settings(config_file, **given)
    if given["demo"]:
        from companion.config.run_options import kept_apart

        settings = kept_apart(settings)
    from companion.app.run import run

    return run(settings, options)


NO_PANEL: dict[str, Any] = {
    "source": "none", "display": "none", "buzzer": "none", "scanner": "", "no_pods": True, "lan": True,
}  # fmt: skip
"""The settings of a box whose only buttons are phones'."""


def _options(given: dict[str, Any]) -> RunOptions:
    """Give what is no setting. Raises WrongOption."""
    from companion.config.run_options import RunOptions, parse_seats
    from companion.config.toml_file import WrongOption

    simulate = given["simulate"] or given["terminal"] or given["script"] is not None
    if simulate and given["source"] not in (None, "none"):
        raise WrongOption(
            f"--source {given['source']}: a simulated panel has no buttons on pins; leave one of them out"
        )
    if given["phones"]:
        _check_phones(given)
    seats, first = parse_seats(given["seats"], given["first"])
    if given["confirmed"] is not None and not seats:
        raise WrongOption("--confirmed: say with --seats who plays; players who sit down at the box agree there")
    return RunOptions(
        simulate=simulate, terminal=given["terminal"], script=given["script"], plain=given["plain"],
        seats=seats, first=first, confirmed_by=given["confirmed"] or "", phones=given["phones"],
        browser=not given["no_browser"],
    )  # fmt: skip


def _check_phones(given: dict[str, Any]) -> None:
    """See that nothing else is asked for beside phones. Raises WrongOption."""
    from companion.config.toml_file import WrongOption

    others = [name for name in ("simulate", "terminal", "script", "source", "display", "no_web") if given[name]]
    if others:
        raise WrongOption(f"--phones: phones are the only buttons, and need the pages; leave {_named(others[0])} out")


def _named(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _with_demonstration(given: dict[str, Any]) -> dict[str, Any]:
    """Give the options of a run with the demonstration as their script: it begins with empty seats."""
    from companion.config.run_options import demonstration
    from companion.config.toml_file import WrongOption
    from companion.games import registry

    if given["script"] is not None or given["resume"]:
        raise WrongOption("--demo: plays its own script, as a new match; leave --script and --resume out")
    game = registry.with_demonstration(given["game"] or registry.first())
    if game is None:
        raise WrongOption("--demo: no installed game has a demonstration")
    return {**given, "game": game, "script": demonstration(game), "resume": False}
