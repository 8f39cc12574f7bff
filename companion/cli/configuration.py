"""The arguments of `companion config`; what it prints is written by `config`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.options import config_option, read_settings

if TYPE_CHECKING:
    from pathlib import Path


@click.command("config")
@config_option
def command(config_file: Path | None) -> None:
    """Print all settings that hold, with a comment on each."""
    settings = read_settings(config_file)
    from companion.config.writing import render

    click.echo(render(settings), nl=False)
