"""What a maker and an assembler of boards want, from a board that was checked: the same files each time, byte for byte.

KiCad writes the time into what it makes; here that is taken out again, and what is packed has one date.
"""

from __future__ import annotations

import csv
import io
import re
import zipfile
from typing import TYPE_CHECKING, NamedTuple

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


class Bought(NamedTuple):
    """What is bought as one: maker, his number, codes of LCSC, Mouser and Digi-Key, what will do instead, EUR each.

    A code is here only where a published parts list has it beside that number; an empty one was not found. Prices are
    estimates for ten pieces, of no shop.
    """

    maker: str
    number: str
    lcsc: str
    mouser: str
    digikey: str
    instead: str
    price: float


PRICED = "estimate, 2026-11"
BOARDS_PRICE = 25.0
"""EUR for five bare boards with their postage, the least that makers sell: an estimate too."""
XH, PH = "any upright XH header, 2.5 mm, {} pins", "any upright PH header, 2 mm, {} pins"
BOUGHT = {
    "Pi header, 2x20 socket": Bought("Samtec", "SSW-120-01-T-D", "", "", "SAM1212-20-ND",
                                     "Sullins PPTC202LFBN-RC", 3.0),
    "B5B-XH-A": Bought("JST", "B5B-XH-A(LF)(SN)", "C157991", "306-B5BXHALFSN", "455-2270-ND", XH.format(5), 0.2),
    "B6B-XH-A": Bought("JST", "B6B-XH-A(LF)(SN)", "C144397", "", "", XH.format(6), 0.2),
    "B4B-XH-A": Bought("JST", "B4B-XH-A(LF)(SN)", "C144395", "", "", XH.format(4), 0.2),
    "B2B-XH-A": Bought("JST", "B2B-XH-A(LF)(SN)", "C158012", "", "", XH.format(2), 0.15),
    "B5B-PH-K": Bought("JST", "B5B-PH-K-S(LF)(SN)", "C157993", "306-B5BPHKSLFSNP", "", PH.format(5), 0.25),
    "SP0504BAHT": Bought("Littelfuse", "SP0504BAHTG", "C10675", "576-SP0504BAHTG", "",
                         "any array of four with the same pins, 5 V", 0.5),
    "10k": Bought("Yageo", "RC0805JR-0710KL", "", "", "311-10KARCT-ND", "UNI-ROYAL 0805W8J0103T5E", 0.02),
    "1k": Bought("Yageo", "RC0805JR-071KL", "", "603-RC0805JR-071KL", "311-1.0KARCT-ND",
                 "UNI-ROYAL 0805W8J0102T5E", 0.02),
    "1n": Bought("KEMET", "C0805C102J5GACTU", "", "", "399-1136-1-ND", "Samsung CL21C102JBCNNNC", 0.08),
    "10n": Bought("Samsung", "CL21B103KBANNNC", "C1710", "", "1276-1015-1-ND", "KEMET C0805C103K5RACTU", 0.05),
    "100n": Bought("Samsung", "CL21B104KBCNNNC", "C1711", "", "1276-1003-1-ND", "KEMET C0805C104K5RACTU", 0.05),
    "10u": Bought("Samsung", "CL21A106KAYNNNE", "C15850", "187-CL21A106KAYNNNE", "", "Murata GRM21BR61C106KE15L", 0.15),
    "0.2 A resettable": Bought("Littelfuse", "1206L020YR", "C207035", "", "",
                               "any in 1206 that holds 0.2 A, 6 V or more", 0.3),
    "1.1 A resettable": Bought("Littelfuse", "1206L110THYR", "C126818", "", "",
                               "any in 1206 that holds 1.1 A, 6 V or more", 0.4),
    "MMBT3904": Bought("Diodes Incorporated", "MMBT3904-7-F", "", "621-MMBT3904-F", "MMBT3904-FDICT-ND",
                       "Nexperia BC847B,215: same pins", 0.1),
    "1N4148W": Bought("Diodes Incorporated", "1N4148W-7-F", "", "621-1N4148W-F", "1N4148W-FDICT-ND",
                      "Vishay 1N4148W-E3-08", 0.1),
    "PCA9685PW": Bought("NXP", "PCA9685PW,118", "C2678753", "", "", "PCA9685PW,112: the same in a tube", 2.2),
    "TBD62083AFNG": Bought("Toshiba", "TBD62083AFNG", "", "", "TBD62083AFNGELCT-ND",
                           "none known: a ULN2803 has the pins, but is not made for 3.3 V", 1.6),
    "SMF5.0A": Bought("Littelfuse", "SMF5.0A", "C151296", "", "", "Micro Commercial SMF5.0A-TP", 0.3),
}  # fmt: skip
"""By value, or by a plug's name."""
PASSIVE = {"10k": "thick film, 0805, 5 %, 0.125 W", "1k": "thick film, 0805, 5 %, 0.125 W",
           "1n": "C0G, 0805, 50 V, 5 %", "10n": "X7R, 0805, 50 V", "100n": "X7R, 0805, 50 V",
           "10u": "X5R, 0805, 25 V"}  # fmt: skip
COLUMNS = ("Designator", "Quantity", "Value", "Package", "Kind", "Maker", "Maker's number", "LCSC", "Mouser",
           "Digi-Key", "Instead", "EUR each", "EUR", "Price is")  # fmt: skip


def lines(components: Mapping[str, Component]) -> dict[tuple[str, str], list[str]]:
    """Give the references of all that is bought as one, by value (or a plug's name) and footprint."""
    alike: dict[tuple[str, str], list[str]] = {}
    for ref, part in components.items():
        if not ref.startswith("TP"):
            plug = re.search(r"B\dB-[XP]H-[AK]", part.footprint)
            alike.setdefault((plug[0] if plug else part.value, part.footprint.partition(":")[2]), []).append(ref)
    return alike


def cost(components: Mapping[str, Component], boards: int) -> float:
    """Give EUR for the parts of so many boards (1 to 5), with the five bare boards that are the least to be had."""
    each = sum(BOUGHT[value].price * len(refs) for (value, _), refs in lines(components).items())
    return BOARDS_PRICE + boards * each


def bill(components: Mapping[str, Component]) -> str:
    """Give the bill of materials: a row for all that is bought as one. Raises KeyError: a part is unknown."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (value, footprint), refs in lines(components).items():
        *made, price = BOUGHT[value]
        what = (" ".join(refs), len(refs), value, footprint, PASSIVE.get(value, ""))
        writer.writerow([*what, *made, f"{price:.2f}", f"{price * len(refs):.2f}", PRICED])
    return out.getvalue()
