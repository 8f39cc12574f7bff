"""The case can be printed and put together, and everything that is bought has room in it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING

import pytest

from companion.core.panel import POSITIONS, Button, Colour
from hardware.board import outline
from hardware.case import assembly, bodies, build, formats, pod, relief, table
from hardware.drawings import braille
from hardware.drawings.engraving import dots, short_braille
from hardware.drawings.geometry import SIZES, table_panel
from hardware.mesh import bed, fault, moved, read_stl, turned

if TYPE_CHECKING:
    from collections.abc import Callable

    from build123d import Part

    from hardware.drawings.geometry import ButtonSize

EACH_SIZE = pytest.mark.parametrize("size", SIZES.values(), ids=lambda size: f"{size.hole:.0f}")
BED_MM = 220.0


@EACH_SIZE
@pytest.mark.parametrize("name", bodies.PIS)
def test_nothing_in_the_box_takes_the_place_of_anything_else(size, name):
    assert assembly.clashes(assembly.box(size, name)) == []


@EACH_SIZE
def test_nothing_does_below_a_panel_that_is_cut_either(size):
    assert assembly.clashes(assembly.box(size, "Pi 4", topped=False)) == []


def test_everything_that_the_box_needs_is_among_what_is_looked_at():
    names = set(assembly.box(SIZES[24], "Pi 5"))
    assert {
        "Pi 5",
        "header board",
        "display",
        "knob",
        "buzzer",
        "hub",
        "base",
        "USB plug 2",
        "supply's plug 1",
    } <= names
    assert len([name for name in names if name.startswith(("red ", "yellow ", "green ", "blue ", "purple "))]) == 20
    assert len([name for name in names if name.startswith(("tray", "top", "foot"))]) == 15


@EACH_SIZE
@pytest.mark.parametrize("name", ["Pi 3", "Pi 4", "Pi 5"])
def test_a_pi_below_the_first_seats_buttons_would_be_found(size, name, monkeypatch):
    """Where the floor had its holes once: 49 mm deep from 44 mm on, where buttons and seams are."""
    monkeypatch.setattr(table, "PI_TURN", 180.0)
    monkeypatch.setattr(table, "PI_PLACES", {round(size.hole): (42.5, -40.0)})
    parts = {part.name: part.mesh() for part in assembly.printed(size, "pi")}
    parts |= {what: assembly.surface(solid) for what, solid in bodies.pi(size, name).items()}
    button = assembly.surface(bodies.button(size))
    parts |= {use: moved(button, (*at, 0)) for use, at in bodies.button_places(size).items()}
    met = {frozenset(pair[:2]) for pair in assembly.clashes(parts)}
    assert any(name in pair and any(other.startswith("red ") for other in pair) for pair in met)


@EACH_SIZE
def test_the_header_board_the_other_way_round_would_be_found(size, monkeypatch):
    """Turned about its socket by half a turn it stands out over the other side."""
    left, up = outline.PI_LEFT, outline.PI_TOP
    monkeypatch.setattr(table, "board_point", lambda size, x, y: table.on_base(size, 65 - x + left, 7 - y + up))
    parts = {part.name: part.mesh() for part in assembly.printed(size, "pi")}
    inside = bodies.pi(size, "Pi 4") | bodies.header_board(size)
    parts |= {what: assembly.surface(solid) for what, solid in inside.items()}
    assert any("header board" in pair for pair in ({one, other} for one, other, _ in assembly.clashes(parts)))


PRINTED: dict[str, Callable[[ButtonSize], Part]] = {
    "tray": table.tray,
    "tray-out": lambda size: table.tray(size, out=True),
    "top": table.top,
    "hub": table.hub,
    "bar": table.bar,
    "base-pi": lambda size: table.base(size, "pi"),
    "base-zero": lambda size: table.base(size, "zero"),
    "pod-tray": pod.tray,
    "pod-top": pod.top,
}


@EACH_SIZE
@pytest.mark.parametrize("part", PRINTED)
def test_a_part_is_one_closed_body_that_fits_the_bed(size, part):
    mesh = assembly.surface(PRINTED[part](size))
    assert fault(mesh) is None
    assert bed(mesh) <= BED_MM


def upper_side(mesh, x, y):
    """How high the body's surface is above a point."""
    found = mesh.triangles[_over(mesh, x, y)]
    heights = []
    for a, b, c in found:
        (ux, uy), (vx, vy), (px, py) = (b - a)[:2], (c - a)[:2], (x - a[0], y - a[1])
        area = ux * vy - uy * vx
        s, t = (px * vy - py * vx) / area, (ux * py - uy * px) / area
        heights.append(a[2] + s * (b - a)[2] + t * (c - a)[2])
    return max(heights, default=None)


def _over(mesh, x, y):
    """Which triangles lie over a point, those that stand upright left out."""
    import numpy as np

    a, b, c = (mesh.triangles[:, corner, :2] for corner in range(3))
    point = np.array([x, y])
    ways = [(q - p)[:, 0] * (point - p)[:, 1] - (q - p)[:, 1] * (point - p)[:, 0] for p, q in ((a, b), (b, c), (c, a))]
    inside = ((ways[0] > 0) & (ways[1] > 0) & (ways[2] > 0)) | ((ways[0] < 0) & (ways[1] < 0) & (ways[2] < 0))
    return np.nonzero(inside)[0]


