"""The log is bounded: by text and by logger, with the number of lines that were left out."""

from __future__ import annotations

import io
import logging

import pytest

from companion.app.turn.bounded_log import MOST_ALIKE, MOST_OF_LOGGER, BoundedLog
from companion.core.timing.events import SECOND

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts


class Kept(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(f"{record.levelname} {record.name}: {record.getMessage()}")


class Log:
    """A logger of the test's own behind the bound, and its clock."""

    def __init__(self) -> None:
        self.kept, self.now_ns = Kept(), 0
        self.handler = BoundedLog(self.kept, lambda: self.now_ns)
        self.logger = logging.Logger("web")
        self.logger.addHandler(self.handler)


def test_texts_that_differ_in_numbers_alone_are_one_and_what_is_left_out_is_counted() -> None:
    log = Log()
    for number in range(100_000):
        log.logger.error("connection %d from 10.0.0.%d refused", number, number % 256)
    assert len(log.kept.texts) == MOST_ALIKE
    log.now_ns = 10 * SECOND
    log.handler.flush()
    assert log.kept.texts[-1] == (
        "ERROR web: 99,980 more lines left out in 10 s, the last: connection 99999 from 10.0.0.159 refused"
    )


def test_a_logger_that_says_something_else_each_time_is_bounded_too() -> None:
    log = Log()
    for number in range(100_000):
        word = "".join(chr(ord("g") + int(digit)) for digit in str(number))
        log.logger.warning("no card has the code %s", word)
    log.handler.close()
    assert len(log.kept.texts) <= MOST_OF_LOGGER + 3
    left_out = [
        int(text.split(": ")[1].split(" more")[0].replace(",", "")) for text in log.kept.texts if " more " in text
    ]
    assert sum(left_out) + len(log.kept.texts) - len(left_out) == 100_000


def test_another_text_is_written_while_one_is_left_out() -> None:
    log = Log()
    for _ in range(50):
        log.logger.error("refused")
    log.logger.error("the disk is full")
    assert log.kept.texts[-1] == "ERROR web: the disk is full"


def test_what_is_asked_for_by_level_is_written_whole() -> None:
    log = Log()
    for _ in range(1000):
        log.logger.debug("a line of the record")
    assert len(log.kept.texts) == 1000


def test_the_count_is_written_with_the_next_line_after_the_window() -> None:
    log = Log()
    for _ in range(MOST_ALIKE + 1):
        log.logger.error("refused")
    log.now_ns = 11 * SECOND
    log.logger.info("ready")
    assert log.kept.texts[-2:] == ["ERROR web: 1 more lines left out in 10 s, the last: refused", "INFO web: ready"]


class Unread(logging.Handler):
    def flush(self) -> None:
        raise BrokenPipeError


def test_a_log_that_nobody_reads_any_more_ends_nothing() -> None:
    with io.StringIO() as stream:
        closed = BoundedLog(logging.StreamHandler(stream))
    closed.flush()
    BoundedLog(Unread()).flush()
