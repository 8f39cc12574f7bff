"""The guide's pictures and links exist, its parts lists can be read and agree with the circuit and the panel."""

from __future__ import annotations

import csv
import re
from collections import Counter

import pytest

from companion.config.pins import built_in
from companion.core.panel import BUTTONS
from hardware.board.circuit import netlist
from hardware.drawings.__main__ import HARDWARE

PAGES = ["README.md", "electrical.md"]
HEADINGS = ["part", "quantity", "specification", "typical source kind", "remark"]
LISTS = ["box", "pod", "strip", "header-board"]


def parts(name: str) -> list[dict[str, str]]:
    with (HARDWARE / "parts" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


@pytest.mark.parametrize("page", PAGES)
def test_every_link_and_picture_of_a_page_exists(page):
    text = (HARDWARE / page).read_text(encoding="utf-8")
    targets = [target for target in re.findall(r"\]\(([^)#]+)[^)]*\)", text) if "://" not in target]
    assert targets
    assert not [target for target in targets if not (HARDWARE / target).exists()]


def test_the_guide_shows_the_drawings_and_ends_with_the_test_of_the_buttons_and_of_their_time_stamps():
    text = (HARDWARE / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text))
    assert {"drawn/wiring.svg", "drawn/panel-table-24.svg", "drawn/panel-strip-24.svg", "pictures/case.png"} <= shown
    steps = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
    assert steps == [str(number + 1) for number in range(len(steps))]
    buttons, stamps = (text.index(f"\n{step}. ") for step in steps[-2:])
    assert "companion doctor --buttons" in text[buttons:stamps]
    assert "companion certify" in text[stamps:]


@pytest.mark.parametrize("name", LISTS)
def test_a_parts_list_has_every_column_filled_but_the_remark(name):
    rows = parts(name)
    for row in rows:
        assert list(row) == HEADINGS
        assert all(row[heading] for heading in HEADINGS[:-1]), row["part"]
        assert int(row["quantity"]) > 0


@pytest.mark.parametrize(("name", "count"), [("box", len(BUTTONS)), ("strip", len(BUTTONS)), ("pod", 4)])
def test_a_build_has_its_buttons(name, count):
    assert [int(row["quantity"]) for row in parts(name) if row["part"] == "arcade button"] == [count]


def test_the_header_boards_list_has_as_many_of_each_part_as_the_netlist():
    listed: Counter[str] = Counter()
    for row in parts("header-board"):
        value = re.split(r"[,(]", row["specification"])[0].replace(" ", "").replace("Ω", "").replace("µ", "u")
        kind = {"p": "R", "s": "R", "c": "C"}.get(row["part"][0], row["part"][0])
        listed[kind + (value.rstrip("F") if kind in "RC" else "")] += int(row["quantity"])
    built: Counter[str] = Counter()
    for ref, part in netlist(built_in()).components.items():
        built[ref[0] + (part.value if ref[0] in "RC" else "")] += 1
    assert listed == built
