"""The clients of every attack on the web server: raw sockets that do the wrong thing, many times and for a while.

    python -m tests.attack.clients messages --port 8017 --sockets 200 --seconds 10 --addresses 8

prints "there" once every socket has been opened, and at the end what came of it as JSON (`Told`). In a test: `run` in
the own process, `started` in another. Only 127.0.0.0/8 is attacked, by at most MOST_SOCKETS sockets for MOST_SECONDS.
The addresses attacked from are 127.0.0.2 and those after it: the box's own browser, which has privileges, is 127.0.0.1.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import itertools
import json
import os
import socket
import struct
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

MOST_SOCKETS = 1200
MOST_SECONDS = 60.0
OPENING = 32
"""So many sockets are opened at a time: the kernel's own queue of a listening socket is not what is attacked."""
GIVE_UP_S = 5.0
"""An answer to an upgrade that takes longer is none."""
PAUSE_S = 0.05
"""Between being thrown out and coming again."""
READ = 65_536


@dataclass
class Target:
    """Whom to attack, and how hard. addresses: how many to come from; first: the last number of the first."""

    port: int
    sockets: int = 100
    seconds: float = 10.0
    addresses: int = 1
    first: int = 2

    def __post_init__(self) -> None:
        if not (0 < self.sockets <= MOST_SOCKETS and 0 < self.seconds <= MOST_SECONDS and 0 < self.addresses <= 200):
            raise ValueError(f"at most {MOST_SOCKETS} sockets, {MOST_SECONDS} s, 200 addresses")

    def source(self, number: int) -> str:
        """The address that the socket of this number comes from."""
        return f"127.0.0.{self.first + number % self.addresses}"


@dataclass
class Told:
    """What came of an attack. opened: connections made, again and again too; closed: those the box ended or refused.

    upgraded: WebSockets that were let in. sent, received: bytes. answers: HTTP answers by status. peak: the most
    sockets that were open at once, as the attacker saw it.
    """

    attack: str
    opened: int = 0
    closed: int = 0
    upgraded: int = 0
    sent: int = 0
    received: int = 0
    open_now: int = 0
    peak: int = 0
    answers: dict[str, int] = field(default_factory=dict)


class Gone(Exception):
    """The box ended the connection, or did not let it in."""


class Line:
    """One socket of an attack."""

    def __init__(self, target: Target, number: int, told: Told) -> None:
        self.target, self.number, self.told = target, number, told
        self.loop = asyncio.get_running_loop()
        self._socket: socket.socket | None = None

    async def open(self) -> None:
        """Connect. Raises Gone."""
        self.close()
        one = socket.socket()
        one.setblocking(False)
        try:
            one.bind((self.target.source(self.number), 0))
            await self.loop.sock_connect(one, ("127.0.0.1", self.target.port))
        except OSError as error:
            one.close()
            raise Gone from error
        except asyncio.CancelledError:
            one.close()
            raise
        self._socket = one
        self.told.opened += 1
        self.told.open_now += 1
        self.told.peak = max(self.told.peak, self.told.open_now)

    def close(self) -> None:
        """Let go of it."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            self.told.open_now -= 1

    async def send(self, data: bytes) -> None:
        """Send all of it. Raises Gone."""
        assert self._socket is not None
        try:
            await self.loop.sock_sendall(self._socket, data)
        except OSError as error:
            raise self._gone() from error
        self.told.sent += len(data)

    async def read(self) -> bytes:
        """Take what there is, at least a byte. Raises Gone."""
        assert self._socket is not None
        try:
            data = await self.loop.sock_recv(self._socket, READ)
        except OSError as error:
            raise self._gone() from error
        if not data:
            raise self._gone()
        self.told.received += len(data)
        return data

    def _gone(self) -> Gone:
        self.told.closed += 1
        self.close()
        return Gone()

    async def upgrade(self, query: str = "") -> bytes:
        """Connect and become a WebSocket; give what came behind the answer's head. Raises Gone."""
        await self.open()
        await self.send(upgrade(self.target.port, query))
        async with asyncio.timeout(GIVE_UP_S):
            head = b""
            while b"\r\n\r\n" not in head:
                head += await self.read()
        status = head.split(b" ", 2)[1].decode("latin-1")
        self.told.answers[status] = self.told.answers.get(status, 0) + 1
        if status != "101":
            raise self._gone()
        self.told.upgraded += 1
        return head.partition(b"\r\n\r\n")[2]

    async def read_on(self) -> None:
        """Read until the end, and throw it away. Raises Gone."""
        while True:
            await self.read()


