"""The file that says which pod's line is which button (`pods.toml`): read, checked, written. Opens no port.

[pods.e6614104032a5b28]          the pod's unique id
name = "west"
lines = ["red first", "red second", "", "red fourth"]     in the order of the pod's inputs; "" for none
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config.settings import NAME_LENGTH
from companion.config.toml_edit import edit, set_list, table_of
from companion.config.toml_file import Origins, TomlFile, did_you_mean
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH
from companion.core.pods.messages import MOST_LINES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tomlkit import TOMLDocument

    from companion.config.settings import Pods

LABELS = (*BUTTON_BY_LABEL, KNOB_PUSH)
"""What a line can be."""


@dataclass(frozen=True, slots=True)
class PodEntry:
    """One pod's part of the file. labels: of its lines in their order, None for a line without use."""

    name: str
    labels: tuple[str | None, ...]


def pods_file(pods: Pods, folder: Path) -> Path:
    """Give where the file is, in `folder` (where matches are kept) unless the settings say; it need not exist yet."""
    return Path(pods.file).expanduser() if pods.file else folder / "pods.toml"


def read_pods(path: Path) -> dict[str, PodEntry]:
    """Give the pods by unique id; none where there is no file. Raises Malformed, Unavailable."""
    if not path.exists():
        return {}
    file = TomlFile(path)
    origins = Origins(file)
    for key in file.table.keys() - {"pods"}:
        raise origins.wrong((key,), f"there is no such table; {did_you_mean(key, ['pods'])}")
    tables = file.table.get("pods", {})
    if not isinstance(tables, dict):
        raise origins.wrong(("pods",), "must hold a table for each pod", tables)
    found = {unique_id: _entry(unique_id, table, origins) for unique_id, table in tables.items()}
    _check_uses(found, origins)
    return found


def write_pods(path: Path, pods: Mapping[str, PodEntry]) -> None:
    """Write the file, whole or not at all; the comments in it stay. Raises OSError, Malformed."""

    def change(document: TOMLDocument) -> None:
        if not pods and "pods" not in document:
            return
        tables = table_of(document, "pods")
        for unique_id in [unique_id for unique_id in tables if unique_id not in pods]:
            del tables[unique_id]
        for unique_id, pod in pods.items():
            table = table_of(tables, unique_id)
            if table.get("name") != pod.name:
                table["name"] = pod.name
            set_list(table, "lines", [label or "" for label in pod.labels])

    path.parent.mkdir(parents=True, exist_ok=True)
    edit(path, "Which pod's line is which button. Written by companion pods; may be edited.", change)


def _entry(unique_id: str, table: object, origins: Origins) -> PodEntry:
    key = ("pods", unique_id)
    if not re.fullmatch(r"[0-9a-f]{16}", unique_id):
        raise origins.wrong(key, "a pod's id is 16 digits 0-9a-f, as companion pods list shows it")
    if not isinstance(table, dict):
        raise origins.wrong(key, "must be a table", table)
    for name in table.keys() - {"name", "lines"}:
        raise origins.wrong((*key, name), f"there is no such key; {did_you_mean(name, ['name', 'lines'])}")
    name = table.get("name", unique_id[-6:])
    if not isinstance(name, str) or not re.fullmatch(rf"[\w-]{{1,{NAME_LENGTH}}}", name):
        raise origins.wrong((*key, "name"), f"must be a word of at most {NAME_LENGTH} letters, digits, - and _", name)
    lines = table.get("lines", [])
    if not isinstance(lines, list) or len(lines) > MOST_LINES:
        raise origins.wrong((*key, "lines"), f"must be a list of at most {MOST_LINES} buttons", lines)
    for label in lines:
        if label != "" and label not in LABELS:
            raise origins.wrong((*key, "lines"), f"{label!r} is no button; {did_you_mean(str(label), LABELS)}")
    return PodEntry(name, tuple(label or None for label in lines))


def _check_uses(pods: Mapping[str, PodEntry], origins: Origins) -> None:
    """No name twice, and no button twice on one pod (on two pods it may be: a player may have two)."""
    names: dict[str, str] = {}
    for unique_id, pod in pods.items():
        if pod.name in names:
            raise origins.wrong(("pods", unique_id, "name"), f"pod {names[pod.name]} has this name already", pod.name)
        names[pod.name] = unique_id
        labels = [label for label in pod.labels if label is not None]
        for label in labels:
            if labels.count(label) > 1:
                raise origins.wrong(("pods", unique_id, "lines"), f'"{label}" stands there twice')
