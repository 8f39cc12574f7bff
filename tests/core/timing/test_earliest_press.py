"""From when on a contact under way may count, and what others of its seat do to it, to the nanosecond."""

from __future__ import annotations

import pytest

from companion.core.timing.contacts import OVERLAPPED, ContactLimits, Contacts, LineTiming
from companion.core.timing.events import MS, Edge, Levels, Press, Rejected

LINE = "red first"
SEAT = ("yellow first", "yellow second", "yellow third")
SLOW = LineTiming(accept_ns=300 * MS, seat="yellow")


def fed(made: Contacts, *edges: tuple[float, bool, str]) -> list[object]:
    return [event for t_ms, active, line in edges for event in made.feed(Edge(line, active, round(t_ms * MS), 20_000))]


def contacts(timing: LineTiming, *lines: str, limits: ContactLimits | None = None) -> Contacts:
    made = Contacts(dict.fromkeys(lines, timing), limits)
    made.feed(Levels(frozenset(), frozenset(lines), 0))
    return made


def flickering() -> Contacts:
    made = contacts(LineTiming(), LINE)
    fed(made, (100, True, LINE), (101, False, LINE), (110, True, LINE), (111, False, LINE))
    return made


@pytest.mark.parametrize(
    ("known_ns", "earliest_ns"),
    [
        (112 * MS, 100 * MS),
        (120 * MS - 1, 100 * MS),
        (120 * MS, 110 * MS),
        (130 * MS - 1, 110 * MS),
        (130 * MS, 130 * MS + 1),
    ],
)
def test_what_is_open_and_was_never_firm_may_count_from_what_a_later_closure_would_reach_back_to(
    known_ns: int, earliest_ns: int
) -> None:
    made = flickering()
    made.advance(known_ns)
    assert made.earliest_press(known_ns) == earliest_ns


def test_a_line_that_is_closed_may_count_from_its_first_edge_within_the_bounce_time() -> None:
    made = contacts(LineTiming(), LINE)
    assert made.earliest_press(99 * MS) is None
    fed(made, (100, True, LINE), (101, False, LINE), (119, True, LINE))
    made.advance(120 * MS)
    assert made.earliest_press(120 * MS) == 100 * MS


def test_a_firm_contact_that_is_open_for_a_moment_still_counts_from_its_first_edge() -> None:
    made = contacts(LineTiming(accept_ns=300 * MS), LINE)
    fed(made, (100, True, LINE), (150, False, LINE))
    made.advance(165 * MS)
    assert made.earliest_press(165 * MS) == 100 * MS


def test_a_contact_in_company_may_count_from_the_end_of_the_others() -> None:
    made = contacts(SLOW, *SEAT)
    fed(made, (100, True, SEAT[0]), (150, True, SEAT[1]))
    made.advance(200 * MS)
    assert made.earliest_press(200 * MS) == 200 * MS + 1
    fed(made, (210, False, SEAT[1]))
    made.advance(215 * MS)
    assert made.earliest_press(215 * MS) == 210 * MS


def test_a_contact_that_ends_just_when_it_is_due_was_long_enough_if_it_was_alone_by_then() -> None:
    made = contacts(SLOW, *SEAT)
    out = fed(made, (100, True, SEAT[0]), (150, True, SEAT[1]), (395, False, SEAT[1]), (400, False, SEAT[0]))
    out += made.advance(500 * MS)
    assert [(event.line, event.t_ns) for event in out if isinstance(event, Press)] == [(SEAT[0], 395 * MS)]


def test_a_contact_that_ends_just_when_it_is_due_and_is_not_alone_was_overlapped() -> None:
    made = contacts(SLOW, *SEAT)
    out = fed(made, (100, True, SEAT[0]), (150, True, SEAT[1]), (400, False, SEAT[0]))
    out += made.advance(430 * MS)
    assert [event for event in out if isinstance(event, Rejected)] == [
        Rejected(SEAT[0], 100 * MS, 400 * MS, OVERLAPPED)
    ]


def test_of_several_others_the_one_that_ended_last_counts_though_it_was_known_first() -> None:
    made = contacts(SLOW, *SEAT, limits=ContactLimits(chatter_edges=5))
    chatter = [(201 + 0.2 * number, number % 2 == 0, SEAT[2]) for number in range(6)]
    out = fed(made, (100, True, SEAT[0]), (150, True, SEAT[1]), (200, False, SEAT[1]), *chatter)
    out += made.advance(500 * MS)
    assert [(event.line, event.t_ns) for event in out if isinstance(event, Press)] == [(SEAT[0], 202 * MS)]


def test_levels_that_find_a_contact_open_add_no_closing_to_it() -> None:
    made = contacts(LineTiming(), LINE)
    fed(made, (100, True, LINE))
    made.feed(Levels(frozenset(), frozenset({LINE}), 101 * MS))
    fed(made, (120.5, True, LINE))
    (press,) = (event for event in made.advance(200 * MS) if isinstance(event, Press))
    assert press.t_ns == round(120.5 * MS)


def test_all_that_is_special_about_a_press_is_said_with_it() -> None:
    made = contacts(SLOW, *SEAT)
    fed(made, (100, True, SEAT[1]), (150, False, SEAT[1]))
    flicker = [(1000 + 12 * number + part, not part, SEAT[0]) for number in range(3) for part in (0, 1)]
    out = fed(made, *flicker, (1036, True, SEAT[0])) + made.advance(2000 * MS)
    (press,) = (event for event in out if isinstance(event, Press))
    assert press.remark == (
        "flickered for 36.0 ms: counts from its first edge in the last 20 ms, touched once in the 0.9 s before"
    )
