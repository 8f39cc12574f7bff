"""The parts of a real panel that the settings name, not opened: buttons, display, buzzer, pages, pods, card scanner.

Part of `app`. What a box has not got is not imported: it starts faster.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from companion.adapters.certificate.files import PANEL
from companion.app.certificate.weighing import certified
from companion.app.parts import Pages, PanelButtons, Part, Screen, Sound
from companion.config.reading import state_directory
from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from companion.adapters.web.phones.panel_source import PanelSource
    from companion.app.pages import Web
    from companion.config import settings as parts_of
    from companion.config.pins import PinMap
    from companion.config.settings import Settings
    from companion.core.timing.certificate import Certified
    from companion.ports import ButtonSource, Display, Speaker

LOG = logging.getLogger("companion")


def phone_parts(settings: Settings, *, opens_browser: bool = False) -> list[Part]:
    """Give the parts of a box whose only buttons are phones': its pages, from the start. Raises Unavailable."""
    from companion.app.pages import Web

    folder = state_directory(settings.box)
    return [Pages(Web(settings.web, settings.display, folder, simulated=False, language=settings.box.language,
                      opens_browser=opens_browser))]  # fmt: skip


def panel_parts(settings: Settings, *, opens_browser: bool = False) -> list[Part]:
    """Give the parts of the box on a real panel, in the order in which they are opened.

    opens_browser: whether this machine's own is, where a person at a screen starts the box. Raises Malformed,
    Unavailable for a wrong file of pods or cards.
    """
    folder = state_directory(settings.box)
    source = make_source(
        settings.source, settings.pins, folder, certified(folder / PANEL.certificate, settings.pins.buttons)
    )
    display = make_display(settings.display)
    by_gpiod = source is not None and source.name == "gpiod"
    speaker = make_speaker(settings.buzzer, settings.source, settings.pins, folder, by_gpiod=by_gpiod)
    parts: list[Part] = [PanelButtons(source, tuple(settings.pins.lines))]
    if display is not None:
        parts.append(Screen(display))
    if speaker is not None:
        parts.append(Sound(speaker))
    if settings.web.enabled:
        parts.append(_late_pages(settings, folder, opens_browser=opens_browser))
    return [*parts, *_at_serial_ports(settings, folder)]


def _late_pages(settings: Settings, folder: Path, *, opens_browser: bool) -> Part:
    from companion.app.late_pages import LatePages

    def make_web(source: PanelSource) -> Web:
        from companion.app.pages import Web

        return Web(settings.web, settings.display, folder, simulated=False, source=source,
                   language=settings.box.language, opens_browser=opens_browser)  # fmt: skip

    return LatePages(make_web)


def _at_serial_ports(settings: Settings, folder: Path) -> list[Part]:
    parts: list[Part] = []
    if settings.pods.enabled:
        from companion.app.pods import make_pods

        pods = make_pods(settings.pods, folder)
        parts += [pods] if pods is not None else []
    if settings.scanner.port:
        from companion.app.scanner import CardScanner, load_deck

        parts.append(CardScanner(settings.scanner, load_deck(settings.scanner, settings.match.game)))
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
        gpiod = GpiodSource(pins.lines, rotary=pins.knob, chip=wanted, error_ns=chosen.error_ns, certified=certificate)
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
        certified=certificate,
    )


def make_display(chosen: parts_of.DisplaySettings) -> Display | None:
    """Give the display that the settings name, not opened; None for none."""
    if chosen.kind == "none":
        return None
    from companion.adapters.oled.display import OledDisplay
    from companion.adapters.oled.wiring import I2cWiring, SpiWiring

    wiring: I2cWiring | SpiWiring = I2cWiring(chosen.i2c_bus, chosen.i2c_address)
    if chosen.interface == "spi":
        wiring = SpiWiring(chosen.spi_port, chosen.spi_device, chosen.spi_dc_gpio, chosen.spi_reset_gpio)
    return OledDisplay(chosen.kind, wiring, rotation=chosen.rotate, contrast=chosen.contrast)


def make_speaker(
    buzzer: parts_of.Buzzer, source: parts_of.Source, pins: PinMap, work_dir: Path, *, by_gpiod: bool
) -> Speaker | None:
    """Give the buzzer, not opened; None on a box without one. Beside gpiod it needs no lgpio, which never rests."""
    if pins.buzzer is None or buzzer.kind == "none":
        return None
    from companion.adapters.gpio.outputs.buzzer import PanelBuzzer

    return PanelBuzzer(
        pins.buzzer,
        kind=buzzer.kind,
        factory=source.pin_factory or ("gpiod" if by_gpiod else "auto"),
        chip=source.chip or None,
        work_dir=work_dir,
    )
