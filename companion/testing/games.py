"""The suite of every game: what the contract promises (`companion.core.ruling.game`), shown on random matches.

    from companion.testing.games import GameContract

    class TestMine(GameContract):
        game = GAME

It walks matches through nothing but offers, races, deadlines and chance, and drives a whole box (`driving`) with presses,
knob, scanner and commands. The same seeds give the same matches. A game's own rules need tests of their own.
"""

from __future__ import annotations

from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import pytest

from companion.config.languages import translation
from companion.core.errors import Illegal, Malformed
from companion.core.panel import Colour
from companion.core.record.lines import (
    STANDARD_LINES,
    ByHand,
    ChanceLine,
    Close,
    End,
    JudgeLine,
    PressLine,
    Reveal,
    Undo,
    dump_line,
    parse_line,
)
from companion.core.ruling.game import CONTRACT
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.offers import MOST_VALUES, REVEAL, Step
from companion.core.ruling.parameters import verify_setup
from companion.core.ruling.race import RacePhase
from companion.core.ruling.rulings import Ignored, Order, Outcome
from companion.screens.text.account import replay_account
from companion.testing import catalogues, drawings
from companion.testing.any_line import any_line, perturbed
from companion.testing.driving import Driver
from companion.testing.possible import by_hand, completed, covers, numbers, offered
from companion.testing.walks import SEED, Walk, only, setup_of, value_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import View

SEEDS = range(4)
"""Of the walks and of the driven boxes."""
ROLE, LABEL, GROUP, TEXT, HINT = 12, 16, 18, 20, 25
"""So many characters at most: a button's name, what the setup asks, a group, any other text, a hint."""


def refused(judge: Judge, line: Line) -> bool:
    """Tell whether a line is refused as malformed or illegal; anything else that is raised goes through."""
    try:
        copy(judge).feed(line)
    except (Malformed, Illegal):
        return True
    return False


def fits(text: str, most: int) -> bool:
    """Tell whether a text is there, can be shown, and has at most so many characters."""
    return 0 < len(text) <= most and text.isprintable()


def texts_of(view: View) -> Iterator[str]:
    """Give every text of a view that has to fit a small display, but the hints."""
    yield view.score_label
    yield from (name for name, _ in view.table)
    yield from (group.says for group in view.groups)
    for area in view.areas:
        yield from (area.name, *(cell.text for cell in area.cells if cell.text), *([area.note] if area.note else []))
    yield from (clock.label for clock in view.clocks)
    yield from filter(None, [view.phase])


def private_choices(walk: Walk) -> Iterator[tuple[Offer, list[Line]]]:
    """Give what may be chosen or drawn now without everybody's knowing, with lines that record different choices."""
    for offer in walk.game.offers(walk.state):
        if offer.is_private or (offer.chance is not None and offer.chance.is_secret):
            lines = offered(walk.game, walk.state, offer, walk.judge.history, SEED, walk.random)
            if offer.chance is not None:
                lines = [line for line in lines if isinstance(line, ChanceLine) and line.by == "hand"]
            yield offer, lines


