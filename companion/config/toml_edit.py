"""Edits a TOML file in place: what people wrote into it (comments, order, empty lines) stays. Knows no setting.

tomlkit is imported only where a file is written: reading, and so the start, does without.
"""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, Any

from companion.core.errors import Malformed
from companion.files import durable
from companion.files.reading import MIB, NotThere, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tomlkit import TOMLDocument


def edit(path: Path, heading: str, change: Callable[[TOMLDocument], None]) -> None:
    """Change a file, durably, whole or not at all; its mode stays. A new one begins with `heading` as its comment.

    Raises OSError, Malformed: what is there is no TOML.
    """
    import tomlkit  # noqa: PLC0415 - see above
    from tomlkit.exceptions import ParseError  # noqa: PLC0415

    try:
        document = tomlkit.parse(read_text(path, MIB))
    except NotThere:
        document = tomlkit.document()
        document.add(tomlkit.comment(heading))
    except ParseError as error:
        raise Malformed(f"{path}: not TOML: {error}") from error
    change(document)
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else durable.PUBLIC_MODE
    durable.put(path, tomlkit.dumps(document).encode(), mode)


def table_of(parent: Any, name: str) -> Any:
    """Give the table of this name in a document or table; an empty one is put there where there is none."""
    import tomlkit  # noqa: PLC0415

    if name not in parent:
        parent[name] = tomlkit.table()
    return parent[name]


def set_all(table: Any, wanted: Mapping[str, object]) -> None:
    """Make a table hold exactly this, with keys in quotes; what is equal already is not touched."""
    from tomlkit.items import KeyType, SingleKey  # noqa: PLC0415

    for key in [key for key in table if key not in wanted]:
        del table[key]
    for key, value in wanted.items():
        if key not in table:
            table[SingleKey(key, KeyType.Basic)] = value
        elif table[key] != value:
            table[key] = value


def set_list(table: Any, name: str, wanted: Sequence[str]) -> None:
    """Make a list hold exactly this, item by item, so that comments between its items stay."""
    old = table.get(name)
    if old is None or len(old) != len(wanted):
        if old != list(wanted):
            table[name] = list(wanted)
        return
    for index, item in enumerate(wanted):
        if old[index] != item:
            old[index] = item
