"""Imports point one way: core <- games <- screens, core <- ports <- adapters; only the app's side sees both.

Read from the syntax trees, so that an import within a function or under TYPE_CHECKING counts too.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[1] / "companion"

MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "tournament": {"core", "tournament"},
    "screens": {"core", "games", "tournament", "screens"},
    "ports": {"core", "tournament"},
    "files": {"core", "files"},
    "threads": {"threads"},
    "adapters": {"core", "tournament", "ports", "files", "threads", "adapters"},
    "config": {"core", "games", "files", "config"},
    "app": {"core", "games", "tournament", "screens", "ports", "files", "threads", "adapters", "config", "app"},
    "cli": {"core", "games", "tournament", "screens", "ports", "files", "threads", "adapters", "config", "app", "cli"},
    "testing": {"core", "games", "screens", "config", "app", "files", "testing"},
}
"""The floors of the house, and whom each may see."""

CORE_ROOMS = (
    "errors",
    "words",
    "speech",
    "panel",
    "following",
    "timing",
    "switches",
    "pods",
    "record",
    "ruling",
    "shown",
    "assigning",
    "people",
    "profiles",
    "match",
    "signals",
    "calibration",
    "evidence",
    "hands",
    "play",
)
"""The rooms of the core, the lowest first: each knows itself and those before it."""

LARGEST_ROOM = 13
"""So many modules in a folder at most: about ten can be looked through."""

PURE = {"core", "games", "tournament"}
"""Floors that do no I/O, read no clock, hold no thread and draw no random number."""

PURE_THIRD_PARTY = {"msgspec"}
"""What these may take from outside the standard library: it decodes and does no I/O."""

IMPURE = {
    "asyncio", "concurrent", "ctypes", "fcntl", "glob", "http", "io", "logging", "mmap", "multiprocessing", "os",
    "pathlib", "queue", "random", "secrets", "select", "selectors", "shutil", "signal", "socket", "socketserver",
    "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid", "warnings",
}  # fmt: skip
"""Modules of the standard library that do I/O, read a clock, hold a thread or draw random numbers."""


def modules(package: Path) -> Iterator[tuple[str, str]]:
    """Give each module's dotted name below `companion` (a package's is "….__init__") and its source."""
    for path in sorted(package.rglob("*.py")):
        yield ".".join(path.relative_to(package).with_suffix("").parts), path.read_text(encoding="utf-8")


@cache
def imported(module: str, source: str) -> list[tuple[int, str]]:
    """Return line and dotted name of everything that a module imports; relative imports made absolute."""
    return list(_imported(module, source))


def _imported(module: str, source: str) -> Iterator[tuple[int, str]]:
    here = ["companion", *module.split(".")]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = here[: len(here) - node.level] if node.level else []
            base = ".".join([*above, *filter(None, [node.module])])
            # `from companion.core import panel` imports a module, `from companion.core.panel import Colour` a name of
            # one: what follows is needed to tell where within the package it points.
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def breaches(module: str, source: str) -> list[str]:
    """Give what a module imports and must not."""
    return [
        f"companion.{module}:{line} imports {name}: {reason}"
        for line, name in imported(module, source)
        if (reason := breach(module.split("."), name.split(".")))
    ]


def breach(module: list[str], target: list[str]) -> str | None:
    layer = module[0]
    if layer in PURE and target[0] != "companion":
        if target[0] in IMPURE:
            return f"{layer} does no I/O, reads no clock, holds no thread and draws no random number"
        is_known = target[0] in sys.stdlib_module_names or target[0] in PURE_THIRD_PARTY
        return None if is_known else f"{layer} rests on the standard library and {', '.join(PURE_THIRD_PARTY)}"
    if target[0] != "companion" or layer == "__init__":
        return None
    if layer not in MAY_IMPORT:
        return "this module belongs to no floor of the house: put it into a folder"
    return breach_of_layers(module, target)


def breach_of_layers(module: list[str], target: list[str]) -> str | None:
    layer, wanted = module[0], target[1]
    if wanted not in MAY_IMPORT[layer]:
        return f"{layer} may import {', '.join(sorted(MAY_IMPORT[layer]))} only"
    own, theirs = module[1:2], target[2:3]
    if layer == "core" and is_above(own, theirs):
        return f"within core, {own[0]} lies below {theirs[0]}"
    if layer == "adapters" and wanted == "adapters" and own != theirs:
        return "adapters do not know each other"
    if layer == "games" and wanted == "games" and theirs not in (own, ["registry"]):
        return "games do not know each other"
    if layer == "screens" and wanted == "games" and theirs != ["registry"]:
        return "screens know no game by name"
    return None


def is_above(own: list[str], theirs: list[str]) -> bool:
    """Tell whether a room of the core would know one that lies above it."""
    known = [CORE_ROOMS.index(room) for room in (*own, *theirs) if room in CORE_ROOMS]
    return len(known) == 2 and known[1] > known[0]


@pytest.mark.parametrize(
    ("module", "source"), [pytest.param(module, source, id=module) for module, source in modules(PACKAGE)]
)
def test_imports_point_one_way(module: str, source: str) -> None:
    assert breaches(module, source) == []


def test_every_floor_is_there_and_nothing_stands_in_the_doorway() -> None:
    assert {path.name for path in PACKAGE.iterdir() if path.suffix == ".py"} == {"__init__.py", "ports.py"}
    assert {module.split(".")[0] for module, _ in modules(PACKAGE)} - {"__init__"} == set(MAY_IMPORT)
    assert {module.split(".")[1] for module, _ in modules(PACKAGE) if module.startswith("core.")} == {
        "__init__",
        *CORE_ROOMS,
    }


def test_no_room_is_too_large_to_look_through() -> None:
    sizes = Counter(path.parent for path in PACKAGE.rglob("*.py") if path.name != "__init__.py")
    assert {str(room.relative_to(PACKAGE)): size for room, size in sizes.items() if size > LARGEST_ROOM} == {}


def test_no_circle_of_rooms() -> None:
    """Take away, again and again, the rooms that know only what was taken away: none may be left."""
    knows: dict[str, set[str]] = {}
    for module, source in modules(PACKAGE):
        here = room_of(module.split("."))
        wanted = {room_of(name.split(".")[1:]) for _, name in imported(module, source) if is_ours(name)}
        knows.setdefault(here, set()).update(wanted - {here, ""})
    while free := {room for room, wanted in knows.items() if not wanted & knows.keys()}:
        for room in free:
            del knows[room]
    assert knows == {}


def is_ours(name: str) -> bool:
    """Tell whether a dotted name is of this package."""
    return name.startswith("companion.")


def room_of(name: list[str]) -> str:
    """Give the folder that a dotted name below `companion` lies in; "" for what lies in `companion` itself."""
    folders = [".".join(name[:count]) for count in range(1, len(name) + 1) if PACKAGE.joinpath(*name[:count]).is_dir()]
    return folders[-1] if folders else ""


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.timing.arbiter", "import time"),
        ("core.timing.arbiter", "from os import path"),
        ("core.timing.arbiter", "from concurrent.futures import Future"),
        ("core.timing.arbiter", "import numpy"),
        ("core.timing.arbiter", "from companion import ports"),
        ("core.timing.arbiter", "from companion.games.registry import find"),
        ("core.timing.arbiter", "def late():\n    from companion.screens import oled"),
        ("games.apache.rules", "import random"),
        ("games.apache.rules", "from companion.games.order import GAME"),
        ("games.apache.rules", "from companion.games import order"),
        ("games.apache.rules", "from companion.screens.oled.picture import draw"),
        ("screens.oled.race", "from companion.adapters.oled import display"),
        ("screens.oled.race", "from companion.games.apache import GAME"),
        ("ports", "from companion.games import registry"),
        ("tournament.wire", "import time"),
        ("tournament.wire", "from companion.ports import EventStore"),
        ("core.timing.arbiter", "from companion.tournament import wire"),
        ("adapters.sqlite_journal.writer", "from companion.games import registry"),
        ("adapters.sqlite_journal.writer", "if TYPE_CHECKING:\n    from companion.screens.oled.picture import draw"),
        ("adapters.sqlite_journal.writer", "from companion.adapters.gpio.lines import rotary"),
        ("adapters.sqlite_journal.writer", "from companion.adapters import memory_journal"),
        ("adapters.sqlite_journal.writer", "import companion.config.reading"),
        ("adapters.sqlite_journal.writer", "from ...games import registry"),
        ("newcomer", "from companion.core import panel"),
        ("core.timing.arbiter", "from companion.core.play.session import Session"),
        ("core.ruling.judge", "from companion.core.shown import scene"),
        ("config.reading", "from companion.app import run"),
        ("app.run", "from companion.cli import main"),
        ("app.run", "from companion.testing.games import GameContract"),
        ("testing.games", "from companion.adapters.gpio.lines import rotary"),
    ],
)
def test_a_breach_is_seen(module: str, source: str) -> None:
    assert len(breaches(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.timing.arbiter", "import enum, typing\nimport msgspec\nfrom companion.core import panel"),
        (
            "games.apache.rules",
            "from companion.core.ruling.offers import Option\nfrom companion.games.apache import cards",
        ),
        ("screens.text.account", "from PIL import Image\nfrom companion.games.registry import find"),
        ("adapters.sqlite_journal.writer", "import threading\nfrom companion.adapters.sqlite_journal import store"),
        ("adapters.sqlite_journal.writer", "from companion.ports import Journal\nfrom . import store"),
        ("app.run", "from companion.adapters import memory_journal\nfrom companion.screens import oled"),
    ],
)
def test_what_points_the_right_way_is_allowed(module: str, source: str) -> None:
    assert breaches(module, source) == []
