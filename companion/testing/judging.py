"""How a game judges: states that are values, races, deadlines, hands, the end."""

from __future__ import annotations

from contextlib import suppress
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.core.errors import Illegal
from companion.core.match.match_record import undoing
from companion.core.record.lines import (
    ByHand,
    Close,
    End,
    JudgeLine,
    PressLine,
    Reveal,
    Undo,
)
from companion.core.ruling.game import TakingBack
from companion.core.ruling.judge import judge_record
from companion.core.ruling.offers import REVEAL
from companion.core.ruling.race import RacePhase, is_in_time
from companion.core.ruling.rulings import Ignored, Order, Outcome, Settled
from companion.core.words.encoding import encode
from companion.screens.text.account import replay_account
from companion.testing.any_line import any_line
from companion.testing.possible import by_hand
from companion.testing.suite import LABEL, ROLE, TEXT, Suite, fits, is_drawn, refused
from companion.testing.walks import Walk, only

if TYPE_CHECKING:
    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling


class States(Suite):
    """What lines do to a state."""

    def test_a_line_is_taken_or_refused_and_never_anything_else(self, walk: Walk) -> None:
        """Any line of any type: whatever it raises is Malformed or Illegal, and the state is as it was."""
        for state in walk.states():
            kept, number = deepcopy(state), hash(state)
            lines = [any_line(walk.game, walk.words, walk.random) for _ in range(12)]
            for line in [*walk.offered(), *filter(None, lines)]:
                refused(walk.judge, line)
            assert state == kept
            assert hash(state) == number

    def test_asking_changes_nothing_and_gives_the_same_again(self, walk: Walk) -> None:
        """Offers, race, view, adjustable, deadline, outcome."""
        for state in walk.states():
            kept, game = deepcopy(state), walk.game
            for viewer in (None, *walk.colours):
                assert game.view(state, viewer) == game.view(state, viewer)
            assert game.race(state) == game.race(state)
            assert game.adjustable(state) == game.adjustable(state)
            assert game.deadline(state) == game.deadline(state)
            assert game.outcome(state) == game.outcome(state)
            assert [o.kind for o in game.offers(state)] == [o.kind for o in game.offers(state)]
            assert state == kept

    def test_states_are_frozen_hashable_and_compared_by_value(self, walk: Walk) -> None:
        """A msgspec.Struct or a dataclass, frozen."""
        for state in walk.states():
            again = deepcopy(state)
            assert again == state
            assert hash(again) == hash(state)
        names = (
            [field.name for field in fields(walk.state)] if is_dataclass(walk.state) else walk.state.__struct_fields__
        )
        with pytest.raises((AttributeError, FrozenInstanceError)):
            setattr(walk.state, names[0], None)

    def test_undo_gives_every_state_back(self, walk: Walk) -> None:
        """One line after the other, to the beginning."""
        states = list(walk.states())
        while walk.judge.newest() is not None:
            walk.judge.feed(Undo())
            assert walk.judge.state == states[len(walk.judge.standing())]

    def test_a_replay_gives_the_same_rulings_byte_for_byte(self, walk: Walk) -> None:
        """Also by a game that speaks another language; the account has no empty sentence."""
        for _ in walk.states():
            pass
        walk.end()
        live = [*walk.rulings] if walk.judge.is_over() else [*walk.rulings, walk.judge.outcome()]
        written = [encode(ruling) for ruling in live]
        for game in (walk.game, *self.speaking()):
            assert [encode(ruling) for ruling in judge_record(walk.record, only(game))] == written
            sentences = list(replay_account(walk.record, only(game)))
            assert all(sentence and sentence.isprintable() for sentence in sentences)

    def test_every_ruling_can_be_told(self, walk: Walk) -> None:
        """As pages get it, and in words that a display has letters for."""
        for _ in walk.states():
            pass
        for ruling in walk.rulings:
            assert msgspec.json.decode(encode(ruling))["type"]
            if isinstance(ruling, Order):
                assert isinstance(ruling.order, tuple)
            if isinstance(ruling, Settled):
                assert isinstance(ruling.moved(), tuple)
                assert all(fits(card, TEXT) for card in ruling.moved())
                assert all(map(is_drawn, ruling.note()))


