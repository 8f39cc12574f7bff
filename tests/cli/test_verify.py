"""`companion verify`, `companion key`, and the seal at the end of an export."""

from __future__ import annotations

import base64
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import SqliteJournal
from companion.cli.main import main
from companion.core.record.lines import LONGEST_LINE

if TYPE_CHECKING:
    from collections.abc import Callable

    Says = Callable[..., tuple[int, str, str]]

SETUP, *LINES = (Path(__file__).parents[1] / "replay/order.jsonl").read_bytes().splitlines()
RECORD = (SETUP, '{"type":"names","names":{"red":"Zoë"}}'.encode(), *LINES[:5], b'{"type":"end"}')
WHOSE = "nothing proves whose key that is"
FOLLOWED = "nothing shows whether lines followed the last seal"


@pytest.fixture
def says(capfd: pytest.CaptureFixture[str]) -> Says:
    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        return (status, *capfd.readouterr())

    return call


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """The state directory of a box that has a key and one match."""
    directory = tmp_path / "state"
    journal = SqliteJournal(directory)
    journal.open(lambda match_id, count: None, pytest.fail)
    journal.finish(journal.begin("order", RECORD, None))
    journal.close()
    BoxKey(directory).prepare()
    return directory


@pytest.fixture
def exported(box: Path, tmp_path: Path) -> Path:
    path = tmp_path / "one.jsonl"
    assert main(["export", "1", "-o", str(path), "--state-dir", str(box)]) == 0
    return path


def test_an_exported_record_verifies_by_the_key_that_the_box_prints(says: Says, box: Path, exported: Path) -> None:
    status, key, _ = says("key", "--state-dir", box)
    assert status == 0
    status, out, err = says("verify", exported, "--key", key.strip())
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        "every seal holds, up to line 9 (1 in all): lines 1 to 8 are as sealed, but for `names` lines, which may be"
        " changed",
        f"from line 9 on sealed by the key {key.strip()}",
        "this is the key that was asked for",
        FOLLOWED,
    ]


def test_without_a_key_it_is_said_that_nothing_proves_whose_it_is(says: Says, exported: Path) -> None:
    status, out, _ = says("verify", exported)
    assert status == 0
    assert WHOSE in out
    assert FOLLOWED in out


def test_the_key_may_be_a_file(says: Says, box: Path, exported: Path) -> None:
    assert says("verify", exported, "--key", BoxKey(box).public)[0] == 0


@pytest.mark.parametrize("key", ["", "nobody's", "/nowhere", "AAAA", "/dev/null"])
def test_what_is_no_key_is_an_error_of_usage(says: Says, exported: Path, key: str) -> None:
    status, out, err = says("verify", exported, "--key", key)
    assert (status, out) == (2, "")
    assert "companion key" in err


def test_a_foreign_key_is_status_1_and_named(says: Says, box: Path, exported: Path) -> None:
    foreign = base64.b64encode(os.urandom(32)).decode()
    status, out, _ = says("verify", exported, "--key", foreign)
    assert status == 1
    own = base64.b64encode(BoxKey(box).public_key()).decode()
    assert out.splitlines() == [
        f"line 9: this seal does not hold: it is by another key: {own}",
        "no seal before it: nothing vouches for any line",
    ]


def test_a_changed_record_is_status_1_and_says_where(says: Says, exported: Path) -> None:
    exported.write_bytes(exported.read_bytes().replace(b'"t_ns":1002500000', b'"t_ns":1002500001'))
    status, out, _ = says("verify", exported)
    assert status == 1
    assert out.startswith("line 9: this seal does not hold: of lines 1 to 8 one has been changed")


def test_changed_names_are_no_change(says: Says, exported: Path) -> None:
    exported.write_bytes(exported.read_bytes().replace("Zoë".encode(), b"N. N."))
    assert says("verify", exported)[0] == 0


def test_lines_after_the_last_seal_are_told(says: Says, exported: Path) -> None:
    exported.write_bytes(exported.read_bytes() + b'{"type":"undo"}\n')
    status, out, _ = says("verify", exported)
    assert status == 0
    assert "line 10 is after the last seal: nothing vouches for what they say" in out.splitlines()


def test_a_record_without_a_seal_is_a_warning_and_status_0(says: Says, tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(b"".join(line + b"\n" for line in RECORD))
    status, out, _ = says("verify", path)
    assert status == 0
    assert out.startswith("warning: not sealed")


def test_a_line_too_long_for_a_record_is_no_record(says: Says, tmp_path: Path) -> None:
    path = tmp_path / "record"
    path.write_bytes(b" " * (LONGEST_LINE + 1) + RECORD[1] + b"\n")
    status, out, _ = says("verify", path)
    assert status == 1
    assert "line 1: longer than" in out


def test_a_file_that_cannot_be_read_is_status_2(says: Says, tmp_path: Path) -> None:
    status, out, err = says("verify", tmp_path / "nowhere")
    assert (status, out) == (2, "")
    assert "cannot read" in err


# -- export, and the box's own key -------------------------------------------------------------------------------------


def test_an_export_of_a_sealed_record_gets_no_second_seal(
    says: Says, box: Path, exported: Path, tmp_path: Path
) -> None:
    lines = exported.read_bytes().splitlines()
    again = tmp_path / "again"
    journal = SqliteJournal(again)
    journal.open(lambda match_id, count: None, pytest.fail)
    journal.finish(journal.begin("order", lines, None))
    journal.close()
    BoxKey(again).prepare()
    assert says("export", 1, "--state-dir", again)[1].encode() == exported.read_bytes()


@pytest.mark.parametrize("fault", ["lost", "open", "half"])
def test_an_export_without_a_usable_key_is_unsealed_and_says_so(says: Says, box: Path, fault: str) -> None:
    key = BoxKey(box)
    key.signer()
    if fault == "lost":
        key.private.unlink()
    elif fault == "open":
        key.private.chmod(0o644)
    else:
        key.private.write_bytes(b"12")
    status, out, err = says("export", 1, "--state-dir", box)
    assert (status, out.encode()) == (0, b"".join(line + b"\n" for line in RECORD))
    assert err.startswith("not sealed: ")
    assert str(key.private) in err


def test_no_export_has_the_private_key(box: Path, exported: Path) -> None:
    secret = BoxKey(box).private.read_bytes().strip()
    assert secret not in exported.read_bytes()
    assert bytes.fromhex(secret.decode()) not in exported.read_bytes()
    assert base64.b64encode(bytes.fromhex(secret.decode())) not in exported.read_bytes()


def test_a_box_that_was_never_started_has_no_key_yet(says: Says, tmp_path: Path) -> None:
    status, out, err = says("key", "--state-dir", tmp_path)
    assert (status, out) == (1, "")
    assert "the box makes its key at its first start" in err
    assert list(tmp_path.iterdir()) == []


def test_the_public_key_can_be_printed_by_whoever_may_not_read_the_private_one(says: Says, box: Path) -> None:
    key = BoxKey(box)
    public = key.signer().key
    key.private.unlink()
    assert says("key", "--state-dir", box)[:2] == (0, base64.b64encode(public).decode() + "\n")


def test_an_exported_record_is_judged_as_it_was_without_its_seal(says: Says, exported: Path) -> None:
    status, out, _ = says("replay", "--json", exported)
    assert status == 0
    assert [json.loads(line)["type"] for line in out.splitlines()] == ["ignored", "order", "resume", "outcome"]
