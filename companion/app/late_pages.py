"""The web of a real panel, which begins once presses are taken: its libraries are half of the start-up time.

Part of `app`; imports of the web only its source of presses.
"""

from __future__ import annotations

import logging
import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from companion.adapters.host_clocks.reading import read_clocks
from companion.adapters.web.phones.panel_source import PanelSource
from companion.app.assembly import ALL_LINES
from companion.app.parts import Part
from companion.core.errors import CompanionError
from companion.core.words.texts import text
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.loop import BoxLoop
    from companion.app.pages import Web

LOG = logging.getLogger("companion")

AGAIN_S = 30.0
"""How often pages that could not be served are tried again."""
PAGES_END_S = 15.0
"""How long a stop waits for pages that are only just beginning."""


class LatePages(Part):
    """Pages that begin in a thread of their own ("pages"), which crosses over by `BoxLoop.follow`, `call` and `alarm`.

    What fails there is said on the box, is tried again, and keeps none from refereeing.
    """

    def __init__(self, make_web: Callable[[PanelSource], Web]) -> None:
        """make_web: gives the web around the source of presses, not opened; called in the thread, and may import."""
        self.source = PanelSource(time.monotonic_ns, ALL_LINES, read_clocks=read_clocks)
        self.sources, self.lines = (self.source,), tuple(self.source.lines)
        self._make_web = make_web
        self._loop: BoxLoop | None = None
        self._web: Web | None = None
        self._thread: Watched | None = None

    def open(self) -> None:
        """Open the source; a page's presses are taken as soon as there are pages."""
        self.source.open()

    def attach(self, loop: BoxLoop) -> None:
        """Take the loop that the pages will follow."""
        self._loop = loop

    def ready(self) -> None:
        """Begin to serve, without waiting for it."""
        if self._loop is not None:
            self._thread = Watched(partial(self._serve, self._loop), name="pages")
            self._thread.start()

    def _serve(self, loop: BoxLoop) -> None:
        """Begin to serve; where that cannot be (a taken port), again now and then, for as long as the box runs."""
        said = ""
        while True:
            try:
                self._begin(loop)
            except CompanionError as error:
                if str(error) != said:
                    said = str(error)
                    LOG.error("no web pages: %s", error)
                loop.alarm("web", text("no web pages: the log says why"))
            else:
                loop.alarm("web", None)
                return
            if self._thread is None or self._thread.pause(AGAIN_S):
                return

    def _begin(self, loop: BoxLoop) -> None:
        web = self._make_web(self.source)
        web.open()
        self._web = web
        try:
            web.attach(loop)
        except BaseException:
            web.close()
            raise
        with suppress(OSError, ValueError):  # nobody hears it (a full disk, a closed pipe): the pages are there
            web.announce(sys.stderr)

    def close(self) -> None:
        """Stop serving, also where that is only about to begin."""
        if self._thread is not None:
            self._thread.join(PAGES_END_S)
        if self._web is not None:
            self._web.close()
        self.source.close()
