"""A language as texts are put into it: its messages by catalogue, and how it writes numbers. Pure: opens no file."""

from __future__ import annotations

from gettext import NullTranslations
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

_NONE = NullTranslations()


def _no_catalogue(_package: str) -> NullTranslations:
    return _NONE


class Signs(NamedTuple):
    """What stands in numbers: before decimals, and between thousands."""

    decimal: str = "."
    thousands: str = ","


_SIGNS = {
    "de": Signs(",", "."),
    "it": Signs(",", "."),
    "fr": Signs(",", "\u202f"),
}
"""By language; all others write as English does. French has its narrow space that no line is broken at."""


class Language(NamedTuple):
    """A language. code: by ISO 639-1 ("it"). name: in itself ("Italiano"). catalogue: gives the messages of a package.

    A message without a translation is said in English.
    """

    code: str
    name: str
    catalogue: Callable[[str], NullTranslations] = _no_catalogue
    signs: Signs = Signs()

    @property
    def is_source(self) -> bool:
        """Tell whether it is English, which all messages are in."""
        return self.code == "en"

    def message(self, package: str, message: str) -> str:
        """Give a message; package: whose catalogue has it, empty for what is the same in all languages."""
        said = self.catalogue(package).gettext(message) if package and message else message
        return said.rpartition("\x04")[2]  # what it is about, where nobody translated it

    def plural(self, package: str, one: str, many: str, count: int) -> str:
        """Give the message for so many things."""
        if package:
            return self.catalogue(package).ngettext(one, many, count)
        return one if count == 1 else many

    def number(self, digits: str) -> str:
        """Write a number that is written as English writes it ("5,200.5")."""
        whole, point, rest = digits.partition(".")
        return whole.replace(",", self.signs.thousands) + (self.signs.decimal + rest if point else "")


ENGLISH = Language("en", "English")


class Spoken:
    """What a box speaks, and may: whoever shows something of it asks `box` each time. all: what there is, `box` too."""

    def __init__(self, box: Language = ENGLISH, all_of: tuple[Language, ...] = (ENGLISH,)) -> None:
        self.box, self.all = box, all_of

    def speak(self, language: Language) -> None:
        """Have the box speak a language from now on."""
        self.box = language

    def following(self) -> Language:
        """Give the language after the one that the box speaks, the first after the last."""
        codes = [one.code for one in self.all]
        return self.all[(codes.index(self.box.code) + 1) % len(codes)] if self.box.code in codes else self.all[0]


def signs_of(code: str) -> Signs:
    """Give how a language writes numbers."""
    return _SIGNS.get(code, Signs())
