"""Makes what assigns inputs, and their source, of the settings and the file of inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.evdev.source import EvdevSource, Times
from companion.app.inputs.assigner import Assigner, InputFile
from companion.app.inputs.assigning import uses_of
from companion.app.storing.profiles import profiles_in
from companion.config.input_file import inputs_file, read_inputs
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.adapters.evdev.identity import Node
    from companion.config.input_file import Inputs
    from companion.config.settings import Evdev, Settings
    from companion.core.timing.contacts import LineTiming

    TimingsOf = Callable[[Iterable[str]], dict[str, LineTiming]]


def make_inputs(settings: Settings, folder: Path, timings_of: TimingsOf) -> Assigner:
    """Give what assigns inputs. folder: where matches are kept, and the file. timings_of: as of `Assigner`.

    Raises Malformed, Unavailable for a wrong file.
    """
    path = inputs_file(folder)
    inputs = read_inputs(path)
    source = make_input_source(settings.evdev, inputs, wants=_not_scanning(settings))
    assigner = Assigner(source, inputs, InputFile(path), timings_of, asks=settings.evdev.ask)
    assigner.profiles = profiles_in(folder)
    return assigner


def make_input_source(
    chosen: Evdev, inputs: Inputs, *, wants: Callable[[Node], bool] = lambda _: True
) -> EvdevSource:  # fmt: skip
    """Give the source of input devices, not opened. wants: tells which are not somebody else's. Raises Malformed."""
    times = Times(chosen.delay_ms * MS, chosen.unknown_delay_ms * MS, chosen.press_percent)
    return EvdevSource(uses_of(inputs), times, wants=wants)


def _not_scanning(settings: Settings) -> Callable[[Node], bool]:
    """Leave the card scanner to the card scanner."""
    scanner = settings.scanner
    if scanner.kind != "keyboard" or not scanner.port:
        return lambda _: True
    from companion.adapters.evdev.wedge import is_at

    return lambda node: not is_at(node, scanner.port)
