"""`companion event`: joining without a password in sight, leaving, how the box stands; and what the doctor says."""

from __future__ import annotations

import io
import json
import os
import stat
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service.status_file import StatusFile
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.assembly import boot_id
from companion.app.event.joined import Joined, joined_of, keep_joined, read_joined, read_password
from companion.app.event.keeping import KeptFile
from companion.cli.findings.event import check_event
from companion.cli.findings.finding import Health
from companion.cli.main import main
from companion.config.groups.event import EventSettings
from companion.core.errors import Malformed, Unavailable
from companion.core.play.health import BoxStatus, EventStatus, Life, PushedMatch

if TYPE_CHECKING:
    from pathlib import Path

JOIN = ["event", "join", "mqtt://desk.local", "--event", "open", "--box", "box-7"]
SETUP = (
    b'{"type":"setup","match":"'
    + b"a1" * 16
    + b'","event":{"id":"open","round":1,"table":2,"sheet":"'
    + b"0" * 64
    + b'"}}'
)


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setattr("sys.stdin", io.StringIO("hunter-2\n"))
    return tmp_path / "state"


def test_the_password_is_read_from_standard_input_and_kept_for_the_box_alone(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(JOIN) == 0
    joined = read_joined(state)
    assert joined == Joined("mqtt://desk.local", "open", "box-7", password="hunter-2")
    assert joined is not None
    assert joined.secret() == "hunter-2"
    assert stat.S_IMODE((state / "event-joined.json").stat().st_mode) == 0o600
    assert "hunter" not in repr(joined) + str(joined)
    said = capsys.readouterr()
    assert "joined open as box-7" in said.out
    assert "hunter" not in said.out + said.err


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({2: "desk.local"}, "mqtt://"),
        ({2: "mqtt://ada:x@desk"}, "no password stands"),
        ({4: "The Open"}, "cannot name an event"),
        ({6: "box 7"}, "cannot name a box"),
    ],
)
def test_what_cannot_be_joined_is_said_and_nothing_is_kept(
    state: Path, capsys: pytest.CaptureFixture[str], changes: dict[int, str], why: str
) -> None:
    assert main([changes.get(place, word) for place, word in enumerate(JOIN)]) == 1
    assert why in capsys.readouterr().err
    assert not state.exists()


