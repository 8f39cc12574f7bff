"""What displays show of a match of Claim: visible cards, piles, stocks, who turns (`view`). Pure."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.panel import Button, button_of
from companion.core.record.lines import Reveal
from companion.core.ruling.offers import Option
from companion.core.ruling.race import RacePhase
from companion.core.ruling.view import Area, CardGroup, Cell, View
from companion.core.words.texts import joined
from companion.games.claim import settling
from companion.games.claim.language.reading import read_file
from companion.games.claim.play import claim_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.panel import Colour
    from companion.games.claim.choices import Choice
    from companion.games.claim.language.description import Description
    from companion.games.claim.language.sight import Card
    from companion.games.claim.state import State
    from companion.games.claim.wording import Words

_TEXT, _GROUP = 20, 18
_FEW = 12
"""So many cards are one menu; more are grouped by their first attribute."""


def counts(state: State) -> tuple[int, ...]:
    """Give what is counted, by seat."""
    what = state.terms.game.ends.counts
    if what == "points":
        return state.points
    return tuple(settling.held(state.cards, what, seat) for seat in range(len(state.points)))


def leaders(state: State) -> tuple[Colour, ...]:
    """Give who has most, or fewest, in seat order."""
    counted = counts(state)
    best = min(counted) if state.terms.game.ends.fewest else max(counted)
    return tuple(colour for colour, count in zip(state.terms.colours, counted, strict=True) if count == best)


def view_of(state: State, words: Words, hints: tuple[str, ...]) -> View:
    """Give what a display may show; nothing of it is hidden. Piles of the seats are areas, each with its top."""
    terms, cards = state.terms, state.cards
    game, names = terms.game, terms.game.known.names
    seen = () if game.known.tops else state.cards.table
    table = tuple((names[card], seen.count(card)) for card in dict.fromkeys(reversed(seen)))
    hidden = sum(cards.unseen) - cards.buried
    return View(
        scores=tuple(zip(terms.colours, counts(state), strict=True)),
        score_label=words.counted(),
        table=table,
        groups=tuple(_group(game, card, seen.count(card)) for card in dict.fromkeys(reversed(seen))),
        turn=_turn(state),
        hidden=hidden if game.has_cards else None,
        areas=_areas(state, words),
        hints=hints,
    )


def _turn(state: State) -> Colour | None:
    if state.phase is RacePhase.OVER:
        return None
    if state.phase is RacePhase.SETTLING:
        return state.heat.order[state.heat.settled].colour
    turner = settling.next_to_turn(state) if state.terms.game.has_cards else None
    return None if turner is None else state.terms.colours[turner]


def _group(game: Description, card: Card, count: int) -> CardGroup:
    look = game.deck[card]
    says = look.counted(count)
    return CardGroup(says if len(says) <= _TEXT else look.name, ((look.name, count),))


def _areas(state: State, words: Words) -> tuple[Area, ...]:
    """Give each seat's pile and stock, what it has won, and the pot, where the game has such places."""
    terms, cards = state.terms, state.cards
    game, colours = terms.game, terms.colours
    areas: list[Area] = []
    if game.known.tops:
        notes = [words.left(count) if game.ends.deal else "" for count in cards.stocks]
        tops = [game.known.names[pile[-1]] if pile else "-" for pile in cards.piles]
        areas += [
            Area(colour.short, (Cell(top),), note) for colour, top, note in zip(colours, tops, notes, strict=True)
        ]
    elif game.ends.deal:
        areas.append(Area(words.text("still to be turned"), _cells(map(str, cards.stocks), colours)))
    if any(cards.won) and game.ends.counts != "won":
        areas.append(Area(words.text("won"), _cells((str(len(pack)) for pack in cards.won), colours)))
    if cards.pot:
        areas.append(Area(words.text("pot"), (Cell(str(len(cards.pot))),)))
    return tuple(areas)


def _cells(texts: Iterable[str], colours: tuple[Colour, ...]) -> tuple[Cell, ...]:
    return tuple(Cell(one, colour) for one, colour in zip(texts, colours, strict=True))


@lru_cache(maxsize=16)
def reveal_options(text: str) -> tuple[tuple[Card, Option], ...]:
    """Give each card of a file with the option that reveals it; cards of one group lie together."""
    game = read_file(text).game
    if game is None:
        return ()
    options = [(card, _reveal_option(game, card)) for card in range(len(game.deck))]
    groups = list(dict.fromkeys(option.group for _, option in options))
    return tuple(sorted(options, key=lambda one: groups.index(one[1].group)))


def _reveal_option(game: Description, card: Card) -> Option:
    name = game.known.names[card]
    group = _group_of(game, card) if len(game.deck) > _FEW else name
    return Option(name, Reveal(card=name), group, group[:_GROUP], _button(game, card))


def _group_of(game: Description, card: Card) -> str:
    return str(next(iter(game.known.values[card].values()), game.known.names[card]))


def _button(game: Description, card: Card) -> Button | None:
    """Give the button that names a card: where it is of a seat's colour and of a hand's name, that one."""
    colour = game.deck[card].colour
    hands = tuple(hand.name for hand in game.hands)
    named = [value for value in game.known.values[card].values() if value in hands]
    if colour is None or len(named) != 1:
        return None
    same = [other for other, values in enumerate(game.known.values) if named[0] in values.values()]
    alone = sum(game.deck[other].colour is colour for other in same) == 1
    return button_of(colour, str(named[0]), hands) if alone else None


def claim_option(state: State, choice: Choice) -> Option:
    """Give the option that a choice is."""
    line, take = claim_line(state, choice), choice.take
    parts = [take.label, *filter(None, (line.picked, line.rival))]
    is_one_of = choice.picked is not None or choice.rival is not None
    return Option(joined(parts), line, take.name if is_one_of else "", take.label if is_one_of else "")
