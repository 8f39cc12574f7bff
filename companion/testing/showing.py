"""What a game gives to be seen: views, buttons, words in every language; and a whole box that shows it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.record.lines import (
    ChanceLine,
    parse_line,
)
from companion.core.words.encoding import builtins, encode
from companion.screens.text.account import replay_account
from companion.testing import catalogues
from companion.testing.possible import offered
from companion.testing.suite import HINT, TEXT, Suite, fits
from companion.testing.walks import SEED, Walk, only

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.panel import Colour
    from companion.core.record.lines import Line
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.offers import Chance, Offer
    from companion.core.ruling.view import Held, Ledger, View
    from companion.testing.driving import Driver


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


def replace_private(offer: Offer) -> Offer:
    """Give an offer as everybody may know it; a number's and an option's function is not compared."""
    return replace(offer, options=(), number=None) if offer.is_private or offer.number is not None else offer


class Showing(Suite):
    """What displays and accounts are told."""

    def test_the_view_fits_a_small_display_in_every_language(self, walk: Walk) -> None:
        """Scores of those who play, and texts of at most 20 characters."""
        for state in walk.states():
            for game in (walk.game, *self.speaking()):
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
                self.verify_buttons(state, seat)

    def test_every_line_has_words(self, walk: Walk) -> None:
        """In every language; what may be replaced in it has the present value among its values."""
        for _ in walk.states():
            pass
        for told in walk.judge.history:
            for game in (walk.game, *self.speaking()):
                for viewer in (None, *walk.colours):
                    says = game.describe(told.line, viewer)
                    assert says
                    assert says.isprintable()
                self._verify_fields(game, told.line)

    def _verify_fields(self, game: AnyGame, line: Line) -> None:
        for field in game.fields(line):
            assert field.label
            now = getattr(line, field.name)
            assert {now, str(now)} & {value.value for value in field.values}
            assert all(value.label for value in field.values)
            for value in field.values:
                raw = {**builtins(line), field.name: value.value}
                parse_line(encode(raw), 1, game.lines)

    def test_accounts_have_as_many_values_as_columns_in_every_language(self, walk: Walk) -> None:
        """Each with a key and a title of its own; rows are of those who play, or of nobody."""
        for state in walk.states():
            keys = [ledger.key for ledger in walk.game.ledgers(state)]
            assert len(set(keys)) == len(keys)
            assert all(re.fullmatch(r"[a-z][a-z0-9-]*", key) for key in keys), keys
            for game in (walk.game, *self.speaking()):
                ledgers = game.ledgers(state)
                assert [ledger.key for ledger in ledgers] == keys
                for ledger in ledgers:
                    self._verify_ledger(ledger, walk.colours)

    def _verify_ledger(self, ledger: Ledger, colours: list[Colour]) -> None:
        texts = [ledger.title, *ledger.columns, *(row.label for row in ledger.rows)]
        assert all(text and text.isprintable() for text in texts), texts
        assert all(text.isprintable() for row in ledger.rows for text in (*row.values, ledger.note))
        for row in ledger.rows:
            assert len(row.values) == len(ledger.columns), row
            assert row.owner is None or row.owner in colours

    def test_what_is_held_was_dealt_unseen_by_a_draw_that_stands(self, walk: Walk) -> None:
        """Of its pool, within what was dealt, and nothing of it by two seats."""
        for state in walk.states():
            taken: set[tuple[str, int, int]] = set()
            for held in walk.game.held(state):
                chance = self._drawn_from(walk, held)
                assert held.seat in walk.colours
                assert chance is not None, f"no standing {held.chance} {held.n} draws secretly"
                assert held.items == chance.items
                assert held.label
                assert held.label.isprintable()
                assert 0 <= held.first < held.first + held.count <= chance.count
                places = {(held.chance, held.n, held.first + k) for k in range(held.count)}
                assert taken.isdisjoint(places), "two seats hold the same"
                taken |= places

    def _drawn_from(self, walk: Walk, held: Held) -> Chance | None:
        for told in walk.judge.history.standing():
            line = told.line
            if isinstance(line, ChanceLine) and (line.name, line.n) == (held.chance, held.n):
                offers = walk.game.offers(told.before)
                chances = [offer.chance for offer in offers if offer.chance is not None]
                return next((one for one in chances if one.name == line.name and one.is_secret), None)
        return None

    def test_what_is_chosen_privately_is_not_told_to_everybody(self, walk: Walk) -> None:
        """Two choices of one seat are described alike, and seen alike while another seat has yet to choose."""
        for _ in walk.states():
            for offer, lines in private_choices(walk):
                assert len({walk.game.describe(line, None) for line in lines}) <= 1, offer.kind
                after = [walk.trial(line).state for line in lines]
                waits = all(any(o.kind == offer.kind for o in walk.game.offers(state)) for state in after)
                if waits or offer.chance is not None:
                    assert all(walk.game.view(state, None) == walk.game.view(after[0], None) for state in after)
                    assert all(walk.game.ledgers(state) == walk.game.ledgers(after[0]) for state in after)
                    public = [[replace_private(o) for o in walk.game.offers(state)] for state in after]
                    assert all(offers == public[0] for offers in public)

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
            game.offers(state)
        for told in walk.judge.history:
            game.describe(told.line)
            game.fields(told.line)
        list(replay_account(walk.record, only(game)))
        assert game.title
        for language, catalogue in catalogues.catalogues(self.game).items():
            assert catalogues.missing(catalogue, heard) == [], language


class Driven(Suite):
    """A whole box at which anything is done."""

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
