"""`companion run` with a card reader at the serial port of its settings: what is scanned is in the exported record."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.config.deck_file import Deck, printed_deck, write_deck
from companion.core.play.scanning import SCANNER
from companion.core.record.lines import Remark, Reveal, parse_line
from tests.fakes.pn532 import FakeTag, WiredPn532, ndef_text
from tests.fakes.wired_reader import WiredReader

pytestmark = pytest.mark.slow  # starts processes

COMPANION = str(Path(sys.executable).with_name("companion"))
PATIENCE_S = 60.0
CODES = {card: code for code, card in printed_deck("apache").codes.items()}


class Box:
    """`companion run` of two players, with a reader as its only device and its log on a pipe."""

    def __init__(self, folder: Path, scanner: str) -> None:
        self._state, self._said = folder / "state", b""
        config = folder / "config.toml"
        config.write_text(f'[box]\nlog_level = "debug"\n[buzzer]\nkind = "none"\n[scanner]\n{scanner}\n')
        self._process = subprocess.Popen(
            [
                COMPANION, "run", "--config", str(config), "--state-dir", str(self._state), "--seats", "red,yellow",
                "--source", "none", "--display", "none", "--no-web",
            ],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip

    def wait_for(self, text: str) -> str:
        """Read the log until `text` is in it; give the log since the last call."""
        until = time.monotonic() + PATIENCE_S
        assert self._process.stderr is not None
        while text.encode() not in self._said:
            assert time.monotonic() < until, self._said.decode()
            if select.select([self._process.stderr], [], [], 1)[0]:
                new = os.read(self._process.stderr.fileno(), 65536)
                assert new, self._said.decode()
                self._said += new
        said, self._said = self._said.decode(), b""
        return said

    def stop(self) -> int:
        if self._process.poll() is None:
            self._process.terminate()
        self._process.communicate(timeout=PATIENCE_S)
        return self._process.returncode

    def record(self) -> list[object]:
        """Give the lines of the exported match."""
        done = subprocess.run(
            [COMPANION, "export", "--state-dir", str(self._state), "1"], capture_output=True, check=True
        )
        return [parse_line(raw, number) for number, raw in enumerate(done.stdout.splitlines(), start=1)]


@pytest.fixture
def reader(tmp_path):
    made = WiredReader(tmp_path / "reader")
    yield made
    made.unplug()


@pytest.fixture
def box(tmp_path, reader):
    made = Box(tmp_path, f'port = "{reader.path}"\nprefix = "~"')
    yield made
    made.stop()


def test_scanned_cards_are_timed_reveals_and_what_cannot_be_revealed_is_said_and_changes_nothing(box, reader):
    box.wait_for("the card scanner is there")
    before_ns = time.monotonic_ns()
    reader.show(f"~{CODES['red hunter']}\r\n".encode())
    box.wait_for(f"scanned {CODES['red hunter']}: red hunter")
    between_ns = time.monotonic_ns()
    for raw, why in (
        (b"~APACHE-999\r", "refused: no card has the code APACHE-999"),
        (f"~{CODES['red hunter']}\r".encode(), "refused: this red hunter has been scanned already"),
        (f"{CODES['buffalo']}\r".encode(), "refused: the scanner read a code without the prefix '~'"),
    ):
        reader.show(raw)
        assert '"type":' not in box.wait_for(why), "a line was written"
    reader.show(f"~{CODES['buffalo']}\n".encode())
    box.wait_for(f"scanned {CODES['buffalo']}: buffalo")
    assert box.stop() == 0

    lines = box.record()
    reveals = [line for line in lines if isinstance(line, Reveal)]
    assert [reveal.card for reveal in reveals] == ["red hunter", "buffalo"]
    first_ns, second_ns = (reveal.t_ns or 0 for reveal in reveals)
    assert before_ns <= first_ns <= between_ns <= second_ns <= time.monotonic_ns()
    assert [line.text for line in lines if isinstance(line, Remark) and line.source == SCANNER] == [
        f"scanned {CODES[card]}: {card}" for card in ("red hunter", "buffalo")
    ]


def test_a_reader_pulled_out_in_play_is_said_and_scans_again_when_it_is_back(box, reader):
    box.wait_for("the card scanner is there")
    reader.unplug()
    box.wait_for("fault: the card scanner at")
    reader.plug()
    box.wait_for("the card scanner is there")
    reader.show(f"~{CODES['buffalo']}\r".encode())
    box.wait_for(f"scanned {CODES['buffalo']}: buffalo")
    assert box.stop() == 0
    assert [line.card for line in box.record() if isinstance(line, Reveal)] == ["buffalo"]


@pytest.fixture
def chip(tmp_path):
    made = WiredPn532(tmp_path / "pn532")
    yield made
    made.unplug()


def test_a_tag_on_a_card_is_a_timed_reveal_and_one_that_lay_there_before_is_asked_for_again(tmp_path, chip):
    numbered, written = FakeTag(bytes.fromhex("04a2b91c112280")), FakeTag(bytes.fromhex("04ffffff112280"))
    written.pages = ndef_text("BY-TEXT")
    deck = tmp_path / "deck.toml"
    write_deck(deck, Deck("apache", {numbered.uid.hex().upper(): "buffalo", "BY-TEXT": "red hunter"}))
    chip.chip.tags = [numbered]
    box = Box(tmp_path, f'kind = "pn532"\nport = "{chip.path}"\ntags = "text"\ndeck = "{deck}"')
    try:
        box.wait_for("the card scanner is there")
        assert '"type":' not in box.wait_for("refused: this buffalo lay on the reader before it could be read")
        before_ns = time.monotonic_ns()
        chip.chip.tags = [written, numbered]
        box.wait_for("scanned BY-TEXT: red hunter")
        assert box.stop() == 0
    finally:
        box.stop()
    (reveal,) = [line for line in box.record() if isinstance(line, Reveal)]
    assert reveal.card == "red hunter"
    assert before_ns <= (reveal.t_ns or 0) <= time.monotonic_ns()
