"""`make audit`: what is known, what is not, and that the database could not be asked are three different ends.

With the real pip-audit, and a database of the test's own on 127.0.0.1.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from systemd.supply.audit import BROKEN, CLEAN, FOUND, UNASKED, main

pytestmark = pytest.mark.slow  # starts processes

WEAK = {
    "id": "PYSEC-2099-1", "aliases": ["CVE-2099-0001"], "schema_version": "1.6.0", "summary": "It is weak.",
    "affected": [{"package": {"name": "weak", "ecosystem": "PyPI"},
                  "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "1.1"}]}]}],
}  # fmt: skip

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


@contextmanager
def database(answer: Answer) -> Iterator[tuple[str, list[str]]]:
    """A database that answers so: its address, and the packages that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(f"{query['package']['name']}=={query['version']}")
            status, body = answer(query)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/", asked
        finally:
            server.shutdown()
            thread.join()


def knows_of_weak(query: dict[str, Any]) -> tuple[int, bytes]:
    return 200, json.dumps({"vulns": [WEAK]} if query["package"]["name"] == "weak" else {}).encode()


def lock(folder: Path, *pins: str) -> Path:
    path = folder / "some.txt"
    path.write_text("".join(f"{pin} \\\n    --hash=sha256:{'0' * 64}\n" for pin in pins))
    return path


def test_nothing_known_passes_and_says_how_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(knows_of_weak) as (address, asked):
        status = main(["--osv-url", address, str(lock(tmp_path, "fine==1.0", "good==2.0 ; python_version < '3.0'"))])
    assert (status, capsys.readouterr().out) == (CLEAN, "audited: 2 locked packages, nothing known against them\n")
    assert sorted(asked) == ["fine==1.0", "good==2.0"], "also what only other Pythons need"


def test_something_known_fails_and_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(knows_of_weak) as (address, _):
        status = main(["--osv-url", address, str(lock(tmp_path, "fine==1.0", "weak==1.0"))])
    out = capsys.readouterr().out.splitlines()
    assert status == FOUND
    assert out[0].startswith("weak 1.0: PYSEC-2099-1 (CVE-2099-0001), repaired in 1.1")
    assert out[1] == "audited: 2 locked packages, 1 known against them"


def test_no_network_passes_as_not_audited_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with database(knows_of_weak) as (address, _):
        pass  # it is gone now
    assert main(["--osv-url", address, str(lock(tmp_path, "weak==1.0"))]) == CLEAN
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"NOT AUDITED: the database of known weaknesses ({address}) gives no answer: ")


@pytest.mark.parametrize("answer", [(503, b"later"), (200, b"<html>please log in</html>")], ids=["busy", "portal"])
def test_an_answer_of_somebody_else_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: tuple[int, bytes]
) -> None:
    with database(lambda _: answer) as (address, _):
        assert main(["--must", "--osv-url", address, str(lock(tmp_path, "weak==1.0"))]) == UNASKED
    assert capsys.readouterr().out.startswith("NOT AUDITED: ")


def test_a_lock_that_is_none_is_an_error_and_asks_nobody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "some.txt"
    path.write_text("weak>=1\n")
    with database(knows_of_weak) as (address, asked):
        assert main(["--osv-url", address, str(path)]) == BROKEN
    assert (asked, capsys.readouterr().err.startswith("make audit: some.txt: ")) == ([], True)


def test_a_pip_audit_that_fails_by_itself_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Here: at a version that is none."""
    with database(knows_of_weak) as (address, _):
        assert main(["--osv-url", address, str(lock(tmp_path, "weak==not.a.version"))]) == BROKEN
    assert capsys.readouterr().err.startswith("make audit: ")
