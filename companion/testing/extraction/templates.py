"""Templates of catalogues, and catalogues brought up to date with them."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import polib

from companion.config.languages import ENGLISH, languages
from companion.testing.extraction.messages import messages

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


def template(game: AnyGame) -> polib.POFile:
    """Give the template of a game's catalogues: each message once, sorted by where it is first said.

    Raises NotLiteral.
    """
    made = polib.POFile(wrapwidth=120)
    made.metadata = {"Project-Id-Version": game.name, **HEADER}
    made.header = f"The messages of {game.title}. A translation is locale/LANGUAGE.po in {game.words}."
    found: dict[tuple[str, str], list[Message]] = {}
    for message in messages(game.words):
        found.setdefault((message.one, message.many), []).append(message)
    made.extend(_entry(one, many, places) for (one, many), places in found.items())
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
    catalogue.metadata = {"Language": language, **made.metadata}
    catalogue.header = made.header
    catalogue.merge(made)
    return catalogue


def write(game: AnyGame, into: Path, new: Iterable[str] = ()) -> Iterator[str]:
    """Write a game's template, and its catalogues brought up to date; tell each. new: languages to begin, too.

    Raises NotLiteral; OSError where a file cannot be written.
    """
    made = template(game)
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"{game.name}.pot"
    made.save(str(path))
    yield f"{path}: {len(made)} messages"
    folder = Path(str(resources.files(game.words))) / "locale"
    there = [language for language in languages(game.words) if language != ENGLISH]
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


def _entry(one: str, many: str, places: Sequence[Message]) -> polib.POEntry:
    comments = list(dict.fromkeys(place.within for place in places if place.within))
    widths = [place.width for place in places if place.width is not None]
    if widths:
        filled = ", filled in" if "{" in one else ""
        comments.append(f"at most {min(widths)} characters{filled}")
    entry = polib.POEntry(
        msgid=one,
        comment="\n".join(comments),
        occurrences=[(module, "") for module in dict.fromkeys(place.module for place in places)],
        flags=["python-brace-format"] if "{" in one + many else [],
    )
    if many:
        entry.msgid_plural = many
        entry.msgstr_plural = {0: "", 1: ""}
    return entry
