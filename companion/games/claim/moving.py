"""Moving cards from place to place (`docs/games/claim.md`, Moves). Every card stays in exactly one place. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from companion.games.claim.lines import Moved

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from companion.games.claim.language.description import Move, Place
    from companion.games.claim.language.sight import Card, Cards, Sight

Pack = tuple["Card", ...]
STOCK, OUT = "stock", "out"
_COMMON = frozenset({"table", "pot", OUT})


class Done(NamedTuple):
    """What came of a move: the cards as they lie then, what went where, how many went."""

    cards: Cards
    moved: tuple[Moved, ...] = ()
    total: int = 0


def seats_of(place: Place, sight: Sight, rival: int | None) -> tuple[int, ...]:
    """Give which seats a place is of, in order; of everybody's place one seat, which says nothing."""
    if place.whose == "rival":
        return () if rival is None else (rival,)
    return _SEATS[place.whose](sight)


def do(sight: Sight, move: Move, rival: int | None, picked: Card | None = None) -> Done:
    """Do a move with the cards that a sight has; with a pick: of the card `picked`."""
    sources, targets = seats_of(move.source, sight, rival), seats_of(move.target, sight, rival)
    if move.where is not None:
        sources, targets = _where(sight, move, sources, targets)
    sight.it = -1 if rival is None else rival
    passing: Container[Card | None] | None = None if move.cards is None else move.cards.passing(sight)
    number = move.number
    if move.picks:
        passing, number = (picked,), 1
    cards, moved, count = sight.cards, [], 0
    for source in sources:
        for target in targets:
            if _is_same(move, source, target):
                continue
            cards, taken, gone = _shifted(cards, move, (source, target), (passing, number))
            if gone:
                moved.append(_told(sight, move, (source, target), taken, gone))
                count += gone
    return Done(cards, tuple(moved), count)


def pickable(sight: Sight, move: Move, rival: int | None) -> tuple[Card, ...]:
    """Give the cards that a pick may be of, in the file's order, each once."""
    sight.it = -1 if rival is None else rival
    found = {card for seat in seats_of(move.source, sight, rival) for card in pack_of(sight.cards, move.source, seat)}
    return tuple(sorted(found if move.cards is None else found & move.cards.passing(sight)))


def pack_of(cards: Cards, place: Place, seat: int) -> Pack:
    """Give the known cards of a place, from the bottom."""
    match place.name:
        case "won":
            return cards.won[seat]
        case "pile":
            return cards.piles[seat]
        case "table":
            return cards.table
        case "pot":
            return cards.pot
    return cards.out


def with_seat(packs: tuple[Pack, ...], seat: int, pack: Pack) -> tuple[Pack, ...]:
    """Give the packs of all seats with another one for one of them."""
    return (*packs[:seat], pack, *packs[seat + 1 :])


def with_number(numbers: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    """Give numbers of which one has changed."""
    return (*numbers[:index], numbers[index] + change, *numbers[index + 1 :])


def _where(
    sight: Sight, move: Move, sources: tuple[int, ...], targets: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Give the seats that a move's condition lets through, of whichever side has several."""
    holds = move.where
    if holds is None:
        return sources, targets

    def passes(seat: int) -> bool:
        sight.it = seat
        return holds(sight)

    if move.source.whose in {"others", "all", "wrong"}:
        return tuple(filter(passes, sources)), targets
    return sources, tuple(filter(passes, targets))


def _is_same(move: Move, source: int, target: int) -> bool:
    return move.source.name == move.target.name and (source == target or move.source.name in _COMMON)


def _shifted(
    cards: Cards, move: Move, seats: tuple[int, int], which: tuple[Container[Card | None] | None, int]
) -> tuple[Cards, Pack, int]:
    """Give the cards after one pair of places had its part of a move; which known cards went, and how many."""
    source, target = seats
    if move.source.name == STOCK:
        gone = min(which[1], cards.stocks[source])
        cards = replace(cards, stocks=with_number(cards.stocks, source, -gone))
        if move.target.name == OUT:
            return replace(cards, buried=cards.buried + gone), (), gone
        return replace(cards, stocks=with_number(cards.stocks, target, gone)), (), gone
    taken, left = _split(pack_of(cards, move.source, source), which, from_bottom=move.from_bottom and not move.picks)
    if not taken:
        return cards, (), 0
    cards = _with_pack(cards, move.source, source, left)
    return _put(cards, move, target, taken), taken, len(taken)


def _split(pack: Pack, which: tuple[Container[Card | None] | None, int], *, from_bottom: bool) -> tuple[Pack, Pack]:
    """Take the first matching cards from one end; give them as they were taken, and what is left."""
    passing, number = which
    order = range(len(pack)) if from_bottom else range(len(pack) - 1, -1, -1)
    chosen = [at for at in order if passing is None or pack[at] in passing][:number]
    gone = set(chosen)
    return tuple([pack[at] for at in chosen]), tuple([card for at, card in enumerate(pack) if at not in gone])


def _put(cards: Cards, move: Move, seat: int, taken: Pack) -> Cards:
    if move.target.name == STOCK:
        return face_down(cards, seat, taken)
    pack = pack_of(cards, move.target, seat)
    return _with_pack(cards, move.target, seat, taken[::-1] + pack if move.on_bottom else pack + taken)


def face_down(cards: Cards, seat: int, taken: Pack) -> Cards:
    """Put known cards into a seat's stock: from then on nobody knows which they are."""
    unseen = list(cards.unseen)
    for card in taken:
        unseen[card] += 1
    return replace(cards, stocks=with_number(cards.stocks, seat, len(taken)), unseen=tuple(unseen))


def _with_pack(cards: Cards, place: Place, seat: int, pack: Pack) -> Cards:
    match place.name:
        case "won":
            return replace(cards, won=with_seat(cards.won, seat, pack))
        case "pile":
            return replace(cards, piles=with_seat(cards.piles, seat, pack))
        case "table":
            return replace(cards, table=pack)
        case "pot":
            return replace(cards, pot=pack)
    return replace(cards, out=pack)


def _told(sight: Sight, move: Move, seats: tuple[int, int], taken: Pack, gone: int) -> Moved:
    names, colours = sight.known.names, sight.colours
    return Moved(
        source=_named(move.source, colours[seats[0]]),
        target=_named(move.target, colours[seats[1]]),
        cards=tuple([names[card] for card in taken]),
        count=gone,
    )


def _named(place: Place, colour: str) -> str:
    return f"{place.name} {colour}" if place.whose else place.name


_SEATS: dict[str, Callable[[Sight], tuple[int, ...]]] = {
    "": lambda sight: (sight.me,),
    "me": lambda sight: (sight.me,),
    "others": lambda sight: sight.others(),
    "all": lambda sight: (sight.me, *sight.others()),
    "next": lambda sight: ((sight.me + 1) % len(sight.colours),),
    "previous": lambda sight: ((sight.me - 1) % len(sight.colours),),
    "winner": lambda sight: sight.winner,
    "wrong": lambda sight: sight.wrong,
}
