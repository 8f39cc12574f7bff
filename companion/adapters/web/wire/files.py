"""The bodies of requests about the files of games, read strictly."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from companion.adapters.web.wire.messages import Body, NextStep
from companion.core.panel import Colour  # noqa: TC001 - the decoder reads them
from companion.core.play.commands import Choose, CloseRace, Command, EndMatch, EnterCard, NoCard, SetByHand

GameName = Annotated[str, Meta(min_length=1, max_length=80)]
Text = Annotated[str, Meta(max_length=64 * 1024)]
"""Its size in bytes is looked at where it is used."""
Seen = Annotated[str, Meta(max_length=64)]
MOST_STEPS = 100
LONGEST_MS = 120_000


class GameFileBody(Body, frozen=True):
    """Which parameter of which game a text is for."""

    game: GameName
    key: GameName


class CheckFile(GameFileBody, frozen=True):
    """A text that is looked at and not kept."""

    text: Text


class KeepFile(GameFileBody, frozen=True):
    """A text that is kept. seen: what was kept under the name when the page was filled, None where nothing was."""

    name: GameName
    text: Text
    seen: Seen | None = None


class RemoveFile(GameFileBody, frozen=True):
    """A file that is kept no longer. seen: as it was when that was asked for."""

    name: GameName
    seen: Seen


class DryRunFile(GameFileBody, frozen=True):
    """A text by which a stored match is judged, beside what its record has."""

    text: Text
    match: Annotated[int, Meta(ge=1, le=2**53)]


class TriedPress(Body, frozen=True):
    """A button that goes down `ms` after the first of its step."""

    button: Annotated[str, Meta(max_length=40)]
    ms: Annotated[int, Meta(ge=0, le=LONGEST_MS)]


class Presses(Command, frozen=True, tag="presses"):
    """Buttons go down, each at its time; then the box has as long as it needs to rule on them."""

    presses: Annotated[tuple[TriedPress, ...], Meta(min_length=1, max_length=20)]


class Wait(Command, frozen=True, tag="wait"):
    """Nothing happens for `ms`."""

    ms: Annotated[int, Meta(ge=1, le=LONGEST_MS)]


AnyStep = Presses | Wait | EnterCard | NoCard | CloseRace | Choose | SetByHand | EndMatch


class TryFile(GameFileBody, frozen=True):
    """A match with a text that is kept nowhere, from its beginning: who plays, and all that happens in it.

    asks: of which choice of many fields the next is wanted, None for none.
    """

    text: Text
    seats: Annotated[tuple[Colour, ...], Meta(min_length=1, max_length=5)]
    steps: Annotated[tuple[AnyStep, ...], Meta(max_length=MOST_STEPS)] = ()
    asks: NextStep | None = None
