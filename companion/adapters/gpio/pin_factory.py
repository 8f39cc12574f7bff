"""gpiozero's pin factories: which is used, what its time stamps are worth, and how it is opened without side effects.

Knows gpiozero and the libraries under it, and no buttons. Everything is imported when it is needed.

What lgpio does to a process when it is imported, and what is done about it: it makes a pipe in `LG_WD` and *changes the
working directory* to it; so `LG_WD` is set to a folder that can be written, and the working directory is set back. It
starts one thread that calls all handlers; an exception in one of them ends that thread, and every button with it; so
handlers here cannot raise (`gpiozero_source`), nor can gpiozero's own step before them (`_guarded`), and a thread that
has ended all the same is replaced at the next opening.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from companion.adapters.gpio.gpiod_chip import HEADER_LABELS
from companion.core.errors import Malformed, Unavailable
from companion.core.timing.events import MS

MOST_CHIPS = 16
"""How many /dev/gpiochipN are tried."""


class Timing(NamedTuple):
    """What a factory's time stamps are worth.

    delay_ns: the worst delay of a report. error_ns: half-width of the uncertainty. remark: what a referee should know.
    is_lossy: it may drop edges when it is late, and does not number them.
    """

    delay_ns: int
    error_ns: int
    remark: str | None
    is_lossy: bool = False


_LATE = "takes the time itself, after the kernel has woken it: presses carry ±5 ms, and closer ones are dead heats"
_UNNUMBERED = (
    "lgpio numbers no edge: a loss is only told where its reports come late; presses carry ±120 µs, and more where the "
    "kernel may have merged edges; gpiod sees both"
)

TIMINGS = {
    "lgpio": Timing(150 * MS, 120_000, _UNNUMBERED, is_lossy=True),
    "rpigpio": Timing(50 * MS, 5 * MS, f"RPi.GPIO {_LATE}"),
    "native": Timing(50 * MS, 5 * MS, f"gpiozero's native factory {_LATE}"),
    "mock": Timing(50 * MS, 20_000, "gpiozero's mock pins: there is no hardware"),
}
"""By gpiozero's name for the factory. lgpio hands on the kernel's own stamps and was seen to be 81 ms late. Where the
kernel merges changes its stamp is the last one's; numbers tell that, which lgpio does not hand on: so the source asks
the kernel how many interrupts came (`interrupt_threads`)."""
LGPIO_CONSUMER = "lg"
"""What lgpio calls itself to the kernel."""

_CLASSES = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    "native": ("gpiozero.pins.native", "NativeFactory"),
    "mock": ("gpiozero.pins.mock", "MockFactory"),
    "gpiod": ("companion.adapters.gpio.outputs.gpiod_output", "GpiodOutputs"),
}
CHOICES = ("auto", *TIMINGS)
"""What can read buttons."""
OUTPUT_CHOICES = (*CHOICES, "gpiod")
"""What can sound a buzzer; libgpiod's own inputs are `GpiodSource`."""
_AUTO = ("lgpio", "rpigpio", "native")


class OpenFactory:
    """An open pin factory that owns its pins and takes no other's with it when it is closed."""

    def __init__(self, name: str, factory: Any) -> None:
        self.name = name
        self.factory = factory
        if name != "mock":
            # gpiozero shares the pins of all local factories, and closing one closes the others' pins.
            factory.pins = {}

    def is_reporting(self) -> bool:
        """Tell whether the thread that calls the handlers is alive; True where there is none to ask."""
        return self.name != "lgpio" or bool(sys.modules["lgpio"]._notify_thread.is_alive())

    def close(self) -> None:
        """Close the pins and the factory. RPi.GPIO's closing would free every pin of the process: only pins, then."""
        for pin in self.factory.pins.values():
            with contextlib.suppress(Exception):  # lgpio wants a line it has just given back, and can find it busy
                pin.close()
        self.factory.pins.clear()
        if self.name != "rpigpio":
            self.factory.close()


