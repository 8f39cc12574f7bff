"""The lamps of the twenty buttons: two PCA9685 on the display's wires, three arrays of open drains, five sockets.

Why not the chips' own outputs: a PCA9685 pulls its outputs low while it sleeps (NXP's data sheet, 7.4), so lamps from
5 V to them are lit from the moment the Pi is switched on until the program runs; they give 25 mA each and 400 mA
together at most. Open drains behind them are off until a lamp is asked for, and the program's settings are those of any
other PCA9685. Toshiba's TBD62083A switches at 2.5 V, which 3.3 V surely give, and loses some 50 mV.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.config.pins import built_in_button_lamps
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Colour
from hardware.board.plugs import LAMPS_5V, plug_net

if TYPE_CHECKING:
    from hardware.board.circuit import Board

LAMPS = {
    output: (str(BUTTON_BY_LABEL[label].colour), BUTTON_BY_LABEL[label].position)
    for label, output in built_in_button_lamps().items()
}
"""Colour and position of the button whose lamp an output switches. 0 to 15 are of the chip at 0x40, 16 to 31 of that at
0x41, which is near the green and the blue socket."""
ADDRESSES = {"U1": 0x40, "U2": 0x41}
DRAINS = {"U3": range(16, 24), "U4": range(8), "U5": range(8, 16)}
"""Which outputs each array has at its inputs, in falling order, as the chips' pins lie beside each other."""


def pca_pins() -> dict[str, tuple[str, str]]:
    """Give name and kind of each pin of a PCA9685PW (NXP, Rev. 4, table 3)."""
    pins = {str(number + 1): (f"A{number}", "INPUT") for number in range(5)} | {"24": ("A5", "INPUT")}
    pins |= {str(number + 6): (f"LED{number}", "OUTPUT") for number in range(8)}
    pins |= {str(number + 7): (f"LED{number}", "OUTPUT") for number in range(8, 16)}
    pins |= {"14": ("VSS", "PWRIN"), "28": ("VDD", "PWRIN"), "23": ("/OE", "INPUT"), "25": ("EXTCLK", "INPUT")}
    return pins | {"26": ("SCL", "INPUT"), "27": ("SDA", "BIDIR")}


def drain_pins() -> dict[str, tuple[str, str]]:
    """Give name and kind of each pin of a TBD62083AFNG (Toshiba): inputs 1 to 8, outputs 18 down to 11."""
    pins = {str(number): (f"I{number}", "INPUT") for number in range(1, 9)}
    pins |= {str(19 - number): (f"O{number}", "OPENCOLL") for number in range(1, 9)}
    return pins | {"9": ("GND", "PWRIN"), "10": ("COMMON", "PASSIVE")}


def output_of(ref: str, number: int) -> int:
    """Give the output (0 to 31) that switches this array's channel (1 to 8)."""
    return DRAINS[ref][8 - number]


def drive_net(output: int) -> str:
    """Name of the wire from a chip's output to its open drain."""
    return f"lamp drive {output}"


def add_lamps(board: Board) -> None:
    """Put it all on the board."""
    board.two_pin("F", board.lamps_fuse, "fuse", "5V", plug_net("lamps", LAMPS_5V))
    for index, (ref, address) in enumerate(ADDRESSES.items()):
        _add_chip(board, ref, address, 16 * index)
    for ref in DRAINS:
        _add_drains(board, ref)
    for colour in Colour:
        board.esd([plug_net(f"{colour} lamps", position) for position in POSITIONS])
    tvs = board.part(board.next_ref("D"), "SMF5.0A", "suppressor", {"1": ("K", "PASSIVE"), "2": ("A", "PASSIVE")})
    board.net(plug_net("lamps", LAMPS_5V)).connect(tvs["1"])
    board.net("GND").connect(tvs["2"])


def _add_chip(board: Board, ref: str, address: int, first: int) -> None:
    chip = board.part(ref, "PCA9685PW", "dimmer", pca_pins())
    board.two_pin("C", "100n", "capacitor", "3V3", "GND")
    ties = {"VDD": "3V3", "SCL": "i2c_scl", "SDA": "i2c_sda", "A0": "3V3" if address & 1 else "GND"}
    for number, (name, _) in pca_pins().items():
        if name.startswith("LED"):
            output = first + int(name.removeprefix("LED"))
            used = any(output in outputs for outputs in DRAINS.values())
            _join(board, drive_net(output) if used else None, chip[number])
        else:
            _join(board, ties.get(name, "GND"), chip[number])


def _add_drains(board: Board, ref: str) -> None:
    """A channel without a lamp has its output open; COMMON is for coils and stays open too."""
    array = board.part(ref, "TBD62083AFNG", "drains", drain_pins())
    _join(board, "GND", array["9"])
    _join(board, None, array["10"])
    for number in range(1, 9):
        output = output_of(ref, number)
        _join(board, drive_net(output), array[str(number)])
        lamp = LAMPS.get(output)
        _join(board, plug_net(f"{lamp[0]} lamps", lamp[1]) if lamp else None, array[str(19 - number)])


def _join(board: Board, net: str | None, pin: Any) -> None:
    (board.circuit.NC if net is None else board.net(net)).connect(pin)
