"""Evidence from the edge to the record: the file first, then the line that names it; no disk holds play up."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.adapters.evidence_files import EvidenceFiles, evidence_folder, find_evidence
from companion.adapters.sqlite_journal import export_lines
from companion.app.storing.evidence import EvidenceNamer
from companion.core.errors import UnknownMatch
from companion.core.evidence.written import EdgeSeen, checked_evidence
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.shown.scene import Results, Status
from companion.core.timing.events import MS
from companion.games import registry
from tests.app.test_loop import Rig

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMPANION = Path(sys.executable).with_name("companion")


class KeptRig(Rig):
    """The box of `test_loop`, with evidence files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = EvidenceFiles(folder)
        super().__init__(self.files)
        EvidenceNamer(self.journal, self.box).open(self.files)

    def race(self, *, apart_ms: float = 3) -> Callable[[], None]:
        def press() -> None:
            self.source.press("red first", self.now_ns())
            self.source.press("yellow first", self.now_ns() + round(apart_ms * MS))

        return press

    def types(self) -> list[str]:
        return [line["type"] for line in self.lines()]

    def lines(self, match_id: int = 1) -> list[dict[str, Any]]:
        return [msgspec.json.decode(line) for line in self.journal.lines(match_id)]

    def edges(self, line: dict[str, Any]) -> list[EdgeSeen]:
        content = find_evidence(self.folder, line["sha256"])
        assert content is not None
        found = [entry for entry in checked_evidence(content, line["sha256"]) if isinstance(entry, EdgeSeen)]
        assert len(found) == line["edges"]
        return found


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[KeptRig]:
    made = KeptRig(tmp_path / "evidence")
    yield made
    made.loop.close()


def test_each_race_has_a_line_that_names_its_evidence_by_its_hash(rig: KeptRig) -> None:
    rig.run((1.0, rig.race()), (4.0, rig.race()), until_s=9.0)
    named = [line for line in rig.lines() if line["type"] == "evidence"]
    assert [line["race"] for line in named] == [1, 2]
    assert [len(rig.edges(line)) for line in named] == [4, 4]
    assert all("wall" in line for line in named)
    body = rig.eye.scenes[-1].body
    assert isinstance(body, Results)
    assert body.status is Status.FINAL


def test_a_box_that_stops_names_the_evidence_of_the_race_before_it_ends(rig: KeptRig) -> None:
    rig.run((1.0, rig.race()), until_s=1.5)
    (line,) = [line for line in rig.lines() if line["type"] == "evidence"]
    assert [edge.line for edge in rig.edges(line)] == ["red first", "yellow first", "red first", "yellow first"]


def test_a_box_that_stops_with_a_line_on_its_way_to_the_disk_names_the_evidence_too(
    rig: KeptRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds the file back until then, and stopped without its line."""
    monkeypatch.setattr(type(rig.box.box), "is_busy", True)
    at_the_end: list[str] = []
    close = rig.files.close

    def look_and_close() -> None:
        at_the_end.extend(rig.types())
        close()

    monkeypatch.setattr(rig.files, "close", look_and_close)
    rig.run((1.0, rig.race()), until_s=1.5)
    assert at_the_end.count("evidence") == 1


def test_a_match_that_is_left_has_the_evidence_of_its_last_race_in_its_own_record(rig: KeptRig) -> None:
    def leave() -> None:
        match = rig.box.box.session.match
        assert match is not None
        match.end()
        rig.box.turn()
        rig.loop.call_later(0.2, lambda: rig.box.call(lambda session: session.leave()))
        rig.loop.call_later(0.21, lambda: rig.box.call(lambda session: session.begin(session.table)))

    rig.run((1.0, rig.race()), (2.2, leave), until_s=3.0)
    assert rig.types()[-3:] == ["judge", "end", "evidence"]
    assert [line["type"] for line in rig.lines(2)] == ["setup"]


def test_a_disk_that_takes_no_evidence_is_told_and_play_goes_on(rig: KeptRig) -> None:
    rig.folder.write_text("in the way")
    rig.run((1.0, rig.race()), (6.0, rig.race()), (12.0, rig.folder.unlink), until_s=16.0)
    told = [alarm for scene in rig.eye.scenes for alarm in scene.alarms]
    assert any(alarm.startswith("races leave no evidence: ") for alarm in told)
    assert rig.eye.scenes[-1].alarms == ()
    assert rig.types()[:9] == ["setup", "press", "press", "close", "judge", "press", "press", "close", "judge"]
    assert rig.types()[9:] == ["evidence", "evidence"]


def test_a_record_with_evidence_is_judged_as_one_without(rig: KeptRig) -> None:
    rig.run((1.0, rig.race()), (4.0, rig.race()), until_s=9.0)
    lines = rig.journal.lines(1)
    rulings = list(judge_record(lines, registry.find))
    assert not [ruling for ruling in rulings if isinstance(ruling, Fault)]
    assert rulings == list(judge_record([line for line in lines if b'"evidence"' not in line], registry.find))


def test_the_whole_box_leaves_its_evidence_when_it_is_stopped(tmp_path: Path) -> None:
    script = tmp_path / "round.script"
    script.write_text("0.2 press red first for 10 ms\n+0.002 press yellow first for 10 ms\n+600 end\n")
    arguments = ["--simulate", "--plain", "--game", "order", "--seats", "red,yellow", "--script", str(script)]
    (tmp_path / "box.toml").write_text("[web]\nenabled = false\n")
    state = tmp_path / "state"
    command = [str(COMPANION), "run", *arguments, "--config", str(tmp_path / "box.toml"), "--state-dir", str(state)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        await_judging(state)
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    named = [msgspec.json.decode(line) for line in export_lines(state, 1) if b'"evidence"' in line]
    assert [line["race"] for line in named] == [1]
    content = find_evidence(evidence_folder(state), named[0]["sha256"])
    assert content is not None
    edges = [entry for entry in checked_evidence(content, named[0]["sha256"]) if isinstance(entry, EdgeSeen)]
    assert {edge.line for edge in edges} == {"red first", "yellow first"}


def await_judging(state: Path) -> None:
    for _ in range(1000):
        try:
            if any(b'"judge"' in line for line in export_lines(state, 1)):
                return
        except (UnknownMatch, OSError):
            pass
        time.sleep(0.02)
    pytest.fail("the race was never judged")
