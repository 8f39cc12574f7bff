"""Phones and browsers as buttons, in virtual time: their clocks, late and doubled messages, seats, and the truth.

A phone here has a clock of its own (offset and drift), a network with latency and jitter each way, and a true instant
for every press. What the box is told is compared with that.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.adapters.web.phones.panel_source import (
    DEAD_NS,
    FAR_DELAY_NS,
    NEAR_DELAY_NS,
    SMALLEST_DELAY_NS,
    Panel,
    Panels,
    PanelSource,
    Taken,
)
from companion.adapters.web.phones.phone_clock import INTERVAL_NS, STALE_NS, UNANSWERED_NS
from companion.adapters.web.phones.places import MOST_PANELS, NoPhone, NoRoom, Visitor
from companion.adapters.web.phones.stamps import MOST_BACK_NS
from companion.core.panel import BUTTONS, KNOB_PUSH, Colour, label_of
from companion.core.record.dead_heats import Ties
from companion.core.record.lines import PressLine, Seat
from companion.core.ruling.ranking import rank
from companion.core.shown.alarms import Alarms
from companion.core.timing.arbiter import Arbiter
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS, SECOND, Edge, Levels, Press, Release, SourceEvent, SourceFault, Turned
from tests.amounts import many

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.web.wire.messages import By

SOURCE = PanelSource.name
LABELS = [*(button.label for button in BUTTONS), KNOB_PUSH]


class Clock:
    def __init__(self) -> None:
        self.now_ns = 1000 * SECOND

    def __call__(self) -> int:
        return self.now_ns


@dataclass
class Phone:
    """offset_us, drift_ppm: of its clock. there_ms, back_ms: latency to it and from it; jitter_ms: added to each."""

    panel: Panel
    offset_us: int
    drift_ppm: int
    there_ms: float
    back_ms: float
    jitter_ms: float
    rng: random.Random

    def reads_us(self, t_ns: int) -> int:
        """What its clock shows at a true instant, rounded down to 100 µs as browsers do."""
        ticks = t_ns // 1000 + (t_ns - 1000 * SECOND) * self.drift_ppm // 10**9 + self.offset_us
        return ticks // 100 * 100

    def travel_ns(self, usual_ms: float) -> int:
        return round((usual_ms + self.rng.random() * self.jitter_ms) * MS)


class Bench:
    """Panels, their source and a clock."""

    def __init__(self, *, simulated: bool = False) -> None:
        self.clock = Clock()
        self.source = PanelSource(self.clock, LABELS)
        self.source.open()
        self.source.read()
        self.changes = 0
        self.panels = Panels(self.source, self.clock, simulated=simulated, on_change=self.changed)

    def changed(self) -> None:
        self.changes += 1

    def phone(self, seat: Colour | None, seed: int = 1, **traits: float) -> Phone:
        panel = self.panels.join(asks=seat)
        if seat is not None:
            self.panels.grant(panel.code, seat)
        rng = random.Random(seed)
        usual = {"offset_us": 10**9, "drift_ppm": 30, "there_ms": 3.0, "back_ms": 3.0, "jitter_ms": 2.0} | traits
        return Phone(panel, rng=rng, **usual)  # type: ignore[arg-type]

    def sync(self, phone: Phone, times: int = 8, apart_ms: float = 50) -> None:
        for _ in range(times):
            number = self.panels.ask_time(phone.panel)
            self.clock.now_ns += phone.travel_ns(phone.there_ms)
            reading = phone.reads_us(self.clock.now_ns)
            self.clock.now_ns += phone.travel_ns(phone.back_ms)
            self.panels.time_told(phone.panel, number, reading, self.clock.now_ns)
            self.clock.now_ns += round(apart_ms * MS)

    def press(
        self, phone: Phone, number: int, label: str, t_ns: int | None = None, late_ns: int = 5 * MS
    ) -> str | None:
        """A true press at `t_ns` (None: now) whose message takes `late_ns`; gives why it was not taken."""
        t_ns = self.clock.now_ns if t_ns is None else t_ns
        self.clock.now_ns = t_ns + late_ns
        taken = self.panels.press(phone.panel, number, label, phone.reads_us(t_ns), "touch", self.clock.now_ns)
        return taken.why

    def sync_until(self, phone: Phone, t_ns: int) -> None:
        """Round trips, twice a second, until then."""
        while self.clock.now_ns + 510 * MS < t_ns:
            self.sync(phone, times=1, apart_ms=490)
        self.clock.now_ns = max(t_ns, self.clock.now_ns)

    def arrives(self, phone: Phone, number: int, label: str, dated_ns: int, by: By = "touch") -> Taken:
        """A press that the page dates to `dated_ns` comes now."""
        now_ns = self.clock.now_ns
        return self.panels.press(phone.panel, number, label, phone.reads_us(dated_ns), by, now_ns)

    def edges(self) -> list[Edge]:
        return [event for event in self.source.read() if isinstance(event, Edge)]


# -- the truth ---------------------------------------------------------------------------------------------------------


@given(
    offset_us=st.integers(0, 2**52),
    drift_ppm=st.integers(-60, 60),
    there_ms=st.floats(0.1, 80),
    back_ms=st.floats(0.1, 80),
    jitter_ms=st.floats(0, 120),
    seed=st.integers(0, 1000),
)
@settings(max_examples=many(60))
def test_the_true_instant_lies_within_the_stated_error_whatever_the_network_does(
    offset_us: int, drift_ppm: int, there_ms: float, back_ms: float, jitter_ms: float, seed: int
) -> None:
    bench = Bench()
    phone = bench.phone(
        Colour.RED, seed, offset_us=offset_us, drift_ppm=drift_ppm, there_ms=there_ms, back_ms=back_ms,
        jitter_ms=jitter_ms,
    )  # fmt: skip
    number = 0
    for _ in range(6):
        bench.sync(phone, times=3, apart_ms=200)
        number += 1
        true_ns = bench.clock.now_ns
        assert bench.press(phone, number, "red first", late_ns=phone.travel_ns(back_ms)) is None
        (edge,) = bench.edges()
        assert bench.clock.now_ns - MOST_BACK_NS <= edge.t_ns <= bench.clock.now_ns
        if edge.disbelieved is not None:  # not believed: it counts from its arrival, and says so
            assert (edge.t_ns, edge.error_ns) == (bench.clock.now_ns, 0)
            edge = edge._replace(t_ns=edge.disbelieved.t_ns, error_ns=edge.disbelieved.error_ns)
        assert abs(edge.t_ns - true_ns) <= edge.error_ns
        bench.panels.release(phone.panel, number + 1, "red first", phone.reads_us(bench.clock.now_ns), "touch",
                             bench.clock.now_ns)  # fmt: skip
        bench.edges()
        number += 1
        bench.clock.now_ns += 300 * MS


@given(
    st.lists(st.integers(0, 60), min_size=2, max_size=2, unique=True),
    st.floats(0, 60),
    st.floats(0, 60),
    st.floats(0, 40),
    st.integers(0, 500),
)
@settings(max_examples=many(80))
def test_no_wrong_call_of_two_phones_and_a_wired_button_outside_the_stated_error(
    gaps_ms: list[int], there_ms: float, back_ms: float, jitter_ms: float, seed: int
) -> None:
    bench = Bench()
    one = bench.phone(Colour.RED, seed, there_ms=there_ms, back_ms=back_ms, jitter_ms=jitter_ms)
    two = bench.phone(Colour.BLUE, seed + 1, offset_us=77, drift_ppm=-45, there_ms=back_ms, back_ms=there_ms,
                      jitter_ms=jitter_ms)  # fmt: skip
    bench.sync(one)
    bench.sync(two, times=4)
    start_ns = bench.clock.now_ns
    true_ns = {"red": start_ns + gaps_ms[0] * MS, "blue": start_ns + gaps_ms[1] * MS, "green": start_ns + 30 * MS}
    sends = [(true_ns[str(phone.panel.seat)] + phone.travel_ns(back_ms), phone) for phone in (one, two)]
    lines = [*bench.source.lines, "green first"]
    arbiter = Arbiter(dict.fromkeys(lines, LineTiming()), {SOURCE: bench.source.delay_ns})
    arbiter.feed(SOURCE, Levels(frozenset(), frozenset(lines), start_ns - SECOND))
    wired: list[SourceEvent] = [Edge("green first", True, true_ns["green"], 20_000)]
    events: list[SourceEvent] = []
    for arrives_ns, phone in sorted(sends, key=lambda send: send[0]):
        seat = str(phone.panel.seat)
        why = bench.press(phone, 1, f"{seat} first", true_ns[seat], arrives_ns - true_ns[seat])
        assert why is None
        (edge,) = bench.edges()
        events.append(edge)
        if edge.disbelieved is not None:
            true_ns[seat] = arrives_ns  # what it then counts from
    out: list[object] = []
    for event in [*wired, *events]:
        arbiter.feed(SOURCE, event)
    out += arbiter.advance(start_ns + 5 * SECOND)
    presses = [
        PressLine(
            colour=Colour(label_of(e.line).split()[0]), role=BUTTONS[0].position, t_ns=e.t_ns, error_ns=e.error_ns
        )
        for e in out
        if isinstance(e, Press)
    ]
    assert len(presses) == 3
    seats = [Seat(Colour.RED), Seat(Colour.BLUE), Seat(Colour.GREEN)]
    places = rank(presses, seats, Colour.RED, Ties("timestamp"), 1)
    error_ns = {press.colour: press.error_ns for press in presses}
    for index, place in enumerate(places):
        for distance, behind in enumerate(places[index + 1 :], start=1):
            if true_ns[str(behind.colour)] >= true_ns[str(place.colour)]:
                continue
            assert behind.t_ns - place.t_ns <= error_ns[place.colour] + error_ns[behind.colour]
            assert distance > 1 or (place.dead_heat and behind.dead_heat)


def test_a_phone_in_a_good_network_states_an_error_of_few_milliseconds() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED, there_ms=2, back_ms=2, jitter_ms=3)
    bench.sync(phone, times=12)
    bench.press(phone, 1, "red fourth")
    (edge,) = bench.edges()
    assert edge.disbelieved is None
    assert INTERVAL_NS["touch"] // 2 < edge.error_ns < INTERVAL_NS["touch"] // 2 + 16 * MS


@pytest.mark.parametrize(("by", "input_ms"), [("mouse", 4), ("key", 8)])
def test_each_kind_of_input_adds_its_own_uncertainty(by: str, input_ms: int) -> None:
    errors = []
    for kind in (by, "mouse"):
        bench = Bench()
        phone = bench.phone(Colour.RED, there_ms=0.5, back_ms=0.5, jitter_ms=0.5)
        bench.sync(phone)
        taken = bench.panels.press(
            phone.panel, 1, "red fourth", phone.reads_us(bench.clock.now_ns), kind, bench.clock.now_ns  # type: ignore[arg-type]
        )  # fmt: skip
        assert taken.error_ns is not None
        errors.append(taken.error_ns)
    assert errors[0] - errors[1] == (input_ms - 4) * MS


def test_a_phone_that_slept_is_not_believed_until_its_clock_is_known_again() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    under_way = bench.panels.ask_time(phone.panel)  # when it falls asleep
    bench.clock.now_ns += 20 * SECOND
    phone.offset_us -= 20_000_000  # its clock stood still
    assert "not known" in str(bench.press(phone, 1, "red fourth"))
    bench.panels.time_told(phone.panel, under_way, phone.reads_us(bench.clock.now_ns), bench.clock.now_ns)
    assert "not known" in str(bench.press(phone, 1, "red fourth"))
    bench.sync(phone)
    true_ns = bench.clock.now_ns
    assert bench.press(phone, 1, "red fourth") is None
    (edge,) = bench.edges()
    assert abs(edge.t_ns - true_ns) <= edge.error_ns


def test_a_button_let_go_while_the_clock_is_unknown_is_down_no_longer() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    assert bench.press(phone, 1, "red fourth") is None
    bench.clock.now_ns += STALE_NS
    went_up = phone.reads_us(bench.clock.now_ns)
    let_go = bench.panels.release(phone.panel, 2, "red fourth", went_up, "touch", bench.clock.now_ns)
    assert let_go.why is None
    assert bench.panels.release(phone.panel, 2, "red fourth", went_up, "touch", bench.clock.now_ns).why is not None
    bench.sync(phone)
    assert bench.press(phone, 3, "red fourth") is None, "the button is held for ever"
    down, up, again = bench.edges()
    assert (down.active, up.active, again.active) == (True, False, True)
    assert down.t_ns < up.t_ns < again.t_ns


def held(bench: Bench) -> Phone:
    """A phone that holds red's first button, and has for longer than a press must last."""
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    assert bench.press(phone, 1, "red first") is None
    bench.clock.now_ns += SECOND
    return phone


