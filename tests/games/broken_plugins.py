"""Entry points as a broken package gives them, for `registry`."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import NamedTuple

import pytest

from companion.config import installed_games
from companion.games import registry


class Package(NamedTuple):
    name: str


ELSEWHERE = Package("elsewhere")
SHIPPED = ("apache", "big-manitou", "claim", "clock", "les-apaches", "once-we-moved", "order")
"""The games that come with the program."""


@dataclass(frozen=True)
class Entry:
    """An entry point; `gives` is the object, or the exception that its import raises."""

    name: str
    gives: object
    dist: Package = ELSEWHERE
    module: str = "elsewhere.game"

    @property
    def value(self) -> str:
        return f"{self.module}:GAME"

    def load(self) -> object:
        if isinstance(self.gives, BaseException):
            raise self.gives
        return self.gives


def install(patch: pytest.MonkeyPatch, *entries: Entry) -> None:
    """Install packages beside those there are, until the test ends (`forgotten`)."""
    own = tuple(entry_points(group=registry.GROUP))
    patch.setattr(registry, "entry_points", lambda group: (*own, *entries))
    forget()


def forget() -> None:
    registry.forget()
    installed_games.games_in.cache_clear()
