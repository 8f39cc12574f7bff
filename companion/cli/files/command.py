"""Lists the files that games ask for, and looks a file through: what `companion files` does, for whoever writes one in
an editor of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.app.storing.game_files import files_in
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.reading import state_directory
from companion.core.ruling.parameters import LARGEST_FILE
from companion.files.reading import read_text, shown

if TYPE_CHECKING:
    from companion.app.storing.game_files import GameFiles

FAULTY = 1
"""The status of a check that found something."""


@click.group("files")
def command() -> None:
    """Files that games ask for: what there is, and what is wrong with one."""


@command.command("list")
@config_option
@state_dir_option
def list_command(config_file: Path | None, state_dir: str | None) -> None:
    """List what games ask for, what comes along with them, and what this box keeps."""
    told = stored(config_file, state_dir).overview()
    for asked in told["asked"]:
        click.echo(f"{asked['game']} {asked['key']}  ({asked['title']}: {asked['label']})")
        for file in asked["files"]:
            marks = [file["title"] or "kept", *(["usual"] if file["is_usual"] and file["kind"] != "usual" else [])]
            marks += [f"{file['faults']} faults"] if file["faults"] else []
            click.echo(f"  {file['name']:40}  {', '.join(marks)}")
    if not told["asked"]:
        click.echo("no installed game asks for a file")
    for problem in told["problems"]:
        click.echo(problem, err=True)


@command.command("check")
@config_option
@state_dir_option
@click.argument("game")
@click.argument("key")
@click.argument("path", type=click.Path(path_type=Path))
def check_command(config_file: Path | None, state_dir: str | None, game: str, key: str, path: Path) -> int:
    """Say all that is wrong with the file PATH for what GAME asks for as KEY; status 1 where there is something."""
    found = stored(config_file, state_dir).check(game, key, read_text(path, LARGEST_FILE))["faults"]
    for fault in found:
        line = "" if fault["line"] is None else f":{fault['line']}"
        click.echo(f"{shown(path)}{line}: {fault['says']}")
    if not found:
        click.echo(f"{shown(path)}: nothing is wrong with it")
    return FAULTY if found else 0


def stored(config_file: Path | None, state_dir: str | None) -> GameFiles:
    """Give the files of the box that the settings are of."""
    box = read_settings(config_file, state_dir=state_dir).box
    return files_in(state_directory(box), box.language)