def let_go_unseen(bench: Bench, phone: Phone) -> None:
    """A browser took the finger away: a call came in."""
    now_ns = bench.clock.now_ns
    taken = bench.panels.release(phone.panel, 2, "red first", phone.reads_us(now_ns), "touch", now_ns, is_seen=False)
    assert taken.why is None


def hang_up(bench: Bench, phone: Phone) -> None:
    bench.panels.leave(phone.panel, phone.panel.connection)


def come_anew(bench: Bench, phone: Phone) -> None:
    bench.panels.join(phone.panel.secret)


def lose_the_seat(bench: Bench, phone: Phone) -> None:
    bench.panels.grant(phone.panel.code, None)


@pytest.mark.parametrize("goes", [let_go_unseen, hang_up, come_anew, lose_the_seat])
@pytest.mark.parametrize("at_once", [False, True])
def test_a_button_that_no_hand_let_go_is_found_open(goes: Callable[[Bench, Phone], None], at_once: bool) -> None:
    bench = Bench()
    phone = held(bench)
    events = [] if at_once else bench.source.read()
    goes(bench, phone)
    events += bench.source.read()
    assert [event.active for event in events if isinstance(event, Edge)] == [True]
    lines = list(bench.source.lines)
    arbiter = Arbiter(dict.fromkeys(lines, LineTiming()), {SOURCE: 0})
    arbiter.feed(SOURCE, Levels(frozenset(), frozenset(lines), 1))
    for event in events:
        arbiter.feed(SOURCE, event)
    told = arbiter.advance(bench.clock.now_ns + SECOND)
    press, release = [event for event in told if isinstance(event, (Press, Release))]
    assert (label_of(press.line), label_of(release.line)) == ("red first", "red first")
    assert isinstance(release, Release)
    assert not release.is_seen


