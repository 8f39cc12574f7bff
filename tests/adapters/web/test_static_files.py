"""The pages' sources keep to what no linter of theirs looks at: the length of lines, and types that hide nothing."""

from __future__ import annotations

import re
from pathlib import Path

import companion
from companion.adapters.web.endpoints import ENDPOINTS
from companion.adapters.web.wire import messages

ROOT = Path(companion.__file__).parent
FETCHED = ROOT / "adapters" / "web" / "static" / "zxing"
"""What systemd/supply/pages/fetch has put there, by others."""
SOURCES = sorted(
    path
    for kind in ("js", "css", "html", "d.ts")
    for path in ROOT.rglob(f"*.{kind}")
    if not path.is_relative_to(FETCHED)
)
LONGEST = 120
TYPES = next(ROOT.rglob("documents.d.ts")).read_text(encoding="utf-8")
NO_JSON = {
    "/api/link.svg",
    "/api/seats/{}.svg",
    "/api/oled.png",
    "/api/matches/{}/record",
    "/api/matches/{}/strips/{}.svg",
    "/api/openapi.json",
    "/api/people/export.csv",
    "/api/people/export.jsonl",
    "/api/people/{}/sheet.pdf",
    "/api/evenings/{}/sheet.pdf",
    "/api/shared/{}/sheet.pdf",
    "/api/matches/{}/result.pdf",
    "/api/files/{}/{}/{}/text",
}
NOT_OF_A_TABLE = {"/api/pin"}
"""The only PUT; its body is typed where it is sent."""

SILENCED = re.compile(r"@ts-(?:ignore|nocheck|expect-error)|biome-ignore-(?:all|start)")
ANYTHING = re.compile(r"@\w+ \{[^}\n]*\bany\b")


def long_lines(path: Path) -> list[str]:
    """Name the lines that are too long, in characters."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return [f"{path.name}:{number}: {len(line)}" for number, line in lines if len(line) > LONGEST]


def hidden(path: Path) -> list[str]:
    """Name what would keep the compiler or the linter from looking."""
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
    return [f"{path.name}:{number}: {line.strip()}" for number, line in lines if SILENCED.search(line)
            or ANYTHING.search(line)]  # fmt: skip


def test_no_line_of_a_page_is_longer_than_120_characters():
    assert {path.suffix for path in SOURCES} >= {".js", ".css", ".html"}
    assert [said for path in SOURCES for said in long_lines(path)] == []


def test_a_line_of_121_characters_is_named_and_one_of_120_is_not(tmp_path):
    page = tmp_path / "page.css"
    page.write_text("µ" * 120 + "\n" + "x" * 121 + "\n", encoding="utf-8")
    assert long_lines(page) == ["page.css:2: 121"]


def test_no_file_of_a_page_is_kept_from_the_compiler_or_says_any():
    assert [said for path in SOURCES for said in hidden(path)] == []


def test_what_hides_types_is_named(tmp_path):
    module = tmp_path / "module.js"
    module.write_text("// @ts-ignore\n/** @param {any} x many */\n/** @param {string} x as many as there are */\n")
    assert [said.partition(": ")[0] for said in hidden(module)] == ["module.js:1", "module.js:2"]


def test_the_types_know_every_address_of_the_api_and_no_other():
    typed = {re.sub(r"\$\{\w+\}", "{}", address) for address in re.findall(r"""["`](/api/[^"`]+)["`]""", TYPES)}
    served = {re.sub(r"\{\w+\}", "{}", endpoint.path) for endpoint in ENDPOINTS}
    assert typed == served - NO_JSON - NOT_OF_A_TABLE


def test_the_types_know_every_message_of_the_socket():
    kinds = (*messages.AnyFromBox.__args__, *messages.AnyToBox.__args__)
    tags = {str(kind.__struct_config__.tag) for kind in kinds}
    typed = {
        kind for kinds in re.findall(r"\btype: ((?:\"\w+\"(?: \| )?)+)", TYPES) for kind in re.findall(r"\w+", kinds)
    }
    assert typed == tags
