"""The parts of a simulated box: the same core, journal and display path; a panel in the browser or of keys, a modelled
chip.

Part of `app`: it wires adapters, and `launch` runs them as it runs a real panel's. The OLED's picture goes through luma
to a model of its chip; what the model decoded is what the terminal shows.
"""

from __future__ import annotations

import asyncio
import sys
import time
from typing import TYPE_CHECKING

from companion.adapters.oled.chip import simulated
from companion.adapters.simulated.script import Script, parse
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES
from companion.app.devices import speech_parts
from companion.app.parts import Pages, Part, Screen
from companion.config.languages import languages_of
from companion.config.reading import state_directory
from companion.core.errors import CompanionError, Unavailable
from companion.core.shown import displays
from companion.core.timing.events import MS, SECOND
from companion.files.reading import MIB, read_text, shown
from companion.screens.everybody.public import public_scene
from companion.screens.text.scene_lines import lines as text_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from typing import TextIO

    from companion.adapters.terminal import TerminalPanel
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings
    from companion.core.shown.scene import Scene

LEAD_NS = 200 * MS
"""A script begins so long after the box is ready."""


class PlainText:
    """Writes each scene as lines of text, where it says something new: to a terminal all of it, else without a PIN."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._is_seen = out, out.isatty()
        self._said: tuple[str, ...] = ()

    def show(self, scene: Scene) -> None:
        """Write a scene, parted from the one before by an empty line."""
        said = text_of(scene if self._is_seen else public_scene(scene))
        if said == self._said:
            return
        self._said = said
        self._out.write("\n".join((*said, "", "")))
        self._out.flush()


class SimulatedButtons(Part):
    """The buttons of a simulated panel, pressed by keys or a script."""

    def __init__(self, source: SimulatedSource) -> None:
        self._source = source
        self.sources, self.lines = (source,), ALL_LINES

    def open(self) -> None:
        """Start their thread."""
        self._source.open()

    def close(self) -> None:
        """End it."""
        self._source.close()


class Terminal(Part):
    """The panel in the terminal: keys, picture and the names of tones. stop: called when a person leaves."""

    def __init__(self, panel: TerminalPanel, stop: Callable[[], None]) -> None:
        self._panel, self._stop = panel, stop
        self.buzzer, self.watchers = panel, (panel,)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Hold the terminal for as long as the box runs."""
        return self._panel.running(on_quit=self._stop)


class Text(Part):
    """Each scene as lines of text on standard output."""

    def __init__(self) -> None:
        self.watchers = (PlainText(sys.stdout),)


class PlayedScript(Part):
    """A script, played once the box is ready. stop: called a second after its end; None where the box runs on."""

    def __init__(self, script: Script, source: SimulatedSource, stop: Callable[[], None] | None) -> None:
        self._script, self._source, self._stop = script, source, stop

    def ready(self) -> None:
        """Announce all of its presses to the simulated buttons."""
        self._source.feed(self._script.events, time.monotonic_ns() + LEAD_NS)
        if self._stop is not None:
            lasts_ns = LEAD_NS + self._script.length_ns + SECOND
            asyncio.get_running_loop().call_later(lasts_ns / SECOND, self._stop)


def simulated_parts(settings: Settings, options: RunOptions, stop: Callable[[], None]) -> list[Part]:
    """Give the parts of the simulated box: its panel in the browser, in the terminal, or none and a script.

    stop: ends the box. Raises Malformed for a script that cannot be read, Unavailable where there is no panel and no
    script.
    """
    script = None if options.script is None else _read_script(options.script, settings.source.error_ns)
    in_browser = settings.web.enabled and script is None and not options.terminal
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    in_terminal = not in_browser and not options.plain and is_terminal
    if not in_terminal and not in_browser and script is None:
        raise Unavailable(
            "there is no terminal to draw the panel in: run it in a terminal, or give presses with --script FILE"
        )
    chip = settings.display.kind if settings.display.kind != "none" else displays.USUAL
    display, wire = simulated(chip)
    source = SimulatedSource(time.monotonic_ns, ALL_LINES, settings.source.error_ns)
    parts: list[Part] = [SimulatedButtons(source), Screen(display)]
    if in_terminal:
        from companion.adapters.terminal import TerminalPanel

        parts.append(Terminal(TerminalPanel(source, wire.chip, text_of), stop))
    elif options.plain or not in_browser:
        parts.append(Text())
    parts += speech_parts(settings)
    if in_browser:
        parts.append(_in_browser(settings, opens_browser=options.browser))
    if script is not None:
        parts.append(PlayedScript(script, source, None if in_terminal else stop))
    return parts


def _in_browser(settings: Settings, *, opens_browser: bool) -> Pages:
    from companion.app.pages import Web

    return Pages(
        Web(
            settings.web,
            settings.display,
            state_directory(settings.box),
            simulated=True,
            languages=languages_of(settings.box.language, state_directory(settings.box)),
            letters=settings.picture.letters,
            times=settings.times,
            scanner=settings.scanner,
            opens_browser=opens_browser,
        )
    )


def _read_script(path: Path, error_ns: int) -> Script:
    try:
        text = read_text(path, 16 * MIB)
    except CompanionError as error:
        raise Unavailable(f"{shown(path)}: cannot be read: {error}") from error
    return parse(text, str(path), error_ns)
