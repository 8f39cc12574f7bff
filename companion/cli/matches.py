"""Lists and exports the stored matches: what `companion matches` and `companion export` do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.evidence_files import evidence_folder, find_evidence, path_of
from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import StoredMatch, export_lines, list_matches
from companion.app.storing.sealing import not_sealed, sealed_copy
from companion.cli.options import Number, config_option, read_settings, state_dir_option
from companion.config.reading import state_directory
from companion.core.errors import CompanionError, Unavailable
from companion.core.evidence.keeping import named_evidence
from companion.core.words.encoding import encode
from companion.files.reading import write_output

if TYPE_CHECKING:
    from collections.abc import Iterator


@click.command("matches")
@config_option
@state_dir_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def command(config_file: Path | None, state_dir: str | None, as_json: bool) -> None:
    """List the stored matches."""
    directory = state_directory(read_settings(config_file, state_dir=state_dir).box)
    for line in listing(directory, as_json=as_json):
        click.echo(line)


@click.command("export")
@config_option
@state_dir_option
@click.argument("match_id", metavar="ID", type=Number(1))
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write it to a file.")
@click.option(
    "--evidence", metavar="DIR", type=click.Path(path_type=Path), help="Write the evidence of its races there too."
)
def export_command(
    config_file: Path | None, state_dir: str | None, match_id: int, output: Path | None, evidence: Path | None
) -> None:
    """Print the record of a stored match."""
    directory = state_directory(read_settings(config_file, state_dir=state_dir).box)
    content, unsealed = export(directory, match_id, output)
    if unsealed:
        click.echo(unsealed, err=True)
    if evidence is not None:
        written, gone = export_evidence(directory, content, evidence)
        kept = f"; {gone} are not kept any more" if gone else ""
        click.echo(f"evidence of races: {written} files in {evidence}{kept}", err=True)
    if output is None:
        sys.stdout.buffer.write(content)


def listing(directory: Path, *, as_json: bool) -> Iterator[str]:
    """Give the lines of the list, the newest match first; as_json: one JSON object a line, and no heading.

    Raises Unavailable (nothing stored there, no permission), Malformed (damaged).
    """
    matches = list_matches(directory)[::-1]
    if as_json:
        return (encode(match._asdict()).decode() for match in matches)
    return _table(matches)


def export(directory: Path, match_id: int, to: Path | None) -> tuple[bytes, str]:
    """Give the record of a match as a file's content, and write it to `to` where that is not None.

    It ends with a seal; where the box's key cannot be used there is a sentence that says why not, else "". What is
    stored stays as it is: a box may be writing it. Raises UnknownMatch, Unavailable, Malformed.
    """
    lines, unsealed = export_lines(directory, match_id), ""
    try:
        lines = sealed_copy(lines, BoxKey(directory).signer)
    except CompanionError as error:
        unsealed = not_sealed(error)
    content = b"".join(line + b"\n" for line in lines)
    if to is not None:
        write_output(to, content)
    return content, unsealed


def export_evidence(directory: Path, record: bytes, to: Path) -> tuple[int, int]:
    """Copy the evidence that a record names into a folder; give how many files there are, and how many are gone.

    Raises Unavailable where a file cannot be read or written.
    """
    folder = evidence_folder(directory)
    found = {sha256: find_evidence(folder, sha256) for sha256 in named_evidence(record.splitlines())}
    there = {sha256: content for sha256, content in found.items() if content is not None}
    try:
        to.mkdir(parents=True, exist_ok=True)
        for sha256, content in there.items():
            write_output(path_of(to, sha256), content)
    except OSError as error:
        if isinstance(error, Unavailable):
            raise
        raise Unavailable(f"cannot write {error.filename}: {error.strerror or error}") from error
    return len(there), len(found) - len(there)


def _table(matches: list[StoredMatch]) -> Iterator[str]:
    width = max((len(match.game) for match in matches), default=0)
    yield f"{'id':>5}  {'started':25}  {'game':{max(width, 4)}}  {'lines':>5}  state    players"
    for match in matches:
        players = ", ".join(_player(seat.colour, match.names) for seat in match.seats)
        state = "ended" if match.ended else "cut off"
        yield f"{match.id:5}  {match.started:25}  {match.game:{max(width, 4)}}  {match.lines:5}  {state:7}  {players}"


def _player(colour: str, names: dict[str, str]) -> str:
    return f"{colour} ({names[colour]})" if colour in names else colour
