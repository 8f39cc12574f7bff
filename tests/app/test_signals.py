"""A signal stops the box however far behind its loop is."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from companion.app.assembly import handle_signals

if TYPE_CHECKING:
    from collections.abc import Iterator

STOPPING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@pytest.fixture(autouse=True)
def _handlers_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in STOPPING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", STOPPING, ids=lambda number: number.name)
def test_a_signal_is_heard_while_more_calls_wait_than_the_loop_s_own_pipe_holds(number: signal.Signals) -> None:
    stops = []

    async def behind() -> None:
        loop = asyncio.get_running_loop()
        handle_signals(lambda: stops.append(number))
        for _ in range(10_000):  # as threads of a busy box do: each call a byte, and nobody reads
            loop.call_soon_threadsafe(lambda: None)
        os.kill(os.getpid(), number)
        for _ in range(3):
            await asyncio.sleep(0)

    asyncio.run(behind())
    assert stops == [number]


def test_a_signal_wakes_a_loop_that_has_nothing_to_do() -> None:
    async def idle() -> None:
        stopped = asyncio.Event()
        handle_signals(stopped.set)
        asyncio.get_running_loop().run_in_executor(None, os.kill, os.getpid(), signal.SIGTERM)
        await asyncio.wait_for(stopped.wait(), 30)

    asyncio.run(idle())


def test_a_signal_after_the_loop_s_end_is_nobody_s() -> None:
    async def brief() -> None:
        handle_signals(lambda: pytest.fail("nobody is left to be stopped"))

    asyncio.run(brief())
    os.kill(os.getpid(), signal.SIGTERM)
