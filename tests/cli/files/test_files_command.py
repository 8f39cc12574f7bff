"""`companion files` and `companion run --file`: what there is, what is wrong with one, a record that has it whole."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING

import pytest

from companion.adapters.game_files import FileFolder
from companion.adapters.game_files.folder import Place
from companion.adapters.sqlite_journal import export_lines
from companion.cli.main import main

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow  # starts processes

SNAP = resources.files("companion.games.claim").joinpath("files/snap.toml").read_text("utf-8")
SCRIPT = "0.5 press red first\n+0.2 press yellow first\n8 end\n"


def run(folder: Path, *arguments: str) -> int:
    config = folder / "config.toml"
    if not config.exists():
        config.write_text("")
    name, *others = arguments
    where = ("--config", str(config), "--state-dir", str(folder / "state"))
    return main(["run", *where, *others] if name == "run" else ["files", name, *where, *others])


def play(folder: Path, *more: str) -> int:
    """A simulated match of two seats of the game that is told by a file."""
    script = folder / "script.txt"
    script.write_text(SCRIPT)
    return run(
        folder, "run", "--simulate", "--plain", "--script", str(script), "--seats", "red,yellow", "--new",
        "--game", "claim", *more,
    )  # fmt: skip


def setup_of(folder: Path) -> dict[str, object]:
    return dict(json.loads(export_lines(folder / "state", 1)[0]))


def test_what_there_is_is_listed(tmp_path, capsys):
    FileFolder(tmp_path / "state").put(Place("claim", "game", "mine.toml"), "hands = 3\n")
    assert run(tmp_path, "list") == 0
    said = capsys.readouterr().out
    assert "claim game  (Claim: Game file)" in said
    assert "snap.toml" in said
    assert next(line for line in said.splitlines() if "mine.toml" in line).split()[1:2] == ["kept,"]


def test_a_sound_file_is_said_to_be_so(tmp_path, capsys):
    (tmp_path / "a.toml").write_text(SNAP)
    assert run(tmp_path, "check", "claim", "game", str(tmp_path / "a.toml")) == 0
    assert capsys.readouterr().out == f"{tmp_path}/a.toml: nothing is wrong with it\n"


def test_each_fault_is_said_with_file_and_line(tmp_path, capsys):
    (tmp_path / "a.toml").write_text(f"{SNAP}\nnonsense =\n")
    assert run(tmp_path, "check", "claim", "game", str(tmp_path / "a.toml")) == 1
    said = capsys.readouterr().out
    assert said.startswith(f"{tmp_path}/a.toml:{len(SNAP.splitlines()) + 2}: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "claim", "hat", "a.toml"), "asks for no file 'hat'"),
        (("check", "nothing", "game", "a.toml"), "no game called 'nothing'"),
        (("check", "order", "game", "a.toml"), "asks for no file 'game'"),
        (("check", "claim", "game", "gone.toml"), "No such file"),
    ],
)
def test_what_cannot_be_checked_is_said(tmp_path, capsys, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text(SNAP)
    assert run(tmp_path, *arguments) == 1
    assert message in capsys.readouterr().err


# -- to play with one --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["sample", "kept", "path", "settings"])
def test_a_match_is_played_with_a_file_and_its_record_has_it_whole(tmp_path, way):
    mine = SNAP + "\n# mine\n"
    (tmp_path / "mine.toml").write_text(mine)
    if way == "sample":
        assert play(tmp_path, "--file", "game=snap.toml") == 0
        assert setup_of(tmp_path)["files"] == {"game": {"name": "snap.toml", "text": SNAP}}
        return
    if way == "kept":
        FileFolder(tmp_path / "state").put(Place("claim", "game", "mine.toml"), mine)
        assert play(tmp_path, "--file", "game=mine.toml") == 0
    elif way == "path":
        assert play(tmp_path, "--file", f"game={tmp_path}/mine.toml") == 0
    else:
        (tmp_path / "config.toml").write_text(f'[match]\ngame = "claim"\nfiles = ["game={tmp_path}/mine.toml"]\n')
        assert play(tmp_path) == 0
    assert setup_of(tmp_path)["files"] == {"game": {"name": "mine.toml", "text": mine}}


def test_what_the_settings_name_for_another_game_is_left_alone(tmp_path):
    (tmp_path / "config.toml").write_text('[match]\ngame = "claim"\nfiles = ["game=snap.toml"]\n')
    script = tmp_path / "script.txt"
    script.write_text(SCRIPT)
    where = ("--seats", "red,yellow", "--no-cards", "--new")
    assert run(tmp_path, "run", "--simulate", "--plain", "--script", str(script), *where) == 0
    assert setup_of(tmp_path)["game"] == "order"


@pytest.mark.parametrize(
    ("file", "status", "message"),
    [
        ("game", 2, '--file: "game" names no file: right would be "game=FILE"'),
        ("rules=snap.toml", 2, 'claim asks for no file "rules"'),
        ("game=gone.toml", 1, "cannot read gone.toml: No such file"),
        ("game=./latin.toml", 1, "not UTF-8 text"),
        ("game=./large.toml", 1, "too large"),
        ("game=./bad.toml", 1, "bad.toml, line 2: "),
        ("game=.", 1, "cannot read"),
        ("game=/dev/zero", 1, "it is a device"),
    ],
)
def test_a_file_that_cannot_be_played_with_is_named_and_nothing_begins(
    tmp_path, capsys, monkeypatch, file, status, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b"# \xe4\n")
    (tmp_path / "large.toml").write_text("#" * 40_000)
    (tmp_path / "bad.toml").write_text("# one\nnonsense =\n")
    assert play(tmp_path, "--file", file) == status
    assert message in capsys.readouterr().err
