"""Junk for every input of the box, the same each time: random bytes, and good input that was spoilt.

Each `..._junk` feeds at least `amount` bytes through the input's real way in, and gives how many bytes its decoder had:
counted where the decoder is called, so that nothing that was turned away before counts.
"""

from __future__ import annotations

import io
import json
import os
import random
import threading
import tomllib
from contextlib import redirect_stderr, redirect_stdout, suppress
from importlib import resources
from typing import TYPE_CHECKING, Any

from companion.adapters.pods.interpreter import Assigned
from companion.adapters.pods.ports import open_port
from companion.adapters.pods.source import PodsSource
from companion.adapters.scanner.reader import Scanner
from companion.adapters.web import socket
from companion.adapters.web.access import answers
from companion.app.storing import game_files
from companion.cli import main as cli
from companion.cli.replay import run_replay
from companion.config.deck_file import read_deck
from companion.config.pod_file import read_pods
from companion.config.reading import load
from companion.core.errors import CompanionError
from companion.core.play.scanning import ScannedLines
from companion.core.pods.frames import FrameDecoder, encode_frame
from companion.core.record import lines as record_lines
from companion.core.ruling.parameters import faults_of
from tests.adapters.web.talk import Talk
from tests.fakes.wired_pico import WiredPico
from tests.fakes.wired_reader import WiredReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    import pytest

    from companion.core.play.scanning import Scan, Unreadable
    from tests.adapters.web.served import Served

PATIENCE_S = 120.0
CHUNK = 4000


class Counter:
    """Counts the bytes that come to a decoder."""

    def __init__(self) -> None:
        self.bytes = 0
        self._changed = threading.Condition()

    def add(self, count: int) -> None:
        with self._changed:
            self.bytes += count
            self._changed.notify_all()

    def wait_for(self, count: int) -> None:
        """Wait until so many have come."""
        with self._changed:
            assert self._changed.wait_for(lambda: self.bytes >= count, PATIENCE_S), f"{self.bytes} of {count}"


