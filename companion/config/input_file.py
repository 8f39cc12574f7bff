"""The file that says which input device's key is which button (`inputs.toml`): read, checked, written.

[devices."usb 1234:0001 number A1"]    one device: its model, and its own number or the port it hangs at
name = "pad"                           for people
title = "Generic USB Switch"           what it calls itself
[devices."usb 1234:0001 number A1".keys]
BTN_A = "red first"                    a key, by the kernel's name
"ABS_Z+" = "red second"                a trigger, a stick or a hat, in a direction
ANY = "red third"                      whichever else of its keys is pressed

[models."usb 1234:0001"]               all devices built alike
delay_us = 9800                        the longest from a press to its stamp, as measured
trials = 40
measured = "2026-11-23"

[lines]                                lines of other sources that are another button than they are called
"gpiod: yellow first" = "red second"
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.config.settings import NAME_LENGTH
from companion.config.toml_edit import edit, set_all, table_of
from companion.config.toml_file import Origins, TomlFile, did_you_mean
from companion.core.assigning.rewiring import Wire
from companion.core.panel import BUTTON_BY_LABEL, KNOB_PUSH

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from tomlkit import TOMLDocument

LABELS = (*BUTTON_BY_LABEL, KNOB_PUSH)
"""What a key can be."""
LONGEST_DELAY_US = 2_000_000
_KEY = re.compile(r"ANY|(KEY|BTN)_\w{1,40}|ABS_\w{1,40}[+-]")
_TABLES = ("devices", "models", "lines")


@dataclass(frozen=True, slots=True)
class InputEntry:
    """One device's part of the file. title: what it calls itself. keys: what each of its keys is."""

    name: str
    title: str = ""
    keys: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """How long devices of a model take. delay_us: at most, from the press to its stamp. measured: the date."""

    delay_us: int
    trials: int = 0
    measured: str = ""


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the file says. devices, models: by what an adapter calls them. lines: of other sources."""

    devices: Mapping[str, InputEntry] = field(default_factory=dict)
    models: Mapping[str, MeasuredModel] = field(default_factory=dict)
    lines: Mapping[Wire, str] = field(default_factory=dict)


def inputs_file(folder: Path) -> Path:
    """Give where the file is, in `folder` (where matches are kept); it need not exist yet."""
    return folder / "inputs.toml"


def read_inputs(path: Path) -> Inputs:
    """Give what the file says, nothing where there is none. Raises Malformed, Unavailable."""
    if not path.exists():
        return Inputs()
    file = TomlFile(path)
    origins = Origins(file)
    for key in file.table.keys() - set(_TABLES):
        raise origins.wrong((key,), f"there is no such table; {did_you_mean(key, _TABLES)}")
    for key in _TABLES:
        if not isinstance(file.table.get(key, {}), dict):
            raise origins.wrong((key,), "must be a table", file.table[key])
    devices = {key: _device(key, table, origins) for key, table in file.table.get("devices", {}).items()}
    _check_names(devices, origins)
    return Inputs(
        devices,
        {key: _model(key, table, origins) for key, table in file.table.get("models", {}).items()},
        {_wire(key, origins): _label(("lines", key), to, origins) for key, to in file.table.get("lines", {}).items()},
    )


def write_inputs(path: Path, inputs: Inputs) -> None:
    """Write the file, whole or not at all; the comments in it stay. Raises OSError, Malformed."""

    def change(document: TOMLDocument) -> None:
        _put(document, "devices", {key: _of_device(one) for key, one in inputs.devices.items()})
        _put(document, "models", {key: _of_model(one) for key, one in inputs.models.items()})
        lines = {f"{wire.source}: {wire.line}": label for wire, label in inputs.lines.items()}
        if lines or "lines" in document:
            set_all(table_of(document, "lines"), lines)

    path.parent.mkdir(parents=True, exist_ok=True)
    edit(path, "Which input is which button. Written by companion inputs and at the box; may be edited.", change)


def _put(document: TOMLDocument, name: str, wanted: Mapping[str, Mapping[str, Any]]) -> None:
    """Make a table of tables hold exactly this."""
    if not wanted and name not in document:
        return
    tables = table_of(document, name)
    for key in [key for key in tables if key not in wanted]:
        del tables[key]
    for key, values in wanted.items():
        table = table_of(tables, key)
        for part, value in values.items():
            if isinstance(value, dict):
                set_all(table_of(table, part), value)
            elif table.get(part) != value:
                table[part] = value


def _of_device(entry: InputEntry) -> dict[str, Any]:
    return {"name": entry.name, "title": entry.title, "keys": dict(entry.keys)}


def _of_model(model: MeasuredModel) -> dict[str, Any]:
    return {"delay_us": model.delay_us, "trials": model.trials, "measured": model.measured}


def _device(key: str, table: object, origins: Origins) -> InputEntry:
    where = ("devices", key)
    values = _table(where, table, ("name", "title", "keys"), origins)
    name = values.get("name", "")
    if not isinstance(name, str) or not re.fullmatch(rf"[\w-]{{1,{NAME_LENGTH}}}", name):
        raise origins.wrong((*where, "name"), f"must be a word of at most {NAME_LENGTH} letters, digits, - and _", name)
    title = values.get("title", "")
    if not isinstance(title, str):
        raise origins.wrong((*where, "title"), "must be a text", title)
    keys = values.get("keys", {})
    if not isinstance(keys, dict):
        raise origins.wrong((*where, "keys"), "must be a table of keys and buttons", keys)
    for code in keys:
        if not _KEY.fullmatch(code):
            raise origins.wrong((*where, "keys", code), "is no key, such as KEY_SPACE, BTN_A, ABS_Z+ or ANY")
    return InputEntry(name, title, {code: _label((*where, "keys", code), to, origins) for code, to in keys.items()})


def _model(key: str, table: object, origins: Origins) -> MeasuredModel:
    where = ("models", key)
    values = _table(where, table, ("delay_us", "trials", "measured"), origins)
    numbers = {"delay_us": values.get("delay_us"), "trials": values.get("trials", 0)}
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= LONGEST_DELAY_US:
            raise origins.wrong((*where, name), f"must be a whole number from 0 to {LONGEST_DELAY_US}", number)
    return MeasuredModel(values["delay_us"], values.get("trials", 0), str(values.get("measured", "")))


def _table(where: tuple[str, ...], table: object, known: tuple[str, ...], origins: Origins) -> dict[str, Any]:
    if not isinstance(table, dict):
        raise origins.wrong(where, "must be a table", table)
    for name in table.keys() - set(known):
        raise origins.wrong((*where, name), f"there is no such key; {did_you_mean(name, known)}")
    return table


def _wire(key: str, origins: Origins) -> Wire:
    source, _, line = key.partition(": ")
    if not line:
        raise origins.wrong(("lines", key), 'must be a source and its line, such as "gpiod: yellow first"')
    return Wire(source, line)


def _label(where: tuple[str, ...], label: object, origins: Origins) -> str:
    if not isinstance(label, str) or label not in LABELS:
        raise origins.wrong(where, f"{label!r} is no button; {did_you_mean(str(label), LABELS)}")
    return label


def _check_names(devices: Mapping[str, InputEntry], origins: Origins) -> None:
    """No name twice: the lines are named after it."""
    names: dict[str, str] = {}
    for key, entry in devices.items():
        if entry.name in names:
            text = f"another device has this name already: {names[entry.name]}"
            raise origins.wrong(("devices", key, "name"), text, entry.name)
        names[entry.name] = key
