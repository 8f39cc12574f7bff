"""What speech-dispatcher tells of a message before it has answered what the message is called: its threads race."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING

import pytest

from companion.adapters.voice import SpeechDispatcher
from companion.core.speech.utterance import Heard, Phase, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BEGIN, END = "701-{id}\r\n701-1\r\n701 BEGIN\r\n", "702-{id}\r\n702-1\r\n702 END\r\n"
QUEUED = "225-{id}\r\n225 OK MESSAGE QUEUED\r\n"


class RacingServer:
    """Speaks SSIP at a socket, and answers each message in an order that a test says."""

    def __init__(self, path: Path, order: tuple[str, ...]) -> None:
        self.address, self._order = str(path), order
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self.address)
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        client, _ = self._listening.accept()
        messages = 0
        with client, client.makefile("r", newline="\n") as lines:
            for line in lines:
                command = line.strip()
                if command == ".":
                    messages += 1
                    answer = "".join(self._order).format(id=messages)
                elif command == "SPEAK":
                    answer = "230 OK RECEIVING DATA\r\n"
                elif command == "GET OUTPUT_MODULE":
                    answer = "251-espeak-ng\r\n251 OK GET RETURNED\r\n"
                elif command.split()[0] in ("SET", "CANCEL"):
                    answer = "200 OK\r\n"
                else:
                    continue  # a line of the text
                client.sendall(answer.encode())

    def close(self) -> None:
        self._thread.join(60)
        self._listening.close()


@pytest.fixture(params=[(BEGIN, QUEUED, END), (BEGIN, END, QUEUED), (QUEUED, BEGIN, END)])
def server(request, tmp_path_factory) -> Iterator[RacingServer]:
    one = RacingServer(tmp_path_factory.mktemp("v") / "s", request.param)
    yield one
    one.close()


def test_begin_and_end_are_told_whenever_the_server_answers(server):
    heard: list[Heard] = []
    over = threading.Event()

    def hear(one: Heard) -> None:
        heard.append(one)
        if one.number == 2 and one.phase is Phase.ENDED:
            over.set()

    speaker = SpeechDispatcher([server.address], answer_s=60, proof_s=60)
    speaker.open(hear)
    for number in (1, 2):
        speaker.say(Utterance(number, "Red."))
    assert over.wait(60)
    speaker.close()
    told = [(one.number, one.phase) for one in heard]
    assert told == [(number, phase) for number in (1, 2) for phase in (Phase.BEGAN, Phase.ENDED)]
    assert sorted(one.t_ns for one in heard) == [one.t_ns for one in heard]
