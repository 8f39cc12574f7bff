"""Every setting of a box in words, from the types that read the file: for help pages. Opens nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import inspect

from companion.config.pins import PinMap
from companion.config.reading import allowed
from companion.config.settings import Seats, SeatSettings, Settings
from companion.config.toml_file import toml_value

if TYPE_CHECKING:
    from collections.abc import Iterator

UNITS = {
    "_ms": "milliseconds", "_us": "microseconds", "_s": "seconds", "_hz": "per second", "_days": "days",
    "_gpio": "number of a GPIO",
}  # fmt: skip
"""What a key's ending says of its number."""


class SettingWords(NamedTuple):
    """A setting. unit: empty where a number has none, or it is no number. default: as the file would say it."""

    key: str
    says: str
    unit: str
    default: str
    allowed: str


class TableWords(NamedTuple):
    """A table of the settings file, with its settings in the file's order. name: "seats.COLOUR" for all five."""

    name: str
    says: str
    settings: tuple[SettingWords, ...]


def described() -> tuple[TableWords, ...]:
    """Give every table but that of the pins, which has no keys of its own: with what each setting means."""
    return tuple(_tables())


def _tables() -> Iterator[TableWords]:
    for field in msgspec.structs.fields(Settings):
        if field.type is PinMap:
            continue
        is_of_seats = field.type is Seats
        kind = SeatSettings if is_of_seats else field.type
        name = f"{field.name}.COLOUR" if is_of_seats else field.name
        yield TableWords(name, (kind.__doc__ or "").strip(), tuple(_settings(kind)))


def _settings(kind: type[msgspec.Struct]) -> Iterator[SettingWords]:
    values = kind()
    for field in msgspec.structs.fields(kind):
        known = inspect.type_info(field.type)
        if not isinstance(known, inspect.Metadata):
            raise TypeError(f"a setting without a description: {field.name}")
        says = (known.extra_json_schema or {})["description"]
        default = _default(getattr(values, field.name), known)
        unit = next((words for ending, words in UNITS.items() if field.name.endswith(ending)), "")
        yield SettingWords(field.name, f"{says}.", unit, default, allowed(known))


def _default(value: Any, kind: inspect.Metadata) -> str:
    if value is None:
        return "not set"
    return f"{value:#x}" if (kind.extra or {}).get("hex") else toml_value(value)
