"""A program that ends at any instant, and devices that send again what they kept: each press once, at its instant."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, Edge, Levels, Origin, Press
from companion.core.timing.safekeeping import Counted, Safekeeping
from tests.amounts import many

LINES = ("red first", "red second", "blue first")
POD = Counted("e661", 7)
BOUNCE_NS = 10 * MS
DELAY_NS = 30 * MS
STEP_NS = 5 * MS
AFTER_NS = 300 * MS


def edges_of(moves: list[tuple[int, int]]) -> list[Edge]:
    """Edges of one pod. moves: the line that changes, and how long after the move before, in ms."""
    at_ns, levels, made = 10 * MS, [False] * len(LINES), []
    for number, (line, gap_ms) in enumerate(moves):
        at_ns += gap_ms * MS
        levels[line] = not levels[line]
        origin = Origin(*POD, line, number, levels[line])
        made.append(Edge(LINES[line], levels[line], at_ns, 1000, origin=origin))
    return made


@dataclass
class Run:
    """One run of the program. taken: presses that were accepted; kept: those that outlive it."""

    accept_ms: int
    edges: list[Edge]
    levels: frozenset[str] = frozenset()
    taken: list[Press] = field(default_factory=list)
    kept: list[Press] = field(default_factory=list)
    forgotten: int = 0

    def __post_init__(self) -> None:
        timings = {
            line: LineTiming(BOUNCE_NS, self.accept_ms * MS, seat=line.split()[0]) for line in LINES
        }  # fmt: skip
        self.arbiter = Arbiter(timings, {"pods": DELAY_NS})
        self.safekeeping = Safekeeping()
        self.arbiter.feed("pods", Levels(self.levels, frozenset(LINES), 1))

    def until(self, end_ns: int, keeps: list[bool]) -> None:
        """Run until then. keeps: of each turn, whether what was taken so far is written in it."""
        waiting = list(self.edges)
        for now_ns in range(0, end_ns, STEP_NS):
            while waiting and waiting[0].t_ns <= now_ns:
                edge = waiting.pop(0)
                self.arbiter.feed("pods", edge)
                self.safekeeping.feed("pods", edge)
            self.arbiter.advance(now_ns)
            for press in self.arbiter.taken():
                self.taken.append(press)
                self.safekeeping.took(press)
            if not keeps or keeps[now_ns // STEP_NS % len(keeps)]:
                for press in self.taken[len(self.kept) :]:
                    self.kept.append(press)
                    self.safekeeping.kept(press.origin)
            self._note_safe()

    def _note_safe(self) -> None:
        self.forgotten = self.safekeeping.safe(self.arbiter.decided_before).get(POD, self.forgotten)


def again(first: Run) -> Run:
    """The next run: the pod sends what it was not told to forget, after the levels before it."""
    passed: dict[int, Origin] = {}
    for press in first.kept:
        assert press.origin is not None
        passed[press.origin.line] = max(passed.get(press.origin.line, press.origin), press.origin, key=_number)
    levels = dict.fromkeys(LINES, False)
    for edge in first.edges:
        origin = edge.origin
        assert origin is not None
        if origin.number < first.forgotten or (origin.line in passed and origin.number <= passed[origin.line].number):
            levels[edge.line] = edge.active
    sent = [edge for edge in first.edges if _is_sent(edge, first.forgotten, passed)]
    return Run(first.accept_ms, sent, frozenset(line for line, active in levels.items() if active))


def _number(origin: Origin) -> int:
    return origin.number


def _is_sent(edge: Edge, forgotten: int, passed: dict[int, Origin]) -> bool:
    origin = edge.origin
    assert origin is not None
    return origin.number >= forgotten and not (origin.line in passed and origin.number <= passed[origin.line].number)


MOVES = st.lists(st.tuples(st.integers(0, 2), st.sampled_from((1, 2, 3, 5, 8, 12, 25, 60, 90))), max_size=40)


@given(moves=MOVES, accept_ms=st.sampled_from((0, 2, 15, 60)), cut=st.integers(0, 1000),
       keeps=st.lists(st.booleans(), max_size=5))  # fmt: skip
@settings(max_examples=many(100))
def test_a_program_that_ends_and_begins_anew_takes_every_press_once_at_its_instant(moves, accept_ms, cut, keeps):
    edges = edges_of(moves)
    end_ns = (edges[-1].t_ns if edges else 0) + AFTER_NS
    whole = Run(accept_ms, edges)
    whole.until(end_ns, [])
    first = Run(accept_ms, edges)
    first.until(end_ns * cut // 1000, keeps)
    second = again(first)
    second.until(end_ns, [])
    wanted = sorted((press.line, press.t_ns) for press in whole.taken)
    assert sorted((press.line, press.t_ns) for press in (*first.kept, *second.taken)) == wanted


def press_on(line: int, *, kept: bool) -> Run:
    run = Run(2, edges_of([(line, 1), (line, 40), (line, 90), (line, 30)]))
    run.until(600 * MS, [kept])
    return run


def test_an_edge_is_safe_only_once_its_press_is_kept():
    assert press_on(0, kept=True).forgotten == 4
    run = press_on(0, kept=False)
    assert (len(run.taken), run.forgotten) == (2, 0)
    run.safekeeping.kept(run.taken[0].origin)
    assert run.safekeeping.safe(run.arbiter.decided_before) == {}
    run.safekeeping.kept(run.taken[1].origin)
    assert run.safekeeping.safe(run.arbiter.decided_before) == {POD: 4}
    assert run.safekeeping.safe(run.arbiter.decided_before) == {}, "said once"


def test_edges_that_make_no_press_are_safe_by_themselves():
    run = Run(50, edges_of([(0, 1), (0, 5), (1, 100), (1, 3)]))
    run.until(600 * MS, [False])
    assert (run.taken, run.forgotten) == ([], 4)


def test_a_device_that_began_anew_counts_anew():
    run = press_on(0, kept=False)
    fresh = Origin("e661", 8, 0, 0, active=True)
    run.safekeeping.feed("pods", Edge("red first", True, 700 * MS, 1000, origin=fresh))
    assert run.safekeeping.safe(run.arbiter.decided_before) == {Counted("e661", 8): 0}


def test_what_no_device_keeps_is_of_no_interest():
    keeping = Safekeeping()
    keeping.feed("gpiod", Edge("red first", True, 5, 1))
    keeping.took(Press("red first", 5, 1))
    keeping.kept(None)
    assert keeping.safe(lambda _source, _line: 10) == {}
