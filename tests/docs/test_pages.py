"""The pages: what they cite exists, what cites them finds its clause, and what they say of the code is so."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from pathlib import Path

import msgspec
import pytest

from companion.core.record import lines as record
from companion.core.ruling import rulings
from companion.core.ruling.game import Game
from companion.core.ruling.judge import judge_record
from companion.core.words.encoding import encode
from companion.games import registry
from docs.making.pages import ROOT, expand, outside, pictures

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
FOLDERS = ("companion", "docs", "examples", "firmware", "hardware", "systemd", "tests", ".ci")
PATH = re.compile(r"`((?:" + "|".join(map(re.escape, FOLDERS)) + r")/[^`\s*]*|[\w.-]+\.(?:toml|yml))`")
CITED = re.compile(r"`(record|apache)\.md`(?:[,:] ([^();.]+))?")
LAW = {"record": DOCS / "record.md", "apache": DOCS / "games/apache.md"}


def read(path):
    return path.read_text(encoding="utf-8")


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def headings(path):
    return [re.sub("`", "", found) for found in re.findall(r"^#+ (.+)$", read(path), re.MULTILINE)]


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_path_that_a_page_names_exists(page):
    assert [path for path in PATH.findall(read(page)) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_of_a_page_leads_somewhere_and_every_line_is_of_readable_length(page):
    text = read(page)
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []
    prose = [line for line in text.splitlines() if not line.startswith("|")]
    assert [line for line in prose if len(line) > 120] == []


def test_every_page_is_in_the_sites_list_once():
    listed = re.findall(r"([\w/-]+\.md)$", read(ROOT / "mkdocs.yml").split("\nnav:\n")[1], re.MULTILINE)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in PAGES)


def clauses(text, known):
    """Split what follows a citation into the headings it names; the rest, where there is one, is given last."""
    found, rest = list[str](), " ".join(text.replace("#", " ").split()).replace("`", "")
    while rest:
        clause = next((c for c in sorted(known, key=len, reverse=True) if rest.startswith(c)), None)
        if clause is None:
            return [*found, rest]
        found.append(clause)
        rest = re.sub(r"^(,? and |, )", "", rest[len(clause) :]).strip()
    return found


def citations():
    for folder in ("companion", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != Path(__file__):
                for page, text in CITED.findall(read(path)):
                    yield pytest.param(page, text, id=f"{name_of(path)}: {page} {' '.join(text.split())}")


CITATIONS = list(citations())


@pytest.mark.parametrize(("page", "text"), CITATIONS)
def test_every_cited_clause_of_the_law_is_a_heading_of_it(page, text):
    known = headings(LAW[page])
    assert [clause for clause in clauses(text, known) if clause not in known] == []


def test_there_are_citations_to_be_checked():
    assert len(CITATIONS) >= 20
    assert clauses("Order and Dead heat", ["Order", "Dead heat"]) == ["Order", "Dead heat"]
    assert clauses("Order, Nowhere", ["Order"]) == ["Order", "Nowhere"]


# -- the record ----------------------------------------------------------------------------------------------------


def rows(title, level="##"):
    """Give the rows of the first table below a heading of the record's page, without its head."""
    text = read(DOCS / "record.md").split(f"\n{level} {title}\n")[1].split("\n#")[0]
    table = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table[2:]]


def required_and_optional(cell):
    return {f"{name}{mark}" for name, mark in re.findall(r"`(\w+)`(\??)", cell)}


def fields(kind, leave_out=()):
    return {
        f"{field.encode_name}{'' if field.required else '?'}"
        for field in msgspec.structs.fields(kind)
        if field.encode_name not in leave_out
    }


def test_the_page_lists_every_line_with_its_fields():
    said = {row[0].strip("`"): required_and_optional(row[1]) for row in rows("Lines in")}
    assert said == {kind.__struct_config__.tag: fields(kind, {"wall"}) for kind in record.STANDARD_LINES}


def test_the_page_lists_every_field_of_the_setup_and_of_a_seat():
    said = {row[0].strip("`"): row[1] for row in rows("The setup", "###")}
    assert set(said) == {name.rstrip("?") for name in fields(record.Setup, {"wall"})}
    assert required_and_optional(said["seats"]) == fields(record.Seat)


def test_the_page_lists_every_ruling_with_its_fields():
    text = read(DOCS / "record.md")
    (number,) = re.findall(r"number of a race \([^)]*\) is in the field `(\w+)`", text)
    kinds = [
        k
        for k in vars(rulings).values()
        if isinstance(k, type) and issubclass(k, rulings.Ruling) and k is not rulings.Ruling
    ]
    said = {row[0].strip("`"): set(re.findall(r"`(\w+)`", row[2])) for row in rows("Lines out")}
    assert said == {k.__struct_config__.tag: {f.rstrip("?") for f in fields(k, {number})} for k in kinds}
    assert any(number in {field.name for field in msgspec.structs.fields(kind)} for kind in kinds)
    (place,) = re.findall(r"A place has ([^.]*)\.", text)
    assert set(re.findall(r"`(\w+)`", place)) == {f.rstrip("?") for f in fields(rulings.Place)}


def test_the_page_describes_the_version_that_the_program_reads_and_its_example_is_judged_as_it_says():
    text = read(DOCS / "record.md")
    assert re.findall(r"describes version (\d+)", text) == [str(record.RECORD_VERSION)]
    lines, said = re.findall(r"\]\(\.\./(tests/replay/[^)]+)\)", text)
    judged = [json.loads(encode(r)) for r in judge_record((ROOT / lines).read_bytes().splitlines(), registry.find)]
    assert judged == [json.loads(line) for line in read(ROOT / said).splitlines()]


