"""Encrypted connections of the web server: what is kept of each, and that a new certificate comes into use in time.

Threads: the web's.
"""

from __future__ import annotations

import asyncio
import logging
from asyncio.sslproto import SSLProtocol
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from companion.adapters.web.encryption.keeping import Encryption
    from companion.core.play.snapshot import Snapshot

LOG = logging.getLogger("companion")

CHECK_S = 60.0
"""How often it is seen whether a new certificate is due."""
RECEIVE_BYTES = 16_384
"""Read at once of an encrypted connection, a record of TLS; and kept of each by the kernel, which doubles it."""


def keep_small() -> None:
    """Have asyncio keep RECEIVE_BYTES for each encrypted connection of this process, instead of 256 KiB for each.

    400 that do nothing would else take 110 MB. It has no setting for that but this attribute of its class.
    """
    SSLProtocol.max_size = RECEIVE_BYTES


def is_calm(snapshot: Snapshot | None) -> bool:
    """Tell whether no race is going on: then a key may be made, which keeps the processor busy for a moment."""
    running = None if snapshot is None else snapshot.match
    return running is None or running.is_over or not (running.is_collecting or running.asks_card)


async def keep_valid(encryption: Encryption, calm: Callable[[], bool], thread: Executor | None) -> None:
    """See to the certificate until cancelled, at once and then every CHECK_S seconds in which it is calm.

    thread: in which a key is made; None: one of the loop's own.
    """
    loop = asyncio.get_running_loop()
    while True:
        if calm():
            try:
                await loop.run_in_executor(thread, encryption.check)
            except Exception as error:  # noqa: BLE001 - whatever is wrong, the certificate in use stays
                LOG.error("web: the certificate cannot be seen to: %r", error)
        await asyncio.sleep(CHECK_S)
