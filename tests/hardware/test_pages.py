"""The guide's pictures and links exist, its parts lists can be read and agree with the circuit and the panel."""

from __future__ import annotations

import csv
import re
from collections import Counter

import pytest

from companion.core.panel import BUTTONS
from hardware.board import outline
from hardware.board.circuit import header_board
from hardware.case import pod, table
from hardware.drawings.__main__ import HARDWARE
from hardware.drawings.geometry import SEATS, SIZES, table_panel

PAGES = ["README.md", "electrical.md", "LICENCE.md"]
HEADINGS = ["part", "quantity", "specification", "typical source kind", "remark"]
PRICED = [*HEADINGS[:2], "EUR each", *HEADINGS[2:]]
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
    assert {"drawn/wiring.svg", "drawn/panel-table-24.svg", "drawn/panel-strip-24.svg", "pictures/case.svg"} <= shown
    assert {f"pictures/{path.name}" for path in (HARDWARE / "pictures").iterdir() if "board" not in path.name} <= shown
    steps = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
    assert steps == [str(number + 1) for number in range(len(steps))]
    buttons, stamps = (text.index(f"\n{step}. ") for step in steps[-2:])
    assert "companion doctor --buttons" in text[buttons:stamps]
    assert "companion certify" in text[stamps:]


@pytest.mark.parametrize("name", LISTS)
def test_a_parts_list_has_every_column_filled_but_the_remark(name):
    rows = parts(name)
    for row in rows:
        assert list(row) == (HEADINGS if name == "header-board" else PRICED)
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
    bought = {ref: part for ref, part in header_board().components.items() if not ref.startswith("TP")}
    for ref, part in bought.items():
        built[ref[0] + (part.value if ref[0] in "RC" else "")] += 1
    assert listed == built


def counts(name: str) -> dict[str, int]:
    return {row["part"]: int(row["quantity"]) for row in parts(name)}


@pytest.mark.parametrize("size", SIZES.values(), ids=str)
def test_the_list_of_the_box_has_a_screw_for_every_hole_of_the_model(size):
    listed = counts("box")
    panel = Counter(hole.use for hole in table_panel(size).holes)
    assert listed["screw M3 × 10"] == panel["screw"]
    assert listed["screw M3 × 16"] == panel["hub-screw"]
    assert listed["screw M3 × 10 for the display"] == panel["display-screw"]
    assert listed["screw M3 × 8"] == len(table.base_screws(size))
    assert listed["screw M3 × 12 with nut"] == SEATS * table.BOLTS
    holes = len(table.PI_HOLES["pi"])
    assert listed["standoff M2.5 × 11"] == len(outline.PI_HOLES)
    assert listed["screw M2.5 × 6"] == holes - len(outline.PI_HOLES) + len(outline.HOLES)
    assert listed["rubber foot"] == SEATS
    assert listed["cable tie"] == len(table.OPENINGS)


def test_each_screw_is_long_enough_to_hold_and_too_short_to_come_through():
    """A screw that cuts its thread in plastic wants at least 4 mm of it, and has to end inside."""
    through_top, through_both = table.TOP, 2 * table.TOP
    for long, before, deep in (
        (10, through_top, table.PILOT_DEEP),
        (16, through_both, table.PILOT_DEEP),
        (8, table.FLOOR, table.BASE + 2),
        (10, table.BAR, table.SPONGE + table.TOP - 1),
    ):
        assert 4 <= long - before <= deep
    assert 2 * table.WALL + 2 * table.SEAM + 2.4 <= 12, "an M3 nut is 2.4 mm high"
    assert 4 <= 6 - table.PI_THICK <= table.PI_ABOVE_BASE + table.BASE - 0.6


@pytest.mark.parametrize("size", SIZES.values(), ids=str)
def test_the_list_of_a_pod_has_its_screws(size):
    assert counts("pod")["screw M3 × 10"] == pod.screws(size)
    assert counts("pod")["screw M2 × 5"] == len(pod.PICO_HOLES)
