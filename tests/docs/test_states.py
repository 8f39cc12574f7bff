"""State machines for the diagrams: read from tables, walked through games, drawn so that everything can be read."""

from __future__ import annotations

import ast
import itertools
from enum import Enum
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from docs.making.drawing import arrange, svg, table
from docs.making.states import MACHINES, Arrow, Machine, from_module, of_rows, of_table

PROGRAM = Path(__file__).parents[2] / "companion"


class Light(Enum):
    RED = 1
    GREEN = 2
    BROKEN = 3
    UNUSED = 4


TABLE = {
    (Light.GREEN, "stop"): Light.RED,
    (Light.RED, "go"): Light.GREEN,
    (Light.RED, "look"): Light.RED,
    (Light.RED, "a wire broke somewhere"): Light.BROKEN,
    (Light.GREEN, ValueError): Light.BROKEN,
    (Light.BROKEN, "mended"): Light.RED,
}


def test_a_table_gives_its_states_in_the_enums_order_and_all_its_arrows():
    machine = of_table("A light", TABLE)
    assert machine.states == ("RED", "GREEN", "BROKEN")
    assert Arrow("GREEN", "ValueError", "BROKEN") in machine.arrows
    assert len(machine.arrows) == len(TABLE)


def test_a_table_of_words_gives_its_states_as_they_first_come():
    assert of_table("x", {("b", "e"): "a", ("a", "e"): "c"}).states == ("b", "a", "c")


class Step(NamedTuple):
    act: str
    after: Light


ROWS: dict[Light, dict[str, Light | Step]] = {
    Light.RED: {"go": Light.GREEN, "look": Step("wait", Light.RED)},
    Light.GREEN: {"stop": Step("brake", Light.RED)},
}


def test_rows_give_the_state_after_whether_a_cell_is_it_or_has_it():
    flat = {(Light.RED, "go"): Light.GREEN, (Light.RED, "look"): Light.RED, (Light.GREEN, "stop"): Light.RED}
    assert of_rows("A light", ROWS) == of_table("A light", flat)


def test_a_table_is_found_in_its_module():
    assert from_module("A light", __name__, "ROWS")() == of_rows("A light", ROWS)


@pytest.mark.parametrize(
    ("name", "arrow"),
    [
        ("collecting", Arrow("COLLECTING", "CLOSED", "ASKING")),
        ("line", Arrow("FIRM", "ACCEPTED", "PRESSED")),
        ("pod-link", Arrow("TALKING", "LOSS", "RECOUNTING")),
    ],
)
def test_what_runs_is_what_is_drawn(name, arrow):
    assert arrow in MACHINES[name]().arrows


def test_the_walk_finds_the_whole_life_of_a_round_of_order():
    assert set(MACHINES["race-of-order"]().arrows) == {
        Arrow("OPEN", "press", "COLLECTING"),
        Arrow("COLLECTING", "press", "COLLECTING"),
        Arrow("COLLECTING", "close", "CLOSED"),
        Arrow("CLOSED", "judge", "OPEN"),
        Arrow("OPEN", "end", "OVER"),
    }


def test_the_walk_finds_what_apaches_play_says_of_a_pow_wow():
    arrows = set(MACHINES["race-of-apache"]().arrows)
    assert arrows >= {
        Arrow("WAITING", "reveal", "OPEN"),
        Arrow("OPEN", "reveal", "OPEN"),
        Arrow("OPEN", "press", "COLLECTING"),
        Arrow("COLLECTING", "reveal", "COLLECTING"),
        Arrow("COLLECTING", "close", "CLOSED"),
        Arrow("CLOSED", "reveal", "CLOSED"),
        Arrow("CLOSED", "judge", "SETTLING"),
        Arrow("CLOSED", "judge", "WAITING"),
        Arrow("SETTLING", "claim", "SETTLING"),
        Arrow("SETTLING", "claim", "WAITING"),
        Arrow("WAITING", "end", "OVER"),
        Arrow("OPEN", "end", "OVER"),
    }
    assert {arrow.before for arrow in arrows} == {"WAITING", "OPEN", "COLLECTING", "CLOSED", "SETTLING"}


@pytest.mark.slow  # parses the whole program
def test_every_transition_table_of_the_program_has_a_diagram():
    found = []
    for path in sorted(PROGRAM.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            targets = [node.target] if isinstance(node, ast.AnnAssign) else getattr(node, "targets", [])
            is_rows = isinstance(getattr(node, "value", None), ast.Dict)
            found += [path for target in targets if isinstance(target, ast.Name) and target.id == "TABLE" and is_rows]
    assert len(found) >= 3
    modules = {".".join(path.relative_to(PROGRAM.parent).with_suffix("").parts) for path in found}
    shown = (PROGRAM.parent / "docs/making/states.py").read_text(encoding="utf-8")
    in_table = shown[shown.index("MACHINES: dict") : shown.index('"""Every diagram')]
    assert [module for module in sorted(modules) if f'"{module}"' not in in_table] == []


def test_every_diagram_is_on_the_page_of_diagrams():
    page = (PROGRAM.parent / "docs/states.md").read_text(encoding="utf-8")
    assert [name for name in MACHINES if f"<!-- states: {name} -->" not in page] == []


DENSE = Machine(
    "dense",
    tuple("ABCDE"),
    tuple(Arrow(a, f"{a.lower()} to {b.lower()}, said at length", b) for a in "ABCDE" for b in "ABCDE"),
)


def crosses(line, room):
    """Tell whether a line that runs straight across or straight down goes through a rectangle."""
    return any(
        min(x0, x1) < room.x + room.width
        and max(x0, x1) > room.x
        and min(y0, y1) < room.y + room.height
        and max(y0, y1) > room.y
        for (x0, y0), (x1, y1) in itertools.pairwise(line)
    )


def overlap(one, other):
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


@pytest.mark.parametrize(
    "machine", [of_table("A light", TABLE), DENSE, *(make() for make in MACHINES.values())], ids=lambda m: m.title
)
def test_nothing_lies_on_a_text_and_nothing_runs_off_the_picture(machine):
    picture = arrange(machine)
    rooms = [text.room for text in picture.texts]
    assert len(rooms) == len(machine.states) + len(machine.arrows)
    assert not [(a, b) for a, b in itertools.combinations(rooms, 2) if overlap(a, b)]
    assert not [(line, room) for line in picture.lines for room in rooms if crosses(line, room)]
    assert not [(box, other) for box, other in itertools.combinations(picture.boxes, 2) if overlap(box, other)]
    for room in [*rooms, *picture.boxes]:
        assert room.x >= 0
        assert room.y >= 0
        assert room.x + room.width <= picture.width
        assert room.y + room.height <= picture.height
    for line in picture.lines:
        assert all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in line)


def test_a_drawing_is_one_line_of_svg_with_every_word_in_it_and_nothing_from_elsewhere():
    machine = of_table("A <light>", TABLE)
    drawn = svg(machine)
    assert "\n" not in drawn
    texts = [element.text for element in ET.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert set(texts) >= {"RED", "GREEN", "BROKEN", "stays: look", "a wire broke somewhere"}
    assert "href" not in drawn


def test_the_table_below_a_drawing_says_the_same():
    said = table(of_table("A light", TABLE))
    assert "| RED | go: GREEN, look: RED, a wire broke somewhere: BROKEN |" in said
    assert "| BROKEN | mended: RED |" in said
