"""Message catalogues: whether each of a game's languages is complete, and says what the English text says."""

from __future__ import annotations

import re
from gettext import NullTranslations
from importlib import resources
from typing import TYPE_CHECKING

import polib

from companion.config.languages import ENGLISH, languages

if TYPE_CHECKING:
    from companion.core.ruling.game import AnyGame

_PLACEHOLDER = re.compile(r"\{[^{}]*\}|%[sd]|%\([^)]*\)[sd]")


class Listening(NullTranslations):
    """Speaks English and notes every message that it is asked for. plurals: those with a number."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: set[str] = set()
        self.plurals: set[tuple[str, str]] = set()

    def gettext(self, message: str) -> str:
        """Give the message as it is."""
        self.messages.add(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Give the message for this number."""
        self.plurals.add((msgid1, msgid2))
        return msgid1 if n == 1 else msgid2


def catalogues(game: AnyGame) -> dict[str, polib.POFile]:
    """Give the catalogue of each language beside English."""
    if not game.words:
        return {}
    folder = resources.files(game.words).joinpath("locale")
    return {
        language: polib.pofile(folder.joinpath(f"{language}.po").read_text("utf-8"))
        for language in languages(game.words)
        if language != ENGLISH
    }


def faults(catalogue: polib.POFile) -> list[str]:
    """Say what is wrong with a catalogue's entries; [] where nothing is."""
    return [f"{entry.msgid!r}: {why}" for entry in catalogue if not entry.obsolete and (why := _fault(entry))]


def missing(catalogue: polib.POFile, heard: Listening) -> list[str]:
    """Give messages that the game has asked for and the catalogue does not have."""
    known = {(entry.msgid, entry.msgid_plural) for entry in catalogue if not entry.obsolete}
    wanted = {(message, "") for message in heard.messages if message} | heard.plurals
    return sorted(one for one, many in wanted - known)


def _fault(entry: polib.POEntry) -> str:
    if "fuzzy" in entry.flags:
        return "is fuzzy"
    forms = list(entry.msgstr_plural.values()) if entry.msgid_plural else [entry.msgstr]
    if not forms or not all(forms):
        return "is not translated"
    allowed = _placeholders(entry.msgid) | _placeholders(entry.msgid_plural)
    needed = _placeholders(entry.msgid) & _placeholders(entry.msgid_plural or entry.msgid)
    for form in forms:
        if not needed <= _placeholders(form) <= allowed:
            return f"{form!r} has other placeholders"
    return ""


def _placeholders(text: str) -> set[str]:
    return set(_PLACEHOLDER.findall(text))