@EACH_SIZE
@pytest.mark.parametrize("seat", list(Colour))
def test_braille_stands_out_of_the_kept_stl_by_half_a_millimetre_where_the_drawing_has_it(size, seat):
    """Read as anybody reads it, put where the panel has it, and felt: on each dot, and halfway between neighbours."""
    number = list(Colour).index(seat)
    turn = 72.0 * number
    lying = read_stl(build.PRINTED / f"{size.hole:.0f}" / f"top-{seat}.stl")
    there = turned(assembly.surface(table.top(size)), 0.0).bounds
    middle = [(low + high) / 2 for low, high in zip(there[0], there[1], strict=True)]
    plate = table.TOP
    felt = 0
    for mark, places in dots(table_panel(size)):
        if mark.button.colour != seat:
            continue
        for x, y in places:
            at = rotated(x, -y, turn)
            x0, y0 = at[0] - middle[0], at[1] - middle[1]
            assert upper_side(lying, x0 + 0.01, y0 + 0.007) == pytest.approx(plate + braille.DOT_HEIGHT, abs=0.02)
            assert upper_side(lying, x0 + 1.25, y0 + 0.003) == pytest.approx(plate, abs=0.01)
            felt += 1
    assert felt == sum(len(list(braille.places(short_braille(Button(seat, position))))) for position in POSITIONS)


def rotated(x, y, degrees):
    from math import cos, radians, sin

    a = radians(degrees)
    return x * cos(a) - y * sin(a), x * sin(a) + y * cos(a)


@EACH_SIZE
def test_a_name_stands_out_as_far_as_braille(size):
    lying = read_stl(build.PRINTED / f"{size.hole:.0f}" / "top-red.stl")
    assert lying.bounds[1][2] - lying.bounds[0][2] == pytest.approx(table.TOP + relief.HEIGHT_MM, abs=0.001)


def test_every_kept_3mf_is_read_by_the_library_of_the_formats_makers_and_is_the_stls_body():
    import lib3mf

    wrapper = lib3mf.get_wrapper()
    for path in sorted((build.PRINTED / "24").glob("*.3mf")):
        model = wrapper.CreateModel()
        model.QueryReader("3mf").ReadFromFile(str(path))
        meshes = model.GetMeshObjects()
        assert meshes.MoveNext()
        mesh = meshes.GetCurrentMeshObject()
        assert mesh.IsManifoldAndOriented(), path.name
        assert mesh.GetTriangleCount() == len(read_binary(path.with_suffix(".stl")).faces)


def read_binary(path):
    import trimesh

    return trimesh.load_mesh(path, process=False)


def test_every_kept_file_has_the_sum_that_is_listed():
    listed = dict(line.split("  ")[::-1] for line in (build.PRINTED / "SHA256SUMS").read_text().splitlines())
    kept = {path.relative_to(build.PRINTED).as_posix(): path for path in build.PRINTED.rglob("*") if path.is_file()}
    del kept["SHA256SUMS"]
    assert listed == {name: sha256(path.read_bytes()).hexdigest() for name, path in kept.items()}


def test_a_part_is_the_same_bytes_each_time():
    size = SIZES[24]
    name, mesh = next(each for each in build.parts(size) if each[0] == "top-red")
    assembly.surface.cache_clear()
    table.top.cache_clear()
    again = next(mesh for other, mesh in build.parts(size) if other == name)
    assert formats.stl(mesh) == formats.stl(again) == (build.PRINTED / "24" / "top-red.stl").read_bytes()
    assert formats.three_mf(mesh, "top-red-24") == (build.PRINTED / "24" / "top-red.3mf").read_bytes()


@EACH_SIZE
def test_everything_in_a_pod_has_room(size):
    assert assembly.clashes(assembly.pod_box(size)) == []


@EACH_SIZE
def test_the_openings_of_tops_and_hub_are_those_of_the_drawing(size, monkeypatch):
    assert build.check_openings(size) == 46
    moved_away = table_panel(size)
    holes = (moved_away.holes[0]._replace(x=moved_away.holes[0].x + 1), *moved_away.holes[1:])
    monkeypatch.setattr(build, "table_panel", lambda size: replace(moved_away, holes=holes))
    with pytest.raises(build.Unfit, match="is not open in the printed top"):
        build.check_openings(size)


def test_a_part_that_falls_apart_or_is_too_large_is_refused():
    from trimesh import Trimesh
    from trimesh.creation import box
    from trimesh.util import concatenate

    assert build.checked("cube", box((10, 10, 10))).volume == pytest.approx(1000)
    two = concatenate([box((10, 10, 10)), moved(box((10, 10, 10)), (20, 0, 0))])
    assert isinstance(two, Trimesh)
    with pytest.raises(build.Unfit, match="2 pieces"):
        build.checked("two", two)
    with pytest.raises(build.Unfit, match="needs a bed of"):
        build.checked("long", box((400, 10, 10)))
