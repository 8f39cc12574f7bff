"""Every command with what nobody should give it: one clear sentence, the usual exit status; no traceback, no hang.

Called within this process; a pipe that nobody writes to would hang the test, and that is the test.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.sqlite_journal import SqliteJournal
from companion.cli.main import main
from companion.files import reading
from tests.cli.test_main import COMPANION, RECORD, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow  # asks every address with made-up requests

LONG = "x" * 300
"""Longer than a name may be."""


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """What a path may lead to beside a file."""
    folder = tmp_path_factory.mktemp("things")
    os.mkfifo(folder / "fifo")
    (folder / "empty").touch()
    (folder / "zeros").write_bytes(bytes(5000))
    (folder / "junk").write_bytes(bytes(range(256)) * 20)
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "nested").write_text('{"type":' + "[" * 50_000)
    with (folder / "large").open("wb") as file:
        file.truncate(reading.MOST + 1)
    listening = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(folder)
    listening.bind("socket")
    os.chdir(here)
    names = ("fifo", "empty", "zeros", "junk", "loop", "nested", "large", "socket")
    yield {
        **{name: str(folder / name) for name in names},
        "folder": str(folder),
        "nothing": str(folder / "nothing"),
        "below a file": str(folder / "empty" / "below"),
        "device": "/dev/zero",
        "null": "/dev/null",
        "zero byte": f"{folder}/a\0b",
        "long name": f"{folder}/{LONG}",
        "no UTF-8": os.fsdecode(os.fsencode(folder) + b"/\xff\xfe"),
        "no name": "",
        "line end": f"{folder}/a\nb",
    }
    listening.close()


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("record") / "match.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in RECORD))
    return str(path)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("stored")
    journal = SqliteJournal(folder)
    journal.open(lambda *_: None, pytest.fail)
    journal.finish(journal.begin("order", RECORD, None))
    journal.close()
    return str(folder)


THINGS = (
    "fifo", "empty", "zeros", "junk", "loop", "nested", "large", "socket", "folder", "nothing", "below a file",
    "device", "null", "zero byte", "long name", "no UTF-8", "no name", "line end",
)  # fmt: skip


def sentence(arguments: list[str], capsys: pytest.CaptureFixture[str], statuses: tuple[int, ...] = (1, 2)) -> str:
    """Call the command; give what it says on standard error."""
    status = main(arguments)
    out, err = capsys.readouterr()
    for text in (out, err):
        assert "Traceback" not in text
        assert "this is a bug" not in text, text
    assert status in statuses, (status, out, err)
    if status:
        assert 1 <= len(err.strip().splitlines() or out.strip().splitlines()) <= 4, (out, err)
        assert len(err) < 1500, "a sentence, not what was given"
    return err


READERS = {
    "replay": ["replay", "{}"],
    "replay as JSON": ["replay", "--json", "{}"],
    "verify": ["verify", "{}"],
    "verify's key": ["verify", "{record}", "--key", "{}"],
    "strip": ["strip", "{}", "1"],
    "strip's evidence": ["strip", "{record}", "1", "--evidence", "{}"],
    "config": ["config", "--config", "{}"],
    "matches' settings": ["matches", "--config", "{}"],
    "labels' deck": ["deck", "labels", "{out}", "--deck", "{}"],
    "a script": ["run", "--script", "{}", "--plain", "--no-web"],
}


@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("command", READERS.values(), ids=READERS)
def test_what_is_read_is_anything_but_what_it_should_be(
    command: list[str], thing: str, things: dict[str, str], record: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    given = [part.format(things[thing], record=record, out=tmp_path / "out.pdf") for part in command]
    is_nothing_wrong = (thing, command[0]) in {("empty", "config"), ("empty", "matches"), ("empty", "verify")}
    if command[0] == "run" and thing == "empty":
        pytest.skip("a script of nothing is one: it would be played")
    empty = thing in ("empty", "null", "zeros", "junk", "nested")
    sentence(given, capsys, (0, 1, 2) if is_nothing_wrong or empty else (1, 2))


WRITERS = {
    "export": ["export", "--state-dir", "{stored}", "1", "-o", "{}"],
    "export's evidence": ["export", "--state-dir", "{stored}", "1", "--evidence", "{}/in"],
    "labels": ["deck", "labels", "{}"],
}


@pytest.mark.parametrize("thing", ["fifo", "loop", "socket", "folder", "below a file", "zero byte", "long name"])
@pytest.mark.parametrize("command", WRITERS.values(), ids=WRITERS)
def test_what_is_written_to_is_no_file(
    command: list[str], thing: str, things: dict[str, str], stored: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (command[0], thing) == ("export", "folder") and "--evidence" in command:
        pytest.skip("a folder is what it should be")
    sentence([part.format(things[thing], stored=stored) for part in command], capsys)


@pytest.mark.parametrize("thing", [name for name in THINGS if name not in ("no name", "no UTF-8", "line end")])
@pytest.mark.parametrize("command", ["matches", "export", "key", "doctor"])
def test_the_state_directory_is_anything_but_one(
    command: str, thing: str, things: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    more = {"export": ["1"], "doctor": ["--repair"]}.get(command, [])
    sentence([command, "--state-dir", things[thing], *more], capsys, (0, 1) if thing == "folder" else (1, 2))


NUMBERS = ["0", "-1", str(10**30), str(2**63), "9" * 5000, "٣", "1e3", "1.0", "", " ", "1_0", "0x1", "NaN", "½", "\0"]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize(
    "command",
    [["export", "--"], ["strip", "{record}", "--"], ["strip", "{record}", "1", "--width"],
     ["deck", "labels", "{out}", "--skip"], ["run", "--simulate", "--port"], ["run", "--simulate", "--window"],
     ["certify", "--days"], ["pods", "measure", "--seconds"]],
    ids=["match", "race", "width", "skip", "port", "window", "days", "seconds"],
)  # fmt: skip
def test_a_number_is_none_or_beyond_all(
    command: list[str], number: str, record: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    from companion.app import run as app

    monkeypatch.setattr(app, "run", lambda *_: 0)
    given = [part.format(record=record, out=tmp_path / "out.pdf") for part in command]
    fits = (command[-1], number) in {("--skip", "0"), ("--port", "0"), *(("--window", n) for n in ("1.0", "1_0", "٣"))}
    sentence([*given, number], capsys, (0,) if fits else (1, 2))


def test_a_match_beyond_all_is_not_there(stored: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no match 9007199254740991" in sentence(["export", "--state-dir", stored, str(2**53 - 1)], capsys)


@pytest.mark.parametrize("name", ["status.json"])
@pytest.mark.parametrize("thing", ["fifo", "empty", "zeros", "junk", "nested", "large", "folder", "device"])
def test_a_status_file_that_is_none(
    thing: str, name: str, things: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run" / "table-companion"
    folder.mkdir(parents=True)
    (folder / name).symlink_to(things[thing])
    for arguments in (["status"], ["status", "--json"]):
        assert main(arguments) == 3
        out, err = capsys.readouterr()
        assert "not running" in out or '"running":false' in out
        assert "Traceback" not in err


@pytest.mark.parametrize("thing", ["fifo", "zeros", "junk", "large", "folder", "device"])
def test_a_key_that_is_none(
    thing: str, things: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "seal.key").symlink_to(things[thing])
    sentence(["key", "--state-dir", str(tmp_path)], capsys)


def test_a_line_of_a_hundred_megabytes_is_refused_and_not_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(RECORD[0] + b'\n{"type":"remark","text":"')
        file.truncate(100_000_000)
    assert main(["replay", str(path)]) == 1
    out, err = capsys.readouterr()
    assert "Line 2 is malformed" in out
    assert len(out + err) < 2000
    assert main(["verify", str(path)]) in (0, 1)
    assert len("".join(capsys.readouterr())) < 2000


@pytest.mark.parametrize("how", ["| head -c 1", ">&-", "2>&- >/dev/full"])
def test_an_output_that_goes_away_is_no_traceback(how: str, stored: str) -> None:
    command = " ".join(f"'{part}'" for part in [*COMPANION, "export", "--state-dir", stored, "1"])
    done = subprocess.run(
        ["bash", "-c", f"{command} {how}"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert "Traceback" not in done.stderr
    assert "bug" not in done.stderr


def test_a_non_utf_8_argument_of_a_real_process_is_a_sentence(tmp_path: Path) -> None:
    name = os.fsencode(tmp_path) + b"/\xff\xfe.jsonl"
    for command in (b"replay", b"verify"):
        done = subprocess.run(
            [sys.executable.encode(), *(part.encode() for part in COMPANION[1:]), command, name],
            cwd=ROOT, capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 2
        assert b"cannot read" in done.stderr
        assert b"Traceback" not in done.stderr
