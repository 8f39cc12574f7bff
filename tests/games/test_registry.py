"""A broken plug-in is refused by name, with the reason, and harms no other game."""

from __future__ import annotations

import logging

import pytest

from companion.cli.doctor import check_games
from companion.cli.findings.finding import Health
from companion.config.installed_games import InstalledGames
from companion.core.errors import UnknownGame
from companion.core.record.lines import End
from companion.core.ruling.game import TakingBack
from companion.core.ruling.plain_game import LATER_PARTS
from companion.games import registry
from tests.contract.nim import NIM, Nim
from tests.games.broken_plugins import SHIPPED, Entry, Package, forget, install


@pytest.fixture(autouse=True)
def fresh():
    yield
    forget()


def another(**parts):
    return type("Another", (Nim,), parts)()


class Shy(Nim):
    @property
    def title(self):  # type: ignore[override]  # it fails, so that it is no text
        raise ZeroDivisionError("no title today")


BROKEN = {
    "it does not import": (ImportError("no module named zilch"), "does not import: ImportError: no module named zilch"),
    "it has a slip": (SyntaxError("invalid syntax"), "does not import: SyntaxError: invalid syntax"),
    "it exits": (SystemExit(3), "does not import: SystemExit: 3"),
    "it is no game": (object(), "is no game: it has no version, edition, name"),
    "it is a class": (Nim, "is a class: the entry point names a game, an instance of one"),
    "it is of contract 1": (
        another(version=1),
        "keeps version 1 of the contract of a game; this program has version 2",
    ),
    "it is of contract 3": (
        another(version=3),
        "keeps version 3 of the contract of a game; this program has version 2",
    ),
    "it calls itself otherwise": (another(name="bin"), "calls itself 'bin', and its entry point 'nim'"),
    "its parts fail": (Shy(), "is no game: ZeroDivisionError: no title today"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_it_is_refused_by_name_with_the_reason_and_the_others_go_on(monkeypatch, what):
    gives, reason = BROKEN[what]
    install(monkeypatch, Entry("nim", gives))
    assert registry.names() == SHIPPED
    assert registry.find("order").title == "Order"
    assert list(registry.problems()) == ["nim"]
    assert reason in registry.problems()["nim"]
    with pytest.raises(UnknownGame) as refusal:
        registry.find("nim")
    assert "'nim' cannot be played" in str(refusal.value)
    assert reason in str(refusal.value)


def test_two_packages_of_one_name_are_both_refused(monkeypatch):
    install(monkeypatch, Entry("nim", NIM, Package("one"), "one"), Entry("nim", another(), Package("two"), "two"))
    assert registry.names() == SHIPPED
    assert registry.problems() == {"nim": "several packages give a game of this name: one, two; uninstall all but one"}


def test_a_package_that_takes_the_name_of_the_programs_own_game_does_not_put_it_out(monkeypatch):
    own = registry.find("order")
    install(monkeypatch, Entry("order", another(name="order")))
    assert registry.find("order") is own
    assert not registry.is_foreign("order")


def test_a_whole_game_is_found_beside_the_programs_own(monkeypatch):
    install(monkeypatch, Entry("nim", NIM), Entry("zilch", ImportError("no")))
    assert registry.names() == tuple(sorted((*SHIPPED, "nim")))
    assert registry.find("nim") is NIM
    assert registry.is_foreign("nim")
    assert not registry.is_foreign("apache")


def test_a_game_without_the_parts_that_came_later_is_a_game(monkeypatch):
    class Older:
        """Keeps the contract as it was before games could bring rules, files and accounts."""

        def __getattr__(self, name):
            if name in LATER_PARTS:
                raise AttributeError(name)
            return getattr(NIM, name)

    install(monkeypatch, Entry("nim", Older()))
    assert registry.find("nim").title == NIM.title
    assert registry.problems() == {}
    for game in (registry.find("nim"), InstalledGames().find("nim"), InstalledGames("de").find("nim")):
        assert (game.rules, dict(game.clauses), game.samples("x"), game.check_file("x", "")) == ("", {}, (), ())
        assert (game.held(None), game.ledgers(None)) == ((), ())
        assert game.taking_back(None, End()) == TakingBack()
        assert game.parameters == NIM.parameters


def test_a_game_that_is_installed_later_does_not_become_what_a_box_plays_unasked(monkeypatch):
    own = registry.first(), registry.without_cards(), registry.with_demonstration("order")
    early = another(name="aardvark", race_name="Run", demo="elsewhere:run.script")
    install(monkeypatch, Entry("aardvark", early))
    assert registry.names()[0] == "aardvark"
    assert (registry.first(), registry.without_cards(), registry.with_demonstration("order")) == own
    assert registry.with_demonstration("aardvark") == "aardvark"


def test_the_doctor_and_the_log_name_it(monkeypatch, caplog):
    install(monkeypatch, Entry("nim", NIM), Entry("zilch", ImportError("no such luck")))
    fine, broken = check_games(registry.names(), registry.problems())
    assert (fine.health, fine.text) == (Health.OK, ", ".join(sorted((*SHIPPED, "nim"))))
    assert broken.health is Health.WARNING
    assert broken.text == "zilch: elsewhere.game:GAME does not import: ImportError: no such luck"
    with caplog.at_level(logging.ERROR):
        games = InstalledGames()
        assert games.names() == games.names()
    assert [record.message for record in caplog.records] == [
        "the game zilch cannot be played: elsewhere.game:GAME does not import: ImportError: no such luck"
    ]


def test_what_is_played_where_nothing_is_said_comes_with_the_program(monkeypatch):
    assert registry.first() in SHIPPED
    nothing = registry.find(registry.without_cards())
    assert nothing.race_name
    assert not nothing.deck
    monkeypatch.setattr(registry, "_own_first", lambda: iter(("apache",)))
    with pytest.raises(UnknownGame, match="no game without cards"):
        registry.without_cards()
    monkeypatch.setattr(registry, "_own_first", lambda: iter(()))
    with pytest.raises(UnknownGame, match="no game is installed"):
        registry.first()


def test_a_game_without_a_demonstration_has_another_s_shown(monkeypatch):
    shown = registry.with_demonstration(registry.first())
    assert shown == registry.first()
    install(monkeypatch, Entry("nim", NIM))
    assert not NIM.demo
    other = registry.with_demonstration("nim")
    assert other is not None
    assert registry.find(other).demo