class GameContract:
    """Subclass it and say which `game`; pytest finds what it inherits. seeds: more of them look more closely."""

    game: ClassVar[AnyGame]

    @pytest.fixture(params=SEEDS)
    def walk(self, request: pytest.FixtureRequest) -> Walk:
        """A random match that begins."""
        return Walk(self.game, request.param)

    @pytest.fixture(params=SEEDS)
    def driver(self, request: pytest.FixtureRequest) -> Driver:
        """A whole box at which nothing has been done yet."""
        return Driver(self.game, request.param)

    # -- what it says of itself --------------------------------------------------------------------------------------

    def test_it_keeps_this_contract_and_numbers_its_rules(self) -> None:
        """Version, edition, name, title; its lines' types are none of the record's own."""
        game = self.game
        assert game.version == CONTRACT
        assert isinstance(game.edition, int)
        assert game.edition >= 1
        assert game.name
        assert game.name == game.name.strip().lower()
        assert fits(game.title, TEXT)
        assert len(game.race_name) <= ROLE
        tags = [line.__struct_config__.tag for line in (*STANDARD_LINES, *game.lines)]
        assert len(set(tags)) == len(tags), tags

    def test_its_seats_and_buttons_are_those_of_a_panel(self) -> None:
        """At most five seats and four buttons each, by names that fit."""
        game = self.game
        assert 1 <= game.seats.fewest <= game.seats.most <= len(Colour)
        assert len(game.seats.titles) in {0, *range(game.seats.most, len(Colour) + 1)}
        assert all(fits(title, ROLE) for title in game.seats.titles)
        assert len(game.roles) <= 4
        assert len(set(game.roles)) == len(game.roles)
        assert all(fits(role, ROLE) for role in game.roles)
        self._verify_buttons(None, None)

    def test_what_it_asks_has_words_and_an_answer_that_it_takes(self) -> None:
        """Each parameter's default and its choices; what is outside is refused."""
        keys = [parameter.key for parameter in self.game.parameters]
        assert len(set(keys)) == len(keys)
        for parameter in self.game.parameters:
            assert fits(parameter.label, LABEL)
            assert parameter.kind == "yes-no" or not parameter.is_variant
            if parameter.kind == "choice":
                choices = [choice.key for choice in parameter.choices]
                assert len(set(choices)) == len(choices)
                assert parameter.default in choices
                assert all(fits(choice.label, LABEL) for choice in parameter.choices)
            if parameter.kind == "number":
                assert parameter.low <= int(parameter.default) <= parameter.high
            if parameter.kind == "file":
                assert isinstance(parameter.default, str)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_setup_is_taken_or_refused(self, seed: int) -> None:
        """Any answer to what is asked is taken; another edition, another value, another key is not."""
        random = Random(seed)
        setup = setup_of(self.game, random)
        verify_setup(self.game, setup)
        assert self.game.start(setup) == self.game.start(setup)
        wrong = [msgspec.structs.replace(setup, edition=setup.edition + 1)]
        wrong.append(msgspec.structs.replace(setup, parameters={"no such thing": True}))
        for parameter in self.game.parameters:
            if parameter.kind in {"number", "choice"}:
                out = parameter.high + 1 if parameter.kind == "number" else "no such thing"
                assert value_of(parameter, random) != out
                wrong.append(msgspec.structs.replace(setup, parameters={parameter.key: out}))
        for other in wrong:
            with pytest.raises(Malformed):
                Judge(only(self.game)).feed(other)

    def test_its_deck_can_be_counted_and_drawn(self) -> None:
        """Every card once, with as many copies as there are; every symbol that is named is there."""
        names = [card.name for card in self.game.deck]
        assert len(set(names)) == len(names)
        for card in self.game.deck:
            assert fits(card.name, TEXT)
            assert card.copies >= 1
            assert not card.symbol or card.symbol in self.game.symbols
            assert card.counted(2) != card.counted(1)

    def test_its_symbols_can_be_drawn(self) -> None:
        """Seven rows of at most eight pixels, and strokes for pages."""
        assert {name: found for name, symbol in self.game.symbols.items() if (found := drawings.faults(symbol))} == {}

    # -- offers ------------------------------------------------------------------------------------------------------

    def test_everything_on_offer_is_legal_and_changes_the_state(self, walk: Walk) -> None:
        """Options, both ends of a number, whole stepped choices, what the box rolls or a hand enters."""
        for state in walk.states():
            for line in walk.offered():
                assert walk.trial(line).state != state, line

    def test_every_offer_says_who_decides_what_in_words_that_fit(self, walk: Walk) -> None:
        """One of options, number, chance and steps; by a seat that plays, or by whoever is there."""
        for state in walk.states():
            offers = walk.game.offers(state)
            assert len({(offer.kind, offer.seat) for offer in offers}) == len(offers)
            for offer in offers:
                ways = (bool(offer.options), offer.number is not None, offer.chance is not None, offer.is_stepped)
                assert sum(ways) == 1, offer
                assert offer.seat is None or offer.seat in walk.colours
                assert fits(offer.prompt, TEXT), offer.prompt
                assert len(offer.hint) <= HINT, offer.hint

    def test_options_can_be_told_apart(self, walk: Walk) -> None:
        """By their keys, over all offers; by their words and buttons, within each."""
        for state in walk.states():
            offers = walk.game.offers(state)
            keys = [option.key for offer in offers for option in offer.options]
            assert len(set(keys)) == len(keys)
            for offer in offers:
                options = offer.options
                assert len({(option.group, option.label) for option in options}) == len(options)
                named = [(o.group, button) for o in options for button in (o.button, *o.also) if button]
                assert len(set(named)) == len(named)
                assert all(option.label.isprintable() and option.label for option in options)
                assert all(fits(o.group_label, GROUP) for o in options if o.group), "a group has a label"

    def test_lines_on_offer_can_be_written_and_read(self, walk: Walk) -> None:
        """As a record does."""
        for _ in walk.states():
            for line in walk.offered():
                assert parse_line(dump_line(line), 1, walk.game.lines) == line

    def test_numbers_outside_their_range_are_refused(self, walk: Walk) -> None:
        """One below, one above, and far away; both ends are legal."""
        for state in walk.states():
            for offer in walk.game.offers(state):
                entry = offer.number
                if entry is None:
                    continue
                assert entry.low <= entry.high
                assert not any(refused(walk.judge, entry.line(value)) for value in numbers(offer, walk.random))
                for value in (entry.low - 1, entry.high + 1, -(10**9)):
                    assert refused(walk.judge, entry.line(value)), value

    def test_stepped_choices_can_be_completed_from_every_value(self, walk: Walk) -> None:
        """At most so many values a step, each with words, each leading to a legal line; none is one too early."""
        for state in walk.states():
            for offer in walk.game.offers(state):
                if offer.is_stepped:
                    self._verify_steps(walk, offer, ())

    def _verify_steps(self, walk: Walk, offer: Offer, chosen: tuple[str, ...]) -> None:
        step = walk.game.step(walk.state, offer, chosen)
        if not isinstance(step, Step):
            assert not refused(walk.judge, step), step
            return
        assert fits(step.prompt, TEXT), step.prompt
        assert 1 <= len(step.values) <= MOST_VALUES
        assert len({value.key for value in step.values}) == len(step.values)
        assert all(value.label and value.label.isprintable() for value in step.values)
        for value in step.values:
            line = completed(walk.game, walk.state, offer, (*chosen, value.key), walk.random)
            assert not refused(walk.judge, line), (chosen, value.key)
        self._verify_steps(walk, offer, (*chosen, walk.random.choice(step.values).key))

    def test_any_result_of_a_roll_by_hand_is_legal(self, walk: Walk) -> None:
        """And no other: the pool is what can come out."""
        for state in walk.states():
            for offer in walk.game.offers(state):
                chance = offer.chance
                if chance is None:
                    continue
                assert 1 <= chance.count <= len(chance.outcomes)
                n = next(line.n for line in walk.offered() if isinstance(line, ChanceLine) and line.name == chance.name)
                for start in range(len(chance.outcomes)):
                    result = (chance.outcomes[start:] + chance.outcomes[:start])[: chance.count]
                    line = ChanceLine(name=chance.name, n=n, by="hand", result=result)
                    assert not refused(walk.judge, line), line
                wrong = ("no such thing",) * chance.count
                assert refused(walk.judge, ChanceLine(name=chance.name, n=n, by="hand", result=wrong))

    def test_what_nobody_offers_is_refused(self, walk: Walk) -> None:
        """Lines that were on offer earlier, and such with a field changed; what is legal by another name is the same."""
        pool: dict[Line, None] = {}
        for state in walk.states():
            pool.update(dict.fromkeys(walk.offered()))
            offers = walk.game.offers(state)
            kept = walk.random.sample(list(pool), min(6, len(pool)))
            changed = [perturbed(line, walk.game, walk.words, walk.random) for line in kept]
            for line in [*kept, *filter(None, changed)]:
                if isinstance(line, (ChanceLine, ByHand)) or refused(walk.judge, line):
                    continue
                if not any(covers(walk.game, state, offer, line) for offer in offers):
                    assert self._same_choice(walk, line, offers), line

    def _same_choice(self, walk: Walk, line: Line, offers: Iterable[Offer]) -> bool:
        """Tell whether a line leads where one on offer does, or is a card's with its time."""
        after = walk.trial(line).state
        if isinstance(line, Reveal):
            cards = {o.line.card for offer in offers for o in offer.options if isinstance(o.line, Reveal)}
            return line.card in cards
        return any(walk.trial(option.line).state == after for offer in offers for option in offer.options)

    # -- the state ---------------------------------------------------------------------------------------------------

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
        names = [field.name for field in fields(walk.state)] if is_dataclass(walk.state) else walk.state.__struct_fields__
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
        written = [msgspec.json.encode(ruling) for ruling in live]
        for game in (walk.game, *self._speaking()):
            assert [msgspec.json.encode(ruling) for ruling in judge_record(walk.record, only(game))] == written
            sentences = list(replay_account(walk.record, only(game)))
            assert all(sentence and sentence.isprintable() for sentence in sentences)

    # -- races, deadlines, hands -------------------------------------------------------------------------------------

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
            takes = race.phase in {RacePhase.OPEN, RacePhase.COLLECTING}
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
            assert race.phase is RacePhase.COLLECTING

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
        """And only such as the deck has."""
        copies = {card.name: card.copies for card in walk.game.deck}
        for state in walk.states():
            for offer in walk.game.offers(state):
                if offer.kind == REVEAL:
                    assert all(isinstance(option.line, Reveal) for option in offer.options)
            standing = [line.card for _, line in walk.judge.standing() if isinstance(line, Reveal)]
            assert set(standing) <= set(copies)
            assert all(standing.count(card) <= copies[card] for card in set(standing))

    # -- the end -----------------------------------------------------------------------------------------------------

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
            assert msgspec.json.decode(msgspec.json.encode(outcome))["type"] == "outcome"
            assert outcome.over is walk.game.is_over(state)
            assert [colour for colour in walk.colours if colour in outcome.ahead()] == list(outcome.ahead())

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _speaking(self) -> list[AnyGame]:
        """Give the game in each of its other languages."""
        words = self.game.words
        return [self.game.speaking(translation(words, language)) for language in catalogues.catalogues(self.game)]

    def test_the_view_fits_a_small_display_in_every_language(self, walk: Walk) -> None:
        """Scores of those who play, and texts of at most 20 characters."""
        for state in walk.states():
            for game in (walk.game, *self._speaking()):
                for viewer in (None, *walk.colours):
                    view = game.view(state, viewer)
                    assert [colour for colour, _ in view.scores] == walk.colours
                    assert view.turn is None or view.turn in walk.colours
                    assert [text for text in texts_of(view) if not fits(text, TEXT)] == []
                    assert [hint for hint in view.hints if not fits(hint, HINT)] == []
                assert all(fits(offer.prompt, TEXT) for offer in game.offers(state))

    def test_buttons_have_names_and_drawings_at_any_time(self, walk: Walk) -> None:
        """For each seat, and for none."""
        for state in walk.states():
            for seat in (None, *walk.colours):
                self._verify_buttons(state, seat)

    def _verify_buttons(self, state: Any, seat: Colour | None) -> None:
        faces = self.game.buttons(state, seat)
        assert len(faces) <= len(self.game.roles)
        for face in faces:
            assert len(face.label) <= ROLE
            assert not face.symbol or face.symbol in self.game.symbols

    def test_every_line_has_words(self, walk: Walk) -> None:
        """In every language; what may be replaced in it has the present value among its values."""
        for _ in walk.states():
            pass
        for told in walk.judge.history:
            for game in (walk.game, *self._speaking()):
                for viewer in (None, *walk.colours):
                    says = game.describe(told.line, viewer)
                    assert says
                    assert says.isprintable()
                self._verify_fields(game, told.line)

    def _verify_fields(self, game: AnyGame, line: Line) -> None:
        for field in game.fields(line):
            assert field.label
            assert str(getattr(line, field.name)) in [value.value for value in field.values]
            assert all(value.label for value in field.values)
            for value in field.values:
                raw = {**msgspec.to_builtins(line), field.name: value.value}
                parse_line(msgspec.json.encode(raw), 1, game.lines)

    def test_what_is_chosen_privately_is_not_told_to_everybody(self, walk: Walk) -> None:
        """Two choices of one seat are described alike, and seen alike while another seat has yet to choose."""
        for _ in walk.states():
            for offer, lines in private_choices(walk):
                assert len({walk.game.describe(line, None) for line in lines}) <= 1, offer.kind
                after = [walk.trial(line).state for line in lines]
                waits = all(any(o.kind == offer.kind for o in walk.game.offers(state)) for state in after)
                if waits or offer.chance is not None:
                    assert all(walk.game.view(state, None) == walk.game.view(after[0], None) for state in after)
                    public = [[replace_private(o) for o in walk.game.offers(state)] for state in after]
                    assert all(offers == public[0] for offers in public)

    # -- words -------------------------------------------------------------------------------------------------------

    def test_every_catalogue_is_complete(self) -> None:
        """Each message translated, with the same placeholders, and nothing left unsure."""
        found = {language: catalogues.faults(po) for language, po in catalogues.catalogues(self.game).items()}
        assert {language: faults for language, faults in found.items() if faults} == {}

    def test_every_message_that_is_asked_for_is_in_every_catalogue(self, walk: Walk) -> None:
        """Heard in a match, its account, and what the game says of itself."""
        heard = catalogues.Listening()
        game = self.game.speaking(heard)
        for state in walk.states():
            for viewer in (None, *walk.colours):
                game.view(state, viewer)
                game.buttons(state, viewer)
            assert [offer.prompt for offer in game.offers(state)]or True
        for told in walk.judge.history:
            game.describe(told.line)
            game.fields(told.line)
        list(replay_account(walk.record, only(game)))
        assert game.title
        for language, catalogue in catalogues.catalogues(self.game).items():
            assert catalogues.missing(catalogue, heard) == [], language

    # -- a whole box -------------------------------------------------------------------------------------------------

    def test_whatever_is_done_at_a_box_raises_nothing_and_replays(self, driver: Driver) -> None:
        """Presses, knob, scanner, commands; every line it writes is judged the same again."""
        driver.play()
        driver.verify_record()

    def test_a_press_that_nobody_wants_is_a_tone_and_no_line(self, driver: Driver) -> None:
        """Where no race is on."""
        driver.play()
        assert [press for press, _, tones in driver.idle_presses if not tones] == []
        assert [press for press, lines, _ in driver.idle_presses if lines] == []
        assert driver.presses_without_race() == []


def replace_private(offer: Offer) -> Offer:
    """Give an offer as everybody may know it; a number's and an option's function is not compared."""
    return replace(offer, options=(), number=None) if offer.is_private or offer.number is not None else offer
