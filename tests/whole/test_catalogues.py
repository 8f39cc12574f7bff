"""What `make catalogues` begins has every message of a game, and each is heard once it is translated."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import polib
import pytest

from companion.config.languages import languages, translation
from companion.games import registry
from companion.testing.catalogues import Listening, faults
from companion.testing.extraction.messages import NotLiteral, messages
from companion.testing.extraction.templates import begun, said_by, template, write
from companion.testing.walks import Walk
from tests.contract.nim import Nim
from tests.package.trees import ROOT
from tests.whole.pseudo import pseudo
from tests.whole.test_translated import said_in_a_match, untranslated

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # parses the whole program

SPEAKING = [name for name in registry.names() if registry.find(name).words]


@pytest.fixture(scope="module")
def templates() -> dict[str, polib.POFile]:
    return {name: template(said_by(registry.find(name))) for name in SPEAKING}


def package_of(folder: Path, name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Write a package with one module beside its first, and give its import name."""
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text("")
    (folder / name / "said.py").write_text(source)
    monkeypatch.syspath_prepend(folder)
    return name


@pytest.mark.parametrize("name", SPEAKING)
@pytest.mark.parametrize("seed", [0, 1])
def test_every_message_that_is_heard_is_in_the_template(
    name: str, seed: int, templates: dict[str, polib.POFile]
) -> None:
    game, heard = registry.find(name), Listening()
    said_in_a_match(game.speaking(heard), Walk(game, seed))
    found = {(entry.msgid, entry.msgid_plural) for entry in templates[name]}
    assert len(heard.messages) >= (10 if game.deck else 2)
    assert heard.plurals | {(message, "") for message in heard.messages if message} <= found


@pytest.mark.parametrize("name", SPEAKING)
def test_every_message_of_the_template_stands_where_it_says(name: str, templates: dict[str, polib.POFile]) -> None:
    trees = {path: ast.parse((ROOT / path).read_text()) for entry in templates[name] for path, _ in entry.occurrences}
    nodes = {path: list(ast.walk(tree)) for path, tree in trees.items()}
    texts = {path: {one.value for one in all_of if isinstance(one, ast.Constant)} for path, all_of in nodes.items()}
    named = {
        path: {one.name for one in all_of if isinstance(one, (ast.FunctionDef, ast.ClassDef))}
        for path, all_of in nodes.items()
    }
    assert len({entry.msgid for entry in templates[name]}) == len(templates[name]), "one both alone and of a number"
    for entry in templates[name]:
        paths = [path for path, _ in entry.occurrences]
        assert paths
        assert all({entry.msgid, entry.msgid_plural or entry.msgid} <= texts[path] for path in paths), entry.msgid
        first = entry.comment.partition("\n")[0].split(".") if entry.comment else []  # none: said of the whole module
        assert any(set(first) <= named[path] for path in paths), entry.msgid


@pytest.mark.parametrize("name", SPEAKING)
def test_a_template_that_is_filled_in_is_heard(
    name: str, templates: dict[str, polib.POFile], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled = begun(templates[name], "xx")
    assert len(faults(filled)) == len(templates[name])
    for entry in filled:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: pseudo(entry.msgid), 1: pseudo(entry.msgid_plural)}
        else:
            entry.msgstr = pseudo(entry.msgid)
    package = package_of(tmp_path, f"words_of_{name.replace('-', '_')}", "", monkeypatch)
    (tmp_path / package / "locale").mkdir()
    filled.save(str(tmp_path / package / "locale" / "xx.po"))
    spoken = translation(package, "xx")
    assert faults(filled) == []
    assert sorted(untranslated(registry.find(name), 0, spoken)) == []


SOURCE = """
class Wording:
    def offers(self, n):
        \"\"\"Nothing of this is said: text("not this").\"\"\"
        yield Offer(kind="x", prompt=self.text("Take one?"), hint=self.text("take" if n else "leave"))
        yield Adjustable("gold", self.text("{seat} gold").format(seat=n), 0, 1, 0)
        yield self.texts("{count} card", "{count} cards", n)
        yield self.text("Take one?")
        yield table.text("a field", 40)

def said(text):
    return text("one " "and the same")
"""


