"""A voice: eSpeak NG, by speech-dispatcher's server or by its own program. Knows no game and no words of the box."""

from companion.adapters.voice.espeak import EspeakNg
from companion.adapters.voice.speech_dispatcher import SpeechDispatcher

__all__ = ["EspeakNg", "SpeechDispatcher"]
