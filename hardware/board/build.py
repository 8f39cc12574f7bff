"""The board's half of `make hardware`: schematic, layout and fabrication files, each checked as it is made."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

from companion.config.pins import built_in
from hardware.board.circuit import Built, netlist
from hardware.board.fabrication import fabrication
from hardware.board.kicad import Kicad, NoKicad
from hardware.board.plugs import short_circuits
from hardware.board.sheet import Sheet, draw_sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hardware.board.circuit import Component

HERE = Path(__file__).parent
PICTURES = {
    "top": HERE.parent / "pictures" / "header-board.png",
    "bottom": HERE.parent / "pictures" / "header-board-back.png",
}
FABRICATION = HERE.parent / "fabrication" / "header-board"
NAME = "header-board"
BESIDE = ("layout.py", "outline.py", "places.py", "route.py")
"""What runs with KiCad's own Python."""


PROJECT = {"meta": {"filename": f"{NAME}.kicad_pro", "version": 3}}


class UnfitBoard(Exception):
    """The board must not be made like this."""


def make_board(say: Callable[[str], object], *, twice: bool = False) -> None:
    """Draw, lay out and check the header board, and write its files; `twice`: make them from scratch once more.

    Raises UnfitBoard, also where a kept file was not what was made, or what is made differs from one time to the next.
    """
    kicad = Kicad()
    try:
        if not kicad.is_there():
            say("header board: fetching KiCad 9 (once, some 400 MB; build/kicad)")
        kicad.provide()
        files = made(kicad, say)
        old = [name for name, data in files.items() if keep(FABRICATION / name, data, say)]
        old += take_away(FABRICATION, files, say)
        take_pictures(kicad, anew="gerber.zip" in old)
        again = made(kicad, say) if twice else files
    except NoKicad as error:
        raise UnfitBoard(f"header board: {error}") from error
    judge(old, differing(files, again))
    if twice:
        say(f"  made twice from scratch: {len(files)} files, the same bytes")


def judge(old: Sequence[str], unlike: Sequence[str]) -> None:
    """Raise UnfitBoard where kept files were not what was made, or files were other bytes the second time."""
    if unlike:
        raise UnfitBoard(f"header board: made twice, and not the same bytes: {', '.join(unlike)}")
    if old:
        raise UnfitBoard(
            f"header board: not what the circuit gives, and written anew: {', '.join(old)}."
            " Look at the difference, keep it or mend the circuit, and run make hardware again"
        )


def made(kicad: Kicad, say: Callable[[str], object]) -> dict[str, bytes]:
    """Make all files that are kept, by name, in a work folder that is empty at first. Raises NoKicad, UnfitBoard."""
    built = netlist(built_in())
    check_circuit(built)
    work = kicad.fresh_work()
    sheet = draw_sheet(built.components)
    write_project(work, sheet, built.components)
    wires = check_schematic(kicad, work, built.components)
    lay_out(kicad, work, sheet, built.components, wires)
    say(f"header board: {len(built.components)} parts, electrical and design rules clean")
    return fabrication(kicad, work, NAME, built.components)


