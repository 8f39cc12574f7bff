"""The header board's files for a maker are the same each time, and its tables name every part that is bought."""

from __future__ import annotations

import csv
import io
import re
import zipfile

import pytest

from hardware.board import build
from hardware.board.build import UnfitBoard, make_board
from hardware.board.circuit import Component, header_board
from hardware.board.fabrication import COLUMNS, bill, cost, packed, positions, project_files, without_times

GERBER = b"""G04 #@! TF.GenerationSoftware,KiCad,Pcbnew,9.0.2*
%TF.CreationDate,2026-11-25T17:00:00+00:00*%
G04 Created by KiCad (PCBNEW 9.0.2) date 2026-11-25 17:00:00*
D10*
"""
DRILL = b"""M48
; DRILL file {KiCad 9.0.2} date 2026-11-25T17:00:00+0000
; #@! TF.CreationDate,2026-11-25T17:00:00+00:00
T1C0.350
"""
PDF = b"/Producer (KiCad PDF)\n/CreationDate (D:20261125170000)\n"
STEP = b"FILE_NAME('it.step','2026-11-25T17:00:00',('Pcbnew'),('Kicad'),\n"


@pytest.fixture(scope="module")
def components() -> dict[str, Component]:
    return header_board().components


def test_the_time_is_taken_out_and_nothing_else():
    assert without_times(GERBER).splitlines() == [
        b"G04 #@! TF.GenerationSoftware,KiCad,Pcbnew,9.0.2*", b"G04 Created by KiCad (PCBNEW 9.0.2)*", b"D10*",
    ]  # fmt: skip
    assert without_times(DRILL).splitlines() == [b"M48", b"; DRILL file {KiCad 9.0.2}", b"T1C0.350"]
    for data in (GERBER, DRILL, PDF, STEP):
        later = data.replace(b"17:00:00", b"18:30:09").replace(b"170000", b"183009")
        assert later != data
        assert without_times(later) == without_times(data)
    assert len(without_times(PDF)) == len(PDF), "it says at which byte each of its objects is"


def test_the_kept_project_has_all_its_files_and_names_none_outside_of_kicad():
    with zipfile.ZipFile(build.FABRICATION / "kicad.zip") as project:
        assert project.namelist() == sorted(project_files(build.NAME))
        tables = project.read("fp-lib-table").decode() + project.read("sym-lib-table").decode()
        assert b'(paper "A2")' in project.read("header-board.kicad_sch")
    assert set(re.findall(r'uri "([^"]*)/', tables)) == {"${KICAD9_FOOTPRINT_DIR}", "${KIPRJMOD}"}


def test_every_file_for_a_maker_is_kept_and_is_what_its_name_says():
    begins = {"gerber.zip": b"PK", "kicad.zip": b"PK", "schematic.pdf": b"%PDF-", "header-board.step": b"ISO-10303-21;",
              "bom.csv": b"Designator,", "positions.csv": b"Designator,"}  # fmt: skip
    assert {path.name for path in build.FABRICATION.iterdir()} == set(begins)
    for name, begin in begins.items():
        assert (build.FABRICATION / name).read_bytes().startswith(begin), name


def test_a_zip_is_the_same_whatever_the_order_in_which_its_files_were_made():
    assert packed({"a": b"1", "b": b"2"}) == packed({"b": b"2", "a": b"1"})


def test_the_bill_has_each_part_that_is_bought_once(components):
    rows = list(csv.DictReader(io.StringIO(bill(components))))
    named = [ref for row in rows for ref in row["Designator"].split()]
    assert sorted(named) == sorted(ref for ref in components if not ref.startswith("TP"))
    assert all(int(row["Quantity"]) == len(row["Designator"].split()) for row in rows)


