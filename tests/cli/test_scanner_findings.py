"""What `companion doctor` says of a PN532, and `companion deck scan`, with a chip that is played at its bytes."""

from __future__ import annotations

import pytest

from companion.cli.deck import scan_cards
from companion.cli.findings.finding import Health
from companion.cli.findings.scanner import check_scanner
from companion.cli.main import main
from companion.config.deck_file import Deck, write_deck
from companion.config.settings import Scanner
from companion.core.errors import Unavailable
from tests.fakes.pn532 import FakeTag, WiredPn532
from tests.fakes.wired_reader import WiredReader

NTAG = bytes.fromhex("04a2b91c112280")


@pytest.fixture
def wired(tmp_path):
    made = WiredPn532(tmp_path / "pn532")
    yield made
    made.unplug()


def of(port):
    (found,) = check_scanner(Scanner(kind="pn532", port=str(port)))
    return found


def test_a_chip_that_answers_is_named_with_its_firmware_and_what_lies_on_it(wired):
    assert of(wired.path).health is Health.OK
    assert f"a PN532 1.6 answers at {wired.path}; tags on it now: 0" in of(wired.path).text
    wired.chip.tags = [FakeTag(NTAG)]
    assert of(wired.path).text.endswith("tags on it now: 1")


def test_a_port_without_a_chip_is_a_fault_that_says_what_to_look_at(wired):
    wired.chip.faults = ["silent"] * 99
    found = of(wired.path)
    assert found.health is Health.FAULT
    assert "no PN532 answers" in found.text
    assert "HSU" in found.mend


def test_a_chip_that_stops_while_it_is_asked_is_a_fault(wired):
    wired.chip.faults = ["", "", "", "garbage"]
    assert of(wired.path).health is Health.FAULT


def test_a_port_that_is_not_there_is_a_fault(tmp_path):
    found = of(tmp_path / "ttyUSB7")
    assert "is not there" in found.text
    assert "plug it in" in found.mend


def test_without_the_library_it_is_named(wired, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "adafruit_pn532.uart", None)
    assert "pip install" in of(wired.path).mend


def test_no_scanner_and_one_at_a_serial_port_are_none_of_its(tmp_path):
    assert list(check_scanner(Scanner())) == []
    assert list(check_scanner(Scanner(port=str(tmp_path / "ttyACM0")))) == []


def test_what_is_scanned_is_said_with_its_card(tmp_path):
    reader = WiredReader(tmp_path / "reader")
    said, codes = [], [b"APACHE-007\r", b"04A2\r", b"\xff\r"]

    def say(text):
        said.append(text)
        if codes:
            reader.show(codes.pop(0))

    assert scan_cards(Scanner(port=str(reader.path)), "apache", say, 0.5) == 0
    reader.unplug()
    assert said == [
        "scan a card", "APACHE-007: red hunter", "04A2: no card of the deck of apache (companion deck enrol)",
        "not taken: bytes that are no code: is the reader's speed right?", "nothing was scanned: ended",
    ]  # fmt: skip


def test_a_tag_is_tried_with_the_deck_of_the_settings(wired, tmp_path):
    deck = tmp_path / "deck.toml"
    write_deck(deck, Deck("apache", {"04A2B91C112280": "buffalo"}))
    said = []

    def say(text):
        said.append(text)
        wired.chip.tags = [FakeTag(NTAG)]

    assert scan_cards(Scanner(kind="pn532", port=str(wired.path), deck=str(deck)), "apache", say, 1) == 0
    assert said[:2] == ["scan a card", "04A2B91C112280: buffalo"]


def test_without_a_scanner_and_where_nothing_comes(tmp_path, capsys):
    config = tmp_path / "config.toml"
    config.write_text("")
    assert main(["deck", "scan", "--config", str(config)]) == 1
    assert "scanner.port" in "".join(capsys.readouterr())
    with pytest.raises(Unavailable):
        scan_cards(Scanner(), "apache", print, 1)
