"""Every thread of a voice, made to fail once in the middle: it is begun again, and the sentence is said after all."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.voice import EspeakNg, SpeechDispatcher
from companion.adapters.voice.ssip import Connection
from companion.app.speech.voice_thread import VoiceThread
from companion.core.speech.queue import Piece
from companion.core.speech.utterance import Manner, Urgency
from tests.fakes.sound_card import SoundCard
from tests.fakes.speech_server import SpeechServer

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S = 60.0
RULING = Piece("Red ace is first.", Urgency.RULING)
START = Piece("Blue ten.", Urgency.START, token=7)


class Injected(Exception):
    """A fault that a test put there."""


def failing_once(monkeypatch: pytest.MonkeyPatch, owner: type, step: str, is_due: Callable[[Any], bool]) -> None:
    """Have a step raise the first time that it is due, after it was done."""
    real, left = getattr(owner, step), [1]

    def once(self: Any, *arguments: Any) -> Any:
        done = real(self, *arguments)
        if left[0] and is_due(self):
            left[0] = 0
            raise Injected(step)
        return done

    monkeypatch.setattr(owner, step, once)


class Ends:
    def __init__(self) -> None:
        self.over = threading.Event()
        self.faults: list[str] = []

    def __call__(self, _token: int, _t_ns: int, fault: str) -> None:
        self.faults.append(fault)
        self.over.set()


@pytest.fixture
def card(tmp_path_factory, monkeypatch) -> SoundCard:
    made = SoundCard(tmp_path_factory.mktemp("v"))
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    return made


def says_both(speaker: EspeakNg | SpeechDispatcher) -> list[str]:
    """Say a ruling, then what opens a race; give what was told of the end of that."""
    ends = Ends()
    thread = VoiceThread("voice", [speaker], Manner(), lambda _state: None, on_said=ends)
    thread.start()
    thread.say([RULING])
    thread.say([START])
    assert ends.over.wait(PATIENCE_S)
    if ends.faults[0]:  # it was lost with the thread, and that is told; the next one is said
        ends.over.clear()
        thread.say([START])
        assert ends.over.wait(PATIENCE_S)
    thread.stop()
    return ends.faults


def test_the_thread_that_narrates_is_begun_again(card, monkeypatch):
    failing_once(monkeypatch, VoiceThread, "_speak", lambda self: self._now is not None)
    assert says_both(EspeakNg())[-1] == ""
    assert card.so_far() > 0


def test_the_thread_that_waits_for_children_is_begun_again(card, monkeypatch):
    failing_once(monkeypatch, EspeakNg, "_wait", lambda _self: True)
    assert says_both(EspeakNg())[-1] == ""
    assert card.so_far() > 0


def test_the_thread_that_reads_the_server_is_begun_again(card, tmp_path_factory, monkeypatch):
    server = SpeechServer(tmp_path_factory.mktemp("s") / "server", card.environ)
    server.start()
    try:
        failing_once(monkeypatch, Connection, "_take", lambda _self: threading.current_thread().name != "voice")
        assert says_both(SpeechDispatcher([server.socket], answer_s=60, proof_s=20))[-1] == ""
    finally:
        server.stop()
