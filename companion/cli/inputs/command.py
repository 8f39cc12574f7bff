"""The command `companion inputs`: its arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.app.devices import make_source
from companion.cli.inputs.benches import Bench, assign_inputs, forget_inputs, list_inputs, measure_input
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.input_file import LABELS, inputs_file
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.panel import BUTTONS
from companion.core.timing.input_delay import LEAST_TRIALS, USUAL_TRIALS

if TYPE_CHECKING:
    from pathlib import Path


def _bench(config_file: Path | None, state_dir: str | None) -> Bench:
    settings = read_settings(config_file, state_dir=state_dir)
    return Bench(inputs_file(state_directory(settings.box)), click.echo)


@click.group("inputs")
def command() -> None:
    """USB switches, pedals, game pads, keyboards: what is plugged in, which key is which button, how long it takes."""


@command.command("list")
@config_option
@state_dir_option
def _list(config_file: Path | None, state_dir: str | None) -> int:
    """List the input devices and what they are used for."""
    return list_inputs(_bench(config_file, state_dir))


@command.command("assign")
@config_option
@state_dir_option
@click.argument("buttons", nargs=-1)
def _assign(config_file: Path | None, state_dir: str | None, buttons: tuple[str, ...]) -> int:
    """Ask for what shall be each of BUTTONS ("red first" …; else all twenty) to be pressed."""
    return assign_inputs(_bench(config_file, state_dir), buttons or LABELS[: len(BUTTONS)])


@command.command("forget")
@config_option
@state_dir_option
@click.argument("buttons", nargs=-1, required=True)
def _forget(config_file: Path | None, state_dir: str | None, buttons: tuple[str, ...]) -> int:
    """Take everything away that was assigned to BUTTONS."""
    return forget_inputs(_bench(config_file, state_dir), buttons)


@command.command("measure")
@config_option
@state_dir_option
@click.option("--against", default="red first", show_default=True, metavar="BUTTON", help="The wired button.")
@click.option(
    "--trials",
    type=click.IntRange(LEAST_TRIALS, 1000),
    default=USUAL_TRIALS,
    show_default=True,
    help="How many pushes.",
)
def _measure(config_file: Path | None, state_dir: str | None, against: str, trials: int) -> int:
    """Measure how long a device takes from a press to its stamp, against a wired button taped to it."""
    settings = read_settings(config_file, state_dir=state_dir)
    folder = state_directory(settings.box)
    if against not in settings.pins.buttons:
        raise Unavailable(f"{against} is no button on a pin of this box")
    wired = make_source(settings.source, settings.pins, folder)
    if wired is None:
        raise Unavailable('source.kind = "none": there is no wired button to measure against')
    return measure_input(Bench(inputs_file(folder), click.echo), wired, against, trials)
