"""Templates of catalogues, and catalogues brought up to date with them."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polib
from babel.core import UnknownLocaleError
from babel.messages.plurals import get_plural

from companion.config.languages import ENGLISH, languages
from companion.core.words.texts import PROGRAM
from companion.testing.extraction.messages import messages
from companion.testing.extraction.page_messages import PACKAGE, page_messages

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.core.ruling.game import AnyGame
    from companion.testing.extraction.messages import Message

HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


class Said(NamedTuple):
    """Whose messages a catalogue has. name: of the template; title: for people; package: the one that says them."""

    name: str
    title: str
    package: str

    def messages(self) -> Iterator[Message]:
        """Give them. Raises NotLiteral."""
        if self.package == PACKAGE:
            yield from page_messages()
        else:
            yield from messages(self.package, NOT_THE_PROGRAM if self.package == PROGRAM else ())


NOT_THE_PROGRAM = ("games", "testing")
"""Folders of the program's package that have words of their own, or none for people."""
OURS = (Said(PROGRAM, "the program", PROGRAM), Said("pages", "the pages' scripts and templates", PACKAGE))
"""What the program says beside its games."""


def said_by(game: AnyGame) -> Said:
    """Give a game's messages."""
    return Said(game.name, str(game.title), game.words)


def template(said: Said) -> polib.POFile:
    """Give the template of catalogues: each message once, sorted by where it is first said. Raises NotLiteral."""
    made = polib.POFile(wrapwidth=120)
    made.metadata = {"Project-Id-Version": said.name, **HEADER}
    made.header = f"The messages of {said.title}. A translation is locale/LANGUAGE.po in {said.package}."
    found: dict[tuple[str, str, str], list[Message]] = {}
    for message in said.messages():
        found.setdefault((message.one, message.many, message.about), []).append(message)
    made.extend(_entry(*message, places) for message, places in found.items())
    return made


def update(catalogue: polib.POFile, made: polib.POFile) -> None:
    """Bring a catalogue up to date: new messages come untranslated; a translation of what is said no more is kept
    aside, as obsolete."""
    told = dict(catalogue.metadata)
    catalogue.merge(made)
    catalogue.metadata = told
    for entry in catalogue.obsolete_entries():
        if not any((entry.msgstr, *entry.msgstr_plural.values())):
            catalogue.remove(entry)


def begun(made: polib.POFile, language: str) -> polib.POFile:
    """Give a new catalogue of a language, with nothing translated."""
    catalogue = polib.POFile(wrapwidth=made.wrapwidth)
    catalogue.metadata = {"Language": language, **made.metadata, "Plural-Forms": _plurals(language)}
    catalogue.header = made.header
    catalogue.merge(made)
    return catalogue


def _plurals(language: str) -> str:
    """Give the header for a language's plural forms; as English has them for one that nothing is known of."""
    try:
        found = get_plural(language)
    except UnknownLocaleError:
        return HEADER["Plural-Forms"]
    return f"nplurals={found.num_plurals}; plural={found.plural_expr};"


def write(said: Said, into: Path, new: Iterable[str] = ()) -> Iterator[str]:
    """Write a template, and its catalogues brought up to date; tell each. new: languages to begin, too.

    Raises NotLiteral; OSError where a file cannot be written.
    """
    made = template(said)
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"{said.name}.pot"
    made.save(str(path))
    yield f"{path}: {len(made)} messages"
    folder = Path(str(resources.files(said.package))) / "locale"
    there = [language for language in languages(said.package) if language != ENGLISH]
    for language in dict.fromkeys([*there, *new]):
        path = folder / f"{language}.po"
        if language in there:
            catalogue = polib.pofile(path.read_text("utf-8"), wrapwidth=made.wrapwidth)
            update(catalogue, made)
        else:
            folder.mkdir(exist_ok=True)
            catalogue = begun(made, language)
        catalogue.save(str(path))
        left = len(catalogue.untranslated_entries()) + len(catalogue.fuzzy_entries())
        yield f"{path}: {left} of {len(made)} messages are to be translated"


def _entry(one: str, many: str, about: str, places: Sequence[Message]) -> polib.POEntry:
    comments = list(dict.fromkeys(place.within for place in places if place.within))
    widths = [place.width for place in places if place.width is not None]
    if widths:
        filled = ", filled in" if "{" in one else ""
        comments.append(f"at most {min(widths)} characters{filled}")
    entry = polib.POEntry(
        msgid=one,
        msgctxt=about or None,
        comment="\n".join(comments),
        occurrences=[(module, "") for module in dict.fromkeys(place.module for place in places)],
        flags=["python-brace-format"] if "{" in one + many else [],
    )
    if many:
        entry.msgid_plural = many
        entry.msgstr_plural = {0: "", 1: ""}
    return entry
