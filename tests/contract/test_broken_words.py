"""The suite's tests of catalogues and drawings are red for each way in which these can be broken."""

from __future__ import annotations

import importlib
import sys

import pytest

from companion.config import languages
from companion.testing import drawings
from companion.testing.games import GameContract
from companion.testing.walks import Walk
from tests.contract.nim import HeapLine, Nim, TakeLine

HEAD = (
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    '"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'
)
WHOLE = {
    "Nim": 'msgid "Nim"\nmsgstr "Nimm"\n',
    "heap": 'msgid "{colour} takes from the heap {heap}"\nmsgstr "{colour} nimmt vom Haufen {heap}"\n',
    "count": (
        'msgid "{count} match is taken"\nmsgid_plural "{count} matches are taken"\n'
        'msgstr[0] "{count} Holz wird genommen"\nmsgstr[1] "{count} Hölzer werden genommen"\n'
    ),
}
BROKEN = {
    "a message that is not translated": {"heap": 'msgid "{colour} takes from the heap {heap}"\nmsgstr ""\n'},
    "another placeholder": {"heap": 'msgid "{colour} takes from the heap {heap}"\nmsgstr "{color} nimmt von {heap}"\n'},
    "a placeholder left out": {"heap": 'msgid "{colour} takes from the heap {heap}"\nmsgstr "nimmt von {heap}"\n'},
    "a plural left out": {
        "count": 'msgid "{count} match is taken"\nmsgid_plural "{count} matches are taken"\n'
        'msgstr[0] "{count} Holz"\nmsgstr[1] ""\n'
    },
    "a number under another name": {
        "count": 'msgid "{count} match is taken"\nmsgid_plural "{count} matches are taken"\n'
        'msgstr[0] "{count} Holz"\nmsgstr[1] "{n} Hölzer"\n'
    },
    "an unsure entry": {"Nim": '#, fuzzy\nmsgid "Nim"\nmsgstr "Nimm"\n'},
}


class Worded(Nim):
    words = "worded_nim"

    @property
    def title(self):  # type: ignore[override]  # a text of the language it is asked in
        return self.text("Nim")

    def describe(self, line, viewer=None):
        match line:
            case HeapLine():
                return self.text("{colour} takes from the heap {heap}").format(colour=line.colour, heap=line.heap)
            case TakeLine():
                return self.texts("{count} match is taken", "{count} matches are taken", line.count)
        return super().describe(line, viewer)


class Suite(GameContract):
    game = Worded()


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package that has the words of `Worded`; give what writes its catalogue."""
    folder = tmp_path / "worded_nim" / "locale"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()

    def write(parts):
        (folder / "de.po").write_text(HEAD + "\n".join(parts.values()), encoding="utf-8")
        languages.languages.cache_clear()
        languages.translation.cache_clear()

    yield write
    sys.modules.pop("worded_nim", None)
    languages.languages.cache_clear()
    languages.translation.cache_clear()


def test_a_whole_catalogue_passes_and_speaks(package):
    package(WHOLE)
    suite = Suite()
    suite.test_every_catalogue_is_complete()
    suite.test_every_message_that_is_asked_for_is_in_every_catalogue(Walk(suite.game, 0))
    suite.test_a_replay_gives_the_same_rulings_byte_for_byte(Walk(suite.game, 0))
    german = suite.game.speaking(languages.translation("worded_nim", "de"))
    assert german.title == "Nimm"
    assert [german.texts("{count} match is taken", "{count} matches are taken", n) for n in (1, 3)] == [
        "1 Holz wird genommen", "3 Hölzer werden genommen",
    ]  # fmt: skip
    assert languages.languages("worded_nim") == ("de", "en")
    assert suite.game.speaking(languages.translation("worded_nim", "fr")).title == "Nim"


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_catalogue_is_noticed(package, name):
    package({**WHOLE, **BROKEN[name]})
    with pytest.raises(AssertionError):
        Suite().test_every_catalogue_is_complete()


@pytest.mark.parametrize("left_out", WHOLE)
def test_a_message_that_is_in_no_catalogue_is_noticed(package, left_out):
    package({key: text for key, text in WHOLE.items() if key != left_out})
    with pytest.raises(AssertionError):
        Suite().test_every_message_that_is_asked_for_is_in_every_catalogue(Walk(Suite.game, 0))


@pytest.mark.parametrize(
    "path", ["", "L4 4", "M4", "M4 4 5", "M4 4h", "M4 4a1 2 3", "M4 4z1", "M4 4x2", "M4 4l100 0", "M4 4?"]
)
def test_a_crooked_path_is_told(path):
    assert drawings.path_fault(path)


@pytest.mark.parametrize("path", ["M4 18h16l-8-14z", "m.5,-3 1e1 2Q1 2 3 4T5 6", "M12 4a8 8 0 1 0 .1 0z M1 1V2H3"])
def test_a_straight_path_is_none(path):
    assert drawings.path_fault(path) == ""
