"""The simulated panel: reads keys, draws what the modelled chip shows. Knows no game, no session, no pixel's meaning.

A key's time is taken where the key is read. A terminal tells neither when a key was really pressed nor that it was let
go: the stated error is 5 ms, and a press lasts 120 ms, longer while the key repeats.

No thread of its own. prompt_toolkit puts the terminal back however `running` is left: by the end, an exception, or a
signal that ends the event loop in an orderly way.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import FormattedTextControl

from companion.adapters.terminal.arrangement import Shown, arranged
from companion.adapters.terminal.keys import BUTTON_OF_KEY
from companion.core.panel import KNOB_PUSH
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from PIL import Image
    from prompt_toolkit.formatted_text import StyleAndTextTuples
    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.output import Output

    from companion.core.shown.scene import Scene
    from companion.ports import Sound

KEY_ERROR_NS = 5 * MS
"""Keyboard, terminal and event loop: a key's time is no better than this."""
HOLD_NS = 120 * MS
PUSH_NS = 80 * MS
UNDO_NS = 1_100 * MS
_TONE_NS = 1_500 * MS
_TICK_S = 0.04
_LOG_LINES = 200


class Lines(Protocol):
    """The lines that keys change."""

    def press(self, label: str, t_ns: int, hold_ns: int, error_ns: int | None = None) -> None:
        """Press and release, or hold longer."""

    def edge(self, label: str, active: bool, t_ns: int, error_ns: int | None = None) -> None:
        """Change a line."""

    def turn(self, steps: int, t_ns: int) -> None:
        """Turn the knob."""


class Chip(Protocol):
    """Where the picture comes from; `changes` grows with everything the chip is sent."""

    changes: int

    def picture(self) -> Image.Image:
        """Give what an eye sees."""


class TerminalPanel:
    """Keys and picture in a terminal; also the `Buzzer`, which writes the name of a tone."""

    def __init__(
        self,
        source: Lines,
        chip: Chip,
        text_of: Callable[[Scene], tuple[str, ...]],
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._source = source
        self._chip = chip
        self._text_of = text_of
        self._clock = clock
        self._words: tuple[str, ...] = ()
        self._log: deque[str] = deque(maxlen=_LOG_LINES)
        self._held = False
        self._down_until: dict[str, int] = {}
        self._tone, self._tone_until_ns = "", 0
        self._application: Application[None] | None = None
        self._on_quit: Callable[[], None] = lambda: None

    @contextlib.asynccontextmanager
    async def running(
        self,
        on_quit: Callable[[], None],
        keyboard: Input | None = None,
        screen: Output | None = None,
    ) -> AsyncIterator[None]:
        """Take the terminal for as long as the context lasts; `on_quit` is called when a person wants to leave."""
        self._on_quit = on_quit
        window = Window(FormattedTextControl(self._fragments, show_cursor=False), always_hide_cursor=True)
        self._application = Application(
            layout=Layout(window), key_bindings=self._bindings(), full_screen=True, input=keyboard, output=screen
        )
        drawing = asyncio.create_task(self._application.run_async(handle_sigint=False))
        drawing.add_done_callback(lambda _task: on_quit())
        ticking = asyncio.create_task(self._tick())
        try:
            yield
        finally:
            ticking.cancel()
            if self._application.is_running:
                self._application.exit()
            elif not drawing.done():
                drawing.cancel()  # left before it had begun
            await asyncio.gather(drawing, ticking, return_exceptions=True)
            self._application = None
        if not drawing.cancelled() and drawing.exception() is not None:
            raise drawing.exception() or RuntimeError

    def show(self, scene: Scene) -> None:
        """Take the newest scene; what is new in its text goes to the log."""
        before, self._words = self._words, self._text_of(scene)
        for text in self._words:
            if text in before:
                continue
            if self._log and _moves(self._log[-1], text):
                self._log.pop()
            self._log.append(text)
        self._redraw()

    def open(self) -> None:
        """A terminal needs no opening."""

    def play(self, sound: Sound) -> None:
        """Write the tone's name for a moment, and whose it is."""
        self._tone = " ".join((sound.tone.value, *(seat.short for seat in sound.seats)))
        self._tone_until_ns = self._clock() + _TONE_NS
        self._redraw()

    def close(self) -> None:
        """Nothing sounds any more."""
        self._tone = ""

    def key(self, key: str) -> None:
        """Do what a key stands for, now: a letter or digit, or prompt_toolkit's name of a key."""
        now_ns = self._clock()
        label = BUTTON_OF_KEY.get(key.lower())
        if key in {"Q", Keys.ControlC}:
            self._on_quit()
        elif label is not None:
            self._source.press(label, now_ns, HOLD_NS, KEY_ERROR_NS)
            self._down_until[label] = now_ns + HOLD_NS
        elif key in {Keys.Left, Keys.Right}:
            self._source.turn(1 if key == Keys.Right else -1, now_ns)
        elif key == "h" or (self._held and key in {Keys.ControlM, Keys.ControlJ, " ", "u"}):
            self._held = not self._held
            self._source.edge(KNOB_PUSH, self._held, now_ns, KEY_ERROR_NS)
        elif key in {Keys.ControlM, Keys.ControlJ, " ", "u"}:
            hold_ns = UNDO_NS if key == "u" else PUSH_NS
            self._source.press(KNOB_PUSH, now_ns, hold_ns, KEY_ERROR_NS)
            self._down_until[KNOB_PUSH] = now_ns + hold_ns
        self._redraw()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        @bindings.add(Keys.Any)
        def _any(event: KeyPressEvent) -> None:
            press = event.key_sequence[-1]
            self.key(press.key.value if isinstance(press.key, Keys) else press.key)

        for named in (Keys.Left, Keys.Right, Keys.ControlM, Keys.ControlJ, Keys.ControlC):
            bindings.add(named, eager=True)(_any)
        return bindings

    def _fragments(self) -> StyleAndTextTuples:
        if self._application is None:
            return []
        size = self._application.output.get_size()
        now_ns = self._clock()
        down = frozenset(label for label, until_ns in self._down_until.items() if until_ns > now_ns)
        shown = Shown(
            self._chip.picture(),
            self._words,
            tuple(self._log),
            down,
            self._held or KNOB_PUSH in down,
            self._tone if self._tone_until_ns > now_ns else "",
        )
        fragments: StyleAndTextTuples = []
        for line in arranged(shown, size.columns, size.rows):
            fragments += [*line, ("", "\n")]
        return fragments[:-1]

    def _redraw(self) -> None:
        if self._application is not None:
            self._application.invalidate()

    async def _tick(self) -> None:
        """Draw again when the chip was sent something, and when a mark or a tone's name has had its time."""
        drawn: tuple[Any, ...] = ()
        while True:
            now_ns = self._clock()
            self._down_until = {label: until for label, until in self._down_until.items() if until > now_ns}
            state = (self._chip.changes, frozenset(self._down_until), self._tone_until_ns > now_ns)
            if state != drawn:
                drawn = state
                self._redraw()
            await asyncio.sleep(_TICK_S)


def _moves(before: str, after: str) -> bool:
    """Tell whether two lines are of the same menu, with the knob one further: "Which card? (2 of 26): red ace"."""
    head = after.partition(" (")[0]
    return " of " in after and " (" in after and before.startswith(f"{head} (")
