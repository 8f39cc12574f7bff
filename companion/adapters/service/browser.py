"""The browser of whoever started the box by hand: whether there is one to be opened, and opening it."""

from __future__ import annotations

import logging
import sys
import webbrowser
from functools import partial
from typing import TYPE_CHECKING

from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TextIO

LOG = logging.getLogger("companion")


def can_open(out: TextIO, environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Tell whether a person at this machine's own screen started the box: a terminal, and a display beside it.

    A service writes to no terminal, and is never told of a display.
    """
    has_display = platform == "darwin" or bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))
    return out.isatty() and has_display


def open_page(url: str) -> None:
    """Open a page in the usual browser, without waiting for it. Where that fails, nothing is opened."""
    Watched(partial(_open, url), name="browser").start()


def _open(url: str) -> None:
    try:
        found = webbrowser.get()
        if type(found) is webbrowser.GenericBrowser:  # one that draws in this terminal
            return
        found.open(url)
    except (webbrowser.Error, OSError) as error:
        LOG.info("no browser was opened: %s", error)
