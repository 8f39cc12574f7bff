"""What a press is to be from now on: changes what the file of inputs says, and says what has changed. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from companion.adapters.evdev.assigned import Assigned
from companion.config.input_file import InputEntry, Inputs
from companion.core.assigning.dialogue import called
from companion.core.panel import label_of
from companion.core.words.texts import listed, text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from companion.adapters.evdev.identity import Identity
    from companion.core.assigning.rewiring import Wire

KINDS = (("BTN_", "pad"), ("ABS_", "pad"), ("KEY_", "keys"))
"""What a device is called first, by the key of it that was pressed."""
KEY_OF = text("{key} of {device}")
MOUSE = frozenset({"BTN_LEFT", "BTN_RIGHT", "BTN_MIDDLE", "BTN_SIDE", "BTN_EXTRA"})


class Changed(NamedTuple):
    """What the file is to say, and what has changed, in a sentence."""

    inputs: Inputs
    says: str


def uses_of(inputs: Inputs) -> dict[str, Assigned]:
    """Give what each device is used for, as the source of input devices takes it."""
    return {
        key: Assigned(entry.name, dict(entry.keys), _delay_of(inputs, key))
        for key, entry in inputs.devices.items()
        if entry.keys
    }


def _delay_of(inputs: Inputs, key: str) -> int | None:
    """Give the measured delay of a device's model, with which its own key begins; None where there is none."""
    return next((one.delay_us * 1000 for model, one in inputs.models.items() if key.startswith(f"{model} ")), None)


def key_for(identity: Identity, others: Collection[Identity], inputs: Inputs) -> str:
    """Give what a device is known by in the file: as it is already, else by its number, else by its port.

    others: that are plugged in. Where another says that it has the same number, only the port can tell them apart.
    """
    known = next((key for key in identity.keys if key in inputs.devices), None)
    return known if known is not None else told_apart_by(identity, others)


def told_apart_by(identity: Identity, others: Collection[Identity]) -> str:
    """Give what tells a device from these others: its number, where none of them has the same, else its port."""
    twins = {other.by_port for other in others if other.by_number == identity.by_number} - {identity.by_port}
    return identity.by_number if identity.by_number and not twins else identity.by_port


def assign_key(inputs: Inputs, identity: Identity, others: Collection[Identity], code: str, label: str) -> Changed:
    """Have a key of a device be a button. code: the key's name."""
    key = key_for(identity, others, inputs)
    entry = inputs.devices.get(key)
    if entry is None:
        entry = InputEntry(_free_name(code, inputs), identity.title)
    before = entry.keys.get(code)
    entry = replace(entry, keys={**entry.keys, code: label})
    changed = replace(inputs, devices={**inputs.devices, key: entry})
    return Changed(changed, _says(KEY_OF.format(key=code, device=entry.name), label, before, changed))


def assign_line(inputs: Inputs, wire: Wire, label: str) -> Changed:
    """Have a line of another source be a button; that which it is called needs no entry."""
    own = label_of(wire.line)
    before = inputs.lines.get(wire, own)
    lines = {one: to for one, to in inputs.lines.items() if one != wire}
    if label != own:
        lines[wire] = label
    changed = replace(inputs, lines=lines)
    return Changed(changed, _says(f"{wire.line} ({wire.source})", label, before, changed))


def forget_button(inputs: Inputs, label: str) -> Changed:
    """Take all that was assigned to a button away from it; lines that have its name by themselves stay."""
    devices = {
        key: replace(entry, keys={code: to for code, to in entry.keys.items() if to != label})
        for key, entry in inputs.devices.items()
    }
    lines = {wire: to for wire, to in inputs.lines.items() if to != label}
    changed = replace(inputs, devices={key: one for key, one in devices.items() if one.keys}, lines=lines)
    return Changed(changed, text("nothing more is assigned to {button}").format(button=called(label)))


def inputs_of(inputs: Inputs, label: str) -> tuple[str, ...]:
    """Name what was assigned to a button: "BTN_A of pad", "yellow first (gpiod)"."""
    keys = [
        KEY_OF.format(key=code, device=entry.name)
        for entry in inputs.devices.values()
        for code, to in entry.keys.items()
        if to == label
    ]
    return (*keys, *(f"{wire.line} ({wire.source})" for wire, to in inputs.lines.items() if to == label))


def titles_of(inputs: Inputs) -> Mapping[str, str]:
    """Give what each device calls itself, by the name it goes by here."""
    return {entry.name: entry.title for entry in inputs.devices.values()}


def _says(what: str, label: str, before: str | None, inputs: Inputs) -> str:
    """Say what an input is now, what it is no longer, and which others are the same button."""
    others = [other for other in inputs_of(inputs, label) if other != what]
    values = {"button": called(label), "input": what, "before": called(before or label), "others": listed(others)}
    was_another = before is not None and before != label
    if was_another and others:
        return text("{button} is now {input}; it was {before}; so is {others}").format(**values)
    if was_another:
        return text("{button} is now {input}; it was {before}").format(**values)
    if others:
        return text("{button} is now {input}; so is {others}").format(**values)
    return text("{button} is now {input}").format(**values)


def _free_name(code: str, inputs: Inputs) -> str:
    kind = "mouse" if code in MOUSE else next(name for start, name in KINDS if code.startswith(start))
    taken = {entry.name for entry in inputs.devices.values()}
    numbered = (kind if number == 1 else f"{kind}-{number}" for number in range(1, len(taken) + 2))
    return next(name for name in numbered if name not in taken)