def differing(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> list[str]:
    """Give the names of files that are not the same in both, or in one alone."""
    return sorted(name for name in {*one, *other} if one.get(name) != other.get(name))


def take_pictures(kicad: Kicad, *, anew: bool) -> None:
    """Picture both sides of the board that was made; kept ones stay where it is the same: the light never quite is."""
    for side, picture in PICTURES.items():
        if anew or not picture.is_file():
            look = ("--side", side, "-w", "1100", "-h", "1020", "--zoom", "0.9", "-o", f"{side}.png")
            kicad.run("kicad-cli", "pcb", "render", *look, f"{NAME}.kicad_pcb")
            shutil.copy(kicad.work / f"{side}.png", picture)


def keep(path: Path, data: bytes, say: Callable[[str], object]) -> bool:
    """Write a file that is kept in the repository where it is not what was made now, and say so; was it another?"""
    old = path.is_file() and path.read_bytes() == data
    if not old:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        say(f"  wrote {path.relative_to(HERE.parents[1])}")
    return not old


def take_away(folder: Path, files: Mapping[str, bytes], say: Callable[[str], object]) -> list[str]:
    """Take kept files away that are no longer made, say so, and give their names."""
    old = [path for path in sorted(folder.iterdir()) if path.name not in files]
    for path in old:
        path.unlink()
        say(f"  took away {path.relative_to(HERE.parents[1])}")
    return [path.name for path in old]


def check_circuit(built: Built) -> None:
    """Look at the circuit alone. Raises UnfitBoard."""
    if built.errors or built.warnings:
        raise UnfitBoard(
            f"header board: {built.errors} errors, {built.warnings} warnings of the electrical rules check"
        )
    if found := short_circuits(built.components):
        raise UnfitBoard(f"header board: {'; '.join(found)}")


def write_project(work: Path, sheet: Sheet, components: Mapping[str, Component]) -> None:
    """Write a KiCad project with its schematic and the tables of its libraries."""
    (work / f"{NAME}.kicad_sch").write_text(sheet.text(), encoding="utf-8")
    (work / "board.kicad_sym").write_text(sheet.library(), encoding="utf-8")
    (work / f"{NAME}.kicad_pro").write_text(json.dumps(PROJECT, indent=2) + "\n", encoding="utf-8")
    libraries = sorted({part.footprint.split(":")[0] for part in components.values()} | {"MountingHole"})
    rows = [_row(name, f"${{KICAD9_FOOTPRINT_DIR}}/{name}.pretty") for name in libraries]
    (work / "fp-lib-table").write_text("\n".join(["(fp_lib_table (version 7)", *rows, ")", ""]), encoding="utf-8")
    row = _row("board", "${KIPRJMOD}/board.kicad_sym")
    (work / "sym-lib-table").write_text("\n".join(["(sym_lib_table (version 7)", row, ")", ""]), encoding="utf-8")


def _row(name: str, uri: str) -> str:
    return f'  (lib (name "{name}") (type "KiCad") (uri "{uri}") (options "") (descr ""))'


def check_schematic(kicad: Kicad, work: Path, components: Mapping[str, Component]) -> dict[str, dict[str, str]]:
    """Run KiCad's electrical rules check, and compare what the sheet joins with the circuit; gives KiCad's net by pin.

    Raises UnfitBoard.
    """
    kicad.run("kicad-cli", "sch", "erc", "--severity-all", "--format", "json", "-o", "erc.json", f"{NAME}.kicad_sch")
    report = json.loads((work / "erc.json").read_text(encoding="utf-8"))
    check_report("electrical rules of the schematic", [one for page in report["sheets"] for one in page["violations"]])
    kicad.run("kicad-cli", "sch", "export", "netlist", "--format", "kicadxml", "-o", "net.xml", f"{NAME}.kicad_sch")
    wires: dict[str, dict[str, str]] = {ref: {} for ref in components}
    for net in ET.parse(work / "net.xml").getroot().iter("net"):  # noqa: S314 - KiCad wrote it just now
        for node in net.iter("node"):
            wires[node.attrib["ref"]][node.attrib["pin"]] = net.attrib["name"]
    for ref, part in components.items():
        drawn = {pin: net.lstrip("/") for pin, net in wires[ref].items() if not net.startswith("unconnected-")}
        if drawn != part.nets:
            raise UnfitBoard(f"header board: {ref} is not connected on the schematic as in the circuit")
    return wires


def check_report(what: str, found: list[dict[str, Any]]) -> None:
    """Raise UnfitBoard where a rules check found something: all of it, with where it is."""
    if found:
        lines = [f"{one['description']}: {', '.join(item['description'] for item in one['items'])}" for one in found]
        raise UnfitBoard("\n".join([f"header board, {what}: {len(found)} faults", *lines[:30]]))


def lay_out(kicad: Kicad, work: Path, sheet: Sheet, components: Mapping[str, Component],
            wires: Mapping[str, Mapping[str, str]]) -> None:  # fmt: skip
    """Place and route the parts, and check the board against the rules and the schematic. Raises UnfitBoard."""
    for name in BESIDE:
        shutil.copy(HERE / name, work / name)
    parts = {
        ref: {**asdict(part), "wires": part.nets, "nets": wires[ref], "symbol": sheet.identity(ref)}
        for ref, part in components.items()
    }
    (work / "parts.json").write_text(json.dumps(parts), encoding="utf-8")
    kicad.run("python3", "layout.py", "parts.json", ".")
    report = json.loads((work / "drc.json").read_text(encoding="utf-8"))
    for kind in ("violations", "unconnected_items", "schematic_parity"):
        check_report(f"design rules, {kind}", report[kind])
