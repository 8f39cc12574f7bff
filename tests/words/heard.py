"""All that a box says for people in a match of its own, in a made-up language: by where it is said.

What has letters of ours in it was never translated. Names are left out: fields of documents that programs go by, and
what people typed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.panel import Colour
from companion.core.shown.own_presses import Phone
from companion.core.words.encoding import encoder
from companion.core.words.texts import in_language
from companion.screens.everybody import public
from companion.screens.oled.glyphs import MORE
from companion.screens.oled.large import picture as large
from companion.screens.oled.picture import draw
from companion.screens.text.account import replay_account
from companion.screens.web import player
from companion.screens.web.matches import match_document
from companion.screens.web.offers import secrets_document
from companion.screens.web.state import games_document, look_document, state_document
from companion.testing.driving import Driver
from companion.testing.walks import only
from tests.words.pseudo import PSEUDO, ours, pseudo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.core.play.commands import Command, Done
    from companion.core.ruling.game import AnyGame
    from companion.screens.oled.canvas import Canvas

NAMES = frozenset((
    "type", "kind", "key", "keys", "name", "colour", "seat", "role", "roles", "symbol", "button", "also", "card",
    "cards", "owner", "by", "turn", "status", "verdict", "why", "result", "mood", "fate", "phase", "code", "look",
    "leaders", "made", "hidden_for", "disputed", "unsettled", "missing", "protest", "sign", "pressed", "group",
    "dead_heat", "timing", "url", "version", "outcomes", "wall", "default", "content", "rulings", "conditions",
    "urgency",
    "colours", "first", "state", "bitmap", "strokes", "names", "path", "files", "parameters", "file", "edition",
    "clauses", "rules", "source", "record", "timing",
))  # fmt: skip
"""Fields that programs go by: names of the record, of the format, of addresses."""
TYPED = frozenset(("test", "desk", "the", "suite", "code", "no", "such"))
"""What people type in these matches."""
REMARK = pseudo("Remark").rstrip("·⟧")
SMALL, WIDE = (128, 64), (256, 64)

Heard = dict[str, set[str]]


class Ear(Driver):
    """Drives a match and hears what is said in it. heard: texts with words of ours, by where; cut: what did not fit."""

    def __init__(self, game: AnyGame, seed: int) -> None:
        self.heard: Heard = defaultdict(set)
        self.cut: Heard = defaultdict(set)
        self._known = typed_in(game)
        super().__init__(game, seed)

    def look(self) -> None:
        """Hear what is shown now: the state, each seat's own page, the display's pictures."""
        snapshot = self.box.session.snapshot(round(self.box.now_ms * 10**6))
        self.document("state", state_document(snapshot, 1))
        shown = public.public_state(snapshot)
        for seat in (None, *self.seats):
            phone = Phone(seat, "A1", None if seat else Colour.RED)
            secrets = secrets_document(snapshot, seat)
            self.document("player", player.player_document(shown, phone, secrets))
        for size in (SMALL, WIDE):
            self._picture("oled", draw(self.box.scene, size, language=PSEUDO))
        for page in range(4):
            self._picture("oled large", large.draw(self.box.scene, SMALL, page, PSEUDO))

    def told(self) -> None:
        """Hear what is said of the whole match: its account, the match as a page has it, how its things look."""
        record = self.record()
        find = only(self.game)
        for sentence in replay_account(record, find, PSEUDO):
            if not sentence.startswith(REMARK):  # what it says stands in the record so
                self.hear("account", sentence)
        self.document("match", match_document(record, find))
        self.document("look", look_document(self.game))
        self.document("games", games_document([self.game]))

    def document(self, where: str, document: Any) -> None:
        """Hear all of a document but for its names."""
        self._walk(where, json.loads(encoder(PSEUDO)(document)))

    def hear(self, where: str, said: str) -> None:
        """Hear one text in that language."""
        if any(not self._is_cut(word, said) for word in ours(said, known=self._known)):
            self.heard[f"{self.game.name}: {where}"].add(said)

    def _is_cut(self, word: str, said: str) -> bool:
        """Tell whether a word is the beginning of a known one, cut for want of room."""
        return f"{word}{MORE}" in said and any(known.startswith(word.lower()) for known in self._known)

    def answers(self, given: Iterable[Done | CompanionError]) -> None:
        """Hear what commands were answered: done, or refused."""
        for one in given:
            where = "refused" if isinstance(one, CompanionError) else "done"
            self.hear(where, in_language(str(one) if isinstance(one, CompanionError) else one.says, PSEUDO))

    def _picture(self, where: str, canvas: Canvas) -> None:
        for placed in canvas.placed:
            self.hear(where, placed.text)
        for fault in canvas.faults():
            self.cut[f"{self.game.name}: {where}"].add(fault)

    def _walk(self, where: str, value: Any) -> None:
        if isinstance(value, dict):
            if value.get("type") == "remark":
                return  # as the record has it
            for key, one in value.items():
                if key not in NAMES and not (key == "game" and isinstance(one, str)):
                    self._walk(f"{where}.{key}", one)
        elif isinstance(value, list):
            for one in value:
                self._walk(where, one)
        elif isinstance(value, str):
            self.hear(where, value)

    def _command(self) -> None:
        command, self.box.command = self.box.command, self._heard_command  # type: ignore[method-assign]
        try:
            super()._command()
        finally:
            self.box.command = command  # type: ignore[method-assign]

    def _heard_command(self, command: Command, error_ns: int | None = 0) -> list[Done | CompanionError]:
        given = type(self.box).command(self.box, command, error_ns)
        self.box.run(self.box.now_ms + 5)
        self.answers(given)
        return given


def typed_in(game: AnyGame) -> frozenset[str]:
    """Give the words that people typed, small, in the files that come along with a game too; and its own name."""
    files = " ".join(str(one.default) for one in game.parameters if one.kind == "file" and isinstance(one.default, str))
    return TYPED | frozenset(word.lower() for word in ours(f"{game.title} {files}"))
