"""A box on a clock of the test's own with all games, at which people sit down, play and are watched.

What is common to every way of playing: how the match stands, what may be decided, how long it has been since anything
was written, and what everybody may see at every instant.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.record.lines import NOTES, Undo
from companion.core.ruling.judge import judge_record
from companion.core.ruling.offers import REVEAL
from companion.core.shown.scene import Final
from companion.core.timing.contacts import LineTiming
from companion.core.timing.events import MS
from companion.core.words.encoding import encode
from companion.screens.oled.picture import render
from companion.screens.text import scene_lines
from companion.screens.text.account import replay_account
from companion.screens.web.matches import is_hidden, public_content
from companion.screens.web.state import state_document
from companion.testing.driving import OneSeed
from companion.testing.possible import covers
from companion.testing.virtual_box import VirtualBox, live_rulings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.match.match import Match
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.history import Told
    from companion.core.ruling.offers import Offer

CAP = 120
"""After so many lines everybody wants to come to the end."""
PATIENCE = 60
"""So many things are done at most without a line being written."""
MOST = 12 * CAP
"""No match takes so many steps."""
SIZE = (128, 64)


class Stuck(AssertionError):
    """Nothing that anybody can do leads on."""


class Tabled:
    """A box at which `game` is to be played. random: what everybody decides follows from it.

    more: so many seats at most beyond the fewest.
    """

    def __init__(self, game: AnyGame, seed: int, way: str, lines: Iterable[str] = (), more: int = 5) -> None:
        self.game = game
        self.random = Random(f"{game.name} {way} {seed}")
        self.box = VirtualBox(
            (), game.name, find=lambda _name: game, games=(game.name,), start=False, seeds=OneSeed(),
            play=PlaySettings(), timings={line: LineTiming() for line in lines},
        )  # fmt: skip
        most = min(game.seats.most, game.seats.fewest + more)
        self.colours = self.random.sample(list(Colour), self.random.randint(game.seats.fewest, most))
        self.done: set[str] = set()
        """The kinds of offers that were answered."""
        self._lines = self._idle = self._looked = 0

    # -- how it stands -----------------------------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match that runs, or has just ended."""
        match = self.box.session.match
        assert match is not None, self.says()
        return match

    @property
    def wants_end(self) -> bool:
        """Tell whether everybody wants to come to the end."""
        return self.match.lines_written > CAP

    def required(self) -> list[Offer]:
        """Give what must be decided now."""
        return [offer for offer in self.match.offers() if offer.required]

    def optional(self) -> list[Offer]:
        """Give what may be decided now, cards aside."""
        return [offer for offer in self.match.offers() if not offer.required and offer.kind != REVEAL]

    def cards(self) -> list[Offer]:
        """Give the offers of cards that may be revealed now."""
        return [offer for offer in self.match.offers_of(REVEAL) if offer.options]

    def colour_of(self, offer: Offer) -> Colour:
        """Give whose decision it is."""
        assert offer.seat is not None
        return offer.seat

    def says(self) -> str:
        """Say how it stands, for whoever reads why a test failed."""
        match = self.box.session.match
        scene = self.box.scene
        lines = self.box.record()[-4:]
        offers = [(o.kind, o.seat, o.required, o.is_private, o.at_once) for o in match.offers()] if match else []
        return f"\noffers: {offers}\nnotice: {scene.notice!r}\nshown: {scene.body}\nlines: {lines}"

    # -- time --------------------------------------------------------------------------------------------------------

    def wait(self, ms: float) -> None:
        """Let time pass; what everybody may see is looked at where something was written."""
        before = self.match.lines_written if self.box.session.match else 0
        self.box.run(self.box.now_ms + ms)
        if self.box.session.match is not None and self.match.lines_written != before:
            self.look()

    def went_on(self) -> None:
        """Note that something was done. Raises Stuck where nothing has come of the last many."""
        lines = self.match.lines_written
        self._idle = 0 if lines != self._lines else self._idle + 1
        self._lines = lines
        if self._idle > PATIENCE:
            raise Stuck(f"nothing was written any more{self.says()}")
        if lines > MOST:
            raise Stuck(f"it does not come to an end{self.says()}")

    # -- what is seen ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """Look at what everybody may see: it can be drawn, and nothing that was chosen in secret is told."""
        document = encode(self.public())
        for offer in self.match.offers():
            if offer.is_private:
                told = [option.key for option in offer.options if option.key.encode() in document]
                assert told == [], f"told to everybody: {told}"
        history = self.match.history
        for index in range(self._looked, len(history)):
            self._see(history[index])
        self._looked = len(history)

    def _see(self, told: Told) -> None:
        """See that a line which was chosen in secret is not told to everybody."""
        if told.number > 1 and not isinstance(told.line, (*NOTES, Undo)):
            for offer in self.game.offers(told.before):
                if offer.is_private and covers(self.game, told.before, offer, told.line):
                    assert is_hidden(told.line, self.game), f"told to everybody: {told.line}"

    def public(self) -> dict[str, Any]:
        """Give the state document, and the newest lines as everybody may have them."""
        lines = [public_content(told.line, self.game) for told in self.match.history[-8:]]
        snapshot = self.box.session.snapshot(round(self.box.now_ms * MS))
        return {"state": state_document(snapshot, 1), "lines": lines}

    def draw(self) -> None:
        """Draw what the box's own displays show."""
        scene = self.box.scene
        render(scene, SIZE)
        list(scene_lines.lines(scene))

    # -- the end -----------------------------------------------------------------------------------------------------

    def verify_end(self) -> None:
        """The final display is there, the record is judged the same again, and the account can be read to its end."""
        self.box.run(self.box.now_ms + 2500)
        assert isinstance(self.box.body, Final), self.says()
        assert self.box.types().count("end") == 1
        self.draw()
        self.public()
        find = self.box.find
        record = self.box.record()
        again = [encode(ruling) for ruling in judge_record(record, find)]
        assert again == [encode(ruling) for ruling in live_rulings(self.box)]
        assert list(replay_account(record, find))
