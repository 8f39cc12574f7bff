"""The file of people: read anew each time, put in its place as a whole, and only for the box's own user to read.

Threads: any; whoever changes it holds a lock from reading to writing. Everything may block for the disk. Two programs
never change it at once: both `companion people` and the box change names in the journal too, which one of them has.
"""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

import msgspec

from companion.core.errors import Unavailable
from companion.core.people.book import Book
from companion.core.words.encoding import encode
from companion.files.aside import set_aside
from companion.files.durable import PRIVATE_MODE, make_folder, put
from companion.files.reading import MIB, NotThere, read_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOG = logging.getLogger("companion")

FILE_NAME = "people.json"
VERSION = 1


class PeopleFile:
    """The book of people of one state directory. fault: a sentence where a broken file was set aside, else empty.

    on_book: told who is on the list whenever it was read or written, in the thread that did it.
    """

    def __init__(self, directory: Path) -> None:
        self.path = directory / FILE_NAME
        self.fault = ""
        self.on_book: Callable[[tuple[str, ...]], None] = lambda _: None
        self._lock = threading.Lock()

    def read(self) -> Book:
        """Give the book; an empty one where there is no file yet. A broken file is set aside, and `fault` says so.

        Raises Unavailable: no permission, a failing disk, or a newer version wrote it.
        """
        with self._lock:
            book = self._read()
            self.on_book(book.people)
            return book

    def change(self, change: Callable[[Book], Book]) -> Book:
        """Put another book in the place of the one that is there, durably, and give it; an equal one is not written.

        Raises what `change` raises, and Unavailable; then nothing has changed.
        """
        with self._lock:
            before = self._read()
            after = change(before)
            if after != before:
                self._write(after)
            self.on_book(after.people)
            return after

    def _read(self) -> Book:
        try:
            content = read_file(self.path, MIB)
        except NotThere:
            return Book()
        except ValueError as error:  # far too large to be one
            return self._broken(str(error))
        try:
            if msgspec.json.decode(content, type=_Version).version > VERSION:
                raise Unavailable(f"{self.path} was written by a newer version of this program: install that one")
            return msgspec.json.decode(content, type=Book)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return self._broken(str(error))

    def _broken(self, why: str) -> Book:
        try:
            aside = set_aside(self.path)
        except OSError as error:
            raise Unavailable(f"{self.path} is damaged ({why}) and cannot be set aside: {error.strerror}") from error
        self.fault = f"{self.path.name} was damaged ({why}); it is kept as {aside.name}, and a new list has been begun"
        LOG.error("%s", self.fault)
        return Book()

    def _write(self, book: Book) -> None:
        try:
            make_folder(self.path.parent)
            put(self.path, msgspec.json.format(encode(book)) + b"\n", PRIVATE_MODE)
        except OSError as error:
            raise Unavailable(f"the list of players cannot be stored: {error.strerror or error}") from error


class _Version(msgspec.Struct):
    """Of the file, no more than which version wrote it."""

    version: int = VERSION
