"""A choice whose instant matters, made by a tap or on the referee's page: it has a ± that says how sure that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.phones.panel_source import FAR_DELAY_NS, NEAR_DELAY_NS
from companion.core.play.commands import Choose, perform
from companion.core.record.lines import parse_line
from companion.core.timing.events import MS, SourceFault
from tests.adapters.web.served import Served, served
from tests.adapters.web.talk import Talk
from tests.adapters.web.test_socket import ready
from tests.contract.turns import TURNS, Halt, Ready

if TYPE_CHECKING:
    from collections.abc import Iterator

from companion.core.record.lines import TimedLine


@pytest.fixture
def box() -> Iterator[Served]:
    with served(game=TURNS, simulated=False) as it:
        it.clock.stop()
        seats = [{"colour": "red"}, {"colour": "yellow"}]
        assert it.referee.post("/api/match", json={"game": "turns", "seats": seats}).status_code == 200
        tiles = ["oakum", "ashlar", "elvan", "firkin", "yawl", "bayou"]
        assert it.referee.post("/api/choose", json={"result": tiles}).status_code == 200
        yield it


@pytest.fixture
def red(box: Served) -> Iterator[Talk]:
    """Red's phone, whose clock the box knows."""
    with Talk(box.server.port) as talk:
        code = ready(talk, box.clock, asks="red")["code"]
        assert box.referee.post(f"/api/phones/{code}", json={"seat": "red"}).status_code == 200
        talk.get("panel", lambda panel: panel["seat"] == "red")
        box.source.read()
        yield talk


def key_of(box: Served, kind: str, seat: str | None) -> str:
    offer = next(one for one in box.state()["offers"] if (one["kind"], one["seat"]) == (kind, seat))
    return str(offer["options"][0]["key"])


def tap(box: Served, talk: Talk, **more: Any) -> TimedLine:
    talk.say({"type": "choose", "kind": "ready", "option": key_of(box, "ready", "red"), **more})
    assert talk.get("noted")["says"] == "chosen: ready"
    line: TimedLine = newest(box, Ready)
    return line


def newest(box: Served, kind: type[TimedLine]) -> Any:
    assert box.box.match_id is not None
    raw = box.box.lines(box.box.match_id)[-1]
    line = parse_line(raw, 2, TURNS.lines)
    assert isinstance(line, kind), raw
    return line


def test_a_tap_on_a_phone_has_the_stamp_and_the_uncertainty_that_a_press_of_it_has(box: Served, red: Talk) -> None:
    now_ns = box.clock()
    line = tap(box, red, t_us=now_ns // 1000, by="touch")
    assert line.t_ns is not None
    assert now_ns - 11 * MS <= line.t_ns < now_ns
    assert 8 * MS < line.error_ns < 20 * MS
    assert line.t_ns + line.error_ns >= now_ns - 1000


def test_a_tap_that_was_longer_on_its_way_counts_at_most_10_ms_before_it_came(box: Served, red: Talk) -> None:
    made_ns = box.clock()
    box.clock.ahead_ns += 9 * MS
    line = tap(box, red, t_us=made_ns // 1000, by="mouse")
    assert line.t_ns == box.clock() - 10 * MS
    assert line.t_ns - line.error_ns <= made_ns - 8 * MS


@pytest.mark.parametrize("lie_ms", [-900, 900])
def test_a_tap_that_cannot_be_counts_from_its_arrival_as_surely_as_its_way_is_declared(
    box: Served, red: Talk, lie_ms: int
) -> None:
    line = tap(box, red, t_us=box.clock() // 1000 + lie_ms * 1000)
    assert (line.t_ns, line.error_ns) == (box.clock(), NEAR_DELAY_NS)
    (fault,) = [event for event in box.source.read() if isinstance(event, SourceFault)]
    assert "counts from its arrival: it is dated" in fault.text


def test_a_tap_without_a_stamp_counts_from_its_arrival_as_surely_as_its_way_is_declared(box: Served, red: Talk) -> None:
    line = tap(box, red)
    assert (line.t_ns, line.error_ns) == (box.clock(), NEAR_DELAY_NS)


def test_a_pick_of_an_item_has_its_stamp_too(box: Served, red: Talk) -> None:
    red.say({"type": "pick", "item": 0, "label": "x", "t_us": box.clock() // 1000, "by": "key"})
    assert red.get("error")["message"] == "that is not to be chosen any more"


@pytest.mark.parametrize(("address", "error_ns"), [("127.0.0.1", NEAR_DELAY_NS), ("127.0.0.9", FAR_DELAY_NS)])
def test_a_choice_on_the_referees_page_is_as_sure_as_its_way_is_declared(
    box: Served, address: str, error_ns: int
) -> None:
    desk = box.guest(address)
    assert desk.post("/api/session", json={"pin": box.server.pin}).status_code == 200
    for seat in ("red", "yellow"):
        body = {"kind": "ready", "seat": seat, "option": key_of(box, "ready", seat)}
        assert desk.post("/api/choose", json=body).status_code == 200
    body = {"kind": "halt", "option": key_of(box, "halt", None)}
    assert desk.post("/api/choose", json=body).status_code == 200
    line = newest(box, Halt)
    assert (line.t_ns, line.error_ns) == (box.clock(), error_ns)


def test_a_choice_that_nobody_timed_has_no_time(box: Served) -> None:

    match = box.box.session.match
    assert match is not None
    perform(box.box.session, Choose(kind="ready", seat="red", option=key_of(box, "ready", "red")), 5)  # type: ignore[arg-type]
    told = match.history.newest_doing()
    assert told is not None
    assert (told.line.t_ns, told.line.error_ns) == (None, 0)  # type: ignore[attr-defined]
