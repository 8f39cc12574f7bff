"""The app's part that turns scanned codes into reveals of the running match, in their turn among the presses."""

from __future__ import annotations

import logging
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.pods.ports import open_port
from companion.adapters.scanner.reader import Scanner
from companion.app.parts import Part
from companion.config.deck_file import Deck, has_cards, printed_deck, read_deck
from companion.core.errors import CompanionError, Illegal
from companion.core.match.held_cards import HeldCard
from companion.core.play.commands import Done, scan_card
from companion.core.play.scanning import SCANNER, Scan, may_be_shown_again, scanned_remark, shown_codes
from companion.core.ruling.looks import card_says
from companion.games import registry

if TYPE_CHECKING:
    from companion.app.loop import BoxLoop
    from companion.config.settings import Scanner as ScannerSettings
    from companion.core.play.scanning import Unreadable
    from companion.core.play.session import Session

LOG = logging.getLogger("companion")


class CardDesk:
    """Picks or reveals what is scanned; what cannot be is said and sounded, and changes nothing."""

    def __init__(self, deck: Deck) -> None:
        self._deck = deck

    def enter(self, session: Session, scan: Scan | Unreadable, t_ns: int) -> Done:
        """Pick or reveal the card of a code that was read at `t_ns`. Raises Illegal, with the reason."""
        if not isinstance(scan, Scan):
            raise Illegal(f"the scanner read {scan.text}")
        card = self._deck.card(scan.code)
        if card is None:
            raise Illegal(f"no card has the code {scan.code}")
        match = session.match
        if match is None:
            raise Illegal(f"no match is running: {card} is not entered")
        if match.setup.game != self._deck.game:
            raise Illegal(f"the scanner's deck is {self._deck.game}'s, not {match.setup.game}'s")
        if says := session.pick_by_card(card, t_ns):
            return Done(says)
        revealed = shown_codes(match.history).get(scan.code)
        if revealed is not None and not may_be_shown_again(match, card, revealed, t_ns):
            raise Illegal(f"this {card_says(match.game.deck, card)} has been scanned already")
        if any(held.remark == scanned_remark(scan.code, card) for held in match.held):
            raise Illegal(f"this {card_says(match.game.deck, card)} has been scanned already")
        return scan_card(session, match, HeldCard(card, t_ns, scanned_remark(scan.code, card), SCANNER))


class CardScanner(Part):
    """The scanner of a box: hands each scan to the loop."""

    def __init__(self, chosen: ScannerSettings, deck: Deck) -> None:
        self._desk = CardDesk(deck)
        self._loop: BoxLoop | None = None
        self._port = Path(chosen.port)
        self._scanner = Scanner(
            self._port,
            partial(open_port, baud=chosen.baud),
            self._scanned,
            self._state,
            prefix=chosen.prefix,
        )

    def attach(self, loop: BoxLoop) -> None:
        """Begin to scan for this box."""
        self._loop = loop
        self._scanner.start()

    def close(self) -> None:
        """Stop."""
        self._scanner.close()

    def _scanned(self, scan: Scan | Unreadable, turned_ns: int) -> None:
        if self._loop is not None:
            self._loop.request(lambda session, _t_ns: self._desk.enter(session, scan, turned_ns), self._answer)

    def _answer(self, answer: Done | CompanionError) -> None:
        if isinstance(answer, CompanionError) and self._loop is not None:
            self._loop.box.session.refuse(str(answer))

    def _state(self, fault: str | None) -> None:
        if fault is None:
            LOG.info("the card scanner is there: %s", self._port)
        if self._loop is not None:
            self._loop.alarm("card scanner", fault)


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
