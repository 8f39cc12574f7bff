"""Driftwood as the contract of a game wants it. What `PlainGame` answers well enough is not said again."""

from collections.abc import Callable

from msgspec.structs import replace

from companion.core.panel import Colour
from companion.core.record.lines import Line, Reveal, Setup
from companion.core.ruling.looks import ButtonFace, Card
from companion.core.ruling.offers import REVEAL, NumberEntry, Offer, Option
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.race import Race, RacePhase
from companion.core.ruling.rulings import Ruling
from companion.core.ruling.view import Area, Cell, View
from driftwood import rules
from driftwood.state import COPIES, COVES, Bury, Cove, Phase, Player, Points, State, Storm, Took
from driftwood.symbols import SYMBOLS


class Driftwood(PlainGame[State]):
    """The game object that the entry point gives."""

    name = "driftwood"
    seats = Seats(2, 4)
    lines: tuple[type[Line], ...] = (Cove, Bury, Storm)
    roles: tuple[str, ...] = ("grab", "leave")
    symbols = SYMBOLS
    words = "driftwood"

    @property
    def title(self) -> str:
        """In the game's language, like all that people read."""
        return self.text("Driftwood")

    @property
    def race_name(self) -> str:
        """What one race is called."""
        return self.text("Scramble")

    @property
    def deck(self) -> tuple[Card, ...]:
        """Names are the record's; labels are for people."""
        labels = {
            "plank": (self.text("plank"), self.text("planks")),
            "bottle": (self.text("bottle"), self.text("bottles")),
            "pearl": (self.text("pearl"), self.text("pearls")),
        }
        return tuple(
            Card(name, labels[name][1], copies, symbol=name, label=labels[name][0]) for name, copies in COPIES.items()
        )

    def start(self, setup: Setup) -> State:
        """Give the state before anything has happened."""
        return State(players=tuple(map(Player, setup.seats)), first=setup.first, ties=setup.ties)

    def apply(self, state: State, line: Line) -> tuple[State, tuple[Ruling, ...]]:
        """Give the state after a line and what follows from it."""
        return rules.apply(state, line)

    def offers(self, state: State) -> tuple[Offer, ...]:
        """Give what may or must be decided now."""
        if state.phase is Phase.COVES:
            waiting = [player.seat.colour for player in state.players if not player.cove]
            return tuple(map(self.cove, waiting))
        if state.phase is Phase.BURY and (taker := state.taker) is not None:
            entry = NumberEntry(0, len(state.taken), lambda cards: Bury(colour=taker, cards=cards))
            return (Offer("bury", taker, self.text("Bury how many?"), number=entry),)
        if not rules.is_quiet(state):
            return ()
        names = {card.name: card.label for card in self.deck if state.left(card.name)}
        cards = tuple(Option(label, Reveal(card=name)) for name, label in names.items())
        reveal = (Offer(REVEAL, None, self.text("The tide brings"), cards, required=False),) if cards else ()
        return (*reveal, *map(self.storm, rules.seats_with_storm(state)))

    def cove(self, colour: Colour) -> Offer:
        """Ask a seat for its cove."""
        options = self.coves(lambda cove: Cove(colour=colour, cove=cove))
        return Offer("cove", colour, self.text("Your cove"), options)

    def storm(self, colour: Colour) -> Offer:
        """Offer a seat its storm; nobody has to call one."""
        options = self.coves(lambda cove: Storm(colour=colour, cove=cove))
        return Offer("storm", colour, self.text("A storm upon"), options, required=False)

    def cove_says(self, cove: str) -> str:
        """Name a cove: each message stands here as it is, so that `make catalogues` finds it."""
        return {"north": self.text("north"), "south": self.text("south")}[cove]

    def phase_says(self, phase: Phase) -> str:
        """Name a phase."""
        return {
            Phase.COVES: self.text("coves"), Phase.BEACH: self.text("beach"), Phase.BURY: self.text("burying"),
            Phase.OVER: self.text("over"),
        }[phase]  # fmt: skip

    def coves(self, line: Callable[[str], Line]) -> tuple[Option, ...]:
        """Give an option for each cove."""
        labels = {"north": self.text("the north cove"), "south": self.text("the south cove")}
        return tuple(Option(labels[cove], line(cove)) for cove in COVES)

    def race(self, state: State) -> Race | None:
        """Tell where the scramble stands; there is none while the coves are picked."""
        if state.phase is Phase.COVES:
            return None
        card = state.shown[-1] if state.shown else None
        takes_card = rules.is_quiet(state) and len(state.shown) < sum(COPIES.values())
        return Race(
            state.race,
            state.number,
            state.presses,
            state.first,
            card=card,
            takes_card=takes_card,
            closed_ns=state.closed_ns,
        )

    def restarted(self, state: State) -> State:
        """Give the state in which a closed scramble takes no more presses."""
        return replace(state, closed_ns=None)

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:  # noqa: ARG002
        """Give what the two buttons are called and drawn as."""
        return (ButtonFace(self.text("grab"), "grab"), ButtonFace(self.text("leave")))

    def is_over(self, state: State) -> bool:
        """Tell whether an `end` stands."""
        return state.phase is Phase.OVER

    def can_end(self, state: State) -> bool:
        """Tell whether an `end` is legal now."""
        return rules.may_end(state)

    def is_exhausted(self, state: State) -> bool:
        """Rule 6: all is turned up and taken."""
        is_empty = len(state.shown) == sum(COPIES.values()) and not state.beach
        return is_empty and state.race is RacePhase.WAITING and not rules.seats_with_storm(state)

    def outcome(self, state: State) -> Points:
        """Give the points."""
        points = {str(player.seat.colour): player.points for player in state.players}
        leaders = tuple(p.seat.colour for p in state.players if p.points == max(points.values()))
        return Points(over=self.is_over(state), points=points, leaders=leaders)

    def describe(self, line: Line, viewer: Colour | None = None) -> str:
        """Say what a line is."""
        match line:
            case Cove():
                return self.text("{colour} lives in the {cove}").format(
                    colour=line.colour, cove=self.cove_says(line.cove)
                )
            case Bury():
                buried = self.texts("{count} card is buried", "{count} cards are buried", line.cards)
                return self.text("{colour}: {what}").format(colour=line.colour, what=buried)
            case Storm():
                return self.text("{colour} calls a storm: {cove}").format(
                    colour=line.colour, cove=self.cove_says(line.cove)
                )
        return super().describe(line, viewer)

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:
        """Say in the account what a scramble brought."""
        if isinstance(ruling, Took) and ruling.cards:
            taken = self.texts("{count} card is taken.", "{count} cards are taken.", len(ruling.cards))
            return (self.text("{colour}: {what}").format(colour=ruling.colour, what=taken),)
        return None

    def view(self, state: State, viewer: Colour | None = None) -> View:  # noqa: ARG002 - nothing is hidden
        """Give points, the beach, and what everybody has in which cove."""
        homes = tuple(
            Cell(self.text("{loose} loose, {safe} safe").format(loose=len(p.loose), safe=len(p.buried)), p.seat.colour)
            for p in state.players
        )
        return View(
            scores=tuple((player.seat.colour, player.points) for player in state.players),
            score_label=self.text("points"),
            table=tuple((card, state.beach.count(card)) for card in COPIES if card in state.beach),
            turn=state.taker,
            hidden=sum(COPIES.values()) - len(state.shown),
            phase=self.phase_says(state.phase),
            areas=(Area(self.text("coves"), homes),),
        )


GAME = Driftwood()
