"""The trial of a hand that trembles: what was meant counts under what is proposed, and nothing else."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.profiles.tremor import SAME_CONTACT, Asked, Heard, Touched, heard, propose, touches_of
from companion.core.timing.contacts import REPEATED, TOO_SHORT
from companion.core.timing.events import MS
from tests.amounts import many

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # simulates thousands of presses

ROUND_MS = 4000.0


class Trial(NamedTuple):
    """Touches of some rounds, and of them those that were meant."""

    rounds: tuple[Asked, ...]
    touches: tuple[Touched, ...]
    meant: tuple[Touched, ...]


@st.composite
def trembling(draw: st.DrawFn) -> Trial:
    """A hand that brushes buttons before it presses, and comes down again after it has let go.

    Everything else is shorter than the press that is meant; what comes after a press comes within some time of it; a
    hand lifts for longer than the bounce time between two touches.
    """
    brush_ms, echo_ms = draw(st.integers(5, 200)), draw(st.integers(40, 700))
    rounds, touches, meant = [], [], []
    for number in range(draw(st.integers(3, 6))):
        at_ms, place = number * ROUND_MS, draw(st.integers(1, 4))
        rounds.append(Asked(place, at_ms))
        at_ms += 100
        for _ in range(draw(st.integers(0, 3))):
            length_ms = draw(st.integers(1, brush_ms))
            touches.append(Touched(draw(st.integers(1, 4)), at_ms, at_ms + length_ms))
            at_ms += length_ms + draw(st.integers(30, 100))
        press = Touched(place, at_ms, at_ms + brush_ms + draw(st.integers(25, 300)))
        touches.append(press)
        meant.append(press)
        at_ms = press.until_ms + draw(st.integers(30, echo_ms))
        for _ in range(draw(st.integers(0, 2))):
            length_ms = draw(st.integers(1, brush_ms + 20))
            touches.append(Touched(place, at_ms, at_ms + length_ms))
            at_ms += length_ms + draw(st.integers(30, echo_ms))
    return Trial(tuple(rounds), tuple(touches), tuple(meant))


@given(trembling())
def test_exactly_the_presses_that_were_meant_count_under_what_is_proposed(trial: Trial) -> None:
    proposal = propose(trial.touches, trial.rounds)

    assert proposal.fits
    counting = [one for one in heard(trial.touches, 20, proposal.accept_ms, proposal.repeat_ms) if one.is_press]
    assert len(counting) == len(trial.rounds) == proposal.right
    assert [(one.place, one.from_ms) for one in counting] == [(one.place, one.from_ms) for one in trial.meant]


@settings(max_examples=many(25))
@given(trembling())
def test_no_shorter_acceptance_would_do(trial: Trial) -> None:
    """What is proposed is at most two steps more than the shortest that has any repetition time with it."""
    proposal = propose(trial.touches, trial.rounds)
    shorter_ms = proposal.accept_ms - 20
    if shorter_ms < 2:
        return
    for repeat_ms in range(0, 5001, 500):
        counting = [one for one in heard(trial.touches, 20, shorter_ms, repeat_ms) if one.is_press]
        assert [(o.place, o.from_ms) for o in counting] != [(o.place, o.from_ms) for o in trial.meant]


def rounds(*places: int) -> tuple[Asked, ...]:
    return tuple(Asked(place, index * ROUND_MS) for index, place in enumerate(places))


def presses(*places: int, length_ms: float = 150) -> tuple[Touched, ...]:
    return tuple(
        Touched(place, index * ROUND_MS + 500, index * ROUND_MS + 500 + length_ms) for index, place in enumerate(places)
    )


def test_a_steady_hand_needs_nothing() -> None:
    assert propose(presses(1, 2, 3), rounds(1, 2, 3))[:5] == (2, 0, True, 3, 3)


def test_brushes_of_60_ms_lead_to_an_acceptance_of_70_and_a_step_and_that_is_told() -> None:
    brushes = tuple(Touched(2, index * ROUND_MS + 200, index * ROUND_MS + 260) for index in range(3))

    proposal = propose((*brushes, *presses(1, 1, 1)), rounds(1, 1, 1))

    assert (proposal.accept_ms, proposal.repeat_ms, proposal.fits) == (80, 0, True)
    assert "A touch counts after 80 ms, which is more than 20: every seat agrees to it first." in proposal.says


def test_no_step_is_added_that_would_shut_out_what_was_meant() -> None:
    brushes = tuple(Touched(2, index * ROUND_MS + 200, index * ROUND_MS + 260) for index in range(3))

    assert propose((*brushes, *presses(1, 1, 1, length_ms=74)), rounds(1, 1, 1))[:3] == (70, 0, True)


def test_a_second_press_after_180_ms_leads_to_a_repetition_time_of_200_and_a_step() -> None:
    again = tuple(Touched(1, index * ROUND_MS + 830, index * ROUND_MS + 960) for index in range(3))

    assert propose((*presses(1, 1, 1), *again), rounds(1, 1, 1))[:3] == (2, 250, True)


def test_a_brush_of_the_same_button_is_not_taken_for_the_press_that_a_repetition_time_then_shuts_out() -> None:
    brushes = tuple(Touched(1, index * ROUND_MS + 200, index * ROUND_MS + 260) for index in range(3))

    assert propose((*brushes, *presses(1, 1, 1)), rounds(1, 1, 1))[:3] == (80, 0, True)


def test_a_round_without_a_press_fits_nothing_and_says_so() -> None:
    proposal = propose(presses(1, 1), rounds(1, 1, 1))

    assert (proposal.fits, proposal.right, proposal.rounds) == (False, 2, 3)
    assert proposal.says[0] == "In 2 of 3 rounds exactly one press counts, the one that was meant."
    assert proposal.says[1].startswith("No filter tells them all apart")


def test_each_touch_says_why_it_is_no_press() -> None:
    touches = (Touched(1, 0, 30), Touched(1, 100, 300), Touched(1, 310, 400), Touched(1, 500, 700))

    assert heard(touches, 20, 50, 300) == (
        Heard(1, 0, 30, False, TOO_SHORT),
        Heard(1, 100, 200, True, ""),
        Heard(1, 310, 90, False, SAME_CONTACT),
        Heard(1, 500, 200, False, REPEATED),
    )


@pytest.mark.parametrize(
    "touches", [(Touched(1, 10, 5),), (Touched(1, 0, 50), Touched(1, 40, 80)), (Touched(1, 0, 1),) * 501]
)
def test_touches_that_cannot_be_are_refused(touches: tuple[Touched, ...]) -> None:
    with pytest.raises(Malformed):
        heard(touches, 20, 2, 0)


def test_a_trial_of_two_rounds_is_none() -> None:
    with pytest.raises(Malformed, match="3 to 30 rounds"):
        propose(presses(1, 1), rounds(1, 1))


def test_edges_become_touches_and_one_that_is_still_closed_lasts_to_the_end() -> None:
    edges = [(1, 10 * MS, True), (2, 20 * MS, True), (1, 30 * MS, False), (1, 31 * MS, False)]

    assert touches_of(edges, 5 * MS, 100 * MS) == (Touched(1, 5, 25), Touched(2, 15, 95))
