"""The checks of `make hardware` can fail: an open mesh, a hole in the wrong place, a missing tool are found."""

from __future__ import annotations

import pytest
from ezdxf import new
from trimesh import Trimesh
from trimesh.creation import box

from hardware import build
from hardware.build import Unfit, assembled, check_holes, check_room, loops
from hardware.drawings.geometry import SIZES, table_panel
from hardware.mesh import bed, fault, moved, overlap, read_stl, turned

CORNERS = [(0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (0.0, 6.0, 0.0), (0.0, 0.0, 6.0)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]


def body(faces=FACES):
    return Trimesh(CORNERS, faces, process=False)


def test_a_closed_body_has_no_fault_and_its_volume():
    assert fault(body()) is None
    assert body().volume == pytest.approx(36)
    assert bed(body()) == pytest.approx(6, abs=0.1)


@pytest.mark.parametrize(
    ("faces", "why"),
    [
        (FACES[:3], "it is open"),
        ([*FACES[:3], (2, 3, 0)], "some faces are turned"),
        ([face[::-1] for face in FACES], "it is inside out: -36 mm³"),
    ],
    ids=["open", "one face turned", "inside out"],
)
def test_an_open_or_twisted_body_is_found(faces, why):
    assert fault(body(faces)) == why


def test_an_stl_is_read_and_anything_else_refused(tmp_path):
    path = tmp_path / "it.stl"
    path.write_text(body().export(file_type="stl_ascii"))
    read = read_stl(path)
    assert (len(read.vertices), len(read.faces), fault(read)) == (4, 4, None)
    for text in ("", "\x00\x01", "solid it\nendsolid it\n", "solid\nvertex 1 2 3\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match="no STL file"):
            read_stl(path)


def test_two_bodies_share_the_volume_that_both_take():
    cube = box((10, 10, 10))
    assert overlap(cube, moved(cube, (9, 8, 0))) == pytest.approx(20)
    assert overlap(cube, moved(cube, (10, 0, 0))) == 0
    assert overlap(cube, turned(cube, 45)) == pytest.approx(10 * 100 * (2 * 2**0.5 - 2))
    with pytest.raises(ValueError, match="no body"):
        overlap(cube, body(FACES[:3]))


def case(wide):
    """A case whose sides are blocks, 10 mm from the middle, and whose floors are below them."""
    side = moved(box((wide, 10, 20)), (0, -15, -10))
    floor = moved(box((wide, 10, 2)), (0, -15, 1))
    sides = dict.fromkeys(("sector", "sector_out", "frame"), side)
    return {**sides, "floor": floor, "floor_pi": floor, "hub": moved(box((5, 5, 3)), (0, 0, -1.5))}


@pytest.mark.parametrize(("framed", "pairs"), [(False, 55), (True, 45)])
def test_parts_that_keep_out_of_each_other_go_together(framed, pairs):
    assert check_room(assembled(case(14), framed=framed)) == pairs


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (case(16), r"sector_out 1 and sector 2 take the same place"),
        ({**case(14), "hub": moved(box((5, 25, 3)), (0, 0, -1.5))}, r"hub and sector_out 1 take the same place: 37\.5"),
        ({**case(14), "floor_pi": moved(box((14, 10, 4)), (0, -15, 1))}, r"sector_out 1 and floor_pi 1"),
    ],
    ids=["sides too wide", "hub too large", "floor too thick"],
)
def test_parts_that_take_the_same_place_are_found(parts, why):
    with pytest.raises(Unfit, match=why):
        check_room(assembled(parts, framed=False))


def square(space, x, y, w, h):
    corners = [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
    for begin, end in zip(corners, [*corners[1:], corners[0]], strict=True):
        space.add_line(begin, end)


def test_openings_read_from_a_dxf_are_compared_with_the_panel(tmp_path):
    panel = table_panel(SIZES[24])
    document = new("R2000")
    for hole in panel.holes:
        square(document.modelspace(), hole.x, -hole.y, hole.diameter, hole.diameter)
    for window in panel.windows:
        square(document.modelspace(), window.x, -window.y, window.width, window.height)
    document.saveas(tmp_path / "top.dxf")
    cut = loops(tmp_path / "top.dxf")
    assert check_holes(panel, cut) == 27
    with pytest.raises(Unfit, match=r"no opening of 24 mm at \(-48\.00"):
        check_holes(panel, [(x + 0.2, y, w, h) for x, y, w, h in cut])


def test_a_missing_tool_is_named_with_the_package_to_install(monkeypatch):
    monkeypatch.setattr(build.shutil, "which", lambda tool: None if tool == "openscad" else f"/usr/bin/{tool}")
    with pytest.raises(Unfit, match=r"install openscad first:  sudo apt install openscad"):
        build.need("openscad", "xvfb-run")


CLEAN = "** Found 0 DRC violations **\n\n** Found 0 unconnected pads **\n\n** Found 0 Footprint errors **\n"


def test_a_clean_report_of_the_design_rules_passes():
    build.check_report(CLEAN)


@pytest.mark.parametrize("report", [CLEAN.replace("0 DRC", "1 DRC"), CLEAN.replace("0 unc", "2 unc"), "", "nonsense"])
def test_a_report_with_a_fault_or_none_at_all_is_refused(report):
    with pytest.raises(Unfit, match="design rules"):
        build.check_report(report)
