"""What a box is made of, one part each: what it gives to the loop, and what is begun and ended with it. Part of `app`.

The theory: a panel and a simulation differ in their list of parts and in nothing else. `companion.app.launch` takes any
such list through one life, in order: every part is opened, the loop is built around what they give, every part is
attached to it, they run, they are told that the box is ready, and they are closed, the last one first.
"""

from __future__ import annotations

import logging
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractAsyncContextManager

    from companion.app.loop import BoxLoop
    from companion.app.pages import Web
    from companion.app.turn.onlookers import Watcher
    from companion.ports import ButtonSource, Display, Speaker

LOG = logging.getLogger("companion")


class Part:
    """A part that gives nothing and does nothing; each kind says what is different with it.

    sources, displays and speaker are the loop's while it runs: it closes them. lines: what may be pressed.
    """

    sources: Sequence[ButtonSource] = ()
    lines: Sequence[str] = ()
    displays: Sequence[Display] = ()
    speaker: Speaker | None = None
    watchers: Sequence[Watcher] = ()

    def open(self) -> None:
        """Claim what is needed before there is a loop; sources must be open then. Raises CompanionError."""

    def attach(self, loop: BoxLoop) -> None:
        """Take the loop, which does not run yet. Raises CompanionError."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Give what lasts for as long as the loop runs."""
        return nullcontext()

    def ready(self) -> None:
        """Every press from now on is taken, and the service manager knows it. In the loop's thread: must not block."""

    def close(self) -> None:
        """Let go of everything; also called where `open` or another part failed."""


class PanelButtons(Part):
    """The buttons on pins; None for a box without any. Says on standard error when presses are taken."""

    def __init__(self, source: ButtonSource | None, lines: Sequence[str]) -> None:
        self._source = source
        self.sources = (source,) if source is not None else ()
        self.lines = lines

    def open(self) -> None:
        """Claim the pins."""
        if self._source is not None:
            self._source.open()
            if (remark := self._remark()) is not None:
                LOG.warning("%s", remark)

    def attach(self, loop: BoxLoop) -> None:
        """Note in the record what is special about them."""
        if self._source is not None and (remark := self._remark()) is not None:
            loop.box.session.note(remark, self._source.name)

    def ready(self) -> None:
        """Tell a script that waits for this line."""
        sys.stderr.write(f"ready: {self._source.name if self._source is not None else 'no buttons'}\n")
        sys.stderr.flush()

    def close(self) -> None:
        """Give the pins back."""
        if self._source is not None:
            self._source.close()

    def _remark(self) -> str | None:
        return self._source.remark if self._source is not None else None


class Screen(Part):
    """A display. The loop opens and blanks it; what is shown where the box cannot start stays on it."""

    def __init__(self, display: Display) -> None:
        self.displays = (display,)


class Sound(Part):
    """The buzzer. A box refereeing without sound is better than none."""

    def __init__(self, speaker: Speaker) -> None:
        self.speaker: Speaker = speaker

    def attach(self, loop: BoxLoop) -> None:
        """Open it; where it is not there the players are told."""
        try:
            self.speaker.open()
        except Unavailable as error:
            loop.box.session.alarm("buzzer", f"no sound: {error}")

    def close(self) -> None:
        """Fall silent."""
        self.speaker.close()


class Pages(Part):
    """Buttons in browsers, served from the start: without these nobody could press anything."""

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
