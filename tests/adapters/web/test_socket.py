"""The WebSocket: what is told to whom, what is refused, and that nobody is waited for."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest

from companion.adapters.web.socket import MOST_A_SECOND
from companion.adapters.web.wire.hub import MOST_WAITING, Connection
from companion.adapters.web.wire.worded import Worded
from companion.core.timing.events import Edge, Levels, Turned
from tests.adapters.web.served import Served, served, until
from tests.adapters.web.talk import Refused, Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        yield it


def talk(box: Served, query: str = "", **headers: str) -> Talk:
    return Talk(box.server.port, query, headers)


# -- what is told ------------------------------------------------------------------------------------------------------


def test_hello_comes_first_then_the_state(box: Served) -> None:
    with talk(box) as page:
        hello, state = page.next(), page.next()
    assert hello == {
        "type": "hello", "box": box.server.desk.hub.box, "seq": 0, "resumed": False, "referee": False,  # type: ignore[union-attr]
        "simulated": True,
    }  # fmt: skip
    assert (state["type"], state["state"]["phase"]) == ("state", "lobby")


def test_every_change_is_told_and_every_line_is_an_event_in_order(box: Served) -> None:
    with talk(box) as page:
        page.get("state")
        box.begin("red hunter", "buffalo")
        page.get("state", lambda message: message["state"]["course_total"] == 4)
        events = [message for message in page.passed if message["type"] == "event"]
    assert [(event["seq"], event["line"], event["content"]["type"]) for event in events] == [
        (1, 1, "setup"), (2, 2, "names"), (3, 3, "reveal"), (4, 4, "reveal"),
    ]  # fmt: skip
    assert events[3]["says"] == ["revealed: buffalo"]


def test_a_lost_connection_catches_up_with_every_event_it_missed(box: Served) -> None:
    with talk(box) as page:
        box.begin()
        seen = page.get("event", lambda message: message["seq"] == 2)
        name = page.passed[0]["box"]
    for card in ("red hunter", "buffalo", "teepee"):
        box.referee.post("/api/reveal", json={"card": card})
    box.until_state(lambda state: state["seq"] == 5)
    with talk(box, f"?since={seen['seq']}&box={name}") as page:
        assert page.next()["resumed"] is True
        assert [page.next()["seq"] for _ in range(3)] == [3, 4, 5]
        assert page.next()["state"]["seq"] == 5


@pytest.mark.parametrize("query", ["?since=1&box=other", "?since=99&box={box}", "?since=x&box={box}", "?box={box}"])
def test_what_cannot_be_taken_up_is_told_anew(box: Served, query: str) -> None:
    box.begin()
    box.until_state(lambda state: state["seq"] == 2)
    name = box.state()["box"]
    with talk(box, query.format(box=name)) as page:
        assert page.next()["resumed"] is False
        assert page.next()["type"] == "state"


def test_the_oled_s_picture_is_sent_to_those_that_watch_it(box: Served) -> None:
    with talk(box, "?oled=1") as watching, talk(box) as page:
        picture = watching.get("oled")
        assert (picture["width"], picture["height"], len(picture["bits"])) == (128, 64, 1368)
        box.begin("buffalo")
        assert watching.get("oled", lambda message: message["bits"] != picture["bits"])
        page.get("state", lambda message: message["state"]["course_total"] == 2)
        assert not [message for message in page.passed if message["type"] == "oled"]
        page.say({"type": "watch", "oled": True})
        assert page.get("oled")


def test_a_referee_s_session_is_known_by_its_cookie(box: Served) -> None:
    cookie = f"companion={box.referee.cookies['companion']}"
    with talk(box, Cookie=cookie) as page:
        assert page.next()["referee"] is True


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1"])
def test_a_page_of_another_site_is_not_let_in(box: Served, origin: str) -> None:
    with pytest.raises(Refused, match="403"):
        talk(box, Origin=origin)


def test_a_name_that_is_not_the_box_s_own_is_not_let_in(box: Served) -> None:
    with pytest.raises(Refused, match="403"):
        talk(box, Host="evil.example")


def test_the_box_s_own_page_is_let_in(box: Served) -> None:
    with talk(box, Origin=box.url) as page:
        assert page.next()["type"] == "hello"


@pytest.mark.parametrize(
    ("payload", "code", "names"),
    [
        (b"{", "malformed", "truncated"),
        (b"5", "malformed", "object"),
        (b'{"type":"fly"}', "malformed", "fly"),
        (b"{}", "malformed", "type"),
        (b'{"type":"ping","x":1}', "malformed", "x"),
        (b'{"type":"press","n":0,"button":"red fourth","t_us":1}', "malformed", "$.n"),
        (b'{"type":"press","n":1,"button":"red fourth","t_us":-1}', "malformed", "$.t_us"),
        (b'{"type":"press","n":1,"button":"red fourth","t_us":1}', "illegal", "panel"),
        (b'{"type":"ping"}' + b" " * 5000, "too_large", "4096"),
        (b"[" * 3000, "malformed", ""),
    ],
)
def test_a_bad_message_gets_an_error_and_the_connection_stays(
    box: Served, payload: bytes, code: str, names: str
) -> None:
    with talk(box) as page:
        page.send(payload)
        error = page.get("error")
        assert error["code"] == code
        assert names in error["message"]
        page.say({"type": "ping"})
        assert page.get("pong")


def test_binary_messages_are_read_like_text(box: Served) -> None:
    with talk(box) as page:
        page.send(b'{"type":"ping"}', opcode=2)
        assert page.get("pong")


def test_a_frame_of_megabytes_closes_its_own_connection_only(box: Served) -> None:
    with talk(box) as other, talk(box) as page:
        page.get("state")
        with pytest.raises((EOFError, OSError)):
            _send_and_read_on(page, b"x" * (3 << 20))
        other.say({"type": "ping"})
        assert other.get("pong")


def _send_and_read_on(page: Talk, payload: bytes) -> None:
    page.send(payload)
    while True:
        page.next()


def test_too_many_messages_are_not_read_and_said_so(box: Served) -> None:
    with talk(box) as page:
        box.clock.stop()
        for _ in range(MOST_A_SECOND + 1):
            page.say({"type": "ping"})
        error = page.get("error")
        assert error["code"] == "throttled"
        assert [message["type"] for message in page.passed].count("pong") == MOST_A_SECOND
        page.passed.clear()
        unread = MOST_A_SECOND // 2  # some may be read only after the clock has gone on: these take part of what is new
        for _ in range(unread):
            page.say({"type": "ping"})
        box.clock.ahead_ns += 10**9
        page.say({"type": "watch", "oled": True})
        assert page.get("oled")
        answered = [message["type"] for message in page.passed]
        assert answered.count("pong") <= unread
        assert answered.count("error") == 0, "said once a second"


# -- slow readers ------------------------------------------------------------------------------------------------------


def test_a_slow_reader_gets_the_newest_state_only_and_all_events() -> None:
    async def run() -> None:
        connection = Connection()
        for number in range(10):
            connection.put(b"event %d" % number)
            connection.put_state(Worded(f"state {number}"))
            connection.put_oled(b"oled %d" % number)
        await connection.wait()
        taken = list(iter(connection.take, None))
        assert taken == [*(b"event %d" % number for number in range(10)), b'"state 9"', b"oled 9"]

    asyncio.run(run())


def test_a_reader_that_never_takes_anything_costs_no_more_than_its_queue() -> None:
    async def run() -> None:
        connection = Connection()
        for _ in range(10 * MOST_WAITING):
            connection.put(b"event")
        assert connection.is_too_slow
        assert connection.take() is None

    asyncio.run(run())


def test_a_stuck_reader_holds_up_nobody(box: Served) -> None:
    with talk(box, "?oled=1") as stuck, talk(box) as page:
        stuck.get("state")
        page.get("state")
        box.begin()
        for number in range(40):
            text = f"note {number} " + "x" * 150
            assert box.referee.post("/api/remark", json={"text": text}).status_code == 200
        state = page.get("state", lambda message: message["state"]["course_total"] == 42)
        assert state["state"]["course"][0]["says"][0].startswith("note 39")


# -- panels ------------------------------------------------------------------------------------------------------------


def now_us() -> int:
    return time.monotonic_ns() // 1000


def ready(page: Talk, clock: Callable[[], int] = time.monotonic_ns, **join: Any) -> dict[str, Any]:
    """Be a panel whose clock is the machine's own, or another in nanoseconds, until it is known."""
    page.say({"type": "panel", **join})
    while True:
        message = page.next()
        if message["type"] == "sync":
            page.say({"type": "sync", "id": message["id"], "t_us": clock() // 1000})
        elif message["type"] == "panel" and message["ready"]:
            return message


def edges(box: Served) -> list[tuple[str, bool]]:
    return [(e.line, e.active) for e in box.source.read() if isinstance(e, Edge)]


def test_a_panel_on_a_simulated_box_presses_everything(box: Served) -> None:
    assert isinstance(box.source.read()[0], Levels)
    box.clock.stop()  # no message is on its way for any time: how busy the machine is does not matter
    with talk(box) as page:
        panel = ready(page, box.clock)
        assert len(panel["buttons"]) == 21
        before_ns, at_us = box.clock(), box.clock() // 1000
        page.say({"type": "press", "n": 1, "button": "red fourth", "t_us": at_us, "by": "key"})
        pressed = page.get("pressed")
        assert pressed == {
            "type": "pressed", "n": 1, "taken": True, "error_ms": pressed["error_ms"], "why": None, "arrival": None,
        }  # fmt: skip
        page.say({"type": "release", "n": 2, "button": "red fourth", "t_us": at_us})
        page.say({"type": "turn", "n": 3, "steps": -2, "t_us": at_us})
        page.get("pressed", lambda message: message["n"] == 3)
        events = box.source.read()
    press, release = [event for event in events if isinstance(event, Edge)]
    (turned,) = [event for event in events if isinstance(event, Turned)]
    assert (press.line, press.active, turned.steps) == ("red fourth (browser)", True, -2)
    assert press.t_ns - press.error_ns <= before_ns
    assert press.t_ns + press.error_ns >= before_ns
    assert press.error_ns >= 8_000_000
    assert release.t_ns >= press.t_ns + 40_000_000


def test_what_a_page_has_found_out_of_its_device_is_in_the_stated_error(box: Served) -> None:
    box.clock.stop()
    with talk(box) as page:
        assert ready(page, box.clock)["touch_ms"] is None
        page.say({"type": "tried", "step_us": 100, "touch_us": 4000})
        page.say({"type": "press", "n": 1, "button": "red fourth", "t_us": box.clock() // 1000})
        narrow = page.get("pressed")
        page.say({"type": "tried", "step_us": 100_000, "touch_us": None})
        page.say({"type": "press", "n": 2, "button": "red third", "t_us": box.clock() // 1000})
        wide = page.get("pressed")
        told = [message for message in page.passed if message["type"] == "panel" and message["step_ms"] == 100]
        shown = told[0] if told else page.get("panel", lambda message: message["step_ms"] == 100)
    assert (narrow["arrival"], narrow["error_ms"] < 8) == (None, True)
    assert (wide["taken"], wide["error_ms"]) == (True, 0)
    assert "at most 30.0 ms is believed" in wide["arrival"]
    assert shown["touch_ms"] == 4


def test_a_doubled_message_makes_no_second_press(box: Served) -> None:
    box.source.read()
    with talk(box) as page:
        panel = ready(page)
        press = {"type": "press", "n": 1, "button": "red fourth", "t_us": now_us()}
        page.say(press)
        page.say(press)
        assert page.get("pressed")["taken"] is True
        assert "doubled" in page.get("pressed")["why"]
    until(lambda: box.source.delay_ns == 10_000_000)  # it has gone, and let go
    with talk(box) as page:
        again = ready(page, client=panel["client"])
        assert (again["code"], again["next"]) == (panel["code"], 2)
        page.say({**press, "t_us": now_us()})
        assert "doubled" in page.get("pressed")["why"]
    pressed, found = (event for event in box.source.read() if isinstance(event, (Edge, Levels)))
    assert isinstance(pressed, Edge)
    assert isinstance(found, Levels)
    assert (pressed.line, pressed.active) == ("red fourth (browser)", True)
    assert (found.known, found.active) == ({"red fourth (browser)"}, frozenset()), "nobody saw it let go"


def test_a_panel_without_a_known_clock_presses_nothing(box: Served) -> None:
    with talk(box) as page:
        page.say({"type": "panel"})
        page.get("panel")
        page.say({"type": "press", "n": 1, "button": "red fourth", "t_us": now_us()})
        assert "not known" in page.get("pressed")["why"]


def test_a_phone_on_a_real_box_plays_only_for_the_seat_it_was_given() -> None:
    with served(simulated=False) as box, talk(box) as phone:
        panel = ready(phone, asks="blue")
        assert (panel["buttons"], panel["seat"], panel["asks"]) == ([], None, "blue")
        assert box.source.delay_ns == 10_000_000
        phone.say({"type": "press", "n": 1, "button": "blue first", "t_us": now_us()})
        assert "referee" in phone.get("pressed")["why"]
        (listed,) = box.until_state(lambda state: bool(state["phones"]))["phones"]
        assert (listed["code"], listed["asks"], listed["seat"]) == (panel["code"], "blue", None)
        assert box.referee.post("/api/phones/XXXX", json={"seat": "blue"}).status_code == 404
        assert box.referee.post(f"/api/phones/{panel['code']}", json={"seat": "blue"}).status_code == 200
        assert box.source.delay_ns == 60_000_000
        given = ready(phone)
        assert given["buttons"] == ["blue first", "blue second", "blue third", "blue fourth"]
        phone.say({"type": "press", "n": 1, "button": "blue first", "t_us": now_us()})
        assert phone.get("pressed")["taken"] is True
        phone.say({"type": "press", "n": 2, "button": "red first", "t_us": now_us()})
        assert phone.get("pressed")["taken"] is False


def test_a_newer_connection_of_the_same_page_takes_over(box: Served) -> None:
    with talk(box) as first, talk(box) as second:
        panel = ready(first)
        ready(second, client=panel["client"])
        first.say({"type": "press", "n": 1, "button": "red fourth", "t_us": now_us()})
        assert "another place" in first.get("error")["message"]
        second.say({"type": "press", "n": 1, "button": "red fourth", "t_us": now_us()})
        assert second.get("pressed")["taken"] is True


def test_an_answer_never_waits_for_another_to_be_acknowledged(box: Served) -> None:
    """Without TCP_NODELAY the second of two small messages may wait 40 ms: of a clock's round trip, and of a ruling."""
    took_s = []
    with talk(box) as page:
        page.get("state")
        for _ in range(40):
            began = time.monotonic()
            page.say({"type": "ping"})
            page.say({"type": "ping"})
            page.get("pong")
            page.get("pong")
            took_s.append(time.monotonic() - began)
            box.clock.ahead_ns += 10**8
    assert sorted(took_s)[len(took_s) // 4] < 0.03
