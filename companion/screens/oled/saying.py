"""The language that a picture is being drawn in: texts are said in it before they are measured, cut and put together.

A scene comes with its texts said already; what the pictures say by themselves goes through `said`. Each thread draws
for itself, so the language is the context's.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from companion.core.words.language import ENGLISH
from companion.core.words.texts import in_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.words.language import Language

_SPOKEN: ContextVar[Language] = ContextVar("the language of the picture", default=ENGLISH)


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Draw in a language."""
    before = _SPOKEN.set(language)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def said(words: str) -> str:
    """Give a text in the language of the picture; a plain string as it is."""
    spoken: str = in_language(words, _SPOKEN.get())
    return spoken


def is_translated() -> bool:
    """Tell whether pictures are in another language than English."""
    return not _SPOKEN.get().is_source
