"""What every voice promises (`companion.ports.Speaker`), on each: real programs above ALSA's library."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import pytest

from companion.adapters.voice import EspeakNg, SpeechDispatcher
from companion.core.errors import Unavailable
from companion.core.speech.utterance import Heard, Manner, Phase, Utterance
from tests.fakes.sound_card import RATE_HZ, SoundCard
from tests.fakes.speech_server import SpeechServer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.ports import Speaker

pytestmark = pytest.mark.slow  # starts processes

OVER = (Phase.ENDED, Phase.CUT, Phase.FAILED)
LONG = "The order of this race is being told, and it does not come to an end. " * 400
"""Takes seconds even where nothing waits for a sound card."""


class Listener:
    """Takes what a voice tells, from whatever thread, and lets a test wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.heard: list[Heard] = []

    def __call__(self, heard: Heard) -> None:
        with self._changed:
            self.heard.append(heard)
            self._changed.notify_all()

    def of(self, number: int) -> list[Phase]:
        return [one.phase for one in self.heard if one.number == number]

    def wait(self, number: int, *phases: Phase) -> Heard:
        """Wait until one of these was told of an utterance."""

        def found() -> Heard | None:
            return next((one for one in self.heard if one.number == number and one.phase in phases), None)

        with self._changed:
            self._changed.wait_for(lambda: found() is not None, 60)
            one = found()
        assert one is not None, f"of {number} only {self.of(number)} was told"
        return one


class Rig(Protocol):
    """A voice with a machine around it that can be harmed."""

    card: SoundCard

    def speaker(self) -> Speaker: ...

    def kill(self) -> None:
        """Have the voice end in the middle of what it says."""

    def mend(self) -> None: ...

    def close(self) -> None: ...


class EspeakRig:
    def __init__(self, folder: Path, card: SoundCard) -> None:
        self.card, self._folder = card, folder
        self.program = folder / "espeak-ng"
        # The real program, in the place of this shell: the pid is known, and a test can kill it.
        self.program.write_text(
            f'#!/bin/sh\necho $$ > {folder}/new\nmv {folder}/new {folder}/pid\nexec espeak-ng "$@"\n'
        )
        self.program.chmod(0o755)

    def speaker(self) -> Speaker:
        return EspeakNg(program=str(self.program))

    def kill(self) -> None:
        pid = self._folder / "pid"
        while not (pid.exists() and _is_speaking(int(pid.read_text()))):
            time.sleep(0.01)
        os.kill(int(pid.read_text()), signal.SIGSEGV)

    def mend(self) -> None: ...

    def close(self) -> None: ...


def _is_speaking(pid: int) -> bool:
    """Tell whether a process says the long text: the program, no more the shell, and not one that only answered."""
    try:
        return b"--stdin" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


class ServerRig:
    def __init__(self, folder: Path, card: SoundCard) -> None:
        self.card = card
        self._server = SpeechServer(folder / "server", card.environ)
        self._server.start()

    def speaker(self) -> Speaker:
        return SpeechDispatcher([self._server.socket], answer_s=60, proof_s=20)

    def kill(self) -> None:
        self._server.kill()

    def mend(self) -> None:
        self._server.start()

    def close(self) -> None:
        self._server.stop()


@pytest.fixture(params=[EspeakRig, ServerRig])
def rig(request, tmp_path_factory, monkeypatch) -> Iterator[Rig]:
    folder = tmp_path_factory.mktemp("v")
    card = SoundCard(folder)
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    made = request.param(folder, card)
    yield made
    made.close()


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def speaker(rig, listener) -> Iterator[Speaker]:
    one = rig.speaker()
    one.open(listener)
    yield one
    one.close()


def test_an_utterance_is_told_to_begin_and_to_end_and_is_played(rig, speaker, listener):
    speaker.say(Utterance(1, "Red ace is first. Blue ten is second."))
    ended = listener.wait(1, *OVER)
    assert listener.of(1) == [Phase.BEGAN, Phase.ENDED]
    assert listener.heard[0].t_ns <= ended.t_ns
    speaker.close()
    assert rig.card.so_far() > 1.5 * 2 * RATE_HZ  # seconds, at two bytes a sample


def test_what_speaks_is_told_with_its_version(rig, listener):
    speaker = rig.speaker()
    about = speaker.open(listener)
    speaker.close()
    assert "espeak-ng" in about
    assert any(character.isdigit() for character in about)


def test_a_second_utterance_cuts_off_the_first(speaker, listener):
    speaker.say(Utterance(1, LONG))
    listener.wait(1, Phase.BEGAN)
    speaker.say(Utterance(2, "Yellow."))
    listener.wait(2, Phase.ENDED)
    listener.wait(1, *OVER)
    assert listener.of(1) == [Phase.BEGAN, Phase.CUT]


def test_stop_falls_silent(speaker, listener):
    speaker.say(Utterance(1, LONG))
    listener.wait(1, Phase.BEGAN)
    speaker.stop()
    assert listener.wait(1, *OVER).phase is Phase.CUT
    speaker.stop()
    speaker.say(Utterance(2, "Yellow."))
    listener.wait(2, Phase.ENDED)


def test_many_at_once_each_come_to_one_end(speaker, listener):
    for number in range(1, 9):
        speaker.say(Utterance(number, "Green hunter."))
    for number in range(1, 9):
        listener.wait(number, *OVER)
    for number in range(1, 9):
        assert [phase for phase in listener.of(number) if phase in OVER] in ([Phase.CUT], [Phase.ENDED])
    assert listener.of(8)[-1] is Phase.ENDED


def test_slower_takes_longer(rig, speaker, listener):
    sizes = []
    for number, rate in enumerate((120, 300), start=1):
        before = rig.card.played.stat().st_size if rig.card.played.exists() else 0
        speaker.say(Utterance(number, "Purple maiden is punished.", Manner(rate=rate)))
        listener.wait(number, Phase.ENDED)
        sizes.append(rig.card.so_far() - before)
    assert sizes[0] > 1.5 * sizes[1]


@pytest.mark.parametrize("language", ["en", "it", "fr", "de", "de-AT", "xx"])
def test_every_language_is_spoken_and_one_that_is_not_known_by_another_voice(speaker, listener, language):
    speaker.say(Utterance(1, "123", Manner(language)))
    assert listener.wait(1, *OVER).phase is Phase.ENDED


@pytest.mark.parametrize(
    "text", [".", "...\n.\n.", "-w x", "[[_:]]", "<speak>&amp;", "ä€🂡\x00\x07", "a\r\n.\r\nSTOP all"]
)
def test_nothing_that_is_typed_as_a_name_breaks_the_voice(speaker, listener, text):
    speaker.say(Utterance(1, text))
    listener.wait(1, *OVER)
    speaker.say(Utterance(2, "Yellow."))
    assert listener.wait(2, *OVER).phase is Phase.ENDED


def test_a_voice_that_is_killed_in_the_middle_says_so_and_comes_back(rig, speaker, listener):
    speaker.say(Utterance(1, LONG))
    listener.wait(1, Phase.BEGAN)
    rig.kill()
    failed = listener.wait(1, *OVER)
    assert failed.phase is Phase.FAILED
    assert failed.why
    rig.mend()
    speaker.close()
    speaker.open(listener)
    speaker.say(Utterance(2, "Yellow."))
    assert listener.wait(2, *OVER).phase is Phase.ENDED


def test_a_voice_that_is_closed_raises_and_may_be_closed_again(speaker):
    speaker.close()
    speaker.close()
    with pytest.raises(Unavailable):
        speaker.say(Utterance(1, "Yellow."))
