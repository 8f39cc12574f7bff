"""What of Claim comes with a file: its name, cards, buttons and drawings; samples, checking, dry runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ruling.parameters import DryRun, Parameter
from companion.core.ruling.plain_game import PlainGame
from companion.games import registry
from companion.games.claim.dry_run import dry_run
from companion.games.claim.files import DEFAULT, SAMPLES, shipped
from companion.games.claim.language.reading import read_file
from companion.games.claim.state import FILE, State, game_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

    from companion.core.record.lines import Line, Setup
    from companion.core.ruling.looks import Card, Symbol
    from companion.core.ruling.parameters import FileFault, Sample
    from companion.games.claim.language.description import Description


class FromFile(PlainGame[State]):
    """The part of the game object that is as its file says; before a setup as the one that comes along says.

    file: the text of the file that a setup has; None before there is one.
    """

    file: str | None = None

    @property
    def description(self) -> Description:
        """What the file says."""
        return game_of(shipped(DEFAULT) if self.file is None else self.file)

    @property
    def title(self) -> str:
        """Give what the file calls the game; before there is one, what all such games are called."""
        return self.text("Claim") if self.file is None else self.description.called.title

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Ask for the file."""
        return (Parameter(FILE, self.text("Game file"), "file", shipped(DEFAULT)),)

    @property
    def race_name(self) -> str:
        """Give what the file calls a race."""
        return self.description.called.race

    @property
    def roles(self) -> tuple[str, ...]:  # type: ignore[override]
        """Give the names of the hands."""
        return tuple(hand.name for hand in self.description.hands)

    @property
    def deck(self) -> tuple[Card, ...]:
        """Give the file's cards."""
        return self.description.deck

    @property
    def symbols(self) -> Mapping[str, Symbol]:  # type: ignore[override]
        """Give the drawings that the file's cards and hands name."""
        return self.description.symbols

    def samples(self, key: str) -> tuple[Sample, ...]:
        """Give the files that come along."""
        return SAMPLES if key == FILE else ()

    def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
        """Give all that is wrong with a file."""
        return read_file(text).faults if key == FILE else ()

    def dry_run(self, key: str, text: str, record: Sequence[Line]) -> DryRun:
        """Judge a record by a file."""
        if key != FILE:
            return DryRun(0, 0, why_not=f"there is no file {key!r}")
        return dry_run(text, record, registry.find)

    def playing(self, setup: Setup) -> Self:
        """Give the game of a setup's file. Raises Malformed."""
        other = self.speaking(self.translation)
        other.file = text_of(setup)
        game_of(other.file)
        return other
