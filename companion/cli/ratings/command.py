"""Lists the ratings that a desk keeps from event to event: what `companion ratings` does. It changes nothing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.ratings.file import FILE_NAME, read_ratings
from companion.cli.options import config_option, read_settings, state_dir_option
from companion.config.reading import state_directory
from companion.core.errors import Unavailable
from companion.core.words.encoding import encode
from companion.files.reading import NotThere, shown

if TYPE_CHECKING:
    from companion.adapters.ratings.book import Rated


@click.command("ratings")
@config_option
@state_dir_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.argument("file", required=False, type=click.Path(path_type=Path))
def command(config_file: Path | None, state_dir: str | None, as_json: bool, file: Path | None) -> None:
    """List the ratings of players from event to event, the best first. FILE: else the one of the state directory.

    A rating is what is nearly sure: the estimate less three times its ±.
    """
    path = file or state_directory(read_settings(config_file, state_dir=state_dir).box) / FILE_NAME
    try:
        listed = read_ratings(path).listed()
    except NotThere as error:
        raise Unavailable(f"there are no ratings yet: {shown(path)} is not there; a desk writes it") from error
    for place, one in enumerate(listed, 1):
        click.echo(encode(_told(place, one)).decode() if as_json else _line(place, one))


def _told(place: int, one: Rated) -> dict[str, object]:
    return {
        "place": place,
        "name": one.person.name,
        "club": one.person.club,
        "profile": one.person.profile,
        "rating": one.rating.sure,
        "mu": one.rating.mu,
        "sigma": one.rating.sigma,
        "tables": one.tables,
    }


def _line(place: int, one: Rated) -> str:
    rating = one.rating
    tables = "1 table" if one.tables == 1 else f"{one.tables} tables"
    estimate = f"{rating.mu:5.2f} ± {rating.sigma:4.2f}"
    return f"{place:4}  {rating.sure:6.2f}  ({estimate}, {tables:>10})  {shown(str(one.person))}"
