"""What a game offers: everything on offer is legal, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.hands.choosing import picked_at_once
from companion.core.panel import POSITIONS
from companion.core.record.lines import (
    ByHand,
    ChanceLine,
    Reveal,
    TimedLine,
    dump_line,
    parse_line,
)
from companion.core.ruling.offers import MOST_VALUES, Step
from companion.testing.any_line import perturbed
from companion.testing.possible import completed, covers, numbers
from companion.testing.suite import GROUP, HINT, TEXT, Suite, fits, refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.offers import Offer
    from companion.testing.walks import Walk


class Offering(Suite):
    """Options, numbers, steps and chance; their words and their keys."""

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

    def test_what_is_picked_at_once_has_a_button_of_its_seat_for_each_option(self, walk: Walk) -> None:
        """One press picks it, so no button names two, and nothing is asked after it."""
        for state in walk.states():
            taken: set[tuple[Colour | None, int]] = set()
            for offer in walk.game.offers(state):
                if not offer.at_once:
                    continue
                assert 1 <= len(offer.options) <= len(POSITIONS)
                assert not any(option.group for option in offer.options)
                if offer.seat is None:
                    assert len(offer.options) == 1, "whoever is at the box picks it by one push of the knob"
                    continue
                for label, places in picked_at_once(offer, walk.game.roles):
                    assert places, f"{label}: no button of its seat picks it"
                    assert taken.isdisjoint((offer.seat, place) for place in places), label
                    taken |= {(offer.seat, place) for place in places}

    def test_what_is_timed_is_offered_without_a_time_and_taken_with_one(self, walk: Walk) -> None:
        """The box fills in the instant of the press or the pick; what nobody has timed is legal, too."""
        for _ in walk.states():
            for line in walk.offered():
                if isinstance(line, TimedLine):
                    assert (line.t_ns, line.error_ns) == (None, 0), line
                    assert not refused(walk.judge, line)
                    assert not refused(walk.judge, replace(line, t_ns=walk.t_ns, error_ns=20_000)), line

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
                assert walk.game.rolls, "the box commits to a seed where a game says that it rolls"
                assert 1 <= chance.count <= len(chance.outcomes)
                n = next(line.n for line in walk.offered() if isinstance(line, ChanceLine) and line.name == chance.name)
                for start in range(len(chance.outcomes)):
                    result = (chance.outcomes[start:] + chance.outcomes[:start])[: chance.count]
                    line = ChanceLine(name=chance.name, n=n, by="hand", result=result)
                    assert not refused(walk.judge, line), line
                wrong = ("no such thing",) * chance.count
                assert refused(walk.judge, ChanceLine(name=chance.name, n=n, by="hand", result=wrong))

    def test_what_nobody_offers_is_refused(self, walk: Walk) -> None:
        """Lines that were on offer earlier, and such with a field changed; the same choice by another name is legal."""
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
