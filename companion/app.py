"""The one place that knows both the core and the adapters: builds a box from settings and runs it.

Owns start-up, signals and shutdown. Exit statuses: 0 stopped, 1 could not start (the error says why).
"""

from __future__ import annotations

import asyncio
import faulthandler
import logging
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from companion.assembly import ALL_LINES, build, handle_signals
from companion.config import state_directory
from companion.core.errors import CompanionError, Unavailable
from companion.screens.fault import fault_scene
from companion.screens.oled import render
from companion.service import hang_on_signal, make_service

if TYPE_CHECKING:
    from companion.adapters.web.panel_source import PanelSource
    from companion.card_scanner import CardScanner
    from companion.doctor import Serial
    from companion.loop import BoxLoop
    from companion.options import RunOptions
    from companion.ports import ButtonSource, Display, Speaker
    from companion.service import Service
    from companion.settings import Settings
    from companion.table_web import Web

LOG = logging.getLogger("companion")

PAGES_END_S = 15.0
"""How long a stop waits for pages that are only just beginning."""


def run(settings: Settings, options: RunOptions) -> int:
    """Referee until stopped. Raises Unavailable or Malformed where the box cannot be started."""
    wants_terminal = options.terminal or options.script is not None or not settings.web.enabled
    in_terminal = options.simulate and wants_terminal and not options.plain
    in_terminal = in_terminal and sys.stdin.isatty() and sys.stdout.isatty()
    logging.basicConfig(
        level=settings.box.log_level.upper(), stream=sys.stderr, format="%(levelname)s %(message)s", force=True
    )
    with suppress(OSError, ValueError, RuntimeError):  # stderr may be no file
        # Where every thread was when the watchdog ended the process is then in the log.
        faulthandler.enable()
    if options.simulate:
        from companion.simulation import run_simulated

        return run_simulated(settings, options, in_terminal=in_terminal)
    return asyncio.run(_run_panel(settings, options))


# -- the real panel ----------------------------------------------------------------------------------------------------


async def _run_panel(settings: Settings, options: RunOptions) -> int:
    service = make_service()
    try:
        return await _run_served(settings, options, service)
    except Exception as error:
        service.failed(str(error) if isinstance(error, CompanionError) else repr(error))
        raise
    finally:
        service.stopped()


async def _run_served(settings: Settings, options: RunOptions, service: Service) -> int:
    display = make_display(settings)
    source = make_source(settings)
    speaker = make_speaker(settings, source)
    lines = tuple(settings.pins.lines)
    try:
        if source is not None:
            source.open()
    except CompanionError as error:
        _show_fault(display, str(error))
        raise
    if source is not None and (remark := getattr(source, "remark", None)):
        LOG.warning("%s", remark)
    displays = [display] if display is not None else []
    sources = [source] if source is not None else []
    pages = _make_pages(settings)
    if pages is not None:
        sources, lines = [*sources, pages.source], (*lines, *pages.source.lines)
    loop = _assemble(settings, options, sources, lines, displays, speaker)
    if source is not None and (remark := getattr(source, "remark", None)):
        loop.box.session.note(remark, source.name)
    _open_speaker(loop, speaker)
    scanner = _start_scanner(settings, loop)
    service.attach(loop)
    handle_signals(service.stop)
    hang_on_signal()

    def on_ready() -> None:
        _say_ready(source, service)
        if pages is not None:
            pages.start(loop)

    try:
        await loop.run(on_ready=on_ready)
    finally:
        if scanner is not None:
            scanner.close()
        if pages is not None:
            pages.close()
    return 0


def _start_scanner(settings: Settings, loop: BoxLoop) -> CardScanner | None:
    """Give the card scanner, reading; None where none is set."""
    from companion.card_scanner import make_scanner

    scanner = make_scanner(settings)
    if scanner is not None:
        scanner.attach(loop)
    return scanner


