"""The running box: real event loop, real descriptors and display threads, a clock of the test's own."""

from __future__ import annotations

import asyncio
import os
import selectors
import threading
from itertools import groupby
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.simulated.memory_journal import MemoryJournal
from companion.app.loop import BoxLoop
from companion.app.turn.own_screens import OwnScreens
from companion.core.errors import Unavailable
from companion.core.match.effects import Cue
from companion.core.match.match import PlaySettings
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour
from companion.core.play.pipeline import Box
from companion.core.play.seating import Table
from companion.core.play.session import Session
from companion.core.shown.scene import Lobby, Menu, Question, Results, Scene, Standing, Status
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels
from companion.games import registry
from companion.ports import Sound, Tone
from companion.screens.oled.canvas import Canvas

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from PIL import Image

    from companion.core.timing.events import SourceEvent
    from companion.ports import Announcer, EvidenceStore

LINES = [*(button.label for button in BUTTONS), KNOB_PUSH]


class _Impatient(selectors.DefaultSelector):
    """Never waits: what would be waited for has passed at once."""

    def __init__(self) -> None:
        super().__init__()
        self.passed_s = 1000.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout:
            ready = super().select(0.0005)  # lets display threads and the journal have their say
        if not ready and timeout:
            self.passed_s += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only when nothing is ready."""

    def __init__(self) -> None:
        self.selector = _Impatient()
        super().__init__(self.selector)

    def time(self) -> float:
        return self.selector.passed_s


class PipeSource:
    """A source that gives what the test puts in."""

    name = "pipe"
    certificate: str | None = None
    remark = None
    given_until_ns = None
    delay_ns = 30 * MS
    error_ns = 20_000

    def __init__(self, clock: Callable[[], int]) -> None:
        self.is_gone = False
        self.opened = 0
        self.refuses = 0
        self.checks = 0
        self._clock = clock
        self._events: list[SourceEvent] = []
        self._ends = (-1, -1)

    def open(self) -> None:
        if self.refuses:
            self.refuses -= 1
            raise Unavailable("no chip")
        self.opened += 1
        self.is_gone = False
        self._ends = os.pipe()
        self.put(Levels(frozenset(), frozenset(LINES), self._clock()))

    def put(self, *events: SourceEvent) -> None:
        self._events += events
        os.write(self._ends[1], b"!")

    def press(self, label: str, t_ns: int) -> None:
        self.put(Edge(label, True, t_ns, 20_000), Edge(label, False, t_ns + 80 * MS, 20_000))

    def fileno(self) -> int:
        return self._ends[0]

    def read(self) -> list[SourceEvent]:
        if self._events:
            os.read(self._ends[0], 4096)
        events, self._events = self._events, []
        return events

    def check(self) -> None:
        self.checks += 1

    def close(self) -> None:
        for end in self._ends:
            os.close(end)


class Panel:
    """A display that may be unplugged."""

    size = (128, 64)

    def __init__(self) -> None:
        self.plugged = True
        self.shown = 0
        self.opened = 0
        self.closed = False
        self.drawn = threading.Event()

    def open(self) -> None:
        if not self.plugged:
            raise Unavailable("the display does not answer")
        self.opened += 1

    def show(
        self, picture: Image.Image, first: tuple[int, int] = (0, 0), is_stale: Callable[[], bool] = lambda: False
    ) -> None:  # fmt: skip
        if not self.plugged:
            raise Unavailable("the display does not answer")
        self.shown += 1
        self.drawn.set()

    def close(self) -> None:
        self.closed = True


class Beeper:
    def __init__(self) -> None:
        self.played: list[Sound] = []
        self.closed = False

    def open(self) -> None:
        pass

    def play(self, sound: Sound) -> None:
        self.played.append(sound)

    def close(self) -> None:
        self.closed = True


class Eye:
    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def show(self, scene: Scene) -> None:
        self.scenes.append(scene)


class Rig:
    """A box with two players on a loop of virtual time."""

    def __init__(
        self,
        evidence: EvidenceStore | None = None,
        game: str = "order",
        play: PlaySettings | None = None,
        announcer: Announcer | None = None,
        kind: type[PipeSource] = PipeSource,
    ) -> None:
        self.loop = VirtualLoop()
        self.clock: Callable[[], int] = lambda: round(self.loop.time() * SECOND)
        self.source, self.panel, self.beeper, self.eye = kind(self.clock), Panel(), Beeper(), Eye()
        self.journal = MemoryJournal()
        table = Table(game=game, seats=(Colour.RED, Colour.YELLOW))
        session = Session(registry.find, registry.names(), table, play or PlaySettings())
        session.start(table.setup(registry.find(game)))
        arbiter = Arbiter(dict.fromkeys(LINES, LineTiming()), {self.source.name: self.source.delay_ns})
        self.box = BoxLoop(
            Box(arbiter, session),
            sources=[self.source],
            journal=self.journal,
            displays=[self.panel],
            buzzer=self.beeper,
            draw=lambda _scene, size, _page: Canvas(size),
            watchers=[self.eye],
            boot_id="a boot",
            clock=self.clock,
            wall_time=lambda: "2026-01-01T00:00:00+00:00",
            evidence=evidence,
            announcer=announcer,
        )
        self.journal.open(self.box.journal_durable, self.box.journal_fault)

    def run(self, *steps: tuple[float, Callable[[], object]], until_s: float) -> None:
        """Open the source, run the loop, do the steps at their seconds, stop at the end."""
        self.source.open()

        def plan() -> None:
            for at_s, step in steps:
                self.loop.call_later(at_s, step)
            self.loop.call_later(until_s, self.box.stop)

        self.loop.run_until_complete(self.box.run(on_ready=plan))

    def now_ns(self) -> int:
        return self.clock()


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.loop.close()


def test_presses_are_timed_by_their_source_stored_and_shown(rig: Rig) -> None:
    def press() -> None:
        rig.source.press("red first", rig.now_ns())
        rig.source.press("yellow first", rig.now_ns() + 3 * MS)

    rig.run((1.0, press), until_s=4.0)
    lines = rig.journal.lines(1)
    assert [line.split(b'"')[3] for line in lines] == [b"setup", b"press", b"press", b"close", b"judge"]
    assert b"wall" in lines[0]
    assert b"wall" not in lines[1]
    assert isinstance(rig.eye.scenes[-1].body, Results)
    assert rig.eye.scenes[-1].body.status is Status.FINAL
    assert any(isinstance(s.body, Standing) and s.body.status is Status.PROVISIONAL for s in rig.eye.scenes)
    pressed = [Sound(Tone.ACCEPTED, (colour,)) for colour in (Colour.RED, Colour.YELLOW)]
    first = Sound(Tone.FIRST, (Colour.RED,))
    assert rig.beeper.played == [*pressed, first]
    assert rig.panel.shown >= 1
    assert rig.panel.closed
    assert rig.beeper.closed
    assert rig.journal.boot_id(1) == "a boot"


class Onlooker:
    """What pages are told."""

    def __init__(self) -> None:
        self.scenes: list[Scene] = []

    def follow(self, _session: Session, scene: Scene, _now_ns: int, _match_id: int | None) -> None:
        self.scenes.append(scene)

    def sound(self, _sound: Sound) -> None:
        pass

    def cue(self, _cue: Cue) -> None:
        pass


def show_apart(rig: Rig, what: Question | None, until_ns: int) -> None:
    rig.box.call(lambda _session: rig.box.screens.apart(what, until_ns))


def test_what_is_shown_apart_is_on_the_box_s_own_screens_alone_makes_way_for_a_race_and_goes_in_time(rig: Rig) -> None:
    code, onlooker = Question("Code", ("KQ7 M2X",), Menu("", ())), Onlooker()
    rig.box.follow(onlooker)
    seen: list[bool] = []

    def is_seen() -> None:
        seen.append(rig.eye.scenes[-1].body == code)

    until_ns = 1000 * SECOND + 61 * SECOND
    rig.run(
        (1.0, lambda: show_apart(rig, code, until_ns)),
        (2.0, is_seen),
        (3.0, lambda: rig.source.press("red first", rig.now_ns())),
        (3.5, is_seen),
        (3.6, lambda: rig.source.press("yellow first", rig.now_ns())),
        (50.0, lambda: rig.box.act(lambda session: session.refuse("a test's turn"))),
        (60.5, is_seen),
        (61.5, is_seen),
        (62.0, lambda: show_apart(rig, code, until_ns + 60 * SECOND)),
        (62.5, lambda: show_apart(rig, None, 0)),
        (63.0, is_seen),
        until_s=64.0,
    )
    assert rig.box.screens.are_there
    assert seen == [True, False, False, False, False]
    assert onlooker.scenes
    assert all(scene.body != code for scene in onlooker.scenes)


def test_whoever_changes_the_seating_puts_away_what_is_shown_apart() -> None:
    eye, code = Eye(), Question("Code", ("KQ7 M2X",), Menu("", ()))
    screens = OwnScreens((), (eye,))
    screens.show(Scene(Lobby((), Menu("", ()))), 0)
    screens.apart(code, 60 * SECOND)
    for colours in ((), (), (Colour.RED,), ()):
        screens.show(Scene(Lobby(colours, Menu("", ()))), SECOND)
    assert [scene.body == code for scene in eye.scenes] == [False, True, False, False]
    assert screens.next_deadline() is None


def test_what_is_shown_apart_goes_at_its_instant_without_anything_else_happening(rig: Rig) -> None:
    code = Question("Code", ("KQ7 M2X",), Menu("", ()))
    rig.run((1.0, lambda: show_apart(rig, code, rig.now_ns() + 60 * SECOND)), until_s=70.0)
    assert [scene.body == code for scene in rig.eye.scenes] == [False, True, False]


def test_what_another_thread_tells_before_the_loop_runs_is_done_in_the_loops_own(rig: Rig) -> None:
    """A journal that had stored lines by then once changed the session while the first turn looked at it."""
    done_in: list[str] = []
    tells = threading.Thread(
        target=rig.box.call, args=(lambda _session: done_in.append(threading.current_thread().name),)
    )
    tells.start()
    tells.join()
    assert done_in == []
    rig.box.call(lambda _session: done_in.append("before it runs"))
    assert done_in == ["before it runs"]
    rig.run(until_s=1.0)
    assert done_in == ["before it runs", threading.main_thread().name]


def test_sources_are_asked_once_a_second_whether_they_missed_anything(rig: Rig) -> None:
    rig.run(until_s=5.5)
    assert rig.source.checks == 5


def test_an_unplugged_display_is_an_alarm_play_goes_on_and_it_comes_back(rig: Rig) -> None:
    def unplug() -> None:
        rig.panel.plugged = False
        rig.source.press("red first", rig.now_ns())

    def replug() -> None:
        rig.panel.plugged = True
        rig.source.press("yellow first", rig.now_ns())

    rig.panel.drawn.clear()
    rig.run((1.0, unplug), (3.0, replug), until_s=5.0)
    assert any("the display does not answer" in scene.alarms for scene in rig.eye.scenes)
    assert len(rig.journal.lines(1)) == 5


def test_a_source_that_has_gone_is_an_alarm_and_is_opened_again(rig: Rig) -> None:
    def vanish() -> None:
        rig.source.is_gone = True
        rig.source.refuses = 1

    def press() -> None:
        rig.source.press("red first", rig.now_ns())

    rig.run((1.0, vanish), (12.0, press), until_s=14.0)
    assert rig.source.opened == 2
    assert any(scene.alarms == ("pipe: the buttons' lines have gone",) for scene in rig.eye.scenes)
    assert rig.eye.scenes[-1].alarms == ()
    assert b"press" in rig.journal.lines(1)[-1]


class SettingAside(PipeSource):
    """A source that can give back lines that flood."""

    def __init__(self, clock: Callable[[], int]) -> None:
        super().__init__(clock)
        self.sick: list[frozenset[str]] = []

    def set_aside(self, sick: AbstractSet[str]) -> None:
        self.sick.append(frozenset(sick))


def test_a_source_is_told_which_of_its_lines_are_sick_and_when_they_are_well() -> None:
    rig = Rig(kind=SettingAside)
    source = rig.source
    assert isinstance(source, SettingAside)

    def chatter() -> None:
        now_ns = rig.now_ns()
        source.put(*(Edge("red first", number % 2 == 0, now_ns + number * 50_000, 20_000) for number in range(600)))

    rig.run((1.0, chatter), until_s=6.0)
    rig.loop.close()
    told = [sick for sick, _ in groupby(source.sick)]
    assert told == [frozenset(), frozenset({"red first"}), frozenset()]


def test_what_the_journal_says_from_another_thread_reaches_the_scene(rig: Rig) -> None:
    def fail() -> None:
        teller = threading.Thread(target=rig.box.journal_fault, args=("the disk is full",))
        teller.start()
        teller.join()

    rig.run((1.0, fail), until_s=2.0)
    assert not rig.eye.scenes[-1].recorded
    assert rig.eye.scenes[-1].alarms == ("not recorded: the disk is full",)


def test_an_action_from_outside_is_followed_by_what_it_leads_to(rig: Rig) -> None:
    rig.run((1.0, lambda: rig.box.act(lambda session: session.alarm("x", "something is wrong"))), until_s=2.0)
    assert rig.eye.scenes[-1].alarms == ("something is wrong",)


def test_what_follows_from_an_edge_has_the_right_of_way_until_it_is_shown(rig: Rig) -> None:
    was_free: list[bool] = []
    rig.source.delay_ns = MS  # as the kernel's
    rig.run(
        (1.0, lambda: rig.source.press("red first", rig.now_ns())),
        (1.001, lambda: was_free.append(rig.box.way.is_free)),  # the contact is not accepted yet
        until_s=4.0,
    )
    assert was_free == [False]
    assert rig.box.way.is_free


def test_a_turn_that_fails_gives_the_right_of_way_back(rig: Rig) -> None:
    has_way: list[bool] = []

    class Fails(Onlooker):
        def follow(self, _session: Session, _scene: Scene, _now_ns: int, _match_id: int | None) -> None:
            if rig.now_ns() > 1001 * SECOND:
                raise ValueError("injected")

    rig.loop.set_exception_handler(lambda _loop, _context: has_way.append("turn" in rig.box.way._holders))
    rig.box.follow(Fails())
    rig.run(
        (1.5, lambda: rig.box.act(lambda session: session.alarm("x", "something is wrong"))),
        (1.6, rig.box._followers.clear),
        until_s=2.0,
    )
    assert has_way, "no turn failed"
    assert True not in has_way  # a display that has drawn meanwhile has the box turn again, and fail again
