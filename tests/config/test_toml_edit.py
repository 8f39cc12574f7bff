"""Files that people edit too: what the program writes leaves their comments, and reads back to what was meant."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cli.pods import save
from companion.config.deck_file import Deck, read_deck, write_deck
from companion.config.pod_file import PodEntry, read_pods, write_pods
from companion.config.toml_edit import edit, set_all, table_of
from companion.core.errors import Malformed

PODS = """\
# the long table
[pods.e6614104032a5b28]  # bought in May
name = "west"
lines = [
    "red first",    # the large switch
    "red second",
    "",
]

# spare, in the drawer
[pods.e6614104032a5b29]
name = "east"
lines = []
"""
WEST, EAST, NEW = "e6614104032a5b28", "e6614104032a5b29", "e6614104032a5b2a"


def test_a_pod_is_changed_and_another_added_and_every_comment_stays(tmp_path):
    path = tmp_path / "pods.toml"
    path.write_text(PODS)
    pods = read_pods(path)
    write_pods(path, pods)
    assert path.read_text() == PODS
    pods[WEST] = PodEntry("west", ("red first", "blue fourth", None))
    pods[NEW] = PodEntry("north", ("green first", None))
    write_pods(path, pods)
    assert path.read_text() == (
        PODS.replace("red second", "blue fourth") + f'\n[pods.{NEW}]\nname = "north"\nlines = ["green first", ""]\n'
    )
    assert read_pods(path) == pods
    assert [file.name for file in tmp_path.iterdir()] == ["pods.toml"]


def test_a_pod_that_is_gone_leaves_the_others_as_they_were(tmp_path):
    path = tmp_path / "pods.toml"
    path.write_text(PODS)
    pods = read_pods(path)
    del pods[EAST]
    write_pods(path, pods)
    assert read_pods(path) == pods
    assert path.read_text().startswith(PODS[: PODS.index("\n# spare")])


def test_what_the_pods_commands_save_keeps_the_comments_and_leaves_nothing_beside(tmp_path):
    path = tmp_path / "pods.toml"
    path.write_text(PODS)
    (tmp_path / "pods.trial").write_text("left over by a power cut")
    save(path, {**read_pods(path), EAST: PodEntry("south", ())})
    assert path.read_text() == PODS.replace("east", "south")
    assert [file.name for file in tmp_path.iterdir()] == ["pods.toml"]


def test_a_new_file_says_who_writes_it(tmp_path):
    path = tmp_path / "state" / "pods.toml"
    write_pods(path, {WEST: PodEntry("west", ("red first", None))})
    assert path.read_text() == (
        "# Which pod's line is which button. Written by companion pods; may be edited.\n\n"
        f'[pods.{WEST}]\nname = "west"\nlines = ["red first", ""]\n'
    )


def test_an_enrolled_card_is_added_below_and_every_comment_stays(tmp_path):
    path = tmp_path / "deck.toml"
    before = '# ours\ngame = "apache"  # 2007\n\n[cards]\n# a worn one\n"04A2B91C" = "red hunter"\n'
    path.write_text(before)
    deck = read_deck(path)
    deck.enrol("04A2B91D", "buffalo")
    write_deck(path, deck)
    assert path.read_text() == before + '"04A2B91D" = "buffalo"\n'


CODES = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=64)


@given(before=st.sets(CODES, max_size=8), after=st.sets(CODES, max_size=8))
def test_any_deck_written_over_any_other_reads_back(before, after):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deck.toml"
        write_deck(path, Deck("apache", dict.fromkeys(sorted(before), "buffalo")))
        write_deck(path, Deck("apache", dict.fromkeys(sorted(after), "horse")))
        assert tomllib.loads(path.read_text()) == {"game": "apache", "cards": dict.fromkeys(after, "horse")}


def test_what_is_no_toml_is_not_written_over(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text("game = \n")
    with pytest.raises(Malformed, match="not TOML"):
        write_deck(path, Deck("apache"))
    assert path.read_text() == "game = \n"


def test_the_program_starts_without_tomlkit():
    rooms = ("app.run", "config.reading", "config.deck_file", "config.pod_file")
    look = f"import sys, {', '.join(f'companion.{room}' for room in rooms)}; print('tomlkit' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_file_keeps_its_mode_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "config.toml"
    path.write_text("[web]\n", encoding="utf-8")
    path.chmod(0o600)
    (tmp_path / "config.new").mkdir()
    edit(path, "", lambda document: set_all(table_of(document, "web"), {"tls": True}))
    assert path.stat().st_mode & 0o777 == 0o600
    assert "tls" in path.read_text(encoding="utf-8")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["config.new", "config.toml"]
