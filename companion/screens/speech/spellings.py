"""Short forms as words, for a voice: which there are is the languages' and the games' own (`spoken.toml`). Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE: Mapping[str, str] = {}
"""Where nothing is written short."""


def spelt(text: str, spellings: Mapping[str, str]) -> str:
    """Give a text with its short forms as words, each also with a capital where a sentence begins with it."""
    if not spellings:
        return text
    table = {word[:1].upper() + word[1:]: said[:1].upper() + said[1:] for word, said in spellings.items()} | {
        **spellings
    }
    return _pattern(tuple(sorted(table, key=len, reverse=True))).sub(lambda found: table[found[0]], text)


@lru_cache(maxsize=8)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    ends = (re.escape(word) + ("" if word.endswith(".") else r"\b") for word in words)
    return re.compile(rf"\b(?:{'|'.join(ends)})")
