"""Loads Adafruit's driver of the PN532 without the layer for boards that it asks for (docs/decisions/068-pn532.md).

The driver needs a bus that can be read and written, and for pins that we do not connect the names of two classes. Those
come from Blinka, which looks for a board it knows, takes 5 MB and ends with an error on any other. So while the driver
is loaded the names stand for nothing; whoever uses Blinka in the same process finds it untouched afterwards.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

MISSING = "Adafruit's driver of the PN532 is missing: pip install 'table-companion[nfc]'"
_LOADING = Lock()


class Drivers(NamedTuple):
    """The driver's classes for the two interfaces of the chip, and the base of its own errors."""

    on_uart: Any
    on_i2c: Any
    busy: type[Exception]


def drivers() -> Drivers:
    """Give the driver. Raises Unavailable where it is not installed."""
    with _LOADING, _stand_ins():
        try:
            from adafruit_pn532.adafruit_pn532 import BusyError  # noqa: PLC0415 - only where there is such a reader
            from adafruit_pn532.i2c import PN532_I2C  # noqa: PLC0415
            from adafruit_pn532.uart import PN532_UART  # noqa: PLC0415
        except ImportError as error:
            raise Unavailable(MISSING) from error
    return Drivers(PN532_UART, PN532_I2C, BusyError)


def _pass_on(value: int) -> int:
    return value


@contextmanager
def _stand_ins() -> Iterator[None]:
    """Have names in the place of Blinka's modules, as long as this lasts."""
    names: dict[str, dict[str, Any]] = {
        "micropython": {"const": _pass_on},
        "digitalio": {"Direction": object, "DigitalInOut": object},
        "busio": {"UART": object, "I2C": object},
        "circuitpython_typing": {"ReadableBuffer": object, "WriteableBuffer": object},
        "typing_extensions": {"Literal": _literal()},
    }
    before = {name: sys.modules.get(name) for name in names}
    for name, content in names.items():
        stand_in = ModuleType(name)
        stand_in.__dict__.update(content)
        sys.modules[name] = stand_in
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _literal() -> Any:
    from typing import Literal  # noqa: PLC0415 - handed on as it is

    return Literal
