"""The checks of `make hardware` can fail: an open mesh, a report with a fault, a missing tool are found."""

from __future__ import annotations

from random import Random

import pytest
from trimesh import Trimesh
from trimesh.creation import box
from trimesh.util import concatenate

from hardware import bill, build
from hardware.board.build import UnfitBoard
from hardware.case import build as case
from hardware.drawings import paper
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


def written(mesh, path, order):
    """Write an STL as many programs do: six digits, nothing of a triangle that they lay together; in this order."""
    lines = ["solid it"]
    for face in order:
        corners = [" ".join(f"{length:g}" for length in corner) for corner in mesh.triangles[face]]
        if len(set(corners)) == 3:
            lines += ["facet normal 0 0 0", "outer loop", *(f"vertex {corner}" for corner in corners)]
            lines += ["endloop", "endfacet"]
    path.write_text("\n".join([*lines, "endsolid it", ""]))
    return read_stl(path)


def test_edges_that_six_digits_lay_together_open_nothing(tmp_path):
    """Two blocks, 0.0002 mm from touching along an edge: written, four faces meet there."""
    blocks = concatenate([moved(box((10, 10, 10)), (150, 150, 0)), moved(box((10, 10, 10)), (160.0002, 160.0002, 0))])
    assert isinstance(blocks, Trimesh)
    read = written(blocks, tmp_path / "it.stl", range(len(blocks.faces)))
    assert (len(blocks.vertices), len(read.vertices), read.is_watertight) == (16, 14, False)
    assert fault(read) is None
    assert overlap(read, moved(box((10, 10, 10)), (155, 155, 0))) == pytest.approx(500, rel=1e-3)


def test_a_corner_that_is_written_in_two_ways_is_one(tmp_path):
    cube = moved(box((10, 10, 10)), (150, 150, 0))
    corners, faces = cube.triangles.reshape(-1, 3).copy(), [(face, face + 1, face + 2) for face in range(0, 36, 3)]
    corners[7] += (0.0006, 0, 0.0006)
    read = written(Trimesh(corners, faces, process=False), tmp_path / "it.stl", range(12))
    assert (len(read.vertices), len(read.faces), fault(read)) == (8, 12, None)
    corners[7] += (0.002, 0, 0)
    assert fault(written(Trimesh(corners, faces, process=False), tmp_path / "it.stl", range(12))) == "it is open"


def cut_up(random):
    """A cube, 150 mm away, its faces cut up at random corners, most of them too near to another for six digits."""
    cube = moved(box((10, 10, 10)), (150, 150, 0))
    corners, faces = cube.vertices.tolist(), cube.faces.tolist()
    for _ in range(16):
        a, b, c = faces.pop(random.randrange(len(faces)))
        near, along = random.choice([1e-5, 1e-4, 0.3]), random.choice([0.3, 0.5, 0.7])
        shares = [along * (1 - near), (1 - along) * (1 - near), near]  # `near` the edge between a and b
        corners.append([sum(s * corners[n][axis] for s, n in zip(shares, (a, b, c), strict=True)) for axis in range(3)])
        new = len(corners) - 1
        faces += [[a, b, new], [b, c, new], [c, a, new]]
    random.shuffle(faces)
    return Trimesh(corners, faces, process=False)


def test_any_triangles_of_a_body_pass_and_one_less_does_not(tmp_path):
    pinched = 0
    for seed in range(500):
        mesh = cut_up(Random(seed))
        read = written(mesh, tmp_path / "it.stl", range(len(mesh.faces)))
        assert fault(read) is None, seed
        assert read.volume == pytest.approx(1000, rel=1e-3)
        pinched += not read.is_watertight
        if seed % 10 == 0:
            assert fault(Trimesh(read.vertices, read.faces[1:], process=False)) == "it is open", seed
    assert pinched > 5  # else this would show nothing


def test_two_bodies_share_the_volume_that_both_take():
    cube = box((10, 10, 10))
    assert overlap(cube, moved(cube, (9, 8, 0))) == pytest.approx(20)
    assert overlap(cube, moved(cube, (10, 0, 0))) == 0
    assert overlap(cube, turned(cube, 45)) == pytest.approx(10 * 100 * (2 * 2**0.5 - 2))
    with pytest.raises(ValueError, match="no body"):
        overlap(cube, body(FACES[:3]))


def test_the_reason_of_a_refusal_is_where_the_lines_of_what_was_made_are(monkeypatch, capsys):
    def refuse(_say, *, twice):
        assert twice
        raise UnfitBoard("header board: KiCad is not there")

    monkeypatch.setattr(build, "draw", lambda _arguments: None)
    monkeypatch.setattr(case, "make", lambda _say: None)
    monkeypatch.setattr(paper, "write", list)
    monkeypatch.setattr(bill, "write", lambda: False)
    monkeypatch.setattr(build, "make_board", refuse)
    assert build.main(["--twice"]) == 1
    said = capsys.readouterr()
    assert said.out == "hardware: header board: KiCad is not there\n"
    assert said.err == ""
