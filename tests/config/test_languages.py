"""What a box speaks: by its settings, by a choice at the box that is kept, and what the program has at all."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.config.languages import KEPT, Languages, entries, languages_of, translation
from companion.core.hands.knob import Click, Rotation
from companion.core.play.seating import Lobby, Table
from companion.core.shown.scene import Lobby as LobbyScene
from companion.core.shown.scene import MenuItem
from tests.contract.nim import Nim

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOGUE = """
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\nPlural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "red"
msgstr "rot"

msgctxt "button"
msgid "first"
msgstr "erste"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} Karte"
msgstr[1] "{count} Karten"
"""


def items_of(lobby: Lobby) -> tuple[MenuItem, ...]:
    scene = lobby.scene()
    assert isinstance(scene, LobbyScene)
    return scene.menu.items


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    folder = tmp_path / "words_read" / "locale"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "de.po").write_text(CATALOGUE)
    monkeypatch.syspath_prepend(tmp_path)
    yield "words_read"
    translation.cache_clear()


def test_the_program_speaks_four_languages_each_by_its_own_name() -> None:
    assert [(one.code, one.name) for one in Languages().all] == [
        ("en", "English"), ("de", "Deutsch"), ("fr", "Français"), ("it", "Italiano"),
    ]  # fmt: skip


@pytest.mark.parametrize(("code", "found"), [("it", "it"), ("it-CH", "it"), ("IT", "it"), ("nl", None), ("", None)])
def test_a_language_is_found_by_its_code(code: str, found: str | None) -> None:
    language = Languages().find(code)
    assert (language and language.code) == found


def test_what_is_chosen_at_the_box_is_kept_until_the_settings_say_something_else(tmp_path: Path) -> None:
    spoken = Languages("de", tmp_path / KEPT)
    assert spoken.box.code == "de"
    spoken.speak(spoken.following())
    assert spoken.box.code == "fr"
    assert Languages("de", tmp_path / KEPT).box.code == "fr"
    assert Languages("it", tmp_path / KEPT).box.code == "it"


def test_a_choice_that_cannot_be_kept_holds_for_this_run_and_is_told(tmp_path: Path) -> None:
    spoken = Languages("en", tmp_path / "gone" / KEPT)
    told: list[str] = []
    spoken.on_fault = told.append
    spoken.speak(spoken.following())
    assert spoken.box.code == "de"
    assert told == ["the language cannot be kept: No such file or directory"]


@pytest.mark.parametrize("content", ["", "it", "nl de", "\xff\xfe"])
def test_a_file_that_says_nothing_useful_changes_nothing(content: str, tmp_path: Path) -> None:
    (tmp_path / KEPT).write_bytes(content.encode("latin-1"))
    assert Languages("de", tmp_path / KEPT).box.code == "de"


def test_everybody_who_asks_gets_the_same() -> None:
    assert languages_of("de", Path("/nowhere")) is languages_of("de", Path("/nowhere"))


def test_a_compiled_catalogue_is_read_like_its_source(package: str, tmp_path: Path) -> None:
    import polib

    source = translation(package, "de")
    said = [source.gettext("red"), source.pgettext("button", "first"), source.ngettext("{count} card", "", 3)]
    assert said == ["rot", "erste", "{count} Karten"]
    folder = tmp_path / "words_read" / "locale"
    polib.pofile(str(folder / "de.po")).save_as_mofile(str(folder / "de.mo"))
    (folder / "de.po").unlink()
    translation.cache_clear()
    compiled = translation(package, "de")
    assert [compiled.gettext("red"), compiled.pgettext("button", "first")] == said[:2]


def test_all_messages_are_given_for_what_looks_them_up_elsewhere(package: str) -> None:
    assert entries(package, "de") == {
        "red": "rot", "button\x04first": "erste", "{count} card": ["{count} Karte", "{count} Karten"],
    }  # fmt: skip
    assert entries(package, "fr") == {}


def test_the_knob_goes_through_the_languages_each_in_its_own_name(tmp_path: Path) -> None:
    spoken = Languages("en", tmp_path / KEPT)
    lobby = Lobby(Table("nim"), ("nim",), lambda _: Nim(), languages=spoken)
    items = items_of(lobby)
    number = [item.label for item in items].index("language")
    assert items[number].value == "English"
    lobby.feed(Rotation(number, 1))
    lobby.feed(Click(2))
    assert items_of(lobby)[number].value == "Deutsch"
    assert spoken.box.code == "de"


def test_a_box_of_one_language_has_nothing_to_choose() -> None:
    lobby = Lobby(Table("nim"), ("nim",), lambda _: Nim())
    assert "language" not in [item.label for item in items_of(lobby)]
