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
from typing import TYPE_CHECKING

from companion.app.assembly import ALL_LINES, build, handle_signals
from companion.app.devices import make_display, make_source, make_speaker
from companion.app.service import hang_on_signal, make_service
from companion.core.errors import CompanionError, Unavailable
from companion.screens.oled.fault import fault_scene
from companion.screens.oled.picture import render

if TYPE_CHECKING:
    from companion.adapters.web.phones.panel_source import PanelSource
    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.app.scanner import CardScanner
    from companion.app.service import Service
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings
    from companion.ports import ButtonSource, Display, Speaker

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
        from companion.app.simulated import run_simulated

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
    from companion.app.scanner import make_scanner

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
    from companion.app.pods import make_pods

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
            from companion.app.pages import Web

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
    from companion.adapters.web.phones.panel_source import PanelSource

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
