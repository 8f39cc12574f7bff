"""What may or must be decided now, and the steps of choices with many values. Every offer comes from the rules' own
functions: there is no second legality check. Words are the game's, which is handed in.

Steps lead to each value by a seat's own four buttons: more than four values are put into groups, whose keys have `..`
in them. A card's or a tile's own name may also be given at once, without its group: that is how a code picks it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import POSITIONS, Button
from companion.core.ruling.offers import Offer, Option, Step, Value
from companion.games.big_manitou import settling
from companion.games.big_manitou.cards import (
    BUFFALOES,
    GROUNDS,
    HORSE,
    HUNTERS,
    NAMES,
    TILE_NAMES,
    TIPIS,
    TOMAHAWK,
    TOTEM,
    Card,
    Tile,
    is_hero,
)
from companion.games.big_manitou.lines import (
    MOST_ON_GROUND,
    BootyLine,
    ForfeitLine,
    ForgoLine,
    GroundsLine,
    HuntingLine,
    HuntLine,
    LootLine,
    RideLine,
)
from companion.games.big_manitou.play import counts_left, takes_counts
from companion.games.big_manitou.state import (
    Phase,
    State,
    cards_left,
    deciding,
    ground_laid,
    grounds_for,
    is_full_everywhere,
    rides,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.record.lines import Line
    from companion.games.big_manitou.wording import Wording

    Hunters = dict[int, list[Card]]

FEW = len(POSITIONS)
NONE = "none"
"""The value that leaves an eighth card, a move or a turn."""
A_CARD = "card.."
HUNTER_GROUPS: tuple[tuple[Card, ...], ...] = (HUNTERS[:3], HUNTERS[3:6], HUNTERS[6:])


def offers(state: State, words: Wording) -> tuple[Offer, ...]:
    """Give every decision that may or must be made now."""
    seat = deciding(state)
    if state.phase is Phase.CHOOSING:
        waiting = [one for one in state.seats if one not in state.ready]
        return tuple(_ready(state, one, words) for one in waiting)
    if state.phase in {Phase.COUNTS, Phase.BOOTY}:
        return _of_dealer(state, words)
    return () if seat is None else (_of_seat(state, seat, words),)


def _of_seat(state: State, seat: int, words: Wording) -> Offer:
    """Give what one seat decides during a hunt and after it."""
    kind, prompt = {
        Phase.TURNS: ("hunt", words.prompt_hunt),
        Phase.EIGHTH: ("hunt", words.prompt_hunt),
        Phase.RIDE: ("ride", words.prompt_ride),
        Phase.THIEF: ("forfeit", words.prompt_forfeit),
        Phase.SHARING: ("loot", words.prompt_loot),
    }[state.phase]
    return Offer(kind, state.colour(seat), prompt(state, seat), is_stepped=True)


def step(state: State, offer: Offer, chosen: Sequence[str], words: Wording) -> Step | Line:
    """Give the next field of a stepped offer; the line where all values are chosen."""
    given = [key for key in chosen if ".." not in key]
    group = chosen[-1] if chosen and ".." in chosen[-1] else ""
    seat = deciding(state) or 0
    match offer.kind:
        case "grounds":
            return _step_grounds(state, given, words)
        case "booty":
            return _step_booty(state, given, group, words)
        case "hunt":
            return _step_hunt(state, seat, given, group, words)
        case "ride":
            return _step_ride(state, seat, given, group, words)
    return _step_tiles(state, offer, given, group, words)


# -- the dealer's ----------------------------------------------------------------------------------------------------


def _of_dealer(state: State, words: Wording) -> tuple[Offer, ...]:
    colour, found = state.colour(state.dealer), []
    if state.phase is Phase.BOOTY:
        found.append(Offer("booty", colour, words.prompt_booty(state), is_stepped=True))
    if takes_counts(state) and (state.phase is Phase.COUNTS or _counts_after(state, ())):
        is_asked = state.phase is Phase.COUNTS
        found.append(Offer("grounds", colour, words.prompt_grounds(), is_stepped=True, required=is_asked))
    return tuple(found)


def _counts_after(state: State, given: tuple[int, ...]) -> list[int]:
    """Give the numbers that may follow on those given, such that the rest can be completed, and not as it is now."""
    most, after = counts_left(state) - sum(given), len(GROUNDS) - 1 - len(given)
    found = list(range(1, min(MOST_ON_GROUND, most - after) + 1))
    if state.counts[: len(given)] != given or len(state.counts) <= len(given):
        return found
    now = state.counts[len(given)]  # what holds already is no choice, nor what leads to it alone
    can_differ = after > 0 and bool(_counts_after(state, (*given, now))) if now in found else True
    return found if can_differ else [one for one in found if one != now]


def _step_grounds(state: State, given: list[str], words: Wording) -> Step | Line:
    numbers = tuple(map(int, given))
    if len(numbers) == len(GROUNDS):
        left, middle, right = numbers
        return GroundsLine(booty=(left, middle, right))
    values = _counts_after(state, numbers)
    return Step(words.prompt_count(len(numbers)), tuple(Value(str(one), str(one)) for one in values))


def _step_booty(state: State, given: list[str], group: str, words: Wording) -> Step | Line:
    index = ground_laid(state) or 0
    if given:
        return BootyLine(ground=GROUNDS[index], tile=given[0])  # type: ignore[arg-type]  # one of the three
    by_group: dict[str, tuple[Tile, ...]] = {
        "tipi..": TIPIS,
        "buffalo..": BUFFALOES,
        "tipi 4..": TIPIS[3:],
        "buffalo 4..": BUFFALOES[3:],
        "others..": (HORSE, TOTEM),
    }
    tiles = by_group.get(group)
    if tiles is None:
        tipi, buffalo, others = (Value(key, words.group(key)) for key in ("tipi..", "buffalo..", "others.."))
        return Step(words.prompt_booty(state), (tipi, buffalo, _tile(TOMAHAWK, words), others))
    values = tuple(_tile(one, words) for one in tiles)
    if len(tiles) > FEW:
        high = f"{group[:-2]} 4.."
        values = (*values[: FEW - 1], Value(high, words.group(high)))
    return Step(words.prompt_booty(state), values)


def _tile(tile: Tile, words: Wording) -> Value:
    return Value(TILE_NAMES[tile], words.tile(tile))


# -- every seat's ----------------------------------------------------------------------------------------------------


def _ready(state: State, seat: int, words: Wording) -> Offer:
    """Have a seat say that it has its cards, by any of its own buttons."""
    colour = state.colour(seat)
    first, *others = (Button(colour, position) for position in POSITIONS)
    option = Option(words.ready(), HuntingLine(colour=colour), button=first, also=tuple(others))
    prompt = words.prompt_ready(state, seat)
    return Offer("hunting", colour, prompt, (option,), required=False, hint=words.hint_ready(), at_once=True)


def _step_hunt(state: State, seat: int, given: list[str], group: str, words: Wording) -> Step | Line:
    colour = state.colour(seat)
    if given == [NONE]:
        return ForgoLine(colour=colour)
    if len(given) == 2:
        return HuntLine(colour=colour, card=given[0], ground=given[1])  # type: ignore[arg-type]
    if given:
        grounds = grounds_for(state, seat, NAMES[colour].index(given[0]))
        return Step(words.prompt_where(state, seat), tuple(_ground(one, words) for one in grounds))
    is_full = is_full_everywhere(state, seat)
    cards = [card for card in cards_left(state, seat) if not (is_full and is_hero(card))]
    values = _cards(state, seat, cards, "" if group == A_CARD else group, words)
    if not group:
        none = Value(NONE, words.no_card())
        if state.phase is Phase.EIGHTH:
            values = (Value(A_CARD, words.group(A_CARD)), none)
        elif is_full:
            values = (*values, none)
    return Step(words.prompt_hunt(state, seat), values)


def _cards(state: State, seat: int, cards: list[Card], group: str, words: Wording) -> tuple[Value, ...]:
    """Give cards as values, or the groups that they are in."""
    if len(cards) <= FEW:
        return tuple(_card(state, seat, card, words) for card in cards)
    hunters, heroes = [card for card in cards if card in HUNTERS], [card for card in cards if is_hero(card)]
    groups = {f"hunters {span[0]}..": [card for card in hunters if card in span] for span in HUNTER_GROUPS}
    groups["heroes.."] = heroes if len(heroes) <= FEW else heroes[: FEW - 1]
    if group == "more heroes..":
        return tuple(_card(state, seat, card, words) for card in heroes[FEW - 1 :])
    if group:
        more = group == "heroes.." and len(heroes) > FEW
        found = tuple(_card(state, seat, card, words) for card in groups[group])
        return (*found, Value("more heroes..", words.more_heroes(heroes[FEW - 1 :]))) if more else found
    return tuple(
        _card(state, seat, held[0], words) if len(held) == 1 else Value(key, words.cards_group(held))
        for key, held in groups.items()
        if held
    )


def _card(state: State, seat: int, card: Card, words: Wording) -> Value:
    return Value(NAMES[state.colour(seat)][card], words.role(card))


def _ground(index: int, words: Wording) -> Value:
    return Value(GROUNDS[index], words.ground(index))


def _step_ride(state: State, seat: int, given: list[str], group: str, words: Wording) -> Step | Line:
    colour, hunters = state.colour(seat), rides(state, seat)
    if given == [NONE]:
        return ForgoLine(colour=colour)
    if len(given) == 2:
        return RideLine(colour=colour, card=given[0], ground=given[1])  # type: ignore[arg-type]
    if given:
        card = NAMES[colour].index(given[0])
        elsewhere = [index for index in range(len(GROUNDS)) if card not in hunters.get(index, [])]
        return Step(words.prompt_where(state, seat), tuple(_ground(one, words) for one in elsewhere))
    return Step(words.prompt_ride(state, seat), _riders(state, seat, hunters, group, words))


def _riders(state: State, seat: int, hunters: Hunters, group: str, words: Wording) -> tuple[Value, ...]:
    """Give the hunters that can be moved as values, or the grounds and parts that they are in."""
    place, _, part = group.partition("..")
    if not place:
        start = tuple(Value(f"{GROUNDS[index]}..", words.from_ground(index)) for index in hunters)
        return (*start, Value(NONE, words.no_move()))
    here = hunters[GROUNDS.index(place)]
    if len(here) > FEW and not part:
        parts = [here[start : start + FEW] for start in range(0, len(here), FEW)]
        return tuple(Value(f"{place}..{index}", words.cards_group(held)) for index, held in enumerate(parts))
    shown = here[int(part) * FEW :][:FEW] if part else here
    return tuple(_card(state, seat, card, words) for card in shown)


# -- tiles to choose from -------------------------------------------------------------------------------------------


def _step_tiles(state: State, offer: Offer, given: list[str], group: str, words: Wording) -> Step | Line:
    """Have one of the tiles chosen, one of each name, from which the thief is paid or which lie on a ground."""
    seat = deciding(state) or 0
    is_thief = offer.kind == "forfeit"
    if given:
        line = ForfeitLine if is_thief else LootLine
        return line(colour=state.colour(seat), tile=given[0])
    tiles = sorted(set(settling.payable(state, seat) if is_thief else settling.shared(state).tiles))
    if group:
        return Step(offer.prompt, tuple(_tile(tile, words) for tile in tiles if TILE_NAMES[tile] in group.split("..")))
    return Step(offer.prompt, tuple(_parts(tiles, words)))


def _parts(tiles: list[Tile], words: Wording) -> list[Value]:
    """Give at most four tiles, or groups of at most four."""
    size = -(-len(tiles) // FEW)
    parts = [tiles[start : start + size] for start in range(0, len(tiles), size)]
    keys = ["".join(f"{TILE_NAMES[tile]}.." for tile in part) for part in parts]
    return [
        _tile(part[0], words) if len(part) == 1 else Value(key, words.tiles(part))
        for key, part in zip(keys, parts, strict=True)
    ]
