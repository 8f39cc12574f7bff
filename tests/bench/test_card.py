"""The place of the sound card, while more is said than it has played."""

import os
import threading
from pathlib import Path

import pytest

from tests.bench.voice import Card


def test_a_card_is_closed_while_its_pipe_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waited for room in the pipe, and its reader had ended: a benchmark on a busy machine never ended."""
    monkeypatch.setenv("ALSA_CONFIG_PATH", "")  # a card names itself there
    card = Card(tmp_path)
    writer = os.open(tmp_path / "card", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(writer, bytes(4096))
    except BlockingIOError:
        pass
    closing = threading.Thread(target=card.close, daemon=True)
    closing.start()
    closing.join(10)
    os.close(writer)
    assert not closing.is_alive()
