"""The parts of a real panel that the settings name, not opened: buttons, display, buzzer, pages, pods, card scanner.

Part of `app`. What a box has not got is not imported: it starts faster.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING

from companion.adapters.certificate.files import PANEL
from companion.app.certificate.weighing import certified
from companion.app.parts import Pages, PanelButtons, Part, Screen, SeatSignals, Sound, Speech
from companion.config.languages import languages_of
from companion.config.pins import built_in_button_lamps
from companion.config.reading import state_directory
from companion.config.settings import NO_OUTPUT
from companion.core.errors import Malformed, Unavailable
from companion.core.panel import Colour
from companion.core.signals.board import Lit
from companion.core.signals.signs import Outlet
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.adapters.signals.button_lamps import ButtonLamps
    from companion.adapters.signals.expander import ExpanderSignals
    from companion.adapters.web.phones.panel_source import PanelSource
    from companion.app.inputs.assigner import Assigner
    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.config import settings as parts_of
    from companion.config.pins import PinMap
    from companion.config.settings import Settings
    from companion.core.timing.certificate import Certified
    from companion.ports import ButtonSource, Buzzer, Display

LOG = logging.getLogger("companion")


def phone_parts(settings: Settings, *, opens_browser: bool = False) -> list[Part]:
    """Give the parts of a box whose only buttons are phones': its pages, from the start. Raises Unavailable."""
    from companion.app.pages import Web

    folder = state_directory(settings.box)
    web = Web(settings.web, settings.display, folder, simulated=False,
              languages=languages_of(settings.box.language, folder),
              letters=settings.picture.letters, times=settings.times, scanner=settings.scanner,
              opens_browser=opens_browser)  # fmt: skip
    return [*speech_parts(settings), Pages(web)]


def panel_parts(settings: Settings, *, opens_browser: bool = False) -> list[Part]:
    """Give the parts of the box on a real panel, in the order in which they are opened.

    opens_browser: whether this machine's own is, where a person at a screen starts the box. Raises Malformed,
    Unavailable for a wrong file of pods or cards.
    """
    folder = state_directory(settings.box)
    source = make_source(
        settings.source, settings.pins, folder, certified(folder / PANEL.certificate, settings.pins.buttons)
    )
    displays = make_displays(settings.display, settings.picture)
    by_gpiod = source is not None and source.name == "gpiod"
    volume = settings.sound.volume
    buzzer = make_buzzer(settings.buzzer, settings.source, settings.pins, folder, by_gpiod=by_gpiod, volume=volume)
    parts: list[Part] = [PanelButtons(source, tuple(settings.pins.lines))]
    if displays:
        parts.append(Screen(*displays))
    if buzzer is not None:
        parts.append(Sound(buzzer, settings.sound))
    parts += speech_parts(settings)
    if settings.web.enabled:
        parts.append(_late_pages(settings, folder, opens_browser=opens_browser))
    parts += _at_serial_ports(settings, folder)
    if settings.evdev.enabled:
        parts.append(_input_devices(settings, folder))
    return [*parts, *_with_signals(settings.signals, parts)]


def _with_signals(chosen: parts_of.Signals, parts: Sequence[Part]) -> list[Part]:
    """Give the part that switches lamps and motors, of the expander and of these parts; none where there are none."""
    signals = [one for part in parts for one in part.signals]
    if (expander := make_expander(chosen)) is not None:
        signals.append(expander)
    buttons = make_button_lamps(chosen)
    if buttons is None:
        return [SeatSignals(signals)] if signals else []
    from companion.app.signals.lit_buttons import LitButtons

    return [SeatSignals(signals, LitButtons(buttons))]


class InputDevices(Part):
    """USB switches, game pads, keyboards; and what is assigned to any line."""

    def __init__(self, assigner: Assigner) -> None:
        self._assigner = assigner
        self.sources, self.lines = (assigner.source,), assigner.source.lines

    def open(self) -> None:
        """Take the devices that are there; one that comes later is taken then."""
        self._assigner.source.open()

    def attach(self, loop: BoxLoop) -> None:
        """Rewire the lines of all sources, and offer to assign."""
        self._assigner.attach(loop)
        loop.follow(self._assigner)

    def close(self) -> None:
        """Let go of them."""
        self._assigner.close()


def _input_devices(settings: Settings, folder: Path) -> Part:
    from companion.app.assembly import line_timings
    from companion.app.inputs.making import make_inputs

    return InputDevices(make_inputs(settings, folder, partial(line_timings, settings)))


def speech_parts(settings: Settings) -> list[Part]:
    """Give the voice and the earphones that the settings name; nothing of them is imported where there are none."""
    if settings.voice.kind == "none" and not any(settings.seats.of(colour).earphone for colour in Colour):
        return []
    from companion.app.speech.box_voices import BoxVoices

    return [Speech(BoxVoices(settings))]


def _late_pages(settings: Settings, folder: Path, *, opens_browser: bool) -> Part:
    from companion.app.late_pages import LatePages

    def make_web(source: PanelSource) -> Web:
        from companion.app.pages import Web

        return Web(settings.web, settings.display, folder, simulated=False, source=source,
                   languages=languages_of(settings.box.language, folder), letters=settings.picture.letters,
                   times=settings.times, scanner=settings.scanner, opens_browser=opens_browser)  # fmt: skip

    return LatePages(make_web)


