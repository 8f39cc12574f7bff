"""A game's drawings on the panel: so that nothing there is told by colour, or by a word, alone. Knows no game.

A symbol stands in a text as one character of Unicode's private area; `glyphs` draws it like a letter. Which character
that is depends on the drawing alone: `Signs` hands them out as games bring them along.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.screens.oled.saying import said

if TYPE_CHECKING:
    from companion.core.ruling.looks import Look

_FIRST = 0xE000
_BITMAPS: list[tuple[str, ...]] = []
"""Every drawing that has been asked for; its place gives its character."""
_MOST = 0x1900


def character_of(bitmap: tuple[str, ...]) -> str:
    """Give the character that stands for a drawing; empty where there are too many."""
    if bitmap not in _BITMAPS:
        if len(_BITMAPS) >= _MOST:
            return ""
        _BITMAPS.append(bitmap)
    return chr(_FIRST + _BITMAPS.index(bitmap))


def bitmap_of(character: str) -> tuple[str, ...] | None:
    """Give the rows of the drawing that a character stands for, from the top; None where it stands for none."""
    index = ord(character) - _FIRST
    return _BITMAPS[index] if 0 <= index < len(_BITMAPS) else None


class Signs:
    """The signs and names of one game's cards and buttons."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def symbol(self, name: str) -> str:
        """Give the character for what a card, a button or a symbol is called; empty where it has no drawing."""
        found = self._look.symbols.get(self._look.symbol_of(name))
        return character_of(found.bitmap) if found else ""

    def button_says(self, role: str) -> str:
        """Give a button's name for people, by its name in the record."""
        return said(self._look.button_says(role))

    def short(self, card: str) -> str:
        """Give a card in as little room as there is: its colour's letters and its sign; its name where it has none."""
        known = self._look.cards.get(card)
        colour = said(known.colour.short) if known and known.colour else ""
        return f"{colour}{self.symbol(card)}" if colour or self.symbol(card) else f"{self._look.says(card)} "

    def has_colour(self, card: str) -> bool:
        """Tell whether a card belongs to a player's colour."""
        known = self._look.cards.get(card)
        return known is not None and known.colour is not None

    def named(self, label: str) -> str:
        """Put the sign before a card's name, and three letters for its colour ("GRN ⛨ ace"); other texts stand."""
        known = self._look.called(label)
        sign = self.symbol(label)
        if known is not None and known.colour is not None:
            colour = said(known.colour.says)  # English has the colour first, French last
            return f"{said(known.colour.short)} {sign} {label.removeprefix(colour).removesuffix(colour).strip()}"
        return f"{sign} {label}" if sign else label

    def within(self, text: str) -> str:
        """Put its sign before the first card that a sentence names ("revealed: RED ⛨ ace")."""
        names = [name for card in self._look.cards.values() for name in (card.name, card.says) if name in text]
        name = max(names, key=len, default="")
        return text.replace(name, self.named(name), 1) if name else text

    def counted(self, count: int, card: str) -> str:
        """Say how many of a card."""
        return self._look.counted(count, card)

    def face(self, index: int, role: str) -> str:
        """Give what button number `index` of a seat is called now; its role where the game says no more."""
        faces = self._look.buttons
        return faces[index].label if index < len(faces) else role
