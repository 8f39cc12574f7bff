"""The text stream of a box: hands it what has changed, and puts that into each reader's words. Part of `app`.

The words are the narrator's, who tells the voice and the pages too: whoever reads is told what the others hear.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Protocol

from companion.adapters.text_stream.server import TextStream
from companion.core.errors import Unavailable
from companion.core.shown.scene import Idle
from companion.core.words.texts import in_language
from companion.screens.everybody.public import public_scene, public_state
from companion.screens.speech.facts import KNOB, TITLE, Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.text.scene_lines import lines

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from companion.adapters.text_stream.wire import Asked
    from companion.app.turn.onlookers import Follower
    from companion.config.languages import Languages
    from companion.core.match.effects import Cue, Sound
    from companion.core.play.session import Session
    from companion.core.play.snapshot import Snapshot
    from companion.core.shown.scene import Scene
    from companion.core.words.language import Language

LOG = logging.getLogger("companion")


class Reader:
    """What one reader is told, in its language."""

    def __init__(self, language: Language, wordiness: Wordiness) -> None:
        self._language, self._narrator = language, Narrator(wordiness)
        self._reads_knob = wordiness is Wordiness.FULL

    def told(self, snapshot: Snapshot) -> Sequence[str]:
        """Give what is news: a sentence a line."""
        told = self._narrator.told(public_state(snapshot))
        if isinstance(snapshot.scene.body, Idle) and not self._reads_knob:  # which card it is is said once, turned
            told = [piece for piece in told if piece.group not in (TITLE, KNOB)]
        return [str(in_language(piece.text, self._language)) for piece in told]

    def standing(self, snapshot: Snapshot) -> Sequence[str]:
        """Give how everything stands, as everybody may see it."""
        return [str(in_language(text, self._language)) for text in lines(public_scene(snapshot.scene))]


class Loop(Protocol):
    """As much of the box's loop as is needed."""

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session, from any thread."""

    def follow(self, follower: Follower) -> None:
        """Have a follower told of each turn."""


class TextStreamFollower:
    """Lets anybody on this machine follow the match by `companion follow`. With nobody there it does nothing."""

    def __init__(self, path: Path, languages: Languages) -> None:
        self._languages = languages
        self._stream = TextStream(path, self._reader, self._someone_came)
        self._loop: Loop | None = None
        self._told: tuple[object, ...] = ()

    def open(self, loop: Loop) -> None:
        """Listen; where that cannot be, the log says so, and play goes on."""
        try:
            self._stream.open()
        except Unavailable as error:
            LOG.warning("%s", error)
            return
        self._loop = loop
        loop.follow(self)

    def _someone_came(self) -> None:
        """From the stream's thread: have how things stand handed on at the next turn, which is asked for."""
        if self._loop is not None:
            self._loop.call(self._renew)

    def _renew(self, _session: Session) -> None:
        self._told = ()

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Hand on a snapshot where something has changed and somebody reads."""
        if not self._stream.has_readers:
            return
        match = session.match
        told = (scene, match_id, *((0, 0) if match is None else (match.lines_written, match.durable_lines)))
        if told != self._told:
            self._told = told
            self._stream.follow(session.snapshot(now_ns, scene))

    def sound(self, sound: Sound) -> None:
        """A tone is the buzzer's."""

    def cue(self, cue: Cue) -> None:
        """What is offered to one seat alone is told to nobody else."""

    def close(self) -> None:
        """Let everybody go."""
        self._stream.close()

    def _reader(self, asked: Asked) -> Reader:
        language = self._languages.box if not asked.language else self._languages.find(asked.language)
        if language is None:
            known = ", ".join(one.code for one in self._languages.all)
            raise ValueError(f"this box does not speak {asked.language!r}; it speaks {known}")
        return Reader(language, Wordiness[asked.wordiness.upper()])
