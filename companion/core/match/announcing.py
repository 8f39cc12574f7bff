"""A spoken start: a card is said aloud before anybody sees it, and its race opens at the end of the word. Pure.

Theory of operation. A card that is entered or scanned while no race runs is kept back, and `Announce` asks whoever
speaks to say it. At the end of the word it is revealed, at that instant: displays show it, the record has it, and
presses count from then on. Who listens and who looks know it at the same time. A press before that is too early: it is
told, noted with its time, and does not count. Where nobody can speak, or no end comes in time, the card is revealed at
once, and the record says why. A box that stops within the word has not revealed the card: it is entered again.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.match.effects import Announce, Log, Sound, Tone
from companion.core.match.race_phases import Stage
from companion.core.panel import BUTTON_BY_LABEL
from companion.core.record.told_presses import told_time
from companion.core.ruling.looks import card_says
from companion.core.ruling.offers import Option
from companion.core.ruling.race import RacePhase
from companion.core.words.texts import text

if TYPE_CHECKING:
    from companion.core.match.match import Match
    from companion.core.record.lines import Reveal
    from companion.core.timing.events import Press

IS_ANNOUNCED = text("a card is announced: the race opens at the end of the word")
REVEALED = text("revealed: {card}")
OF_THE_CARD = (IS_ANNOUNCED.message, REVEALED.message)
"""Notices that say of a card what the course says too, or the voice is saying."""
NO_END = text("the end of the word was not told in time")
TOO_EARLY = text("too early")
SPOKEN = "spoken start: each race opens at the end of the word that says its card"
"""The remark at the beginning of such a match."""


@dataclass(slots=True)
class Announced:
    """A card that is being said, of which no end is waited for after `until_ns`.

    remarks: what is noted once it is revealed, each with its source.
    """

    reveal: Reveal
    token: int
    until_ns: int
    remarks: list[tuple[str, str]] = field(default_factory=list)


def is_due(match: Match) -> bool:
    """Tell whether a card that is entered now is to be announced first."""
    is_free = match.stage is Stage.BETWEEN and match.phase in {RacePhase.WAITING, RacePhase.OPEN}
    return match.settings.is_spoken and is_free and match.setup.timing == "race"


def begin(match: Match, reveal: Reveal, t_ns: int) -> None:
    """Have a card announced.

    Raises Illegal where that card cannot be there, or another is being announced; nothing has changed then.
    """
    if match.announced is not None:
        raise Illegal(text("another card is being announced: it is revealed first"))
    copy(match.judge).feed(reveal)
    match.announcements += 1
    plain = replace(reveal, turned=None)  # nobody sees it before the end of the word
    match.announced = Announced(plain, match.announcements, t_ns + match.settings.announcement_ns)
    match.effects.append(Announce(card_says(match.game.deck, reveal.card), match.announcements))


def end(match: Match, token: int, t_ns: int, fault: str = "") -> None:
    """The word has ended, or was not said (`fault`): reveal its card. The end of an older one means nothing."""
    announced = match.announced
    if announced is None or announced.token != token:
        return
    match.announced = None
    if fault:
        match.remark(f"the card was not spoken: {fault}", "voice")
        match.effects.append(Log(f"not spoken: {fault}"))
    match.opened_ns = t_ns
    match.reveal(Option(announced.reveal.card, announced.reveal), t_ns, is_said=True)
    for remark in announced.remarks:
        match.remark(*remark)


def withdraw(match: Match) -> None:
    """Announce no more: the card was entered wrongly."""
    match.announced = None
    match.effects.append(Sound(Tone.ACCEPTED))


def is_too_early(match: Match, t_ns: int) -> bool:
    """Tell whether a press at this instant came before the end of the word, however late it was delivered."""
    return match.announced is not None or t_ns < match.opened_ns


def refuse_early(match: Match, press: Press) -> None:
    """A press before the end of the word: it is told and noted, and does not count."""
    if not match.repeated.leaves_out(press.line, press.t_ns):
        when = told_time(press.t_ns, press.error_ns)
        match.remark(f"{press.line}: too early: pressed before the end of the word {when}", press.line)
    match.effects.append(Sound(Tone.REFUSED, (BUTTON_BY_LABEL[press.line].colour,)))


def revealed_says(match: Match, label: str) -> str:
    """Say that a card was entered, without saying which while it is announced."""
    return IS_ANNOUNCED if match.announced is not None else REVEALED.format(card=label)
