"""Files that a setup asks for: their names, what may stand in them, and what is said of one with a fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.play.seating import Table
from companion.core.record.lines import SetupFile
from companion.core.ruling.parameters import LARGEST_FILE, FileFault, faults_of, told_faults, verify_files, why_no_name
from tests.contract.everything import EVERYTHING
from tests.contract.nim import NIM

TABLE = Table(game="everything", seats=(Colour.RED, Colour.BLUE))


@pytest.mark.parametrize("name", ["snap.toml", "a", "Ein Spiel für drei.txt", "x" * 40, "2+2_b-c.d"])
def test_what_a_file_may_be_called(name):
    assert why_no_name(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        ".hidden",
        "../up",
        "a/b",
        "a\\b",
        "a\0b",
        "a\nb",
        " a",
        "a ",
        "a.",
        "x" * 41,
        "a:b",
        "\u202eexe",
        "-r",
    ],
)
def test_what_no_file_may_be_called(name):
    assert why_no_name(name) != ""


@given(st.text(max_size=60))
def test_a_name_that_is_allowed_is_one_part_of_a_path_and_stays_itself(name):
    if not why_no_name(name):
        assert not set("/\0") & set(name)
        assert not name.startswith((".", "-", " "))
        assert len(name.strip().encode()) == len(name.encode()) <= 160


def test_a_file_that_a_game_finds_nothing_wrong_with_has_no_fault():
    assert faults_of(EVERYTHING, "board", "ten columns\nnine columns\n") == ()
    assert faults_of(NIM, "board", "anything") == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a columns\nb", 2),
        ("a\0 columns", 1),
        ("a columns\nb \x1b[2J columns", 2),
        ("\u202e columns", 1),
        ("a columns\rb columns", 1),
        ("\ud800 columns", 1),
        ("x" * LARGEST_FILE + "columns", None),
        ("ü" * (LARGEST_FILE // 2) + " columns", None),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(text, line):
    fault, *_ = faults_of(EVERYTHING, "board", text)
    assert fault.line == line
    assert fault.says


def test_a_game_that_goes_too_deep_into_a_file_is_no_crash():
    class Deep:
        def check_file(self, key: str, text: str) -> tuple[FileFault, ...]:
            return self.check_file(key, text)

    assert faults_of(Deep(), "board", "[[[[") == (FileFault(None, "it is nested too deeply"),)


def test_the_first_fault_is_said_with_file_line_and_how_many_more():
    with pytest.raises(Malformed) as refused:
        verify_files(EVERYTHING, {"board": SetupFile("my.txt", "ten columns\nb\nc\n")})
    assert str(refused.value) == "my.txt, line 2: 'b' says no columns; right would be: ten columns (and 1 more)"
    assert told_faults("x", (FileFault(None, "it is empty"),)) == "x: it is empty"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 121])
def test_a_file_from_elsewhere_has_a_name_that_can_be_shown(name):
    with pytest.raises(Malformed, match="a file's name has 1 to 120 characters"):
        verify_files(EVERYTHING, {"board": SetupFile(name, "ten columns")})


def test_no_match_is_set_up_with_a_file_that_has_a_fault():
    table = Table(game="everything", seats=TABLE.seats, files={"board": SetupFile("my.txt", "ten")})
    with pytest.raises(Malformed, match=r"^my\.txt, line 1: 'ten' says no columns"):
        table.setup(EVERYTHING)


def test_the_setup_has_the_file_whole():
    text = "ten columns\r\nnine columns\n"
    table = Table(game="everything", seats=TABLE.seats, files={"board": SetupFile("my.txt", text)})
    assert table.setup(EVERYTHING).files == {"board": SetupFile("my.txt", text)}
