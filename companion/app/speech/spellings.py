"""How a voice is to have what stands short on a small display, and words that it reads by the wrong rules: by files.

`locale/spoken.toml` of the program and of each game has them: a table for each language, as it is written and as it is
said. Nothing of it is ever shown. The games' files are read without their programs.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.words.texts import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FILE = "locale/spoken.toml"
GROUP = "companion.games"


@cache
def spellings(language: str) -> Mapping[str, str]:
    """Give what is said for what is written, in a language by its code; empty for one that no file has.

    A file that cannot be read leaves its words as they are written: a voice that stumbles is better than none.
    """
    found: dict[str, str] = {}
    for file in _files():
        try:
            table = tomllib.loads(file.read_text("utf-8")).get(language, {})
        except (OSError, ValueError):
            continue
        found |= {str(word): str(said) for word, said in table.items()}
    return found


def _files() -> Iterator[Path]:
    packages = [PROGRAM, *sorted({entry.module for entry in entry_points(group=GROUP)})]
    for package in packages:
        try:
            spec = find_spec(package)
        except (ImportError, ValueError):
            continue  # what is wrong with a game's package is told where it is played
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield Path(folder) / FILE
