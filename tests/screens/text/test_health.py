"""The status in words: one line for the service manager, and the account for a person."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.play.health import BoxStatus, Doing, Life, MatchStatus, PastFault, SourceStatus
from companion.core.ruling.race import RacePhase
from companion.core.shown.scene import Status
from companion.core.timing.events import MS, SECOND
from companion.core.timing.line_health import LineHealth
from companion.screens.text.health import is_stale, status_line, status_lines

MATCH = MatchStatus(
    number=3, game="Apache", seats=("red", "yellow", "blue"), race_name="Pow-Wow", race=4, phase=RacePhase.COLLECTING,
    order=Status.PROVISIONAL, lines=20, durable=19,
)  # fmt: skip
STATUS = BoxStatus(
    version="0.1.0", life=Life.RUNNING, pid=77, boot="b", t_ns=0, wall="2026-01-02T03:04:05+00:00",
    every_ns=5 * SECOND, doing=Doing.PLAYING, match=MATCH, sources=(SourceStatus(name="gpiod"),),
)  # fmt: skip


def account(status: BoxStatus, *, is_alive: bool = True, age_ns: int | None = 0) -> list[str]:
    return list(status_lines(status, is_alive=is_alive, age_ns=age_ns))


def test_a_running_match_in_one_line() -> None:
    expected = "match 3: Apache, RED YEL BLU, Pow-Wow 4 provisional; gpiod well; no faults"
    assert status_line(STATUS) == expected


def test_the_account_holds_the_very_line_that_the_service_manager_gets() -> None:
    assert account(STATUS) == [
        "companion 0.1.0: running, process 77",
        f"now: {status_line(STATUS)}",
        "match: match 3: Apache, RED YEL BLU, Pow-Wow 4 provisional",
        "record: 20 lines, 19 of them stored",
        "source gpiod: well",
        "last fault: none since the machine was switched on",
    ]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"match": None, "doing": Doing.SEATING}, "players take their seats; gpiod well; no faults"),
        ({"match": None, "doing": Doing.OFFERING}, "asks whether to resume a match; gpiod well; no faults"),
        ({"match": None, "doing": None, "life": Life.STARTING, "sources": ()}, "starting; no sources of presses"),
        ({"match": replace(MATCH, phase=RacePhase.OPEN)}, "Pow-Wow 4 not begun; gpiod well"),
        ({"match": replace(MATCH, race=None, phase=None, number=None)}, "a match: Apache, RED YEL BLU; gpiod well"),
        ({"recorded": False, "faults": ("disk full",)}, "gpiod well; NOT RECORDED; 1 fault: disk full"),
        ({"faults": ("a", "b")}, "2 faults: a"),
        ({"sources": (SourceStatus(name="pods", fault="its lines have gone"),)}, "pods FAILED"),
    ],
)  # fmt: skip
def test_each_state_has_its_words(changes: dict[str, object], expected: str) -> None:
    assert expected in status_line(replace(STATUS, **changes))


def test_a_long_fault_is_cut_so_that_the_line_stays_one_line() -> None:
    line = status_line(replace(STATUS, faults=("x" * 1000,)))
    assert len(line) == 240
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("life", "is_alive", "age_ns", "expected"),
    [
        (Life.RUNNING, True, 0, "running, process 77"),
        (Life.RUNNING, True, 17 * SECOND, "HANGS"),
        (Life.RUNNING, False, 0, "it was killed after 2026"),
        (Life.RUNNING, False, None, "it was killed after 2026"),
        (Life.STOPPED, False, 0, "not running; it was stopped at 2026"),
        (Life.FAILED, False, 0, "not running; it could not go on at 2026"),
    ],
)
def test_the_first_line_says_whether_it_lives(life: Life, is_alive: bool, age_ns: int | None, expected: str) -> None:
    assert expected in account(replace(STATUS, life=life), is_alive=is_alive, age_ns=age_ns)[0]


def test_a_status_is_stale_after_three_missed_renewals() -> None:
    assert not is_stale(STATUS, 16 * SECOND)
    assert is_stale(STATUS, 16 * SECOND + 1)
    assert is_stale(STATUS, None)


def test_the_last_fault_is_told_with_its_time() -> None:
    fault = PastFault(text="the display does not answer", wall="2026-01-02T03:00:00+00:00")
    assert account(replace(STATUS, last_fault=fault))[-1] == f"last fault: {fault.wall}  {fault.text}"


def test_inputs_that_somebody_should_look_at_are_in_the_account() -> None:
    loose = LineHealth(
        "red first", presses=2, pressed_ns=0, bounce_ns=9 * MS, bounces=6, glitches=1, glitch="too short"
    )
    stuck = LineHealth("blue second", fault="stuck: held too long")
    said = account(replace(STATUS, inputs=(loose, stuck)))
    assert "input red first: bounced 9.0 ms in 7 edges; once no press: too short" in said
    assert "input blue second: stuck: held too long" in said
