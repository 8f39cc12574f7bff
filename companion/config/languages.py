"""The words of a package in other languages: gettext's catalogues, read from its `.po` files as they stand.

`locale/LANGUAGE.po` in the package holds a language; English is the language of the messages themselves. The files are
read when a language is first asked for, so nothing has to be compiled before a package is installed.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO

ENGLISH = "en"


@cache
def languages(package: str) -> tuple[str, ...]:
    """Give the languages that a package has words in, sorted, English among them. package: its import name, or ""."""
    found = {ENGLISH}
    folder = resources.files(package).joinpath("locale") if package else None
    if folder is not None and folder.is_dir():
        found |= {entry.name.removesuffix(".po") for entry in folder.iterdir() if entry.name.endswith(".po")}
    return tuple(sorted(found))


@cache
def translation(package: str, language: str) -> NullTranslations:
    """Give a package's messages in a language; English where it does not have it."""
    if language == ENGLISH or language not in languages(package):
        return NullTranslations()
    import polib  # noqa: PLC0415 - only those who read another language pay for it

    text = resources.files(package).joinpath("locale", f"{language}.po").read_text("utf-8")
    binary: bytes = polib.pofile(text).to_binary()
    return GNUTranslations(BytesIO(binary))
