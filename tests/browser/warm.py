"""Boxes that are forked from a process which has loaded the program already.

Every box of a test is a process of its own, as in life; but of what it takes to start one, two thirds are imports,
which are the same for all. A start from nothing is what tests of the service, the package and the guest are about.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONTEXT: Any = get_context("forkserver")
LOADED = ["companion.cli.main", "companion.config.run_options", "companion.app.simulated", "companion.app.run"]
"""What a box imports when it starts. A game is imported by the box that plays it."""
CONTEXT.set_forkserver_preload(LOADED)


class Forked:
    """The program `companion`, with these arguments and in this environment: as much of a `Popen` as a box needs.

    stdout: what it says, on both of its streams.
    """

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        read, write = os.pipe()
        self._process = CONTEXT.Process(
            target=_live, args=(DupFd(write), tuple(arguments), dict(environment)), daemon=True
        )
        self._process.start()
        os.close(write)
        self.stdout = os.fdopen(read, encoding="utf-8")

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, seconds: float) -> int:
        """Wait for its end; return its status. Raises TimeoutError where it lives on."""
        self._process.join(seconds)
        status: int | None = self._process.exitcode
        if status is None:
            raise TimeoutError(f"it has not ended after {seconds} s")
        return status


def _live(out: Any, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Be the program, with its streams, its environment, and what that has it find."""
    fd = out.detach()
    for stream in (1, 2):
        os.dup2(fd, stream)
    os.close(fd)
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["companion", *arguments]
    sys.exit(import_module("companion.cli.main").main())
