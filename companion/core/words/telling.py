"""A whole value said in a language: a scene before it is drawn, whatever a display lays out. Pure.

Displays measure and cut what they write, so they need the words themselves and not what remembers them.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace as replace_struct

from companion.core.words.texts import Text, in_language

if TYPE_CHECKING:
    from companion.core.words.language import Language

Value = TypeVar("Value")


def in_words(value: Value, language: Language) -> Value:
    """Give a value with every text in it said in a language; the same value where that is English.

    value: frozen dataclasses, structs, tuples, lists, dicts and what they hold; what is none of these stays as it is,
    colours too. Names of records stay, since they are no texts.
    """
    return value if language.is_source else _told(value, language)


def _told(value: Any, language: Language) -> Any:
    if isinstance(value, Text):
        return in_language(value, language)
    if value is None or isinstance(value, (str, int, float, bytes, Enum)):
        return value
    if isinstance(value, (tuple, list)):
        told = [_told(one, language) for one in value]
        return type(value)(*told) if hasattr(value, "_fields") else type(value)(told)
    if isinstance(value, dict):
        return {key: _told(one, language) for key, one in value.items()}
    kind: Any = type(value)
    names = _names(kind)
    fields_told = {name: _told(getattr(value, name), language) for name in names}
    change = replace_struct if isinstance(value, Struct) else replace
    return change(value, **fields_told) if names else value


@cache
def _names(kind: Any) -> tuple[str, ...]:
    """Give the fields of a dataclass or a struct; () for what is neither."""
    if issubclass(kind, Struct):
        return tuple(kind.__struct_fields__)
    return tuple(one.name for one in fields(kind) if one.init) if is_dataclass(kind) else ()
