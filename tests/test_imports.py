"""Imports point one way: core <- games <- screens, core <- ports <- adapters; only the app's side sees both.

Read from the syntax trees, so that an import within a function or under TYPE_CHECKING counts too.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(__file__).parents[1] / "companion"

APP_SIDE = {
    "app",  # wires everything
    "fault_pictures",  # what an OLED shows of a box that does not run, drawn while it does
    "service",  # the app's part that tells the service manager and `companion status` how the box is
    "assembly", "loop", "simulation", "table_web",  # the app's parts: a box, its loop, its simulated panel, its web
    "pods", "pods_cli", "pod_files", "deck", "deck_cli", "labels", "card_scanner",  # pods and cards: wiring, commands
    "doctor", "button_trial",  # what `companion doctor` runs
    "cli", "options", "settings", "config", "config_text", "pins", "toml_edit", "toml_file",  # arguments and settings
    "replay", "matches", "status",  # what the commands of these names do
}  # fmt: skip
"""The top-level modules that may see the core's side and the adapters' side. A new one has to be named here."""

MAY_IMPORT = {
    "core": {"core"},
    "games": {"core", "games"},
    "screens": {"core", "games", "screens"},
    "ports": {"core"},
    "adapters": {"core", "ports", "adapters"},
}

PURE_THIRD_PARTY = {"msgspec"}
"""What core and games may take from outside the standard library: it decodes and does no I/O."""

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


def imported(module: str, source: str) -> Iterator[tuple[int, str]]:
    """Give line and dotted name of everything that a module imports; relative imports made absolute."""
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
    if layer in {"core", "games"} and target[0] != "companion":
        if target[0] in IMPURE:
            return f"{layer} does no I/O, reads no clock, holds no thread and draws no random number"
        is_known = target[0] in sys.stdlib_module_names or target[0] in PURE_THIRD_PARTY
        return None if is_known else f"{layer} rests on the standard library and {', '.join(PURE_THIRD_PARTY)}"
    if target[0] != "companion" or layer in APP_SIDE or layer == "__init__":
        return None
    if layer not in MAY_IMPORT:
        return "this module belongs to no layer: put it into one, or name it in APP_SIDE"
    return breach_of_layers(module, target)


def breach_of_layers(module: list[str], target: list[str]) -> str | None:
    layer, wanted = module[0], target[1]
    if wanted not in MAY_IMPORT[layer]:
        return f"{layer} may import {', '.join(sorted(MAY_IMPORT[layer]))} only"
    own, theirs = module[1:2], target[2:3]
    if layer == "adapters" and wanted == "adapters" and own != theirs:
        return "adapters do not know each other"
    if layer == "games" and wanted == "games" and theirs not in (own, ["registry"]):
        return "games do not know each other"
    if layer == "screens" and wanted == "games" and theirs != ["registry"]:
        return "screens know no game by name"
    return None


@pytest.mark.parametrize(
    ("module", "source"), [pytest.param(module, source, id=module) for module, source in modules(PACKAGE)]
)
def test_imports_point_one_way(module: str, source: str) -> None:
    assert breaches(module, source) == []


def test_every_layer_is_there_so_that_the_test_above_is_about_something() -> None:
    layers = {module.split(".")[0] for module, _ in modules(PACKAGE)}
    assert layers >= {"core", "games", "screens", "adapters", "ports", "app", "cli"}
    assert layers - set(MAY_IMPORT) - {"__init__"} == APP_SIDE


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.arbiter", "import time"),
        ("core.arbiter", "from os import path"),
        ("core.arbiter", "from concurrent.futures import Future"),
        ("core.arbiter", "import numpy"),
        ("core.arbiter", "from companion import ports"),
        ("core.arbiter", "from companion.games.registry import find"),
        ("core.arbiter", "def late():\n    from companion.screens import oled"),
        ("games.apache.rules", "import random"),
        ("games.apache.rules", "from companion.games.order import GAME"),
        ("games.apache.rules", "from companion.games import order"),
        ("games.apache.rules", "from companion.screens.oled import draw"),
        ("screens.oled", "from companion.adapters.oled import display"),
        ("screens.oled", "from companion.games.apache import GAME"),
        ("ports", "from companion.games import registry"),
        ("adapters.sqlite_journal.writer", "from companion.games import registry"),
        ("adapters.sqlite_journal.writer", "if TYPE_CHECKING:\n    from companion.screens.oled import draw"),
        ("adapters.sqlite_journal.writer", "from companion.adapters.gpio import rotary"),
        ("adapters.sqlite_journal.writer", "from companion.adapters import memory_journal"),
        ("adapters.sqlite_journal.writer", "import companion.config"),
        ("adapters.sqlite_journal.writer", "from ...games import registry"),
        ("newcomer", "from companion.core import panel"),
    ],
)
def test_a_breach_is_seen(module: str, source: str) -> None:
    assert len(breaches(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("core.arbiter", "import enum, typing\nimport msgspec\nfrom companion.core import panel"),
        ("games.apache.rules", "from companion.core.game import Option\nfrom companion.games.apache import cards"),
        ("screens.account", "from PIL import Image\nfrom companion.games.registry import find"),
        ("adapters.sqlite_journal.writer", "import threading\nfrom companion.adapters.sqlite_journal import store"),
        ("adapters.sqlite_journal.writer", "from companion.ports import Journal\nfrom . import store"),
        ("app", "from companion.adapters import memory_journal\nfrom companion.screens import oled"),
    ],
)
def test_what_points_the_right_way_is_allowed(module: str, source: str) -> None:
    assert breaches(module, source) == []
