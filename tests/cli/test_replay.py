"""Replaying files and standard input (`record.md`, Lines out)."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from companion.cli.replay import FAULTY, INTERRUPTED, JUDGED, READER_GONE, UNREADABLE, run_replay

RECORDS = Path(__file__).parents[1] / "replay"
EXAMPLE = RECORDS / "example.jsonl"


def replay(path, as_json=False, stdin=None):
    out, err = io.BytesIO(), io.StringIO()
    status = run_replay(str(path), as_json, out, err, stdin)
    return status, out.getvalue().decode(), err.getvalue()


def test_json_is_exactly_the_objects_one_a_line_and_nothing_else():
    status, out, err = replay(EXAMPLE, as_json=True)
    assert (status, err) == (JUDGED, "")
    assert out == EXAMPLE.with_suffix(".rulings").read_text()


def test_the_account_is_utf8_whatever_the_locale():
    status, out, err = replay(EXAMPLE)
    assert (status, err) == (JUDGED, "")
    assert out == EXAMPLE.with_suffix(".account").read_text(encoding="utf-8")
    assert "±" in out


@pytest.mark.parametrize("as_json", [True, False])
@pytest.mark.parametrize("name", ["fault_malformed", "fault_illegal"])
def test_a_faulty_record_gives_status_1(name, as_json):
    status, out, err = replay(RECORDS / f"{name}.jsonl", as_json)
    assert (status, err) == (FAULTY, "")
    kind = name.removeprefix("fault_")
    last = out.splitlines()[-1]
    assert json.loads(last)["kind"] == kind if as_json else f" is {kind}: " in last


def test_standard_input_is_read_for_a_dash():
    status, out, _ = replay("-", as_json=True, stdin=io.BytesIO(EXAMPLE.read_bytes()))
    assert (status, out) == (JUDGED, EXAMPLE.with_suffix(".rulings").read_text())


def test_an_empty_file_is_malformed_at_line_1(tmp_path):
    (tmp_path / "empty").touch()
    status, out, _ = replay(tmp_path / "empty", as_json=True)
    assert status == FAULTY
    assert json.loads(out)["line"] == 1


@pytest.mark.parametrize(
    ("make", "reason"),
    [(lambda path: None, "No such file or directory"), (lambda path: path.mkdir(), "Is a directory")],
)
def test_a_file_that_cannot_be_read_is_one_line_on_stderr_and_status_2(tmp_path, make, reason):
    path = tmp_path / "match.jsonl"
    make(path)
    assert replay(path) == (UNREADABLE, "", f"companion replay: cannot read {path}: {reason}\n")


def test_no_name_at_all_is_no_file():
    assert replay("")[0] == UNREADABLE


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000])
def test_a_name_that_no_file_can_have_is_one_line_too(name):
    status, out, err = replay(name)
    assert (status, out, err.count("\n")) == (UNREADABLE, "", 1)


def test_rulings_that_cannot_be_written_are_one_line_on_stderr_and_status_2():
    class Full(io.BytesIO):
        def flush(self):
            raise OSError(28, "No space left on device")

    err = io.StringIO()
    assert run_replay(str(EXAMPLE), True, Full(), err) == UNREADABLE
    assert err.getvalue() == "companion replay: cannot write the rulings: No space left on device\n"


def test_an_interrupted_replay_is_quiet():
    class Interrupted(io.BytesIO):
        def readline(self, limit=-1):
            raise KeyboardInterrupt

    assert replay("-", stdin=Interrupted()) == (INTERRUPTED, "", "")


class Unreadable(io.RawIOBase):
    def readable(self):
        return True

    def readinto(self, buffer):
        raise OSError(5, "Input/output error")


def test_a_device_that_fails_while_it_is_read_is_one_line_on_stderr_and_status_2():
    status, _, err = replay("-", stdin=io.BufferedReader(Unreadable()))
    assert (status, err) == (UNREADABLE, "companion replay: cannot read standard input: Input/output error\n")


def test_a_line_without_an_end_is_refused_without_filling_the_memory():
    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            buffer[:] = b" " * len(buffer)
            return len(buffer)

    status, out, _ = replay("-", as_json=True, stdin=io.BufferedReader(Endless()))
    assert status == FAULTY
    assert "longer than 1048576 bytes" in json.loads(out)["message"]


def run(script, **options):
    return subprocess.Popen([sys.executable, "-c", script], cwd=RECORDS.parent.parent, **options)


SCRIPT = """
import sys
from companion.cli.replay import run_replay
sys.exit(run_replay({path!r}, True, sys.stdout.buffer, sys.stderr))
"""


def test_a_reader_that_has_gone_is_no_complaint(tmp_path):
    # Enough to fill any pipe, so that the writer must notice.
    long = tmp_path / "long.jsonl"
    press = b'{"type":"press","colour":"red","role":"hunter","t_ns":1}\n'
    long.write_bytes(EXAMPLE.read_bytes().splitlines(keepends=True)[0] + press * 20_000)
    process = run(SCRIPT.format(path=str(long)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert json.loads(process.stdout.readline())["reason"] == "nothing revealed"
    process.stdout.close()
    assert process.wait(60) == READER_GONE
    assert process.stderr.read() == b""
    process.stderr.close()


def test_rulings_come_while_the_record_is_still_being_written():
    process = run(SCRIPT.format(path="-"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    guard = threading.Timer(60, process.kill)  # a hang is a failure, not a wait for ever
    guard.start()
    setup, *_ = EXAMPLE.read_bytes().splitlines(keepends=True)
    process.stdin.write(setup + b'{"type":"press","colour":"red","role":"hunter","t_ns":1}\n')
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["type"] == "ignored"
    process.stdin.close()
    assert json.loads(process.stdout.readline())["type"] == "outcome"
    assert process.wait(60) == JUDGED
    guard.cancel()
    process.stdout.close()


def test_standard_input_of_the_process_is_the_default(monkeypatch):
    reader, writer = os.pipe()
    os.write(writer, EXAMPLE.read_bytes())
    os.close(writer)
    with os.fdopen(reader) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert replay("-")[0] == JUDGED
