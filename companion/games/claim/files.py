"""The game files that come along (`docs/games/claim.md`, The games that come along). Reads its own package's data."""

from __future__ import annotations

from functools import cache
from importlib import resources

from companion.core.ruling.parameters import Sample

_PACKAGE = "companion.games.claim"
_TITLES = {
    "fruits": "Five of a fruit",
    "snap": "Snap",
    "slaps": "Pair or sandwich",
    "spoons": "Grab a spoon",
    "totem": "Totem grab",
    "apache-base": "Apache, base game",
    "first": "Your first game",
}
SAMPLES = tuple(Sample(f"{name}.toml", title, f"{_PACKAGE}:files/{name}.toml") for name, title in _TITLES.items())
"""What `samples` gives."""


@cache
def shipped(name: str) -> str:
    """Give the text of a file that comes along: "fruits"."""
    return (resources.files(_PACKAGE) / "files" / f"{name}.toml").read_text(encoding="utf-8")


DEFAULT = "fruits"
"""What is played where no other file is chosen."""