def test_an_event_is_left_and_what_is_owed_to_the_desk_is_said(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(JOIN)
    journal = SqliteJournal(state)
    journal.open(lambda *_: None, pytest.fail)
    journal.begin("order", [SETUP, b"{}"], None)
    journal.begin("order", [b'{"type":"setup"}'], None)
    journal.close()
    capsys.readouterr()
    assert main(["event"]) == 0
    assert "match 1 (2 lines) is not all at the desk" in capsys.readouterr().out
    assert main(["event", "leave"]) == 0
    said = capsys.readouterr().out
    assert "warning: match 1 (2 lines)" in said
    assert "left open" in said
    assert read_joined(state) is None
    assert main(["event"]) == 0
    assert "no event is joined" in capsys.readouterr().out


def test_it_says_how_the_running_box_stands(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(JOIN)
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    event = EventStatus(
        event="open", name="The Open", box="box-7", is_connected=True, has_desk=True, round=2, table=7,
        matches=(
            PushedMatch(match="a1" * 16, lines=12, pushed=9),
            PushedMatch(match="b2" * 16, lines=2, pushed=0, conflict="others"),
        ),
    )  # fmt: skip
    StatusFile(tmp_path).write(BoxStatus(
        version="1", life=Life.RUNNING, pid=os.getpid(), boot=boot_id(), t_ns=2**62, wall="w", every_ns=1, event=event,
    ))  # fmt: skip
    capsys.readouterr()
    assert main(["event"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "event: The Open (open) as box-7, round 2, table 7: connected",
        "event match a1a1a1a1: 9 of 12 lines are at the desk",
        "event match b2b2b2b2: NOT SENT ON: others; 0 of 2 lines are at the desk",
    ]
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["event"]["matches"][0]["pushed"] == 9


def test_the_settings_go_before_what_was_typed_and_name_a_file_with_the_password(state: Path, tmp_path: Path) -> None:
    keep_joined(state, Joined("mqtt://old", "old", "box-1", password="x"))
    secret = tmp_path / "password"
    secret.write_text("hunter-2\n")
    secret.chmod(0o600)
    settings = EventSettings(broker="mqtt://new", event="open", box="box-7", password_file=str(secret))
    joined = joined_of(settings, state)
    assert joined is not None
    assert (joined.event, joined.secret()) == ("open", "hunter-2")
    typed = joined_of(EventSettings(), state)
    assert typed is not None
    assert (typed.event, typed.secret()) == ("old", "x")


def test_a_password_that_others_may_read_or_that_is_none_is_refused(tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.write_text("hunter-2\n")
    secret.chmod(0o644)
    with pytest.raises(Unavailable, match="chmod 600"):
        read_password(secret)
    secret.chmod(0o600)
    secret.write_text("two\nlines\n")
    with pytest.raises(Malformed, match="no password"):
        read_password(secret)
    with pytest.raises(Unavailable):
        read_password(tmp_path / "nothing")


def test_what_was_typed_and_is_damaged_is_said(state: Path) -> None:
    state.mkdir()
    (state / "event-joined.json").write_text('{"broker":1}')
    with pytest.raises(Malformed, match="join the event again"):
        read_joined(state)


def test_the_doctor_says_what_is_missing(state: Path, tmp_path: Path) -> None:
    assert list(check_event(EventSettings(), state)) == []
    there = {"broker": "mqtt://desk.local", "event": "open", "box": "box-7"}
    [missing] = check_event(EventSettings(**there, password_file=str(tmp_path / "none")), state)
    assert missing.health is Health.FAULT
    assert "none" in missing.text
    [untrusted] = check_event(
        EventSettings(**{**there, "broker": "mqtts://d"}, ca_file=str(tmp_path / "ca.pem")), state
    )
    assert untrusted.health is Health.FAULT
    assert "ca.pem" in untrusted.text
    keep_joined(tmp_path, Joined("mqtt://desk.local", "open", "box-7", password="x"))
    [plain] = check_event(EventSettings(), tmp_path)
    assert plain.health is Health.WARNING
    keep_joined(tmp_path, Joined("mqtts://desk.local", "open", "box-7", password="x"))
    [well] = check_event(EventSettings(), tmp_path)
    assert (well.health, well.text) == (Health.OK, "open as box-7 at mqtts://desk.local:8883")


def test_what_is_kept_is_begun_anew_where_it_is_damaged_or_of_another_event(tmp_path: Path) -> None:
    (tmp_path / "event.json").write_text("{")
    kept = KeptFile(tmp_path, "open")
    assert kept.kept.acknowledged == {}
    kept.kept = type(kept.kept)(event="open", acknowledged={"a1" * 16: 2})
    kept.write(0)
    assert KeptFile(tmp_path, "open").kept.acknowledged == {"a1" * 16: 2}
    assert KeptFile(tmp_path, "another").kept.acknowledged == {}


def test_counts_alone_are_not_written_for_each_acknowledgement(tmp_path: Path) -> None:
    kept = KeptFile(tmp_path, "open")
    make = type(kept.kept)
    for second, count in enumerate((1, 2, 3)):
        kept.kept = make(event="open", acknowledged={"a1" * 16: count})
        kept.write(second * 10**9)
    assert KeptFile(tmp_path, "open").kept.acknowledged == {"a1" * 16: 1}
    assert kept.due_ns() == 10 * 10**9
    kept.write(10 * 10**9)
    assert KeptFile(tmp_path, "open").kept.acknowledged == {"a1" * 16: 3}
    kept.kept = make(event="open", acknowledged={"a1" * 16: 4}, said=1)
    kept.write(10 * 10**9 + 1)
    assert KeptFile(tmp_path, "open").kept.said == 1


def test_a_match_is_spared_while_the_desk_lacks_a_line_of_it(tmp_path: Path) -> None:
    kept = KeptFile(tmp_path, "open")
    assert kept.is_spared(SETUP, 2)
    kept.kept = type(kept.kept)(event="open", acknowledged={"a1" * 16: 2})
    assert not kept.is_spared(SETUP, 2)
    assert kept.is_spared(SETUP, 3)
    assert not KeptFile(tmp_path, "another").is_spared(SETUP, 3)
    assert not kept.is_spared(b'no json, but an "event"', 3)
