"""A scanned card picks what it names: a card that is revealed again in a later round, a field, a choice about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from msgspec.structs import replace

from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.errors import CompanionError, Illegal
from companion.core.panel import POSITIONS, Colour
from companion.core.play.scanning import Scan
from companion.core.record.lines import End, Line, Remark, Reveal, Setup, TimedLine
from companion.core.ruling.looks import Card
from companion.core.ruling.offers import REVEAL, Offer, Option, Step, Value
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.rulings import Outcome, Ruling
from companion.core.ruling.view import View
from companion.core.timing.events import MS
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only

if TYPE_CHECKING:
    from collections.abc import Sequence

CARDS = ("larch", "maple", "rowan")
RED, YELLOW = Colour.RED, Colour.YELLOW


class Again(Line, frozen=True, tag="again"):
    """All cards are in play again."""


class Lay(TimedLine, frozen=True, tag="lay"):
    colour: Colour
    card: str


class Carry(Line, frozen=True, tag="carry"):
    colour: Colour
    card: str
    to: str


class GroveOutcome(Outcome, frozen=True, tag="outcome"):
    def ahead(self) -> tuple[Colour, ...]:
        return ()


class State(msgspec.Struct, frozen=True, kw_only=True):
    colours: tuple[Colour, ...]
    shown: tuple[str, ...] = ()
    lays: tuple[Colour, ...] = ()  # who must lay a card
    carries: tuple[Colour, ...] = ()  # who may carry one
    over: bool = False


class Grove(PlainGame[State]):
    """Cards are shown, laid and carried; `again` brings all back."""

    name = "grove"
    title = "Grove"
    seats = Seats(2, 2)
    roles: tuple[str, ...] = POSITIONS
    lines: tuple[type[Line], ...] = (Again, Lay, Carry)
    deck = tuple(Card(name) for name in CARDS)

    def __init__(self, lays: tuple[Colour, ...] = (), carries: tuple[Colour, ...] = (), reveals: bool = True) -> None:
        self.lays, self.carries, self.reveals = lays, carries, reveals

    def start(self, setup: Setup) -> State:
        return State(colours=tuple(seat.colour for seat in setup.seats), lays=self.lays, carries=self.carries)

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        match line:
            case Reveal() if line.card in CARDS and line.card not in state.shown:
                return replace(state, shown=(*state.shown, line.card)), ()
            case Again():
                return replace(state, shown=()), ()
            case Lay() if line.colour in state.lays:
                return replace(state, lays=tuple(c for c in state.lays if c is not line.colour)), ()
            case Carry() if line.colour in state.carries:
                return replace(state, carries=tuple(c for c in state.carries if c is not line.colour)), ()
            case End():
                return replace(state, over=True), ()
        raise Illegal("not on offer")

    def offers(self, state: State) -> tuple[Offer, ...]:
        left = [card for card in CARDS if card not in state.shown]
        shows = Offer(REVEAL, None, "Show", tuple(Option(c, Reveal(card=c)) for c in left), required=False)
        again = Offer("again", None, "All again", (Option("all again", Again()),), required=False)
        return (
            *(
                Offer("lay", colour, "Lay a card", tuple(Option(c, Lay(colour=colour, card=c)) for c in CARDS[:2]))
                for colour in state.lays
            ),
            *(Offer("carry", colour, "Carry", is_stepped=True, required=False) for colour in state.carries),
            *([shows] if left and self.reveals else []),
            again,
        )

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        if not chosen:
            return Step("Which card?", tuple(Value(card, card.capitalize()) for card in CARDS))
        if len(chosen) == 1:
            return Step("Where to?", (Value("hill", "hill"), Value("dale", "dale")))
        return Carry(colour=offer.seat or RED, card=chosen[0], to=chosen[1])

    def is_over(self, state: State) -> bool:
        return state.over

    def can_end(self, state: State) -> bool:
        return not state.over

    def outcome(self, state: State) -> GroveOutcome:
        return GroveOutcome(over=state.over)

    def view(self, state: State, viewer: Colour | None = None) -> View:
        return View(scores=tuple((colour, 0) for colour in state.colours), score_label="points")


def box_of(game: Grove) -> VirtualBox:
    return VirtualBox(("red", "yellow"), "grove", find=only(game), games=("grove",))


def scan(box: VirtualBox, card: str, at_ms: float) -> str:
    """Show a card's code; give what was done, or why it was not."""
    desk = CardDesk(Deck("grove", {f"G-{name}": name for name in CARDS}))
    box.run(at_ms)
    answers = box.request(lambda session, t_ns: desk.enter(session, Scan(f"G-{card}"), t_ns))
    box.run(at_ms + 100)
    (answer,) = answers
    return str(answer) if isinstance(answer, CompanionError) else answer.says


def again(box: VirtualBox) -> None:
    box.pick("All again", box.now_ms + 10)
    box.turn(1, box.now_ms + 10)
    box.click(box.now_ms + 60)
    box.run(box.now_ms + 300)
    assert box.lines[-1] == Again()


