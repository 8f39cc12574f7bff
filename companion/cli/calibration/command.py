"""The arguments of `companion calibrate`: a box with seats taken, which measures one of them; the app does the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.cli.options import Number, checked, config_option, read_settings, state_dir_option
from companion.cli.run import NO_PANEL
from companion.core.errors import Malformed
from companion.core.people.names import is_same, tidy

if TYPE_CHECKING:
    from companion.config.run_options import RunOptions
    from companion.config.settings import Seats

INTRODUCTION = """\
The allowance of {name} ({player}) is measured against {others}.
Everybody looks at the same display. After a random wait it shows a card: all press the button of it, as fast as they
can. 30 trials of each, and 30 more at a time where the result is not sure yet. A push of the knob pauses. What is cut
off is gone on with by the same command. At the end every seat agrees with a button of its own, or does not (the
fourth); nothing is changed before all have. It is kept in the profile of {name} then.
"""


@click.command("calibrate")
@click.argument("player", metavar="COLOUR")
@config_option
@click.option("--seats", metavar="COLOURS", required=True, help="Who sits at the table, clockwise: red,yellow,blue.")
@click.option("--player", "name", metavar="NAME", help="Who sits at COLOUR: the allowance goes into their profile.")
@click.option("--simulate", is_flag=True, help="Without hardware: a panel in the browser, or in the terminal.")
@click.option("--phones", is_flag=True, help="Without hardware: phones in this network are the buttons.")
@click.option("--terminal", is_flag=True, help="Draw the simulated panel in the terminal and press it by keys.")
@click.option(
    "--script", metavar="FILE", type=click.Path(path_type=Path), help="Play the timed presses of a file (simulated)."
)
@click.option("--plain", is_flag=True, help="Write lines of text instead of drawing the panel.")
@click.option("--anew", is_flag=True, help="Begin without the trials that were kept.")
@click.option("--port", metavar="NUMBER", type=Number(0), help="Port of the web pages.")
@click.option("--lan", is_flag=True, help="Let other machines in the network see it; prints address and PIN.")
@click.option("--no-browser", is_flag=True, help="Open no browser on this machine; else one where there is one.")
@click.option("--no-web", is_flag=True, help="Serve no web pages.")
@state_dir_option
def command(player: str, config_file: Path | None, **given: Any) -> int:
    """Measure the allowance of a seat: COLOUR is its colour."""
    options = checked(lambda: _options(player, given))
    settings = read_settings(config_file, **(given | NO_PANEL if options.phones else given))
    name = checked(lambda: _name(given["name"], options, settings.seats))
    options = replace(options, player=name)
    others = [seat.value for seat in options.seats if seat is not options.calibrate]
    click.echo(INTRODUCTION.format(name=name, player=options.calibrate, others=", ".join(others)))
    from companion.app.run import run

    return run(settings, options)


def _name(name: str | None, options: RunOptions, seats: Seats) -> str:
    """Give who is measured. Raises WrongOption: without a name nothing could be kept."""
    from companion.config.toml_file import WrongOption

    named = {seat: seats.of(seat).name for seat in options.seats}
    measured = options.calibrate
    called = next((other for seat, other in named.items() if seat is measured), "") if name is None else name
    if not called:
        why = f'{measured}: nobody is named there, so nothing could be kept: --player NAME, or name = "NAME" under'
        raise WrongOption(f"{why} [seats.{measured}] in the settings")
    try:
        called = tidy(called)
    except Malformed as error:
        raise WrongOption(f"--player: {error}") from error
    elsewhere = next((seat for seat, other in named.items() if seat is not measured and is_same(other, called)), None)
    if elsewhere is not None:
        raise WrongOption(f"--player: {called} sits at {elsewhere} already")
    return called


def _options(player: str, given: dict[str, Any]) -> Any:
    """Give what is no setting. Raises WrongOption."""
    from companion.config.run_options import RunOptions, parse_seats
    from companion.config.toml_file import WrongOption

    seats, _ = parse_seats(given["seats"], None)
    measured = next((seat for seat in seats if seat.value == player), None)
    if measured is None:
        raise WrongOption(f"{player}: has no seat; --seats gives {', '.join(seats)}")
    return RunOptions(
        simulate=given["simulate"] or given["terminal"] or given["script"] is not None,
        terminal=given["terminal"], script=given["script"], plain=given["plain"], seats=seats,
        phones=given["phones"], browser=not given["no_browser"], calibrate=measured, anew=given["anew"],
    )  # fmt: skip
