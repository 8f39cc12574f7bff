"""Values as JSON, and as plain values, with the texts in them said in a language: English for all that is kept.

The one place for it: msgspec does not write what is a `str` and more than one, so every encoder of the program is of
here (tests/core/words/test_encoders.py). Whatever a program reads again has no language.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from companion.core.words.texts import Text, in_language, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.words.language import Language


def _in_english(value: Any) -> str:
    """Give a text as it stands. Raises NotImplementedError for what JSON has no way to say."""
    if isinstance(value, Text):
        return plain(value)
    raise NotImplementedError(f"{type(value).__name__} has no place in a document")


encode: Callable[[Any], bytes] = msgspec.json.Encoder(enc_hook=_in_english).encode
"""Write a value as JSON, its texts in English."""


@lru_cache(maxsize=16)
def encoder(language: Language) -> Callable[[Any], bytes]:
    """Give what writes values as JSON with their texts in a language."""
    if language.is_source:
        return encode

    def said(value: Any) -> str:
        return str(in_language(value, language)) if isinstance(value, Text) else _in_english(value)

    return msgspec.json.Encoder(enc_hook=said).encode


def builtins(value: Any) -> Any:
    """Give a value as dicts, lists and what JSON has, its texts in English strings."""
    return msgspec.to_builtins(value, enc_hook=_in_english)


def told(value: Any) -> Any:
    """Give a value as dicts and lists whose texts still are texts: a document that is put into words at the edge.

    value: structs without tags, and what they hold.
    """
    if isinstance(value, msgspec.Struct):
        return {name: told(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, (list, tuple)):
        return [told(one) for one in value]
    if isinstance(value, dict):
        return {name: told(one) for name, one in value.items()}
    return value
