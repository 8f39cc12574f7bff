"""Prints the referee's PIN: what `companion pin` does, for whoever may read the file that it is kept in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.cli.options import config_option, read_settings, state_dir_option

if TYPE_CHECKING:
    from pathlib import Path


@click.command("pin")
@config_option
@state_dir_option
def command(config_file: Path | None, state_dir: str | None) -> None:
    """Print the referee's PIN. It is for the box's own user: sudo companion pin."""
    from companion.config.reading import state_directory

    click.echo(read_pin(state_directory(read_settings(config_file, state_dir=state_dir).box)))


def read_pin(directory: Path) -> str:
    """Give the PIN that is kept in a state directory, and draw none. Raises Unavailable, Malformed."""
    from companion.adapters.web.access.pin_file import PIN_FILE, PinFile
    from companion.core.errors import Unavailable

    path = directory / PIN_FILE
    try:
        path.stat()
    except FileNotFoundError:
        raise Unavailable(f"there is no PIN in {directory} yet: the box draws one when it first serves pages") from None
    except OSError as error:
        raise Unavailable(f"cannot read the referee's PIN from {path}: {error.strerror}") from None
    return PinFile(directory).load()
