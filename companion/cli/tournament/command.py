"""The arguments of `companion tournament`; what it does is the app's."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from companion.cli.options import Number, config_option, read_settings, state_dir_option
from companion.config.reading import state_directory
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from companion.app.tournament.program import DeskOptions
    from companion.app.tournament.simulated.run import SimulateOptions

FOLDER = "tournament"
"""In the state directory, where none is named."""
NEEDED = ("amqtt", "sqlalchemy", "alembic")
MISSING = "{} is missing: pip install 'table-companion[desk]'"
PORT = 8090
"""Of the desk's pages: a box on the same machine has its own."""
MOST_BOXES = 2_000
NOT_SIMULATED = ("event", "name", "game", "store", "broker", "broker_port", "broker_files", "boxes")
"""Options of a real event."""


@click.command("tournament")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@config_option
@state_dir_option
@click.option("--event", metavar="ID", help="The event's id: lower case letters, digits, hyphens. Else the folder's.")
@click.option("--name", metavar="NAME", default="", help="What people call an event that is begun.")
@click.option("--game", metavar="NAME", help="The game of an event that is begun.")
@click.option("--rounds", type=Number(1, 99), help="How many rounds are planned.")
@click.option("--store", metavar="URL", help="sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE.")
@click.option("--broker", metavar="ADDRESS", help="mqtt://HOST or mqtts://HOST. Else one in this process.")
@click.option("--broker-port", type=Number(0, 65_535), default=1883, help="Of the broker in this process; 0: any.")
@click.option("--broker-files", is_flag=True, help="Write what mosquitto and RabbitMQ need, and end.")
@click.option("--boxes", type=Number(1, MOST_BOXES), default=20, help="So many boxes have passwords: box-1, box-2, …")
@click.option("--web-port", type=Number(0, 65_535), default=PORT, help="Port of the pages.")
@click.option("--lan", is_flag=True, help="Let other machines in the network reach pages and broker.")
@click.option("--no-browser", is_flag=True, help="Open no browser on this machine; else one where there is one.")
@click.option("--simulate", metavar="BOXES", type=Number(1, 64), help="Hold a whole event without hardware.")
@click.option("--seed", metavar="TEXT", help="Of a simulation: the same each time.")
def command(folder: Path | None, config_file: Path | None, state_dir: str | None, **given: Any) -> int:
    """Run the desk of a tournament of many boxes, or hold a simulated one. FOLDER keeps it."""
    if given["seed"] is not None and given["simulate"] is None:
        raise click.UsageError("--seed is for --simulate: the seed of a real event is drawn")
    if given["simulate"] is not None:
        _see_that_it_can_be_simulated()
    settings = read_settings(config_file, state_dir=state_dir, lan=given["lan"])
    _see_that_all_is_there()
    if given["simulate"] is not None:
        from companion.app.tournament.simulated.run import simulate

        return simulate(_simulated(folder, given), settings, sys.stdout)
    from companion.app.tournament.program import run, write_broker_files

    options = _options(folder or state_directory(settings.box) / FOLDER, given)
    if given["broker_files"]:
        return write_broker_files(options, settings, sys.stdout)
    return run(options, settings, sys.stdout)


def _see_that_it_can_be_simulated() -> None:
    """Raises UsageError for what was asked of a simulation and would not be done."""
    context = click.get_current_context()
    asked = [name for name in NOT_SIMULATED if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if asked:
        names = ", ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise click.UsageError(f"a simulation has its own event, game, store and broker: leave out {names}")


def _see_that_all_is_there() -> None:
    """Raises Unavailable where the desk's own libraries are not installed."""
    for name in NEEDED:
        if find_spec(name) is None:
            raise Unavailable(MISSING.format(name))


def _options(folder: Path, given: dict[str, Any]) -> DeskOptions:
    from companion.app.tournament.program import DeskOptions

    return DeskOptions(
        folder,
        given["event"],
        given["name"],
        given["game"] or "",
        given["rounds"],
        given["store"],
        given["broker"],
        given["broker_port"],
        given["boxes"],
        given["web_port"],
        opens_browser=not given["no_browser"],
    )


def _simulated(folder: Path | None, given: dict[str, Any]) -> SimulateOptions:
    from companion.app.tournament.simulated.run import SimulateOptions

    return SimulateOptions(
        folder, given["simulate"], given["seed"] or "companion", given["rounds"] or 3, given["web_port"],
        opens_browser=not given["no_browser"],
    )  # fmt: skip
