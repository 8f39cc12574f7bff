"""What a session wants done in the world. It says so; `app` does it. Knows no device."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.ruling.rulings import Order, Ruling, Settled
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.panel import Colour
    from companion.core.profiles.profile import Allowance
    from companion.core.record.lines import Line
    from companion.core.ruling.offers import Offer
    from companion.core.timing.events import Press


class Tone(Enum):
    """What the box says by sound; each must be told from the others with eyes shut."""

    ACCEPTED = "accepted"
    IGNORED = "ignored"
    PUNISHED = "punished"
    FIRST = "first"
    CHOOSE = "your choice"
    REFUSED = "refused"
    TIME_LOW = "little time"
    TIME_UP = "time is up"


class Began(NamedTuple):
    """A new match: the lines that follow belong to it."""

    game: str


class Wrote(NamedTuple):
    """A line was added to the match's record; it must be stored durably, in order."""

    line: Line


class TookIn(NamedTuple):
    """A press was accepted while the match runs: it must outlive the program until it is recorded."""

    press: Press


class Recorded(NamedTuple):
    """What follows from an accepted press is durable: it need not be kept any more."""

    press: Press


class Offered(NamedTuple):
    """A match in the journal that was begun on another box is offered: what follows is of it, if it is taken up."""

    match_id: int


class GaveUp(NamedTuple):
    """The unfinished match in the journal is not to be offered again."""


class Sound(NamedTuple):
    """A tone is to be played.

    seats: whom it is about, () for nobody, or everybody. follows: it waits for the one that sounds, which it would cut
    off else.
    """

    tone: Tone
    seats: tuple[Colour, ...] = ()
    follows: bool = False


class Cue(NamedTuple):
    """What switch scanning offers a seat now, for that seat alone: to its phone, its earphone, its motor.

    number: the place of what is offered in the person's own order, from 1; 0: nothing is offered any more. says: what
    it is, for people; empty where nothing is.
    """

    colour: Colour
    number: int
    says: str


class Log(NamedTuple):
    """Worth a line in the program's log, not in the record."""

    text: str


class VoiceWish(Enum):
    """What somebody at the box wants of its voice."""

    AGAIN = "again"
    SLOWER = "slower"
    FASTER = "faster"
    QUIETER = "softer"
    LOUDER = "louder"


def wish_says(wish: VoiceWish) -> str:
    """Give a wish in words for people."""
    return {
        VoiceWish.AGAIN: text("say it again"),
        VoiceWish.SLOWER: text("speak slower"),
        VoiceWish.FASTER: text("speak faster"),
        VoiceWish.QUIETER: text("speak softer"),
        VoiceWish.LOUDER: text("speak louder"),
    }[wish]


class AskVoice(NamedTuple):
    """The box's voice is to do what somebody wants of it."""

    wish: VoiceWish


class Announce(NamedTuple):
    """Play waits until this has been said aloud: `Session.announced(token, t_ns)` is to be called at the end of it.

    says: the words. token: which announcement it is, 1 and more; only the newest is waited for. Where nobody can say it
    the session is told so at once, with the reason, and play goes on.
    """

    says: str
    token: int


class KeepTrials(NamedTuple):
    """The trials of a calibration are to be kept until it is gone on with; None: none are any more."""

    content: bytes | None


class Measured(NamedTuple):
    """Every seat has agreed to an allowance that trials speak for: it is to be kept for whoever sits there.

    name: of the person, "" where the seat has none.
    """

    colour: Colour
    name: str
    allowance: Allowance


class Played(NamedTuple):
    """A match is over: how far behind the median of the others each named player's presses were, race by race, in ms.

    match: its id, as its record has it. Told again where the match goes on and ends once more.
    """

    match: str
    gaps_ms: Mapping[str, tuple[int, ...]]


Effect = (
    Began | Wrote | TookIn | Recorded | Offered | GaveUp | Sound | Cue | Log | Announce | AskVoice | KeepTrials
    | Measured | Played
)  # fmt: skip

PUNISH = "punish"


def sounds_of(rulings: tuple[Ruling, ...], decision: Offer | None) -> list[Sound]:
    """Give who was first, if anybody, and after it what matters most. decision: what must be chosen now, None: nothing.

    Whoever was first and is punished for it is not called first.
    """
    firsts = first_of(rulings)
    first = [Sound(Tone.FIRST, firsts)] if firsts else []
    then = _most_urgent(rulings, decision, has_first=bool(first))
    return [*first, *(sound._replace(follows=bool(first)) for sound in then)]


def first_of(rulings: tuple[Ruling, ...]) -> tuple[Colour, ...]:
    """Give the seats on place 1 of the newest order in these rulings, without those that are punished for it."""
    orders = [ruling for ruling in rulings if isinstance(ruling, Order)]
    places = orders[-1].order if orders else ()
    return tuple(place.colour for place in places if place.place == 1 and place.verdict != PUNISH)


def _most_urgent(rulings: tuple[Ruling, ...], decision: Offer | None, *, has_first: bool) -> list[Sound]:
    if any(ruling.is_alarm() for ruling in rulings):
        return [Sound(Tone.TIME_UP)]
    punished = [one.colour for one in rulings if isinstance(one, Settled) and one.result == "punished"]
    if punished:
        return [Sound(Tone.PUNISHED, tuple(dict.fromkeys(punished)))]
    if decision is not None:
        return [Sound(Tone.CHOOSE, () if decision.seat is None else (decision.seat,))]
    return [] if has_first else [Sound(Tone.ACCEPTED)]