def open_factory(choice: str, *, chip: str | None = None, work_dir: Path | None = None) -> OpenFactory:
    """Open one of gpiozero's factories.

    choice: "auto" (the first of lgpio, RPi.GPIO and native that works), "gpiod" (outputs only), or one of `TIMINGS`.
    chip: for lgpio and gpiod: path, name or label; None finds the header's. work_dir: where lgpio may put its pipe.

    Raises:
        Malformed: there is no such factory.
        Unavailable: it cannot be opened.
    """
    if choice not in OUTPUT_CHOICES:
        raise Malformed(f"no pin factory is called {choice!r}; there are: {', '.join(OUTPUT_CHOICES)}")
    reasons: list[str] = []
    for name in _AUTO if choice == "auto" else (choice,):
        try:
            return OpenFactory(name, _make(name, chip, work_dir))
        except Exception as error:  # noqa: BLE001 - each library has its own errors, RPi.GPIO raises RuntimeError
            reasons.append(f"{name}: {error}")
    raise Unavailable(
        f"gpiozero cannot reach the pins ({'; '.join(reasons)}): install lgpio (pip install 'table-companion[pi]'), "
        "add your user to the group gpio, or use companion run --simulate"
    )


def _make(name: str, chip: str | None, work_dir: Path | None) -> Any:
    if name == "lgpio":
        return _make_lgpio(chip, work_dir)
    module, maker = _CLASSES[name]
    return getattr(import_module(module), maker)(**({"chip": chip} if name == "gpiod" else {}))


def _make_lgpio(chip: str | None, work_dir: Path | None) -> Any:
    lgpio = load_lgpio(work_dir)
    module, maker = _CLASSES["lgpio"]
    factory = getattr(import_module(module), maker)(chip=_chip_number(lgpio, chip))
    factory.pin_class = _guarded(factory.pin_class)
    return factory


def _guarded(pin_class: Any) -> Any:
    """Make a pin class that survives closing.

    gpiozero looks the handler up in lgpio's thread; a report that meets a pin just being closed finds None there and
    raises TypeError. And it closes a pin by claiming it anew, while lgpio's other thread may still hold it ("GPIO
    busy", and the line is lost to the process): closing the chip gives all lines back at once, so the pin need not.
    """

    def call(self: Any, *report: Any) -> None:
        with contextlib.suppress(Exception):
            pin_class._call_when_changed(self, *report)

    def close(self: Any) -> None:
        if self._callback is not None:
            self._callback.cancel()
            self._callback = None

    return type(f"Guarded{pin_class.__name__}", (pin_class,), {"_call_when_changed": call, "close": close})


def load_lgpio(work_dir: Path | None = None) -> Any:
    """Import lgpio with its pipe in `work_dir` (or a new temporary folder) and its thread alive.

    Raises:
        ImportError: it is not installed, or cannot write its pipe.
    """
    if "lgpio" not in sys.modules:
        os.environ.setdefault("LG_WD", str(work_dir or tempfile.mkdtemp(prefix="companion-lgpio-")))
        Path(os.environ["LG_WD"]).mkdir(parents=True, exist_ok=True)
        before = Path.cwd()
        try:
            lgpio = import_module("lgpio")
        except OSError as error:
            raise ImportError(f"lgpio cannot write its pipe in {os.environ['LG_WD']}: {error}") from error
        finally:
            os.chdir(before)
    lgpio = sys.modules["lgpio"]
    if not lgpio._notify_thread.is_alive():
        _revive(lgpio)
    return lgpio


def _revive(lgpio: Any) -> None:
    """Start a new thread in place of the one that has ended: without it no handler is ever called again."""
    before = Path.cwd()
    try:
        os.chdir(os.environ["LG_WD"])
        lgpio._notify_thread = lgpio._callback_thread()
    finally:
        os.chdir(before)


def _chip_number(lgpio: Any, wanted: str | None) -> int:
    """Find the N of /dev/gpiochipN. Raises Unavailable where no chip fits."""
    there: list[str] = []
    for number in range(MOST_CHIPS):
        path = Path(f"/dev/gpiochip{number}")
        if not path.exists():
            continue
        label = _label(lgpio, number)
        there.append(f"{path} ({label})")
        fits = label in HEADER_LABELS if wanted is None else wanted in (str(path), path.name, label)
        if fits:
            return number
    sought = "of a Pi's header" if wanted is None else f"called {wanted!r}"
    raise Unavailable(f"no GPIO chip {sought}; there are: {', '.join(there) or 'none'}")


def _label(lgpio: Any, number: int) -> str:
    try:
        handle = lgpio.gpiochip_open(number)
    except lgpio.error as error:
        return str(error)
    try:
        return str(lgpio.gpio_get_chip_info(handle)[3])
    finally:
        lgpio.gpiochip_close(handle)
