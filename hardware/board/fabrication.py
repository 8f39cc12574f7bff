"""What a maker and an assembler of boards want, from a board that was checked: the same files each time, byte for byte.

KiCad writes the time into what it makes; here that is taken out again, and what is packed has one date.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hardware.board.circuit import Component
    from hardware.board.kicad import Kicad

LAYERS = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,B.Paste,F.SilkS,B.SilkS,Edge.Cuts"
PACKED_ON = (2026, 1, 1, 0, 0, 0)
"""The date of everything that is packed: a zip must have one."""
TIMES = (
    (rb"(?m)^%TF\.CreationDate,[^*]*\*%\n", b""),
    (rb"(?m)^; #@! TF\.CreationDate,.*\n", b""),
    (rb"(?m)^(G04 Created by KiCad \([^)]*\)) date .*\*$", rb"\1*"),
    (rb"(?m)^(; DRILL file \{[^}]*\}) date .*$", rb"\1"),
    (rb"/CreationDate \(D:\d{14}\)", rb"/CreationDate (D:20260101000000)"),
    (rb"(?m)^(FILE_NAME\('[^']*',)'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'", rb"\1'2026-01-01T00:00:00'"),
)
"""Where KiCad writes the time into Gerber and drill files, PDF and STEP, and what is there instead. A PDF keeps its
length: it says at which byte each of its objects is."""
PROJECT_FILES = ("{0}.kicad_pcb", "{0}.kicad_pro", "{0}.kicad_sch", "board.kicad_sym", "fp-lib-table", "sym-lib-table")
"""A KiCad project with all that it needs but KiCad's own footprints."""


def without_times(data: bytes) -> bytes:
    """Give a file of KiCad's without the time at which it was made."""
    for pattern, instead in TIMES:
        data = re.sub(pattern, instead, data)
    return data


def packed(files: Mapping[str, bytes]) -> bytes:
    """Give a zip of these files, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, PACKED_ON)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, files[name])
    return out.getvalue()


def fabrication(kicad: Kicad, work: Path, name: str, components: Mapping[str, Component]) -> dict[str, bytes]:
    """Give all files by name, from the board and the schematic that lie in `work`. Raises NoKicad."""
    board = f"{name}.kicad_pcb"
    (work / "gerber").mkdir(exist_ok=True)
    kicad.run("kicad-cli", "pcb", "export", "gerbers", "--layers", LAYERS, "-o", "gerber/", board)
    kicad.run("kicad-cli", "pcb", "export", "drill", "--format", "excellon", "--excellon-units", "mm", "-o", "gerber/",
              board)  # fmt: skip
    kicad.run("kicad-cli", "pcb", "export", "pos", "--format", "csv", "--units", "mm", "-o", "positions.csv", board)
    plain = ("--exclude-pdf-property-popups", "--exclude-pdf-hierarchical-links", "--no-background-color")
    kicad.run("kicad-cli", "sch", "export", "pdf", *plain, "-o", "schematic.pdf", f"{name}.kicad_sch")
    kicad.run("kicad-cli", "pcb", "export", "step", "--force", "--board-only", "-o", f"{name}.step", board)
    gerber = {path.name: without_times(path.read_bytes()) for path in (work / "gerber").iterdir()
              if path.suffix != ".gbrjob"}  # fmt: skip
    return {
        "gerber.zip": packed(gerber),
        "positions.csv": positions((work / "positions.csv").read_text(encoding="utf-8"), components).encode(),
        "bom.csv": bill(components).encode(),
        "schematic.pdf": without_times((work / "schematic.pdf").read_bytes()),
        f"{name}.step": without_times((work / f"{name}.step").read_bytes()),
        "kicad.zip": packed({file: (work / file).read_bytes() for file in project_files(name)}),
    }


def project_files(name: str) -> list[str]:
    """Give the names of the KiCad project's files."""
    return [file.format(name) for file in PROJECT_FILES]


def positions(written: str, components: Mapping[str, Component]) -> str:
    """Give KiCad's table of positions in the words that assemblers take; test points and holes are no parts."""
    rows = [row for row in csv.DictReader(io.StringIO(written)) if row["Ref"] in components and row["Ref"][:2] != "TP"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer"])
    for row in rows:
        side = "Top" if row["Side"] == "top" else "Bottom"
        writer.writerow([*(row[key] for key in ("Ref", "Val", "Package", "PosX", "PosY", "Rot")), side])
    return out.getvalue()


MADE_BY = {
    "SP0504BAHT": ("Littelfuse", "SP0504BAHTG", "C10675", "576-SP0504BAHTG", ""),
    "1N4148W": ("any", "1N4148W", "C81598", "", ""),
    "SMF5.0A": ("any", "SMF5.0A", "C193402", "", ""),
    "TBD62083AFNG": ("Toshiba", "TBD62083AFNG", "", "", "TBD62083AFNGELCT-ND"),
    "PCA9685PW": ("NXP", "PCA9685PW,112", "", "771-PCA9685PW,112", ""),
    "0.2 A resettable": ("Littelfuse", "1206L020YR", "C207035", "", ""),
    "1.1 A resettable": ("Littelfuse", "1206L110THYR", "C126818", "", ""),
    "B5B-XH-A": ("JST", "B5B-XH-A(LF)(SN)", "C157991", "306-B5BXHALFSN", "455-2270-ND"),
    "B6B-XH-A": ("JST", "B6B-XH-A(LF)(SN)", "", "", ""),
    "B4B-XH-A": ("JST", "B4B-XH-A(LF)(SN)", "", "", ""),
    "B2B-XH-A": ("JST", "B2B-XH-A(LF)(SN)", "", "", ""),
    "B5B-PH-K": ("JST", "B5B-PH-K-S(LF)(SN)", "", "306-B5BPHKSLFSNP", ""),
    "MMBT3904": ("any", "MMBT3904", "", "", ""),
}
"""Maker, his number, and the codes of LCSC, Mouser and Digi-Key by value or plug. Only codes that a published parts
list has beside that number; what is empty was not found: look it up by the maker's number."""
INSTEAD = {"MMBT3904": "BC847, same pins", "SP0504BAHT": "any array of four with the same pins, 5 V",
           "SMF5.0A": "any 5 V suppressor in SOD-123F"}  # fmt: skip
PASSIVE = {"R": "thick film, 0805, 5 %, 0.125 W", "1n": "C0G, 0805, 50 V, 5 %", "10n": "X7R, 0805, 50 V",
           "100n": "X7R, 0805, 50 V", "10u": "X5R, 0805, 6.3 V"}  # fmt: skip


def bill(components: Mapping[str, Component]) -> str:
    """Give the bill of materials: one row for all parts that are bought as one."""
    alike: dict[tuple[str, str], list[str]] = {}
    for ref, part in components.items():
        if not ref.startswith("TP"):
            plug = re.search(r"B\dB-[XP]H-[AK]", part.footprint)
            value = plug[0] if plug else part.value
            alike.setdefault((value, part.footprint.partition(":")[2]), []).append(ref)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["Designator", "Quantity", "Value", "Package", "Kind", "Maker", "Maker's number", "LCSC", "Mouser",
                     "Digi-Key", "Instead"])  # fmt: skip
    for (value, footprint), refs in alike.items():
        kind = PASSIVE.get("R" if refs[0][0] == "R" else value, "")
        made = MADE_BY.get(value, ("any", "", "", "", ""))
        writer.writerow([" ".join(refs), len(refs), value, footprint, kind, *made, INSTEAD.get(value, "")])
    return out.getvalue()