def test_every_line_of_the_bill_can_be_ordered(components):
    rows = list(csv.DictReader(io.StringIO(bill(components))))
    for row in rows:
        assert tuple(row) == COLUMNS
        for column in ("Maker", "Maker's number", "Instead", "Price is"):
            assert row[column].strip(), (row["Value"], column)
        assert row["Maker"] != "any"
        assert row["Maker's number"] not in row["Instead"].split()
        assert float(row["EUR each"]) > 0
        assert float(row["EUR"]) == pytest.approx(int(row["Quantity"]) * float(row["EUR each"]))
        assert row["LCSC"] or row["Mouser"] or row["Digi-Key"], row["Value"]
        assert re.fullmatch(r"(C\d{4,8})?", row["LCSC"]), row
        assert re.fullmatch(r"(\d{3}-[A-Z0-9.,-]+)?", row["Mouser"]), row
        assert re.fullmatch(r"([A-Z0-9.-]+-ND)?", row["Digi-Key"]), row
    for column in ("Maker's number", "LCSC", "Mouser", "Digi-Key"):
        given = [row[column] for row in rows if row[column]]
        assert len(given) == len(set(given)), column
    assert {row["Value"] for row in rows if "C0G" in row["Kind"]} == {"1n"}


def test_the_guide_says_what_one_board_and_five_cost(components):
    text = (build.HERE.parent / "README.md").read_text(encoding="utf-8")
    one, five = (round(cost(components, boards)) for boards in (1, 5))
    assert f"{one} € for one board, {five} € for five" in " ".join(text.split())


def test_positions_are_in_the_words_of_assemblers_without_test_points_and_holes(components):
    written = (
        "Ref,Val,Package,PosX,PosY,Rot,Side\nR1,10k,R_0805,1.5,-2.5,90,top\nTP1,3V3,P,0,0,0,top\nH1,,H,0,0,0,top\n"
    )
    rows = list(csv.DictReader(io.StringIO(positions(written, components))))
    assert [(row["Designator"], row["Mid X"], row["Rotation"], row["Layer"]) for row in rows] == [
        ("R1", "1.5", "90", "Top")
    ]


@pytest.fixture
def made_again(tmp_path, monkeypatch):
    """`make_board` with KiCad's files given here, one set each time it makes them; where it keeps them."""

    class There:
        work = tmp_path / "work"
        is_there = staticmethod(lambda: True)
        provide = staticmethod(lambda: None)

    def make(*times, **how):
        left, said = iter(times), list[str]()
        monkeypatch.setattr(build, "made", lambda _kicad, _say: next(left))
        make_board(said.append, **how)
        return said

    monkeypatch.setattr(build, "Kicad", There)
    monkeypatch.setattr(build, "HERE", tmp_path / "hardware" / "board")
    monkeypatch.setattr(build, "FABRICATION", tmp_path / "kept")
    monkeypatch.setattr(build, "take_pictures", lambda _kicad, *, anew: None)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "bom.csv").write_bytes(b"R1\n")
    return make, tmp_path / "kept"


def test_a_kept_file_that_is_not_what_was_made_fails_once_it_has_been_written_anew(made_again):
    make, kept = made_again
    assert make({"bom.csv": b"R1\n"}) == []
    (kept / "bom.csv").write_bytes(b"R1 \n")
    with pytest.raises(UnfitBoard, match=r"written anew: bom\.csv"):
        make({"bom.csv": b"R1\n"})
    assert (kept / "bom.csv").read_bytes() == b"R1\n"
    assert make({"bom.csv": b"R1\n"}) == []


def test_a_kept_file_that_is_no_longer_made_fails_and_is_taken_away(made_again):
    make, kept = made_again
    (kept / "of-old.zip").write_bytes(b"PK")
    with pytest.raises(UnfitBoard, match=r"of-old\.zip"):
        make({"bom.csv": b"R1\n"})
    assert [path.name for path in kept.iterdir()] == ["bom.csv"]


def test_a_byte_that_differs_from_one_time_to_the_next_fails(made_again):
    make, _ = made_again
    once = {"bom.csv": b"R1\n", "gerber.zip": b"17:00"}
    with pytest.raises(UnfitBoard, match="written anew"):
        make(once)
    assert make(once, dict(once), twice=True) == ["  made twice from scratch: 2 files, the same bytes"]
    with pytest.raises(UnfitBoard, match=r"not the same bytes: gerber\.zip"):
        make(once, {**once, "gerber.zip": b"17:01"}, twice=True)
    with pytest.raises(UnfitBoard, match=r"not the same bytes: positions\.csv"):
        make(once, {**once, "positions.csv": b""}, twice=True)
