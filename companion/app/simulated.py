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
from companion.app.parts import Part, Screen
from companion.config.reading import state_directory
from companion.config.run_options import demonstration
from companion.core.errors import CompanionError, Illegal, Unavailable
from companion.core.play.commands import Done
from companion.core.shown import displays
from companion.core.timing.events import MS, SECOND
from companion.files.reading import MIB, read_text, shown
from companion.games import registry
from companion.screens.text.scene_lines import lines as text_of
from companion.screens.web.public import public_scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from typing import TextIO

    from companion.adapters.terminal import TerminalPanel
    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.config.run_options import RunOptions
    from companion.config.settings import Settings
    from companion.core.play.session import Session
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


class Demonstration(Part):
    """The match that comes with a game, played on the simulated buttons when somebody asks for it.

    game: the name of one that has a demonstration.
    """

    def __init__(self, source: SimulatedSource, clock: Callable[[], int], error_ns: int, game: str) -> None:
        script = demonstration(game)
        self._script = parse(script.read_text(encoding="utf-8"), script.name, error_ns)
        self._game = game
        self._source, self._clock = source, clock
        self._until_ns = 0
        self.loop: BoxLoop | None = None

    def attach(self, loop: BoxLoop) -> None:
        """Take the loop whose box plays it."""
        self.loop = loop

    def play(self, answer: Callable[[Done | CompanionError], None]) -> None:
        """Play it from an empty seating; refused while a match runs."""
        if self.loop is None:
            answer(Illegal("the box is not ready yet"))
        else:
            self.loop.request(self._begin, answer)

    def _begin(self, session: Session, _t_ns: int) -> Done:
        now_ns = self._clock()
        if now_ns < self._until_ns:
            raise Illegal("the demonstration is being played already")
        session.seat_nobody(self._game)
        self._source.feed(self._script.events, now_ns + LEAD_NS)
        self._until_ns = now_ns + LEAD_NS + self._script.length_ns
        return Done("a demonstration match is played")


class SimulatedButtons(Part):
    """The buttons of a simulated panel, pressed by keys, a script or the demonstration."""

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
        self.speaker, self.watchers = panel, (panel,)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Hold the terminal for as long as the box runs."""
        return self._panel.running(on_quit=self._stop)


class Text(Part):
    """Each scene as lines of text on standard output."""

    def __init__(self) -> None:
        self.watchers = (PlainText(sys.stdout),)


class Pages(Part):
    """The panel in the browser, served from the start: without it nobody could press anything."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self.sources, self.lines = (web.source,), tuple(web.source.lines)

    def open(self) -> None:
        """Take the address."""
        self._web.open()

    def attach(self, loop: BoxLoop) -> None:
        """Serve."""
        self._web.attach(loop)

    def ready(self) -> None:
        """Say where it is."""
        self._web.announce(sys.stdout)
        sys.stdout.write("Ctrl-C ends.\n")
        sys.stdout.flush()

    def close(self) -> None:
        """Stop serving."""
        self._web.close()
        self._web.source.close()


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
    if in_browser:
        parts += _in_browser(settings, source)
    if script is not None:
        parts.append(PlayedScript(script, source, None if in_terminal else stop))
    return parts


def _in_browser(settings: Settings, source: SimulatedSource) -> list[Part]:
    """Give the demonstration, and the pages that offer it."""
    from companion.app.pages import Web

    game = registry.with_demonstration(settings.match.game)
    demo = None if game is None else Demonstration(source, time.monotonic_ns, settings.source.error_ns, game)
    web = Web(
        settings.web,
        settings.display,
        state_directory(settings.box),
        simulated=True,
        demo=demo,
        language=settings.box.language,
    )
    return [*([demo] if demo is not None else []), Pages(web)]


def _read_script(path: Path, error_ns: int) -> Script:
    try:
        text = read_text(path, 16 * MIB)
    except CompanionError as error:
        raise Unavailable(f"{shown(path)}: cannot be read: {error}") from error
    return parse(text, str(path), error_ns)
