"""The text stream at a real socket: who reads is told what is news to them, and nobody can hold up the box by it."""

from __future__ import annotations

import json
import socket
import stat
import threading
from contextlib import suppress

import pytest

from companion.adapters.text_stream.server import MOST_READERS, TextStream
from companion.adapters.text_stream.wire import SOCKET_NAME
from companion.core.errors import Unavailable

LONG_S = 5.0


class Counting:
    """Tells numbers: what is news since the last one it told, in the language it was asked for."""

    def __init__(self, asked):
        self.asked, self.before = asked, 0

    def told(self, snapshot):
        news = range(self.before + 1, snapshot + 1)
        self.before = snapshot
        return [f"{self.asked.language or 'en'} {number}" for number in news]

    def standing(self, snapshot):
        return [f"it stands at {snapshot}", "line\ntwo"]


def teller(asked):
    if asked.language == "xx":
        raise ValueError("this box does not speak 'xx'")
    return Counting(asked)


class Reader:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(LONG_S)
        self.socket.connect(str(path))
        self.file = self.socket.makefile("r", encoding="utf-8")

    def ask(self, **asked):
        self.socket.sendall(json.dumps(asked).encode() + b"\n")

    def line(self):
        return self.file.readline().rstrip("\n")

    def close(self):
        self.file.close()
        self.socket.close()


def stands_at(number, stream, reader):
    """Hand over a snapshot: of it whoever has just come is told how all stands."""
    stream.follow(number)
    assert [reader.line(), reader.line()] == [f"it stands at {number}", "line two"]


@pytest.fixture
def came():
    return threading.Semaphore(0)


@pytest.fixture
def stream(tmp_path, came):
    made = TextStream(tmp_path / SOCKET_NAME, teller, came.release)
    made.open()
    yield made
    made.close()


@pytest.fixture
def reader(stream, came):
    made = Reader(stream.path)
    made.ask()
    assert came.acquire(timeout=LONG_S)
    stands_at(0, stream, made)
    yield made
    made.close()


def test_a_reader_is_told_what_is_news_line_by_line(stream, reader):
    stream.follow(2)
    assert [reader.line(), reader.line()] == ["en 1", "en 2"]
    stream.follow(3)
    assert reader.line() == "en 3"


def test_each_reader_is_told_in_its_own_language_and_from_where_it_came(stream, reader, came):
    stream.follow(1)
    assert reader.line() == "en 1"
    second = Reader(stream.path)
    second.ask(language="it", wordiness="brief")
    assert came.acquire(timeout=LONG_S)
    stands_at(2, stream, second)
    assert reader.line() == "en 2"
    stream.follow(3)
    assert (reader.line(), second.line()) == ("en 3", "it 3")
    second.close()


def test_how_it_stands_is_told_when_it_is_asked_for_each_text_on_one_line(stream, reader):
    stream.follow(1)
    assert reader.line() == "en 1"
    reader.ask(again=True)
    assert [reader.line(), reader.line()] == ["it stands at 1", "line two"]


def test_a_language_that_there_is_not_is_named_and_the_reader_let_go(stream, reader):
    wrong = Reader(stream.path)
    wrong.ask(language="xx")
    assert wrong.line() == "this box does not speak 'xx'"
    assert wrong.line() == ""
    wrong.close()
    stream.follow(1)
    assert reader.line() == "en 1", "the others read on"


@pytest.mark.parametrize("said", [b"{}x\n", b'{"language": 5}\n', b'{"lang": "it"}\n', b"\xff\xfe\n", b"x" * 5000])
def test_nonsense_lets_only_its_reader_go(stream, reader, said):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as wrong:
        wrong.settimeout(LONG_S)
        wrong.connect(str(stream.path))
        wrong.sendall(said)
        with suppress(ConnectionResetError):  # what it had not read yet is thrown away with it
            assert wrong.recv(100) == b""
    stream.follow(1)
    assert reader.line() == "en 1"


def test_a_reader_that_does_not_read_is_let_go_and_the_others_read_on(stream, reader, came):
    asleep = Reader(stream.path)
    asleep.ask(language="long" * 100)
    assert came.acquire(timeout=LONG_S)
    for number in range(1, 2000):
        stream.follow(number)
        while reader.line() != f"en {number}":
            pass
    got = 0
    with suppress(ConnectionResetError):
        while told := asleep.socket.recv(1 << 20):  # would time out where it still hung on
            got += len(told)
    assert got < 2000 * 400, "it was not told all of it"
    asleep.close()


def test_more_readers_than_there_is_room_for_are_turned_away(stream):
    readers = [Reader(stream.path) for _ in range(MOST_READERS)]
    for one in readers:
        one.ask()
    late = Reader(stream.path)
    assert late.line() == ""
    for one in (*readers, late):
        one.close()


def test_the_socket_is_anybody_s_and_goes_with_the_box(stream):
    assert stat.S_IMODE(stream.path.stat().st_mode) == 0o666
    stream.close()
    assert not stream.path.exists()
    stream.close()


def test_a_socket_that_a_killed_box_left_is_taken_over(tmp_path, came):
    path = tmp_path / SOCKET_NAME
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))
    stream = TextStream(path, teller, came.release)
    stream.open()
    stream.close()


def test_another_box_that_listens_there_is_named(stream, came):
    with pytest.raises(Unavailable, match="another box listens there"):
        TextStream(stream.path, teller, came.release).open()


def test_a_file_that_is_no_socket_is_left_as_it_is(tmp_path, came):
    path = tmp_path / SOCKET_NAME
    path.write_text("mine")
    with pytest.raises(Unavailable, match="no socket"):
        TextStream(path, teller, came.release).open()
    assert path.read_text() == "mine"


def test_whoever_comes_anew_is_told_how_it_stands_then_and_nothing_older(stream, came):
    """With nobody there no snapshot is handed on: the newest there is may be of an hour ago."""
    first = Reader(stream.path)
    first.ask(again=True)
    assert came.acquire(timeout=LONG_S)
    stream.follow(1)
    assert first.line() == "it stands at 1"
    first.close()
    second = Reader(stream.path)
    second.ask(again=True)
    assert came.acquire(timeout=LONG_S)
    stream.follow(2)
    assert second.line() == "it stands at 2"
    second.close()


def test_how_it_stands_is_told_once_it_is_known(stream, came):
    reader = Reader(stream.path)
    reader.ask()
    assert came.acquire(timeout=LONG_S)
    reader.ask(again=True)
    stream.follow(1)
    assert [reader.line(), reader.line()] == ["it stands at 1", "line two"]
    reader.close()
