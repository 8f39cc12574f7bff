"""Where an event stands, and how a box takes part in it. Pure data."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from companion.core.words.texts import text


class Stage(Enum):
    """Where an event stands; the value is what a page says."""

    ENTERING = text("entries are taken")
    CHECK_IN = text("check-in is open")
    RUNNING = text("rounds are played")
    ENDED = text("the event is over")


class BoxAt(NamedTuple):
    """A box that takes part, or did. keys: in base64, all that it was ever enrolled with, the last one now."""

    name: str
    keys: tuple[str, ...]
    is_in: bool = True
