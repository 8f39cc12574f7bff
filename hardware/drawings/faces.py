"""What is printed at the buttons: the words of the game that the panel is made for. Knows no drawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS, Button, Colour
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Iterator

GAME = "apache"
"""Whose words are printed; the program reads the same twenty lines for any game."""
FACES: tuple[str, ...] = registry.find(GAME).roles
"""The words at a seat's four buttons, from the player's left."""


def face_of(button: Button) -> str:
    """Give the word at a button."""
    return FACES[POSITIONS.index(button.position)]


def buttons_of(colour: Colour) -> Iterator[tuple[int, Button]]:
    """Give the buttons of a seat, numbered from 0, from the player's left."""
    return enumerate(Button(colour, position) for position in POSITIONS)
