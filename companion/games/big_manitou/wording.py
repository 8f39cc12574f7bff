"""Every text of Big Manitou for people: prompts, names, what a line says, the sentences of the account. Pure.

Names in records stay as they are; the names here are for people, in the game's language.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.panel import Colour, colours_say, each_with
from companion.core.record.lines import ByHand
from companion.core.record.words import line_words
from companion.core.ruling.game import FieldValue, LineField
from companion.core.words.texts import joined, named, spoken, spoken_many
from companion.games.big_manitou.cards import (
    BY_NAME,
    CARDS,
    GROUNDS,
    HUNTERS,
    NAMES,
    NUMBERED,
    SQUAW,
    TILE_NAMES,
    TILES,
    TILES_BY_NAME,
    TIPIS,
    Card,
    Tile,
    number,
)
from companion.games.big_manitou.lines import (
    BootyLine,
    CardPlayed,
    Cylinder,
    ForfeitLine,
    ForgoLine,
    Gained,
    Gone,
    GroundsLine,
    Guard,
    Hunted,
    HuntingLine,
    HuntLine,
    LootLine,
    ManitouOutcome,
    Muster,
    Passed,
    RideLine,
    Rode,
    Stolen,
    Thief,
    Totals,
    Trial,
)
from companion.games.big_manitou.scoring import CYLINDERS
from companion.games.big_manitou.state import Phase, State, cards_to_take, ground_laid

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from gettext import NullTranslations

    from companion.core.record.lines import Line
    from companion.core.ruling.rulings import Ruling

_PACKAGE = "companion.games.big_manitou"


class Names:
    """What cards, tiles and grounds are called."""

    def __init__(self, translation: NullTranslations) -> None:
        self._translation = translation

    def text(self, message: str) -> str:
        """Give a message in the game's language."""
        return spoken(message, _PACKAGE, self._translation)

    def texts(self, one: str, many: str, count: int, **values: object) -> str:
        """Give a message about `count` things in the game's language."""
        return spoken_many(one, many, count, _PACKAGE, self._translation, values)

    def role(self, card: Card) -> str:
        """Give what a card is called without its colour."""
        if card in HUNTERS:
            return self.text("hunter {number}").format(number=card + 1)
        return (
            self.text("chieftain"),
            self.text("squaw"),
            self.text("rain maker"),
            self.text("scout"),
            self.text("medicine man"),
        )[card - len(HUNTERS)]

    def card(self, name: str) -> str:
        """Give the name for people of what a record calls so, without its colour."""
        return self.role(BY_NAME[name][1]) if name in BY_NAME else name

    def full(self, name: str) -> str:
        """Give the name for people of what a record calls so, with its colour."""
        if name not in BY_NAME:
            return name
        colour, card = BY_NAME[name]
        if card == SQUAW:  # the only one that other languages have a feminine for
            return self.text("{colour} squaw").format(colour=colour)
        return self.text("{colour} {card}").format(colour=colour, card=self.role(card))

    def tile(self, tile: Tile) -> str:
        """Give what a tile is called."""
        if tile in NUMBERED:
            message = self.text("tipi {number}") if tile in TIPIS else self.text("buffalo {number}")
            return message.format(number=number(tile))
        return (self.text("horse"), self.text("totem"), self.text("tomahawk"))[tile - len(NUMBERED)]

    def tile_named(self, name: str) -> str:
        """Give the name for people of what a record calls so."""
        return self.tile(TILES_BY_NAME[name]) if name in TILES_BY_NAME else name

    def ground(self, index: int) -> str:
        """Give what a ground is called where little room is."""
        return (self.text("left"), self.text("middle"), self.text("right"))[index]

    def ground_title(self, index: int) -> str:
        """Give what a ground is called."""
        return (self.text("left ground"), self.text("middle ground"), self.text("right ground"))[index]

    def ground_named(self, name: str) -> str:
        """Give the name for people of what a record calls so."""
        return self.ground_title(GROUNDS.index(name))

    def listed(self, names: Sequence[str]) -> str:
        """Give several names in a row."""
        return joined(self.tile_named(name) for name in names)

    def sorts(self) -> dict[str, str]:
        """Name what each seat has, as it can be set by hand."""
        return {
            "tipis": self.text("tipis"),
            "buffaloes": self.text("buffaloes"),
            "horses": self.text("horses"),
            "totems": self.text("totems"),
            "tomahawks": self.text("tomahawks"),
        }


