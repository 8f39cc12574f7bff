"""The header board's circuit in SKiDL, made from the pin map: connectors, pull-ups, ESD arrays, fuses, lamps.

A button's wire: connector, ESD array to ground, 10 kΩ to 3.3 V, 1 kΩ in series, 1 nF to ground, GPIO. A lamp's wire:
connector, ESD array, an open drain that a PCA9685 switches. Every supply leaves through a resettable fuse. Knows no
layout and no picture; `netlist` gives what both are made from.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
import warnings
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.config.pins import GROUND_PINS, HEADER_PIN, built_in
from companion.core.panel import POSITIONS, Colour
from hardware.board.lamps import add_lamps
from hardware.board.plugs import FAMILY, PLUGS, plug_net
from hardware.drawings.connections import POWER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.config.pins import PinMap

FOOTPRINTS = {
    "header": "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
    **{f"XH{n}": f"Connector_JST:JST_XH_B{n}B-XH-A_1x{n:02}_P2.50mm_Vertical" for n in (2, 4, 5, 6)},
    "PH5": "Connector_JST:JST_PH_B5B-PH-K_1x05_P2.00mm_Vertical",
    "resistor": "Resistor_SMD:R_0805_2012Metric_Pad1.20x1.40mm_HandSolder",
    "capacitor": "Capacitor_SMD:C_0805_2012Metric_Pad1.18x1.45mm_HandSolder",
    "esd": "Package_TO_SOT_SMD:SOT-23-5",
    "transistor": "Package_TO_SOT_SMD:SOT-23",
    "diode": "Diode_SMD:D_SOD-123",
    "suppressor": "Diode_SMD:D_SOD-123F",
    "fuse": "Fuse:Fuse_1206_3216Metric_Pad1.42x1.75mm_HandSolder",
    "dimmer": "Package_SO:TSSOP-28_4.4x9.7mm_P0.65mm",
    "drains": "Package_SO:SSOP-18_4.4x6.5mm_P0.65mm",
    "point": "TestPoint:TestPoint_Pad_D1.5mm",
}

PULL_UP, SERIES, CALM, KNOB_CALM = "10k", "1k", "1n", "10n"
SMALL_FUSE, LAMPS_FUSE = "0.2 A resettable", "1.1 A resettable"
"""Littelfuse 1206L020 (hold 0.2 A, trip 0.42 A) and 1206L110TH (1.1 A, 2.2 A): the sums are in electrical.md."""
POINTS = {"TP1": "3V3", "TP2": "5V", "TP3": "GND", "TP4": "i2c_sda", "TP5": "i2c_scl", "TP6": "red first"}
"""Test points, and the net each is on."""
ESD_PINS = ("1", "3", "4", "5")
"""Channels of the Littelfuse SP0504BAHT; its pin 2 is ground."""


@dataclass(frozen=True)
class Component:
    """A part as it is in the netlist."""

    ref: str
    value: str
    footprint: str
    nets: dict[str, str]
    """Net by pin; pins that are left open are not in it."""
    pins: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name and kind ("PASSIVE", "PWROUT", …) of every pin."""


@contextlib.contextmanager
def quiet_skidl() -> Iterator[Any]:
    """Import SKiDL without its complaints about libraries that are not needed, and let it write nothing here.

    It puts log files into the directory it is used in, so it is used in one that is thrown away.
    """
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        stack.callback(os.chdir, here)
        os.chdir(scratch)
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        import skidl  # noqa: PLC0415  # only with its mouth shut

        yield skidl


