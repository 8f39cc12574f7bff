"""A game is imported when it is first asked for: what nobody plays costs neither start-up time nor memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from companion.games import registry
from tests.contract.nim import NIM, Nim
from tests.games.broken_plugins import Entry, forget, install

pytestmark = pytest.mark.slow  # starts processes

SCRIPT = "0.3 press red first\n+0.1 press blue first\n+2.5 end\n"
LOADED = """
import sys
{code}
games = sorted({{name.split(".")[2] for name in sys.modules if name.startswith("companion.games.")}})
print("LOADED", *games)
"""


class Counted(Entry):
    """An entry point that counts how often it is imported."""

    loads = 0

    def load(self) -> object:
        type(self).loads += 1
        return super().load()


@pytest.fixture(autouse=True)
def fresh():
    Counted.loads = 0
    yield
    forget()


def loaded(code: str, *words: str) -> set[str]:
    """Give what of the games' rooms a fresh interpreter has loaded after some code."""
    command = [sys.executable, "-c", LOADED.format(code=code), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    line = next(line for line in reversed(done.stdout.splitlines()) if line.startswith("LOADED"))
    return set(line.split()[1:]) - {"registry", "guarded"}


def test_a_list_of_names_imports_nothing():
    assert loaded("from companion.games import registry; assert 'order' in registry.listed()") == set()


def test_one_game_is_imported_by_its_name():
    assert loaded("from companion.games import registry; registry.find('order')") == {"order"}


RUN = """
from companion.cli.main import main
assert main(sys.argv[1:]) == 0
"""


@pytest.mark.no_cover  # counting branches makes it three times as slow
@pytest.mark.parametrize("web", [True, False], ids=["with pages", "without pages"])
def test_a_box_imports_the_game_that_is_played_and_no_other(tmp_path: Path, web: bool) -> None:
    (tmp_path / "play.script").write_text(SCRIPT)
    words = [
        "run", "--simulate", "--plain", "--seats", "red,blue", "--game", "order", "--window", "0.5",
        "--state-dir", str(tmp_path), "--script", str(tmp_path / "play.script"),
    ]  # fmt: skip
    words += ["--port", "0"] if web else ["--no-web"]
    assert loaded(RUN, *words) == {"order"}


def test_a_record_is_judged_by_its_own_game_alone():
    record = str(Path(__file__).parent.parent / "replay" / "example.jsonl")
    assert loaded(RUN, "replay", record) == {"apache"}


def test_what_is_asked_again_is_not_imported_again(monkeypatch):
    install(monkeypatch, Counted("nim", NIM))
    assert "nim" in registry.listed()
    assert Counted.loads == 0
    assert registry.find("nim") is registry.find("nim")
    assert registry.problem("nim") == ""
    assert registry.names()
    assert Counted.loads == 1


def test_what_cannot_be_played_is_found_out_when_it_is_asked_for(monkeypatch):
    class Broken(Counted):
        pass

    install(monkeypatch, Broken("zilch", ImportError("no such luck")), Counted("nim", NIM))
    assert {"nim", "zilch"} <= set(registry.listed())
    assert (Broken.loads, Counted.loads) == (0, 0)
    assert "no such luck" in registry.problem("zilch")
    assert "zilch" not in registry.names()
    assert list(registry.problems()) == ["zilch"]
    assert (Broken.loads, Counted.loads) == (1, 1)


def test_the_knob_goes_past_a_game_that_cannot_be_played(monkeypatch):
    from companion.core.hands.knob import Click
    from companion.core.play.seating import Lobby, Table

    zebra = type("Zebra", (Nim,), {"name": "zebra"})()
    install(monkeypatch, Entry("zaza", ImportError("no")), Entry("zebra", zebra))
    names = registry.listed()
    lobby = Lobby(Table(game=names[names.index("zaza") - 1]), names, registry.find)
    lobby._cursor = 1
    lobby.feed(Click(0))
    assert lobby.table.game == "zebra"