class Wording(Names):
    """What is asked: prompts of at most 20 characters, and values."""

    def prompt_grounds(self) -> str:
        """Ask how many tiles lie on each ground."""
        return self.text("Tiles per ground")

    def prompt_count(self, index: int) -> str:
        """Ask how many lie on one."""
        return (self.text("left: tiles?"), self.text("middle: tiles?"), self.text("right: tiles?"))[index]

    def prompt_booty(self, state: State) -> str:
        """Ask for the next tile."""
        index = ground_laid(state) or 0
        which, count = len(state.grounds[index].tiles) + 1, state.counts[index]
        message = self.text("tile {which} of {count}, {ground}")
        return message.format(ground=self.ground(index), which=which, count=count)

    def prompt_ready(self, state: State, seat: int) -> str:
        """Tell a seat how many cards it takes."""
        message = self.text("{colour} draws {number}") if state.terms.quick else self.text("{colour} chooses {number}")
        return message.format(colour=state.colour(seat).short, number=cards_to_take(state, seat))

    def ready(self) -> str:
        """Say that a seat has its cards."""
        return self.text("ready")

    def hint_ready(self) -> str:
        """Say which button that is."""
        return self.text("any of your buttons")

    def prompt_hunt(self, state: State, seat: int) -> str:
        """Ask for a card."""
        colour = state.colour(seat).short
        if state.phase is Phase.EIGHTH:
            return self.text("{colour} plays an 8th?").format(colour=colour)
        return self.text("{colour} plays").format(colour=colour)

    def prompt_where(self, state: State, seat: int) -> str:
        """Ask for a ground."""
        return self.text("{colour} at which ground").format(colour=state.colour(seat).short)

    def prompt_ride(self, state: State, seat: int) -> str:
        """Ask which hunter is moved."""
        return self.text("{colour} moves one?").format(colour=state.colour(seat).short)

    def prompt_forfeit(self, state: State, seat: int) -> str:
        """Ask what the thief gets."""
        return self.text("{colour} pays thief").format(colour=state.colour(seat).short)

    def prompt_loot(self, state: State, seat: int) -> str:
        """Ask what is taken, and say from which ground."""
        message = self.text("{colour} takes ({ground})")
        return message.format(colour=state.colour(seat).short, ground=self.ground(state.settling.ground))

    def no_card(self) -> str:
        """Say that no card is played."""
        return self.text("no card")

    def no_move(self) -> str:
        """Say that nothing is moved."""
        return self.text("no move")

    def from_ground(self, index: int) -> str:
        """Say from where."""
        return (self.text("from the left"), self.text("from the middle"), self.text("from the right"))[index]

    def group(self, key: str) -> str:
        """Say what a group of values is."""
        return {
            "card..": self.text("a card"),
            "tipi..": self.text("tipi"),
            "buffalo..": self.text("buffalo"),
            "tipi 4..": self.text("tipi 4 to 6"),
            "buffalo 4..": self.text("buffalo 4 to 6"),
            "others..": self.text("horse or totem"),
        }[key]

    def cards_group(self, cards: Sequence[Card]) -> str:
        """Say what a group of cards is."""
        if cards[0] not in HUNTERS:
            return self.text("a hero")
        return self.text("hunter {low} to {high}").format(low=cards[0] + 1, high=cards[-1] + 1)

    def more_heroes(self, cards: Sequence[Card]) -> str:
        """Name the heroes of a further group."""
        return joined(map(self.role, cards))

    def tiles(self, tiles: Sequence[Tile]) -> str:
        """Name the tiles of a group."""
        return joined(map(self.tile, tiles))