def _assemble(
    settings: Settings,
    options: RunOptions,
    sources: list[ButtonSource],
    lines: tuple[str, ...],
    displays: list[Display],
    speaker: Speaker | None,
) -> BoxLoop:
    """Put the box together, with the button pods that are assigned beside the sources given."""
    from companion.pods import make_pods

    pods = make_pods(settings)
    if pods is None:
        return build(settings, options, sources=sources, lines=lines, displays=displays, speaker=speaker)
    pods.source.open()
    loop = build(
        settings, options, sources=[*sources, pods.source], lines=(*lines, *pods.lines), displays=displays,
        speaker=speaker, watchers=[pods.watcher],
    )  # fmt: skip
    pods.attach(loop)
    return loop


class Pages:
    """The web of a real panel, which begins once presses are taken: its libraries are half of the start-up time.

    That happens in a thread of its own ("pages"), which crosses over by `BoxLoop.follow`, `call` and `alarm` alone.
    What fails there is said on the box, and keeps none from refereeing.
    """

    def __init__(self, settings: Settings, source: PanelSource) -> None:
        self.source = source
        self._settings = settings
        self._web: Web | None = None
        self._thread: threading.Thread | None = None

    def start(self, loop: BoxLoop) -> None:
        """Begin to serve, without waiting for it."""
        self._thread = threading.Thread(target=self._serve, args=(loop,), name="pages", daemon=True)
        self._thread.start()

    def _serve(self, loop: BoxLoop) -> None:
        try:
            from companion.table_web import Web

            web = Web(self._settings, simulated=False, source=self.source)
            web.open()
            self._web = web
            web.attach(loop)
            web.announce(sys.stderr)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the pages, the box goes on
            LOG.error("no web pages: %s", error if isinstance(error, CompanionError) else repr(error))
            loop.alarm("web", "no web pages: the log says why")

    def close(self) -> None:
        """Stop serving, also where that is only about to begin."""
        if self._thread is not None:
            self._thread.join(PAGES_END_S)
        if self._web is not None:
            self._web.close()


def _make_pages(settings: Settings) -> Pages | None:
    """Give the web, with its source of presses open; None where it is off."""
    if not settings.web.enabled:
        return None
    from companion.adapters.web.panel_source import PanelSource

    source = PanelSource(time.monotonic_ns, ALL_LINES)
    source.open()
    return Pages(settings, source)


def _say_ready(source: ButtonSource | None, service: Service) -> None:
    """Say that every press from now on is taken: to the service manager, and to a script that waits for this line."""
    service.ready()
    name = source.name if source is not None else "no buttons"
    sys.stderr.write(f"ready: {name}\n")
    sys.stderr.flush()


def _open_speaker(loop: BoxLoop, speaker: Speaker | None) -> None:
    if speaker is None:
        return
    try:
        speaker.open()
    except Unavailable as error:
        loop.box.session.alarm("buzzer", f"no sound: {error}")


def _show_fault(display: Display | None, text: str) -> None:
    """Leave the reason on the display before giving up; a display that fails too changes nothing."""
    if display is None:
        return
    scene = fault_scene("Cannot start", text, "companion doctor")
    try:
        display.open()
        display.show(render(scene, display.size))
    except CompanionError as error:
        LOG.debug("%s", error)


def make_source(settings: Settings) -> ButtonSource | None:
    """Give the buttons' source that the settings name, not opened; None for none. Raises Malformed."""
    from companion.adapters.gpio.gpiod_chip import load_gpiod
    from companion.adapters.gpio.gpiod_source import GpiodSource

    chosen, wanted = settings.source, settings.source.chip or None
    if chosen.kind == "none":
        return None
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
            settings.pins.lines, rotary=settings.pins.knob, chip=wanted, error_ns=chosen.error_ns
        )  # fmt: skip
        if chosen.delay_ns is not None:
            gpiod.delay_ns = chosen.delay_ns
        return gpiod
    from companion.adapters.gpio.gpiozero_source import GpiozeroSource

    return GpiozeroSource(
        settings.pins.lines,
        rotary=settings.pins.knob,
        factory=chosen.pin_factory or "auto",
        chip=wanted,
        work_dir=state_directory(settings),
        delay_ns=chosen.delay_ns,
    )