class Board:
    """The circuit being built, with SKiDL's objects. Use `build`."""

    def __init__(self, skidl: Any, pins: PinMap) -> None:
        self.skidl, self.pins = skidl, pins
        self.circuit = skidl.Circuit(name="table-companion header board")
        self.nets: dict[str, Any] = {}
        self.counts: dict[str, int] = {}
        self.lamps_fuse = LAMPS_FUSE

    def net(self, name: str) -> Any:
        """Give the net of this name, made when it is first asked for."""
        if name not in self.nets:
            self.nets[name] = self.skidl.Net(name, circuit=self.circuit)
        return self.nets[name]

    def part(self, ref: str, value: str, footprint: str, pins: dict[str, tuple[str, str]]) -> Any:
        """Place a part; `pins` gives for each number its name and its kind ("PASSIVE", "PWROUT", …)."""
        kinds = self.skidl.Pin.types
        made = [
            self.skidl.Pin(num=number, name=name, func=getattr(kinds, kind)) for number, (name, kind) in pins.items()
        ]
        template = self.skidl.Part(
            name=value, tool=self.skidl.SKIDL, dest=self.skidl.TEMPLATE, ref_prefix=ref.rstrip("0123456789"),
            pins=made, footprint=FOOTPRINTS[footprint], circuit=self.circuit,
        )  # fmt: skip
        return template(circuit=self.circuit, ref=ref, value=value)

    def esd(self, nets: list[str]) -> None:
        """Place an array of four suppressors for up to four nets; channels that are left over stay open."""
        pins = {pin: (f"K{index + 1}", "PASSIVE") for index, pin in enumerate(ESD_PINS)} | {"2": ("ground", "PASSIVE")}
        array = self.part(self.next_ref("D"), "SP0504BAHT", "esd", pins)
        self.net("GND").connect(array["2"])
        for index, channel in enumerate(ESD_PINS):
            (self.net(nets[index]) if index < len(nets) else self.circuit.NC).connect(array[channel])

    def next_ref(self, letter: str) -> str:
        """Give the next free reference of this letter."""
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def two_pin(self, letter: str, value: str, footprint: str, one: str, two: str) -> None:
        """Place a resistor, capacitor or fuse between two nets."""
        part = self.part(self.next_ref(letter), value, footprint, {"1": ("1", "PASSIVE"), "2": ("2", "PASSIVE")})
        self.net(one).connect(part["1"])
        self.net(two).connect(part["2"])


def build(skidl: Any, pins: PinMap) -> Any:
    """Build the whole circuit and give SKiDL's object."""
    board = Board(skidl, pins)
    _add_header(board)
    _add_plugs(board)
    for colour in Colour:
        _add_inputs(board, [(f"{colour} {position}", CALM) for position in POSITIONS])
    supply = plug_net("knob", "3.3 V")
    _add_inputs(board, [("knob_a", KNOB_CALM), ("knob_b", KNOB_CALM), ("knob_push", CALM)], supply)
    board.two_pin("F", SMALL_FUSE, "fuse", "3V3", supply)
    _add_display(board)
    _add_buzzer(board)
    add_lamps(board)
    board.two_pin("C", "10u", "capacitor", "3V3", "GND")
    for ref, net in POINTS.items():
        board.net(net).connect(board.part(ref, net, "point", {"1": ("1", "PASSIVE")})["1"])
    board.net("GND").drive = skidl.POWER
    return board.circuit


def _add_header(board: Board) -> None:
    """J1 as the Pi drives it. Only one pin of each supply is named a source: the others are the same wire on the Pi."""
    gpio_at = {HEADER_PIN[gpio]: (name, gpio) for name, gpio in board.pins.uses.items()}
    pins: dict[str, tuple[str, str]] = {}
    for pin in range(1, 41):
        if pin in POWER:
            pins[str(pin)] = (POWER[pin], "PWROUT" if pin in (1, 2) else "PASSIVE")
        elif pin in GROUND_PINS:
            pins[str(pin)] = ("ground", "PASSIVE")
        elif pin in gpio_at:
            name, gpio = gpio_at[pin]
            pins[str(pin)] = (f"GPIO{gpio}", "OUTPUT" if name == "buzzer" else "BIDIR")
        else:
            pins[str(pin)] = ("free", "NOCONNECT")
    header = board.part("J1", "Pi header, 2x20 socket", "header", pins)
    for pin in range(1, 41):
        if pin in POWER:
            board.net("3V3" if POWER[pin] == "3.3 V" else "5V").connect(header[str(pin)])
        elif pin in GROUND_PINS:
            board.net("GND").connect(header[str(pin)])
        elif pin in gpio_at:
            board.net(gpio_net(*gpio_at[pin])).connect(header[str(pin)])


def gpio_net(name: str, gpio: int) -> str:
    """Name of the net on the Pi's side; I2C goes straight through and has one name on both sides."""
    return name if name.startswith("i2c_") else f"GPIO{gpio}"