def test_a_button_that_a_hand_let_go_is_seen_to_be() -> None:
    bench = Bench()
    phone = held(bench)
    now_ns = bench.clock.now_ns
    bench.panels.release(phone.panel, 2, "red first", phone.reads_us(now_ns), "touch", now_ns)
    assert [edge.active for edge in bench.edges()] == [True, False]


def test_an_answer_that_took_too_long_makes_the_clock_unknown() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    assert bench.panels.is_ready(phone.panel, bench.clock.now_ns)
    number = bench.panels.ask_time(phone.panel)
    bench.clock.now_ns += UNANSWERED_NS + 1
    bench.panels.time_told(phone.panel, number, phone.reads_us(bench.clock.now_ns), bench.clock.now_ns)
    assert not bench.panels.is_ready(phone.panel, bench.clock.now_ns)


def test_a_mapping_that_is_old_is_not_used() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    bench.clock.now_ns += STALE_NS
    assert "not known" in str(bench.press(phone, 1, "red fourth"))


def test_an_answer_nobody_asked_for_is_nothing() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    for number in (1, 2, 99):
        bench.panels.time_told(phone.panel, number, 5, bench.clock.now_ns)
    assert not phone.panel.clock.mapping.is_known


# -- late and doubled --------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(1, 6), st.booleans()), max_size=40))
def test_messages_doubled_or_out_of_order_never_make_a_second_press(sent: list[tuple[int, bool]]) -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    taken: list[int] = []
    for number, is_press in sent:
        bench.clock.now_ns += 5 * MS
        act = bench.panels.press if is_press else bench.panels.release
        result = act(phone.panel, number, "red first", phone.reads_us(bench.clock.now_ns), "touch", bench.clock.now_ns)
        if result.why is None:
            taken.append(number)
    assert taken == sorted(set(taken))
    actives = [edge.active for edge in bench.edges()]
    assert len(actives) == len(taken)
    assert actives.count(True) - actives.count(False) == (1 if phone.panel.down else 0)


