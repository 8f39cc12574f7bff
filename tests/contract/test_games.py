"""One suite for every game: what the contract of a game promises (`companion/core/ruling/game.py`).

Each match is walked at random through nothing but the contract: decisions where there are some, presses, closings and
judgings where the game races. Nim is there for the games to come that have no race at all.
"""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from random import Random

import msgspec
import pytest

from companion.core.errors import Illegal, Malformed, UnknownGame
from companion.core.panel import Colour
from companion.core.record.lines import (
    STANDARD_LINES,
    Close,
    End,
    JudgeLine,
    Line,
    PressLine,
    Seat,
    Setup,
    Undo,
    dump_line,
    parse_line,
)
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Ignored, Order, Outcome
from companion.games import registry
from companion.screens.text.account import replay_account
from tests.contract.nim import NIM

SEEDS = range(6)
STEPS = 150


def find(name):
    return NIM if name == NIM.name else registry.find(name)


def setup_of(game, random: Random) -> Setup:
    colours = random.sample(list(Colour), random.randint(game.min_seats, game.max_seats))
    chosen = tuple(variant.key for variant in game.variants if random.random() < 0.5)
    return Setup(
        record=2,
        game=game.name,
        edition=1,
        seats=tuple(Seat(colour) for colour in colours),
        first=random.choice(colours),
        variants=chosen or None,
    )


def offered(game, state) -> list[Line]:
    """Every line that some decision offers now."""
    lines = []
    for decision in game.decisions(state):
        assert bool(decision.options) != (decision.number is not None)
        lines += [option.line for option in decision.options]
        if decision.number is not None:
            lines += [decision.number.line(value) for value in range(decision.number.low, decision.number.high + 1)]
    return lines


class Walk:
    """A random match, in which every state that comes up can be looked at."""

    def __init__(self, game, seed: int):
        self.game = game
        self.random = Random(seed)
        self.judge = Judge(find)
        self.record: list[bytes] = []
        self.rulings: list = []
        self.t_ns = 0
        self.feed(setup_of(game, self.random))

    @property
    def state(self):
        return self.judge.state

    def feed(self, line: Line):
        rulings = self.judge.feed(line)
        self.record.append(dump_line(line))
        self.rulings += rulings
        return rulings

    def states(self):
        """Give every state of a match that goes on until it is exhausted or long enough."""
        for _ in range(STEPS):
            yield self.state
            line = self.next_line()
            if line is None:
                return
            self.feed(line)

    def next_line(self) -> Line | None:
        race = self.game.race(self.state)
        lines = offered(self.game, self.state)
        if race is not None:
            if race.phase is RacePhase.COLLECTING and self.random.random() < 0.4:
                return Close()
            if race.phase is RacePhase.CLOSED and (not lines or self.random.random() < 0.8):
                return JudgeLine()
            if race.phase is not RacePhase.SETTLING and (not lines or self.random.random() < 0.35):
                return None if self.game.is_exhausted(self.state) else self.press()
        return self.random.choice(lines) if lines else None

    def press(self) -> PressLine:
        self.t_ns += self.random.randint(0, 10**8)
        colour, role = self.random.choice(tuple(Colour)), self.random.choice(self.game.roles)
        return PressLine(colour=colour, role=role, t_ns=self.t_ns)


@pytest.fixture(params=[*registry.names(), "nim"])
def game(request):
    return find(request.param)


@pytest.fixture(params=SEEDS)
def walk(request, game):
    return Walk(game, request.param)


def test_it_is_found_by_its_own_name_and_its_labels_fit(game):
    assert find(game.name) is game
    assert game.title
    assert 1 <= game.min_seats <= game.max_seats <= len(Colour)
    for variant in game.variants:
        assert 0 < len(variant.label) <= 16
    tags = [line.__struct_config__.tag for line in (*STANDARD_LINES, *game.extra_lines)]
    assert len(set(tags)) == len(tags)


