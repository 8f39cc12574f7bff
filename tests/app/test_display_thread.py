"""A display's own thread: the newest scene wins, also over a picture that is still on its way."""

from __future__ import annotations

import itertools
import threading
import time
from typing import TYPE_CHECKING

from companion.app.turn.display_thread import DisplayThread
from companion.core.errors import Unavailable
from companion.core.panel import Colour
from companion.core.ruling.view import Clock, View
from companion.core.shown.scene import Idle, Scene
from companion.core.shown.timed.ticking import clocks_of
from companion.core.timing.events import SECOND
from companion.screens.oled.canvas import Canvas
from tests.screens.scenes import SCENES

if TYPE_CHECKING:
    from collections.abc import Callable

    from PIL import Image


LONG_S = 5.0


class SlowDisplay:
    """A display on a bus that takes for ever, unless something newer is waiting."""

    size = (128, 64)

    def __init__(self, slow: int) -> None:
        self.slow = slow
        self.begun, self.shown, self.broken_off, self.opened = threading.Semaphore(0), 0, 0, 0
        self.firsts: list[tuple[int, int]] = []
        self.fails = 0

    def open(self) -> None:
        self.opened += 1

    def show(
        self, _picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = lambda: False
    ) -> None:  # fmt: skip
        self.firsts.append(first)
        self.begun.release()
        if self.fails:
            self.fails -= 1
            raise Unavailable("no")
        give_up = time.monotonic() + (LONG_S if self.slow else 0)
        self.slow = max(0, self.slow - 1)
        while time.monotonic() < give_up:
            if is_stale():
                self.broken_off += 1
                return
            time.sleep(0.001)
        self.shown += 1

    def close(self) -> None:
        pass


def drawn(_scene: Scene, size: tuple[int, int], _page: int = 0) -> Canvas:
    canvas = Canvas(size)
    canvas.first = (8, 24)
    return canvas


def test_a_picture_on_its_way_is_broken_off_for_a_newer_scene() -> None:
    display = SlowDisplay(slow=1)
    thread = DisplayThread("display", display, drawn, lambda _text: None)
    thread.start()
    thread.show(SCENES["idle"])
    assert display.begun.acquire(timeout=LONG_S)
    began = time.monotonic()
    thread.show(SCENES["standing"])
    assert display.begun.acquire(timeout=LONG_S)
    thread.stop()
    assert time.monotonic() - began < LONG_S / 2, "it did not wait for the old picture"
    assert display.broken_off == 1
    assert display.shown >= 1
    assert set(display.firsts) == {(8, 24)}


def test_a_picture_that_arrived_is_timed_from_its_scene_and_one_that_was_broken_off_is_not() -> None:
    display, ticks = SlowDisplay(slow=0), itertools.count(0, 3_000_000)
    thread = DisplayThread("display", display, drawn, lambda _text: None, clock=lambda: next(ticks))
    thread.start()
    thread.show(SCENES["idle"])
    thread.stop()
    assert thread.times.total == 1
    assert (thread.times.within_us(1000) or 0) >= 5_000, "from the scene, not from the sending"
    display = SlowDisplay(slow=1)
    thread = DisplayThread("display", display, drawn, lambda _text: None)
    thread.start()
    thread.show(SCENES["idle"])
    assert display.begun.acquire(timeout=LONG_S)
    thread.show(SCENES["standing"])
    thread.stop()
    assert (display.broken_off, thread.times.total) == (1, 1)


def test_scenes_that_come_while_a_picture_is_sent_are_skipped_but_for_the_newest() -> None:
    display, drew = SlowDisplay(slow=0), []
    gate = threading.Event()

    def draw(scene: Scene, size: tuple[int, int], _page: int) -> Canvas:
        drew.append(scene)
        assert gate.wait(LONG_S)
        return drawn(scene, size)

    thread = DisplayThread("display", display, draw, lambda _text: None)
    thread.start()
    thread.show(SCENES["idle"])
    while not drew:
        time.sleep(0.001)
    for name in ("lobby", "final", "standing"):
        thread.show(SCENES[name])
    gate.set()
    thread.stop()
    assert drew == [SCENES["idle"], SCENES["standing"]]


def test_a_fault_is_told_once_and_the_display_opened_again_for_the_next_scene() -> None:
    display, states = SlowDisplay(slow=0), list[str | None]()
    display.fails = 1
    thread = DisplayThread("display", display, drawn, states.append)
    thread.start()
    thread.show(SCENES["idle"])
    assert display.begun.acquire(timeout=LONG_S)
    while not states:
        time.sleep(0.001)
    thread.show(SCENES["standing"])
    thread.stop()
    assert states == ["no", None]
    assert (display.opened, display.shown) == (2, 1)


def test_a_clock_is_counted_on_with_nobody_telling_it_and_after_the_right_of_way() -> None:
    """Ten pictures a second with little time left, and no scene comes."""
    drew: list[int] = []

    def draw(scene: Scene, size: tuple[int, int], _page: int) -> Canvas:
        drew.extend(clock.left_ns for clock in clocks_of(scene) if clock.is_running)
        return drawn(scene, size)

    begun_ns = time.monotonic_ns()
    thread = DisplayThread("display", SlowDisplay(slow=0), draw, lambda _text: None)
    view = View((), "points", clocks=(Clock("time", Colour.RED, 5 * SECOND, begun_ns, True),))
    thread.start()
    thread.show(Scene(Idle("Game", view)))
    while len(drew) < 5 and time.monotonic_ns() < begun_ns + LONG_S * SECOND:
        time.sleep(0.01)
    thread.stop()
    assert len(drew) >= 5
    assert drew == sorted(drew, reverse=True)
    assert drew[0] <= 5 * SECOND
    assert all(before - after > SECOND // 20 for before, after in itertools.pairwise(drew[:4]))
