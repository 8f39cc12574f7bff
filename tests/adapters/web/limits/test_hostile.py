"""Hostile guests on real sockets: each is ended or refused at its limit, and nobody else notices."""

from __future__ import annotations

import logging
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from companion.core.timing.events import SECOND
from tests.adapters.web.limits.raw import Raw, frame, said
from tests.adapters.web.served import Served, served, until
from tests.adapters.web.talk import Talk
from tests.attack.clients import request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow  # asks every address with made-up requests

PER_ADDRESS = 24
BODY = "Content-Type: application/json\r\nContent-Length: 60000\r\n"


@pytest.fixture
def box() -> Iterator[Served]:
    with served() as it:
        yield it


# -- messages ----------------------------------------------------------------------------------------------------------


def test_a_message_that_never_ends_is_not_kept_beyond_8_kib_whatever_it_is_sent_in(box: Served) -> None:
    pieces = frame(b"x" * 512, is_last=False) + frame(b"x" * 512, 0, is_last=False) * 16
    for data in (frame(b"x" * 8704, claims=1 << 20), frame(b"x" * 8704, is_last=False), pieces):
        with Raw(box.server.port).upgrade() as hostile, Talk(box.server.port) as other:
            hostile.send(data)
            assert hostile.is_ended()
            other.say({"type": "ping"})
            assert other.get("pong")


def test_a_message_of_empty_frames_is_not_waited_for(box: Served) -> None:
    with Raw(box.server.port).upgrade() as hostile:
        hostile.send(frame(b"", is_last=False) + frame(b"", 0, is_last=False) * 40)
        assert hostile.is_ended()


def test_many_pings_end_a_connection_and_a_few_are_answered(box: Served) -> None:
    with Raw(box.server.port).upgrade() as hostile, Raw(box.server.port).upgrade() as usual:
        usual.send(frame(b"are you there", 9)).until(b"are you there")
        hostile.send(frame(b"are you there", 9) * 30)
        assert hostile.is_ended()
        assert usual.is_alive()


def test_panels_of_one_address_are_limited_and_the_box_s_own_are_not(box: Served) -> None:
    new = b"".join(said({"type": "panel", "client": f"none of yours {number}"}) for number in range(26))
    with Raw(box.server.port).upgrade() as hostile, Raw(box.server.port, "127.0.0.1").upgrade() as own:
        assert b"too many panels" in hostile.send(new).until(b'"throttled"')
        codes = own.send(new + said({"type": "ping"})).until(b'"pong"')
        assert b"throttled" not in codes


# -- time --------------------------------------------------------------------------------------------------------------

SLOW: dict[str, tuple[str, Callable[[Raw], object]]] = {
    "says nothing": ("SILENT", lambda _raw: None),
    "never ends its headers": ("HEAD", lambda raw: raw.send(b"GET / HT")),
    "never ends its body": ("BODY", lambda raw: raw.send(request(raw.port, "/api/session", "POST", BODY, b"{"))),
    "never ends its message": ("MESSAGE", lambda raw: raw.upgrade().send(frame(b"{", is_last=False))),
    "never ends its second request": ("HEAD", lambda raw: raw.send(request(raw.port)).until(b"}") and raw.send(b"GE")),
}
"""Each with how far the box sees it come."""


@pytest.mark.parametrize("what", SLOW)
def test_nobody_is_waited_for_who(box: Served, what: str) -> None:
    phase, act = SLOW[what]
    with Raw(box.server.port) as slow, Raw(box.server.port, "127.0.0.1").upgrade() as usual:
        act(slow)
        guests = box.server.keeping.admission.guests
        until(lambda: [guest.phase.name for guest in set(guests) if guest.address == "127.0.0.2"] == [phase])
        box.clock.ahead_ns += 11 * SECOND
        assert slow.is_ended()
        assert usual.is_alive()


# -- places ------------------------------------------------------------------------------------------------------------


def test_one_address_has_so_many_places_and_others_and_the_box_itself_find_theirs(box: Served) -> None:
    with ExitStack() as stack:
        for _ in range(PER_ADDRESS):
            stack.enter_context(Raw(box.server.port).upgrade())
        with Raw(box.server.port) as one_more:
            assert one_more.is_ended()
        for address in ("127.0.0.3", "127.0.0.1"):
            assert stack.enter_context(Raw(box.server.port, address).upgrade()).is_alive()
        assert box.state()["phase"] == "lobby"


def test_connections_that_say_nothing_shut_nobody_out(box: Served) -> None:
    with ExitStack() as stack:
        for number in range(450):
            stack.enter_context(Raw(box.server.port, f"127.0.0.{2 + number % 30}"))
        assert len(box.server.keeping.admission.guests) <= 400
        assert stack.enter_context(Raw(box.server.port, "127.0.1.1").upgrade()).is_alive()
        assert box.state()["phase"] == "lobby"


def test_where_all_places_are_taken_a_phone_that_plays_and_a_referee_keep_theirs() -> None:
    with ExitStack() as stack:
        box = stack.enter_context(served(simulated=False))
        box.server.keeping.admission.bounds = small = box.server.keeping.admission.bounds.within(64 + 8)
        assert small.connections == 8
        phone = stack.enter_context(Raw(box.server.port).upgrade())
        cookie = f"companion={box.referee.cookies['companion']}"
        desk = stack.enter_context(Talk(box.server.port, headers={"Cookie": cookie}))
        code = phone.send(said({"type": "panel", "asks": "red"})).until(b'"code":"').split(b'"code":"')[1][:4].decode()
        assert box.referee.post(f"/api/phones/{code}", json={"seat": "red"}).status_code == 200
        spectators = [stack.enter_context(Raw(box.server.port, f"127.0.0.{n}").upgrade()) for n in range(10, 30)]
        assert spectators[-1].is_alive(), "the newest has a place"
        assert spectators[0].is_ended(), "for which that went which was heard of longest ago"
        assert phone.is_alive()
        desk.say({"type": "ping"})
        assert desk.get("pong")


# -- bytes and lines ---------------------------------------------------------------------------------------------------


def test_what_is_kept_unread_is_bounded_in_all(box: Served, caplog: pytest.LogCaptureFixture) -> None:
    """70 bodies of 60,000 bytes are more than the 4 MiB that the box keeps of all of them."""
    with ExitStack() as stack:
        hostile = [stack.enter_context(Raw(box.server.port, f"127.0.0.{2 + number % 20}")) for number in range(80)]
        for raw in hostile:
            try:
                raw.send(request(raw.port, "/api/session", "POST", BODY, b"{" + b" " * 59_990))
            except ConnectionError:
                continue  # its turn to go
        admission = box.server.keeping.admission
        until(lambda: any("too much was waiting" in record.getMessage() for record in caplog.records))
        until(lambda: sum(guest.held for guest in set(admission.guests)) > 3 << 20)
        assert sum(guest.held for guest in set(admission.guests)) <= 4 << 20
        assert box.state()["phase"] == "lobby"


def test_an_attack_is_a_few_lines_in_the_log(box: Served, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for number in range(120):
            with Raw(box.server.port, f"127.0.0.{2 + number % 10}") as junk:
                junk.send(b"\x00" * 100 + b"\r\n\r\n")
                assert junk.is_ended()
        box.server.stop()
    assert 1 <= len(caplog.records) <= 8
    assert any("more" in record.getMessage() for record in caplog.records)
