"""Draws a race as a photo finish: what `companion strip` does. Reads a record and its evidence, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.adapters.evidence_files import find_evidence
from companion.cli.options import Number
from companion.config.installed_games import games_in
from companion.config.languages import ENGLISH
from companion.config.languages import language as language_of
from companion.config.toml_file import WrongOption
from companion.core.errors import Malformed
from companion.core.evidence.strip import strip_of
from companion.files.reading import MOST, read_file, write_output
from companion.screens.strip.layout import USUAL, WIDEST, drawing
from companion.screens.strip.pdf import pdf
from companion.screens.strip.svg import svg

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.screens.strip.shapes import Drawing

WRITERS: dict[str, Callable[[Drawing], bytes]] = {".svg": lambda drawn: svg(drawn).encode(), ".pdf": pdf}
"""By the end of the file's name."""


@click.command("strip")
@click.argument("record", metavar="FILE")
@click.argument("race", metavar="RACE", type=Number(1))
@click.option(
    "--evidence",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where its evidence is: a folder, or the file itself; else beside the record. Altered evidence is refused.",
)
@click.option(
    "-o", "--out", metavar="FILE", type=click.Path(path_type=Path), help="An .svg or a .pdf; else SVG is printed."
)
@click.option("--width", default=USUAL, show_default=True, type=Number(1, WIDEST), help="In pixels.")
@click.option("--language", metavar="CODE", default=ENGLISH, help="Of what stands on it: en, de, fr, it.")
def command(record: str, race: int, evidence: Path | None, out: Path | None, width: int, language: str) -> None:
    """Draw a race as a photo finish, from a record and its evidence."""
    write = WRITERS.get(".svg" if out is None else out.suffix.lower())
    if write is None:
        raise WrongOption(f"--out {out}: its name must end in {' or '.join(WRITERS)}")
    lines = _read(record).splitlines()
    find = _finder(evidence if evidence is not None else Path(record).parent)
    content = write(drawing(strip_of(lines, race, games_in(language).find, find), width, language_of(language)))
    if out is None:
        sys.stdout.buffer.write(content)
    else:
        write_output(out, content)


def _finder(place: Path) -> Callable[[str], bytes | None]:
    """Give how evidence is found: a file stands for whatever is asked for, and is refused if it is not that."""
    if place.is_file():
        content = _read(str(place))
        return lambda _: content
    return lambda sha256: find_evidence(place, sha256)


def _read(path: str) -> bytes:
    if path != "-":
        return read_file(path)
    content = sys.stdin.buffer.read(MOST + 1)
    if len(content) > MOST:
        raise Malformed("standard input is too large for a record")
    return content
