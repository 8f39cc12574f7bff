"""Who has the right of way, and that a press has it from its reading until its picture."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from companion.app.turn.display_thread import DisplayThread
from companion.app.turn.right_of_way import RELIEF_S, RightOfWay
from companion.screens.oled.canvas import Canvas
from companion.threads.watched import ENDS
from tests.screens.scenes import SCENES

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image

LONG_S = 30


def test_whoever_may_wait_waits_until_all_have_given_it_back() -> None:
    way, passed = RightOfWay(), threading.Event()
    way.take("turn")
    way.take("display 1")

    def go() -> None:
        while not way.is_free:
            way.give_way()
        passed.set()

    thread = threading.Thread(target=go, daemon=True)
    thread.start()
    way.give("turn")
    assert not passed.is_set()
    way.give("display 1")
    assert passed.wait(LONG_S)
    thread.join(LONG_S)


def test_a_way_that_is_never_given_back_ends_nothing() -> None:
    now = [0.0]
    way = RightOfWay(lambda: now[0])
    way.take("a button that never rests")
    way.give_way()  # 50 ms of real time
    assert not way.is_free
    waits = threading.Thread(target=way.give_way, daemon=True)
    waits.start()
    waits.join(LONG_S)
    assert not waits.is_alive(), "for a while it may go on"
    now[0] += 2 * RELIEF_S


def test_a_free_way_is_nobody_s_delay() -> None:
    way = RightOfWay()
    way.give("who never had it")
    way.give_way()
    assert way.is_free


class LookingDisplay:
    """Notes whether the way was taken while it was sent a picture."""

    size = (128, 64)

    def __init__(self, way: RightOfWay) -> None:
        self.way, self.was_free = way, list[bool]()
        self.shown = threading.Semaphore(0)

    def open(self) -> None:
        pass

    def show(
        self, picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = lambda: False
    ) -> None:  # fmt: skip
        self.was_free.append(self.way.is_free)
        self.shown.release()

    def close(self) -> None:
        pass


def test_a_display_has_the_way_from_the_scene_to_its_picture() -> None:
    way = RightOfWay()
    display = LookingDisplay(way)
    thread = DisplayThread("display 1", display, lambda _scene, size, _page: Canvas(size), lambda _text: None, way)
    thread.show(SCENES["idle"])
    assert not way.is_free, "from the moment it is handed over"
    thread.start()
    assert display.shown.acquire(timeout=LONG_S)
    thread.stop()
    assert display.was_free[0] is False
    assert way.is_free


class BrokenDisplay(LookingDisplay):
    """Raises what no display should."""

    def show(
        self, picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = lambda: False
    ) -> None:  # fmt: skip
        raise ValueError("injected")


def test_a_display_s_thread_that_has_failed_keeps_nobody_waiting() -> None:
    way, fallen = RightOfWay(), threading.Event()
    thread = DisplayThread(
        "broken", BrokenDisplay(way), lambda _scene, size, _page: Canvas(size), lambda _text: None, way
    )
    ENDS.listen(thread, lambda _thread, end: fallen.set() if end.thread == "broken" else None)
    thread._thread._pause_s = LONG_S
    thread.show(SCENES["idle"])
    thread.start()
    assert fallen.wait(LONG_S)
    assert way.is_free, "its picture never comes"
    thread.show(SCENES["idle"])
    assert way.is_free, "nor does one that is handed over while it rests"
    thread.stop()
