"""`companion verify EVENT.zip`: what it says, its exit status, and that it needs neither a network nor the desk."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from companion.adapters.event_archive.writer import write_archive
from companion.cli.main import main
from companion.cli.proofs.event import MOST_TOLD, WITHOUT, Progress, printable
from companion.tournament.drawing.drawing import draw
from companion.tournament.log import lines
from tests.tournament.verifying.events import Built, apaches, cup

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Says = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def whole() -> Built:
    return cup(draw)


@pytest.fixture
def says(capfd: pytest.CaptureFixture[str]) -> Says:
    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = main([str(argument) for argument in arguments])
        return (status, *capfd.readouterr())

    return call


@pytest.fixture
def packed(tmp_path: Path) -> Callable[[Built], Path]:
    def write(built: Built) -> Path:
        path = tmp_path / "event.of.any.name"
        write_archive(path, built)
        return path

    return write


def test_an_event_with_the_head_of_its_print_is_authenticated(
    says: Says, packed: Callable[[Built], Path], whole: Built
) -> None:
    path, head = packed(whole), whole.head()
    status, out, err = says("verify", path, "--head", f"{head[:32].upper()} {head[32:]}")
    assert (status, err) == (0, "")
    of, counts, verdict, *rest = out.splitlines()
    assert of == f"{path}: Cup (cup), 10 players, 2 rounds; the event is over"
    assert counts.startswith("worked out again in ")
    assert counts.endswith("50 lines of the log, 5 official records of 6, 2 drawings")
    assert verdict == f"authenticated: the head {head} is that of the log at its last line"
    assert [one.split(": ")[0] for one in rest[:2]] == ["noted", "noted"]
    nothing = "nothing is said of how times were taken"  # by whoever wrote these records
    tables = [f"table {table} of round {number}" for number, table in ((1, 1), (1, 2), (1, 3), (2, 1), (2, 2))]
    marked = [f"marked: {nothing}: {', '.join(tables)}", f"marked: moved to another box: 1: {tables[-1]}"]
    assert rest[2:4] == marked
    assert rest[4] == "standings:"
    assert re.fullmatch(r"    1\. Player (\d+), player \1: \d+ points", rest[5])
    assert len(rest) == 5 + 10


def test_an_older_head_says_up_to_where(says: Says, packed: Callable[[Built], Path], whole: Built) -> None:
    status, out, _ = says("verify", packed(whole), "--head", whole.head(29)[:32])
    assert status == 0
    assert f"the head {whole.head(29)[:32]} is that of the log at line 30 of 50" in out
    assert "what follows line 30 is consistent, not authenticated" in out


def test_without_a_head_it_is_consistent_and_says_what_would_be_more(
    says: Says, packed: Callable[[Built], Path]
) -> None:
    status, out, err = says("verify", packed(apaches(draw)))
    assert (status, err) == (0, "")
    assert f"consistent, not authenticated: {WITHOUT}" in out.splitlines()
    assert "authenticated: the head" not in out


def test_a_head_of_another_log_breaks_it(says: Says, packed: Callable[[Built], Path], whole: Built) -> None:
    status, out, _ = says("verify", packed(whole), "--head", "0" * 64)
    assert status == 1
    assert "broken: event.jsonl: no line of the log has the head 000" in out


def test_what_is_broken_is_named_the_first_fault_first(
    says: Says, packed: Callable[[Built], Path], whole: Built
) -> None:
    built = whole.copy()
    built.change(built.line_of(lines.PlayerLine, 3), name="Eve")
    status, out, _ = says("verify", packed(built))
    assert status == 1
    assert next(line for line in out.splitlines() if line.startswith("broken")).startswith(
        "broken: event.jsonl, line 9: the line before it has the hash"
    )
    assert "standings" not in out


def test_many_faults_are_counted_and_not_all_told(says: Says, packed: Callable[[Built], Path], whole: Built) -> None:
    built = whole.copy()
    built.boxes |= {f"x{number}": built.boxes["box-1"] for number in range(MOST_TOLD + 5)}
    _, out, _ = says("verify", packed(built))
    assert sum(line.startswith("broken: ") for line in out.splitlines()) == MOST_TOLD + 1
    assert "broken: and 5 more" in out


def test_what_cannot_be_unpacked_is_broken_and_names_the_member(
    says: Says, packed: Callable[[Built], Path], whole: Built
) -> None:
    path = packed(whole)
    content = bytearray(path.read_bytes())
    content[content.index(b"event.jsonl") + 40] ^= 0xFF
    path.write_bytes(content)
    status, out, _ = says("verify", path)
    assert status == 1
    assert out.startswith(f"broken: {path}: member event.jsonl: it cannot be unpacked")


def test_a_game_that_is_not_there_is_named_and_nothing_is_verified(
    says: Says, packed: Callable[[Built], Path], whole: Built
) -> None:
    built = whole.copy()
    built.change(0, game="chess")
    built.chained()
    status, out, err = says("verify", packed(built))
    assert (status, out) == (2, "")
    assert err.startswith("companion verify: no game called 'chess' is installed")


@pytest.mark.parametrize("head", ["", "abc", "g" * 64, "a" * 65, "é" * 32])
def test_what_is_no_head_is_refused(says: Says, packed: Callable[[Built], Path], head: str) -> None:
    status, _, err = says("verify", packed(apaches(draw)), "--head", head)
    assert status == 2
    assert "a head is 64 digits" in err


def test_a_key_is_for_a_record_and_a_head_for_an_event(
    says: Says, packed: Callable[[Built], Path], tmp_path: Path
) -> None:
    status, _, err = says("verify", packed(apaches(draw)), "--key", "A" * 43 + "=")
    assert (status, "--key is for a record" in err) == (2, True)
    record = tmp_path / "record.jsonl"
    record.write_bytes(b'{"type":"end"}\n')
    status, _, err = says("verify", record, "--head", "a" * 64)
    assert (status, "--head is for an event's file" in err) == (2, True)


def test_names_cannot_move_the_terminals_cursor(says: Says, packed: Callable[[Built], Path]) -> None:
    built = apaches(draw)
    built.change(built.line_of(lines.PlayerLine), name="Zoë\x1b[2J")
    built.chained()
    _, out, _ = says("verify", packed(built))
    assert "Zoë\\x1b[2J" in out
    assert "\x1b" not in out
    assert printable("a\u202eb\n") == "a\\u202eb\\n"


def test_progress_is_a_line_of_a_terminal_that_goes_away() -> None:
    out = io.StringIO()
    progress = Progress(out, is_shown=True)
    for done in range(0, 1_000, 5):
        progress.tell(done, 1_000)
    progress.end()
    assert out.getvalue() == "".join(f"\r{percent:>3} %" for percent in range(100)) + "\r     \r"
    quiet = io.StringIO()
    progress = Progress(quiet, is_shown=False)
    progress.tell(1, 2)
    progress.end()
    assert quiet.getvalue() == ""


def test_it_opens_no_connection_and_imports_no_library_of_the_desks(packed: Callable[[Built], Path]) -> None:
    """In a process of its own, in which sockets fail and what only desk and network need cannot be imported."""
    program = (
        "import sys, socket\n"
        "def refuse(*_, **__): raise AssertionError('a connection')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "for name in ('aiomqtt', 'paho', 'sqlalchemy', 'alembic', 'openskill', 'psycopg', 'amqtt'):\n"
        "    sys.modules[name] = None\n"
        "from companion.cli.main import main\n"
        f"sys.exit(main(['verify', {str(packed(apaches(draw)))!r}]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "consistent, not authenticated" in done.stdout
