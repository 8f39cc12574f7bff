"""`companion report`: what is in the file, what never is, and that it is written whole or not at all."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import socket
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.service.status_file import StatusFile
from companion.adapters.sqlite_journal import SqliteJournal
from companion.adapters.sqlite_journal.store import FILE_NAME as MATCHES
from companion.app.assembly import boot_id
from companion.app.certificate import weighing
from companion.app.report.contents import dump_report, read_report
from companion.app.report.gathering import Gathering, Seen
from companion.cli.main import main
from companion.cli.report import command
from companion.cli.report.wording import COLUMNS, header, row
from companion.config.reading import load
from companion.core.evidence.written import EdgeSeen, digest, dump_evidence
from companion.core.play.health import BoxStatus, Life, PastFault, SourceStatus
from companion.core.record.lines import Restart
from companion.core.timing.certificate import Circumstances, certify, seal
from companion.core.timing.events import MS, SECOND
from companion.core.timing.histograms import Histogram, LineTimes
from companion.core.timing.loop_errors import LineFigures, Spread
from companion.core.words.encoding import encode
from tests.amounts import many
from tests.fakes.wired_pico import WiredPico

RECORDS = Path(__file__).parents[2] / "replay"
DOCS = Path(__file__).parents[3] / "docs"
US = 1000


@pytest.fixture(autouse=True)
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No box of this machine, and no settings of whoever runs the tests."""
    for name in ("RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "STATE_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setattr(command, "SERVICE_DIRECTORY", tmp_path / "run")
    (tmp_path / "run").mkdir()


def press(line: str, at_ns: int, bounce_ns: int, source: str = "gpiod") -> list[EdgeSeen]:
    def edge(t_ns: int, active: bool, merged_ns: int = 0) -> EdgeSeen:
        return EdgeSeen(t_ns=t_ns, line=line, active=active, error_ns=20 * US + merged_ns, source=source,
                        merged_ns=merged_ns)  # fmt: skip

    return [edge(at_ns, True, 9 * US), edge(at_ns + bounce_ns // 2, False), edge(at_ns + bounce_ns, True),
            edge(at_ns + 200 * MS, False)]  # fmt: skip


def keep_evidence(state: Path, entries: list[EdgeSeen]) -> str:
    content = dump_evidence(entries)
    (state / "evidence").mkdir(parents=True, exist_ok=True)
    (state / "evidence" / f"{digest(content)}.jsonl").write_bytes(content)
    return digest(content)


def keep_certificate(state: Path, serial: str = "", source: str = "gpiod") -> None:
    state.mkdir(parents=True, exist_ok=True)
    box = BoxKey(state)
    box.prepare()
    key = box.signer()
    figures = LineFigures("red first", 4, 200, 0, 0, 0, 0, Spread(1, 4000, 9000), 3000, -1200, 9600)
    where = Circumstances(weighing.box_id(key.key), "Raspberry Pi 4 Model B Rev 1.4", serial, "6.12", source)
    (state / "certificate.json").write_bytes(
        seal(certify([figures], where, "table-companion 1", datetime.now(UTC)), key.key, key.sign)
    )


def status(folder: Path, **changes: Any) -> None:
    times = Histogram().with_(150 * US).with_(900 * US)
    values = {
        "version": "1", "life": Life.RUNNING, "pid": os.getpid(), "boot": boot_id(), "t_ns": 1, "wall": "w",
        "every_ns": 5 * SECOND, "sources": (SourceStatus(name="gpiod", longest_wait_ns=310 * US),),
        "pictures": (times,),
        "times": (LineTimes("red first", times, times, 20 * US), LineTimes("nobody's line", times)),
    }  # fmt: skip
    StatusFile(folder).write(BoxStatus(**{**values, **changes}))


def report(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    file = tmp_path / "report.json"
    assert main(["report", "--state-dir", str(tmp_path / "state"), "--to", str(file), *arguments]) == 0
    read_report(file.read_bytes())
    told: dict[str, Any] = json.loads(file.read_bytes())
    return told


def test_beside_a_box_that_runs_all_that_it_measures_is_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    keep_certificate(state)
    keep_evidence(state, press("red first", SECOND, 800 * US))
    status(tmp_path / "run")
    before = {path: path.stat().st_mtime_ns for path in state.rglob("*")}
    told = report(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in state.rglob("*")} == before, "it only reads"
    assert told["running"]["is_running"] is True
    (live,), (kept,) = told["times"]["since_start"], told["times"]["kept"]
    assert live["button"] == kept["button"] == "red first", "and nobody's line is left out"
    assert sum(live["arrival"]["counts"]) == 2
    assert kept["by"] == "gpiod"
    assert kept["bounce"]["counts"][told["times"]["steps_us"].index(1000)] == 1
    assert kept["gaps"]["counts"][told["times"]["steps_us"].index(500)] == 2
    assert (kept["edges"], kept["merged"]) == (3, 1)
    assert told["times"]["longest_wait_us"] == 310
    (certificate,) = told["certificates"]
    assert certificate["lines"][0]["error"]["median_ns"] == 4000
    assert certificate["worst_difference_ns"] == 10_800
    said = capsys.readouterr().out
    assert "edge to loop: ≤ 200 µs / ≤ 1 ms" in said
    assert "between the first edges of a press: ≤ 500 µs / ≤ 500 µs" in said
    assert "edges that the kernel merged others with: 33.3 % of 3" in said
    assert "longest wait of an interrupt's thread: 310 µs" in said
    assert "Not in it: names of players" in said
    assert "https://example.invalid/" in said


def test_with_nothing_there_it_says_so_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = report(tmp_path)
    assert told["running"] is None
    assert told["certificates"] == told["damaged"] == told["times"]["since_start"] == []
    said = capsys.readouterr().out
    assert "matches: 0, 0 without an end, 0 restarts" in said
    assert "edges that the kernel merged others with: –" in said
    assert "longest wait of an interrupt's thread: not told" in said
    assert "certificate: none (companion certify makes one)" in said
    assert "none has run since the machine was switched on" in said
    assert not (tmp_path / "state").exists(), "nor is anything made"


def test_what_is_damaged_is_named_and_the_rest_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "state"
    good = keep_evidence(state, press("red first", SECOND, 800 * US))
    (state / "evidence" / f"{'0' * 64}.jsonl").write_bytes(b"not that hash")
    (state / "certificate.json").write_bytes(b"{")
    (state / "inputs.toml").write_bytes(b"[")
    (state / MATCHES).write_bytes(b"no database")
    (tmp_path / "run/status.json").write_bytes(b"{")
    config = tmp_path / "box.toml"
    config.write_text("[display\n")
    told = report(tmp_path, "--config", str(config))
    assert {name.partition(":")[0] for name in told["damaged"]} == {
        "settings", "status.json", "evidence 00000000", "certificate.json", "inputs.toml", MATCHES,
    }  # fmt: skip
    assert [one["button"] for one in told["times"]["kept"]] == ["red first"], f"of {good[:8]}"
    assert told["kept"]["matches"] is None, "not known is not none"
    assert "left out: certificate.json: damaged" in capsys.readouterr().out


def test_matches_and_restarts_within_them_are_counted(tmp_path: Path) -> None:
    lines = (RECORDS / "order.jsonl").read_bytes().splitlines()
    journal = SqliteJournal(tmp_path / "state")
    journal.open(lambda *_: None, pytest.fail)
    journal.finish(journal.begin("order", lines, None))
    journal.begin("order", [*lines, encode(Restart())], None)
    journal.close()
    kept = report(tmp_path)["kept"]
    restarts = 2 * sum(b'"type":"restart"' in line for line in lines) + 1
    assert (kept["matches"], kept["unfinished"], kept["restarts"]) == (2, 1, restarts)


def test_pods_that_nobody_else_listens_to_are_asked_how_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the pods' very program; neither a pod's id nor the name of its port is in the file."""
    monkeypatch.setattr(command, "PODS_S", 0.5)
    pod, silent = WiredPico(unique_id=b"\1west\0\0\0", lines=2), tmp_path / "silent"
    pod.name(tmp_path / "the-port")
    config = tmp_path / "box.toml"
    config.write_text(f'[pods]\nports = ["{pod.path}", "{silent}"]\n')
    try:
        told = report(tmp_path, "--config", str(config))
    finally:
        pod.close()
    well, gone = told["pods"]
    assert (well["lines"], well["resets"], well["edges_lost"]) == (2, 0, 0)
    assert re.fullmatch(r"\d+\.\d+\.\d+", well["firmware"])
    assert 0 < well["clock_us"] < 100_000
    assert set(gone.values()) == {None}, "a port without a pod is one that did not answer"
    said = capsys.readouterr().out
    assert f"pods: 2, ± {well['clock_us'] / 1000:.2f} ms" in said
    content = (tmp_path / "report.json").read_text()
    assert not [word for word in (b"\1west\0\0\0".hex(), "the-port", "silent") if word in content]


def test_beside_a_box_that_runs_no_pod_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "asked", pytest.fail)
    status(tmp_path / "run")
    assert report(tmp_path)["pods"] == []


WORDS = st.text("abcdefghijklmnopqrstuvwxyzäöüé", min_size=6, max_size=20).map(lambda word: f"Q{word}Z")


@settings(max_examples=many(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(WORDS, min_size=12, max_size=12, unique=True))
def test_no_name_that_is_anywhere_is_in_the_file(tmp_path: Path, words: list[str]) -> None:
    """Every place that holds a word of somebody's holds one; the file has none of them, however it is written."""
    person, pod, device, host, network, serial, player, fault, sheet, model, profile, title = words
    shutil.rmtree(tmp_path / "all", ignore_errors=True)
    state, root = tmp_path / "all" / f"{person}s box", tmp_path / "all" / "root"
    state.mkdir(parents=True)
    pod_id = "e6614104032a5b28"
    keep_certificate(state, serial=serial, source=f"pods/{pod_id}")
    keep_evidence(state, press("red first", SECOND, MS, source=pod) + press(f"{pod}: 1", 2 * SECOND, MS))
    (state / "people.json").write_text(json.dumps({"version": 1, "people": [{"name": person}]}))
    (state / "profiles").mkdir()
    (state / "profiles" / f"{profile}.json").write_text(json.dumps({"name": profile}))
    (state / f"{person}-damaged-20260101-000000.json").write_text(person)
    (state / "pods.toml").write_text(f'[pods.{pod_id}]\nname = "west"\nlines = []\n')
    (state / "inputs.toml").write_text(f'[devices."{device}"]\nname = "{device[:7]}"\ntitle = "{title}"\n'
                                       f'[models."{model}"]\ndelay_us = 4000\ntrials = 20\n')  # fmt: skip
    for place, text in {
        "etc/hostname": host,
        "etc/os-release": f'ID=debian\nVERSION_ID="13"\nPRETTY_NAME="{host}"\nHOME_URL="{network}"\n',
        "etc/wpa_supplicant/wpa_supplicant.conf": f'ssid="{network}"', "proc/device-tree/serial-number": serial,
        "proc/device-tree/model": "Raspberry Pi 4 Model B Rev 1.4\0", "proc/meminfo": "MemTotal: 2048 kB\n",
    }.items():  # fmt: skip
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(text)
    file = tmp_path / "all" / "box.toml"
    file.write_text(f'[box]\nstate_dir = "{state}"\n[web]\nhost = "127.0.0.1"\n[scanner]\nport = "/dev/{device}"\n'
                    f'[pods]\nports = ["/dev/{pod}"]\nfile = "{state}/{pod}.toml"\n')  # fmt: skip
    times = Histogram().with_(5)
    told = BoxStatus(
        version=sheet, life=Life.RUNNING, pid=1, boot=None, t_ns=1, wall=fault, every_ns=1,
        sources=(SourceStatus(name=pod, fault=fault, remark=device),), faults=(f"{pod} is gone",),
        last_fault=PastFault(text=fault, wall=fault), times=(LineTimes(player, times), LineTimes("red first", times)),
    )  # fmt: skip
    content = dump_report(
        Gathering(Seen(settings=load(file), state=state, status=told, is_running=True, root=root)).report()
    )
    for form in (
        content.decode(),
        content.decode().encode().decode("unicode_escape", "replace"),
        row(read_report(content)),
    ):
        for word in (*words, device[:7], pod_id, "west", str(tmp_path)):
            assert word.casefold() not in form.casefold(), word
    here = socket.gethostname()
    assert len(here) < 4 or here not in content.decode()
    made = json.loads(content)
    assert made["damaged"] == [], "all of it was read"
    assert made["machine"]["system"] == "debian 13"
    assert [one["button"] for one in made["times"]["since_start"]] == ["red first"], "what is nobody's is there"
    assert made["certificates"][0]["source"] == "pods"
    assert made["times"]["delays"] == [{"delay_us": 4000, "trials": 20}]


def test_a_full_disk_leaves_no_half_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.chdir(tmp_path / "run")
    monkeypatch.setattr(os, "fsync", full)
    assert main(["report", "--state-dir", str(tmp_path / "state")]) == 1
    said = capsys.readouterr().err
    assert "No space left on device" in said
    assert "--to FILE" in said
    assert list((tmp_path / "run").iterdir()) == []


def test_a_second_report_of_a_day_does_not_take_the_place_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path / "run")
    for _ in range(2):
        assert main(["report", "--state-dir", str(tmp_path / "state")]) == 0
    names = sorted(path.name for path in (tmp_path / "run").iterdir())
    assert len(names) == 2
    assert all(re.fullmatch(r"table-companion-report-\d{4}-\d\d-\d\d(-2)?\.json", name) for name in names)


def test_standard_output_has_the_file_and_nothing_else(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["report", "--state-dir", str(tmp_path / "state"), "--to", "-"]) == 0
    read_report(capsysbinary.readouterr().out)


def test_a_file_becomes_a_row_of_the_table_and_another_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep_evidence(tmp_path / "state", press("red first", SECOND, 800 * US))
    status(tmp_path / "run")
    report(tmp_path)
    capsys.readouterr()
    assert main(["report", "--row", str(tmp_path / "report.json")]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    cells = dict(zip(COLUMNS, line.strip("| ").split(" | "), strict=True))
    assert cells["edge to loop, median / 99.9 %"] == "≤ 200 µs / ≤ 1 ms"
    assert cells["bounce, median / 99.9 %"] == "≤ 1 ms / ≤ 1 ms"
    assert cells["between first edges, median / 99.9 %"] == "≤ 500 µs / ≤ 500 µs"
    assert (cells["merged"], cells["longest wait"]) == ("33.3 % of 3", "310 µs")
    assert cells["presses"] == "1"
    assert cells["read by"] == "gpiod"
    for content in (b"", b"[]", b"{}", b'{"form": "table-companion report", "version": 2}',
                    b'{"form": "table-companion report", "version": 1}'):  # fmt: skip
        (tmp_path / "other.json").write_bytes(content)
        assert main(["report", "--row", str(tmp_path / "other.json")]) == 1
        assert "report" in capsys.readouterr().err


def test_the_page_has_the_tables_head_and_rows_of_as_many_columns() -> None:
    page = (DOCS / "reports.md").read_text()
    assert header() in page
    rows = page.partition(header())[2].partition("\n\n")[0].strip().splitlines()
    assert all(line.count(" | ") == len(COLUMNS) - 1 for line in rows)