def spoilt(rng: random.Random, good: bytes) -> bytes:
    """Spoil good input: flipped, cut off, doubled, with something between; now and then random from end to end."""
    kind = rng.randrange(5)
    at = rng.randrange(len(good))
    if kind == 0:
        return good[:at] + bytes([good[at] ^ 1 << rng.randrange(8)]) + good[at + 1 :]
    if kind == 1:
        return good[:at]
    if kind == 2:
        return good[:at] + good[at // 2 :]
    if kind == 3:
        return good[:at] + rng.randbytes(rng.randrange(1, 20)) + good[at:]
    return rng.randbytes(len(good))


def texts(rng: random.Random, good: bytes, length: int) -> Iterator[bytes]:
    """Give pieces of JSON of about `length`: spoilt, too deep, a number without end, a text without end."""
    long = good + b" " * max(0, length - len(good))
    while True:
        yield spoilt(rng, long)
        yield b"[" * length
        yield b'{"type":' * (length // 8)
        yield b'{"type":"ping","n":' + b"9" * length + b"}"
        yield b'{"type":"' + rng.randbytes(length // 2).hex().encode()
        yield rng.randbytes(length)


# -- serial ports ----------------------------------------------------------------------------------------------------


def pod_junk(patch: pytest.MonkeyPatch, folder: Path, amount: int) -> tuple[int, int]:
    """A pod's port: from the pseudo-terminal through the port's thread to the frames. Gives also the faults told."""
    counter, real = Counter(), FrameDecoder.feed
    patch.setattr(FrameDecoder, "feed", lambda self, data: (counter.add(len(data)), real(self, data))[1])
    pico = WiredPico(unique_id=b"\1west\0\0\0")
    pico.name(folder / "west")
    source = PodsSource({b"\1west\0\0\0".hex(): Assigned("west", ("red first", None, None, None))}, ports=[pico.path])
    source.open()
    rng, sent, faults = random.Random(1), 0, 0
    try:
        while sent < amount:
            good = encode_frame(rng.randbytes(rng.randrange(1, 200)))
            junk = b"".join(spoilt(rng, good) + b"\0" * rng.randrange(2) for _ in range(20))
            sent += _write(pico, junk)
            faults += sum(1 for _ in source.read())
        counter.wait_for(amount)
        threads = [thread for thread in threading.enumerate() if thread.name == "pod west"]
        assert len(threads) == 1
        patch.undo()
        _press_of(pico, source)
    finally:
        source.close()
        pico.close()
    return counter.bytes, faults


def _write(pico: WiredPico, junk: bytes) -> int:
    sent = 0
    while sent < len(junk):
        with suppress(BlockingIOError):  # its buffer is full: the reader is behind
            sent += os.write(pico._master, junk[sent:])
    return sent


def _press_of(pico: WiredPico, source: PodsSource) -> None:
    """See that a press of the pod still comes through."""
    from companion.core.timing.events import Edge
    from tests.adapters.pods.test_pods_source import wait_for

    with pico.pico.lock:
        pico.pico.contact(0, True)
    wait_for(source, lambda event: isinstance(event, Edge) and event.line == "red first", PATIENCE_S)


def scanner_junk(patch: pytest.MonkeyPatch, folder: Path, amount: int) -> int:
    """The card reader's port, through its thread to what cuts its bytes into codes."""
    counter, real = Counter(), ScannedLines.feed
    patch.setattr(ScannedLines, "feed", lambda self, data: (counter.add(len(data)), real(self, data))[1])
    reader, good, rng, sent = WiredReader(folder / "reader"), threading.Event(), random.Random(2), 0

    def on_scan(scan: Scan | Unreadable, _t_ns: int) -> None:
        if getattr(scan, "code", "") == "GOOD":
            good.set()

    there = threading.Event()

    def on_state(fault: str | None) -> None:
        if fault is None:
            there.set()

    scanner = Scanner(reader.path, open_port, on_scan, on_state, prefix="~")
    scanner.start()
    try:
        assert there.wait(PATIENCE_S)  # what came before a port is opened is thrown away
        while sent < amount:
            junk = rng.choice((rng.randbytes(CHUNK), b"~1234567\r\n" * (CHUNK // 10), b"x" * CHUNK))
            sent += os.write(reader._master, junk)
            counter.wait_for(sent)
        counter.wait_for(amount)
        reader.show(b"\r\n~GOOD\r\n")
        assert good.wait(PATIENCE_S)
    finally:
        scanner.close()
        reader.unplug()
    return counter.bytes


# -- the web ---------------------------------------------------------------------------------------------------------


def body_junk(patch: pytest.MonkeyPatch, box: Served, amount: int) -> int:
    """Bodies of requests, as the referee's."""
    counter, real = Counter(), answers.decode
    patch.setattr(answers, "decode", lambda raw, kind: (counter.add(len(raw)), real(raw, kind))[1])
    rng = random.Random(3)
    bodies = texts(rng, b'{"seats":[{"colour":"red"},{"colour":"yellow"}]}', 60_000)
    while counter.bytes < amount:
        answer = box.referee.post("/api/match", content=next(bodies), headers={"content-type": "application/json"})
        assert answer.status_code in (400, 200, 409, 413), answer.text
    return counter.bytes


def file_junk(patch: pytest.MonkeyPatch, box: Served, amount: int) -> int:
    """Texts of files, as the referee's: looked through, kept, played with."""
    counter = Counter()

    def counted(game: Any, key: str, text: str) -> Any:
        counter.add(len(text.encode()))
        return faults_of(game, key, text)

    patch.setattr(game_files, "faults_of", counted)
    rng = random.Random(5)
    sample = resources.files("companion.games.claim").joinpath("files/snap.toml").read_bytes()
    for content in texts(rng, sample, 30_000):
        if counter.bytes >= amount:
            break
        body = {"game": "claim", "key": "game", "text": content.decode("utf-8", "replace")}
        answer = box.referee.post("/api/files/check", json=body)
        assert answer.status_code in {200, 400, 413}, answer.text
        if answer.status_code == 200:
            answer = box.referee.post("/api/files/try", json={**body, "seats": ["red", "yellow"]})
            assert answer.status_code in {200, 400, 409}, answer.text
    return counter.bytes


def socket_junk(patch: pytest.MonkeyPatch, box: Served, amount: int) -> int:
    """Messages of a WebSocket, as text and as bytes; the test's clock runs on, so that none is throttled."""
    counter, real = Counter(), socket._decode
    patch.setattr(socket, "_decode", lambda raw: (counter.add(len(raw)), real(raw))[1])
    rng = random.Random(4)
    pieces = texts(rng, b'{"type":"press","n":1,"button":"red first","t_us":1,"by":"touch"}', 3900)
    while counter.bytes < amount:
        talk = Talk(box.server.port)
        for _ in range(100):
            box.clock.ahead_ns += 20_000_000
            piece = next(pieces)
            is_text = piece.isascii()
            talk.send(piece, 1 if is_text else 2)
        talk.say({"type": "ping"})
        talk.get("pong")
        talk.close()
    return counter.bytes


# -- files -----------------------------------------------------------------------------------------------------------

TOML = {
    "settings": b'[box]\nlog_level = "info"\n[timing]\nwindow_s = 3.0\n[web]\nport = 8080\nnames = ["a", "b"]\n',
    "pods": b'[pods.0177657374000000]\nname = "west"\nlabels = ["red first", "", "", ""]\n',
    "deck": b'game = "apache"\n[cards]\n"123456" = "red hunter"\n',
}


def toml_junk(patch: pytest.MonkeyPatch, folder: Path, amount: int) -> int:
    """Files of settings, pods and cards, each through its own reader."""
    counter, real = Counter(), tomllib.loads
    patch.setattr(tomllib, "loads", lambda text, **more: (counter.add(len(text)), real(text, **more))[1])
    rng, path = random.Random(5), folder / "file.toml"
    readers: dict[str, Callable[[Path], Any]] = {"settings": load, "pods": read_pods, "deck": read_deck}
    while counter.bytes < amount:
        for name, read in readers.items():
            good = TOML[name]
            comment = b"# " + b"x" * 200 + b"\n"
            for junk in (
                spoilt(rng, good) + comment * 200, good + b"a = " + b"[" * 40_000, b"x" * 40_000,
                good + b'b = "' + rng.randbytes(20_000).hex().encode(), b"n = " + b"9" * 40_000,
                comment * 100 + good + good,
            ):  # fmt: skip
                path.write_bytes(junk.decode("latin-1").encode())
                with suppress(CompanionError):
                    read(path)
    path.write_bytes(TOML["settings"])
    assert load(path).web.port == 8080
    return counter.bytes


GOOD_LINES = (
    b'{"type":"setup","format":1,"game":"order","seats":[{"colour":"red"},{"colour":"yellow"}]}',
    b'{"type":"press","colour":"red","role":"first","t_ns":1000,"error_ns":20000}',
)


def record_junk(patch: pytest.MonkeyPatch, folder: Path, amount: int) -> int:
    """Records that are judged again and whose seals are checked."""
    counter, real = Counter(), record_lines._decoder

    def counting(extra: Any) -> Callable[[bytes], Any]:
        decode = real(extra)
        return lambda raw: (counter.add(len(raw)), decode(raw))[1]

    patch.setattr(record_lines, "_decoder", counting)
    rng, path = random.Random(6), folder / "record.jsonl"
    pieces = texts(rng, GOOD_LINES[1], 50_000)
    while counter.bytes < amount:
        first = rng.choice((b"", GOOD_LINES[0] + b"\n"))
        path.write_bytes(first + next(pieces).replace(b"\n", b" ") + b"\n")
        assert run_replay(str(path), False, io.BytesIO(), io.StringIO()) in (0, 1)
        assert called("verify", str(path)) in (0, 1, 2)
    return counter.bytes


def argument_junk(patch: pytest.MonkeyPatch, amount: int) -> int:
    """Words of the command line."""
    counter, real = Counter(), cli._run

    def counted(words: list[str]) -> int:
        counter.add(sum(len(word) for word in words))
        return real(words)

    patch.setattr(cli, "_run", counted)
    rng = random.Random(7)
    while counter.bytes < amount:
        junk = rng.choice((rng.randbytes(60_000).decode("latin-1").replace("\0", "?"), "-" * 60_000, "9" * 60_000))
        command = rng.choice(("", "replay", "verify", "status", "export", "check", "matches", "labels", "strip"))
        status = called(
            *([command] if command else []),
            *rng.choice(((junk,), ("--state-dir", junk[:200], junk), ("--config", junk[:200], junk))),
        )
        assert status != 0 or command
    return counter.bytes


def called(*words: str) -> int:
    """Run a command in this process; see that it finds no bug, and says little beyond what it was told."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = cli.main(words)
    assert "this is a bug" not in err.getvalue(), err.getvalue()[-300:]
    assert len(err.getvalue()) < sum(len(repr(word)) for word in words) + 5000
    return status


def good_line() -> object:
    """Read a good line of a record."""
    return record_lines.parse_line(json.dumps({"type": "end"}), 1)
