"""The event loop of the web's thread, which gives way to what has precedence over pages before each piece of work.

A piece is one callback or one step of a task: what a thread that has the interpreter does before it looks again. Within
one turn asyncio does everything that is ready, which under an attack are hundreds of pieces; so it is the pieces that
are held up, and of sockets that are readable a turn is told of a few only (the kernel gives them by turns).
"""

from __future__ import annotations

import asyncio
import selectors
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    GiveWay = Callable[[], None]

AT_A_TIME = 2
"""Sockets that are heard in one turn."""


class FewAtATime(selectors.EpollSelector):
    """Tells of a few sockets at a time, and gives way before it does."""

    def __init__(self, give_way: GiveWay) -> None:
        super().__init__()
        self._give_way = give_way

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for sockets, up to `timeout` seconds; None: for ever."""
        wait = -1.0 if timeout is None else max(0.0, timeout)
        try:
            found = self._selector.poll(wait, AT_A_TIME)  # type: ignore[attr-defined]
        except InterruptedError:
            found = []
        self._give_way()
        return [answer for fd, event in found if (answer := self._answer(fd, event)) is not None]

    def _answer(self, fd: int, event: int) -> tuple[selectors.SelectorKey, int] | None:
        key = self.get_map().get(fd)
        if key is None:
            return None
        happened = (selectors.EVENT_WRITE if event & ~_IN else 0) | (selectors.EVENT_READ if event & ~_OUT else 0)
        return key, happened & key.events


_IN, _OUT = 0x001, 0x004  # EPOLLIN, EPOLLOUT


class PoliteLoop(asyncio.SelectorEventLoop):
    """A loop that gives way before each piece."""

    def __init__(self, give_way: GiveWay) -> None:
        super().__init__(FewAtATime(give_way))
        self._give_way = give_way

    def call_soon(self, callback: Callable[..., object], *args: Any, context: Any = None) -> asyncio.Handle:  # type: ignore[override]
        """Have something done as the next piece but those that are waiting."""
        return super().call_soon(self._politely, callback, *args, context=context)

    def _politely(self, callback: Callable[..., object], *args: Any) -> None:
        self._give_way()
        callback(*args)


def run_politely(main: Callable[[], Any], give_way: GiveWay) -> None:
    """Run a coroutine function to its end, in a loop of its own."""
    with asyncio.Runner(loop_factory=lambda: PoliteLoop(give_way)) as runner:
        runner.run(main())


def read_politely(give_way: GiveWay) -> None:
    """Have this thread, which reads and judges stored matches in one piece, give way at each function that it calls.

    It holds no lock there that the box needs.
    """

    def look(_frame: Any, event: str, _argument: Any) -> None:
        if event == "call":
            give_way()

    sys.setprofile(look)
