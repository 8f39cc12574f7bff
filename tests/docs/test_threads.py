"""The page of threads against the code: everything that starts a thread is in it, and nothing else."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
STARTERS = {
    "Thread", "Watched", "Timer", "ThreadPoolExecutor", "ProcessPoolExecutor", "Process", "to_thread",
    "start_new_thread",
}  # fmt: skip

WATCHED = "companion/threads/watched.py"
"""The one place that starts a thread, for all others."""


class Start(NamedTuple):
    """Where a thread is started, and its name as far as the code says it at that place."""

    file: str
    name: str | None


def starts(file, source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            is_default_pool = called == "run_in_executor" and isinstance(node.args[0], ast.Constant)
            if called in STARTERS or is_default_pool:
                yield Start(file, named(node))
        elif isinstance(node, ast.ClassDef) and any(ast.unparse(b).split(".")[-1] in STARTERS for b in node.bases):
            yield Start(file, None)


def named(call):
    """Give the name of a thread: what is written, up to where it is worked out; None where it is worked out whole."""
    given = {word.arg: word.value for word in call.keywords}
    name = given.get("name", given.get("thread_name_prefix"))
    if isinstance(name, ast.JoinedStr):
        name = name.values[0]
    if not isinstance(name, ast.Constant):
        return None
    assert isinstance(name.value, str)
    return name.value.strip()


@cache
def in_code() -> list[Start]:
    return [
        start
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for start in starts(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        if start.file != WATCHED
    ]


def in_table():
    """Give each row of the page's first table: the thread's name, and the file it is started in."""
    text = (ROOT / "docs/threads.md").read_text(encoding="utf-8").split("## Ours")[1].split("\n## ")[0]
    cells = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")][2:]
    assert all(len(row) == 5 and all(cell.strip() for cell in row) for row in cells)
    return {re.findall("`([^`]+)`", row[0])[0]: "".join(re.findall("`([^`]+)`", row[1])) for row in cells}


@pytest.mark.slow  # parses the whole program
def test_every_thread_that_the_code_starts_is_in_the_table_and_the_other_way_round():
    table = {name: file for name, file in in_table().items() if name != "main"}
    assert Counter(table.values()) == Counter(start.file for start in in_code())


@pytest.mark.slow  # parses the whole program
def test_every_name_that_the_code_gives_a_thread_is_the_tables():
    table = in_table()
    given = [start for start in in_code() if start.name is not None]
    assert len(given) >= 8
    assert [
        start for start in given if not any(n.startswith(start.name) and f == start.file for n, f in table.items())
    ] == []


@pytest.mark.slow  # parses the whole program
def test_only_watched_threads_the_pools_of_web_and_desk_and_what_keeps_a_machine_busy_are_started():
    plain = STARTERS - {"Watched"}
    found = Counter(
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / "companion").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in plain
    )
    desk = {"companion/threads/aside.py": 1, "companion/app/tournament/store_thread.py": 1}
    certificate = {"companion/adapters/certificate/load.py": 1}
    assert found == {WATCHED: 1, "companion/adapters/web/limits/keeping.py": 1, **desk, **certificate}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("threading.Thread(target=f, name='x', daemon=True)", "x"),
        ("Thread(name=f'pod {path}')", "pod"),
        ("Watched(f, name=f'pod {path}')", "pod"),
        ("Thread(target=f)", None),
        ("Timer(1.0, f).start()", None),
        ("ThreadPoolExecutor(1, thread_name_prefix='x')", "x"),
        ("field(default_factory=lambda: futures.ThreadPoolExecutor(1))", None),
        ("async def f(): await asyncio.to_thread(g)", None),
        ("loop.run_in_executor(None, f)", None),
        ("class Mine(threading.Thread): pass", None),
        ("_thread.start_new_thread(f, ())", None),
    ],
)
def test_each_way_to_start_a_thread_is_seen(source, name):
    assert list(starts("x.py", source)) == [Start("x.py", name)]


@pytest.mark.parametrize("source", ["threading.current_thread()", "loop.run_in_executor(pool, f)", "PortThread(path)"])
def test_what_starts_none_is_not_taken_for_one(source):
    assert list(starts("x.py", source)) == []
