"""What an organiser or a referee can ask a desk for: one value for each act, read strictly. Pure data.

An act is not yet a line of the log: what it needs beside (the time, the seed, a drawing, a record that is moved) comes
from whoever carries it out.
"""

from __future__ import annotations

from typing import Annotated, Literal, Union

import msgspec

from companion.core.record.lines import Number
from companion.tournament.log.lines import BoxId, Label, MatchId, PlaceByHand, Points, Words

Club = Annotated[str, msgspec.Meta(max_length=80)]
Minutes = Annotated[int, msgspec.Meta(ge=0, le=1_000)]


class Act(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Something that is asked for."""


class EnterPlayer(Act, frozen=True):
    """Enter a player. fixed: the table that the player always sits at, None: any. there: and check the player in."""

    name: Label
    club: Club = ""
    fixed: Number | None = None
    there: bool = False


class EditPlayer(Act, frozen=True):
    """Put an entry right: all of it."""

    player: Number
    name: Label
    club: Club = ""
    fixed: Number | None = None


class KeepApart(Act, frozen=True):
    """Two players must not meet at a table; with `apart` false they may again."""

    one: Number
    other: Number
    apart: bool = True


class OpenCheckIn(Act, frozen=True):
    """Let players check in."""


class CloseCheckIn(Act, frozen=True):
    """End the check-in, and tell the seed."""


class CheckIn(Act, frozen=True):
    """A player is there, for the first time or again."""

    player: Number


class Drop(Act, frozen=True):
    """A player leaves."""

    player: Number


class EnrolBox(Act, frozen=True):
    """Enrol the box that shows this code."""

    code: Annotated[str, msgspec.Meta(max_length=40)]


class LetBoxGo(Act, frozen=True):
    """Have a box take part no more."""

    box: BoxId
    reason: Words = ""


class DrawRound(Act, frozen=True):
    """Draw the next round. round: its number, so that one that is asked for twice is drawn once."""

    round: Number


class SwapPlayers(Act, frozen=True):
    """Have two players of the newest drawing change places."""

    round: Number
    one: Number
    other: Number
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    by: Label


class AssignTable(Act, frozen=True):
    """Have a table played, or go on, on a box."""

    round: Number
    table: Number
    box: BoxId


class TurnClock(Act, frozen=True):
    """Start, pause, resume or stop the round's clock. minutes: what it begins with, None: as the event has it."""

    round: Number
    action: Literal["start", "pause", "resume", "stop"]
    minutes: Annotated[int, msgspec.Meta(ge=1, le=1_000)] | None = None


class Announce(Act, frozen=True):
    """Say something on all displays."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    by: Label


class EnterResult(Act, frozen=True):
    """Enter a table's result by hand."""

    round: Number
    table: Number
    places: tuple[PlaceByHand, ...]
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    by: Label


class GivePoints(Act, frozen=True):
    """Give a player's points of a round."""

    round: Number
    player: Number
    points: Points
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    by: Label


class MakeFinal(Act, frozen=True):
    """Make a table's result final before it is signed or its deadline has passed."""

    round: Number
    table: Number


class AnswerProtest(Act, frozen=True):
    """Answer a protest. stands: whether the disputed ruling does. minutes: for a further protest, None: no deadline."""

    round: Number
    table: Number
    match: MatchId
    line: Number
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    by: Label
    stands: bool
    minutes: Minutes | None = None


class EndEvent(Act, frozen=True):
    """End the event."""


AnyAct = Union[  # noqa: UP007 - msgspec reads it at run time
    EnterPlayer, EditPlayer, KeepApart, OpenCheckIn, CloseCheckIn, CheckIn, Drop, EnrolBox, LetBoxGo, DrawRound,
    SwapPlayers, AssignTable, TurnClock, Announce, EnterResult, GivePoints, MakeFinal, AnswerProtest, EndEvent,
]  # fmt: skip
