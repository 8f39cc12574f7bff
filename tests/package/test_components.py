"""What is passed on is known: each library of the package with its licence and text, and what is compiled into it."""

from __future__ import annotations

import json
import runpy
import zipfile
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from systemd.supply import components, notices, wheels
from systemd.supply.bill import LIBRARIES, bill
from systemd.supply.components import Component, ComponentError, Part, component, places_of_texts
from systemd.supply.lock import LOCKS, read
from systemd.supply.wheels import Wheel, WheelError
from tests.package.trees import ROOT

pytestmark = pytest.mark.slow  # imports what takes seconds

TEXT = "Copyright (c) 2020 Somebody\n\nDo as you like.\n"


def wheel(folder: Path, name: str = "thing", version: str = "1.0", **files: str) -> Wheel:
    """A wheel of the test's own, with metadata and a licence unless `LICENSE` is given as ""."""
    info = f"{name}-{version}.dist-info"
    content = {f"{name}/__init__.py": "", f"{info}/METADATA": f"Name: {name}\n", f"{info}/RECORD": "",
               f"{info}/licenses/LICENSE": files.pop("LICENSE", TEXT), **files}  # fmt: skip
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, text in content.items():
            if text or not member.endswith("LICENSE"):
                archive.writestr(member, text)
    return wheels.wheel(path)


def unpacked(found: Wheel, known: dict[str, dict[str, Any]], folder: Path) -> Component:
    made = component(found, known)
    made.files[folder.name] = wheels.unpack(found, folder)
    return made


# The table ------------------------------------------------------------------------------------------------------------


def test_the_table_has_each_library_of_the_package_and_no_other() -> None:
    left_out = runpy.run_path(str(ROOT / "systemd" / "build_deb.py"))["NEVER_RUN"]
    locked = {entry.name for entry in read(LOCKS / "package.txt")}
    assert set(components.table()) == locked - set(left_out)


def test_what_is_within_a_library_was_looked_at_in_its_locked_version() -> None:
    versions = {entry.name: entry.version for entry in read(LOCKS / "package.txt")}
    looked_at = {name: said["of"] for name, said in components.table().items() if "within" in said}
    assert looked_at == {name: versions[name] for name in looked_at}
    assert set(looked_at) >= {"gpiod", "pillow", "cryptography", "cffi"}


def test_what_the_pages_bring_along_was_looked_at_in_its_locked_version() -> None:
    locked = json.loads((ROOT / "systemd" / "supply" / "pages" / "package-lock.json").read_text())["packages"]
    (reader,) = (one for one in components.PROGRAM["table-companion"]["within"] if one["name"] == "zxing-wasm")
    assert reader["version"] == locked["node_modules/zxing-wasm"]["version"]
    assert reader["licence"] == locked["node_modules/zxing-wasm"]["license"]
    unpinned = [name for name, one in locked.items() if name and not one["integrity"].startswith("sha512-")]
    assert unpinned == []
    assert not any("resolved" in one for one in locked.values()), "no registry's address"


def test_every_licence_text_is_somebodys_and_is_there() -> None:
    said = [*components.table().values(), *components.PROGRAM.values()]
    used = {name for each in said for one in (each, *each.get("within", ())) for name in one.get("texts", ())}
    assert used == {path.name for path in components.TEXTS.iterdir()}
    assert "Chris Liechti" in notices.read("pyserial.txt")


def test_the_sources_of_what_is_under_the_lgpl_are_said() -> None:
    lesser = {name for name, said in components.table().items() if "GPL" in said["licence"]}
    assert lesser == {"gpiod"}
    assert all(components.table()[name]["source"] for name in lesser)


# What is not known is not packed --------------------------------------------------------------------------------------


def test_a_library_that_nobody_has_looked_at_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match=r"thing: components.toml does not know it"):
        component(wheel(tmp_path), {})


def test_another_version_than_was_looked_at_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match=r"what is within 0.9, not 1.0"):
        component(wheel(tmp_path), {"thing": {"licence": "MIT", "of": "0.9"}})


def test_a_library_that_says_another_licence_of_itself_is_refused(tmp_path: Path) -> None:
    own = {"thing-1.0.dist-info/METADATA": "Name: thing\nLicense-Expression: GPL-3.0-only\n"}
    with pytest.raises(ComponentError, match=r"it says GPL-3.0-only of itself, components.toml says MIT"):
        component(wheel(tmp_path, **own), {"thing": {"licence": "MIT"}})


def test_a_library_without_its_licence_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ComponentError, match="its wheel has no licence text"):
        component(wheel(tmp_path, LICENSE=""), {"thing": {"licence": "MIT"}})


def test_a_shared_library_that_the_table_does_not_know_is_refused(tmp_path: Path) -> None:
    found = wheel(tmp_path, **{"thing.libs/libnew-12ab.so.3": "x"})
    with pytest.raises(ComponentError, match=r"does not know libnew-12ab.so.3"):
        component(found, {"thing": {"licence": "MIT"}})


def test_a_shared_library_that_is_gone_is_noticed(tmp_path: Path) -> None:
    known = {"thing": {"licence": "MIT", "within": [{"name": "old", "licence": "MIT", "file": ["libold-*.so.*"]}]}}
    with pytest.raises(ComponentError, match=r"no libold-\*.so.\* in it"):
        component(wheel(tmp_path), known)


