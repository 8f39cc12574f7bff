"""The contract of `companion.ports.ButtonSource`, on every source (see `button_rigs`)."""

import contextlib
import random
from collections import Counter

import pytest

from companion.core.errors import CompanionError, Unavailable
from companion.core.timing.events import Edge, Levels
from tests.contract.button_rigs import LINES, RIGS, Rig, first_levels, is_readable, read_until

BUTTONS = list(LINES)


@pytest.fixture(params=RIGS)
def rig(request, monkeypatch, tmp_path):
    rig = request.param(monkeypatch, tmp_path)
    yield rig
    rig.source.close()
    if (close := getattr(rig, "close", None)) is not None:
        close()


def edges_of(batches):
    return [event for batch in batches for event in batch if isinstance(event, Edge)]


def assert_all_is_given(rig: Rig):
    """Read as the event loop does while something is held back; a machine that stood still is waited for a second."""
    for _ in range(20):
        while is_readable(rig.source, 0.05):
            rig.source.read()
        rig.source.read()
        if rig.source.given_until_ns is None:
            return
    pytest.fail(f"still held back since {rig.source.given_until_ns}")


def test_constructing_opens_nothing(rig: Rig):
    with pytest.raises(CompanionError, match="open"):
        rig.source.fileno()
    assert rig.source.read() == []


def test_levels_of_all_lines_come_first_and_once(rig: Rig):
    before_ns = rig.now_ns()
    levels = first_levels(rig)
    assert levels.known == frozenset(LINES)
    assert levels.active == frozenset()
    assert before_ns <= levels.t_ns + 1 <= rig.now_ns()
    assert rig.source.read() == []


def test_an_edge_before_the_first_read_comes_after_the_levels_and_not_twice(rig: Rig):
    rig.source.open()
    rig.close_contact("red first")
    batches = read_until(rig.source, edges=1)
    levels, *rest = [event for batch in batches for event in batch]
    assert isinstance(levels, Levels)
    assert levels.active == frozenset()
    edges = edges_of([rest])
    assert [(edge.line, edge.active) for edge in edges] == [("red first", True)]
    assert levels.t_ns <= edges[0].t_ns


def test_a_line_held_at_the_start_is_in_the_levels(rig: Rig):
    rig.close_contact("blue fourth")
    levels = first_levels(rig)
    assert levels.active == rig.closed_contacts()
    rig.open_contact("blue fourth")
    if levels.active:
        assert [(edge.line, edge.active) for edge in edges_of(read_until(rig.source, 1))] == [("blue fourth", False)]


def test_press_and_release_have_the_right_polarity_label_and_time(rig: Rig):
    first_levels(rig)
    for label in LINES:
        before_ns = rig.now_ns()
        rig.close_contact(label)
        (press,) = edges_of(read_until(rig.source, 1))
        between_ns = rig.now_ns()
        rig.open_contact(label)
        (release,) = edges_of(read_until(rig.source, 1))
        assert (press.line, press.active) == (label, True)
        assert (release.line, release.active) == (label, False)
        assert before_ns - press.error_ns <= press.t_ns <= between_ns + press.error_ns
        assert between_ns - release.error_ns <= release.t_ns <= rig.now_ns() + release.error_ns


def test_edges_carry_the_stated_uncertainty(rig: Rig):
    first_levels(rig)
    rig.close_contact("green third")
    (edge,) = edges_of(read_until(rig.source, 1))
    assert edge.error_ns == rig.source.error_ns > 0
    assert rig.source.delay_ns > 0


def test_nothing_is_lost_in_a_burst_of_forty_edges(rig: Rig):
    first_levels(rig)
    order = random.Random(20).sample(BUTTONS[:20], 20)
    for label in order:
        rig.close_contact(label)
    for label in order:
        rig.open_contact(label)
    edges = edges_of(read_until(rig.source, 40))
    assert Counter((edge.line, edge.active) for edge in edges) == Counter(
        (label, active) for label in order for active in (True, False)
    )
    by_stamp = sorted(edges, key=lambda edge: edge.t_ns)
    assert [edge.line for edge in by_stamp] == order + order


