"""Writes bodies as STL, 3MF and STEP, the same bytes each time. Knows no part."""

from __future__ import annotations

import io
import re
import zipfile
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from build123d import Compound, export_step

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from build123d import Part
    from trimesh import Trimesh

GRAIN = 2
"""Decimals of a millimetre."""
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The date of every file in an archive: the oldest that a ZIP can have."""

_TYPES = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>\n'
)
_RELATIONS = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0"'
    ' Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>\n'
)


def stl(mesh: Trimesh) -> bytes:
    """Give a body as binary STL."""
    rows = np.zeros(len(mesh.faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("none", "<u2")])
    rows["normal"], rows["corners"] = mesh.face_normals, mesh.triangles
    return b"The table companion".ljust(80) + np.uint32(len(rows)).tobytes() + rows.tobytes()


def three_mf(mesh: Trimesh, name: str) -> bytes:
    """Give a body as 3MF (core specification 1.3), in mm, with its name."""
    corners = "".join(f'<vertex x="{x:.{GRAIN}f}" y="{y:.{GRAIN}f}" z="{z:.{GRAIN}f}"/>' for x, y, z in mesh.vertices)
    faces = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    model = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<model unit="millimeter" xml:lang="en"'
        ' xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">\n'
        f'<metadata name="Title">{name}</metadata>\n<metadata name="LicenseTerms">CERN-OHL-P-2.0</metadata>\n'
        f'<resources><object id="1" type="model" name="{name}"><mesh><vertices>{corners}</vertices>\n'
        f'<triangles>{faces}</triangles></mesh></object></resources>\n<build><item objectid="1"/></build></model>\n'
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, text in (("[Content_Types].xml", _TYPES), ("_rels/.rels", _RELATIONS), ("3D/3dmodel.model", model)):
            entry = zipfile.ZipInfo(path, LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)
    return packed.getvalue()


def step(solids: Iterable[Part], path: Path) -> None:
    """Write solids into a STEP file, without the hour and the names that Open CASCADE puts into its head."""
    export_step(Compound(children=list(solids)), str(path), write_pcurves=False)
    text = re.sub(r"\n\s+", "", path.read_text(encoding="utf-8"))  # lines are broken by their length
    text = re.sub(r"FILE_NAME\(.*?\);", "FILE_NAME('','1980-01-01T00:00:00',(''),(''),'','','');", text)
    number = count(1)  # Open CASCADE counts on from the file before
    text = re.sub(r"(NEXT_ASSEMBLY_USAGE_OCCURRENCE\()'\d+'", lambda found: f"{found[1]}'{next(number)}'", text)
    path.write_text(text, encoding="utf-8")