# -- bytes -------------------------------------------------------------------------------------------------------------


def upgrade(port: int, query: str = "") -> bytes:
    """The request for a WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET /ws{query} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    ).encode()


def frame(payload: bytes, opcode: int = 1, *, is_last: bool = True, claims: int | None = None) -> bytes:
    """A client's frame, its mask 0. claims: the length it says it has, None for its own."""
    length = len(payload) if claims is None else claims
    first = (0x80 if is_last else 0) | opcode
    if length < 126:
        head = struct.pack("!BB", first, 0x80 | length)
    elif length < 65_536:
        head = struct.pack("!BBH", first, 0x80 | 126, length)
    else:
        head = struct.pack("!BBQ", first, 0x80 | 127, length)
    return head + bytes(4) + payload


def request(port: int, path: str = "/api/state", method: str = "GET", head: str = "", body: bytes = b"") -> bytes:
    """An HTTP request."""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n".encode() + body


def said(message: dict[str, object]) -> bytes:
    """A message as a frame."""
    return frame(json.dumps(message).encode())


# -- attacks: each is done by every socket, again and again until the time is over -------------------------------------


async def connect_and_go(line: Line) -> None:
    """Connect and close at once."""
    await line.open()
    line.close()


async def silent(line: Line) -> None:
    """Connect and say nothing."""
    await line.open()
    await line.read_on()


async def slow_head(line: Line) -> None:
    """Send a request's head a byte at a time."""
    await line.open()
    for byte in itertools.chain(request(line.target.port)[:-2], itertools.cycle(b"X: y\r\n")):
        await line.send(bytes([byte]))
        await asyncio.sleep(0.3)


async def slow_body(line: Line) -> None:
    """Send a request's body a byte at a time."""
    await line.open()
    head = "Content-Type: application/json\r\nContent-Length: 60000\r\n"
    await line.send(request(line.target.port, "/api/session", "POST", head, b"{"))
    while True:
        await line.send(b" ")
        await asyncio.sleep(0.3)


async def large_body(line: Line) -> None:
    """Send all of a large body but its last byte, and wait."""
    await line.open()
    head = "Content-Type: application/json\r\nContent-Length: 60000\r\n"
    await line.send(request(line.target.port, "/api/session", "POST", head, b"{" + b" " * 59_998))
    await line.read_on()


async def endless_body(line: Line) -> None:
    """Send a body in chunks that never ends."""
    await line.open()
    head = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
    await line.send(request(line.target.port, "/api/session", "POST", head))
    while True:
        await line.send(b"1000\r\n" + b" " * 4096 + b"\r\n")


async def begun(line: Line) -> None:
    """Begin a message of a megabyte, in one frame, and never end it."""
    await line.upgrade()
    await line.send(frame(b"x" * (1 << 19), claims=1 << 20))
    await line.read_on()


async def continued(line: Line) -> None:
    """Begin a message and go on with it in small frames, for ever."""
    await line.upgrade()
    await line.send(frame(b"x", is_last=False))
    piece = frame(b"x" * 512, 0, is_last=False)
    while True:
        await line.send(piece)
        await asyncio.sleep(0.001)


async def held(line: Line) -> None:
    """Begin a message that is just allowed, and hold it."""
    await line.upgrade()
    await line.send(frame(b"x" * 8000, is_last=False))
    await line.read_on()


async def messages(line: Line) -> None:
    """Send messages as fast as they are taken, and read what comes."""
    await line.upgrade()
    await _beside(line, said({"type": "ping"}) * 20)


async def pings(line: Line) -> None:
    """Send the protocol's own pings, as fast as they are taken, and read nothing."""
    await line.upgrade()
    while True:
        await line.send(frame(b"p" * 100, 9) * 20)


async def unasked(line: Line) -> None:
    """Be a panel, and answer round trips that nobody asked for."""
    await line.upgrade()
    await line.send(said({"type": "panel"}))
    answers = b"".join(said({"type": "sync", "id": number, "t_us": number}) for number in range(1, 21))
    await _beside(line, answers)


async def panels(line: Line) -> None:
    """Join as a panel that asks for a seat, and leave again."""
    await line.upgrade()
    await line.send(said({"type": "panel", "asks": "red"}))
    await line.read()
    line.close()


async def squatters(line: Line) -> None:
    """Join as a panel that asks for a seat, and stay."""
    await line.upgrade()
    await line.send(said({"type": "panel", "asks": "red"}))
    await line.read_on()


async def states(line: Line) -> None:
    """Ask for the state, again and again on one connection."""
    await line.open()
    asking = request(line.target.port)
    while True:
        await line.send(asking)
        await line.read()


