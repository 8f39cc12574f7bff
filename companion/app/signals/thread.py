"""The one thread that switches lamps and motors, so that no press waits for their bus. Knows ports, no adapter.

Whoever has something to tell hands it over and returns at once; the thread alone asks the board what is on, and tells
each `Signals` what has changed. One that has failed is opened again every `RETRY_S`, and then told all that is on.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from companion.app.turn.right_of_way import RightOfWay
from companion.core.errors import Unavailable
from companion.core.signals.board import SignBoard
from companion.core.timing.events import SECOND
from companion.threads.watched import Watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from companion.core.panel import Colour
    from companion.core.signals.board import Lit
    from companion.core.signals.signs import Sign
    from companion.ports import Signals

RETRY_S = 2.0
"""How often it is looked whether each is still there, and one that failed is tried again."""


class _Kept:
    """One `Signals`, and how it is."""

    def __init__(self, signals: Signals, on_state: Callable[[str | None], None]) -> None:
        self.signals, self._on_state = signals, on_state
        self.is_well: bool | None = None  # None: not opened yet
        self._told: tuple[frozenset[Lit], Mapping[Colour, Sign]] | None = None
        self._next_ns = 0  # when it is to be looked at again
        self._step_ns: int | None = None  # when it wants to do something by itself

    def next_deadline(self) -> int | None:
        if not self.is_well:
            return self._next_ns
        deadlines = [self._next_ns] if self.signals.checks else []
        return min((*deadlines, *([] if self._step_ns is None else [self._step_ns])), default=None)

    def let_go(self) -> None:
        """Switch everything off; it is opened anew when it is told next."""
        self.signals.close()
        self.is_well, self._next_ns = None, 0

    def keep_up(self, on: frozenset[Lit], given: Mapping[Colour, Sign], now_ns: int) -> None:
        """Tell it what is new; open or check it where that is due."""
        is_due = now_ns >= self._next_ns
        if not self.is_well and not is_due:
            return
        try:
            self._tell(on, given, now_ns, is_due=is_due)
        except Unavailable as error:
            if self.is_well is not False:
                self._on_state(str(error))
            self.is_well = False
        if is_due:
            self._next_ns = now_ns + round(RETRY_S * SECOND)

    def _tell(self, on: frozenset[Lit], given: Mapping[Colour, Sign], now_ns: int, *, is_due: bool) -> None:
        if not self.is_well:
            self.signals.open()
            self._told = None
        elif is_due and self.signals.checks:
            self.signals.check()
        if self._told != (on, given):
            self.signals.switch(on, given)
            self._told = (on, given)
        self._step_ns = self.signals.step(now_ns)
        if not self.is_well:
            self.is_well = True
            self._on_state(None)


class SignalThread:
    """Keeps all lamps and motors up to date, in a thread of its own ("signals").

    on_state: told of a `Signals`, by its name, why it cannot be reached, and None once it can; from the thread. clock:
    CLOCK_MONOTONIC in nanoseconds. wait: replaces the condition's wait in tests. Shared with the loop's thread, under
    the condition: the board and `_stopping`.
    """

    def __init__(
        self,
        signals: Sequence[Signals],
        on_state: Callable[[str, str | None], None],
        way: RightOfWay | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        wait: Callable[[threading.Condition, float | None], object] | None = None,
    ) -> None:
        self._kept = [_Kept(one, self._teller(one.name, on_state)) for one in signals]
        self._way, self._clock = way or RightOfWay(), clock
        self._wait = wait or threading.Condition.wait
        self._changed = threading.Condition()
        self._board = SignBoard()
        self._is_new = self._stopping = False
        self._thread = Watched(self._run, name="signals")

    def start(self) -> None:
        """Begin; what cannot be opened is told, and tried again."""
        self._thread.start()

    def show(self, signs: Mapping[Colour, Sign]) -> None:
        """Say what lasts from now on (`SignBoard.show`)."""
        self._do(lambda now_ns: self._board.show(signs, now_ns))

    def give(self, sign: Sign, seats: Iterable[Colour]) -> None:
        """Give these seats a sign once."""
        told = tuple(seats)
        self._do(lambda now_ns: self._board.give(sign, told, now_ns))

    def cue(self, seat: Colour, number: int) -> None:
        """Give a seat's motor, and nothing else, so many pulses."""
        self._do(lambda now_ns: self._board.cue(seat, number, now_ns))

    def leave_out(self, unwanted: frozenset[Lit]) -> None:
        """Keep these lamps and motors off from now on: their seats do not want them."""

        def change(_now_ns: int) -> None:
            self._board.left_out = unwanted

        self._do(change)

    def wake(self) -> None:
        """Have each `Signals` do what is new to it."""
        self._do(lambda _now_ns: None)

    def stop(self) -> None:
        """Switch everything off and end; may be called again."""
        with self._changed:
            self._stopping = True
            self._changed.notify()
        self._thread.join()

    def _do(self, action: Callable[[int], None]) -> None:
        with self._changed:
            action(self._clock())
            self._is_new = True
            self._changed.notify()

    def _run(self) -> None:
        try:
            self._keep_up()
        except BaseException:
            for kept in self._kept:  # until the thread is begun again nobody would end what is on: a motor, for one
                kept.let_go()
            raise

    def _keep_up(self) -> None:
        while True:
            self._way.give_way()
            with self._changed:
                now_ns = self._clock()
                on, given = self._board.on(now_ns), self._board.given(now_ns)
                stopping, self._is_new = self._stopping, False
            if stopping:
                for kept in self._kept:
                    kept.signals.close()
                return
            for kept in self._kept:
                kept.keep_up(on, given, now_ns)
            self._sleep()

    def _sleep(self) -> None:
        """Wait until something is told, or the next pattern or look is due."""
        with self._changed:
            if self._is_new or self._stopping:
                return
            now_ns = self._clock()
            deadlines = [self._board.next_deadline(now_ns), *(kept.next_deadline() for kept in self._kept)]
            due_ns = min((at for at in deadlines if at is not None), default=None)
            if due_ns is None:
                self._wait(self._changed, None)
            elif due_ns > now_ns:
                self._wait(self._changed, (due_ns - now_ns) / SECOND)

    @staticmethod
    def _teller(name: str, on_state: Callable[[str, str | None], None]) -> Callable[[str | None], None]:
        return lambda text: on_state(name, text)
