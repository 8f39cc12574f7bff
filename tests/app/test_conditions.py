"""Every record states under which conditions its times were taken, and who has agreed to allowances."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.simulated.source import SimulatedSource
from companion.app.assembly import ALL_LINES, build
from companion.app.certificate.weighing import box_id
from companion.cli.main import main
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.panel import Colour
from companion.core.record.lines import Remark, SeatConditions, SourceConditions, dump_line, parse_line
from companion.core.shown.scene import Idle, Question
from companion.core.timing.events import MS

if TYPE_CHECKING:
    from pathlib import Path

    from companion.core.play.session import Session

RED, YELLOW, *_ = Colour
SEATED = RunOptions(simulate=True, seats=(RED, YELLOW))


@pytest.fixture
def source() -> SimulatedSource:
    it = SimulatedSource(time.monotonic_ns, ALL_LINES)
    it.delay_ns, it.error_ns, it.certificate = 31 * MS + 1, 20_001, "ab" * 32
    return it


def session(folder: Path, source: SimulatedSource, options: RunOptions, **seats: object) -> Session:
    flags = [Flag("--state-dir", ("box", "state_dir"), str(folder))]
    flags += [Flag("--seat", ("seats", *key.split("_", 1)), value) for key, value in seats.items()]
    settings = load(None, flags)
    loop = build(settings, options, sources=[source], lines=ALL_LINES, displays=[], buzzer=None)
    loop._effects.close()
    return loop.box.session


def test_a_record_states_software_box_filters_and_sources(tmp_path: Path, source: SimulatedSource) -> None:
    match = session(tmp_path, source, SEATED, red_bounce_ms=12.5, yellow_repeat_ms=300, yellow_extension_s=1.5).match
    assert match is not None
    conditions = match.setup.conditions
    assert conditions is not None
    assert conditions.software.startswith("table-companion ")
    assert conditions.box == box_id(BoxKey(tmp_path).public_key())
    assert (conditions.window_ms, conditions.late_ms) == (3000, 1000)
    assert (conditions.settle_ms, conditions.chatter_hz) == (2, 200)
    assert conditions.seats == {
        RED: SeatConditions(13, 2, 0, 0, ("panel",)),
        YELLOW: SeatConditions(20, 2, 300, 1500, ("panel",)),
    }
    assert conditions.sources == (SourceConditions(source.name, 32, 21, "ab" * 32),)
    assert conditions.confirmed == ()
    assert parse_line(dump_line(match.setup), 1) == match.setup


class Reading(SimulatedSource):
    """A source that says how it reads."""

    reading = "the kernel keeps 1,024 edges of each seat"


@pytest.mark.parametrize(("kind", "said"), [(Reading, [Reading.reading]), (SimulatedSource, [])])
def test_a_remark_says_how_a_source_reads_where_there_is_something_to_say(
    tmp_path: Path, kind: type[SimulatedSource], said: list[str]
) -> None:
    match = session(tmp_path, kind(time.monotonic_ns, ALL_LINES), SEATED).match
    assert match is not None
    assert [told.line.text for told in match.history if isinstance(told.line, Remark)] == said


def test_a_run_with_seats_and_an_allowance_asks_everybody_first(tmp_path: Path, source: SimulatedSource) -> None:
    asked = session(tmp_path, source, SEATED, red_allowance_ms=500)
    assert isinstance(asked.scene().body, Question)
    assert (asked.match, asked.asks_consent_of) == (None, (RED, YELLOW))


def test_a_run_that_somebody_vouches_for_names_them(tmp_path: Path, source: SimulatedSource) -> None:
    vouched = RunOptions(simulate=True, seats=(RED, YELLOW), confirmed_by="Ann")
    begun = session(tmp_path, source, vouched, red_accept_ms=300.0)
    assert isinstance(begun.scene().body, Idle)
    match = begun.match
    assert match is not None
    assert match.setup.conditions is not None
    assert match.setup.conditions.confirmed == (RED, YELLOW)
    assert [told.line.text for told in match.history if isinstance(told.line, Remark)] == [
        "Ann gave the consent of red, yellow to the allowances"
    ]


def test_nobody_vouches_for_players_who_have_yet_to_sit_down(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--confirmed", "Ann", "--simulate"]) != 0
    assert "--confirmed: say with --seats who plays" in capsys.readouterr().err
