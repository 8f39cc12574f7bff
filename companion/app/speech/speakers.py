"""Which voices the settings name, in the order in which they are tried; none of them opened. Part of `app`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from companion.adapters.voice import EspeakNg, SpeechDispatcher
from companion.adapters.voice.speech_dispatcher import addresses_of
from companion.config.languages import Languages, languages_of
from companion.config.reading import state_directory
from companion.core.speech.utterance import Manner

if TYPE_CHECKING:
    from companion.config.settings import Box, Voice
    from companion.ports import Speaker


def speakers_of(chosen: Voice) -> list[Speaker]:
    """Give what may speak at the box; empty where nothing shall. A device of its own has espeak-ng alone."""
    if chosen.kind == "none":
        return []
    alone = EspeakNg(chosen.device)
    if chosen.kind == "espeak-ng" or (chosen.device and chosen.kind == "auto"):
        return [alone]
    server = SpeechDispatcher(addresses_of(os.environ), spawns=chosen.kind == "speech-dispatcher")
    return [server, alone] if chosen.kind == "auto" else [server]


def manner_of(chosen: Voice, language: str) -> Manner:
    """Give how it speaks. language: the box's, for a voice that has none of its own."""
    return Manner(chosen.language or language, chosen.rate, chosen.volume, chosen.pitch)


def languages_spoken(chosen: Voice, box: Box) -> Languages:
    """Give whose words it says: what the box speaks, also where that is changed, or its own language's for good."""
    own = chosen.language.partition("+")[0].partition("-")[0].lower()
    return Languages(own) if own else languages_of(box.language, state_directory(box))
