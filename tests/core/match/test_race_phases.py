"""How a race is collected: the table is total, and what is not in it leaves everything as it was."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.match.match import Match, PlaySettings
from companion.core.match.race_phases import TABLE, Happening, Stage, changed_to, follow
from companion.core.panel import Colour
from companion.core.record.lines import Reveal, Seat, Setup
from companion.core.ruling.offers import Option
from companion.core.ruling.race import RacePhase
from companion.core.switches.ways import SwitchScanning
from companion.core.timing.events import SECOND, Press
from companion.games import registry

CHANGES = {Happening.BACK_OPEN, Happening.BACK_CLOSED, Happening.BACK_BETWEEN}


def match_at(stage: Stage) -> Match:
    """A match of Apache at a stage, or of `order`, whose races alone pause."""
    game = "order" if stage is Stage.PAUSING else "apache"
    match = Match(registry.find, PlaySettings())
    seats = (Seat(Colour.RED), Seat(Colour.YELLOW))
    setup = Setup(record=2, match="0" * 32, game=game, edition=1, seats=seats, first=Colour.RED)
    if stage is Stage.FACE_DOWN:
        setup = replace(setup, timing="untimed", dead_heat="clockwise")
    match.begin(setup)
    if stage in {Stage.COLLECTING, Stage.REOPENED, Stage.ASKING}:
        match.reveal(Option("buffalo", Reveal(card="buffalo")), SECOND)
    if stage is Stage.PICKING:
        match.settings = PlaySettings(switches={Colour.RED: SwitchScanning()})
    if stage is not Stage.BETWEEN:
        match.play(Press("red fourth", 20 * SECOND, 20_000))
    if stage not in {Stage.BETWEEN, Stage.EARLY, Stage.COLLECTING, Stage.FACE_DOWN}:
        match.close(21 * SECOND)
    if stage in {Stage.REOPENED, Stage.ASKING}:
        match.undo()  # the judging
    if stage is Stage.REOPENED:
        match.undo()  # the close
    return match


def state_of(match: Match) -> tuple[object, ...]:
    early = (list(match.early), match.early.closed_ns)
    return match.stage, match.history, early, match.next_deadline(), list(match.effects), match.late_until_ns


def test_every_stage_has_a_row_every_happening_a_use_and_every_cell_a_stage() -> None:
    assert set(TABLE) == set(Stage)
    assert {happening for row in TABLE.values() for happening in row} == set(Happening)
    for stage in Stage:
        for happening in Happening:
            if happening in TABLE[stage]:
                assert follow(stage, happening) is TABLE[stage][happening]
            else:
                with pytest.raises(Illegal, match="not while"):
                    follow(stage, happening)


def test_every_stage_is_reached_from_between_and_leads_back_there() -> None:
    def reached(start: Stage) -> set[Stage]:
        found, new = {start}, [start]
        while new:
            following = set(TABLE[new.pop()].values()) - found
            found |= following
            new += following
        return found

    assert reached(Stage.BETWEEN) == set(Stage)
    assert all(Stage.BETWEEN in reached(stage) for stage in Stage)


def test_a_change_of_the_record_can_come_at_any_stage_and_moves_no_waiting_press() -> None:
    for stage in Stage:
        assert set(TABLE[stage]) >= CHANGES
        for change in CHANGES:
            if stage.is_early:
                assert follow(stage, change) is stage
            else:
                assert not follow(stage, change).is_early


def test_only_a_race_that_takes_presses_can_be_closed_and_only_a_closed_one_judged() -> None:
    for stage in Stage:
        assert (Happening.CLOSED in TABLE[stage]) is stage.is_collecting
        assert (Happening.JUDGED in TABLE[stage]) is (stage in {Stage.PAUSING, Stage.ASKING})
        assert (Happening.NO_CARD in TABLE[stage]) is (stage in {Stage.EARLY, Stage.EARLY_CLOSED})


def test_a_reopened_race_never_closes_by_its_window_nor_one_whose_cards_lie_face_down() -> None:
    windowless = {stage for stage in Stage if stage.is_collecting and not stage.has_window}
    assert windowless == {Stage.REOPENED, Stage.FACE_DOWN}


@pytest.mark.parametrize(
    ("phase", "change"),
    [
        (RacePhase.COLLECTING, Happening.BACK_OPEN), (RacePhase.CLOSED, Happening.BACK_CLOSED),
        (RacePhase.OPEN, Happening.BACK_BETWEEN), (RacePhase.WAITING, Happening.BACK_BETWEEN),
        (RacePhase.SETTLING, Happening.BACK_BETWEEN), (RacePhase.OVER, Happening.BACK_BETWEEN),
        (None, Happening.BACK_BETWEEN),
    ],
)  # fmt: skip
def test_the_games_race_says_what_a_change_has_led_to(phase: RacePhase | None, change: Happening) -> None:
    assert changed_to(phase) is change


@pytest.mark.parametrize("stage", Stage)
def test_a_match_comes_to_every_stage(stage: Stage) -> None:
    assert match_at(stage).stage is stage


@pytest.mark.parametrize("stage", Stage)
def test_a_refused_close_or_judging_leaves_the_match_as_it_was(stage: Stage) -> None:
    match = match_at(stage)
    before = state_of(match)
    if not stage.is_collecting:
        with pytest.raises(Illegal):
            match.close(30 * SECOND)
    if Happening.JUDGED not in TABLE[stage]:
        with pytest.raises(Illegal):
            match.judge_now()
    assert state_of(match) == before
