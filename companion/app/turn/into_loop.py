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

    What another thread asks for before the loop runs is done once it does: it could still be at it by then, and nothing
    that the loop uses may be changed by two threads. The thread that made this has it done at once.
    """

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self._made_in = threading.current_thread()
        self._early: list[Callable[[], None]] = []
        self._lock = threading.Lock()  # held while `loop` is set, and while `_early` is added to: nothing is, after it

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """The loop runs."""
        with self._lock:
            self.loop = loop
            for call in self._early:
                loop.call_soon(call)

    def call(self, function: Callable[..., None], *arguments: object) -> None:
        """Call in the loop's thread, from any. Nothing where the loop has ended: nobody is left to be told."""
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
