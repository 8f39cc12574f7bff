"""The stand-in for the sound card, while the box speaks faster than the card plays."""

import os
import threading
from pathlib import Path

import pytest

from tests.bench.voice import Card


def test_a_card_is_closed_while_its_pipe_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing waited for room in the pipe after the pipe's reader had ended, so the benchmark never ended."""
    monkeypatch.setenv("ALSA_CONFIG_PATH", "")  # `Card` sets it
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