@pytest.mark.parametrize("late_ms", [600, 1800, 2100, 30_000])
def test_a_press_that_comes_late_counts_from_its_arrival_and_its_claim_is_told(late_ms: int) -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    arbiter = Arbiter(dict.fromkeys(bench.source.lines, LineTiming()), {SOURCE: bench.source.delay_ns})
    arbiter.feed(SOURCE, Levels(frozenset(), frozenset(bench.source.lines), bench.clock.now_ns))
    true_ns = bench.clock.now_ns + MS
    arbiter.advance(true_ns + late_ms * MS)
    bench.sync_until(phone, true_ns + late_ms * MS)
    taken = bench.arrives(phone, 1, "red fourth", true_ns)
    arrival_ns = bench.clock.now_ns
    fault, edge = bench.source.read()
    assert isinstance(edge, Edge)
    assert (edge.t_ns, edge.error_ns) == (arrival_ns, 0)
    assert edge.disbelieved is not None
    assert abs(edge.disbelieved.t_ns - true_ns) <= edge.disbelieved.error_ns
    assert taken.arrival == edge.disbelieved.why
    assert isinstance(fault, SourceFault)
    assert phone.panel.code in fault.text
    assert "red fourth" not in fault.text
    arbiter.feed(SOURCE, edge)
    out = arbiter.advance(bench.clock.now_ns + SECOND)
    assert [type(event) for event in out] == [Press]
    assert "counts from its arrival" in out[0].remark  # type: ignore[union-attr]
    assert "doubled" in str(bench.press(phone, 1, "red fourth"))