def test_when_all_has_been_given_nothing_is_held_back(rig: Rig):
    assert rig.source.given_until_ns is None
    first_levels(rig)
    rig.close_contact("red first")
    read_until(rig.source, 1)
    assert_all_is_given(rig)


def test_what_is_given_later_was_not_said_to_have_been_given(rig: Rig):
    first_levels(rig)
    for _ in range(200):
        for label in ("red first", "blue third"):
            rig.close_contact(label)
            rig.open_contact(label)
    horizons: list[int] = []
    edges: list[Edge] = []
    while len(edges) < 700 and is_readable(rig.source, 1):
        batch = edges_of([rig.source.read()])
        assert all(edge.t_ns > until_ns for until_ns in horizons for edge in batch)
        edges += batch
        horizons += [until_ns] if (until_ns := rig.source.given_until_ns) is not None else []
    assert_all_is_given(rig)


def test_stamps_are_in_order_within_a_batch(rig: Rig):
    first_levels(rig)
    for _ in range(20):
        for label in random.Random(7).sample(BUTTONS, 10):
            rig.close_contact(label)
            rig.open_contact(label)
    for batch in read_until(rig.source, 400):
        stamps = [event.t_ns for event in batch]
        assert stamps == sorted(stamps)


def test_a_line_s_edges_alternate(rig: Rig):
    levels = first_levels(rig)
    for _ in range(getattr(rig, "kept_edges", 100) // 2):
        rig.close_contact("yellow first")
        rig.open_contact("yellow first")
    rig.close_contact("yellow second")
    edges: list[Edge] = []
    while not any(edge.line == "yellow second" for edge in edges):
        assert is_readable(rig.source)
        edges += edges_of([rig.source.read()])
    active = "yellow first" in levels.active
    for edge in sorted((edge for edge in edges if edge.line == "yellow first"), key=lambda edge: edge.t_ns):
        assert edge.active is not active
        active = edge.active
    assert active is False


def test_the_descriptor_is_quiet_when_there_is_nothing(rig: Rig):
    first_levels(rig)
    assert not is_readable(rig.source, 0)
    rig.close_contact("red fourth")
    assert is_readable(rig.source)
    read_until(rig.source, 1)
    assert not is_readable(rig.source, 0)


def test_read_with_nothing_to_give_does_not_block(rig: Rig):
    first_levels(rig)
    for _ in range(3):
        assert rig.source.read() == []


def test_close_may_be_called_again_and_before_open(rig: Rig):
    rig.source.close()
    first_levels(rig)
    rig.source.close()
    rig.source.close()
    assert rig.source.read() == []
    with pytest.raises(CompanionError, match="open"):
        rig.source.fileno()


def test_after_closing_it_opens_again_with_levels_first(rig: Rig):
    first_levels(rig)
    rig.close_contact("purple third")
    read_until(rig.source, 1)
    rig.source.close()
    rig.open_contact("purple third")
    first_levels(rig)
    rig.close_contact("purple first")
    edges = edges_of(read_until(rig.source, 1))
    assert ("purple first", True) in [(edge.line, edge.active) for edge in edges]


def test_opening_twice_is_refused_or_changes_nothing(rig: Rig):
    rig.source.open()
    with contextlib.suppress(Unavailable):
        rig.source.open()
    levels, *rest = rig.source.read()
    assert isinstance(levels, Levels)
    assert rest == []
    rig.close_contact("red first")
    assert [edge.line for edge in edges_of(read_until(rig.source, 1))] == ["red first"]


def test_what_is_not_there_is_unavailable_with_a_message(rig: Rig):
    source = rig.elsewhere()
    if source is None:
        return  # a simulated panel cannot be missing
    with pytest.raises(Unavailable) as caught:
        source.open()
    assert len(str(caught.value)) > 20
    source.close()


def test_checking_a_source_in_order_finds_nothing(rig: Rig):
    check = getattr(rig.source, "check", None)
    if check is None:
        return  # nothing can be lost on its way in a simulated panel
    first_levels(rig)
    rig.close_contact("red first")
    read_until(rig.source, 1)
    for _ in range(3):
        check()
    assert rig.source.read() == []
