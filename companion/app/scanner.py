"""The app's part that turns scanned codes into reveals of the running match, in their turn among the presses."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.parts import Part
from companion.app.storing.profiles import LOST_CARD
from companion.config.deck_file import Deck, has_cards, printed_deck, read_deck
from companion.core.errors import CompanionError, Illegal
from companion.core.match.held_cards import HeldCard
from companion.core.play.commands import Done, SitDown, perform, scan_card
from companion.core.play.scanning import (
    CAMERA,
    READER,
    READING_NS,
    ReadBy,
    Scan,
    may_be_shown_again,
    scanned_remark,
    shown_codes,
)
from companion.core.profiles.exchange import MARK as PROFILE_MARK
from companion.core.profiles.sitting import NOBODY, card_in
from companion.core.ruling.looks import card_says
from companion.core.words.texts import text
from companion.games import registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.adapters.evdev.layouts import Layout
    from companion.adapters.evdev.wedge import Wedge
    from companion.adapters.nfc.reader import TagReader
    from companion.adapters.scanner.reader import Scanner
    from companion.app.loop import BoxLoop
    from companion.app.storing.profiles import StoredProfiles
    from companion.config.settings import Scanner as ScannerSettings
    from companion.core.panel import Colour
    from companion.core.play.scanning import Unreadable
    from companion.core.play.session import Session
    from companion.core.profiles.sitting import KnownPeople
    from companion.ports import SeenCode

LOG = logging.getLogger("companion")
_TWICE = text("this {card} has been scanned already")
_OTHER_LAYOUT = text('no card has the code {code}; {other} is one: set scanner.layout = "{layout}"')
_LAY_THERE = text("this {card} lay on the reader before it could be read: take it away, and put it there again")


class CardDesk:
    """Picks or reveals what is scanned; what cannot be is said and sounded, and changes nothing.

    people: whose own cards name who takes a seat. layout: of the keyboard that a scanner which types is taken for; None
    for another scanner.
    """

    def __init__(self, deck: Deck, people: KnownPeople = NOBODY, layout: Layout | None = None) -> None:
        self._deck, self._people, self._layout = deck, people, layout

    def enter(self, session: Session, scan: Scan | Unreadable, t_ns: int, by: ReadBy = READER) -> Done:
        """Pick or reveal the card of a code that was read at `t_ns`. Raises Illegal, with the reason."""
        if not isinstance(scan, Scan):
            raise Illegal(text("the scanner read {what}").format(what=scan.text))
        if (person := card_in(scan.code)) is not None:
            return self._sit(session, person, t_ns, by.seat)
        card = self._deck.card(scan.code)
        if card is None:
            raise Illegal(self._unknown(scan.code))
        match = session.match
        if match is None:
            raise Illegal(text("no match is running: {card} is not entered").format(card=card))
        if match.setup.game != self._deck.game:
            says = text("the scanner's deck is {deck}'s, not {game}'s")
            raise Illegal(says.format(deck=self._deck.game, game=match.setup.game))
        if by.sees_turning:
            _verify_time(scan, card_says(match.game.deck, card))
        if picked := session.pick_by_card(card, t_ns, by):
            return Done(picked)
        revealed = shown_codes(match.history).get(scan.code)
        if revealed is not None and not may_be_shown_again(match, card, revealed, t_ns):
            raise Illegal(_TWICE.format(card=card_says(match.game.deck, card)))
        remarks = [held.remark for held in match.held]
        remarks += [says for says, _ in match.announced.remarks] if match.announced is not None else []
        if scanned_remark(scan.code, card) in remarks:
            raise Illegal(_TWICE.format(card=card_says(match.game.deck, card)))
        remark = scanned_remark(scan.code, card)
        return scan_card(session, match, HeldCard(card, t_ns, remark, by.source, by.sees_turning), by.seat)

    def _sit(self, session: Session, person: str, t_ns: int, seat: Colour | None) -> Done:
        """Have whoever a card of one's own is of take a seat: that of the phone which read it, else the next one."""
        profile = self._people.by_card(person)
        if profile is None:
            raise Illegal(LOST_CARD)
        if seat is not None:
            return perform(session, SitDown(seat=seat, name=profile.name), t_ns)
        return Done(session.hold_card(profile))

    def _unknown(self, code: str) -> str:
        """Say that no card has a code, and where a wrong layout explains it, which would be right."""
        if self._layout is not None:
            from companion.adapters.evdev.layouts import retyped

            for layout, typed in retyped(code, self._layout).items():
                if self._deck.card(typed) is not None:
                    return _OTHER_LAYOUT.format(code=code, other=typed, layout=layout)
        return text("no card has the code {code}").format(code=code)


def _verify_time(scan: Scan, card: str) -> None:
    """Raise Illegal where nobody knows well enough when a card was shown: reaction times would be counted from it."""
    if scan.error_ns is None or scan.error_ns > READING_NS:
        raise Illegal(_LAY_THERE.format(card=card))


