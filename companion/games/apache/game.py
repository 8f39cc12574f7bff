"""Apache as the contract of a game wants it: start, apply, decisions, race, outcome and view. Knows no device."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.record.lines import Line, Reveal, Setup
from companion.core.ruling.offers import REVEAL, Offer, Option
from companion.core.ruling.parameters import Parameter, Seats
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.view import CardGroup, View
from companion.core.words.texts import listed
from companion.games.apache import play
from companion.games.apache.cards import (
    BOOTY,
    BUFFALO,
    INDIANS,
    NAMES,
    ROLES,
    TEEPEE,
    USUAL,
    Card,
    Role,
    button_of,
)
from companion.games.apache.choices import choices
from companion.games.apache.lines import ApacheOutcome, Claim
from companion.games.apache.state import State, Terms
from companion.games.apache.symbols import SYMBOLS
from companion.games.apache.wording import Wording

if TYPE_CHECKING:
    from companion.core.panel import Button, Colour
    from companion.core.ruling.rulings import Ruling
    from companion.games.apache.choices import Choice


class Apache(Wording):
    """The game object that the entry point gives."""

    name = "apache"
    title = "Apache"
    seats = Seats(2, 5)
    lines: tuple[type[Line], ...] = (Claim,)
    roles: tuple[str, ...] = ROLES
    words = "companion.games.apache"
    symbols = SYMBOLS
    demo = "companion.games.apache:demo.script"
    rules = "companion.games.apache:rules.md"
    anticipates = True

    @property
    def race_name(self) -> str:
        """Give what the box calls a race."""
        return self.text("Pow-Wow")

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Give the variants."""
        return (
            Parameter("warpath", self.text("Warpath"), is_variant=True),
            Parameter("wedding", self.text("Wedding"), is_variant=True),
            Parameter("shared-booty", self.text("Shared booty"), is_variant=True),
        )

    def start(self, setup: Setup) -> State:
        """Give the state before the first reveal, for a setup that has been verified."""
        return State.at_start(Terms.of(setup))

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after `line` and what follows from it. Raises Malformed or Illegal."""
        return play.apply(state, line)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give the claim that must be chosen, else the reveal that may be entered."""
        offered = play.options(state)
        if offered:
            place = state.order[state.settled]
            options = tuple(self._claim_option(state, place.colour, Role(place.role), choice) for choice in offered)
            prompt = self.text("{seat} takes").format(seat=place.colour.short)
            return (Offer("claim", place.colour, prompt, options, hint=self._by_indian()),)
        if play.why_no_reveal(state):
            return ()
        reveals = tuple(_reveal_option(self, card) for card in BOOTY + INDIANS if state.hidden[card])
        turn = state.match.colours[state.turn]
        prompt = self.text("{seat} reveals").format(seat=turn.short)
        return (Offer(REVEAL, turn, prompt, reveals, required=False, hint=self._by_indian()),)

    def _by_indian(self) -> str:
        return self.text("press the Indian's button")

    def race(self, state: State) -> Race:
        """Tell where the Pow-Wow stands."""
        return Race(
            phase=state.phase,
            number=state.race,
            presses=state.presses,
            revealer=state.match.colours[state.revealer],
            card=None if state.card is None else NAMES[state.card],
            card_t_ns=state.card_t_ns,
            card_joined=state.joined,
            takes_card=play.why_no_reveal(state) is None,
            closed_ns=state.closed_ns,
        )

    def restarted(self, state: State) -> State:
        """Give the state in which a closed Pow-Wow takes no more presses, and nobody knows when its card was turned."""
        return replace(state, card_t_ns=None, turned=False, closed_ns=None)

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is RacePhase.OVER

    def can_end(self, state: State) -> bool:
        """Tell whether no Pow-Wow is going on."""
        return play.why_no_end(state) is None

    def is_exhausted(self, state: State) -> bool:
        """Tell whether the Pow-Wow after the 114th reveal has been settled."""
        return state.phase is RacePhase.WAITING and not any(state.hidden)

    def outcome(self, state: State) -> ApacheOutcome:
        """Give the score; the leaders share the victory where there are several."""
        colours = state.match.colours
        most = max(map(len, state.piles))
        return ApacheOutcome(
            over=self.is_over(state),
            piles={str(colour): len(pile) for colour, pile in zip(colours, state.piles, strict=True)},
            buffalo={str(colour): pile.count(BUFFALO) for colour, pile in zip(colours, state.piles, strict=True)},
            removed=len(state.removed),
            table=sum(state.table),
            unrevealed=sum(state.hidden),
            leaders=tuple(colour for colour, pile in zip(colours, state.piles, strict=True) if len(pile) == most),
        )

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give piles and table: booty first, then the Indians."""
        colours = state.match.colours
        is_settling = state.phase is RacePhase.SETTLING
        turn = state.order[state.settled].colour if is_settling else colours[state.turn]
        return View(
            scores=tuple((colour, len(pile)) for colour, pile in zip(colours, state.piles, strict=True)),
            score_label=self.text("cards"),
            table=tuple((NAMES[card], state.table[card]) for card in BOOTY + INDIANS if state.table[card]),
            groups=self._groups(state),
            turn=None if self.is_over(state) else turn,
            hidden=sum(state.hidden),
            hints=(
                self.text("Booty up: turn the knob."),
                self.text("Indian up: hold the knob"),
                self.text("and press its button."),
            ),
        )

    def _groups(self, state: State) -> tuple[CardGroup, ...]:
        """Give each booty kind that lies face up with the hand cards that could claim it, then the idle Indians."""
        match = state.match
        by: dict[Card, list[str]] = {kind: [] for kind in BOOTY if state.table[kind]}
        for colour, role in ((colour, role) for colour in match.colours for role in Role):
            takes = {choice.take for choice in choices(match, state.table, colour, role)}
            for kind in {TEEPEE if take != "booty" else USUAL[role] for take in takes}:
                by[kind].append(f"{colour} {role}")
        able = {label for labels in by.values() for label in labels}
        groups = [
            CardGroup(self.counted(NAMES[kind], state.table[kind]), ((NAMES[kind], state.table[kind]),), tuple(labels))
            for kind, labels in by.items()
        ]
        idle = tuple(
            (NAMES[card], state.table[card]) for card in INDIANS if state.table[card] and NAMES[card] not in able
        )
        return (*groups, CardGroup(self.text("nothing to claim yet"), idle)) if idle else tuple(groups)

    def _claim_option(self, state: State, colour: Colour, role: Role, choice: Choice) -> Option:
        names = [NAMES[card] for card in choice.named]
        is_wedding = choice.take == "wedding"
        line = Claim(
            colour=colour,
            take=choice.take,
            prisoner=names[0] if names and not is_wedding else None,
            spouse=names[0] if is_wedding else None,
        )
        buttons: list[Button] = [button for button in map(button_of, choice.named) if button]
        kind = USUAL[role] if choice.take == "booty" else TEEPEE
        label = self.counted(NAMES[kind], state.table[kind])
        if names:
            says = self.text("{cards}, spouse {who}") if is_wedding else self.text("{cards}, prisoner {who}")
            label = says.format(cards=label, who=listed(map(self.card_says, names), "or"))
        return Option(
            group=choice.take,
            group_label=self._group_label(choice.take, role, kind, state.table[kind]),
            label=label,
            line=line,
            button=buttons[0] if buttons else None,
            also=tuple(buttons[1:]),
        )

    def _group_label(self, take: str, role: Role, kind: Card, count: int) -> str:
        if take == "wedding":
            return self.text("wedding + {count} teepee").format(count=count)
        if take == "booty" and role is Role.CHIEF:
            return self.text("{count} totem + prisoner").format(count=count)
        return self.counted(NAMES[kind], count)


@cache
def _reveal_option(game: Apache, card: Card) -> Option:
    """Give the option of a card, once for each language that the game speaks."""
    name, button = NAMES[card], button_of(card)
    group, says = ("Indian", game.text("Indian")) if button else (name, game.card_says(name))
    return Option(game.card_says(name), Reveal(card=name), group, says, button)
