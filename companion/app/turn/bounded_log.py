"""The program's log, bounded: what is said again and again is said a few times, and then how often. Part of `app`.

A handler around another one. Two texts that differ in their numbers alone are the same; of one logger, whatever it says
is bounded too. Each that is left out is counted, and the count written when ten seconds (in a long burst up to ten
minutes) are over: at the next line or `flush`. What is below `INFO` is asked for by who looks for a fault, and is
written as it comes.
"""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.record.bursts import Bursts
from companion.core.shown.noticed import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.record.bursts import Burst

MOST_ALIKE = 20
MOST_OF_LOGGER = 200
"""In ten seconds."""


class BoundedLog(logging.Handler):
    """Writes to `inner`. clock: in ns, any zero."""

    def __init__(self, inner: logging.Handler, clock: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__()
        self._inner, self._clock = inner, clock
        self._alike, self._all = Bursts(MOST_ALIKE), Bursts(MOST_OF_LOGGER)

    def setFormatter(self, fmt: logging.Formatter | None) -> None:  # noqa: N802 - logging's own name
        """Have the handler within use it."""
        self._inner.setFormatter(fmt)
        super().setFormatter(fmt)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record, or count it."""
        if record.levelno < logging.INFO:
            self._inner.handle(record)
            return
        now_ns = self._clock()
        self._tell(now_ns)
        source = f"{record.levelname}\n{record.name}"
        text = record.getMessage()
        is_said = self._alike.feed(f"{source}\n{kind_of(text)}", now_ns, text) and self._all.feed(source, now_ns, text)
        if is_said:
            self._inner.handle(record)

    def flush(self) -> None:
        """Write what is due of what was left out."""
        self.acquire()
        try:
            self._tell(self._clock())
        finally:
            self.release()
        with suppress(OSError, ValueError):  # whoever read it has gone: nothing of the box may end for that
            self._inner.flush()

    def close(self) -> None:
        """Write how much was left out, and close."""
        now_ns = self._clock()
        self._say([*self._alike.end(now_ns), *self._all.end(now_ns)])
        self._inner.close()
        super().close()

    def _tell(self, now_ns: int) -> None:
        self._say([*self._alike.advance(now_ns), *self._all.advance(now_ns)])

    def _say(self, bursts: Iterable[Burst]) -> None:
        for burst in bursts:
            level, name, *_ = [*burst.key.split("\n"), "companion"]
            said = "%s more lines left out in %s, the last: %s"
            number = logging.getLevelNamesMapping().get(level, logging.WARNING)
            arguments = (f"{burst.left_out:,}", burst.lasted, burst.last)
            self._inner.handle(logging.LogRecord(name, number, __file__, 0, said, arguments, None))


def flush_log() -> None:
    """Have every handler of the program's log write what is due; cheap where nothing is."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, BoundedLog):
            handler.flush()
