"""A watched thread: what it raises is told and logged, and it is begun again, for ever, at growing pauses."""

from __future__ import annotations

import gc
import logging
import threading

import pytest

from companion.threads.watched import LASTED_S, LONGEST_PAUSE_S, End, Ends, Watched

LONG_S = 30.0


class Heard:
    def __init__(self, ends: Ends) -> None:
        self.ends: list[End] = []
        ends.listen(self, Heard.hear)

    def hear(self, end: End) -> None:
        self.ends.append(end)


class Falling:
    """What a thread runs: raises so often, then returns. lasts_s: what the clock passes each time."""

    def __init__(self, times: int, error: BaseException | None = None, lasts_s: float = 0.0) -> None:
        self.left, self.error, self.lasts_s, self.now_s = times, error or RuntimeError("broken"), lasts_s, 0.0
        self.pauses: list[float] = []
        self.done = threading.Event()

    def run(self) -> None:
        self.now_s += self.lasts_s
        if self.left:
            self.left -= 1
            raise self.error
        self.done.set()

    def watched(self, ends: Ends) -> Watched:
        return Watched(self.run, name="x", ends=ends, wait=self.pauses.append, clock=lambda: self.now_s)


def lived(falling: Falling) -> tuple[Falling, Heard, Watched]:
    ends = Ends()
    heard, thread = Heard(ends), falling.watched(ends)
    thread.start()
    assert falling.done.wait(LONG_S)
    thread.join(LONG_S)
    return falling, heard, thread


@pytest.mark.parametrize("error", [RuntimeError("broken"), SystemExit(3), KeyboardInterrupt(), MemoryError()])
def test_whatever_a_thread_raises_is_told_and_it_is_begun_again(error: BaseException) -> None:
    _, heard, thread = lived(Falling(1, error))
    assert [(end.thread, end.error, end.again_s) for end in heard.ends] == [("x", error, 0.1)]
    assert type(error).__name__ in heard.ends[0].text
    assert thread.falls == 1
    assert not thread.is_alive()


def test_pauses_double_up_to_the_longest_and_it_keeps_on_trying() -> None:
    falling, heard, _ = lived(Falling(40))
    assert falling.pauses[:4] == [0.1, 0.2, 0.4, 0.8]
    assert falling.pauses[9:] == [LONGEST_PAUSE_S] * 31
    assert len(heard.ends) == 40


def test_a_thread_that_ran_long_begins_again_after_the_first_pause() -> None:
    assert max(lived(Falling(9, lasts_s=LASTED_S))[0].pauses) == 0.1


def test_its_stack_is_logged_once_and_a_line_each_time(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "companion"):
        lived(Falling(5))
    assert [bool(record.exc_info) for record in caplog.records] == [True] + [False] * 4
    assert caplog.records[0].getMessage() == "the thread x failed (RuntimeError: broken) and was begun again"


def test_an_end_while_it_fails_lets_it_try_once_more_and_waits_for_no_pause() -> None:
    ends, tried, failed = Ends(), [], threading.Event()
    heard = Heard(ends)

    def run() -> None:
        tried.append(1)
        failed.set()
        raise OSError("full")

    thread = Watched(run, name="journal", ends=ends, clock=lambda: 0.0)
    thread._pause_s = 3600.0
    thread.start()
    assert failed.wait(LONG_S)
    thread.join(LONG_S)
    assert not thread.is_alive()
    assert (len(tried), heard.ends[-1].again_s) == (2, None)
    assert heard.ends[-1].text.endswith("stays ended")


def test_whoever_listens_and_fails_keeps_nobody_from_being_told() -> None:
    class Deaf:
        def hear(self, _end: End) -> None:
            raise ValueError("deaf")

    ends, deaf = Ends(), Deaf()
    ends.listen(deaf, Deaf.hear)
    heard = Heard(ends)
    ends.tell(End("x", RuntimeError("broken"), 0.1))
    assert len(heard.ends) == 1


def test_a_listener_is_forgotten_with_its_object() -> None:
    ends = Ends()
    Heard(ends)
    gc.collect()
    ends.tell(End("x", RuntimeError("broken"), 0.1))
    Heard(ends)
    assert len(ends._listeners) == 1


def test_what_a_thread_runs_may_pause_until_it_is_to_end() -> None:
    said: list[bool] = []
    begun = threading.Event()

    def run() -> None:
        said.append(thread.pause(0))
        begun.set()
        said.append(thread.pause(LONG_S))

    thread = Watched(run, name="x", ends=Ends())
    thread.start()
    assert begun.wait(LONG_S)
    thread.join()
    assert said == [False, True]
