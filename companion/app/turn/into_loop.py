"""How other threads have something done in the event loop's thread, before it runs as well. Knows no session."""

from __future__ import annotations

import threading
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable


class IntoLoop:
    """The way into the loop of one box. loop: the one that runs, None before.

    Another thread may ask before the loop runs. The loop then does it when it begins, because two threads must not
    change what the loop uses. For the thread that made this object it is done at once.
    """

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._made_in = threading.current_thread()
        self._early: list[Callable[[], None]] = []
        self._lock = threading.Lock()  # held while `loop` is set, and while `_early` is added to: nothing is, after it

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Take the running loop, and schedule what other threads asked for before it ran."""
        with self._lock:
            self.loop = loop
            for call in self._early:
                loop.call_soon(call)

    def call(self, function: Callable[..., None], *arguments: object) -> None:
        """Have the loop's thread call a function; any thread may ask. Does nothing if the loop has ended."""
        with self._lock:
            if self.loop is None and threading.current_thread() is not self._made_in:
                self._early.append(partial(function, *arguments))
                return
        if self.loop is None:
            function(*arguments)
            return
        try:
            self.loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:  # the loop has ended
            return
