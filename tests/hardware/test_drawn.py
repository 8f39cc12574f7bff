"""What is kept in hardware/ is what pin map and geometry give, and a builder can rely on every drawing of it."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from itertools import combinations
from math import dist
from xml.etree import ElementTree as ET

import pytest
from ezdxf import readfile
from ezdxf.entities.lwpolyline import LWPolyline

from companion.config.pins import GROUND_PINS, HEADER_PIN, PinMap, built_in
from companion.core.panel import BUTTONS, POSITIONS, Button, Colour, Position
from hardware.drawings import braille
from hardware.drawings.__main__ import HARDWARE, POD, made, stale
from hardware.drawings.connections import connections, ground_pins, table
from hardware.drawings.engraving import dots, shapes
from hardware.drawings.faces import face_of
from hardware.drawings.geometry import SIZES, Panel, panels, table_panel
from hardware.drawings.legends import draw_discs, draw_labels
from hardware.drawings.outlines import extent as extent_of
from hardware.drawings.outlines import word
from hardware.drawings.panel_svg import draw_panel, extent
from hardware.drawings.pod_wiring import PodPins, draw_pod_wiring, pico_pin, pod_pins
from hardware.drawings.wiring import draw_wiring

SVG = "{http://www.w3.org/2000/svg}"
LARGEST = 300_000
LARGEST_FABRICATION = 1_000_000
DRAWN = HARDWARE / "drawn"
EACH_PANEL = pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel.name)


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def test_every_kept_file_is_what_is_made_from_pin_map_and_geometry():
    assert not stale(made()), "run make hardware"


def test_a_changed_pin_map_makes_the_kept_table_and_wiring_stale():
    uses = {**built_in().uses, "red first": 17, "red fourth": 4}
    wires = connections(PinMap(uses))
    assert table(wires) != (DRAWN / "connections.csv").read_text(encoding="utf-8")
    assert draw_wiring(wires) != (DRAWN / "wiring.svg").read_text(encoding="utf-8")


def test_nothing_kept_is_too_large_for_the_repository():
    for path in HARDWARE.rglob("*"):
        limit = LARGEST_FABRICATION if "fabrication" in path.parts else LARGEST
        assert not path.is_file() or path.stat().st_size <= limit, path


# The table and the wiring diagram


def test_the_table_has_all_26_wires_with_the_pins_of_the_pin_map():
    rows = list(csv.DictReader(io.StringIO((DRAWN / "connections.csv").read_text(encoding="utf-8"))))
    wires = {row["name in pinmap.toml"]: row for row in rows if row["name in pinmap.toml"]}
    assert {name: int(row["GPIO"]) for name, row in wires.items()} == dict(built_in().uses)
    assert all(HEADER_PIN[int(row["GPIO"])] == int(row["header pin"]) for row in wires.values())
    assert len(wires) == 26


def test_the_wiring_diagram_shows_each_connection_once_with_pin_gpio_and_words():
    root = ET.parse(DRAWN / "wiring.svg").getroot()
    lines = {element.get("data-key"): element for element in root.iter() if element.get("data-key")}
    assert {name: int(line.get("data-gpio", "")) for name, line in lines.items()} == dict(built_in().uses)
    assert {line.get("id") for line in lines.values()} == {
        f"wire-{HEADER_PIN[gpio]}" for gpio in built_in().uses.values()
    }
    words = texts((DRAWN / "wiring.svg").read_text(encoding="utf-8"))
    assert all(words.count(f"GPIO {gpio}") == 1 for gpio in built_in().uses.values())
    assert all(words.count(str(pin)) == 1 for pin in range(1, 41))


def test_each_wire_of_the_diagram_ends_at_the_words_of_its_own_use():
    root = ET.parse(DRAWN / "wiring.svg").getroot()
    words = [
        (element.text, float(element.get("y", "")), float(element.get("x", ""))) for element in root.iter(f"{SVG}text")
    ]
    for element in root.iter(f"{SVG}line"):
        key = element.get("data-key")
        if key in {button.label for button in BUTTONS}:
            colour, position = key.split()
            y, left = float(element.get("y2", "")), float(element.get("x2", "")) < 148.5
            beside = {text for text, at, x in words if abs(at - y) < 3.5 and (x < 148.5) == left}
            assert {colour.upper(), face_of(Button(Colour(colour), Position(position)))} <= beside


def test_every_cable_has_a_ground_pin_of_its_own():
    grounds = ground_pins(connections(built_in()))
    assert sorted(grounds.values()) == sorted(GROUND_PINS)
    assert set(grounds) == {*Colour, "OLED", "knob", "buzzer"}


def test_the_ground_pins_are_those_the_pin_map_names_in_its_comments():
    source = (HARDWARE / "pinmap.toml").read_text(encoding="utf-8")
    named = {
        name.lower(): {int(pin) for pin in re.findall(r"\d+", pins)}
        for name, pins in re.findall(r"# (\w+): ground on header pin ([\d or]+)\.", source)
    }
    grounds = ground_pins(connections(built_in()))
    assert set(Colour) <= set(named)
    assert all(grounds[colour] in named[colour] for colour in Colour)


# The pod


def test_the_pods_diagram_has_the_firmwares_pins_where_a_pico_has_them():
    pins = pod_pins(json.loads(POD.read_text(encoding="utf-8")))
    assert pins == PodPins((2, 3, 4, 5), (6, 7, 8, 9)), "the guide says so"
    at = {2: 4, 3: 5, 4: 6, 5: 7, 6: 9, 7: 10, 8: 11, 9: 12}  # Raspberry Pi Pico data sheet, pinout
    svg = (DRAWN / "pod-wiring.svg").read_text(encoding="utf-8")
    assert {words for words in texts(svg) if ": GP" in words} == {f"pin {pin}: GP{gpio}" for gpio, pin in at.items()}
    assert {int(gpio) for gpio in re.findall(r'id="(?:input|lamp)-(\d+)"', svg)} == set(at)
    assert [pico_pin(gpio) for gpio in (0, 1, 10, 13, 14, 15)] == [1, 2, 14, 17, 19, 20]
    assert draw_pod_wiring(PodPins((2, 3, 4, 10), pins.lamps)) != svg


@pytest.mark.parametrize("inputs", [[2, 3, 4], [2, 3, 4, 26]])
def test_pins_that_the_pods_diagram_cannot_show_are_refused(inputs):
    with pytest.raises(ValueError, match="GP0 to GP15"):
        pod_pins({"inputs": inputs, "lamps": [6, 7, 8, 9]})


def test_the_pods_parts_list_has_what_its_diagram_shows():
    words = Counter(texts((DRAWN / "pod-wiring.svg").read_text(encoding="utf-8")))
    with (HARDWARE / "parts" / "pod.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for drawn in ("P6KE6.8CA", "AO3400A", "1 kΩ", "100 Ω", "100 kΩ"):
        (row,) = (row for row in rows if row["specification"].startswith(drawn))
        assert int(row["quantity"]) == words[drawn] == 4, drawn
    (fuse,) = (row for row in rows if row["part"].startswith("fuse"))
    assert "0.2 A" in fuse["specification"]
    assert words["fuse 0.2 A"] == int(fuse["quantity"])


# The panels


@EACH_PANEL
def test_a_panel_has_a_hole_for_each_button_of_its_size(panel: Panel):
    buttons = BUTTONS[:4] if panel.name.startswith("pod") else BUTTONS
    assert [hole.use for hole in panel.buttons] == [button.label for button in buttons]
    assert {hole.diameter for hole in panel.buttons} == {panel.size.hole}


@EACH_PANEL
def test_no_flange_touches_another_opening_or_the_edge(panel: Panel):
    for one, two in combinations(panel.buttons, 2):
        assert dist(one[:2], two[:2]) >= panel.size.flange
    for hole in panel.buttons:
        for other in panel.holes:
            if other not in panel.buttons:
                assert dist(hole[:2], other[:2]) >= (panel.size.flange + other.diameter) / 2 + 1
        left, top, right, bottom = extent(panel)
        reach = panel.size.flange / 2 + 5
        assert left + reach <= hole.x <= right - reach
        assert top + reach <= hole.y <= bottom - reach


@EACH_PANEL
def test_knob_window_and_screws_keep_clear_of_each_other(panel: Panel):
    others = [hole for hole in panel.holes if hole not in panel.buttons]
    for one, two in combinations(others, 2):
        assert dist(one[:2], two[:2]) > (one.diameter + two.diameter) / 2 + 1
    for window in panel.windows:
        for hole in panel.holes:
            gap = max(abs(hole.x - window.x) - window.width / 2, abs(hole.y - window.y) - window.height / 2)
            assert gap > hole.diameter / 2 + 1


@pytest.mark.parametrize("size", SIZES.values(), ids=lambda size: f"{size.hole:g}")
def test_the_colours_sit_clockwise_round_the_table_panel(size):
    from math import atan2, pi

    panel = table_panel(size)
    middles = []
    for colour in Colour:
        holes = [hole for hole in panel.buttons if hole.use.startswith(f"{colour} ")]
        x, y = sum(hole.x for hole in holes) / 4, sum(hole.y for hole in holes) / 4
        middles.append(atan2(y, x) % (2 * pi))  # y is downwards: growing angles go clockwise as seen
    steps = [(after - before) % (2 * pi) for before, after in zip(middles, [*middles[1:], middles[0]], strict=True)]
    assert steps == pytest.approx([2 * pi / 5] * 5)


@EACH_PANEL
def test_each_seat_reads_its_cards_from_left_to_right(panel: Panel):
    for mark in panel.marks:
        assert dist(mark.text, mark.braille) < 20
    row = [hole for hole in panel.buttons if hole.use.startswith("red ")]
    assert row[0].x < row[1].x
    assert [hole.use.split()[1] for hole in row] == list(POSITIONS)


@EACH_PANEL
def test_the_dxf_read_back_has_every_hole_where_the_geometry_has_it(panel: Panel):
    document = readfile(DRAWN / f"panel-{panel.name}.dxf")
    circles = document.modelspace().query('CIRCLE[layer=="CUT"]')
    read = sorted((round(c.dxf.center.x, 6), round(c.dxf.center.y, 6), round(2 * c.dxf.radius, 6)) for c in circles)
    assert read == sorted((round(h.x, 6), round(-h.y, 6), h.diameter) for h in panel.holes)
    assert document.header["$INSUNITS"] == 4, "millimetres"
    assert not document.audit().errors


@EACH_PANEL
def test_the_dxf_outline_is_as_large_as_the_drawing_says(panel: Panel):
    from ezdxf.bbox import extents

    space = readfile(DRAWN / f"panel-{panel.name}.dxf").modelspace()
    box = extents(space.query('LWPOLYLINE[layer=="CUT"]'))
    left, top, right, bottom = extent(panel)
    assert (box.size.x, box.size.y) == pytest.approx((right - left, bottom - top), abs=0.3)
    assert f"{right - left:.1f} × {bottom - top:.1f} mm" in " ".join(texts(draw_panel(panel)))


@EACH_PANEL
def test_the_panel_drawing_is_at_true_scale_with_the_same_holes_as_the_dxf(panel: Panel):
    root = ET.parse(DRAWN / f"panel-{panel.name}.svg").getroot()
    _, _, width, height = (float(word) for word in root.get("viewBox", "").split())
    assert (root.get("width"), root.get("height")) == (
        f"{width:.3f}".rstrip("0").rstrip(".") + "mm",
        f"{height:.3f}".rstrip("0").rstrip(".") + "mm",
    )
    drawn = {
        (c.get("data-use"), float(c.get("cx", "")), float(c.get("cy", "")), 2 * float(c.get("r", "")))
        for c in root.iter(f"{SVG}circle")
        if c.get("data-use")
    }
    assert drawn == {(h.use, round(h.x, 3), round(h.y, 3), h.diameter) for h in panel.holes}


# Legends and braille


def distance_to(loop, x, y):
    """How far a point is from a closed line."""
    best = float("inf")
    for (ax, ay), (bx, by) in zip(loop, (*loop[1:], loop[0]), strict=True):
        length = (bx - ax) ** 2 + (by - ay) ** 2
        share = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) if length else 0.0
        best = min(best, dist((x, y), (ax + share * (bx - ax), ay + share * (by - ay))))
    return best


@EACH_PANEL
def test_no_legend_lies_under_a_flange_or_a_screws_head(panel: Panel):
    loops = [loop for shape in shapes(panel) for loop in shape.loops]
    points = [point for _, places in dots(panel) for point in places]
    for hole in panel.holes:
        reach = panel.size.flange / 2 if hole in panel.buttons else 3.0 if "screw" in hole.use else 0.0
        assert all(distance_to(loop, hole.x, hole.y) > reach + 0.3 for loop in loops), hole
        assert all(dist(point, hole[:2]) > reach + braille.DOT_DIAMETER / 2 + 0.3 for point in points), hole


@EACH_PANEL
def test_no_legend_touches_another(panel: Panel):
    boxes = [(shape.says, extent_of(shape.loops)) for shape in shapes(panel)]
    boxes += [("braille", extent_of((tuple(places),))) for _, places in dots(panel)]
    upright = [pair for pair in boxes if panel.name.startswith(("strip", "pod"))] or boxes[:8]
    for (one, a), (other, b) in combinations(upright, 2):
        assert max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]) > 0.8, (one, other)


@EACH_PANEL
def test_the_dxf_has_outlines_and_no_text_and_both_sizes_of_braille_holes(panel: Panel):
    space = readfile(DRAWN / f"panel-{panel.name}.dxf").modelspace()
    assert {entity.dxftype() for entity in space} == {"LWPOLYLINE", "CIRCLE"}
    drawn = space.query('LWPOLYLINE[layer=="ENGRAVE"]')
    assert all(isinstance(line, LWPolyline) and line.closed for line in drawn)
    assert len(drawn) == sum(len(shape.loops) for shape in shapes(panel))
    wanted = sorted((round(x, 3), round(-y, 3)) for _, places in dots(panel) for x, y in places)
    for layer, diameter in (("BRAILLE-LASER-1.4", 1.4), ("BRAILLE-DRILL-1.6-DEEP-1.1", 1.6)):
        holes = space.query(f'CIRCLE[layer=="{layer}"]')
        assert sorted((round(c.dxf.center.x, 3), round(c.dxf.center.y, 3)) for c in holes) == wanted
        assert {2 * c.dxf.radius for c in holes} == {diameter}


def test_a_letter_has_its_height_and_what_the_font_lacks_is_named():
    left, top, right, bottom = extent_of(word("HH", 4.0))
    assert (bottom - top, (left + right) / 2) == (pytest.approx(4.0, abs=0.01), pytest.approx(0.0, abs=0.2))
    assert len(word("HH", 4.0)) == 2
    assert len(word("o", 4.0)) == 2, "outside and inside"
    with pytest.raises(ValueError, match="no '𝄞'"):
        word("𝄞", 4.0)


ALPHABET = "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵"


def test_the_braille_alphabet_is_that_of_unicode():
    assert braille.cells("abcdefghijklmnopqrstuvwxyz") == ALPHABET


def test_braille_dots_lie_at_the_distances_of_marburg_medium():
    assert list(braille.places("rd")) == [(0, 0), (0, 2.5), (0, 5.0), (2.5, 2.5), (6.0, 0), (8.5, 0), (8.5, 2.5)]


def test_what_is_no_letter_has_no_cell():
    with pytest.raises(ValueError, match="not 'ß', 'é' in 'éaß'"):
        braille.cells("éaß")


def dots_read_back(svg: str) -> list[str]:
    """Read the dots of the drawn cells back into words."""
    words = []
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        if group.get("data-word"):
            cells: dict[int, int] = {}
            for dot in group.iter(f"{SVG}circle"):
                x, y = float(dot.get("cx", "")), float(dot.get("cy", ""))
                cell, across = divmod(round(x * 2), 12)
                cells[cell] = cells.get(cell, 0) | 1 << (round(y / 2.5) + (3 if across else 0))
            words.append(
                "".join("abcdefghijklmnopqrstuvwxyz"[ALPHABET.index(chr(0x2800 + cells[i]))] for i in sorted(cells))
            )
    return words


def test_the_labels_say_colour_card_and_short_form_of_all_twenty_buttons_in_braille():
    expected = [word for b in BUTTONS for word in (b.colour, face_of(b), b.colour[0] + face_of(b)[0])]
    assert dots_read_back(draw_labels()) == expected


def test_the_short_forms_of_the_buttons_differ():
    assert len({b.colour[0] + face_of(b)[0] for b in BUTTONS}) == 20


def test_labels_and_discs_name_every_button_in_print():
    for words in (texts(draw_labels()), texts(draw_discs(SIZES[24]))):
        for button in BUTTONS:
            face = face_of(button)
            assert f"{button.colour} {face}" in words or {button.colour.upper(), face} <= set(words)
    assert all(texts(draw_discs(SIZES[30])).count(colour.short) == 4 for colour in Colour)


def test_a_label_is_wide_enough_for_the_longest_word_in_braille():
    from hardware.drawings.legends import LABEL_WIDE

    longest = max((word for b in BUTTONS for word in b), key=len)
    assert braille.width(longest) + 2 * 2.4 < LABEL_WIDE
