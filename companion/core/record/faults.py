"""Says what is wrong with a line that cannot be read: which field, what stands there, what would be right.

Only runs where something is wrong or unusual, so it may be slow; the decoder in `record` decides, this explains. Works
from the declared fields of the line types; knows none of them by name.
"""

from __future__ import annotations

import json
import re
from calendar import monthrange
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
from msgspec import inspect

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_LONGEST_QUOTE = 60
_BOM = "\ufeff"
_END = r"\Z"  # of a pattern; people read it without
_RFC3339 = re.compile(
    r"(\d{4})-(0[1-9]|1[0-2])-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?"
    r"([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


def is_rfc3339(text: str) -> bool:
    """Tell whether `text` is a date-time of RFC 3339 (with its offset; second 60 is a leap second)."""
    match = _RFC3339.fullmatch(text)
    if match is None:
        return False
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    # The calendar of year 0 is that of 2000: both are leap years, and the module knows none before 1.
    return day >= 1 and (day <= 28 or day <= monthrange(year or 2000, month)[1])


def load_strictly(text: str) -> Any:
    """Read JSON text. Raises ValueError for doubled fields, `null`, NaN and infinities, lone surrogates, depth."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError:
        raise ValueError("not a line of a record: nested too deeply") from None


def explain(raw: bytes | str, lines: Sequence[type[msgspec.Struct]], error: Exception) -> str:
    """Give one sentence on why `raw` is none of `lines`; `error` is what the decoder said, the last resort."""
    try:
        fields = load_strictly(_text(raw))
        return _fault_of_line(fields, lines) or str(error)
    except ValueError as fault:
        return str(fault)


def _text(raw: bytes | str) -> str:
    if isinstance(raw, bytes):
        try:
            raw = raw.decode()
        except UnicodeDecodeError as error:
            raise ValueError(f"not UTF-8: {error.reason} at byte {error.start + 1}") from error
    if not raw.strip(" \t\r\n"):
        raise ValueError("the line is blank; every line of a record is one JSON object")
    if raw.startswith(_BOM):
        raise ValueError("the line begins with a byte order mark; a record is UTF-8 without one")
    _check_text("the line", raw)
    return raw


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise ValueError(f"field {_field(key)} stands there twice")
        if value is None:
            raise ValueError(f"field {_field(key)}: null is no value; leave the field out")
        _check_text("a field's name", key)
        for text in _texts(value):
            _check_text(f"field {_field(key)}", text)
        fields[key] = value
    return fields


def _texts(value: object) -> Iterable[str]:
    if isinstance(value, str):
        return (value,)
    return (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _check_text(where: str, text: str) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{where}: half of a surrogate pair is not a character")


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"not JSON: {name} is not a number")


def _integer(digits: str) -> int:
    # Longer ones are wrong in any field; Python refuses to read thousands of digits at all.
    return int(digits[:40])


def _fault_of_line(fields: object, lines: Sequence[type[msgspec.Struct]]) -> str | None:
    if not isinstance(fields, dict):
        return f"every line of a record is one JSON object; this is {_quote(fields)}"
    by_tag = {str(line.__struct_config__.tag): line for line in lines}
    if "type" not in fields:
        return "field `type` is missing"
    tag = fields["type"]
    if not isinstance(tag, str) or tag not in by_tag:
        return f"field `type`: {_quote(tag)} is not a line of a record; allowed: {', '.join(by_tag)}"
    return _fault(inspect.type_info(by_tag[tag]), fields, "")


def _fault(expected: inspect.Type, value: object, where: str) -> str | None:
    """Give what is wrong with the value of the field `where` (empty: the line itself), None where nothing is."""
    match expected:
        case inspect.UnionType():
            options = [kind for kind in expected.types if not isinstance(kind, inspect.NoneType)]
            return _fault(options[0], value, where)
        case inspect.StructType():
            return _fault_of_object(expected, value, where)
        case inspect.VarTupleType():
            return _fault_of_list(expected, value, where)
        case inspect.DictType():
            return _fault_of_map(expected, value, where)
    if _fits(expected, value):
        return None
    return f"field {_field(where)}: {_quote(value)} is not {_name(expected)}"


def _fits(expected: inspect.Type, value: object) -> bool:
    match expected:
        case inspect.EnumType():
            return isinstance(value, str) and value in [member.value for member in expected.cls]
        case inspect.LiteralType():
            return isinstance(value, str) and value in expected.values
        case inspect.IntType():
            low, high = expected.ge, expected.le
            return type(value) is int and (low is None or value >= low) and (high is None or value <= high)
        case inspect.StrType():
            return isinstance(value, str) and (expected.pattern is None or bool(re.search(expected.pattern, value)))
        case inspect.BoolType():
            return isinstance(value, bool)
    return True


def _name(expected: inspect.Type) -> str:
    match expected:
        case inspect.EnumType():
            return f"a {expected.cls.__name__.lower()}; allowed: {', '.join(expected.cls)}"
        case inspect.LiteralType():
            return f"one of: {', '.join(map(str, expected.values))}"
        case inspect.IntType():
            return _name_of_range(expected)
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType(pattern=str(pattern)):
            return f"a text of the form {pattern.removesuffix(_END)}"
    return "a text"


def _name_of_range(expected: inspect.IntType) -> str:
    if expected.le is not None:
        return f"an integer from {expected.ge} to {expected.le}"
    return "an integer" if expected.ge is None else f"an integer from {expected.ge} on"


def _fault_of_list(expected: inspect.VarTupleType, value: object, where: str) -> str | None:
    if not isinstance(value, list):
        return f"field {_field(where)}: {_quote(value)} is not a list"
    faults = (_fault(expected.item_type, item, f"{where}[{index}]") for index, item in enumerate(value))
    return next((fault for fault in faults if fault), None)


def _fault_of_map(expected: inspect.DictType, value: object, where: str) -> str | None:
    if not isinstance(value, dict):
        return f"field {_field(where)}: {_quote(value)} is not an object"
    for key, item in value.items():
        fault = _fault(expected.key_type, key, where) or _fault(expected.value_type, item, f"{where}.{key}")
        if fault:
            return fault
    return None


def _fault_of_object(expected: inspect.StructType, value: object, where: str) -> str | None:
    if not isinstance(value, dict):
        return f"field {_field(where)}: {_quote(value)} is not an object"
    fields = {field.encode_name: field for field in expected.fields}
    prefix = f"{where}." if where else ""
    for key, item in value.items():
        if key in fields:
            fault = _fault(fields[key].type, item, prefix + key)
            if fault:
                return fault
        elif where or key != "type":
            return f"unknown field {_field(prefix + key)}; allowed: {', '.join(fields)}"
    missing = [key for key, field in fields.items() if field.required and key not in value]
    return f"field {_field(prefix + missing[0])} is missing" if missing else None


def _field(name: str) -> str:
    return f"`{_shortened(name.encode('unicode_escape').decode())}`"


def _quote(value: object) -> str:
    return _shortened(repr(value) if isinstance(value, str) else json.dumps(value))


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