def test_a_part_of_a_wheels_own_bill_without_a_licence_is_refused(tmp_path: Path) -> None:
    own = json.dumps({"components": [{"name": "part", "version": "2"}]})
    found = wheel(tmp_path, **{"thing-1.0.dist-info/sboms/own.json": own})
    with pytest.raises(ComponentError, match="part: nobody says its licence"):
        component(found, {"thing": {"licence": "MIT", "own_bill": True, "builds_only": []}})


# Unpacking ------------------------------------------------------------------------------------------------------------


def test_scripts_stubs_tests_and_pips_lists_are_left_out(tmp_path: Path) -> None:
    found = wheel(tmp_path, **{"thing/a.pyi": "x", "thing/tests/test_a.py": "x", "thing-1.0.data/scripts/do": "x",
                               "thing-1.0.data/data/man/a.1": "x", "thing-1.0.data/platlib/b.py": "b"})  # fmt: skip
    places = wheels.unpack(found, tmp_path / "out")
    assert sorted(path.name for path in places) == ["LICENSE", "METADATA", "__init__.py", "b.py"]
    assert all((tmp_path / "out" / path).is_file() for path in places)


@pytest.mark.parametrize("place", ["../../etc/passwd", "/etc/passwd", "thing/../../up"])
def test_a_wheel_that_leads_out_of_its_folder_is_refused(tmp_path: Path, place: str) -> None:
    with pytest.raises(WheelError, match="leads out"):
        wheels.unpack(wheel(tmp_path, **{place: "x"}), tmp_path / "out")
    assert not (tmp_path / "up").exists()


def test_two_libraries_with_the_same_file_are_refused(tmp_path: Path) -> None:
    wheels.unpack(wheel(tmp_path), tmp_path / "out")
    with pytest.raises(WheelError, match=r"thing/__init__.py is another library's too"):
        wheels.unpack(wheel(tmp_path, "other", **{"thing/__init__.py": "y"}), tmp_path / "out")


# Texts and papers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "ways"),
    [
        ("MIT", [["MIT"]]),
        ("MIT OR Apache-2.0", [["MIT"], ["Apache-2.0"]]),
        ("IJG AND BSD-3-Clause", [["IJG", "BSD-3-Clause"]]),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", [["(MIT OR Apache-2.0) AND Unicode-3.0"]]),
    ],
)
def test_an_expression_gives_the_ways_to_satisfy_it(expression: str, ways: list[list[str]]) -> None:
    assert components.alternatives(expression) == ways


@pytest.mark.parametrize(
    ("part", "places"),
    [
        (Part("own", "1", "MIT", ("own.txt",)), ["doc/own.txt"]),
        (Part("common", "1", "MIT OR Apache-2.0"), ["/usr/share/common-licenses/Apache-2.0"]),
        (Part("as-the-library", "1", "Apache-2.0 AND MIT"), ["lib/thing-1.0.dist-info/licenses/LICENSE"]),
    ],
)
def test_a_part_has_its_text_or_debians_or_its_librarys(tmp_path: Path, part: Part, places: list[str]) -> None:
    library = component(wheel(tmp_path), {"thing": {"licence": "MIT"}})
    found = places_of_texts(part, library, PurePosixPath("lib"), PurePosixPath("doc"))
    assert [str(path) for path in found] == places


def papers(folder: Path) -> tuple[str, str]:
    """Bill and copyright of a small package."""
    known = {"thing": {"licence": "MIT", "within": [{"name": "part", "version": "3", "licence": "Zlib"}],
                       "source": "on PyPI"}, **components.PROGRAM}  # fmt: skip
    program = unpacked(wheel(folder, "table_companion", "2.0+g12"), known, folder / "python3.11")
    library = unpacked(wheel(folder), known, folder / "python3.11")
    said = bill("2.0+g12", "arm64", 1_700_000_000, program, [library])
    return said, notices.copyright_file("Format: x\n", program, [library])


def test_a_bill_is_valid_and_the_same_for_the_same_package(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    first, second = papers(tmp_path / "a")[0], papers(tmp_path / "b")[0]
    a, b = json.loads(first), json.loads(second)
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(first) is None
    assert a["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert [each["name"] for each in a["components"]] == ["thing"]
    assert [each["name"] for each in a["components"][0]["components"]] == ["part"]
    for each in (a, b):  # the wheels of this test have times of their own
        del each["components"][0]["hashes"], each["serialNumber"]
    assert a == b


def test_the_copyright_has_holders_text_source_and_what_is_within(tmp_path: Path) -> None:
    said = papers(tmp_path)[1]
    assert "\nCopyright: Copyright (c) 2020 Somebody\nLicense: MIT\n Copyright (c) 2020 Somebody\n .\n Do as" in said
    assert "\nComment: Source: on PyPI\n" in said
    assert "\nComment: part 3, compiled into thing\n" in said
    assert f"\nFiles: {LIBRARIES}/*/{components.FETCHED}\nCopyright: Copyright (c) 2023 Ze-Zheng Wu\n" in said


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (
            "\nCopyright (c) 2020 A\nCopyright (c) 2020 A\nCopyright 2021, B\n",
            "Copyright (c) 2020 A\n Copyright 2021, B",
        ),
        ("The above copyright notice\nCopyright notice, this\n", "the authors that the text names"),
        ("* Copyright © C\n", "Copyright © C"),
    ],
)
def test_holders_are_those_that_a_text_names(text: str, named: str) -> None:
    assert notices.holders(text) == named
