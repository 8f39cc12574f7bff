"""Finding the chip of the Pi's header, and saying in plain words why it, or a line of it, cannot be had.

Knows libgpiod 2 and nothing of edges. libgpiod is imported when it is needed: a machine without it can still play on
the simulated panel.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    import gpiod

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chip behind the 40-pin header: Pi 5, Pi 4, and all before."""
HEADER_NAME = "ID_SDA"
"""A line's name that only the header's chip carries; it settles which of two chips of one label is meant."""
DEVICES = "/dev"


class FoundChip(NamedTuple):
    """A chip that can be opened."""

    path: str
    name: str
    label: str
    num_lines: int
    is_header: bool


def load_gpiod() -> Any:
    """Import libgpiod's binding. Raises Unavailable where it is missing or is the old one."""
    try:
        import gpiod  # noqa: PLC0415 - see the module's docstring
    except ImportError as error:
        raise Unavailable(
            "the library gpiod (libgpiod 2) is not installed: pip install 'table-companion[pi]', "
            "or set the button source to gpiozero"
        ) from error
    if not hasattr(gpiod, "LineSettings"):
        raise Unavailable(f"gpiod {gpiod.__version__} is libgpiod 1; 2.2 or newer is needed: pip install -U gpiod")
    return gpiod


def find_chip(wanted: str | None, lines: int) -> FoundChip:
    """Find the chip to use.

    wanted: a path ("/dev/gpiochip0"), a name ("gpiochip0"), a label ("pinctrl-rp1"), or None for the header's chip.
    lines: how many lines it must have at least.

    Raises:
        Unavailable: there is none, it may not be opened, or more than one fits.
    """
    gpiod = load_gpiod()
    chips, denied = _all_chips(gpiod)
    fitting = [chip for chip in chips if _is_wanted(chip, wanted)]
    if not fitting:
        raise Unavailable(_none_fits(wanted, chips, denied))
    large = [chip for chip in fitting if chip.num_lines >= lines]
    if not large:
        raise Unavailable(
            f"{_named(fitting[0])} has GPIO 0 to {fitting[0].num_lines - 1}, and GPIO {lines - 1} is asked for: "
            "correct the pin, or name another chip in the configuration"
        )
    best = [chip for chip in large if chip.is_header] or large
    if len(best) > 1:
        listed = ", ".join(chip.path for chip in best)
        raise Unavailable(f"more than one chip fits ({listed}): name one of these paths in the configuration")
    return best[0]


def _all_chips(gpiod: Any) -> tuple[list[FoundChip], list[str]]:
    """List the chips, each once whatever links lead to it, and the paths that may not be opened."""
    chips: dict[str, FoundChip] = {}
    denied: list[str] = []
    for path in sorted({path.resolve() for path in Path(DEVICES).glob("gpiochip*")}):
        try:
            if not gpiod.is_gpiochip_device(str(path)):
                continue
            with gpiod.Chip(str(path)) as chip:
                info = chip.get_info()
                chips[str(path)] = FoundChip(str(path), info.name, info.label, info.num_lines, _is_header(chip))
        except PermissionError:
            denied.append(str(path))
        except OSError:
            continue  # gone between the listing and the opening
    return list(chips.values()), denied


def _is_header(chip: gpiod.Chip) -> bool:
    try:
        chip.line_offset_from_id(HEADER_NAME)
    except (OSError, ValueError):
        return False
    return True


def _is_wanted(chip: FoundChip, wanted: str | None) -> bool:
    if wanted is None:
        return chip.label in HEADER_LABELS
    return wanted in (chip.path, chip.name, chip.label) or (
        wanted.startswith("/") and str(Path(wanted).resolve()) == chip.path
    )


def _none_fits(wanted: str | None, chips: list[FoundChip], denied: list[str]) -> str:
    if denied:
        return (
            f"may not open {', '.join(denied)}: add your user to the group gpio "
            "(sudo usermod -aG gpio $USER) and log in again"
        )
    sought = "of a Pi's header" if wanted is None else f"called {wanted!r}"
    if not chips:
        return f"no GPIO chip {sought}: this machine has no /dev/gpiochip*; companion run --simulate needs none"
    there = ", ".join(_named(chip) for chip in chips)
    return f"no GPIO chip {sought}; there are: {there}: name one of them in the configuration"


def _named(chip: FoundChip) -> str:
    return f"{chip.path} ({chip.label})"


def cannot_claim(chip: gpiod.Chip, lines: Mapping[str, int], error: OSError) -> Unavailable:
    """Say why a request of lines was refused, with the name of whoever holds one of them."""
    if error.errno == errno.EBUSY:
        for label, number in lines.items():
            info = chip.get_line_info(number)
            if info.used:
                return Unavailable(
                    f"GPIO {number} ({label}) is in use by {info.consumer or 'another program'!r}: "
                    "stop it, or take that function off the pin (config.txt), or use another pin"
                )
    if error.errno in (errno.EACCES, errno.EPERM):
        return Unavailable(_none_fits(None, [], [chip.path]))
    return Unavailable(f"{chip.path} does not give its lines: {error.strerror or error}")