def test_a_press_from_the_future_counts_from_its_arrival() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    now_ns = bench.clock.now_ns
    taken = bench.panels.press(phone.panel, 1, "red fourth", phone.reads_us(now_ns + SECOND), "touch", now_ns)
    assert "after it came" in str(taken.arrival)
    (edge,) = bench.edges()
    assert (edge.t_ns, edge.error_ns) == (now_ns, 0)


def test_it_is_told_of_one_phone_once_a_second_and_stands_at_each_press() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    for number in range(1, 8, 2):
        bench.arrives(phone, number, "red first", bench.clock.now_ns - SECOND)
        bench.panels.release(phone.panel, number + 1, "red first", 5, "touch", bench.clock.now_ns)
        bench.clock.now_ns += 100 * MS
    events = bench.source.read()
    assert len([event for event in events if isinstance(event, SourceFault)]) == 1
    assert (
        len([event for event in events if isinstance(event, Edge) and event.disbelieved is not None and event.active])
        == 4
    )


# -- seats and delays --------------------------------------------------------------------------------------------------


def test_the_delay_is_stated_only_while_a_phone_may_play() -> None:
    bench = Bench()
    assert bench.source.delay_ns == SMALLEST_DELAY_NS
    phone = bench.phone(None)
    assert bench.source.delay_ns == SMALLEST_DELAY_NS
    bench.panels.grant(phone.panel.code, Colour.RED)
    assert bench.source.delay_ns == FAR_DELAY_NS
    bench.panels.grant(phone.panel.code.lower(), None)
    assert bench.source.delay_ns == SMALLEST_DELAY_NS
    bench.panels.grant(phone.panel.code, Colour.RED)
    bench.panels.leave(phone.panel, phone.panel.connection)
    assert bench.source.delay_ns == SMALLEST_DELAY_NS


def test_a_browser_on_the_simulated_box_s_own_machine_is_waited_for_less_long() -> None:
    bench = Bench(simulated=True)
    bench.panels.join(visitor=Visitor(is_near=True))
    assert bench.source.delay_ns == NEAR_DELAY_NS
    bench.panels.join()
    assert bench.source.delay_ns == FAR_DELAY_NS


def test_a_seat_is_one_phone_s_and_the_one_before_lets_go() -> None:
    bench = Bench()
    one, two = bench.phone(Colour.RED), bench.phone(None)
    bench.sync(one)
    bench.press(one, 1, "red fourth")
    bench.panels.grant(two.panel.code, Colour.RED)
    press, release = (event for event in bench.source.read() if isinstance(event, (Edge, Levels)))
    assert isinstance(press, Edge)
    assert isinstance(release, Levels)
    assert (press.active, release.active, release.known) == (True, frozenset(), {press.line})
    assert (one.panel.seat, two.panel.seat) == (None, Colour.RED)
    assert "referee" in str(bench.press(one, 2, "red fourth"))


