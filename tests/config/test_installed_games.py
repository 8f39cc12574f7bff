"""Games in the language of the box, from its settings, its command line, and for an account of a record."""

from __future__ import annotations

import io
import logging
import subprocess
import sys

import pytest

from companion.cli.main import main
from companion.cli.replay import run_replay
from companion.config.installed_games import InstalledGames, games_in
from companion.config.reading import load
from companion.core.errors import Malformed
from companion.games import registry
from companion.games.guarded import GameFault
from companion.testing.walks import Walk
from tests.contract.nim import Nim, Taken
from tests.games.broken_plugins import Entry, forget, install


class Translated(Nim):
    """Says in what language it was asked to speak, if it has it."""

    words = "tests.config.spoken"

    def sentences(self, ruling):
        return (self.text("somebody takes"),) if isinstance(ruling, Taken) else None


@pytest.fixture
def nim(monkeypatch, tmp_path):
    folder = tmp_path / "spoken_nim" / "locale"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    (folder / "de.po").write_text('msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
                                  'msgid "somebody takes"\nmsgstr "jemand nimmt"\n')  # fmt: skip
    monkeypatch.syspath_prepend(tmp_path)
    game = type("Spoken", (Translated,), {"words": "spoken_nim"})()
    install(monkeypatch, Entry("nim", game))
    yield game
    forget()


def test_the_account_of_a_record_is_told_in_the_language_that_is_asked_for(nim, tmp_path):
    walk = Walk(nim, 1)
    assert list(walk.states())
    record = tmp_path / "record.jsonl"
    record.write_bytes(b"\n".join(walk.record) + b"\n")
    told = {}
    for language in ("en", "de", "fr"):
        out = io.BytesIO()
        assert run_replay(str(record), False, out, io.StringIO(), language=language) == 0
        told[language] = out.getvalue().decode()
    assert "somebody takes" in told["en"]
    assert "jemand nimmt" in told["de"]
    assert "somebody" not in told["de"]
    assert "somebody takes" in told["fr"], "French it does not have"


def test_a_game_of_somebody_else_is_guarded_and_the_programs_own_is_as_it_is(nim, caplog):
    games, told = InstalledGames("de"), list[str]()
    games.on_fault = told.append
    assert games.find("order").name == "order"
    assert {"apache", "nim", "order"} <= set(games.names())
    game = games.find("nim")
    assert games.find("nim") is game
    line = Walk(nim, 0).next_line()
    assert line is not None
    with caplog.at_level(logging.ERROR), pytest.raises(GameFault):
        game.apply(object(), line)
    assert len(told) == 1
    assert told[0].startswith("the game nim failed (apply: AttributeError")
    assert caplog.records[0].exc_info


def test_the_box_speaks_the_language_of_its_settings(tmp_path):
    config = tmp_path / "config.toml"
    config.write_text('[box]\nlanguage = "de"\n')
    assert load(config).box.language == "de"
    assert load(None).box.language == "en"
    config.write_text('[box]\nlanguage = "German"\n')
    with pytest.raises(Malformed, match="language"):
        load(config)


def test_the_option_is_shown(capsys):
    for command in ("run", "replay"):
        assert main([command, "--help"]) == 0
        assert "--language CODE" in capsys.readouterr().out


def test_everybody_who_asks_gets_the_same_games():
    assert games_in("en") is games_in("en")
    assert games_in("en").find("apache") is registry.find("apache")


def test_who_reads_english_does_not_pay_for_catalogues():
    code = (
        "import sys; from companion.config.installed_games import games_in;"
        "[games_in('en').find(name) for name in games_in('en').names()]; sys.exit('polib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