def test_what_decisions_offer_is_accepted_and_changes_the_state(walk):
    for state in walk.states():
        for line in offered(walk.game, state):
            after, _ = walk.game.apply(state, line)
            assert after != state


def test_what_decisions_do_not_offer_is_refused_and_leaves_the_state_equal(walk):
    """Of all lines ever on offer in this match, those that are not on offer now; the same choice by another name is."""
    pool: dict[Line, None] = {}
    for state in walk.states():
        now = offered(walk.game, state)
        pool.update(dict.fromkeys(now))
        kept = walk.random.sample(list(pool), min(12, len(pool)))
        results = None
        for line in kept:
            if line in now:
                continue
            before = msgspec.structs.replace(state)
            try:
                after, _ = walk.game.apply(state, line)
            except (Illegal, Malformed):
                assert state == before
            else:
                results = results or [walk.game.apply(state, other)[0] for other in now]
                assert after in results


def test_numbers_beyond_the_bounds_are_refused(walk):
    for state in walk.states():
        for decision in walk.game.decisions(state):
            if decision.number is not None:
                for value in (decision.number.low - 1, decision.number.high + 1, -(10**9)):
                    with pytest.raises((Illegal, Malformed)):
                        walk.game.apply(state, decision.number.line(value))


def test_options_can_be_told_apart_and_fit_a_small_display(walk):
    for state in walk.states():
        for decision in walk.game.decisions(state):
            assert 0 < len(decision.prompt) <= 20
            assert decision.seat is None or decision.seat in [seat.colour for seat in walk.judge.setup.seats]
            options = decision.options
            assert len({option.line for option in options}) == len(options)
            assert len({(option.group, option.label) for option in options}) == len(options)
            buttons = [
                (option.group, button) for option in options for button in (option.button, *option.also) if button
            ]
            assert len(set(buttons)) == len(buttons)
            for option in options:
                assert 0 < len(option.group_label) <= 18
                assert option.label


def test_options_lines_can_be_written_and_read(walk):
    for state in walk.states():
        for line in offered(walk.game, state):
            assert parse_line(dump_line(line), 1, walk.game.extra_lines) == line


def test_a_race_takes_presses_when_it_says_so(walk):
    for state in walk.states():
        race = walk.game.race(state)
        if race is None:
            with pytest.raises(Illegal):
                walk.game.apply(state, walk.press())
            continue
        press = walk.press()
        after, rulings = walk.game.apply(state, press)
        takes = race.phase in {RacePhase.OPEN, RacePhase.COLLECTING}
        plays = press.colour in [seat.colour for seat in walk.judge.setup.seats]
        played = press.colour in [other.colour for other in race.presses]
        assert (rulings == ()) is (takes and plays and not played)
        if rulings:
            (ruling,) = rulings
            assert isinstance(ruling, Ignored)
            assert after == state
        else:
            assert walk.game.race(after).presses == (*race.presses, press)
            assert walk.game.race(after).phase is RacePhase.COLLECTING


@pytest.mark.parametrize("line", [Close(), JudgeLine()])
def test_a_race_is_closed_and_judged_when_it_says_so(walk, line):
    phase = RacePhase.COLLECTING if isinstance(line, Close) else RacePhase.CLOSED
    for state in walk.states():
        race = walk.game.race(state)
        if race is not None and race.phase is phase:
            _, rulings = walk.game.apply(state, line)
            assert any(isinstance(ruling, Order) for ruling in rulings) is isinstance(line, JudgeLine)
        else:
            with pytest.raises(Illegal):
                walk.game.apply(state, line)


