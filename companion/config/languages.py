"""The languages that there are, and the words of a package in them: gettext's catalogues.

`locale/LANGUAGE.po` in a package holds a language; English is the language of the messages themselves. A built package
has each compiled beside it (`.mo`: hatch_build.py), which is read at once; a `.po` alone, as a checkout or somebody's
game has it, is compiled in memory when its language is first asked for. Who speaks English pays for neither.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib import resources
from io import BytesIO
from typing import TYPE_CHECKING, Any

from companion.core.words.language import ENGLISH as SOURCE
from companion.core.words.language import Language, Spoken, signs_of
from companion.core.words.texts import PROGRAM, text
from companion.files.durable import put

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable
    from pathlib import Path

ENGLISH = "en"
KEPT = "language"
"""The file in the state directory that has what was chosen at the box, and what the settings said then."""
PAGES = "companion.adapters.web"
"""The package whose catalogue has what the pages say by themselves: their scripts and templates."""
_NAMES = {"de": "Deutsch", "fr": "Français", "it": "Italiano"}
"""Each language's own name; one that is not here is called by its code."""


@cache
def languages(package: str) -> tuple[str, ...]:
    """Give the languages that a package has words in, sorted, English among them. package: its import name, or ""."""
    found = {ENGLISH}
    folder = _folder(package)
    if folder is not None:
        found |= {entry.name.rpartition(".")[0] for entry in folder.iterdir() if entry.name.endswith((".po", ".mo"))}
    return tuple(sorted(found))


@cache
def translation(package: str, language: str) -> NullTranslations:
    """Give a package's messages in a language; English where it does not have it."""
    if language == ENGLISH or language not in languages(package):
        return NullTranslations()
    folder = resources.files(package).joinpath("locale")
    compiled = folder.joinpath(f"{language}.mo")
    if compiled.is_file():
        return GNUTranslations(BytesIO(compiled.read_bytes()))
    import polib  # noqa: PLC0415 - only those who read another language pay for it

    binary: bytes = polib.pofile(folder.joinpath(f"{language}.po").read_text("utf-8")).to_binary()
    return GNUTranslations(BytesIO(binary))


def entries(package: str, language: str) -> dict[str, str | list[str]]:
    """Give all messages of a package in a language, for what looks them up elsewhere; of those about a number of
    things, each form, by the first of its messages. {} where the package does not have the language."""
    found: dict[str, str | list[str]] = {}
    catalogue: dict[Any, str] = getattr(translation(package, language), "_catalog", {})
    for key, said in catalogue.items():
        if not isinstance(key, tuple):
            found |= {key: said} if key else {}
            continue
        forms = found.setdefault(key[0], [])
        if isinstance(forms, list):
            forms += [""] * (key[1] + 1 - len(forms))
            forms[key[1]] = said
    return found


@cache
def language(code: str) -> Language:
    """Give a language by its code; English for one that nothing is known of."""
    if code == ENGLISH:
        return SOURCE
    return Language(code, _NAMES.get(code, code), lambda package: translation(package, code), signs_of(code))


class Languages(Spoken):
    """The languages that the program has, and what a box speaks of them. kept: where what was chosen at the box stays.

    What was chosen at the box holds until its settings say something else than when it was chosen. on_fault: told why a
    choice could not be kept.
    """

    def __init__(self, box: str = ENGLISH, kept: Path | None = None) -> None:
        codes = sorted(languages(PROGRAM), key=lambda code: (code != ENGLISH, code))
        super().__init__(language(box), tuple(language(code) for code in codes))
        self._setting, self._kept = box, kept
        self.on_fault: Callable[[str], None] | None = None
        chosen, _, setting = self._read().partition(" ")
        if setting == box and (found := self.find(chosen)) is not None:
            self.box = found

    def speak(self, language: Language) -> None:
        """Have the box speak a language from now on, and after a restart too where that can be kept."""
        super().speak(language)
        if self._kept is None:
            return
        try:
            put(self._kept, f"{language.code} {self._setting}\n".encode())
        except OSError as error:
            if self.on_fault is not None:
                self.on_fault(text("the language cannot be kept: {why}").format(why=error.strerror or error))

    def _read(self) -> str:
        """Give what was kept; empty where nothing was, or that cannot be read: then the setting holds."""
        try:
            return "" if self._kept is None else self._kept.read_text("ascii").strip()
        except (OSError, ValueError):
            return ""

    def find(self, code: str) -> Language | None:
        """Give a language by its code ("it", "it-CH"), None where the program does not have it."""
        name = code.partition("-")[0].lower()
        return next((one for one in self.all if one.code == name), None)

    def page_words(self, language: Language) -> dict[str, str | list[str]]:
        """Give what the scripts of the pages say, by its English message; {} for English."""
        return entries(PAGES, language.code)


@cache
def languages_of(box: str, folder: Path | None = None) -> Languages:
    """Give the languages of a box whose settings say `box`, the same ones to everybody who asks.

    folder: its state directory, in which a choice is kept.
    """
    return Languages(box, None if folder is None else folder / KEPT)


def _folder(package: str) -> Traversable | None:
    folder = resources.files(package).joinpath("locale") if package else None
    return folder if folder is not None and folder.is_dir() else None
