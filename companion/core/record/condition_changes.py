"""What has changed of the conditions under which times are taken, in words for a remark (`record.md`, Conditions)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.record.lines import Remark
from companion.core.words.encoding import builtins

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from companion.core.record.lines import Conditions, Line

NOTHING = "none"
CONDITIONS = "conditions"
"""The source of remarks about them."""
UNCHANGED = "the conditions are again as when the match began"


def changes(before: Conditions, after: Conditions) -> tuple[str, ...]:
    """Name each condition that is another one now, with its old and its new value; () where none is.

    `confirmed` is left out: who agreed belongs to the match.
    """
    old, new = dict(_flat(before)), dict(_flat(after))
    names = [*old, *(name for name in new if name not in old)]
    return tuple(
        f"{name} {old.get(name, NOTHING)} -> {new.get(name, NOTHING)}"
        for name in names
        if old.get(name) != new.get(name)
    )


def remark_of(found: Sequence[str]) -> str:
    """Give the remark's text for these changes."""
    return f"other conditions than when the match began: {'; '.join(found)}" if found else UNCHANGED


def newest_remark(newest_first: Iterable[Line]) -> str | None:
    """Give the text of the newest remark about conditions, None where there is none."""
    remarks = (line for line in newest_first if isinstance(line, Remark) and line.source == CONDITIONS)
    return next((remark.text for remark in remarks), None)


def _flat(conditions: Conditions) -> Iterator[tuple[str, str]]:
    fields: dict[str, Any] = builtins(conditions)
    seats, sources = fields.pop("seats"), fields.pop("sources")
    del fields["confirmed"]
    yield from _said("", fields)
    for colour, seat in seats.items():
        yield from _said(f"{colour} ", seat)
    for source in sources:
        yield from _said(f"{source.pop('name')} ", source)


def _said(of: str, fields: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if value is not None:
            yield of + name, ", ".join(value) or NOTHING if isinstance(value, (list, tuple)) else str(value)