async def pipelined(line: Line) -> None:
    """Ask for many states at once, and read no answer."""
    await line.open()
    while True:
        await line.send(request(line.target.port) * 50)


async def deaf(line: Line) -> None:
    """Watch everything and read nothing, while asking for more."""
    await line.upgrade("?oled=1")
    while True:
        await line.send(said({"type": "watch", "oled": True}))
        await asyncio.sleep(0.02)


async def junk(line: Line) -> None:
    """Send what is no HTTP."""
    await line.open()
    await line.send(os.urandom(2000))
    await line.read_on()


async def _beside(line: Line, data: bytes) -> None:
    """Send the same for ever, and read what comes beside."""
    reading = asyncio.ensure_future(line.read_on())
    try:
        while not reading.done():
            await line.send(data)
            await asyncio.sleep(0)
        await reading
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError, Gone):
            await reading


ATTACKS: dict[str, Callable[[Line], Awaitable[None]]] = {
    attack.__name__: attack
    for attack in (
        connect_and_go, silent, slow_head, slow_body, large_body, endless_body, begun, continued, held, messages, pings,
        unasked, panels, squatters, states, pipelined, deaf, junk,
    )
}  # fmt: skip
"""Every attack by its name."""


# -- running them ------------------------------------------------------------------------------------------------------


async def _keep_on(attack: Callable[[Line], Awaitable[None]], line: Line, opening: asyncio.Semaphore) -> None:
    """One socket's attack, until it is cancelled; thrown out, it comes again."""
    is_first = True
    while True:
        try:
            if is_first:
                is_first = False
                async with opening:
                    doing = asyncio.ensure_future(attack(line))
                    await asyncio.wait([doing], timeout=0.005)
            else:
                doing = asyncio.ensure_future(attack(line))
            await doing
            await asyncio.sleep(0)
        except (Gone, TimeoutError):
            await asyncio.sleep(PAUSE_S)
        finally:
            doing.cancel()
            with suppress(asyncio.CancelledError, Gone, TimeoutError):
                await doing
            line.close()


async def _run(name: str, target: Target, on_there: Callable[[], None]) -> Told:
    told, opening = Told(name), asyncio.Semaphore(OPENING)
    lines = [Line(target, number, told) for number in range(target.sockets)]
    tasks = [asyncio.ensure_future(_keep_on(ATTACKS[name], line, opening)) for line in lines]
    began_s = time.monotonic()
    try:
        while told.opened < target.sockets and time.monotonic() - began_s < target.seconds:
            await asyncio.sleep(0.01)
        on_there()
        await asyncio.sleep(max(0.0, target.seconds - (time.monotonic() - began_s)))
        seen = Told(**asdict(told))
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return seen


def run(name: str, target: Target, on_there: Callable[[], None] = lambda: None) -> Told:
    """Attack in this thread, for `target.seconds`. on_there: called once every socket has been opened once."""
    return asyncio.run(_run(name, target, on_there))


@dataclass
class Attacker:
    """An attack that runs in another process."""

    process: subprocess.Popen[str]

    def wait_until_there(self) -> None:
        """Wait until every socket has been opened once."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "there\n", "the attacker died"

    def told(self) -> Told:
        """Wait for its end, and give what came of it."""
        out, _ = self.process.communicate(timeout=MOST_SECONDS + 30)
        return Told(**json.loads(out.splitlines()[-1]))


@contextmanager
def started(name: str, target: Target, *, nice: int = 0) -> Iterator[Attacker]:
    """Attack from a process of its own; it is ended with the block. nice: its own, 0 to 19."""
    words = [
        name, "--port", target.port, "--sockets", target.sockets, "--seconds", target.seconds,
        "--addresses", target.addresses, "--first", target.first, "--nice", nice,
    ]  # fmt: skip
    command = [sys.executable, "-m", "tests.attack.clients", *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    try:
        yield Attacker(process)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def main() -> None:
    """Attack as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attack", choices=sorted(ATTACKS))
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--sockets", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--first", type=int, default=2)
    parser.add_argument("--nice", type=int, default=0)
    chosen = parser.parse_args()
    os.setpriority(os.PRIO_PROCESS, 0, max(chosen.nice, os.getpriority(os.PRIO_PROCESS, 0)))
    target = Target(chosen.port, chosen.sockets, chosen.seconds, chosen.addresses, chosen.first)
    told = run(chosen.attack, target, lambda: print("there", flush=True))
    print(json.dumps(asdict(told)), flush=True)


if __name__ == "__main__":
    main()