def _add_plugs(board: Board) -> None:
    for cable, (ref, terminals) in PLUGS.items():
        pins = {str(index + 1): (name, "PASSIVE") for index, name in enumerate(terminals)}
        plug = board.part(ref, f"{cable} plug", f"{FAMILY[cable]}{len(terminals)}", pins)
        for index, terminal in enumerate(terminals):
            board.net(plug_net(cable, terminal)).connect(plug[str(index + 1)])


def _add_inputs(board: Board, lines: list[tuple[str, str]], supply: str | None = None) -> None:
    """Up to four switch lines that share an ESD array, with the supply that leaves beside them."""
    board.esd([wire for wire, _ in lines] + ([supply] if supply else []))
    for wire, calm in lines:
        gpio = gpio_net(wire, board.pins.uses[wire])
        board.two_pin("R", PULL_UP, "resistor", "3V3", wire)
        board.two_pin("R", SERIES, "resistor", wire, gpio)
        board.two_pin("C", calm, "capacitor", gpio, "GND")


def _add_display(board: Board) -> None:
    """The Pi has 1.8 kΩ to 3.3 V on both wires; a second pair here would only load the bus."""
    supply = plug_net("OLED", "3.3 V")
    board.two_pin("F", SMALL_FUSE, "fuse", "3V3", supply)
    board.esd(["i2c_sda", "i2c_scl", supply])
    board.two_pin("C", "100n", "capacitor", supply, "GND")


def _add_buzzer(board: Board) -> None:
    """A transistor, so that a magnetic buzzer will do as well as a piezo; silent while the Pi starts."""
    gpio = gpio_net("buzzer", board.pins.uses["buzzer"])
    board.two_pin("R", "1k", "resistor", gpio, "buzzer base")
    board.two_pin("R", "10k", "resistor", "buzzer base", "GND")
    transistor = board.part(
        "Q1", "MMBT3904", "transistor", {"1": ("B", "INPUT"), "2": ("E", "PASSIVE"), "3": ("C", "OPENCOLL")}
    )
    board.net("buzzer base").connect(transistor["1"])
    board.net("GND").connect(transistor["2"])
    board.net("buzzer -").connect(transistor["3"])
    plus = plug_net("buzzer", "+")
    board.two_pin("F", SMALL_FUSE, "fuse", "5V", plus)
    board.esd(["buzzer -", plus])
    diode = board.part(board.next_ref("D"), "1N4148W", "diode", {"1": ("K", "PASSIVE"), "2": ("A", "PASSIVE")})
    board.net(plus).connect(diode["1"])
    board.net("buzzer -").connect(diode["2"])
    board.two_pin("R", "1k", "resistor", plus, "buzzer -")


@dataclass(frozen=True)
class Built:
    """A circuit that was built: its parts, and what the electrical rules check counted."""

    components: dict[str, Component]
    errors: int
    warnings: int
    kicad: str
    """The netlist in KiCad's form."""


def netlist(pins: PinMap, builder: Callable[[Any, PinMap], Any] = build) -> Built:
    """Build the circuit, run SKiDL's electrical rules check, and give all parts by reference."""
    with quiet_skidl() as skidl:
        circuit = builder(skidl, pins)
        circuit.ERC()
        errors, warned = skidl.erc_logger.error.count, skidl.erc_logger.warning.count
        components = {part.ref: _component(part) for part in circuit.parts}
        kicad = circuit.generate_netlist(tool=skidl.KICAD8)
    return Built(components, errors, warned, kicad)


@cache
def header_board() -> Built:
    """Return the circuit of the built-in pin map. It takes seconds to make, so it is kept."""
    return netlist(built_in())


def _component(part: Any) -> Component:
    nets = {}
    for pin in part.pins:
        if pin.net is not None and type(pin.net).__name__ != "NCNet":
            nets[str(pin.num)] = str(pin.net.name)
    pins = {str(pin.num): (str(pin.name), str(pin.func.name)) for pin in part.pins}
    return Component(part.ref, str(part.value), str(part.footprint), nets, pins)


def other_ends(components: Mapping[str, Component], net: str) -> Iterator[tuple[str, str]]:
    """Give all (reference, pin) on a net."""
    for ref, component in components.items():
        for pin, name in component.nets.items():
            if name == net:
                yield ref, pin
