"""One seat's earphone: a voice for its player alone, who is spoken to as their profile says, else as the box speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.app.speech.spellings import spellings
from companion.app.speech.voice_thread import VoiceThread
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import FASTEST_WPM, SLOWEST_WPM, Manner, Urgency
from companion.core.words.texts import in_language
from companion.screens.everybody.public import public_state
from companion.screens.speech.facts import Wordiness
from companion.screens.speech.narrator import Narrator
from companion.screens.speech.private import Whisperer
from companion.screens.speech.pronounced import pronounced

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.config.languages import Languages
    from companion.core.match.effects import Cue
    from companion.core.panel import Colour
    from companion.core.play.snapshot import Snapshot
    from companion.core.profiles.profile import Profile
    from companion.core.words.language import Language
    from companion.ports import Speaker


class _How(NamedTuple):
    """How its player is spoken to. language: None for the box's. narrator: who tells all the rest, None: nobody."""

    language: Language | None = None
    is_brief: bool = False
    narrator: Narrator | None = None


def manner_for(usual: Manner, profile: Profile | None, language: str) -> Manner:
    """Give how a person wants to be spoken to, as fast and as loud in proportion. language: the one that is spoken."""
    if profile is None:
        return usual._replace(language=language)
    voice = profile.voice
    rate = usual.rate if voice.rate is None else round(usual.rate * voice.rate)
    volume = usual.volume if voice.volume is None else usual.volume * voice.volume // 100
    return usual._replace(language=language, rate=min(FASTEST_WPM, max(SLOWEST_WPM, rate)), volume=volume)


class Earphone:
    """The earphone of a seat. manner: of the box's voice. on_state: told why it is silent, None once it is not."""

    def __init__(
        self, colour: Colour, speaker: Speaker, manner: Manner, languages: Languages,
        on_state: Callable[[str | None], None],
    ) -> None:  # fmt: skip
        self._usual, self._languages = manner, languages
        self._whisperer = Whisperer(colour)
        self._profile: Profile | None = None
        self._how = _How()  # whole, so that the voice's thread sees one or the other
        self.thread = VoiceThread(f"earphone {colour}", [speaker], manner, on_state, narrate=self._narrate)

    @property
    def language(self) -> Language:
        """What it speaks now."""
        return self._how.language or self._languages.box

    def sit(self, profile: Profile | None) -> None:
        """Speak to whoever sits there now; what is the same costs nothing. In the loop's thread."""
        if profile != self._profile:
            self._profile = profile
            self._how = self._how_for(profile)
        self.thread.speak_as(manner_for(self._usual, profile, self._tag()))

    def cue(self, cue: Cue) -> None:
        """Say what the seat is offered; that nothing is any more needs no word."""
        if cue.says:
            self.thread.say([self._aloud(Piece(cue.says, Urgency.CHOICE, group="cue"))])

    def _how_for(self, profile: Profile | None) -> _How:
        if profile is None:
            return _How()
        language = self._languages.find(profile.language.replace("_", "-")) if profile.language else None
        wordiness = profile.voice.wordiness
        return _How(language, wordiness == "few", Narrator(Wordiness.FULL) if wordiness == "full" else None)

    def _tag(self) -> str:
        """Give the language's tag, with the box's own variant where it is the box's."""
        code = self.language.code
        own = self._usual.language.partition("+")[0].partition("-")[0].lower()
        return self._usual.language if own == code else code

    def _narrate(self, snapshot: Snapshot) -> list[Piece]:
        """Give what is news, in the voice's thread."""
        how = self._how
        told = self._whisperer.told(snapshot, is_brief=how.is_brief)
        told += how.narrator.told(public_state(snapshot)) if how.narrator is not None else []
        return [self._aloud(piece) for piece in told]

    def _aloud(self, piece: Piece) -> Piece:
        language = self.language
        return piece._replace(
            text=pronounced(str(in_language(piece.text, language)), language.code, spellings(language.code))
        )