def test_plurals_places_and_widths_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = list(messages(package_of(tmp_path, "words_told", SOURCE, monkeypatch)))
    place = "words_told/said.py"
    assert found == [
        ("Take one?", "", place, "Wording.offers", 20, ""),
        ("take", "", place, "Wording.offers", 25, ""),
        ("leave", "", place, "Wording.offers", 25, ""),
        ("{seat} gold", "", place, "Wording.offers", 16, ""),
        ("{count} card", "{count} cards", place, "Wording.offers", None, ""),
        ("Take one?", "", place, "Wording.offers", None, ""),
        ("one and the same", "", place, "said", None, ""),
    ]


@pytest.mark.parametrize("source", ['self.text(f"{n} cards")', "self.text(names[n])", 'self.texts("a", b, n)'])
def test_a_text_that_is_put_together_first_is_refused(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = package_of(tmp_path, f"words_put_{abs(hash(source))}", f"\n{source}\n", monkeypatch)
    with pytest.raises(NotLiteral, match=r"said\.py:2: self\.texts?\(.*\) gives no literal text"):
        list(messages(package))


class Dated(Nim):
    """A game whose words are in a package of the test's own."""

    words = "words_dated"


class Aside(Nim):
    """Another."""

    words = "words_aside"


def entry(catalogue: polib.POFile, message: str) -> polib.POEntry:
    found = catalogue.find(message)
    assert found is not None
    return found


def test_a_catalogue_is_begun_and_brought_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = package_of(tmp_path, Dated.words, SOURCE, monkeypatch)
    game = Dated()
    told = list(write(said_by(game), tmp_path / "templates", ["de"]))
    assert [line.rpartition(": ")[2] for line in told] == ["6 messages", "6 of 6 messages are to be translated"]
    path = tmp_path / package / "locale" / "de.po"
    first = polib.pofile(str(path))
    entry(first, "take").msgstr = "nimm"
    first.metadata["Last-Translator"] = "somebody"
    first.save()
    (tmp_path / package / "said.py").write_text(SOURCE.replace("Take one?", "Take two?"))
    languages.cache_clear()
    assert list(write(said_by(game), tmp_path / "templates"))[1].endswith("5 of 6 messages are to be translated")
    merged = polib.pofile(str(path))
    assert merged.metadata["Last-Translator"] == "somebody"
    assert merged.metadata["Language"] == "de"
    assert entry(merged, "take").msgstr == "nimm"
    assert merged.obsolete_entries() == []
    assert merged.find("Take one?") is None
    assert entry(merged, "Take two?").comment == "Wording.offers\nat most 20 characters"


def test_the_example_is_extracted_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its catalogue was written by hand: what is extracted is what it has."""
    source = ROOT / "examples" / "driftwood" / "src"
    monkeypatch.syspath_prepend(source)
    found = {(message.one, message.many) for message in messages("driftwood")}
    german = polib.pofile(str(source / "driftwood" / "locale" / "de.po"))
    assert found == {(entry.msgid, entry.msgid_plural) for entry in german}


def test_a_translation_of_what_is_said_no_more_is_kept_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package_of(tmp_path, Aside.words, SOURCE, monkeypatch)
    game = Aside()
    list(write(said_by(game), tmp_path / "templates", ["de"]))
    path = tmp_path / Aside.words / "locale" / "de.po"
    first = polib.pofile(str(path))
    entry(first, "leave").msgstr = "lass es"
    first.save()
    languages.cache_clear()
    for source, kept in ((SOURCE.replace('"leave"', '"go"'), ["lass es"]), (SOURCE, [])):
        (tmp_path / Aside.words / "said.py").write_text(source)
        list(write(said_by(game), tmp_path / "templates"))
        assert [one.msgstr for one in polib.pofile(str(path)).obsolete_entries()] == kept
    assert entry(polib.pofile(str(path)), "leave").msgstr == "lass es"
