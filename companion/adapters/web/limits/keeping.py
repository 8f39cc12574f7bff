"""The limits of one web server put together: who is here, who listens, what is logged, and who goes first."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from companion.adapters.web.limits.admission import Admission
from companion.adapters.web.limits.bounds import free_descriptors
from companion.adapters.web.limits.bursts import Bursts, OnePerBurst
from companion.adapters.web.limits.listening import Listening
from companion.adapters.web.limits.protocols import Http
from companion.adapters.web.limits.turns import read_politely

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Sequence

    import uvicorn
    from uvicorn.server import ServerState

    from companion.adapters.web.limits.bounds import Bounds
    from companion.adapters.web.limits.guests import Guest

LOG = logging.getLogger("companion")
_OTHERS = ("uvicorn.error", "asyncio")
"""Loggers whose lines an attacker can bring about."""


def _nothing() -> None:
    """Give way to nobody: pages alone."""


class Keeping:
    """The limits of one web server. Everything here is used by the web's thread, once it serves.

    way: waits while something has precedence over pages; may be set until `start`.
    """

    def __init__(self, bounds: Bounds, clock: Callable[[], int]) -> None:
        self.way: Callable[[], None] = _nothing
        self._bursts = Bursts(lambda text: LOG.warning("web: %s", text), clock)
        self._quiet = OnePerBurst(self._bursts)
        self.admission = Admission(bounds, clock, self._bursts.note)
        self._listening: Listening | None = None

    def give_way(self) -> None:
        """Wait while something has precedence over pages."""
        self.way()

    def reading(self) -> ThreadPoolExecutor:
        """Make the thread in which stored matches are read and judged."""
        return ThreadPoolExecutor(1, "web reading", read_politely, (self.give_way,))

    def listen(
        self,
        sockets: Sequence[socket.socket],
        config: uvicorn.Config,
        state: ServerState,
        encrypted: Callable[[], ssl.SSLContext] | None = None,
    ) -> Listening:
        """Begin to take connections, as many as there are descriptors for. encrypted: as for `Listening`."""

        def make(guest: Guest) -> asyncio.Protocol:
            return Http(self.admission, guest, self.give_way, config=config, server_state=state, app_state={})

        for name in _OTHERS:
            logging.getLogger(name).addFilter(self._quiet)
        self.admission.bounds = self.admission.bounds.within(free_descriptors())
        self._listening = Listening(sockets, self.admission, make, encrypted, sweep=self._bursts.sweep)
        self._listening.start()
        return self._listening

    def finish(self) -> None:
        """Hang up on whoever is left, and say what is left to be said. In the event loop that served them."""
        self.admission.end_all()
        for name in _OTHERS:
            logging.getLogger(name).removeFilter(self._quiet)
        self._bursts.finish()


class Soon:
    """Does something at once, and what is asked for within `apart_s` after it once for all; 0: each by itself, at once.

    In a running event loop. A rest ends with the loop that it was begun in: a server that has fallen begins again in
    another.
    """

    def __init__(self, action: Callable[[], None], apart_s: float) -> None:
        self._action, self._apart_s = action, apart_s
        self._rests_in: asyncio.AbstractEventLoop | None = None
        self._is_wanted = False

    def __call__(self) -> None:
        """Have it done."""
        if not self._apart_s:
            self._action()
            return
        loop = asyncio.get_running_loop()
        if self._rests_in is loop:
            self._is_wanted = True
            return
        self._rests_in, self._is_wanted = loop, False
        loop.call_later(self._apart_s, self._rested)
        self._action()

    def _rested(self) -> None:
        self._rests_in = None
        if self._is_wanted:
            self()
