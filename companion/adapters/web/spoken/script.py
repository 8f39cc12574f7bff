"""What the scripts of the pages say in a language, as a script that runs before them: so no page is English first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from companion.core.words.language import Language
    from companion.ports import Languages

CATALOGUE = "companion.adapters.web"
"""The package whose `locale` has what the scripts and the templates say."""
UNDER = "/words/"
SCRIPT = "text/javascript; charset=utf-8"


def address_of(language: Language) -> str:
    """Give where a language's words are."""
    return f"{UNDER}{language.code}.js"


def words_at(address: str, languages: Languages) -> bytes | None:
    """Give the words at an address as a script, None where that is none of a language."""
    code = address.removeprefix(UNDER).removesuffix(".js")
    language = languages.find(code)
    if language is None or address != address_of(language):
        return None
    return b"globalThis.companionWords = " + encode(languages.page_words(language)) + b";\n"
