"""All voices of one box: its own, which follows the loop, says what is news and what a race opens with, and earphones.

Each earphone is a voice of its own, for one seat. What goes wrong is said on the box, and play goes on without.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Protocol

from companion.adapters.voice import EspeakNg
from companion.app.speech.earphone import Earphone
from companion.app.speech.speakers import languages_spoken, manner_of, speakers_of
from companion.app.speech.spellings import spellings
from companion.app.speech.voice_thread import VoiceThread
from companion.core.match.effects import VoiceWish, wish_says
from companion.core.panel import Colour
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import Urgency
from companion.core.words.texts import in_language
from companion.screens.everybody.public import public_state
from companion.screens.speech.facts import Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.pronounced import pronounced

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.turn.onlookers import Follower
    from companion.app.turn.right_of_way import RightOfWay
    from companion.config.languages import Languages
    from companion.config.settings import Settings
    from companion.core.match.effects import Cue, Sound
    from companion.core.play.session import Session
    from companion.core.play.snapshot import Snapshot
    from companion.core.shown.scene import Scene
    from companion.screens.everybody.public import PublicState

LOG = logging.getLogger("companion")


STEPS = {
    VoiceWish.SLOWER: (-1, 0),
    VoiceWish.FASTER: (1, 0),
    VoiceWish.QUIETER: (0, -1),
    VoiceWish.LOUDER: (0, 1),
}
"""How many steps faster, and louder."""


class Aloud:
    """Puts what is to be said into the language that the box speaks now, its signs as words."""

    def __init__(self, languages: Languages) -> None:
        self._languages = languages

    @property
    def code(self) -> str:
        """The language's."""
        return self._languages.box.code

    def __call__(self, piece: Piece) -> Piece:
        """Give a piece as it is to be spoken."""
        said = str(in_language(piece.text, self._languages.box))
        return piece._replace(text=pronounced(said, self.code, spellings(self.code)))


class Announced:
    """Whether the card that is revealed next has been said to its end already. The voice's thread's own."""

    def __init__(self) -> None:
        self._is_said = False
        self._newest: object = None

    def ended(self, fault: str) -> None:
        """An announcement is over."""
        self._is_said = not fault

    def knows(self, public: PublicState) -> bool:
        """Tell whether the newest card of a match is what was announced: the first that is new after the word."""
        match = public.match
        entries = match.course.entries if match is not None else ()
        newest = next((one["line"] for one in entries if one["type"] == "reveal" and not one["undone"]), None)
        is_new, self._newest = newest != self._newest, newest
        is_known = is_new and self._is_said
        self._is_said = self._is_said and not is_new
        return is_known


class Silence:
    """Why the box's own voice says nothing; None while it speaks. Written by the voice's thread, read by the loop's."""

    why: str | None = None


class SpeechFollower:
    """Follows the box's loop and hands its voices what has changed, as frozen values."""

    def __init__(
        self, voice: VoiceThread | None, earphones: dict[Colour, Earphone], aloud: Aloud, silence: Silence
    ) -> None:  # fmt: skip
        self._voice, self._earphones, self._aloud, self._silence = voice, earphones, aloud, silence
        self._told: tuple[object, ...] = ()

    def sound(self, sound: Sound) -> None:
        """A tone is the buzzer's."""

    def cue(self, cue: Cue) -> None:
        """Say to a seat alone what it is offered; nothing where it has no earphone."""
        if (ear := self._earphones.get(cue.colour)) is not None:
            ear.cue(cue)

    def follow(self, session: Session, scene: Scene, now_ns: int, match_id: int | None) -> None:
        """Hand on a snapshot where something has changed, and to an earphone who sits there now."""
        sitters = session.sitters if self._earphones else {}
        for colour, ear in self._earphones.items():
            ear.sit(sitters[colour].profile if colour in sitters else None)
        has_voice = self._voice is not None and not self._silence.why
        if session.outlets is not None and session.outlets.has_voice != has_voice:
            session.outlets = session.outlets._replace(has_voice=has_voice)
        match = session.match
        numbers = (0, 0, 0) if match is None else (match.lines_written, match.durable_lines, len(match.early))
        told = (scene, match_id, *numbers)
        if told == self._told:
            return
        self._told = told
        snapshot = session.snapshot(now_ns, scene)
        if self._voice is not None:
            self._voice.speak_in(self._aloud.code)
            self._voice.follow(snapshot)
        for ear in self._earphones.values():
            ear.thread.follow(snapshot)


