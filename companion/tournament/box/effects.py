"""What a box's side of an event wants done in the world, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Union

if TYPE_CHECKING:
    from companion.tournament.wire import Answered, Finally, Sit


class Publish(NamedTuple):
    """Send it to the broker, in the order of these effects."""

    topic: str
    payload: bytes
    retain: bool = False


class Prepare(NamedTuple):
    """Have this table be the next that is played, once no match is; None: the one before is not any more.

    why: what the players should know of that.
    """

    sit: Sit | None
    why: str = ""


class Announce(NamedTuple):
    """Show it to whoever is at the box, for a while."""

    text: str


class GiveAnswer(NamedTuple):
    """Write the referee's answer into the record of its match."""

    answered: Answered


class TakeUp(NamedTuple):
    """Have this match go on here, from its record, once no other is played."""

    match: str
    lines: tuple[bytes, ...]


class IsFinal(NamedTuple):
    """A table's result is final: say so."""

    finally_: Finally


class ClockSet(NamedTuple):
    """The round's clock was set: so much is left now."""

    round: int
    left_ms: int
    is_running: bool


class Keep(NamedTuple):
    """What is to be kept has changed (`BoxInEvent.kept`)."""


class Tell(NamedTuple):
    """Something for the log of the program."""

    text: str


Effect = Union[Publish, Prepare, Announce, GiveAnswer, TakeUp, IsFinal, ClockSet, Keep, Tell]  # noqa: UP007
