"""The checks of `make hardware` can fail: an open mesh, a hole in the wrong place, a missing tool are found."""

from __future__ import annotations

import pytest
from ezdxf import new

from hardware import build
from hardware.build import Unfit, check_holes, loops
from hardware.drawings.geometry import SIZES, table_panel
from hardware.mesh import bed, open_edges, read_stl, volume

A, B, C, D = (0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (0.0, 6.0, 0.0), (0.0, 0.0, 6.0)
TETRAHEDRON = [(A, C, B), (A, B, D), (B, C, D), (C, A, D)]


def test_a_closed_body_has_no_open_edges_and_its_volume():
    assert open_edges(TETRAHEDRON) == 0
    assert volume(TETRAHEDRON) == pytest.approx(36)
    assert bed(TETRAHEDRON) == pytest.approx(6, abs=0.1)


@pytest.mark.parametrize("spoilt", [TETRAHEDRON[:3], [*TETRAHEDRON[:3], (C, D, A)]], ids=["open", "one face turned"])
def test_an_open_or_twisted_body_is_found(spoilt):
    assert open_edges(spoilt) > 0


def test_an_stl_in_text_form_is_read_and_any_other_refused():
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle) + "endloop\n"
        for triangle in TETRAHEDRON
    )
    assert read_stl(f"solid it\n{facets}endsolid\n") == TETRAHEDRON
    with pytest.raises(ValueError, match="text form"):
        read_stl("\x00\x01")
    with pytest.raises(ValueError, match="whole number"):
        read_stl("solid\nvertex 1 2 3\n")


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
