"""A card reader's bytes as codes, and what a scanned card means in a match. Knows no port, no deck and no game by name.

Readers end a code with CR, LF or both, and may be set to send a prefix. What is no code (wrong prefix, unprintable,
too long) is told as such, so that a wrongly set reader is noticed at the first card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.hands.choosing import Pick, Progress
from companion.core.profiles.exchange import LONGEST_CODE as LONGEST_PROFILE
from companion.core.profiles.exchange import MARK as PROFILE_MARK
from companion.core.record.lines import Line, Remark, Reveal
from companion.core.ruling.looks import card_says
from companion.core.ruling.offers import REVEAL
from companion.core.shown.scene import MenuItem
from companion.core.timing.events import SECOND
from companion.core.words.texts import joined, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.core.match.match import Match
    from companion.core.panel import Colour
    from companion.core.play.match_menus import MatchMenus
    from companion.core.play.opened import OpenedOffers
    from companion.core.ruling.history import History
    from companion.core.ruling.offers import Offer

LONGEST_CODE = 64
SCANNER = "scanner"
"""The source of the remark that follows each scanned reveal in a record: "scanned CODE: CARD"."""
_SAID = "scanned "
READING_NS = SECOND // 2
"""The longest that a reader is taken to need from the card to its code: what a card picks is timed no better."""
TWICE_NS = 2 * SECOND
"""A code that is read again so soon was read twice by the reader, and not shown again."""
CAMERA = "camera"
"""The source of that remark where the camera of a page read the code. Nobody knows when its card was turned."""
_NO_CODE = text("bytes that are no code: is the reader's speed right?")


class Scan(NamedTuple):
    """A code was read. error_ns: how much earlier its card may have been shown; None where nobody knows."""

    code: str
    error_ns: int | None = 0


class Unreadable(NamedTuple):
    """Something was read that is no code; text: what is wrong with it."""

    text: str


class ReadBy(NamedTuple):
    """What read a code.

    source: `SCANNER` or `CAMERA`. error_ns: the longest from the card to its code. seat: whose phone it was, which
    picks for that seat alone, and shows a card where that seat may; None: a device of the box, or the referee's.
    """

    source: str = SCANNER
    error_ns: int = READING_NS
    seat: Colour | None = None

    @property
    def sees_turning(self) -> bool:
        """Tell whether a card was turned when its code came: a reader waits for it, a camera is held over it later."""
        return self.source == SCANNER

    def may_pick(self, offer: Offer) -> bool:
        """Tell whether a card that was read so may pick of an offer."""
        return self.seat is None or offer.seat is self.seat


READER = ReadBy()
"""A card reader of the box."""


class Condition:
    """Hands on how a scanner is, once each time that it changes: what is wrong with it, None for nothing."""

    def __init__(self, on_state: Callable[[str | None], None]) -> None:
        self._on_state = on_state
        self._told: str | None = ""  # nothing yet: that all is well is told too

    def tell(self, fault: str | None) -> None:
        """Say how it is now."""
        if fault != self._told:
            self._told = fault
            self._on_state(fault)


class ScannedLines:
    """Cuts a reader's bytes, in any portions, into scans.

    prefix: what the reader sends before each code. no_code: what is said of bytes that none has.
    """

    def __init__(self, prefix: str = "", no_code: str = _NO_CODE) -> None:
        self._prefix, self._no_code = prefix, no_code
        self._begun = bytearray()
        self._is_overlong = False

    def feed(self, data: bytes) -> list[Scan | Unreadable]:
        """Take the next bytes, give the scans that they complete."""
        found: list[Scan | Unreadable] = []
        for byte in data:
            if byte in b"\r\n":
                found += self._end()
            elif len(self._begun) < self._longest():
                self._begun.append(byte)
            else:
                self._is_overlong = True
        return found

    def forget(self) -> None:
        """Begin anew: what has come is no code."""
        self._begun, self._is_overlong = bytearray(), False

    def _longest(self) -> int:
        """Give how long what is being read may be: a person's profile is longer than any card's code."""
        is_profile = self._begun.startswith((self._prefix + PROFILE_MARK).encode())
        return len(self._prefix) + (LONGEST_PROFILE if is_profile else LONGEST_CODE)

    def _end(self) -> list[Scan | Unreadable]:
        raw, self._begun = bytes(self._begun), bytearray()
        is_overlong, self._is_overlong = self._is_overlong, False
        if is_overlong:
            return [Unreadable(text("a code of more than {most} characters").format(most=LONGEST_CODE))]
        try:
            read = raw.decode("ascii").strip(" \t\x02\x03")  # STX and ETX frame the codes of some RFID readers
        except UnicodeDecodeError:
            return [Unreadable(self._no_code)]
        if not read:
            return []  # the LF of a CRLF, or an empty scan
        if not read.isprintable():
            return [Unreadable(self._no_code)]
        if not read.startswith(self._prefix):
            says = text("a code without the prefix {prefix}: {code}")
            return [Unreadable(says.format(prefix=repr(self._prefix), code=read))]
        code = read.removeprefix(self._prefix)
        return [Scan(code)] if code else []


def scanned_remark(code: str, card: str) -> str:
    """Say for the record that a reveal was scanned; `shown_codes` reads it back."""
    return f"{_SAID}{code}: {card}"


def shown_codes(history: History) -> dict[str, int]:
    """Give the codes of the cards that have been revealed by a scanner or camera and whose reveal still stands.

    Each with the number of the line that revealed it last.
    """
    codes: dict[str, int] = {}
    reveal: int | None = None
    for told in history:
        if isinstance(told.line, Reveal):
            reveal = told.number
        elif (
            isinstance(told.line, Remark) and told.line.source in (SCANNER, CAMERA) and told.line.text.startswith(_SAID)
        ):
            code = told.line.text.removeprefix(_SAID).rpartition(": ")[0]
            if reveal is not None and history.taken_back_by(reveal) is None:
                codes[code] = reveal
    return codes


def may_be_shown_again(match: Match, card: str, revealed: int, t_ns: int) -> bool:
    """Tell whether a code of `card` that line `revealed` showed may be shown again at `t_ns`: its card has come back.

    A card comes back with others, so that cards are on offer that were not before (a new deal, a new round); or it is
    on offer although every copy of it lies there, which a reader that reads a card twice at once does not mean.
    """
    back = _came_back(match)
    if revealed < back:
        return True
    lying = [
        told.line
        for told in match.history.standing()
        if isinstance(told.line, Reveal) and told.line.card == card and told.number >= back
    ]
    copies = next((one.copies for one in match.game.deck if one.name == card), 1)
    newest_ns = max((line.t_ns for line in lying if line.t_ns is not None), default=0)
    return card in _on_offer(match.offers()) and len(lying) >= copies and t_ns >= newest_ns + TWICE_NS


def _came_back(match: Match) -> int:
    """Give the number of the line from which on the cards are counted that lie there: all before are in play again."""
    back, before = 0, frozenset[str]()
    for told in match.history.standing():
        if isinstance(told.line, Reveal):
            now = _on_offer(match.game.offers(told.before))
            back, before = (told.number if before and now - before else back), now
    now = _on_offer(match.offers())
    return match.lines_written + 1 if before and now - before else back


def _on_offer(offers: Iterable[Offer]) -> frozenset[str]:
    options = (option for offer in offers if offer.kind == REVEAL for option in offer.options)
    return frozenset(option.line.card for option in options if isinstance(option.line, Reveal))


def pick_by_card(menus: MatchMenus, card: str, t_ns: int, by: ReadBy = READER) -> str:
    """Pick what a scanned card names of what is asked, and say what was done; empty where it can only be revealed.

    What is on the display comes first; else what must be decided, or is chosen field by field. Raises Illegal where the
    card could mean several things, what it picks is refused, or nobody asks for it and no card is turned now.
    """
    match, opened = menus.match, menus.opened
    if match.stage.is_of_race or match.is_over:
        return ""
    asked = _asked_of(menus, by)
    found = [(asked, act) for act in opened.by_card(asked, card)] if asked is not None else []
    says = card_says(match.game.deck, card)
    others = [o for o in match.offers() if o.kind != REVEAL and (o.required or o.is_stepped) and by.may_pick(o)]
    if not found:
        _refuse_ambiguous(opened, [asked] if asked is not None else [], card, says)
        found = [(offer, act) for offer in others for act in opened.by_card(offer, card)]
        if card in _on_offer(match.offers()):
            found += [(offer, None) for offer in match.offers_of(REVEAL)[:1]]
    if not found:
        _refuse_ambiguous(opened, others, card, says)
    if len(found) > 1:
        meant = joined(dict.fromkeys(_called(offer) for offer, _ in found), "; ")
        several = text("{card} could mean several things ({meant}): open one of them first, and pick there")
        raise Illegal(several.format(card=says, meant=meant))
    if not found and match.race is None and not match.offers_of(REVEAL):
        raise Illegal(text("{card} is not asked for now").format(card=says))
    if not found or found[0][1] is None:
        return ""
    offer, act = found[0]
    done = text("chosen") if offer.is_private else text("chosen: {card}").format(card=says)
    if isinstance(act, Progress):
        menus.perform(Pick(MenuItem(""), act), t_ns, by.error_ns)
    elif isinstance(act, Line):
        match.choose(act, t_ns, by.error_ns)
        menus.put_away(done)
    return done


def _asked_of(menus: MatchMenus, by: ReadBy) -> Offer | None:
    """Give what is asked on the display, None where that is nothing, or not for whoever scans."""
    asked = menus.chosen_now()
    return asked if asked is not None and by.may_pick(asked) else None


def _refuse_ambiguous(opened: OpenedOffers, offers: Iterable[Offer], card: str, says: str) -> None:
    """Raise Illegal where a card is in an offer in several ways, and say what to choose of it first."""
    for offer in offers:
        if before := opened.asked_before(offer, card):
            several = text("{card} fits in several ways: choose first ({before}), then scan it")
            raise Illegal(several.format(card=says, before=before))


def _called(offer: Offer) -> str:
    return joined((offer.seat.says, offer.prompt), ": ") if offer.seat is not None else offer.prompt