class Courses(Suite):
    """Races, deadlines, results by hand, cards, the end."""

    def test_a_race_takes_presses_when_it_says_so(self, walk: Walk) -> None:
        """One of each seat that plays; where there is no race a press is refused."""
        for state in walk.states():
            race = walk.game.race(state)
            if not walk.game.roles:
                continue
            press = walk.press()
            if race is None:
                assert refused(walk.judge, press)
                continue
            after, rulings = walk.game.apply(state, press)
            takes = is_in_time(race.phase, race.closed_ns, press)
            is_first = press.colour in walk.colours and press.colour not in [p.colour for p in race.presses]
            assert (rulings == ()) is (takes and is_first)
            self._verify_press(walk, press, after, rulings)

    def _verify_press(self, walk: Walk, press: PressLine, after: Any, rulings: tuple[Ruling, ...]) -> None:
        race, before = walk.game.race(after), walk.game.race(walk.state)
        assert race is not None
        assert before is not None
        if rulings:
            assert [type(ruling) for ruling in rulings] == [Ignored]
            assert after == walk.state
        else:
            assert race.presses == (*before.presses, press)
            was_closed = before.phase is RacePhase.CLOSED
            assert race.phase is (RacePhase.CLOSED if was_closed else RacePhase.COLLECTING)

    def test_a_closed_race_takes_what_was_made_up_to_its_close(self, walk: Walk) -> None:
        """However late it is delivered; without an instant, or on a new clock, it takes nothing any more."""
        for state in walk.states():
            race = walk.game.race(state)
            if race is None or race.phase is not RacePhase.COLLECTING:
                continue
            newest_ns = max(press.t_ns for press in race.presses)
            assert refused(walk.judge, Close(t_ns=newest_ns - 1))
            for close, closed_ns in ((Close(t_ns=newest_ns), newest_ns), (Close(), None)):
                closed, _ = walk.game.apply(state, close)
                assert self._closed_ns(walk, closed) == closed_ns
                assert self._closed_ns(walk, walk.game.restarted(closed)) is None
                self._verify_late(walk, closed, newest_ns, closed_ns)

    def _closed_ns(self, walk: Walk, state: Any) -> int | None:
        race = walk.game.race(state)
        assert race is not None
        assert race.phase is RacePhase.CLOSED
        return race.closed_ns

    def _verify_late(self, walk: Walk, closed: Any, newest_ns: int, closed_ns: int | None) -> None:
        race = walk.game.race(closed)
        waiting = set(walk.colours) - {press.colour for press in race.presses} if race is not None else set()
        for colour in waiting:
            for t_ns in (newest_ns, newest_ns + 1):
                press = PressLine(colour=colour, role=walk.game.roles[0], t_ns=t_ns)
                _, rulings = walk.game.apply(closed, press)
                assert (rulings == ()) is (closed_ns is not None and t_ns <= closed_ns)

    def test_a_race_is_closed_and_judged_when_it_says_so(self, walk: Walk) -> None:
        """And at no other time."""
        for state in walk.states():
            race = walk.game.race(state)
            phase = race.phase if race is not None else None
            assert refused(walk.judge, Close()) is (phase is not RacePhase.COLLECTING)
            assert refused(walk.judge, JudgeLine()) is (phase is not RacePhase.CLOSED)
            if phase is RacePhase.CLOSED:
                _, rulings = walk.game.apply(state, JudgeLine())
                orders = [ruling for ruling in rulings if isinstance(ruling, Order)]
                assert len(orders) == 1
                self._verify_reasons(walk, orders[0])

    def _verify_reasons(self, walk: Walk, order: Order) -> None:
        race = walk.game.race(walk.state)
        for place in order.order:
            press = next(press for press in race.presses if press.colour is place.colour) if race else None
            if place.why is not None and press is not None:
                long, short = walk.game.reason(press, place.why)
                assert long
                assert fits(short, ROLE)

    def test_the_newest_doing_is_taken_back_as_it_says_or_it_says_why_not(self, walk: Walk) -> None:
        """As many lines as it names, from one; and what it then wants written is legal."""
        for _ in walk.states():
            newest = walk.judge.history.newest_doing()
            if newest is None:
                continue
            how = self._taking_back(walk, newest.line)
            if how is None:
                continue
            assert isinstance(how, TakingBack)
            assert how.lines >= 1
            judge = copy(walk.judge)
            for line in undoing(walk.judge, newest, Undo()):
                judge.feed(line)
            assert judge.history.taken_back_by(newest.number) is not None

    def _taking_back(self, walk: Walk, newest: Line) -> TakingBack | None:
        """Ask how it is taken back; None where it cannot be now."""
        with suppress(Illegal):
            return walk.game.taking_back(walk.state, newest)
        return None

    def test_a_deadlines_line_is_legal(self, walk: Walk) -> None:
        """It is written by itself: nobody is there to be told that it was refused."""
        for state in walk.states():
            deadline = walk.game.deadline(state)
            if deadline is not None:
                assert deadline.t_ns >= 0
                assert walk.trial(deadline.line).state != state

    def test_what_is_adjustable_can_be_set_to_both_ends_of_its_range(self, walk: Walk) -> None:
        """And not beyond."""
        for state in walk.states():
            for line in by_hand(walk.game, state):
                after = walk.trial(line).state
                shown = {one.key: one.value for one in walk.game.adjustable(after)}
                assert shown.get(line.set, line.value) == line.value
            for one in walk.game.adjustable(state):
                assert one.low <= one.high
                assert fits(one.label, LABEL)
                for value in (one.low - 1, one.high + 1):
                    assert refused(walk.judge, ByHand(set=one.key, value=value, reason="a test"))

    def test_no_more_cards_are_revealed_than_there_are(self, walk: Walk) -> None:
        """And only such as the deck has; one that all lie open comes again only where the game offers it again."""
        copies = {card.name: card.copies for card in walk.game.deck}
        for state in walk.states():
            offered = [option.line for o in walk.game.offers(state) if o.kind == REVEAL for option in o.options]
            cards = [line.card for line in offered if isinstance(line, Reveal)]
            assert len(cards) == len(offered)
            standing = [line.card for _, line in walk.judge.standing() if isinstance(line, Reveal)]
            assert set(standing) <= set(copies)
            gone = [card for card in copies if standing.count(card) >= copies[card] and card not in cards]
            assert all(refused(walk.judge, Reveal(card=card)) for card in gone)
            assert all(count <= copies.get(name, count) for name, count in walk.game.view(state).table)

    def test_the_end_is_legal_exactly_when_it_says_so_and_is_the_end(self, walk: Walk) -> None:
        """After it nothing is on offer, and no more presses count."""
        for state in walk.states():
            assert refused(walk.judge, End()) is not walk.game.can_end(state)
            if walk.game.can_end(state):
                over = walk.trial(End()).state
                assert walk.game.is_over(over)
                assert not walk.game.can_end(over)
                assert not walk.game.is_exhausted(over)
                assert walk.game.offers(over) == ()
                assert walk.game.deadline(over) is None
                race = walk.game.race(over)
                assert race is None or race.phase is RacePhase.OVER
            assert not walk.game.is_over(state)

    def test_an_exhausted_game_offers_nothing_and_can_end(self, walk: Walk) -> None:
        """The box then writes the `end` by itself."""
        for _ in walk.states():
            pass
        if walk.game.is_exhausted(walk.state):
            assert walk.game.offers(walk.state) == ()
            assert walk.game.can_end(walk.state)

    def test_the_outcome_is_an_object_of_the_record(self, walk: Walk) -> None:
        """It names who is ahead among those who play."""
        for state in walk.states():
            outcome = walk.game.outcome(state)
            assert isinstance(outcome, Outcome)
            assert msgspec.json.decode(encode(outcome))["type"] == "outcome"
            assert outcome.over is walk.game.is_over(state)
            assert [colour for colour in walk.colours if colour in outcome.ahead()] == list(outcome.ahead())
