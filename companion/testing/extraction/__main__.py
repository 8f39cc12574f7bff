"""Writes the templates of games, and their catalogues brought up to date."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.games import registry
from companion.testing.extraction.messages import NotLiteral
from companion.testing.extraction.templates import write


def main() -> None:
    """Do it for the games that are named, or all that have words of their own."""
    parser = argparse.ArgumentParser(prog="python -m companion.testing.extraction", description=__doc__)
    parser.add_argument(
        "games", nargs="*", metavar="GAME", help="all that have words of their own, where none is named"
    )
    parser.add_argument("--language", action="append", default=[], help="begin a catalogue of this language, too (de)")
    parser.add_argument("--into", type=Path, default=Path("build/catalogues"), help="the folder of the templates")
    asked = parser.parse_args()
    speaking = [name for name in registry.names() if registry.find(name).words]
    if unknown := sorted(set(asked.games) - set(speaking)):
        sys.exit(f"no game that has words of its own: {', '.join(unknown)}; there are: {', '.join(speaking)}")
    for name in asked.games or speaking:
        try:
            for told in write(registry.find(name), asked.into, asked.language):
                sys.stdout.write(f"{told}\n")
        except (NotLiteral, OSError) as error:
            sys.exit(str(error))


if __name__ == "__main__":
    main()