def make_display(settings: Settings) -> Display | None:
    """Give the display that the settings name, not opened; None for none."""
    from companion.adapters.oled.display import OledDisplay
    from companion.adapters.oled.wiring import I2cWiring, SpiWiring

    chosen = settings.display
    if chosen.kind == "none":
        return None
    wiring: I2cWiring | SpiWiring = I2cWiring(chosen.i2c_bus, chosen.i2c_address)
    if chosen.interface == "spi":
        wiring = SpiWiring(chosen.spi_port, chosen.spi_device, chosen.spi_dc_gpio, chosen.spi_reset_gpio)
    return OledDisplay(chosen.kind, wiring, rotation=chosen.rotate, contrast=chosen.contrast)


def make_speaker(settings: Settings, source: ButtonSource | None) -> Speaker | None:
    """Give the buzzer, not opened; None on a box without one. Beside gpiod it needs no lgpio, which never rests."""
    if settings.pins.buzzer is None or settings.buzzer.kind == "none":
        return None
    from companion.adapters.gpio.buzzer import PanelBuzzer

    by_gpiod = source is not None and source.name == "gpiod"

    return PanelBuzzer(
        settings.pins.buzzer,
        kind=settings.buzzer.kind,
        factory=settings.source.pin_factory or ("gpiod" if by_gpiod else "auto"),
        chip=settings.source.chip or None,
        work_dir=state_directory(settings),
    )


# -- the doctor --------------------------------------------------------------------------------------------------------


def doctor(settings: Settings, *, buttons: bool) -> int:
    """Examine the box, or with `buttons` ask for each button in turn; give the exit status, 1 where something is wrong.

    Raises Unavailable where the buttons cannot be opened to be tried.
    """
    from companion.adapters.pods.ports import open_port
    from companion.button_trial import Ear, try_buttons
    from companion.doctor import Box as Examined
    from companion.doctor import run_doctor

    def say(text: str) -> None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    def source() -> ButtonSource:
        made = make_source(settings)
        if made is None:
            raise Unavailable('source.kind = "none": this box reads no buttons')
        return made

    if buttons:
        ear = source()
        ear.open()
        try:
            return try_buttons(Ear(ear), list(settings.pins.lines), say)
        finally:
            ear.close()
    display = settings.display
    on_i2c = display.kind != "none" and display.interface == "i2c"
    examined = Examined(
        lines=settings.pins.lines,
        make_source=source if settings.source.kind != "none" else None,
        state_dir=state_directory(settings),
        make_display=(lambda: cast("Display", make_display(settings))) if display.kind != "none" else None,
        i2c=(display.i2c_bus, display.i2c_address) if on_i2c else None,
        find_serial=lambda: find_serial(settings),
        open_port=open_port,
    )
    return run_doctor(examined, say)


def find_serial(settings: Settings) -> Serial:
    """Give what is meant to be at serial ports: the named ones, and what looks like a pod where none is named.

    Raises Malformed, Unavailable for a wrong file of pods or of cards, which would keep the box from starting.
    """
    from companion.adapters.pods.ports import find_pods
    from companion.card_scanner import load_deck
    from companion.doctor import Serial
    from companion.pod_files import pods_file, read_pods

    ports: list[tuple[str, Path]] = []
    assigned = 0
    if settings.pods.enabled:
        assigned = len(read_pods(pods_file(settings)))
        ports += [("pod", port) for port in [*map(Path, settings.pods.ports)] or find_pods()]
    if settings.scanner.port:
        load_deck(settings)
        ports.append(("card scanner", Path(settings.scanner.port)))
    return Serial(tuple(ports), assigned)