class Telling(Names):
    """What a line says, what in it may be replaced, and the account's sentences."""

    def describe(self, line: Line) -> str:
        """Say what a line is."""
        match line:
            case GroundsLine():
                left, middle, right = line.booty
                message = self.text("tiles on the grounds: {left}, {middle}, {right}")
                return message.format(left=left, middle=middle, right=right)
            case BootyLine():
                message = self.text("{ground}: {tile}")
                return message.format(ground=self.ground_named(line.ground), tile=self.tile_named(line.tile))
            case HuntingLine() | ForgoLine():
                is_ready = isinstance(line, HuntingLine)
                message = self.text("{colour} is ready") if is_ready else self.text("{colour} leaves it")
                return message.format(colour=line.colour)
            case HuntLine() | RideLine() | ForfeitLine() | LootLine():
                return self._of_thing(line)
            case ByHand():
                return self._by_hand(line)
        return line_words(line)

    def _by_hand(self, line: ByHand) -> str:
        """Say what was set; of a cylinder, whose seat it went to."""
        if line.set in CYLINDERS:
            message = self.text("by hand: the cylinder of the {name} is with {seat}")
            seat = self.text("seat {number}").format(number=line.value) if line.value else self.text("nobody")
            says = message.format(name=self.tile_named(line.set), seat=seat)
        else:
            what = named(line.set, self.set_says(line.set))
            says = self.text("by hand: {what} is {value}").format(what=what, value=line.value)
        return joined((says, f"({line.reason})"), " ") if line.reason else says

    def set_says(self, key: str) -> str:
        """Name what a seat has, as it can be set by hand; a key that is none is as it is."""
        colour, _, sort = key.partition(" ")
        is_known = colour in set(Colour) and sort in self.sorts()
        return joined((Colour(colour).says, self.sorts()[sort]), " ") if is_known else key

    def _of_thing(self, line: HuntLine | RideLine | ForfeitLine | LootLine) -> str:
        """Say what somebody does with a card or a tile."""
        if isinstance(line, (ForfeitLine, LootLine)):
            gives = isinstance(line, ForfeitLine)
            message = self.text("{colour} gives the thief: {tile}") if gives else self.text("{colour} takes: {tile}")
            return message.format(colour=line.colour, tile=self.tile_named(line.tile))
        rides = isinstance(line, RideLine)
        message = (
            self.text("{colour} moves {card}: {ground}") if rides else self.text("{colour} plays {card}: {ground}")
        )
        return message.format(colour=line.colour, card=self.card(line.card), ground=self.ground_named(line.ground))

    def fields(self, line: Line) -> tuple[LineField, ...]:
        """Give what in a line may have been meant otherwise: its tile, or its card and its ground."""
        match line:
            case BootyLine() | ForfeitLine() | LootLine():
                values = tuple(FieldValue(TILE_NAMES[tile], self.tile(tile)) for tile in TILES)
                return (LineField("tile", self.text("tile"), values),)
            case HuntLine() | RideLine():
                kinds = CARDS if isinstance(line, HuntLine) else HUNTERS
                colour = BY_NAME[line.card][0]
                cards = tuple(FieldValue(NAMES[colour][card], self.role(card)) for card in kinds)
                grounds = tuple(FieldValue(name, self.ground_named(name)) for name in GROUNDS)
                return (LineField("card", self.text("card"), cards), LineField("ground", self.text("ground"), grounds))
        return ()

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Give the account's sentences for a ruling; None where the general ones do."""
        tell = self._tellers().get(type(ruling))
        return None if tell is None else tell(ruling)

    def _tellers(self) -> dict[type[Ruling], Callable[..., tuple[str, ...]]]:
        return {
            Muster: self._muster,
            CardPlayed: self._played,
            Passed: self._passed,
            Rode: self._rode,
            Guard: self._guard,
            Trial: self._trial,
            Thief: self._thief,
            Stolen: self._stolen,
            Gained: self._gained,
            Cylinder: self._cylinder,
            Totals: self._totals,
            Gone: self._gone,
            Hunted: self._hunted,
            ManitouOutcome: self._outcome,
        }

    def _muster(self, ruling: Muster) -> tuple[str, ...]:
        lies = self.text("{ground}: {tiles}.")
        tiles = (
            lies.format(ground=self.ground_named(ground), tiles=self.listed(names))
            for ground, names in ruling.tiles.items()
        )
        first = self.text("Hunt {hunt}: {dealer} deals, {begins} begins.")
        return (
            first.format(hunt=ruling.hunt, dealer=ruling.dealer, begins=ruling.begins),
            *tiles,
            self.text("Cards to take: {cards}.").format(cards=each_with(ruling.cards)),
        )

    def _played(self, ruling: CardPlayed) -> tuple[str, ...]:
        message = self.text("{colour} plays {card}: {ground}.")
        return (
            message.format(
                colour=ruling.colour, card=self.card(ruling.card), ground=self.ground_named(ruling.ground)
            ),
        )  # fmt: skip

    def _passed(self, ruling: Passed) -> tuple[str, ...]:
        message = {
            "turn": self.text("{colour} can play nothing in this turn."),
            "eighth": self.text("{colour} plays no eighth card."),
            "ride": self.text("{colour} moves no hunter."),
        }[ruling.what]
        return (message.format(colour=ruling.colour),)

    def _rode(self, ruling: Rode) -> tuple[str, ...]:
        message = self.text("{colour} moves {card}: from the {before} to the {ground}.")
        return (
            message.format(
                colour=ruling.colour,
                card=self.card(ruling.card),
                before=self.ground_named(ruling.before),
                ground=self.ground_named(ruling.ground),
            ),
        )

    def _guard(self, ruling: Guard) -> tuple[str, ...]:
        message = self.text("{colour}'s {card} guards its {under} on the {ground}: only a sacrifice brings it down.")
        return (
            message.format(
                colour=ruling.colour,
                card=self.card(ruling.card),
                under=self.card(ruling.under),
                ground=self.ground_named(ruling.ground),
            ),
        )

    def _trial(self, ruling: Trial) -> tuple[str, ...]:
        if ruling.sacrifice and ruling.result == "both":
            message = self.text(
                "Sacrifice on the {ground}: {card} and {met} are both turned down; one hero of {against} stays."
            )
        elif ruling.sacrifice:
            message = self.text(
                "Trial on the {ground}: {card} cannot bring {met} down, which guards another, and is turned down."
            )
        elif ruling.result == "both":
            message = self.text("Trial on the {ground}: {card} and {met} are equal, and both are turned down.")
        elif ruling.result == "wins":
            message = self.text("Trial on the {ground}: {card} beats {met}, which is turned down.")
        else:
            message = self.text("Trial on the {ground}: {card} loses to {met}, and is turned down.")
        return (
            message.format(
                ground=self.ground_named(ruling.ground),
                card=self.full(ruling.card),
                met=self.full(ruling.met),
                against=ruling.against,
            ),
        )

    def _thief(self, ruling: Thief) -> tuple[str, ...]:
        first = self.text("Hunters on all grounds: {totals}.").format(totals=each_with(ruling.totals))
        if not ruling.pays:
            return (first, self.text("No thief comes."))
        return (first, self.text("The thief comes to: {colours}.").format(colours=colours_say(ruling.pays)))

    def _stolen(self, ruling: Stolen) -> tuple[str, ...]:
        if ruling.tile is None:
            return (self.text("{colour} has no tile for the thief.").format(colour=ruling.colour),)
        message = self.text("The thief takes from {colour}: {tile}.")
        return (message.format(colour=ruling.colour, tile=self.tile_named(ruling.tile)),)

    def _gained(self, ruling: Gained) -> tuple[str, ...]:
        message = {
            "hero": self.text("{ground}: {colour}, by its hero, takes {tile}."),
            "most": self.text("{ground}: {colour}, with the strongest hunters, takes {tile}."),
            "second": self.text("{ground}: {colour}, as second, takes {tile}."),
        }[ruling.by]
        return (
            message.format(
                ground=self.ground_named(ruling.ground), colour=ruling.colour, tile=self.tile_named(ruling.tile)
            ),
        )

    def _cylinder(self, ruling: Cylinder) -> tuple[str, ...]:
        name = self.tile_named(ruling.of)
        if ruling.before is None:
            message = self.text("The cylinder of the {name} goes to {colour}.")
            return (message.format(name=name, colour=ruling.colour),)
        message = self.text("The cylinder of the {name} goes from {before} to {colour}.")
        return (message.format(name=name, before=ruling.before, colour=ruling.colour),)

    def _totals(self, ruling: Totals) -> tuple[str, ...]:
        ground = self.ground_named(ruling.ground)
        if not ruling.totals:
            return (self.text("{ground}: no hunters.").format(ground=ground),)
        says = self.text("{ground}, hunters: {totals}.")
        found = [says.format(ground=ground, totals=each_with(ruling.totals))]
        if ruling.tied:
            tied = self.text("Tied, and without a share: {colours}.")
            found.append(tied.format(colours=colours_say(ruling.tied)))
        return tuple(found)

    def _gone(self, ruling: Gone) -> tuple[str, ...]:
        message = self.text("{ground}: nobody takes {tiles}; out of the game.")
        return (message.format(ground=self.ground_named(ruling.ground), tiles=self.listed(ruling.tiles)),)

    def _hunted(self, ruling: Hunted) -> tuple[str, ...]:
        says = self.text("Hunt {hunt} is over. Points: {points}.")
        return (says.format(hunt=ruling.hunt, points=each_with(ruling.points)),)

    def _outcome(self, ruling: ManitouOutcome) -> tuple[str, ...]:
        found: list[str] = [self.text("Points: {points}.").format(points=each_with(ruling.points))]
        message = self.text("{colour}: tipis {tipis}, buffaloes {buffaloes}, tomahawks {tomahawks}, tiles {tiles}.")
        found += [
            message.format(
                colour=Colour(colour),
                tipis=one.tipis,
                buffaloes=one.buffaloes,
                tomahawks=one.tomahawks,
                tiles=one.tiles,
            )
            for colour, one in ruling.has.items()
        ]
        extra = (
            (ruling.totem, self.text("{colour} has 1 point for the totem.")),
            (ruling.horse, self.text("{colour} has 1 point for the horse.")),
            (ruling.tomahawk, self.text("{colour} has 1 point for the most tomahawks.")),
        )
        return (*found, *(says.format(colour=colour) for colour, says in extra if colour is not None))
