"""Claim as the contract of a game wants it: start, apply, decisions, race, outcome and view. Knows no device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.ruling.looks import ButtonFace
from companion.core.ruling.offers import REVEAL, Offer
from companion.core.ruling.parameters import Seats
from companion.core.ruling.race import Race, RacePhase
from companion.games.claim import play, settling, showing
from companion.games.claim.from_file import FromFile
from companion.games.claim.lines import ClaimLine, ClaimOutcome
from companion.games.claim.state import NAME, State, begun
from companion.games.claim.wording import Words

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.record.lines import Line, PressLine, Setup
    from companion.core.ruling.game import Adjustable, LineField
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import View

_FEWEST, _MOST = 2, 5


class Claim(FromFile):
    """The game object that the entry point gives: of the file that is played where no other is chosen."""

    name = NAME
    seats = Seats(_FEWEST, _MOST)
    lines: tuple[type[Line], ...] = (ClaimLine,)
    words = "companion.games.claim"
    demo = "companion.games.claim:demo.script"
    rules = "companion.games.claim:rules.md"
    anticipates = True
    # -- judging

    def start(self, setup: Setup) -> State:
        """Give the state before the first card or press. Raises Malformed or Illegal."""
        return begun(setup)

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
        return play.apply(state, line)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give the choice that must be made, else the reveal that may be entered."""
        if state.phase is RacePhase.SETTLING:
            options = tuple(showing.claim_option(state, choice) for choice in settling.open_choices(state))
            colour = state.heat.order[state.heat.settled].colour
            prompt = self.text("{seat} takes").format(seat=colour.short)
            return (Offer("claim", colour, prompt, options, hint=self.text("press one of your own")),)
        cards = frozenset(play.revealable(state))
        turner = settling.next_to_turn(state)
        if not cards or turner is None:
            return ()
        turn = state.terms.colours[turner]
        prompt = self.text("{seat} turns a card").format(seat=turn.short)
        options = tuple([option for card, option in showing.reveal_options(state.terms.text) if card in cards])
        return (Offer(REVEAL, turn, prompt, options, required=False),)

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:
        """Give points, stocks and whose turn it is."""
        labels = self.text("{seat} points"), self.text("{seat} stock"), self.text("whose turn")
        return play.adjustable(state, labels)

    def race(self, state: State) -> Race:
        """Tell where the race stands."""
        heat = state.heat
        return Race(
            phase=state.phase,
            number=heat.number,
            presses=heat.presses,
            revealer=state.terms.colours[state.revealer],
            card=None if heat.card is None else state.terms.game.known.names[heat.card],
            card_t_ns=heat.card_t_ns,
            card_joined=heat.joined,
            takes_card=state.terms.game.has_cards and play.why_no_reveal(state) is None,
            closed_ns=heat.closed_ns,
        )

    def restarted(self, state: State) -> State:
        """Give the state in which a closed race takes no more presses, and nobody knows when its card was turned."""
        return replace(state, heat=replace(state.heat, card_t_ns=None, turned=False, closed_ns=None))

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:  # noqa: ARG002
        """Give the hands as the file calls and draws them."""
        hands = self.description.hands if state is None else state.terms.game.hands
        return tuple(ButtonFace(hand.label, hand.symbol) for hand in hands)

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is RacePhase.OVER

    def can_end(self, state: State) -> bool:
        """Tell whether no race is going on."""
        return play.why_no_end(state) is None

    def is_exhausted(self, state: State) -> bool:
        """Tell whether it is done, or no card is left to turn."""
        if state.phase is not RacePhase.WAITING:
            return False
        return state.done or play.why_no_reveal(state) is not None

    def outcome(self, state: State) -> ClaimOutcome:
        """Give how everything stands."""
        colours, cards = state.terms.colours, state.cards

        def by_colour(numbers: tuple[int, ...]) -> dict[str, int]:
            return {str(colour): number for colour, number in zip(colours, numbers, strict=True)}

        return ClaimOutcome(
            over=self.is_over(state),
            counts=by_colour(showing.counts(state)),
            points=by_colour(state.points),
            won=by_colour(tuple(map(len, cards.won))),
            stock=by_colour(cards.stocks),
            pile=by_colour(tuple(map(len, cards.piles))),
            table=len(cards.table),
            pot=len(cards.pot),
            out=len(cards.out) + cards.buried,
            unseen=sum(cards.unseen) - cards.buried,
            reveals=state.reveals,
            leaders=showing.leaders(state),
        )

    # -- words

    @property
    def _words(self) -> Words:
        return Words(self.description, self.text, self.texts)

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is; nothing is hidden."""
        return self._words.claim(line) if isinstance(line, ClaimLine) else super().describe(line, viewer)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give the card of a reveal, the hand of a press."""
        return self._words.fields(line)

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:
        """Say why a press was wrong."""
        return self._words.reason(press, why)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give what the general account cannot say."""
        return self._words.sentences(ruling)

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give scores, visible cards, piles and stocks."""
        hints: tuple[str, ...] = (self.text("press when it is time"),)
        if state.terms.game.has_cards:
            hints = (self.text("turn a card each"), self.text("press if it is right"))
        return showing.view_of(state, self._words, hints)