def _at_serial_ports(settings: Settings, folder: Path) -> list[Part]:
    parts: list[Part] = []
    if settings.pods.enabled:
        from companion.app.pods import make_pods

        pods = make_pods(settings.pods, folder)
        parts += [pods] if pods is not None else []
    if settings.scanner.port:
        from companion.app.scanner import CardScanner, load_deck
        from companion.app.storing.profiles import profiles_in

        deck = load_deck(settings.scanner, settings.match.game)
        parts.append(CardScanner(settings.scanner, deck, profiles_in(state_directory(settings.box))))
    return parts


def make_source(
    chosen: parts_of.Source, pins: PinMap, work_dir: Path, certificate: Certified | None = None
) -> ButtonSource | None:
    """Give the buttons' source that the settings name, not opened; None for none. Raises Malformed.

    work_dir: where a pin factory may put its files. certificate: a valid one, whose worst difference joins the ±.
    """
    if chosen.kind == "none":
        return None
    from companion.adapters.gpio.gpiod_chip import load_gpiod
    from companion.adapters.gpio.gpiod_source import GpiodSource

    wanted = chosen.chip or None
    kind: str = chosen.kind
    if kind == "auto":
        try:
            load_gpiod()
            kind = "gpiod"
        except Unavailable as error:
            LOG.warning("%s; reading the buttons by gpiozero", error)
            kind = "gpiozero"
    if kind == "gpiod":
        gpiod = GpiodSource(
            pins.lines, rotary=pins.knob, chip=wanted, error_ns=chosen.error_ns, merge_ns=chosen.merge_ns,
            certified=certificate,
        )  # fmt: skip
        if chosen.delay_ns is not None:
            gpiod.delay_ns = chosen.delay_ns
        return gpiod
    from companion.adapters.gpio.gpiozero_source import GpiozeroSource

    return GpiozeroSource(
        pins.lines,
        rotary=pins.knob,
        factory=chosen.pin_factory or "auto",
        chip=wanted,
        work_dir=work_dir,
        delay_ns=chosen.delay_ns,
        merge_ns=chosen.merge_ns,
        certified=certificate,
    )


def make_displays(chosen: parts_of.DisplaySettings, picture: parts_of.Picture) -> list[Display]:
    """Give the displays that the settings name, not opened: none, one, or one for each side of the table."""
    if chosen.kind == "none":
        return []
    from companion.adapters.oled.display import OledDisplay
    from companion.adapters.oled.wiring import I2cWiring, SpiWiring

    wiring: I2cWiring | SpiWiring = I2cWiring(chosen.i2c_bus, chosen.i2c_address)
    if chosen.interface == "spi":
        wiring = SpiWiring(chosen.spi_port, chosen.spi_device, chosen.spi_dc_gpio, chosen.spi_reset_gpio)
    found: list[Display] = [OledDisplay(chosen.kind, wiring, rotation=chosen.rotate, contrast=chosen.contrast)]
    if picture.second_address:
        other = I2cWiring(chosen.i2c_bus, picture.second_address)
        found.append(OledDisplay(chosen.kind, other, rotation=picture.second_rotate, contrast=chosen.contrast))
    return found


def make_expander(chosen: parts_of.Signals) -> ExpanderSignals | None:
    """Give the expander of lamps and motors, not opened; None for none."""
    if chosen.kind == "none":
        return None
    from companion.adapters.signals.expander import CHIPS, ExpanderSignals, Wired

    wired = {
        Lit(colour, outlet): Wired(output, percent / 100)
        for outlet, outputs, percent in (
            (Outlet.LAMP, chosen.lamps, chosen.brightness),
            (Outlet.MOTOR, chosen.motors, chosen.strength),
        )
        for colour, output in zip(Colour, outputs, strict=False)
        if output != NO_OUTPUT
    }
    return ExpanderSignals(CHIPS[chosen.kind](), wired, bus=chosen.i2c_bus, address=chosen.i2c_address)


def make_button_lamps(chosen: parts_of.Signals) -> ButtonLamps | None:
    """Give the lamps in the box's buttons, not opened; None for none. Raises Malformed: two chips at one address."""
    if chosen.button_lamps == "none":
        return None
    from companion.adapters.signals.button_lamps import ButtonLamps
    from companion.adapters.signals.expander import CHIPS

    _check_addresses(chosen)
    return ButtonLamps(
        CHIPS[chosen.button_lamps],
        built_in_button_lamps(),
        addresses=chosen.button_addresses,
        share=chosen.button_brightness / 100,
        bus=chosen.i2c_bus,
    )


def _check_addresses(chosen: parts_of.Signals) -> None:
    from companion.adapters.signals.expander import CHIPS

    taken = list(chosen.button_addresses)
    if chosen.kind != "none":
        taken.append(chosen.i2c_address or CHIPS[chosen.kind]().usual_address)
    if twice := next((address for address in taken if taken.count(address) > 1), None):
        raise Malformed(
            text("signals: two chips are at address {address}; each of button_addresses and i2c_address needs its own")
            .format(address=f"0x{twice:02x}")
        )  # fmt: skip


def make_buzzer(
    buzzer: parts_of.Buzzer,
    source: parts_of.Source,
    pins: PinMap,
    work_dir: Path,
    *,
    by_gpiod: bool,
    volume: int = 100,
) -> Buzzer | None:
    """Give the buzzer, not opened; None on a box without one. Beside gpiod it needs no lgpio, which never rests."""
    if pins.buzzer is None or buzzer.kind == "none":
        return None
    from companion.adapters.gpio.outputs.buzzer import PanelBuzzer

    return PanelBuzzer(
        pins.buzzer,
        kind=buzzer.kind,
        volume=volume,
        factory=source.pin_factory or ("gpiod" if by_gpiod else "auto"),
        chip=source.chip or None,
        work_dir=work_dir,
    )
