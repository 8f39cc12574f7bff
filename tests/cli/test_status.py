"""`companion status`: what it says and with which exit status, of a box that runs, hangs, was killed or stopped."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.service.status_file import StatusFile
from companion.app.assembly import boot_id
from companion.cli.status import look, run_status
from companion.core.play.health import BoxStatus, Life

if TYPE_CHECKING:
    from pathlib import Path

NOW_NS = 10**18


def write(folder: Path, **changes: Any) -> None:
    values = {
        "version": "1", "life": Life.RUNNING, "pid": os.getpid(), "boot": boot_id(), "t_ns": NOW_NS, "wall": "w",
        "every_ns": 5 * 10**9,
    }  # fmt: skip
    StatusFile(folder).write(BoxStatus(**{**values, **changes}))


def ask(folder: Path, **options: bool) -> tuple[int, list[str]]:
    said: list[str] = []
    status = run_status(said.append, as_json=options.get("as_json", False), environ={"RUNTIME_DIRECTORY": str(folder)})
    return status, said


def test_a_running_box_is_0(tmp_path: Path) -> None:
    write(tmp_path)
    status, said = ask(tmp_path)
    assert status == 0
    assert said[0].startswith("companion 1: running")


def test_without_any_box_it_says_where_it_looked_and_is_3(tmp_path: Path) -> None:
    status, said = ask(tmp_path)
    assert status == 3
    assert str(tmp_path) in said[0]


@pytest.mark.parametrize(
    "changes",
    [{"life": Life.STOPPED}, {"life": Life.FAILED}, {"pid": 2**22 + 1}, {"boot": "another boot"}, {"t_ns": -NOW_NS}],
)
def test_a_box_that_was_stopped_failed_killed_cut_off_or_hangs_is_3(tmp_path: Path, changes: dict[str, Any]) -> None:
    write(tmp_path, **changes)
    assert ask(tmp_path)[0] == 3


def test_json_is_one_object_with_everything(tmp_path: Path) -> None:
    write(tmp_path, faults=("a",))
    status, said = ask(tmp_path, as_json=True)
    told = json.loads(said[0])
    assert (status, len(said), told["running"], told["faults"]) == (0, 1, True, ["a"])


def test_the_age_is_unknown_where_the_machine_was_switched_off_since(tmp_path: Path) -> None:
    write(tmp_path, boot="then")
    seen = look((tmp_path,), "now", NOW_NS)
    assert seen.age_ns is None
    assert not seen.is_alive
