"""Connections taken off a socket where files run out, and loops that give way."""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.adapters.web.limits import listening as under_test
from companion.adapters.web.limits.admission import Admission
from companion.adapters.web.limits.bounds import Bounds
from companion.adapters.web.limits.bursts import MOST_THINGS, QUIET_NS, Bursts
from companion.adapters.web.limits.guests import Guest
from companion.adapters.web.limits.keeping import Soon
from companion.adapters.web.limits.listening import Listening
from companion.adapters.web.limits.turns import read_politely, run_politely

LONG_S = 30


class Greeter(asyncio.Protocol):
    def __init__(self, _guest: Guest) -> None:
        pass

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"welcome")


def test_a_want_of_files_is_met_by_waiting_and_by_letting_one_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """asyncio itself would try two thousand times in a row, with a line in the log for each."""
    monkeypatch.setattr(under_test, "SHORTAGE_S", 0.01)
    tried, notes, went = list[int](), list[str](), list[str]()

    def accept(listened: socket.socket) -> tuple[socket.socket, tuple[str, int]]:
        tried.append(len(tried))
        if len(tried) <= 3:
            raise OSError(errno.EMFILE, "Too many open files")
        return listened.accept()

    async def run() -> None:
        listened = socket.create_server(("127.0.0.1", 0))
        admission = Admission(Bounds(), lambda: 0, notes.append)
        assert admission.admit("10.0.0.1", lambda: went.append("gone")) is not None
        keeping = Listening([listened], admission, Greeter, accept=accept)
        keeping.start()
        reader, writer = await asyncio.open_connection(*listened.getsockname())
        assert await reader.readexactly(7) == b"welcome"
        writer.close()
        keeping.close()
        await keeping.wait_closed()
        listened.close()

    asyncio.run(run())
    assert len(tried) <= 6
    assert went == ["gone"]
    assert notes == ["no more files can be opened"]


def test_every_piece_of_work_of_a_polite_loop_gives_way_first() -> None:
    done = list[str]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        done.clear()
        for name in ("a", "b", "c"):
            loop.call_soon(done.append, name)
        await asyncio.sleep(0)

    run_politely(main, lambda: done.append("way"))
    kept = [one for before, one in zip(["way", *done], done, strict=False) if before == "way" and one != "way"]
    assert kept[:3] == ["a", "b", "c"]


def test_a_polite_loop_hears_every_socket_however_many_are_readable() -> None:
    async def main() -> None:
        pairs = [socket.socketpair() for _ in range(30)]
        loop = asyncio.get_running_loop()
        heard: set[int] = set()
        all_heard = asyncio.Event()

        def hear(number: int) -> None:
            heard.add(number)  # and takes nothing: it stays readable
            if len(heard) == len(pairs):
                all_heard.set()

        for number, (near, far) in enumerate(pairs):
            far.send(b"x")
            loop.add_reader(near, hear, number)
        async with asyncio.timeout(LONG_S):
            await all_heard.wait()
        for near, far in pairs:
            loop.remove_reader(near)
            near.close()
            far.close()

    run_politely(main, lambda: None)


def test_a_thread_that_reads_gives_way_within_a_long_piece() -> None:
    looked = threading.Event()

    def work(left: int) -> int:
        return left if left == 0 else work(left - 1)

    with ThreadPoolExecutor(1, initializer=read_politely, initargs=(looked.set,)) as pool:
        pool.submit(lambda: None).result(LONG_S)
        looked.clear()
        assert pool.submit(work, 5).result(LONG_S) == 0
        assert looked.is_set()


def test_a_burst_is_told_by_its_first_and_summed_up() -> None:
    now, said = [0], list[str]()
    bursts = Bursts(said.append, lambda: now[0])
    for _ in range(1000):
        bursts.note("it said nothing")
    bursts.sweep()
    assert said == ["it said nothing"]
    now[0] += QUIET_NS
    bursts.sweep()
    assert said[1:] == ["it said nothing: 999 more within 60 s"]
    now[0] += QUIET_NS
    bursts.sweep()
    bursts.note("it said nothing")
    assert said[2:] == ["it said nothing"], "after a quiet time it is news again"


def test_no_more_things_are_told_apart_than_can_be_remembered() -> None:
    said = list[str]()
    bursts = Bursts(said.append, lambda: 0)
    for number in range(1000):
        bursts.note(f"thing {number}")
    bursts.finish()
    assert len(said) <= MOST_THINGS + 2


def test_what_is_asked_for_soon_again_is_done_once_for_all() -> None:
    async def run() -> int:
        done = list[int]()
        again = asyncio.Event()

        def act() -> None:
            done.append(len(done))
            if len(done) == 2:
                again.set()

        soon = Soon(act, 0.01)
        for _ in range(100):
            soon()
        assert done == [0]
        async with asyncio.timeout(LONG_S):
            await again.wait()
        return len(done)

    assert asyncio.run(run()) == 2
