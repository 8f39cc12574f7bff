"""Writes the whole effective configuration as TOML with a comment on each key; it reads back to the same settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import inspect

from companion.config.pins import HEADER_PIN
from companion.config.reading import allowed
from companion.config.settings import SeatSettings, Settings
from companion.config.toml_file import Key, dotted, toml_value

if TYPE_CHECKING:
    from collections.abc import Iterator

_WIDTH = 110


def render(settings: Settings) -> str:
    """Give the text of a configuration file with every key, its meaning, what is allowed, and its value."""
    return "\n".join(_tables(settings)) + "\n"


def _tables(settings: Settings) -> Iterator[str]:
    for field in msgspec.structs.fields(Settings):
        if field.name == "seats":
            for seat in msgspec.structs.fields(type(settings.seats)):
                yield from _table(("seats", seat.name), getattr(settings.seats, seat.name))
        elif field.name == "pins":
            yield from _pins(settings)
        else:
            yield from _table((field.name,), getattr(settings, field.name))


def _table(key: Key, table: msgspec.Struct) -> Iterator[str]:
    if key != ("box",):
        yield ""
    summary = (type(table).__doc__ or "").rstrip(".")
    yield f"# {summary.replace('one colour', key[-1]) if isinstance(table, SeatSettings) else summary}."
    yield f"[{dotted(key)}]"
    for field in msgspec.structs.fields(type(table)):
        kind = inspect.type_info(field.type)
        value = getattr(table, field.name)
        yield from _comment(kind)
        yield f"# {field.name} = (not set)" if value is None else f"{field.name} = {_literal(value, kind)}"


def _comment(kind: inspect.Type) -> Iterator[str]:
    if not isinstance(kind, inspect.Metadata):
        raise TypeError(f"a setting without a description: {kind}")
    text = f"{(kind.extra_json_schema or {})['description']}. Allowed: {allowed(kind)}"
    line = "#"
    for word in text.split(" "):
        if len(line) + len(word) >= _WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def _literal(value: Any, kind: inspect.Type) -> str:
    is_hex = isinstance(kind, inspect.Metadata) and (kind.extra or {}).get("hex")
    return f"{value:#x}" if is_hex else toml_value(value)


def _pins(settings: Settings) -> Iterator[str]:
    yield ""
    yield "# What is connected to which GPIO. This table as a whole takes the place of the built-in one: what is not"
    yield "# named here is not connected."
    yield "[pins]"
    for name, gpio in settings.pins.named.items():
        yield f"{dotted((name,))} = {gpio}  # pin {HEADER_PIN[gpio]} of the header"