def test_end_is_accepted_exactly_when_can_end_says_so_and_then_only_presses_follow(walk):
    for state in walk.states():
        if not walk.game.can_end(state):
            with pytest.raises(Illegal):
                walk.game.apply(state, End())
            continue
        over, _ = walk.game.apply(state, End())
        assert walk.game.is_over(over)
        assert not walk.game.is_over(state)
        assert not walk.game.can_end(over)
        assert not walk.game.is_exhausted(over)
        assert walk.game.decisions(over) == ()
        for line in offered(walk.game, state)[:3]:
            with pytest.raises(Illegal):
                walk.game.apply(over, line)
        if walk.game.race(over) is not None:
            assert walk.game.race(over).phase is RacePhase.OVER


def test_an_exhausted_game_offers_nothing_and_can_end(walk):
    for state in walk.states():
        if walk.game.is_exhausted(state):
            assert walk.game.decisions(state) == ()
            assert walk.game.can_end(state)


def test_states_are_frozen_hashable_and_compared_by_value(walk):
    for state in walk.states():
        copy = msgspec.structs.replace(state) if isinstance(state, msgspec.Struct) else state
        assert copy == state
        assert hash(copy) == hash(state)
    name = next(iter(msgspec.structs.asdict(walk.state)))
    with pytest.raises((AttributeError, FrozenInstanceError)):
        setattr(walk.state, name, None)


def test_the_outcome_is_well_formed_at_any_time(walk):
    seats = [seat.colour for seat in walk.judge.setup.seats]
    for state in walk.states():
        outcome = walk.game.outcome(state)
        assert isinstance(outcome, Outcome)
        written = json.loads(msgspec.json.encode(outcome))
        assert written["type"] == "outcome"
        assert written["over"] is walk.game.is_over(state) is False
        leaders = [colour for colour in seats if colour in written.get("leaders", [])]
        assert leaders == written.get("leaders", [])


def test_the_view_fits_a_small_display(walk):
    seats = [seat.colour for seat in walk.judge.setup.seats]
    for state in walk.states():
        view = walk.game.view(state)
        assert [colour for colour, _ in view.scores] == seats
        assert 0 < len(view.score_label) <= 20
        assert all(0 < len(label) <= 20 for label, _ in view.table)
        assert view.turn is None or view.turn in seats


def test_undo_restores_every_state_exactly(walk):
    states = list(walk.states())
    while walk.judge.newest() is not None:
        walk.judge.feed(Undo())
        assert walk.judge.state == states[len(walk.judge.standing())]


def test_a_replay_of_the_record_equals_the_live_match(walk):
    for _ in walk.states():
        pass
    live = [*walk.rulings, walk.judge.outcome()]
    assert list(judge_record(walk.record, find)) == live
    sentences = list(replay_account(walk.record, find))
    assert all(sentence and sentence.isprintable() for sentence in sentences)


def test_a_game_with_no_race_is_played_to_its_end_by_choices_and_numbers():
    walk = Walk(NIM, seed=1)
    for state in walk.states():
        assert NIM.race(state) is None
    assert NIM.is_exhausted(walk.state)
    (outcome,) = walk.feed(End())
    assert sum(outcome.taken.values()) == 12
    assert len(outcome.leaders) == 1
    assert any(b'"type":"take"' in line for line in walk.record)
    sentences = list(replay_account(walk.record, find))
    assert sentences[-1] == f"{outcome.leaders[0]} wins."
    assert any("takes" in sentence for sentence in sentences)


def test_walks_of_apache_come_to_choices_and_punishments():
    """The suite above would prove little if its matches were dull."""
    results, choices = set(), 0
    for seed in SEEDS:
        walk = Walk(registry.find("apache"), seed)
        for state in walk.states():
            choices += any(decision.kind == "claim" for decision in walk.game.decisions(state))
        results |= {ruling.result for ruling in walk.rulings if hasattr(ruling, "result")}
    assert results == {"claimed", "nothing", "punished"}
    assert choices >= 10


def test_an_unknown_game_is_named_with_those_there_are():
    with pytest.raises(UnknownGame, match="no game called 'go' is installed; there are: apache, order"):
        registry.find("go")
    assert registry.names() == ("apache", "order")
