"""`companion deck enrol` with a reader at a pseudo-terminal: what is named is in the file at once."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.cli.deck import enrol_cards
from companion.config.deck_file import Deck, printed_deck, read_deck, write_deck
from companion.config.settings import Scanner
from companion.core.errors import Malformed, Unavailable
from tests.fakes.wired_reader import WiredReader

pytestmark = pytest.mark.slow  # starts processes

COMPANION = Path(sys.executable).with_name("companion")
PATIENCE_S = 30.0


@pytest.fixture
def reader(tmp_path):
    made = WiredReader(tmp_path / "reader")
    yield made
    made.unplug()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deck.toml"


class Person:
    """Scans when asked to (`codes`: raw bytes), and answers what each card is; keeps all that was said and asked."""

    def __init__(self, reader, codes, answers):
        self.reader, self.codes, self.answers = reader, list(codes), list(answers)
        self.said, self.asked = [], []

    def say(self, text):
        self.said.append(text)
        if text.startswith("scan a card") and self.codes:
            self.reader.show(self.codes.pop(0))

    def ask(self, question):
        self.asked.append(question)
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def enrol(self, path, *, prefix="", patience_s=PATIENCE_S):
        settings = Scanner(port=str(self.reader.path), prefix=prefix)
        return enrol_cards(settings, path, "apache", self.ask, self.say, patience_s)


def test_a_scanned_card_that_is_named_is_in_the_deck(reader, path):
    person = Person(reader, [b"04A2B91C\r\n", b"04A2B91D\r", b"04A2B91E\n"], ["red chief", " buffalo ", "done"])
    assert person.enrol(path) == 1
    assert read_deck(path) == Deck("apache", {"04A2B91C": "red chief", "04A2B91D": "buffalo"})
    assert [question.split()[0] for question in person.asked] == ["04A2B91C", "04A2B91D", "04A2B91E"]
    assert person.said[0] == "scan a card (114 to go)"
    assert person.said[-1] == "2 cards are enrolled; 112 are missing"


def test_equals_is_the_card_before_and_offered_from_the_second_card_on(reader, path):
    person = Person(reader, [b"1\r", b"2\r", b"3\r"], ["buffalo", "=", "done"])
    person.enrol(path)
    assert read_deck(path).codes == {"1": "buffalo", "2": "buffalo"}
    assert ["= for buffalo" in question for question in person.asked] == [False, True, True]


def test_a_wrong_name_of_a_card_is_said_with_the_right_one_and_the_card_can_be_scanned_again(reader, path):
    person = Person(reader, [b"1\r", b"1\r", b"2\r"], ["red cheif", "red chief", "done"])
    person.enrol(path)
    assert [text for text in person.said if "did you mean red chief" in text]
    assert read_deck(path).codes == {"1": "red chief"}


def test_more_of_a_card_than_there_are_is_refused(reader, path):
    person = Person(reader, [b"1\r", b"2\r", b"3\r", b"4\r"], ["red chief", "=", "=", "done"])
    person.enrol(path)
    assert [text for text in person.said if "all 2 cards 'red chief' have a code already" in text]
    assert read_deck(path).codes == {"1": "red chief", "2": "red chief"}


def test_a_code_scanned_twice_is_said_and_not_asked_about(reader, path):
    person = Person(reader, [b"1\r", b"1\r", b"2\r"], ["buffalo", "done"])
    person.enrol(path)
    assert "1 is buffalo already" in person.said
    assert [question.split()[0] for question in person.asked] == ["1", "2"]
    assert read_deck(path).codes == {"1": "buffalo"}


def test_what_is_no_code_is_said_and_not_asked_about(reader, path):
    person = Person(reader, [b"no prefix\r", b"\xff\xfe\r", b"~1\r"], ["done"])
    person.enrol(path, prefix="~")
    assert [text for text in person.said if text.startswith("not taken: a code without the prefix '~'")]
    assert [text for text in person.said if text.startswith("not taken: bytes that are no code")]
    assert [question.split()[0] for question in person.asked] == ["1"]
    assert not path.exists()


def test_ctrl_c_at_the_question_keeps_what_was_enrolled(reader, path):
    person = Person(reader, [b"1\r", b"2\r", b"3\r"], ["buffalo", "teepee", KeyboardInterrupt()])
    with pytest.raises(KeyboardInterrupt):
        person.enrol(path)
    assert read_deck(path).codes == {"1": "buffalo", "2": "teepee"}


def test_a_deck_that_was_begun_is_gone_on_with_until_it_is_whole(reader, path):
    whole = printed_deck("apache")
    last, card = list(whole.codes.items())[-1]
    del whole.codes[last]
    write_deck(path, whole)
    person = Person(reader, [b"04A2B91C\r"], [card])
    assert person.enrol(path) == 0
    assert read_deck(path).codes == {**whole.codes, "04A2B91C": card}
    assert person.said == ["scan a card (1 to go)", "114 cards are enrolled; 0 are missing"]


def test_nothing_scanned_for_long_ends_it(reader, path):
    person = Person(reader, [], [])
    assert person.enrol(path, patience_s=0.3) == 1
    assert "nothing was scanned: ended" in person.said


def test_nobody_is_asked_to_scan_while_the_reader_is_not_there(reader, path):
    person = Person(reader, [b"1\r"], ["done"])
    reader.unplug()
    plain = person.say

    def say(text):
        plain(text)
        if "is not there" in text:
            reader.plug()

    person.say = say  # type: ignore[method-assign]  # it plugs the reader in again
    person.enrol(path)
    assert "is not there" in person.said[0]
    assert person.said[1] == "scan a card (114 to go)"
    assert len(person.asked) == 1


def test_without_a_scanner_or_with_a_deck_that_is_none_it_does_not_begin(reader, path):
    with pytest.raises(Unavailable, match=r"scanner\.port"):
        enrol_cards(Scanner(), path, "apache", input, print)
    path.write_text('game = "apache"\n[cards]\nA = "red cheif"\n')
    with pytest.raises(Malformed, match="red chief"):
        Person(reader, [], []).enrol(path)


def test_a_deck_that_cannot_be_written_is_an_error_that_names_it(reader, tmp_path):
    with pytest.raises(Unavailable, match=r"cannot write .*absent/deck\.toml: No such file"):
        Person(reader, [b"1\r"], ["buffalo"]).enrol(tmp_path / "absent" / "deck.toml")


def wait_for(child, said, text):
    """Read what the command writes until it has written `text` since the last time."""
    until = time.monotonic() + PATIENCE_S
    while text not in said:
        assert time.monotonic() < until, said
        if select.select([child.stdout], [], [], 1)[0]:
            new = os.read(child.stdout.fileno(), 4096)
            assert new, said
            said += new
    del said[: said.index(text) + len(text)]


def ctrl_c(child):
    """Press Ctrl-C until it is heard: one that comes just before the command begins to read is kept until it has."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        child.send_signal(signal.SIGINT)
        try:
            return child.wait(2)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError("Ctrl-C does not end it")


@pytest.mark.parametrize("moment", ["waiting for a card", "asked for a name"])
def test_the_command_ended_by_ctrl_c_leaves_a_deck_that_loads(reader, path, tmp_path, moment):
    config = tmp_path / "config.toml"
    config.write_text(f'[scanner]\nport = "{reader.path}"\nbaud = 115200\n')
    with subprocess.Popen(
        [COMPANION, "deck", "enrol", "--config", config, path],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        said = bytearray()
        wait_for(child, said, b"scan a card (114 to go)")
        reader.show(b"04A2B91C\r\n")
        wait_for(child, said, b"04A2B91C is (name of the card")
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(b"necklace\n")
        child.stdin.flush()
        wait_for(child, said, b"scan a card (113 to go)")
        if moment == "asked for a name":
            reader.show(b"04A2B91D\r\n")
            wait_for(child, said, b"04A2B91D is (name of the card")
        assert ctrl_c(child) == 130
        assert b"Traceback" not in child.stderr.read()
    assert read_deck(path) == Deck("apache", {"04A2B91C": "necklace"})