def test_a_card_that_has_come_back_can_be_shown_again_and_no_other() -> None:
    box = box_of(Grove())
    assert scan(box, "larch", 2000) == "revealed: larch"
    assert scan(box, "larch", 9000) == "this larch has been scanned already"
    assert scan(box, "maple", 10_000) == "revealed: maple"
    again(box)
    assert scan(box, "larch", 20_000) == "revealed: larch"
    assert scan(box, "larch", 30_000) == "this larch has been scanned already"
    assert scan(box, "maple", 31_000) == "revealed: maple"
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["larch", "maple", "larch", "maple"]


def test_a_game_that_offers_a_card_that_lies_there_may_have_it_again_but_not_by_a_reader_that_reads_twice() -> None:
    class Ever(Grove):
        def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
            return (state, ()) if isinstance(line, Reveal) else super().apply(state, line)

    box = box_of(Ever())
    assert scan(box, "larch", 2000) == "revealed: larch"
    assert scan(box, "larch", 2500) == "this larch has been scanned already"
    assert scan(box, "larch", 9000) == "revealed: larch"


def test_a_card_picks_the_required_choice_that_is_about_it_at_the_time_of_the_scan() -> None:
    box = box_of(Grove(lays=(RED,), reveals=False))
    assert scan(box, "maple", 2000) == "chosen: maple"
    assert box.lines[-1] == Lay(colour=RED, card="maple", t_ns=2000 * MS, error_ns=500 * MS)


def test_a_card_that_no_choice_is_about_is_revealed() -> None:
    box = box_of(Grove(lays=(RED,)))
    assert scan(box, "rowan", 2000) == "rowan waits until what is asked is chosen"
    box.press("red first", 4000)
    box.run(4500)
    assert [line.card for line in box.lines if isinstance(line, Reveal)] == ["rowan"]


def test_what_is_on_the_display_comes_first() -> None:
    box = box_of(Grove(lays=(RED, YELLOW), reveals=False))
    assert scan(box, "larch", 2000) == "chosen: larch"
    assert scan(box, "larch", 3000) == "chosen: larch"
    assert [line.colour for line in box.lines if isinstance(line, Lay)] == [RED, YELLOW]


def test_a_card_picks_the_field_of_a_choice_of_many_fields_and_the_choice_goes_on() -> None:
    box = box_of(Grove(carries=(YELLOW,), reveals=False))
    assert scan(box, "rowan", 2000) == "chosen: rowan"
    assert box.menu().title == "Where to?"
    box.press("yellow second", 3000)
    box.run(3200)
    assert box.lines[-1] == Carry(colour=YELLOW, card="rowan", to="dale")


def test_a_card_that_could_mean_two_things_is_refused_and_says_which() -> None:
    box = box_of(Grove(carries=(YELLOW,)))
    before = list(box.lines)
    assert scan(box, "rowan", 2000) == (
        "rowan could mean several things (yellow: Carry; Show): open one of them first, and pick there"
    )
    assert box.lines == before
    box.pick("Carry", 3000)
    assert scan(box, "rowan", 3500) == "chosen: rowan"


@pytest.mark.parametrize("card", CARDS)
def test_a_picked_card_is_no_card_that_lies_there(card: str) -> None:
    box = box_of(Grove(carries=(YELLOW,), reveals=False))
    assert scan(box, card, 2000) == f"chosen: {card}"
    assert [line for line in box.lines if isinstance(line, (Reveal, Remark))] == []


class PlaceFirst(Grove):
    """Asks where to before it asks which card; rowan goes to one place only."""

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:
        if not chosen:
            return Step("Where to?", (Value("hill", "hill"), Value("dale", "dale")))
        if len(chosen) == 1:
            cards = CARDS[:2] if chosen[0] == "dale" else CARDS
            return Step("Which card?", tuple(Value(card, card) for card in cards))
        return Carry(colour=offer.seat or RED, card=chosen[1], to=chosen[0])


def test_a_card_that_goes_to_one_place_only_picks_that_place_with_it() -> None:
    box = box_of(PlaceFirst(carries=(RED,), reveals=False))
    assert scan(box, "rowan", 2000) == "chosen: rowan"
    assert box.lines[-1] == Carry(colour=RED, card="rowan", to="hill")


def test_a_card_that_may_go_to_several_places_says_what_to_choose_first() -> None:
    box = box_of(PlaceFirst(carries=(RED,), reveals=False))
    assert scan(box, "maple", 2000) == "maple fits in several ways: choose first (Where to?), then scan it"
    assert not any(isinstance(line, Carry) for line in box.lines)
    box.pick("Carry", 4000)
    box.pick("dale", 5000)
    assert scan(box, "maple", 6000) == "chosen: maple"
    assert box.lines[-1] == Carry(colour=RED, card="maple", to="dale")


def test_what_is_on_the_display_comes_before_showing_the_card_also_where_it_is_not_clear_yet() -> None:
    box = box_of(PlaceFirst(carries=(RED,)))
    box.pick("Carry", 2000)
    assert scan(box, "maple", 3000) == "maple fits in several ways: choose first (Where to?), then scan it"
    box.run(box.now_ms + 11_000)  # it closes by itself
    assert scan(box, "maple", box.now_ms) == "revealed: maple"
