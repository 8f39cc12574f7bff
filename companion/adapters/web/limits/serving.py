"""uvicorn as it serves within limits: its settings, and how it takes connections. Knows no page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn

from companion.adapters.web.limits.bounds import LARGEST_FRAME, LARGEST_HEAD

if TYPE_CHECKING:
    import socket
    import ssl
    from collections.abc import Callable, Iterator

    from companion.adapters.web.limits.keeping import Keeping


def config_of(app: Any) -> uvicorn.Config:
    """Give the settings by which an application is served: nothing of its own logged, headers and messages bounded."""
    return uvicorn.Config(
        app, http="h11", ws="wsproto", loop="none", lifespan="off",
        log_config=None, log_level="warning", access_log=False, server_header=False, ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False, h11_max_incomplete_event_size=LARGEST_HEAD, timeout_graceful_shutdown=1,
        proxy_headers=False,
    )  # fmt: skip


class LimitedServer(uvicorn.Server):
    """uvicorn without its handling of signals and its way of taking connections: the box has its own.

    encrypted: where TLS is spoken, and by what.
    """

    encrypted: tuple[socket.socket, Callable[[], ssl.SSLContext]] | None = None

    def __init__(self, config: uvicorn.Config, keeping: Keeping) -> None:
        super().__init__(config)
        self._keeping = keeping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, within limits."""
        self.servers = [self._keeping.listen(sockets or [], self.config, self.server_state)]  # type: ignore[list-item]
        if self.encrypted is not None:
            listening, by = self.encrypted
            encrypted = self._keeping.listen([listening], self.config, self.server_state, by)
            self.servers.append(encrypted)  # type: ignore[arg-type]
        self.started = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them."""
        yield
