"""What each plug's pins carry, what hangs at the far end of its cable, and what happens in every socket it goes into.

A plug goes into each socket of its family with its number of pins; JST's housings are coded by ribs, so that one with
fewer pins does not. Two cables that mean different things therefore need another family or another number of pins:
`short_circuits` tries every cable in every socket that takes it, with all its contacts closed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS, Colour
from hardware.board import outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hardware.board.circuit import Component

LAMPS_5V = "5 V"
TERMINALS: dict[str, tuple[str, ...]] = {
    **{str(colour): ("ground", *POSITIONS) for colour in Colour},
    "knob": ("ground", "A", "B", "push", "ground", "3.3 V"),
    "OLED": ("ground", "3.3 V", "SCL", "SDA"),
    "buzzer": ("-", "+"),
    **{f"{colour} lamps": (LAMPS_5V, *POSITIONS) for colour in Colour},
}
PLUGS = {plug.cable: (plug.ref, TERMINALS[plug.cable]) for plug in outline.PLUGS}
"""Each cable's socket and what its pins carry, from pin 1."""
FAMILY = {plug.cable: plug.family for plug in outline.PLUGS}

CONTACTS = {**{str(colour): ("ground", *POSITIONS) for colour in Colour}, "knob": ("ground", "A", "B", "push")}
"""What the contacts at a cable's far end join when all are closed. A display joins nothing, nor do lamps: they have
resistors."""
LOADS = {"buzzer": ("-", "+")}
"""What a coil joins: it may lie between a supply and a transistor, as it is meant to."""


_WIRES = {"ground": "GND", "A": "knob_a", "B": "knob_b", "push": "knob_push", "SCL": "i2c_scl", "SDA": "i2c_sda",
          "-": "buzzer -"}  # fmt: skip


def plug_net(cable: str, terminal: str) -> str:
    """Name of the net on a plug's pin. All lamps share one fused supply; every other supply has its own."""
    return _WIRES.get(terminal, f"{'lamps' if terminal == LAMPS_5V else cable} {terminal}")


def touches(components: Mapping[str, Component], net: str) -> frozenset[str]:
    """Give what a net leads to through fuses and series resistors: "supply", "ground", "drain", "GPIO"."""
    found, todo, seen = set(), [net], set()
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in ("3V3", "5V", "GND"):
            found.add("ground" if name == "GND" else "supply")
            continue
        for ref, part in components.items():
            if name not in part.nets.values():
                continue
            if ref == "J1":
                found.add("GPIO")
            elif ref[0] == "F" or (ref[0] == "R" and part.value == "1k"):
                todo += part.nets.values()
            elif ref[0] == "Q" or part.value.startswith("TBD62083"):
                found.add("drain")
    return frozenset(found)


def matings(components: Mapping[str, Component]) -> Iterator[tuple[str, str]]:
    """Give each cable with each cable's socket that it goes into, its own among them."""
    for cable, (ref, _) in PLUGS.items():
        for other, (socket, _) in PLUGS.items():
            if components[ref].footprint == components[socket].footprint:
                yield cable, other


def joined(components: Mapping[str, Component], cable: str, other: str, terminals: tuple[str, ...]) -> set[str]:
    """Give what these terminals of a cable join when it is in another's socket."""
    nets = components[PLUGS[other][0]].nets
    pins = [str(index + 1) for index, name in enumerate(PLUGS[cable][1]) if name in terminals]
    return {end for pin in pins for end in touches(components, nets[pin])}


def short_circuits(components: Mapping[str, Component]) -> list[str]:
    """Say of each cable in a socket that takes it what it joins that must not be joined; none is what is wanted."""
    found = []
    for cable, other in matings(components):
        for ends, never in ((CONTACTS, {"ground", "GPIO", "drain"}), (LOADS, {"ground", "GPIO"})):
            met = joined(components, cable, other, ends.get(cable, ()))
            if "supply" in met and met & never:
                met_too = " and ".join(sorted(met & never))
                found.append(f"{cable} cable in the {other} socket joins a supply and {met_too}")
    return found