class CardScanner(Part):
    """The scanner of a box: hands each scan to the loop."""

    def __init__(self, chosen: ScannerSettings, deck: Deck, profiles: StoredProfiles | None = None) -> None:
        """profiles: of the box, which a scanned code of one is put among; None: it keeps none."""
        self._desk = CardDesk(deck, profiles or NOBODY, chosen.layout if chosen.kind == "keyboard" else None)
        self._profiles = profiles
        self._loop: BoxLoop | None = None
        self._port = chosen.port
        self._scanner = make_scanner(chosen, self._scanned, self._state)

    def attach(self, loop: BoxLoop) -> None:
        """Begin to scan for this box."""
        self._loop = loop
        self._scanner.start()

    def close(self) -> None:
        """Stop."""
        self._scanner.close()

    def _scanned(self, scan: Scan | Unreadable, turned_ns: int) -> None:
        if self._loop is None:
            return
        if isinstance(scan, Scan) and scan.code.upper().startswith(PROFILE_MARK):
            self._loop.request(self._take_in(scan.code), self._answer)
        else:
            self._loop.request(lambda session, _t_ns: self._desk.enter(session, scan, turned_ns), self._answer)

    def _take_in(self, code: str) -> Callable[[Session, int], Done]:
        """Keep a profile that was scanned, in this thread, as the loop waits for no disk; give what the loop then does.

        Only before a match: nothing that is scanned within one holds up the cards that come after it.
        """
        try:
            if self._profiles is None or self._loop is None:
                raise Illegal(text("this box keeps no profiles"))
            if self._loop.box.session.match is not None:
                raise Illegal(text("a profile is taken in before a match: end it, and scan it again"))
            profile = self._profiles.take_in(code.encode())
        except CompanionError as error:
            return partial(_refuse, error)
        return lambda session, _t_ns: Done(session.hold_card(profile))

    def _answer(self, answer: Done | CompanionError) -> None:
        if isinstance(answer, CompanionError) and self._loop is not None:
            self._loop.box.session.refuse(str(answer))

    def _state(self, fault: str | None) -> None:
        if fault is None:
            LOG.info("the card scanner is there: %s", self._port)
        if self._loop is not None:
            self._loop.alarm("card scanner", fault)


def _refuse(error: CompanionError, _session: Session, _t_ns: int) -> Done:
    raise error


def make_scanner(
    chosen: ScannerSettings,
    on_scan: Callable[[Scan | Unreadable, int], None],
    on_state: Callable[[str | None], None],
) -> Scanner | Wedge | TagReader:
    """Give the scanner that the settings name, not started: at a serial port, one that types, or a reader of tags."""
    if chosen.kind == "keyboard":
        from companion.adapters.evdev.wedge import Wedge

        return Wedge(chosen.port, chosen.layout, on_scan, on_state, prefix=chosen.prefix)
    from companion.adapters.pods.ports import open_port

    if chosen.kind == "pn532":
        from companion.adapters.nfc.reader import TagReader, open_chip

        open_bus = partial(open_chip, open_port=open_port)
        return TagReader(Path(chosen.port), open_bus, on_scan, on_state, by_text=chosen.tags == "text")
    from companion.adapters.scanner.reader import Scanner

    return Scanner(Path(chosen.port), partial(open_port, baud=chosen.baud), on_scan, on_state, prefix=chosen.prefix)


def load_deck(scanner: ScannerSettings, game: str) -> Deck:
    """Give the deck that the settings name, else the printed one: of the next match's `game`, or of the first that has
    cards.

    Another game may be chosen at the table; what is scanned in a match without cards is refused then, and says why.
    Raises Malformed, Unavailable.
    """
    if scanner.deck:
        return read_deck(Path(scanner.deck).expanduser())
    if has_cards(game):
        return printed_deck(game)
    return printed_deck(next((name for name in registry.names() if has_cards(name)), game))


class Cameras:
    """Enters codes that cameras of pages read, by the settings' deck, else the printed one of the game on the table.

    Such a code means what one of a card reader does, but for two things. Nobody has seen the card being turned: a
    camera is held over it later, so it is entered as by hand, as of when its code arrived. And a phone may play a seat:
    then it picks for that seat alone, and enters a card where that seat may. A phone could say a code that it never
    saw, but also, by a tap, a card that was never turned: it gains nothing by it.

    people: whose own cards name who takes a seat.
    """

    def __init__(self, chosen: ScannerSettings, people: KnownPeople = NOBODY) -> None:
        self._chosen, self._people = chosen, people
        self._own: Deck | None = None

    def prepare(self) -> None:
        """Read the deck's file, once; in any thread but the loop's. Raises Malformed, Unavailable."""
        if self._chosen.deck and self._own is None:
            self._own = read_deck(Path(self._chosen.deck).expanduser())

    def enter(self, session: Session, seen: SeenCode, t_ns: int) -> Done:
        """Pick or reveal the card of a code that arrived at `t_ns`. Raises Illegal, with the reason."""
        by = ReadBy(CAMERA, max(READING_NS, seen.error_ns), seen.seat)
        return CardDesk(self._deck(session), self._people).enter(session, Scan(seen.code), t_ns, by)

    def _deck(self, session: Session) -> Deck:
        if self._own is not None:
            return self._own
        game = session.match.setup.game if session.match is not None else session.table.game
        return printed_deck(game) if has_cards(game) else Deck(game)
