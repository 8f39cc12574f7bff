"""`companion profiles trial`: each touch is shown, and what this hand needs is proposed."""

from __future__ import annotations

from companion.cli.button_trial import Ear
from companion.cli.profiles.trial import ROUNDS, Trial, try_hand
from companion.core.panel import BUTTONS, Colour
from companion.core.profiles.profile import Filters
from companion.core.timing.events import MS, Edge, Levels
from tests.fakes.scripted_source import ScriptedSource

RED = [button.label for button in BUTTONS if button.colour is Colour.RED]
QUIET = Levels(frozenset(), frozenset(RED), 0)


def contact(label: str, from_ms: float, until_ms: float) -> list[Edge]:
    return [Edge(label, n % 2 == 0, round(t * MS), 20_000) for n, t in enumerate((from_ms, until_ms))]


def trial(*edges: Edge, filters: Filters | None = None) -> tuple[Trial, list[str]]:
    said: list[str] = []
    source = ScriptedSource([QUIET, *edges])
    return try_hand(Ear(source, source.clock, source.wait), Colour.RED, filters or Filters(), said.append), said


def rounds(brush_ms: float) -> list[Edge]:
    """Each round: the button beside is brushed, then the one that was asked for is held for half a second."""
    edges = []
    for number, place in enumerate(ROUNDS):
        at_ms = 1000 + number * 3000
        edges += contact(RED[place % 4], at_ms, at_ms + brush_ms)
        edges += contact(RED[place - 1], at_ms + 200, at_ms + 700)
    return edges


def test_each_touch_is_shown_and_the_shortest_that_does_is_proposed_with_a_step_of_room() -> None:
    found, said = trial(*rounds(45))

    assert found.proposal is not None
    assert (found.proposal.accept_ms, found.proposal.repeat_ms, found.proposal.fits) == (60, 0, True)
    assert said[0] == "1 of 5: press red first, and hold it for a moment"
    assert said[5:7] == ["  button 2: 45 ms, counts", "  button 1: 500 ms, counts"]
    assert said[-3] == "proposed: a touch counts after 60 ms"
    assert said[-1] == "A touch counts after 60 ms, which is more than 20: every seat agrees to it first."


def test_touches_are_judged_by_the_filters_that_the_person_has() -> None:
    _, said = trial(*rounds(45), filters=Filters(accept_ms=50))

    assert said[5] == "  button 2: 45 ms, no press: it was too short"


def test_nobody_presses() -> None:
    found, said = trial()

    assert found == Trial((), None)
    assert said[-1] == "nothing lasted for 400 ms in 30 s: the trial is over"


def test_buttons_of_other_seats_are_nobodys_touch() -> None:
    found, _ = trial(*contact("blue first", 900, 1500), *rounds(10))

    assert {touch.place for touch in found.touches} == {1, 2, 3, 4}
    assert len(found.touches) == 2 * len(ROUNDS)
