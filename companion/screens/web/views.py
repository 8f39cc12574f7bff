"""All documents of the web in one object, as the web server's port wants them. Pure; finds games by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal
from companion.core.evidence.strip import strip_of
from companion.core.match.veil import is_veiled, open_lines, veil_of_race, veiled_content, veiled_says
from companion.core.play.commands import STILL_HIDDEN, preview_of
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.shown.race_rows import basis_of
from companion.core.shown.times import USUAL as USUAL_TIMES
from companion.core.words.language import ENGLISH
from companion.screens.everybody.looks import game_of_look
from companion.screens.everybody.public import public_scene, public_state
from companion.screens.oled.large.drawing import drawing as usual_drawing
from companion.screens.oled.large.leafing import page_after
from companion.screens.strip.layout import USUAL, drawing, lanes_alone
from companion.screens.strip.svg import svg
from companion.screens.text import history
from companion.screens.text.terms import words_document
from companion.screens.web import health as health_documents
from companion.screens.web import matches as match_documents
from companion.screens.web import offers as offer_documents
from companion.screens.web import state as state_documents
from companion.screens.web.player import player_document

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from PIL import Image

    from companion.core.panel import Colour
    from companion.core.play.commands import PreviewForNewCard, PreviewReplace
    from companion.core.play.snapshot import Running, Snapshot
    from companion.core.ruling.game import Game
    from companion.core.ruling.replacing import Preview
    from companion.core.shown.own_presses import Phone
    from companion.core.timing.line_health import LineHealth
    from companion.core.words.language import Language
    from companion.screens.everybody.public import PublicState
    from companion.screens.oled.large.leafing import Draw

Document = dict[str, Any]


class Views:
    """Documents for the games that `find_game` knows. size: of the OLED's picture. draw: None: by usual letters.

    shows: how pages are to show things. leaf_ns: how long each of several pictures of a scene stands.
    """

    def __init__(
        self,
        find_game: Callable[[str], Game[Any]],
        names: Iterable[str],
        size: tuple[int, int] = (128, 64),
        draw: Draw | None = None,
        shows: state_documents.Shows = state_documents.USUAL_SHOWS,
        leaf_ns: int = USUAL_TIMES.leaf_ns,
    ) -> None:
        self._shows, self._leaf_ns = shows, leaf_ns
        self._find, self._names, self._size = find_game, names, size
        self._draw = draw or usual_drawing("usual")
        self._newest: tuple[Snapshot, PublicState] | None = None

    def state(self, snapshot: Snapshot, match_id: int | None) -> Document:
        """Give the state document."""
        return state_documents.document_of(self._public_of(snapshot), match_id, self._shows)

    def health(
        self, inputs: Iterable[LineHealth], now_ns: int, running: Running | None, phones: Collection[Colour]
    ) -> Document:
        """Give how each input is, unless that would say who presses."""
        return health_documents.health_document(inputs, now_ns, health_documents.why_withheld(running, phones))

    def course(self, running: Running) -> list[Document]:
        """Give the whole course of a match, newest first."""
        return history.entries(running.history.up_to(running.shown), running.game, veil=running.veil)

    def event(self, running: Running, index: int) -> tuple[Document, tuple[Document, ...], tuple[str, ...]]:
        """Give entry `index` of a course: the line as the record has it, its rulings, both in sentences.

        Of a line that hides something from others, only what it is and whose; of one not to be seen yet, only what.
        """
        told = running.history[index]
        if is_veiled(told, running.veil):
            return veiled_content(told.line), (), (veiled_says(told.line),)
        rulings = tuple(match_documents.content(ruling) for ruling in told.rulings)
        return (
            match_documents.public_content(told.line, running.game),
            rulings,
            tuple(history.sentences(running.history, index, running.game)),
        )

    def record(self, running: Running, match_id: int | None) -> Document:
        """Give what of the record can be replaced."""
        return match_documents.record_document(running.history, match_id, running.game, running.veil)

    def preview(self, running: Running, command: PreviewReplace | PreviewForNewCard) -> Document:
        """Give what a replacement would lead to. Raises Malformed, Illegal or Changed."""
        if running.veil is not None:
            raise Illegal(STILL_HIDDEN)
        before = running.game.outcome(running.state)
        done = preview_of(Judge(self._find), before, running.history, command)
        return self.replaced(running, done.preview) if done.preview is not None else {}

    def replaced(self, running: Running, preview: Preview) -> Document:
        """Give what a replacement led to."""
        return match_documents.preview_document(preview, running.history, running.game, basis_of(running.setup, None))

    def games(self) -> list[Document]:
        """Give the games that can be played."""
        return state_documents.games_document(self._find(name) for name in self._names)

    def words(self) -> Document:
        """Give what the words on the pages mean."""
        return words_document()

    def look(self, name: str) -> Document:
        """Give how a game's things look; `name`: of the game, or of a look of it. Raises UnknownGame."""
        return state_documents.look_document(game_of_look(name, self._find))

    def steps(self, running: Running, kind: str, seat: Colour | None, chosen: tuple[str, ...]) -> Document:
        """Give the next field of a choice of many fields. Raises Illegal."""
        return offer_documents.step_document(running, kind, seat, chosen)

    def secrets(self, snapshot: Snapshot, seat: Colour | None) -> list[Document]:
        """Give the private choices of a seat: for its own eyes alone."""
        return offer_documents.secrets_document(snapshot, seat)

    def player(self, snapshot: Snapshot | None, phone: Phone) -> Document:
        """Give all that a player's page says; None before the first state."""
        if snapshot is None:
            return player_document(None, phone)
        secrets = offer_documents.secrets_document(snapshot, phone.seat)
        in_hand = offer_documents.in_hand_document(snapshot, phone.seat)
        return player_document(self._public_of(snapshot), phone, secrets, in_hand)

    def _public_of(self, snapshot: Snapshot) -> PublicState:
        """Give what everybody may see; made once of each snapshot, however many pages show it."""
        if self._newest is None or self._newest[0] is not snapshot:
            self._newest = (snapshot, public_state(snapshot))
        return self._newest[1]

    def hides(self, running: Running) -> bool:
        """Tell whether the record of a running match says what not everybody may know yet."""
        if running.is_over:
            return False
        if running.veil is not None:
            return True
        return any(match_documents.is_hidden(told.line, running.game) for told in running.history)

    def open_lines(self, running: Running) -> int:
        """Tell how many lines of a running match everybody may see now."""
        return open_lines(running.history.up_to(running.shown), running.veil)

    def cut_off(self, lines: Sequence[bytes]) -> tuple[int, bool]:
        """Tell of the record of a match that may be taken up again: `open_lines` and `hides` of it as it stands.

        What cannot be judged of it is nobody's to see.
        """
        judge = Judge(self._find)
        for _ in judged_lines(lines, judge):
            pass
        if judge.game is None or judge.setup is None:
            return 0, True
        veil = veil_of_race(judge.game.race(judge.state), judge.setup, judge.history)
        hidden = any(match_documents.is_hidden(told.line, judge.game) for told in judge.history)
        return open_lines(judge.history, veil), veil is not None or hidden

    def match(self, lines: Iterable[bytes]) -> Document:
        """Give a past match, judged again."""
        return match_documents.match_document(lines, self._find)

    def strip(
        self,
        lines: Iterable[bytes],
        race: int,
        find_evidence: Callable[[str], bytes | None],
        width: int | None,
        *,
        lanes: bool = False,
        language: Language = ENGLISH,
    ) -> str:
        """Draw a race as a photo finish, as SVG; `lanes`: nothing but those."""
        strip = strip_of(lines, race, self._find, find_evidence)
        lay_out = lanes_alone if lanes else drawing
        return svg(lay_out(strip, USUAL if width is None else width, language), f"strip-{race}")

    def oled(self, snapshot: Snapshot, shown_ns: int = 0) -> Image.Image:
        """Draw the OLED's picture as everybody may see it; of several, the one after it has stood so long."""
        return self._draw(public_scene(snapshot.scene), self._size, page_after(shown_ns, self._leaf_ns)).image
