"""`companion strip`, and `companion export --evidence`: what they write, and what they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.adapters.evidence_files import evidence_folder
from companion.adapters.sqlite_journal import SqliteJournal
from companion.cli.main import main
from companion.core.evidence.written import digest
from tests.screens.strip.races import clean, dead_heat

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record with its evidence beside it."""
    (tmp_path / "match.jsonl").write_bytes(b"".join(line + b"\n" for line in dead_heat().record()))
    (tmp_path / f"{digest(dead_heat().evidence())}.jsonl").write_bytes(dead_heat().evidence())
    return tmp_path


def strip(folder: Path, *options: str) -> int:
    return main(["strip", str(folder / "match.jsonl"), "1", *options])


def test_a_strip_is_printed_as_svg(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert strip(folder) == 0
    out = capsysbinary.readouterr().out
    assert out.startswith(b"<svg ")
    assert b"dead heat with" in out


@pytest.mark.parametrize(("name", "begins"), [("a.svg", b"<svg "), ("a.PDF", b"%PDF-")])
def test_a_strip_is_written_as_its_name_says(folder: Path, name: str, begins: bytes) -> None:
    assert strip(folder, "--out", str(folder / name)) == 0
    assert (folder / name).read_bytes().startswith(begins)


def test_evidence_may_be_a_folder_or_the_file_itself(folder: Path) -> None:
    elsewhere = folder / "kept"
    elsewhere.mkdir()
    (evidence,) = folder.glob("?" * 64 + ".jsonl")
    moved = evidence.rename(elsewhere / evidence.name)
    assert strip(folder, "--out", str(folder / "a.svg")) == 1
    assert strip(folder, "--evidence", str(elsewhere), "--out", str(folder / "a.svg")) == 0
    renamed = moved.rename(folder / "evidence of race 1")
    assert strip(folder, "--evidence", str(renamed), "--out", str(folder / "b.svg")) == 0
    assert (folder / "a.svg").read_bytes() == (folder / "b.svg").read_bytes()


def test_altered_evidence_is_refused_and_nothing_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (evidence,) = folder.glob("?" * 64 + ".jsonl")
    evidence.write_bytes(evidence.read_bytes().replace(b"35000", b"25000"))
    assert strip(folder, "--out", str(folder / "a.svg")) == 1
    assert "not the evidence that the record names" in capsys.readouterr().err
    assert not (folder / "a.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["1", "--out", "a.png"], "its name must end in .svg or .pdf"),
        (["3"], "the record has no pow-wow 3"),
        (["0"], "0 is not in the range"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_line(
    folder: Path, arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["strip", str(folder / "match.jsonl"), *arguments]) != 0
    err = capsys.readouterr().err
    assert says in err
    assert "Traceback" not in err


def test_a_record_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strip", str(tmp_path / "none.jsonl"), "1"]) == 1
    assert "cannot read" in capsys.readouterr().err


def test_an_export_brings_the_evidence_that_its_record_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, out = tmp_path / "state", tmp_path / "out"
    state.mkdir()
    journal = SqliteJournal(state)
    journal.open(lambda *_: None, lambda _: None)
    journal.begin("apache", [*clean().record(), dead_heat().record()[-1]], None)
    journal.close()
    evidence_folder(state).mkdir()
    (evidence_folder(state) / f"{digest(clean().evidence())}.jsonl").write_bytes(clean().evidence())
    record = out / "match.jsonl"
    export = ["export", "1", "--state-dir", str(state), "--evidence", str(out), "-o", str(record)]
    out.mkdir()
    assert main(export) == 0
    assert "1 files" in capsys.readouterr().err
    assert (out / f"{digest(clean().evidence())}.jsonl").read_bytes() == clean().evidence()
    assert main(["strip", str(record), "1", "--out", str(tmp_path / "a.svg")]) == 0
