"""`companion voice` and what the doctor says of the voice: real espeak-ng above ALSA's library."""

from __future__ import annotations

import wave
from typing import TYPE_CHECKING

import pytest

from companion.app.speech.examining import voices_to_look_at
from companion.cli.main import main
from companion.config.settings import Seats, SeatSettings, Voice
from companion.core.errors import Unavailable
from tests.fakes.sound_card import SoundCard

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # starts processes


@pytest.fixture
def card(tmp_path, monkeypatch) -> SoundCard:
    made = SoundCard(tmp_path)
    for name, value in made.environ.items():
        monkeypatch.setenv(name, value)
    return made


@pytest.fixture
def config(tmp_path) -> Path:
    file: Path = tmp_path / "config.toml"
    file.write_text('[voice]\nkind = "espeak-ng"\n')
    return file


def test_a_text_is_said_to_the_sound_card(card, config, capsys):
    assert main(["voice", "Red ace is first.", "--config", str(config)]) == 0
    assert card.so_far() > 10_000
    assert "espeak-ng" in capsys.readouterr().err


def test_a_text_is_written_into_a_file_and_to_no_card(card, config, tmp_path):
    file = tmp_path / "said.wav"
    assert main(["voice", "--test", "--language", "de", "--to", str(file), "--config", str(config)]) == 0
    with wave.open(str(file)) as opened:
        assert opened.getnframes() > opened.getframerate()
    assert not card.played.exists()


def test_voices_are_listed(card, capsys):
    assert main(["voice", "--list"]) == 0
    assert {row.split()[0] for row in capsys.readouterr().out.splitlines()} >= {"it", "de", "fr-fr", "en-us"}


def test_without_a_sound_card_the_command_says_so(card, config, capsys):
    card.remove()
    assert main(["voice", "--test", "--config", str(config)]) == 1
    assert "no sound card" in capsys.readouterr().err


def test_the_doctor_names_the_voice_each_earphone_and_what_is_missing(card):
    seats = Seats(red=SeatSettings(earphone="ear"), blue=SeatSettings(earphone="hw:7"))
    found = dict(voices_to_look_at(Voice(kind="auto"), seats))
    assert list(found) == ["voice", "red's earphone", "blue's earphone"]
    assert "espeak-ng" in found["voice"]()
    assert "ear" in found["red's earphone"]()
    with pytest.raises(Unavailable, match="hw:7"):
        found["blue's earphone"]()


def test_a_box_without_a_voice_has_none_to_look_at():
    assert voices_to_look_at(Voice(), Seats()) == ()
