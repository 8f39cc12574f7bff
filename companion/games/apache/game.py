"""Apache as the contract of a game wants it: start, apply, decisions, race, outcome and view. Knows no device."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.record.lines import Line, Reveal, Setup
from companion.core.ruling.offers import REVEAL, Offer, Option
from companion.core.ruling.parameters import Parameter, Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.view import CardGroup, View
from companion.games.apache import play, wording
from companion.games.apache.cards import (
    BOOTY,
    BUFFALO,
    DECK_CARDS,
    INDIANS,
    NAMES,
    ROLES,
    TEEPEE,
    USUAL,
    Card,
    Role,
    button_of,
    plural,
)
from companion.games.apache.choices import choices
from companion.games.apache.lines import ApacheOutcome, Claim
from companion.games.apache.state import State, Terms
from companion.games.apache.symbols import SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Button, Colour
    from companion.core.record.lines import PressLine
    from companion.core.ruling.game import LineField
    from companion.core.ruling.rulings import Ruling
    from companion.games.apache.choices import Choice


class Apache(PlainGame["State"]):
    """The game object that the entry point gives."""

    name = "apache"
    title = "Apache"
    seats = Seats(2, 5)
    parameters: tuple[Parameter, ...] = (
        Parameter("warpath", "Warpath", is_variant=True),
        Parameter("wedding", "Wedding", is_variant=True),
        Parameter("shared-booty", "Shared booty", is_variant=True),
    )
    lines: tuple[type[Line], ...] = (Claim,)
    race_name = "Pow-Wow"
    roles: tuple[str, ...] = ROLES
    deck = DECK_CARDS
    symbols = SYMBOLS
    demo = "companion.games.apache:demo.script"
    rules = "companion.games.apache:rules.md"
    clauses: Mapping[str, str] = wording.CLAUSES
    anticipates = True

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
            options = tuple(_claim_option(state, place.colour, Role(place.role), choice) for choice in offered)
            return (Offer("claim", place.colour, f"{place.colour.short} takes", options, hint=_BY_INDIAN),)
        if play.why_no_reveal(state):
            return ()
        reveals = tuple(_reveal_option(card) for card in BOOTY + INDIANS if state.hidden[card])
        turn = state.match.colours[state.turn]
        return (Offer(REVEAL, turn, f"{turn.short} reveals", reveals, required=False, hint=_BY_INDIAN),)

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

    def describe(self, line: Line, viewer: Colour | None = None) -> str:  # noqa: ARG002 - nothing is hidden
        """Say what a line is."""
        return wording.describe(line)

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give the card of a reveal, the hand card of a press."""
        return wording.fields(line)

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:
        """Say why a hand card was punished."""
        return wording.reason(press, why)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give what the general account cannot say: what was claimed, and the cards at the end."""
        return wording.sentences(ruling)

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give piles and table: booty first, then the Indians."""
        colours = state.match.colours
        is_settling = state.phase is RacePhase.SETTLING
        turn = state.order[state.settled].colour if is_settling else colours[state.turn]
        return View(
            scores=tuple((colour, len(pile)) for colour, pile in zip(colours, state.piles, strict=True)),
            score_label="cards",
            table=tuple((NAMES[card], state.table[card]) for card in BOOTY + INDIANS if state.table[card]),
            groups=self._groups(state),
            turn=None if self.is_over(state) else turn,
            hidden=sum(state.hidden),
            hints=_HINTS,
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
            CardGroup(plural(kind, state.table[kind]), ((NAMES[kind], state.table[kind]),), tuple(labels))
            for kind, labels in by.items()
        ]
        idle = tuple(
            (NAMES[card], state.table[card]) for card in INDIANS if state.table[card] and NAMES[card] not in able
        )
        return (*groups, CardGroup("nothing to claim yet", idle)) if idle else tuple(groups)


_BY_INDIAN = "press the Indian's button"
_HINTS = ("Booty up: turn the knob.", "Indian up: hold the knob", "and press its button.")


@cache
def _reveal_option(card: Card) -> Option:
    name = NAMES[card]
    button = button_of(card)
    group = "Indian" if button else name
    return Option(name, Reveal(card=name), group, group, button)


def _claim_option(state: State, colour: Colour, role: Role, choice: Choice) -> Option:
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
    label = plural(kind, state.table[kind])
    if names:
        label += f", {'spouse' if is_wedding else 'prisoner'} {' or '.join(names)}"
    return Option(
        group=choice.take,
        group_label=_group_label(choice.take, role, kind, state.table[kind]),
        label=label,
        line=line,
        button=buttons[0] if buttons else None,
        also=tuple(buttons[1:]),
    )


def _group_label(take: str, role: Role, kind: Card, count: int) -> str:
    if take == "wedding":
        return f"wedding + {count} teepee"
    return f"{count} totem + prisoner" if take == "booty" and role is Role.CHIEF else plural(kind, count)
