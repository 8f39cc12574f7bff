"""Gives the box its pins: what `companion boot-files` does, for an installation, an image, or a card in a reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.boot_files.folder import BACKUP, Places, find, planned, write
from companion.app.boot_files.needs import wanted
from companion.cli.options import config_option, read_settings
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.boot_files.config_txt import Wanted

DUE = 1
"""Exit status of --check where something must be changed."""


@click.command("boot-files")
@config_option
@click.option("--root", metavar="DIR", type=click.Path(path_type=Path), help="The system whose they are, such as an "
              "image that is being built. Else: this one.")  # fmt: skip
@click.option("--boot", metavar="DIR", type=click.Path(path_type=Path), help="The boot partition alone, such as a card "
              "in a reader: the folder with config.txt.")  # fmt: skip
@click.option("--check", is_flag=True, help="Change nothing; exit status 1 where something must be changed.")
def command(config_file: Path | None, root: Path | None, boot: Path | None, check: bool) -> int:
    """Have the Pi give the box its pins: the display's bus at 400 kHz, no serial port where buttons are. It edits
    config.txt and cmdline.txt as the settings need it, and keeps the first ones beside them. A speed of the bus that
    somebody has set stays.
    """
    if root is not None and boot is not None:
        raise click.UsageError("--root names a system, --boot a partition: give one of them")
    settings = read_settings(config_file)
    needs = wanted(settings.source, settings.pins, settings.display, settings.signals)
    places = _places(root, boot)
    if places is None:
        click.echo("no config.txt: this is no Raspberry Pi, nothing is changed")
        return 0
    return set_up(places, needs, click.echo, is_check=check)


def _places(root: Path | None, boot: Path | None) -> Places | None:
    for folder in (root, boot):
        if folder is not None and not folder.is_dir():
            raise Unavailable(f"{folder} is no folder")
    return find(root or Path("/")) if boot is None else Places(boot)


def set_up(places: Places, needs: Wanted, say: Callable[[str], None], *, is_check: bool) -> int:
    """Say what is changed, and change it; give the exit status. Raises Unavailable."""
    due = False
    for one in planned(places, needs):
        if one.is_due:
            due = True
            if not is_check:
                write(one)
        for sentence in (*one.new.changes, *one.new.remarks):
            say(f"{one.path}: {sentence}")
    if not due:
        say(f"{places.boot}: the box has its pins")
    elif is_check:
        say("nothing is changed yet: sudo companion boot-files does it")
    else:
        say(f"done; restart the Pi for it: sudo reboot. The files as they were end in {BACKUP}")
    return DUE if due and is_check else 0
