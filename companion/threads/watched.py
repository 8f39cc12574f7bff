"""A thread that outlives its own faults: whatever it raises is logged, told to the box, and it is begun again.

Theory of operation. What a thread is to do is a function that returns when its work is over. Where it raises instead,
it has ended unexpectedly: that is said, and after a pause the function is called once more, for ever, the pauses
doubling up to `LONGEST_PAUSE_S`. So whatever the thread holds must lie outside that function's own variables, and the
function must be able to begin with whatever state it left. `join` cuts a pause short and lets it try once more, so that
what was held (lines of a record) is still stored; it then ends, whatever happens.

Who hears of it: `ENDS`, one for the process as `threading.excepthook` is, as any thread may end and no adapter should
have to pass that on. Everything here may be called from any thread.
"""

from __future__ import annotations

import logging
import threading
import time
import weakref
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LOG = logging.getLogger("companion")

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 30.0
"""It keeps on trying at this pause."""
LASTED_S = 60.0
"""A thread that ran for so long begins again after the first pause."""


class End(NamedTuple):
    """A thread has ended unexpectedly. again_s: it is begun again after so long; None: it was to end anyway."""

    thread: str
    error: BaseException
    again_s: float | None

    @property
    def text(self) -> str:
        """Say it in one sentence."""
        why = f"{type(self.error).__name__}: {self.error}" if str(self.error) else type(self.error).__name__
        what = "was begun again" if self.again_s is not None else "stays ended"
        return f"the thread {self.thread} failed ({why}) and {what}"


class Ends:
    """Tells of threads that have ended."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: list[tuple[weakref.ref[Any], Callable[[Any, End], None]]] = []

    def listen(self, owner: T, on_end: Callable[[T, End], None]) -> None:
        """Have `on_end` called with `owner` from now on, in the thread that ended; forgotten when `owner` is gone."""
        with self._lock:
            self._listeners = [one for one in self._listeners if one[0]() is not None]
            self._listeners.append((weakref.ref(owner), on_end))

    def tell(self, end: End) -> None:
        """Tell everybody who listens; what goes wrong there is logged, and changes nothing."""
        with self._lock:
            listeners = [(owner, on_end) for one, on_end in self._listeners if (owner := one()) is not None]
        for owner, on_end in listeners:
            try:
                on_end(owner, end)
            except Exception:
                LOG.exception("nobody could be told that %s", end.text)


ENDS = Ends()
"""All of this process."""


class Watched:
    """A daemon thread that is begun again for as long as what it runs raises.

    run: returns when its work is over. wait: sleeps for so many seconds, or until `join`; clock: seconds, any zero;
    both are replaced in tests.
    """

    def __init__(
        self,
        run: Callable[[], object],
        *,
        name: str,
        ends: Ends | None = None,
        wait: Callable[[float], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self.falls = 0
        """How often it has ended unexpectedly."""
        self._run, self._ends, self._clock = run, ends or ENDS, clock
        self._ending = threading.Event()
        self._wait = wait or self._ending.wait
        self._pause_s = FIRST_PAUSE_S
        self._said = ""
        self._thread = threading.Thread(target=self._live, name=name, daemon=True)

    def start(self) -> None:
        """Begin. Raises RuntimeError where the system gives no thread, or it was begun before."""
        self._thread.start()

    def is_alive(self) -> bool:
        """Tell whether it was begun and has not ended for good; a pause is no end."""
        return self._thread.is_alive()

    def pause(self, seconds: float) -> bool:
        """Sleep in what it runs; True, and sooner, where it is to end."""
        return self._ending.wait(seconds)

    def join(self, timeout: float | None = None) -> None:
        """Let it end: its own work's end is the caller's to tell it. Waits for that, at most `timeout` seconds."""
        self._ending.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def _live(self) -> None:
        is_last = False
        while True:
            began_s = self._clock()
            try:
                self._run()
            except BaseException as error:  # noqa: BLE001 - a thread that ends in silence is what this is against
                self._fell(error, self._clock() - began_s, is_last=is_last)
            else:
                return
            if is_last:
                return
            self._wait(self._pause_s)
            self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
            is_last = self._ending.is_set()

    def _fell(self, error: BaseException, lasted_s: float, *, is_last: bool) -> None:
        self.falls += 1
        if lasted_s >= LASTED_S:
            self._pause_s = FIRST_PAUSE_S
        end = End(self.name, error, None if is_last else self._pause_s)
        is_news, self._said = end.text != self._said, end.text
        LOG.error("%s", end.text, exc_info=error if is_news else None)  # its stack once, not each time
        self._ends.tell(end)
