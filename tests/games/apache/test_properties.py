"""Properties of Apache, whatever is played: cards stay, refusals change nothing, undo restores, replay equals live."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import (
    Close,
    End,
    JudgeLine,
    PressLine,
    Remark,
    Reveal,
    Seat,
    Setup,
    Undo,
    dump_line,
    parse_line,
)
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.race import RacePhase
from companion.games.apache.cards import BOOTY, HAND_CARDS, NAMES
from companion.games.apache.lines import Claim
from companion.games.registry import find
from tests.amounts import many
from tests.games.apache.table import WHOLE_DECK, cards_in_game
from tests.replay.generate import VARIANTS, random_match

pytestmark = [pytest.mark.slow, pytest.mark.no_cover]  # walks through whole matches

SETUPS = st.lists(st.sampled_from(list(Colour)), min_size=2, max_size=5, unique=True).flatmap(
    lambda colours: st.builds(
        Setup,
        record=st.just(2),
        match=st.just("0" * 32),
        edition=st.just(1),
        game=st.just("apache"),
        seats=st.tuples(
            *(st.builds(Seat, st.just(colour), allowance_ms=st.sampled_from([0, 0, 2])) for colour in colours)
        ),
        first=st.sampled_from(colours),
        variants=st.none() | st.lists(st.sampled_from(VARIANTS), unique=True).map(tuple),
        dead_heat=st.sampled_from(["timestamp", "clockwise"]),
    )
)
CARDS = st.sampled_from([*NAMES, *(NAMES[card] for card in BOOTY)])
NAMED = st.none() | st.sampled_from([*NAMES, "pink warrior"])
ANY_LINES = st.one_of(
    st.builds(Reveal, card=CARDS | st.just("red horse")),
    st.sampled_from([Close(), JudgeLine(), End()]),
    st.builds(
        Claim,
        colour=st.sampled_from(list(Colour)),
        take=st.sampled_from(["booty", "teepees", "wedding", "gold"]),
        prisoner=NAMED,
        spouse=NAMED,
    ),
)


class Match(RuleBasedStateMachine):
    """A live match: every line goes through the judge and into a record that is replayed at the end."""

    def __init__(self):
        super().__init__()
        self.record = []
        self.rulings = []
        self.now_ns = 0
        self.states = []  # before each line that still stands

    @initialize(setup=SETUPS)
    def begin(self, setup):
        self.judge = Judge(find)
        self.feed(setup)

    def feed(self, line):
        before = self.judge.state
        self.rulings += self.judge.feed(line)
        self.record.append(dump_line(line))
        if not isinstance(line, Setup | Undo | Remark):
            self.states.append(before)

    @property
    def game(self):
        return self.judge.game

    @property
    def state(self):
        return self.judge.state

    def phase(self):
        return self.game.race(self.state).phase

    @rule(cards=st.lists(CARDS, min_size=1, max_size=6))
    def reveal(self, cards):
        for card in cards:
            self.try_line(Reveal(card=card))

    @rule(buttons=st.lists(st.sampled_from(HAND_CARDS), min_size=1, max_size=4), data=st.data())
    def press(self, buttons, data):
        for button in buttons:
            self.now_ns += data.draw(st.sampled_from([0, 1000, 2_000_000]))
            self.feed(PressLine(colour=button.colour, role=button.role, t_ns=self.now_ns, error_ns=900))

    @precondition(lambda self: self.phase() is RacePhase.COLLECTING)
    @rule()
    def close(self):
        self.feed(Close())

    @precondition(lambda self: self.phase() is RacePhase.CLOSED)
    @rule()
    def judge_it(self):
        self.feed(JudgeLine())

    @precondition(lambda self: self.phase() is RacePhase.SETTLING)
    @rule(data=st.data())
    def choose(self, data):
        (decision,) = self.game.offers(self.state)
        assert len(decision.options) >= 2
        self.feed(data.draw(st.sampled_from(decision.options)).line)

    @rule(line=ANY_LINES)
    def try_line(self, line):
        """Whatever is refused leaves the state equal, and `decisions` and `can_end` had said so."""
        offered = [option.line for decision in self.game.offers(self.state) for option in decision.options]
        can_end = self.game.can_end(self.state)
        before = msgspec.structs.replace(self.state)
        read = self.judge.lines_read
        try:
            self.feed(line)
        except (Illegal, Malformed):
            assert self.state == before
            assert self.judge.lines_read == read
            assert line not in offered
            assert not (can_end and isinstance(line, End))
        else:
            assert can_end or not isinstance(line, End)
            assert line in offered or not isinstance(line, Reveal)

    @precondition(lambda self: not self.judge.is_over())
    @rule()
    def remark(self):
        before = self.state
        self.feed(Remark(text="a note"))
        assert self.state is before

    @rule()
    def undo(self):
        if self.judge.newest() is None:
            with pytest.raises(Illegal):
                self.judge.feed(Undo())
            return
        self.feed(Undo())
        assert self.state == self.states.pop()

    @invariant()
    def the_114_cards_are_114_cards(self):
        assert cards_in_game(self.state) == WHOLE_DECK

    @invariant()
    def everything_on_offer_is_accepted(self):
        for decision in self.game.offers(self.state):
            for option in decision.options:
                after, _ = self.game.apply(self.state, option.line)
                assert after != self.state

    @invariant()
    def states_can_be_kept_and_compared(self):
        assert hash(self.state) == hash(msgspec.structs.replace(self.state))

    def teardown(self):
        if not self.record:
            return
        replayed = list(judge_record(self.record, find))
        if not self.judge.is_over():
            self.rulings.append(self.judge.outcome())
        assert replayed == self.rulings


TestMatch = Match.TestCase
TestMatch.settings = settings(max_examples=many(60), stateful_step_count=40, deadline=None)


@given(st.integers(0, 10**9))
@settings(max_examples=many(25), deadline=None)
def test_whole_matches_keep_their_cards_and_undoing_all_gives_the_start(seed):
    judge = Judge(find)
    states = []
    for number, raw in enumerate(random_match(seed), start=1):
        line = parse_line(raw, number, (Claim,))
        if not isinstance(line, Setup | Undo | Remark):
            states.append(judge.state)
        judge.feed(line)
        if isinstance(line, Undo):
            assert judge.state == states.pop()
        assert cards_in_game(judge.state) == WHOLE_DECK
    assert judge.is_over()
    while judge.newest():
        judge.feed(Undo())
        assert judge.state == states.pop()
    assert states == []


@given(st.integers(0, 10**9))
@settings(max_examples=many(15), deadline=None)
def test_a_record_without_its_undone_lines_gives_the_same_rulings(seed):
    record = random_match(seed, undo_chance=0.1)
    judge = Judge(find)
    for number, raw in enumerate(record, start=1):
        judge.feed(parse_line(raw, number, (Claim,)))
    standing = [record[0], *(record[number - 1] for number, _ in judge.standing())]
    assert list(judge_record(standing, find))[-1] == judge.outcome()
    again = Judge(find)
    for number, raw in enumerate(standing, start=1):
        again.feed(parse_line(raw, number, (Claim,)))
    assert again.state == judge.state


@given(st.permutations(list(Colour)), st.randoms(), st.sampled_from(["timestamp", "clockwise"]))
@settings(max_examples=many(50), deadline=None)
def test_the_order_in_which_presses_arrive_changes_no_ruling(colours, random, policy):
    setup = Setup(
        record=2,
        match="0" * 32,
        game="apache",
        edition=1,
        seats=tuple(Seat(colour) for colour in Colour),
        first=Colour.RED,
        dead_heat=policy,
    )
    presses = [
        PressLine(colour=colour, role=random.choice(HAND_CARDS).role, t_ns=random.randint(0, 50), error_ns=5)
        for colour in Colour
    ]
    table = [Reveal(card=card) for card in ("red hunter", "blue maiden", "green hunter", "buffalo", "necklace")]

    def rulings(order):
        judge = Judge(find)
        lines = [setup, *table, *(presses[list(Colour).index(colour)] for colour in order), Close(), JudgeLine()]
        return [ruling for line in lines for ruling in judge.feed(line)], judge.state

    (some, state), (others, other_state) = rulings(colours), rulings(list(Colour))
    assert some == others
    ignoring_arrival = msgspec.structs.replace(state, presses=())
    assert ignoring_arrival == msgspec.structs.replace(other_state, presses=())
