"""Lists, exports, renames and deletes players: what `companion people` does, without a page and without a PIN.

For whoever may read the box's state directory. Names in records are changed through the journal, which a running box
has: then its page does it, and this says so.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.sqlite_journal import SqliteJournal
from companion.adapters.sqlite_journal.faults import InUse
from companion.app.pages import StoredMatches
from companion.app.storing.people import StoredPeople
from companion.app.storing.profiles import profiles_in
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.installed_games import games_in
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.people.names import is_same
from companion.core.words.encoding import encode
from companion.files.durable import make_folder
from companion.files.owner import as_owner
from companion.files.reading import write_output

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.config.settings import Box, Seats

NOT_LEFT_OUT: frozenset[int] = frozenset()


@click.group("people")
def command() -> None:
    """Players: names that stay, what they have played, and how to be rid of them."""


@command.command("list")
@config_option
@state_dir_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_command(config_file: Path | None, state_dir: str | None, as_json: bool) -> None:
    """List the players, and how many matches that are over each has played."""
    people = stored(read_settings(config_file, state_dir=state_dir).box)
    found = people.overview(NOT_LEFT_OUT)
    if found["fault"]:
        click.echo(found["fault"], err=True)
    for one in found["people"]:
        told = {"name": one["name"], "matches": one["matches"]}
        click.echo(encode(told).decode() if as_json else f"{one['name']:12}  {one['says']}")


@command.command("export")
@config_option
@state_dir_option
@click.option("--format", "kind", type=click.Choice(["csv", "jsonl"]), default="csv", show_default=True)
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
def export_command(config_file: Path | None, state_dir: str | None, kind: str, output: Path | None) -> None:
    """Print every match that is over, with what each player did in it."""
    content = stored(read_settings(config_file, state_dir=state_dir).box).exported(kind, NOT_LEFT_OUT)
    if output is None:
        sys.stdout.buffer.write(content)
    else:
        write_output(output, content)


@command.command("rename")
@config_option
@state_dir_option
@click.argument("name")
@click.argument("to")
def rename_command(config_file: Path | None, state_dir: str | None, name: str, to: str) -> None:
    """Change a name on the list and in every stored record. One of the list: both become one person."""
    settings = read_settings(config_file, state_dir=state_dir)
    with changing(settings.box) as people:
        click.echo(people.rename(name, to))
    tell_of_settings(settings.seats, name)


@command.command("delete")
@config_option
@state_dir_option
@click.argument("name")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def delete_command(config_file: Path | None, state_dir: str | None, name: str, yes: bool) -> None:
    """Delete a name: from the list, from every stored record, and the links to it. Records still verify."""
    settings = read_settings(config_file, state_dir=state_dir)
    if not yes:
        click.confirm(f"Delete {name} from the list and from every stored record, for good?", abort=True, err=True)
    with changing(settings.box) as people:
        click.echo(people.remove(name))
    tell_of_settings(settings.seats, name)


def stored(box: Box) -> StoredPeople:
    """Give the people of a box's state directory, for reading."""
    directory = state_directory(box)
    profiles = profiles_in(directory)
    profiles.look()
    return StoredPeople(profiles, StoredMatches(directory), games_in(box.language).find)


@contextmanager
def changing(box: Box, *, begins: bool = False) -> Iterator[StoredPeople]:
    """Give them for changing, with the journal open. begins: what is needed is made where the box never ran.

    Raises Unavailable while the box is running, or where there is nothing.
    """
    directory, people = state_directory(box), stored(box)
    if begins:
        _make(directory)
    if not directory.is_dir():
        raise Unavailable(f"nothing is kept in {directory}: there is no such folder")
    with as_owner(directory):
        faults: list[str] = []
        journal = SqliteJournal(directory)
        try:
            journal.open(lambda *_: None, faults.append)
        except InUse as error:
            raise Unavailable(
                "the box is running: change names on its page /people, or stop it first (sudo systemctl stop companion)"
            ) from error
        try:
            if faults:
                raise Unavailable(faults[0])
            people.journal = journal
            yield people
        finally:
            journal.close()


def _make(directory: Path) -> None:
    try:
        make_folder(directory)
    except OSError as error:
        raise Unavailable(f"{directory} cannot be made: {error.strerror or error}") from error


def tell_of_settings(seats: Seats, name: str) -> None:
    """Say where the settings file gives a seat that name: the box would go on to use it."""
    for colour in (colour.value for colour in Colour if is_same(seats.of(colour).name, name)):
        click.echo(f"the settings file still calls the player of {colour} {name}: [seats.{colour}] name", err=True)
