"""What `companion doctor` says of input devices: each that is there, its use, its delay, whether it may be read."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.adapters.evdev.identity import INPUT, SYS, nodes
from companion.adapters.evdev.plugged import JOIN, MISSING
from companion.adapters.evdev.wedge import is_at
from companion.app.inputs.assigning import key_for
from companion.config.input_file import read_inputs
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from companion.adapters.evdev.identity import Node
    from companion.config.input_file import Inputs
    from companion.config.settings import Scanner

SUBJECT, SCANNER = "input", "card scanner"
MEASURE = "companion inputs measure: a wired button taped to it, pressed together 40 times"


class Examined(NamedTuple):
    """What was looked at, how it is, and how to mend it (empty where nothing is wrong)."""

    health: Literal["OK", "warning", "fault"]
    subject: str
    text: str
    mend: str = ""


def check_inputs(file: Path, scanner: Scanner, folder: Path = INPUT, sys: Path = SYS) -> Iterable[Examined]:
    """Give what is found of each input device, and for each that is assigned and not there. file: of inputs.

    scanner: whose device, where it types, is no button.
    """
    try:
        inputs = read_inputs(file)
    except CompanionError as error:
        yield Examined("fault", SUBJECT, str(error), "correct the file; companion inputs list says what it holds")
        return
    found = nodes(folder, sys)
    if found and find_spec("evdev") is None:
        yield Examined("fault" if inputs.devices else "warning", SUBJECT, MISSING)
    keys, port = set(), scanner.port if scanner.kind == "keyboard" else ""
    for node in found:
        key = key_for(node.identity, (), inputs)
        keys.add(key)
        if not (port and is_at(node, port)):
            yield _finding(node, key, inputs)
    for key in sorted(inputs.devices.keys() - keys):
        entry = inputs.devices[key]
        yield Examined("warning", SUBJECT, f"{entry.name} ({entry.title}, {key}) is not plugged in")
    if not found and not inputs.devices:
        yield Examined("OK", SUBJECT, "no USB switch, game pad or keyboard is plugged in")


def check_typing_scanner(scanner: Scanner, folder: Path = INPUT, sys: Path = SYS) -> Iterable[Examined]:
    """Say how the card scanner is, where the settings name one that types; nothing else."""
    if scanner.kind != "keyboard" or not scanner.port:
        return
    if find_spec("evdev") is None:
        yield Examined("fault", SCANNER, MISSING)
    found = [node for node in nodes(folder, sys) if is_at(node, scanner.port)]
    yield from map(_scanning, found)
    if not found:
        yield Examined("fault", SCANNER, f"no card scanner is plugged in: {scanner.port}", "companion inputs list")


def _scanning(node: Node) -> Examined:
    if os.access(node.path, os.R_OK):
        return Examined("OK", SCANNER, f"{node.identity.title} ({node.path.name}), which types")
    return Examined("fault", SCANNER, f"{node.identity.title} ({node.path.name}) may not be read", JOIN)


def _finding(node: Node, key: str, inputs: Inputs) -> Examined:
    entry, measured = inputs.devices.get(key), inputs.models.get(node.identity.model)
    asked = "asked at times nobody knows" if node.polling_ns is None else f"asked every {node.polling_ns / 1e6:g} ms"
    delay = "delay not known" if measured is None else f"delay at most {measured.delay_us / 1000:.1f} ms"
    what = f"{node.identity.title or 'a device without a name'} ({key}, {node.path.name}): {delay}, {asked}"
    may_be_read = os.access(node.path, os.R_OK)
    if entry is None or not entry.keys:
        return Examined("OK", SUBJECT, f"{what}; no use{'' if may_be_read else ', and may not be read'}")
    use = f"{what}; {entry.name}: {', '.join(f'{code} is {label}' for code, label in entry.keys.items())}"
    if not may_be_read:
        return Examined("fault", SUBJECT, f"{use}; it may not be read", JOIN)
    if measured is None:
        return Examined("warning", SUBJECT, f"{use}; no order that it is in is certain", MEASURE)
    return Examined("OK", SUBJECT, use)