def test_a_phone_that_goes_lets_go_and_says_so_and_keeps_its_seat_for_its_return() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED)
    bench.sync(phone)
    bench.press(phone, 1, "red fourth")
    bench.panels.leave(phone.panel, phone.panel.connection)
    _press, fault, release = bench.source.read()
    assert isinstance(release, Levels)
    assert isinstance(fault, SourceFault)
    assert (release.active, "red" in fault.text) == (frozenset(), True)
    again = bench.panels.join(phone.panel.secret)
    assert again is phone.panel
    assert (again.seat, again.next_number) == (Colour.RED, 2)
    assert not bench.panels.is_ready(again, bench.clock.now_ns)
    bench.panels.leave(again, again.connection - 1)  # the old connection's end comes late
    assert not again.is_gone


def test_an_unknown_code_or_secret_gives_nothing_away() -> None:
    bench = Bench()
    bench.phone(Colour.RED)
    with pytest.raises(NoPhone, match="ZZZZ"):
        bench.panels.grant("ZZZZ", Colour.RED)
    assert bench.panels.join("guessed").seat is None


def test_the_knob_is_the_referee_s_on_a_real_box_and_needs_no_clock() -> None:
    bench = Bench()
    panel = bench.panels.join(visitor=Visitor(rights=lambda: True))
    assert bench.panels.buttons(panel) == [KNOB_PUSH]
    assert bench.source.delay_ns == SMALLEST_DELAY_NS
    now_ns = bench.clock.now_ns
    assert bench.panels.turn(panel, 1, 2, 5, "mouse", now_ns).why is None
    assert bench.panels.press(panel, 2, KNOB_PUSH, 5, "mouse", now_ns).why is None
    turned, push = bench.source.read()
    assert isinstance(turned, Turned)
    assert (turned.t_ns, push.t_ns) == (now_ns, now_ns)
    stranger = bench.panels.join()
    assert bench.panels.turn(stranger, 1, 2, 5, "mouse", now_ns).why is not None


def test_panels_are_bounded_and_the_gone_make_room() -> None:
    bench = Bench()
    panels = [bench.panels.join() for _ in range(MOST_PANELS)]
    with pytest.raises(NoRoom, match="already"):
        bench.panels.join()
    bench.panels.leave(panels[3], panels[3].connection)
    assert bench.panels.join().code not in {panel.code for panel in panels}


def test_an_unknown_button_is_named() -> None:
    bench = Bench(simulated=True)
    phone = bench.phone(None)
    bench.sync(phone)
    assert "no button pink first" in str(bench.press(phone, 1, "pink first"))


def test_nothing_is_kept_for_a_source_that_is_closed() -> None:
    source = PanelSource(Clock(), LABELS)
    source.put(Edge("red first", True, 5, 5))
    source.open()
    assert [type(event) for event in source.read()] == [Levels]
    source.close()
    source.put(Edge("red first", True, 5, 5))
    assert source.read() == []


# -- dead phones -------------------------------------------------------------------------------------------------------


def test_a_phone_without_a_seat_that_has_gone_is_listed_no_more_after_a_while_and_again_when_it_is_back() -> None:
    bench = Bench()
    panel = bench.panels.join(asks=Colour.RED)
    bench.panels.leave(panel, panel.connection)
    bench.clock.now_ns += DEAD_NS - 1
    assert bench.panels.listed() == [panel]
    bench.clock.now_ns += 1
    assert bench.panels.listed() == []
    bench.panels.join(panel.secret)
    assert bench.panels.listed() == [panel]


def test_a_phone_with_a_seat_stays_listed_however_long_it_is_gone_until_another_has_its_seat() -> None:
    bench = Bench()
    phone = bench.phone(Colour.RED).panel
    bench.panels.leave(phone, phone.connection)
    bench.clock.now_ns += 100 * DEAD_NS
    assert bench.panels.listed() == [phone]
    other = bench.phone(Colour.RED).panel
    assert bench.panels.listed() == [other]


def test_the_fault_of_a_phone_that_was_replaced_clears_itself() -> None:
    bench = Bench()
    alarms = Alarms()
    gone = bench.phone(Colour.RED).panel

    def heard() -> tuple[str, ...]:
        for event in bench.source.read():
            if isinstance(event, SourceFault):
                alarms.hear(event)
        return alarms.texts()

    bench.panels.leave(gone, gone.connection)
    assert heard() == (f"the phone {gone.code} (red) has gone: open its page again, or give the seat to another",)
    bench.phone(Colour.RED)
    assert heard() == ()
