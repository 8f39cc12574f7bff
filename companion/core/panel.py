"""The panel as every game finds it: five colours with four buttons each, and a knob. Knows no pin and no game."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import Text, joined, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.core.words.language import Language


class Colour(StrEnum):
    """A player's colour. The order of definition is the order wherever one is needed."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"

    @property
    def short(self) -> Text:
        """Three capital letters for small displays: RED, YEL, GRN, BLU, PUR. Unlike each other in each language."""
        return _SHORT[self]

    @property
    def says(self) -> Text:
        """Its name for people."""
        return _SAYS[self]

    def in_language(self, language: Language) -> str:
        """Say its name in a language, where it is filled into a text."""
        return self.says.in_language(language)


_SAYS = {
    Colour.RED: text("red"),
    Colour.YELLOW: text("yellow"),
    Colour.GREEN: text("green"),
    Colour.BLUE: text("blue"),
    Colour.PURPLE: text("purple"),
}
_SHORT = {
    Colour.RED: text("RED"),
    Colour.YELLOW: text("YEL"),
    Colour.GREEN: text("GRN"),
    Colour.BLUE: text("BLU"),
    Colour.PURPLE: text("PUR"),
}


def each_with(values: Mapping[str, object]) -> Text:
    """Give colours each with what it has: "red 3, blue 1". values: by colour, said alike in all languages."""
    return joined(joined((Colour(colour).says, str(value)), " ") for colour, value in values.items())


def colours_say(colours: Iterable[str]) -> Text:
    """Give colours in a row: "red, blue"."""
    return joined(Colour(colour).says for colour in colours)


class Position(StrEnum):
    """Which of a seat's four buttons, from the player's left; what it stands for is each game's to say."""

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"


POSITIONS: tuple[Position, ...] = tuple(Position)
_PLACES: dict[str, Text] = {
    Position.FIRST: text("first", about="button"),
    Position.SECOND: text("second", about="button"),
    Position.THIRD: text("third", about="button"),
    Position.FOURTH: text("fourth", about="button"),
}


def place_says(role: str) -> str:
    """Give what a button is called for people by its place; a role that is no place is as it is."""
    return _PLACES.get(role, role)


class Button(NamedTuple):
    """One arcade button: the player's colour, and which of the four it is."""

    colour: Colour
    position: Position

    @property
    def label(self) -> str:
        """ "red fourth": how settings, sources and messages name it; a game's record has a word of its own for it."""
        return f"{self.colour} {self.position}"


BUTTONS: tuple[Button, ...] = tuple(Button(colour, position) for colour in Colour for position in Position)
"""All twenty, by colour, then by position."""

KNOB_PUSH = "knob push"
"""Name of the line of the rotary knob's push switch; it is timed like a button and never counts as a play."""

_MARK = " ("


def marked(label: str, by: str) -> str:
    """Name the line of a button that another device stands in for: "red fourth (phone)". Its contacts are its own."""
    return f"{label}{_MARK}{by})"


def label_of(line: str) -> str:
    """Give the button's label of a line that may be marked."""
    return line.partition(_MARK)[0]


BUTTON_BY_LABEL: dict[str, Button] = {button.label: button for button in BUTTONS}


def line_says(line: str) -> Text:
    """Give a line of a source for people: "red fourth", "red fourth (phone)"; what is no button's stays as it is."""
    label = label_of(line)
    button, mark = BUTTON_BY_LABEL.get(label), line.removeprefix(label)
    if button is not None:
        says = text("{colour} {place}").format(colour=button.colour, place=_PLACES[button.position])
    else:
        says = text("knob push") if label == KNOB_PUSH else Text(label)
    return joined((says, mark), "") if mark else says


def role_of(button: Button, roles: Sequence[str]) -> str | None:
    """Give what a game calls a button; `roles`: its names of the four positions, None where it has too few."""
    index = POSITIONS.index(button.position)
    return roles[index] if index < len(roles) else None


def button_of(colour: Colour, role: str, roles: Sequence[str]) -> Button | None:
    """Give the button of a seat that a game calls `role`; one that it has no word for goes by its place. Else None."""
    if role in roles:
        return Button(colour, POSITIONS[roles.index(role)])
    is_place = role in POSITIONS and POSITIONS.index(Position(role)) >= len(roles)
    return Button(colour, Position(role)) if is_place else None


def named_button(name: str, roles: Sequence[str]) -> Button | None:
    """Read a button by its game's name ("green ace"); None where a text is no such name."""
    colour, _, role = name.partition(" ")
    return button_of(Colour(colour), role, roles) if colour in set(Colour) else None
