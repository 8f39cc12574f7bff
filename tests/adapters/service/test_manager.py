"""What is sent to the service manager's socket, byte by byte, and what is done where there is none or it fails."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import pytest

from companion.adapters.service.manager import NotifySocket

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def heard(tmp_path: Path) -> Iterator[socket.socket]:
    """The service manager's end, at `notify` in the test's folder."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
    listening.bind(str(tmp_path / "notify"))
    yield listening
    listening.close()


def manager_at(tmp_path: Path, **more: str) -> NotifySocket:
    return NotifySocket({"NOTIFY_SOCKET": str(tmp_path / "notify"), **more})


def test_each_message_is_one_datagram(tmp_path: Path, heard: socket.socket) -> None:
    manager = manager_at(tmp_path)
    manager.ready("players take their seats")
    manager.alive()
    manager.status("match 3")
    manager.stopping()
    assert [heard.recv(4096) for _ in range(4)] == [
        b"READY=1\nSTATUS=players take their seats", b"WATCHDOG=1", b"STATUS=match 3", b"STOPPING=1",
    ]  # fmt: skip
    manager.close()


def test_a_line_end_in_a_status_cannot_smuggle_in_another_message(tmp_path: Path, heard: socket.socket) -> None:
    manager = manager_at(tmp_path)
    manager.status("pod\nSTOPPING=1")
    assert heard.recv(4096) == b"STATUS=pod STOPPING=1"
    manager.close()


def test_an_address_with_an_at_sign_is_abstract(tmp_path: Path) -> None:
    name = f"table-companion-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        manager = NotifySocket({"NOTIFY_SOCKET": f"@{name}"})
        manager.alive()
        listening.settimeout(5)
        assert listening.recv(4096) == b"WATCHDOG=1"
        manager.close()


@pytest.mark.parametrize("given", ["", "notify", "vsock:2:1234"])
def test_without_an_address_that_it_knows_nobody_is_told_and_nothing_fails(given: str) -> None:
    manager = NotifySocket({"NOTIFY_SOCKET": given, "WATCHDOG_USEC": "5000000"})
    manager.ready("x")
    manager.alive()
    manager.close()
    assert not manager.is_there
    assert manager.watchdog_ns is None


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"WATCHDOG_USEC": "10000000"}, 10_000_000_000),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": str(os.getpid())}, 10_000_000_000),
        ({"WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdogs_time_is_read_in_microseconds_and_for_this_process_only(
    tmp_path: Path, environ: dict[str, str], expected: int | None
) -> None:
    assert manager_at(tmp_path, **environ).watchdog_ns == expected


def test_a_full_queue_does_not_block_and_is_told_once(
    tmp_path: Path, heard: socket.socket, caplog: pytest.LogCaptureFixture
) -> None:
    manager = manager_at(tmp_path)
    for _ in range(3000):  # the kernel queues a few hundred
        manager.alive()
    assert len(caplog.records) == 1
    assert "WATCHDOG=1" in caplog.text
    while True:
        try:
            heard.recv(4096)
        except BlockingIOError:
            break
    manager.status("again")
    assert heard.recv(4096) == b"STATUS=again"
    manager.close()


def test_a_manager_that_has_gone_is_no_reason_to_fail(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    manager = manager_at(tmp_path)
    manager.alive()
    assert "not told" in caplog.text
    manager.close()
