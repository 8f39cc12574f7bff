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
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from multiprocessing.process import BaseProcess

CONTEXT: Any = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.browser.warm_modules"])


class Started(NamedTuple):
    """A program that runs. out: what it says, on both of its streams."""

    process: BaseProcess
    out: TextIO


def start(arguments: Sequence[str], environment: Mapping[str, str]) -> Started:
    """Start the program `companion` with these arguments, in this environment."""
    read, write = os.pipe()
    process = CONTEXT.Process(target=_live, args=(DupFd(write), tuple(arguments), dict(environment)), daemon=True)
    process.start()
    os.close(write)
    return Started(process, os.fdopen(read, encoding="utf-8"))


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
    sys.path[:0] = environment.get("PYTHONPATH", "").split(os.pathsep)
    sys.argv = ["companion", *arguments]
    sys.exit(import_module("companion.cli.main").main())
