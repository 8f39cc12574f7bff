"""Writes the templates of games and of the program, and their catalogues brought up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.games import registry
from companion.testing.extraction.messages import NotLiteral
from companion.testing.extraction.templates import OURS, said_by, write


def main() -> None:
    """Do it for what is named: games, `companion` or `pages`; or for all that have words of their own."""
    parser = argparse.ArgumentParser(prog="python -m companion.testing.extraction", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a game, companion or pages; all of them, where none is named"
    )
    parser.add_argument("--language", action="append", default=[], help="begin a catalogue of this language, too (de)")
    parser.add_argument("--into", type=Path, default=Path("build/catalogues"), help="the folder of the templates")
    asked = parser.parse_args()
    games = (registry.find(name) for name in registry.names())
    speaking = {said.name: said for said in (*OURS, *(said_by(game) for game in games if game.words))}
    if unknown := sorted(set(asked.names) - set(speaking)):
        sys.exit(f"nothing that has words of its own: {', '.join(unknown)}; there are: {', '.join(speaking)}")
    for name in asked.names or speaking:
        try:
            for told in write(speaking[name], asked.into, asked.language):
                sys.stdout.write(f"{told}\n")
        except (NotLiteral, OSError) as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
