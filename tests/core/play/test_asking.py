"""To ask what is shown changes nothing: twice gives the same, and all that the session holds stays equal."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.hands.knob import Chord, Click, Gesture, Hold, Play, Rotation
from companion.core.match.match import Match, PlaySettings
from companion.core.match.match_record import Remembered
from companion.core.panel import KNOB_PUSH, Colour
from companion.core.play.match_menus import MatchMenus
from companion.core.record.lines import Seat, Setup
from companion.core.ruling.history import History
from companion.core.timing.events import MS, SECOND, Press
from companion.games import registry
from tests.amounts import many
from tests.core.play.virtual_box import VirtualBox

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

LABELS = ("red fourth", "red first", "yellow fourth", "yellow second", "green third")


def held(thing: Any) -> Any:
    """All that an object holds, as plain values; what has no parts stands for itself."""
    if isinstance(thing, (str, int, float, bytes, Enum, type(None))) or callable(thing):
        return thing
    if isinstance(thing, Remembered):
        return "what the game would say again"
    if isinstance(thing, History):
        return (id(thing), len(thing))
    if isinstance(thing, dict):
        return [(held(key), held(value)) for key, value in thing.items()]
    if isinstance(thing, (set, frozenset)):
        return {repr(each) for each in thing}
    if hasattr(thing, "__dict__"):
        return (type(thing), held(vars(thing)))
    if isinstance(thing, (list, tuple)) or hasattr(thing, "__iter__"):
        return [held(each) for each in thing]
    names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    return (type(thing), [held(getattr(thing, name, None)) for name in names])


gestures = st.one_of(
    st.builds(lambda label: ("play", label), st.sampled_from(LABELS)),
    st.builds(lambda label: ("chord", label), st.sampled_from(LABELS)),
    st.builds(lambda steps: ("turn", steps), st.integers(-2, 3)),
    st.sampled_from([("click", 0), ("click", 0), ("hold", 0), ("wait", 0)]),
)


def gesture(what: str, detail: Any, t_ns: int) -> Gesture:
    match what:
        case "play":
            return Play(Press(detail, t_ns, 20_000))
        case "chord":
            return Chord(Press(detail, t_ns, 20_000))
        case "turn":
            return Rotation(detail, t_ns)
        case "click":
            return Click(t_ns)
    return Hold(t_ns)


@given(st.lists(st.tuples(st.integers(1, 4000), gestures), max_size=25), st.sampled_from(["apache", "order"]))
@settings(max_examples=many(150), deadline=None)
def test_what_the_menus_are_asked_changes_nothing_after_any_gesture(
    moves: list[tuple[int, tuple[str, Any]]], game: str
) -> None:
    match = Match(registry.find, PlaySettings())
    seats = (Seat(Colour.RED), Seat(Colour.YELLOW))
    match.begin(Setup(record=2, match="0" * 32, game=game, edition=1, seats=seats, first=Colour.RED))
    desk, now_ns = MatchMenus(match), SECOND
    for gap_ms, (what, detail) in moves:
        now_ns += gap_ms * MS
        if what == "wait":
            match.durable_lines = match.lines_written
            desk.advance(now_ns, now_ns, held=False)
        elif not match.is_over:
            desk.feed(gesture(what, detail, now_ns))
        before = held(desk)
        answers = (desk.body(), desk.next_deadline(), match.next_deadline(), match.status, match.presses())
        assert (desk.body(), desk.next_deadline(), match.next_deadline(), match.status, match.presses()) == answers
        assert held(desk) == before


@given(st.lists(st.tuples(st.integers(1, 3000), gestures), max_size=20))
@settings(max_examples=many(40), deadline=None)
def test_what_a_session_is_asked_changes_nothing(moves: list[tuple[int, tuple[str, Any]]]) -> None:
    box = VirtualBox(seats=("red", "yellow"))
    at_ms, free_ms = 2000, 2000
    for gap_ms, (what, detail) in moves:
        at_ms += gap_ms
        if what in ("click", "hold") and at_ms >= free_ms:
            box.press(KNOB_PUSH, at_ms, 1500 if what == "hold" else 100)
            free_ms = at_ms + 1700
        elif what == "turn" and detail:
            box.turn(detail, at_ms)
        elif what in ("play", "chord") and at_ms >= free_ms:
            box.press(detail, at_ms)
            free_ms = at_ms + 100
        box.run(at_ms)
        before = held(box.session)
        snapshot = box.session.snapshot(at_ms * MS)
        deadline = box.session.next_deadline(0)
        assert box.session.scene() == box.session.scene() == snapshot.scene
        assert box.session.next_deadline(0) == deadline
        assert held(box.session) == before


def test_what_an_object_holds_is_seen_to_differ() -> None:
    desk = MatchMenus(Match(registry.find, PlaySettings()))
    before = held(desk)
    desk.match.early.closed_ns = 1
    assert held(desk) != before
