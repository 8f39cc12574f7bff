"""Players of every sort at one table: some at the box, some on phones; cards by scanner, some results by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.app.scanner import CardDesk
from companion.config.deck_file import Deck
from companion.core.errors import CompanionError
from companion.core.play.scanning import Scan
from tests.whole.at_the_box import AtTheBox
from tests.whole.phones import OnPhones, card_of
from tests.whole.playing import Players

if TYPE_CHECKING:
    from companion.core.panel import Colour
    from companion.core.ruling.offers import Offer
    from tests.whole.phones import Served


class Mixed(Players):
    """Plays at a table whose phones have some of the seats; the others have the box."""

    table: Served

    def __init__(self, table: Served) -> None:
        super().__init__(table)
        self._phones = OnPhones(table)
        at_the_box = [colour for colour in table.colours if colour not in table.phones]
        self._box = AtTheBox(table, at_the_box)
        cards = [card.name for card in table.game.deck for _ in range(card.copies)]
        self._codes = {f"CODE-{number}": card for number, card in enumerate(cards, start=1)}
        self._scanner = CardDesk(Deck(table.game.name, dict(self._codes)))

    def _anyone(self) -> Players:
        return self.random.choice((self._phones, self._box))

    def _of(self, seat: Colour | None) -> Players:
        if seat is None:
            return self._anyone()
        return self._phones if seat in self.table.phones else self._box

    def look_up(self) -> None:
        """See what has changed."""
        self._phones.look_up()

    def answer(self, offer: Offer) -> None:
        """Whoever decides does so in their own way."""
        self._of(offer.seat).answer(offer)

    def reveal(self, offer: Offer) -> None:
        """Show a card to the scanner, or enter it in another way."""
        card = card_of(self.random.choice(offer.options))
        codes = [code for code, name in self._codes.items() if name == card]
        if not codes or self.random.random() < 0.3:
            self._anyone().reveal(offer)
            return
        scan = Scan(self.random.choice(codes))
        given = self.table.box.request(lambda session, t_ns: self._scanner.enter(session, scan, t_ns))
        self.table.wait(100)
        if given and not isinstance(given[0], CompanionError):
            self.table.done.add(offer.kind)

    def name_card(self) -> None:
        """Answer which card was turned."""
        self._anyone().name_card()

    def race_on(self) -> None:
        """Press somewhere, close the race, or let its time pass."""
        self._anyone().race_on()

    def set_by_hand(self) -> None:
        """Set something at the desk or the box."""
        self._anyone().set_by_hand()

    def take_back(self) -> None:
        """Take back the newest doing."""
        self._anyone().take_back()

    def end(self) -> None:
        """End the game."""
        self._anyone().end()

    def accept(self) -> None:
        """Everybody accepts the result in their own way."""
        self._phones.accept()
        self._box.accept()
