"""An answer for everything in the contract that a small game has no use for. Subclass it, and write what is yours."""

from __future__ import annotations

from copy import copy
from gettext import NullTranslations
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, cast

from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import place_says
from companion.core.record.lines import PressLine, Reveal
from companion.core.record.words import line_words
from companion.core.ruling.game import CONTRACT, State, TakingBack
from companion.core.ruling.looks import ButtonFace, button_named, card_says
from companion.core.ruling.parameters import DryRun
from companion.core.words.texts import spoken, spoken_many, text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Self

    from companion.core.panel import Colour
    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.game import Adjustable, AnyGame, Deadline, LineField
    from companion.core.ruling.looks import Card, Symbol
    from companion.core.ruling.offers import Offer, Step
    from companion.core.ruling.parameters import FileFault, Parameter, Sample
    from companion.core.ruling.race import Race
    from companion.core.ruling.rulings import Ruling
    from companion.core.ruling.view import Held, Ledger


LATER_PARTS = (
    "rules", "clauses", "samples", "check_file", "dry_run", "playing", "taking_back", "held", "ledgers",
)  # fmt: skip
"""What came to the contract later, and a game need not have."""


def completed(game: AnyGame) -> AnyGame:
    """Give a game that has every part of the contract: those that it need not have, and has not, as a plain game's."""
    missing = [part for part in LATER_PARTS if not hasattr(game, part)]
    return cast("AnyGame", _Completed(game, missing)) if missing else game


NO_RECORDS = text("this game compares no records")


class _Completed:
    """A game, and a plain game's answers for what it does not have."""

    def __init__(self, game: AnyGame, missing: Iterable[str]) -> None:
        self._game = game
        plain: PlainGame[Any] = PlainGame()
        self.__dict__.update({part: getattr(plain, part) for part in missing if part != "playing"})

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def playing(self, setup: Setup) -> AnyGame:
        """Give the game as a setup has it."""
        return completed(self._game.playing(setup)) if hasattr(self._game, "playing") else cast("AnyGame", self)

    def speaking(self, translation: NullTranslations) -> AnyGame:
        """Give the same game in another language."""
        return completed(self._game.speaking(translation))


class PlainGame(Generic[State]):
    """A game with nothing to ask, no race, no cards of its own and no words but English ones."""

    version = CONTRACT
    edition = 1
    lines: tuple[type[Line], ...] = ()
    roles: tuple[str, ...] = ()
    symbols: Mapping[str, Symbol] = MappingProxyType({})
    words = ""
    demo = ""
    rules = ""
    rolls = False
    anticipates = False
    translation = NullTranslations()
    """What `speaking` was given; `text` and `texts` go by it."""

    # What a game may also have in its own language, by a property, is a property here.

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Give (): nothing is asked."""
        return ()

    @property
    def clauses(self) -> Mapping[str, str]:
        """Give {}: no verdict goes by a heading of the rules."""
        return {}

    @property
    def race_name(self) -> str:
        """Give the name of no race."""
        return ""

    @property
    def deck(self) -> tuple[Card, ...]:
        """Give (): there are no cards."""
        return ()

    def samples(self, key: str) -> tuple[Sample, ...]:  # noqa: ARG002 - the contract's
        """Give (): no file comes along."""
        return ()

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:  # noqa: ARG002
        """Give (): no file is asked for."""
        return ()

    def dry_run(self, key: str, text: str, record: Sequence[Line]) -> DryRun:  # noqa: ARG002
        """Compare nothing: no file of this game rules anything."""
        return DryRun(0, 0, why_not=NO_RECORDS)

    def taking_back(self, state: State, newest: Line) -> TakingBack:  # noqa: ARG002
        """Take back one line."""
        return TakingBack()

    def held(self, state: State) -> tuple[Held, ...]:  # noqa: ARG002
        """Give (): nobody drew anything unseen."""
        return ()

    def ledgers(self, state: State) -> tuple[Ledger, ...]:  # noqa: ARG002
        """Give (): there is no account to print."""
        return ()

    def playing(self, setup: Setup) -> Self:  # noqa: ARG002
        """Give the game as it is: nothing of it comes with a file."""
        return self

    def speaking(self, translation: NullTranslations) -> Self:
        """Give the same game with another translation."""
        other = copy(self)
        other.translation = translation
        return other

    def text(self, message: str) -> str:
        """Give a message: in the game's language, and with what it takes to be said in any other."""
        return spoken(message, self.words, self.translation)

    def texts(self, one: str, many: str, count: int, **values: object) -> str:
        """Give a message about `count` things, filled in: {count} in it is the number, the others are `values`."""
        return spoken_many(one, many, count, self.words, self.translation, values)

    def restarted(self, state: State) -> State:
        """Give the state as it is: nothing is timed."""
        return state

    def offers(self, state: State) -> tuple[Offer, ...]:  # noqa: ARG002 - the contract's
        """Give nothing: there is nothing to decide."""
        return ()

    def step(self, state: State, offer: Offer, chosen: Sequence[str]) -> Step | Line:  # noqa: ARG002
        """Refuse: no offer here has many fields."""
        raise Illegal(text("{kind} has no steps").format(kind=offer.kind))

    def deadline(self, state: State) -> Deadline | None:  # noqa: ARG002
        """Give None: nothing happens by itself."""
        return None

    def adjustable(self, state: State) -> tuple[Adjustable, ...]:  # noqa: ARG002
        """Give (): the box knows all there is to know."""
        return ()

    def race(self, state: State) -> Race | None:  # noqa: ARG002
        """Give None: nobody races."""
        return None

    def buttons(self, state: State | None, seat: Colour | None) -> tuple[ButtonFace, ...]:  # noqa: ARG002
        """Give the roles as they are; each is drawn by the symbol of its name, where there is one."""
        return tuple(ButtonFace(place_says(role), role if role in self.symbols else "") for role in self.roles)

    def is_exhausted(self, state: State) -> bool:  # noqa: ARG002
        """Tell False: there can always be more."""
        return False

    def describe(self, line: Line, viewer: Colour | None = None) -> str:  # noqa: ARG002
        """Say what the standard words say, and of a card its name for people."""
        if isinstance(line, Reveal):
            line = replace(line, card=card_says(self.deck, line.card))
        elif isinstance(line, PressLine):
            line = replace(line, role=button_named(self, line.role))
        return line_words(line)

    def fields(self, line: Line) -> tuple[LineField, ...]:  # noqa: ARG002
        """Give (): nothing can be replaced by a list of values."""
        return ()

    def reason(self, press: PressLine, why: str) -> tuple[str, str]:  # noqa: ARG002
        """Say the reason as the record has it."""
        return why, why

    def sentences(self, ruling: Ruling) -> tuple[str, ...] | None:  # noqa: ARG002
        """Give None: the general sentences do."""
        return None
