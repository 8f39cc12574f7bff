"""What is said where there is no voice, or no sound card: in words, with how to mend it. Real programs."""

from __future__ import annotations

import threading
from array import array

import pytest

from companion.adapters.voice import EspeakNg, SpeechDispatcher
from companion.adapters.voice.espeak import language_for, spoken, voices_of
from companion.adapters.voice.speech_dispatcher import addresses_of, rate_of
from companion.adapters.voice.ssip import message
from companion.core.errors import Unavailable
from companion.core.speech.utterance import FASTEST_WPM, SLOWEST_WPM, USUAL_WPM, Heard, Manner, Phase, Utterance
from tests.fakes.sound_card import RATE_HZ, SoundCard
from tests.fakes.speech_server import SpeechServer

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

LOUD = 200
"""Of 32,767: less is not heard."""


def nobody(heard: Heard) -> None:
    pytest.fail(f"nothing was said, and yet {heard} was told")


def test_where_no_voice_is_installed_the_way_to_one_is_told():
    with pytest.raises(Unavailable, match="no voice is installed: sudo apt install espeak-ng"):
        EspeakNg(program="espeak-ng-that-is-not-there").open(nobody)
    with pytest.raises(Unavailable, match="speech-dispatcher"):
        SpeechDispatcher(["/nowhere/s"]).open(nobody)


def test_where_there_is_no_sound_card_it_is_told_at_once_though_espeak_ng_ends_well(monkeypatch, tmp_path):
    card = SoundCard(tmp_path)
    card.remove()
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(Unavailable, match=r"no sound card for the voice .*aplay -L"):
        EspeakNg().open(nobody)


def test_a_missing_sound_card_is_never_taken_for_one(monkeypatch, tmp_path):
    """espeak-ng may end before it opens the sound card where it has nothing to say, and ends well then."""
    card = SoundCard(tmp_path)
    card.remove()
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    for _ in range(40):
        with pytest.raises(Unavailable, match="no sound card"):
            EspeakNg().open(nobody)


def test_to_look_for_a_sound_card_is_not_heard(monkeypatch, tmp_path):
    card = SoundCard(tmp_path)
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    speaker = EspeakNg()
    speaker.open(nobody)
    speaker.close()
    assert card.so_far() > 0
    assert set(card.played.read_bytes()) == {0}


@pytest.mark.parametrize("rate", [SLOWEST_WPM, USUAL_WPM])
def test_what_opens_a_race_ends_with_its_last_sound(monkeypatch, tmp_path, rate):
    card = SoundCard(tmp_path)
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    over = threading.Event()
    speaker = EspeakNg()
    speaker.open(lambda heard: over.set() if heard.phase is Phase.ENDED else None)
    before = card.so_far()
    speaker.say(Utterance(1, "Buffalo.", Manner(rate=rate), ends_at_once=True))
    assert over.wait(60)
    speaker.close()
    card.so_far()
    samples = array("h", card.played.read_bytes()[before:])
    loud = [number for number, sample in enumerate(samples) if abs(sample) > LOUD]
    assert len(loud) > 1000
    assert len(samples) - loud[-1] < 0.05 * RATE_HZ


def test_a_device_that_is_not_there_is_told_by_its_name(monkeypatch, tmp_path):
    for name, value in SoundCard(tmp_path).environ.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(Unavailable, match="hw:7"):
        EspeakNg("hw:7").open(nobody)


def test_a_sound_card_that_is_pulled_out_is_told_of_what_could_not_be_said(monkeypatch, tmp_path):
    card = SoundCard(tmp_path)
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    heard: list[Heard] = []
    over = threading.Event()

    def hear(one: Heard) -> None:
        heard.append(one)
        if one.phase is not Phase.BEGAN:
            over.set()

    speaker = EspeakNg()
    speaker.open(hear)
    card.remove()
    speaker.say(Utterance(1, "Red."))
    assert over.wait(60)
    speaker.close()
    assert [one.phase for one in heard] == [Phase.BEGAN, Phase.FAILED]
    assert "no sound card" in heard[1].why


def test_an_earphone_plays_on_its_own_device(monkeypatch, tmp_path):
    card = SoundCard(tmp_path)
    for name, value in card.environ.items():
        monkeypatch.setenv(name, value)
    over = threading.Event()
    speaker = EspeakNg("ear")
    speaker.open(lambda heard: over.set() if heard.phase is Phase.ENDED else None)
    speaker.say(Utterance(1, "Secretly: one stone."))
    assert over.wait(60)
    speaker.close()
    assert card.ear.stat().st_size > 0
    assert not card.played.exists()


def test_a_server_without_a_sound_card_is_told(tmp_path_factory):
    folder = tmp_path_factory.mktemp("v")
    card = SoundCard(folder)
    card.remove()
    server = SpeechServer(folder / "server", card.environ)
    server.start()
    try:
        with pytest.raises(Unavailable, match="no sound card"):
            SpeechDispatcher([server.socket], proof_s=0.5).open(nobody)
    finally:
        server.kill()  # it hangs itself


def test_a_server_is_looked_for_where_the_system_and_the_user_have_it():
    assert addresses_of({"SPEECHD_ADDRESS": "unix_socket:/x/s"}) == ("/x/s",)
    assert addresses_of({"SPEECHD_ADDRESS": "inet_socket:127.0.0.1:6560"}) == ("127.0.0.1:6560",)
    assert addresses_of({"XDG_RUNTIME_DIR": "/r"})[0] == "/r/speech-dispatcher/speechd.sock"


def test_a_servers_rate_is_from_its_slowest_to_its_fastest():
    assert [rate_of(wpm) for wpm in (SLOWEST_WPM, USUAL_WPM, FASTEST_WPM)] == [-100, 0, 100]


def test_a_text_cannot_end_the_message_that_it_is_in():
    assert message("a\n.\n.b") == "a\r\n..\r\n..b\r\n."


def test_a_text_cannot_be_taken_for_phonemes():
    assert spoken("[[h@]]\n x") == "[ [h@]] x"


def test_the_installed_espeak_ng_has_a_voice_for_each_language_of_the_box():
    known = {tag for tag, _ in voices_of()}
    assert {one: language_for(one, known) for one in ("en", "it", "fr", "de", "de-AT", "xx")} == {
        "en": "en-gb", "it": "it", "fr": "fr-fr", "de": "de", "de-AT": "de", "xx": "en-gb"
    }  # fmt: skip