class Loop(Protocol):
    """As much of the box's loop as is needed."""

    way: RightOfWay

    def alarm(self, key: str, text: str | None) -> None:
        """Say that something failed, or is well again (None); from any thread."""

    def call(self, action: Callable[[Session], None]) -> None:
        """Do something to the session, from any thread."""

    def follow(self, follower: Follower) -> None:
        """Have a follower told of each turn."""


class BoxVoices:
    """The voice of a box and the earphones of its seats; an `Announcer`."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._languages = languages_spoken(settings.voice, settings.box)
        self._aloud = Aloud(self._languages)
        self._voice: VoiceThread | None = None
        self._announced = Announced()
        self._silence = Silence()
        self._ears: dict[Colour, Earphone] = {}

    def attach(self, loop: Loop) -> None:
        """Follow the loop; nothing is opened yet."""
        chosen, language = self._settings.voice, self._settings.box.language
        manner = manner_of(chosen, language)
        speakers = speakers_of(chosen)
        if speakers:
            narrator = Narrator(Wordiness[chosen.wordiness.upper()])
            self._voice = VoiceThread(
                "voice", speakers, manner, partial(_tell_of_voice, loop, self._silence),
                narrate=partial(_narrate, narrator, self._aloud, loop.way, self._announced),
                on_said=partial(_said, loop, self._announced),
            )  # fmt: skip
        for colour in Colour:
            device = self._settings.seats.of(colour).earphone
            if device:
                tell = partial(_tell, loop, f"earphone {colour}", f"{colour} hears nothing in its earphone: ")
                self._ears[colour] = Earphone(colour, EspeakNg(device), manner, self._languages, tell)
        loop.follow(SpeechFollower(self._voice, self._ears, self._aloud, self._silence))

    @property
    def speaks(self) -> bool:
        """Tell whether the box itself has a voice."""
        return self._settings.voice.kind != "none"

    def start(self) -> None:
        """Begin to speak, without waiting for it."""
        for one in self._voices():
            one.start()

    def announce(self, says: str, token: int) -> None:
        """Say what a race opens with; the session is told of its end, or why it was not said."""
        if self._voice is not None:
            self._voice.say([self._aloud(Piece(says, Urgency.START, token))])

    def wish(self, wish: VoiceWish) -> None:
        """Do what somebody at the box wants of its voice."""
        if self._voice is None:
            return
        if wish is VoiceWish.AGAIN:
            self._voice.again()
            return
        self._voice.change(*STEPS[wish])
        self._voice.say([self._aloud(Piece(wish_says(wish), Urgency.NEWS, group="knob"))])

    def close(self) -> None:
        """Fall silent."""
        for one in self._voices():
            one.stop()

    def _voices(self) -> list[VoiceThread]:
        ears = [ear.thread for ear in self._ears.values()]
        return [self._voice, *ears] if self._voice is not None else ears


def _narrate(
    narrator: Narrator, aloud: Aloud, way: RightOfWay, announced: Announced, snapshot: Snapshot
) -> list[Piece]:  # fmt: skip
    way.give_way()
    public = public_state(snapshot)
    return [aloud(piece) for piece in narrator.told(public, knows_card=announced.knows(public))]


def _tell(loop: Loop, key: str, before: str, why: str | None) -> None:
    loop.alarm(key, None if why is None else before + why)


def _tell_of_voice(loop: Loop, silence: Silence, why: str | None) -> None:
    silence.why = why  # before the alarm, whose turn looks at it
    _tell(loop, "voice", "no voice: ", why)


def _said(loop: Loop, announced: Announced, token: int, t_ns: int, fault: str) -> None:
    announced.ended(fault)
    loop.call(lambda session: session.announced(token, t_ns, fault))
