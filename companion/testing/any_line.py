"""Lines that may or may not fit, of every type that a game knows: what a record could hold and a game must refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

from companion.core.errors import Malformed
from companion.core.record.lines import NOTES, STANDARD_LINES, Setup, Undo, dump_line, parse_line

if TYPE_CHECKING:
    from random import Random

    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame

_NEVER_SEEN = (*NOTES, Setup, Undo)
NUMBERS = (-(10**12), -1, 0, 1, 2, 3, 5, 10, 10**9)


def any_line(game: AnyGame, words: list[str], random: Random) -> Line | None:
    """Give a line of a random type with random fields; None where these cannot be in a record.

    words: texts that fields of this game have held.
    """
    types = [*(kind for kind in STANDARD_LINES if kind not in _NEVER_SEEN), *game.lines]
    kind = random.choice(types)
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined]  # of a Struct it is a StructType
    given = {field.name: _value(field.type, words, random) for field in fields if field.name != "wall"}
    return readable(kind(**given), game)


def perturbed(line: Line, game: AnyGame, words: list[str], random: Random) -> Line | None:
    """Give a line with one of its fields changed; None where it has none, or the change cannot be in a record."""
    fields = [field for field in inspect.type_info(type(line)).fields if field.name != "wall"]  # type: ignore[attr-defined]
    if not fields:
        return None
    field = random.choice(fields)
    return readable(msgspec.structs.replace(line, **{field.name: _value(field.type, words, random)}), game)


def readable(line: Line, game: AnyGame) -> Line | None:
    """Give the line as a record's reader gives it, None where it refuses it."""
    try:
        return parse_line(dump_line(line), 1, game.lines)
    except (Malformed, TypeError, OverflowError):
        return None


def texts_of(line: Line) -> list[str]:
    """Give the texts in a line's fields."""
    values = [getattr(line, field.name) for field in msgspec.structs.fields(line)]
    return [
        text for value in values for text in (value if isinstance(value, tuple) else (value,)) if isinstance(text, str)
    ]


def _value(kind: inspect.Type, words: list[str], random: Random) -> Any:  # noqa: PLR0911 - a case a type
    match kind:
        case inspect.UnionType():
            return _value(random.choice(kind.types), words, random)
        case inspect.EnumType():
            return random.choice(list(kind.cls))
        case inspect.LiteralType():
            return random.choice(kind.values)
        case inspect.BoolType():
            return random.random() < 0.5
        case inspect.IntType():
            return random.choice(NUMBERS)
        case inspect.StrType():
            return random.choice(words) if words and random.random() < 0.9 else "no such thing"
        case inspect.VarTupleType():
            return tuple(_value(kind.item_type, words, random) for _ in range(random.randint(0, 3)))
        case inspect.TupleType():
            return tuple(_value(item, words, random) for item in kind.item_types)
    return None