def test_every_game_of_the_program_has_a_page_of_its_rules():
    games = {path.parent.name.replace("_", "-") for path in (ROOT / "companion/games").glob("*/game.py")}
    assert games == {page.stem for page in (DOCS / "games").glob("*.md") if page.stem != "index"}
    assert set(re.findall(r"\]\(([a-z-]+)\.md\)", read(DOCS / "games" / "index.md"))) == games
    assert len(games) >= 2


# -- what is taken in ----------------------------------------------------------------------------------------------


def test_a_picture_of_the_tree_comes_from_where_it_is_tested():
    page = "adding/x.md"
    text = "![x](../../tests/golden/readme/idle.png)"
    assert pictures(page, text) == {"tests/golden/readme/idle.png"}
    assert expand(page, text) == "![x](../tree/tests/golden/readme/idle.png)"
    assert outside("adding/x.md", "../record.md") is None


def test_a_file_on_a_line_of_its_own_is_put_in_whole():
    out = expand("record.md", "a\n\n[x](../tests/replay/example.jsonl)\n\nb")
    assert read(ROOT / "tests/replay/example.jsonl").rstrip() in out
    assert out.endswith("```\n\nb")


@pytest.mark.parametrize("text", ["![x](../tests/golden/none.png)", "<!-- states: none -->", "[x](../none.txt)"])
def test_what_is_not_there_stops_the_build(text):
    with pytest.raises(LookupError, match="there is no"):
        expand("record.md", text)


def test_no_picture_is_kept_beside_the_pages():
    assert [path for path in DOCS.rglob("*") if path.suffix in {".png", ".jpg", ".svg", ".gif"}] == []


# -- the way of a press --------------------------------------------------------------------------------------------


def steps():
    """Give (file, function) of every step of the page."""
    file = None
    for line in read(DOCS / "press.md").splitlines():
        if found := re.match(r"In `([^`]+)`:$", line):
            file = found[1]
        elif found := re.match(r"- `([\w.]+)` ", line):
            yield file, found[1]
        elif line.startswith("#"):
            file = None


def functions(path):
    """Give the names of a module's functions and, as `Class.method`, of its classes' methods."""
    for node in ast.parse(read(path)).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
        elif isinstance(node, ast.ClassDef):
            yield from (
                f"{node.name}.{part.name}"
                for part in node.body
                if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef)
            )


@pytest.mark.parametrize(("file", "function"), list(steps()))
def test_every_step_of_a_press_is_a_function_of_the_file_it_is_said_to_be_in(file, function):
    assert function in set(functions(ROOT / file))


def test_the_way_of_a_press_has_its_steps():
    assert len(list(steps())) >= 30


# -- the glossary --------------------------------------------------------------------------------------------------


def glossary():
    table = [line for line in read(DOCS / "glossary.md").splitlines() if line.startswith("|")][2:]
    return {line.split("|")[1].strip(): line.split("|")[2] for line in table}


def test_the_glossary_is_in_order_and_has_the_words_that_everything_rests_on():
    words = list(glossary())
    assert words == sorted(words, key=str.lower)
    assert set(words) >= {
        "line",
        "race",
        "turn",
        "match",
        "seat",
        "button",
        "press",
        "edge",
        "contact",
        "ruling",
        "scene",
    }


@cache
def classes() -> list[tuple[str, str]]:
    """Return the name of every class of the program, and where it stands; parsing all of it takes seconds."""
    return [
        (node.name, f"{path.relative_to(ROOT)}:{node.lineno}")
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for node in ast.walk(ast.parse(read(path)))
        if isinstance(node, ast.ClassDef)
    ]


@pytest.mark.slow  # parses the whole program
def test_every_class_that_the_glossary_gives_is_one_of_the_program():
    found = {name for name, _ in classes()}
    given = {name for meaning in glossary().values() for name in re.findall(r"\(`([A-Z]\w+)`\)", meaning)}
    assert len(given) >= 15
    assert given - found == set()


@pytest.mark.slow  # parses the whole program
@pytest.mark.parametrize("word", ["Line", "Race", "Turn", "Match"])
def test_each_of_the_words_that_everything_rests_on_is_one_class(word):
    """A second class of that name would be a second sense; the glossary says which class the word means."""
    found = [place for name, place in classes() if name == word]
    assert len(found) == 1
    assert f"(`{word}`)" in glossary()[word.lower()]


# -- the contract of a game ----------------------------------------------------------------------------------------


def test_the_page_of_games_lists_every_part_of_the_contract():
    said = re.findall(
        r"^\| ((?:`\w+`(?:, )?)+) \|", read(DOCS / "adding/game.md").split("## The contract")[1], re.MULTILINE
    )
    assert sorted(name for cell in said for name in re.findall(r"`(\w+)`", cell)) == sorted(
        name for name in vars(Game) if not name.startswith("_")
    )


def test_the_page_of_games_has_every_file_of_the_example_as_it_stands():
    example = ROOT / "examples/driftwood"
    page = expand("adding/game.md", read(DOCS / "adding/game.md"))
    files = [path for path in sorted(example.rglob("*")) if path.suffix in {".py", ".toml", ".po"}]
    assert len(files) >= 8
    assert [name_of(path) for path in files if path.name != "__init__.py" and read(path).rstrip() not in page] == []
