"""Judges a record file again: what `companion replay` does. Reads bytes, writes UTF-8; knows no adapter."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO

import click

from companion.config.installed_games import games_in
from companion.config.languages import ENGLISH
from companion.config.languages import language as language_of
from companion.core.errors import Unavailable
from companion.core.record.lines import LONGEST_LINE
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault
from companion.core.words.encoding import encode
from companion.files.reading import open_file, unreadable
from companion.screens.text.account import Account

if TYPE_CHECKING:
    from collections.abc import Iterator


JUDGED, FAULTY, UNREADABLE = 0, 1, 2
INTERRUPTED = 130
READER_GONE = 141
"""What a shell reports for a program that a closed pipe ended."""


@click.command("replay")
@click.argument("record", metavar="FILE")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--language", metavar="CODE", default=ENGLISH, help="Of the account: en, de, fr, it.")
def command(record: str, as_json: bool, language: str) -> int:
    """Judge the record of a match again; - reads standard input."""
    return run_replay(record, as_json, sys.stdout.buffer, sys.stderr, language=language)


def run_replay(
    path: str, as_json: bool, out: BinaryIO, err: TextIO, stdin: BinaryIO | None = None, language: str = ENGLISH
) -> int:
    """Judge the record at `path` ("-": standard input) and give the exit status.

    as_json: one object a line on `out`, and nothing else there; else a readable account. 0: judged; 1: the record has a
    faulty line; 2: the file cannot be read, with one line on `err`. Rulings are flushed as they are made when the
    record comes from standard input, so that a running match can be followed. language: of the account, by its code.
    """
    name = "standard input" if path == "-" else path
    follows = path == "-"
    status = JUDGED
    try:
        with opened(path, stdin) as record:
            lines = lines_in(record, name)
            for text, is_fault in _objects(lines) if as_json else _sentences(lines, language):
                out.write(text + b"\n")
                if follows:
                    out.flush()
                status = FAULTY if is_fault else status
        out.flush()
    except BrokenPipeError:
        _abandon(out)
        return READER_GONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Unavailable as error:
        err.write(f"companion replay: {error}\n")
        return UNREADABLE
    except OSError as error:
        err.write(f"companion replay: cannot write the rulings: {error.strerror or error}\n")
        return UNREADABLE
    return status


@contextmanager
def opened(path: str, stdin: BinaryIO | None) -> Iterator[BinaryIO]:
    """Open a record ("-": standard input). Raises Unavailable."""
    if path == "-":
        yield stdin if stdin is not None else sys.stdin.buffer
        return
    with open_file(path) as record:
        yield record


def lines_in(record: BinaryIO, name: str) -> Iterator[bytes]:
    """Give the lines as they come; one that is too long comes in parts, the first of which is refused."""
    while True:
        try:
            line = record.readline(LONGEST_LINE + 1)
        except OSError as error:
            raise unreadable(name, error) from error
        if not line:
            return
        yield line


def _objects(lines: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    for ruling in judge_record(lines, games_in(ENGLISH).find):
        yield encode(ruling), isinstance(ruling, Fault)


def _sentences(lines: Iterator[bytes], language: str) -> Iterator[tuple[bytes, bool]]:
    account = Account(games_in(language).find, language_of(language))
    for sentence in account.tell(lines):
        yield sentence.encode(), account.fault is not None


def _abandon(out: BinaryIO) -> None:
    """Send what is still buffered nowhere: the interpreter would complain about it when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, out.fileno())
    finally:
        os.close(nowhere)
