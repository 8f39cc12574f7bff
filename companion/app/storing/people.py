"""The people of a box: the list in its file, the records in its journal, and sheets made of both.

Part of `app`: it brings together the file, the stored matches, the games and what is told of them. Threads: any; the
judged matches are kept in memory by the bytes they were judged from, under a lock, so that each is judged once.
"""

from __future__ import annotations

import secrets
import threading
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import msgspec

from companion.adapters.sqlite_journal.store import FILE_NAME
from companion.core.errors import Illegal, Unavailable
from companion.core.people.book import Share, UnknownPerson
from companion.core.people.figures import seats_of
from companion.core.people.judged import facts_of
from companion.core.people.names import is_same, mentions, names_in, tidy, with_name
from companion.core.record.lines import NAMES_MARK
from companion.core.words.telling import in_words
from companion.core.words.texts import joined, listed, text, texts
from companion.files.aside import asides_of
from companion.screens.people.exported import as_csv, as_jsonl
from companion.screens.people.pdf import sheet_pdf, why_no_pdf
from companion.screens.people.sheet import Sheet
from companion.screens.people.sheets import (
    evening_sheet,
    everybody,
    overview,
    person_sheet,
    result_sheet,
    shared_document,
    unplayed_sheet,
)
from companion.screens.web.matches import match_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from companion.app.storing.profiles import StoredProfiles
    from companion.core.people.judged import MatchFacts
    from companion.core.ruling.game import Game
    from companion.core.words.language import Language
    from companion.ports import Archive, Journal

Document = dict[str, Any]

EXPORTS: Mapping[str, Callable[[Iterable[MatchFacts]], bytes]] = {"csv": as_csv, "jsonl": as_jsonl}
_NOTHING_LOOKED_AT: frozenset[int] = frozenset()


class JudgedMatches:
    """The stored matches that are over, judged again; each once for as long as its bytes stay the same."""

    def __init__(self, archive: Archive, find_game: Callable[[str], Game[Any]]) -> None:
        self._archive, self._find = archive, find_game
        self._known: dict[bytes, MatchFacts | None] = {}
        self._lock = threading.Lock()

    def counting(self, except_: frozenset[int] = _NOTHING_LOOKED_AT) -> list[MatchFacts]:
        """Give those that count, the oldest first: all but practice. except_: as for `all`. Raises Unavailable."""
        return [match for match in self.all(except_) if not match.is_practice]

    def all(self, except_: frozenset[int] = _NOTHING_LOOKED_AT) -> list[MatchFacts]:
        """Give them, the oldest first. except_: numbers of matches that are left out. Raises Unavailable."""
        with self._lock:
            known: dict[bytes, MatchFacts | None] = {}
            found = []
            for listed_match in reversed(self._archive.matches()):
                if listed_match["id"] in except_:
                    continue
                lines, started = self._archive.lines(listed_match["id"]), listed_match["started"]
                key = sha256(b"\n".join((str(listed_match["id"]).encode(), started.encode(), *lines))).digest()
                if key in self._known:
                    known[key] = self._known[key]
                else:
                    known[key] = facts_of(lines, listed_match["id"], started, self._find)
                found.append(known[key])
            self._known = known
        return [match for match in found if match is not None]


class StoredPeople:
    """The port. journal: None until the box has one: names in records are changed through it alone.

    profiles: of the same box; they are renamed and deleted with their people.
    """

    def __init__(self, profiles: StoredProfiles, archive: Archive, find_game: Callable[[str], Game[Any]]) -> None:
        self._file, self._archive, self._find = profiles.people, archive, find_game
        self._profiles = profiles
        self._judged = JudgedMatches(archive, find_game)
        self.journal: Journal | None = None

    # -- reading -----------------------------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Give everybody's name."""
        return list(everybody(self._file.read(), self._judged.all()))

    def overview(self, except_: frozenset[int]) -> Document:
        """Give the list of players, standings, evenings and links."""
        book = self._file.read()
        return overview(book, self._judged.counting(except_), self._file.fault)

    def person(self, name: str, except_: frozenset[int]) -> Document:
        """Give a person's sheet, which says little of whoever is only on the list yet."""
        matches, known = self._judged.counting(except_), self._file.read().find(name)
        if known is not None and not any(seats_of(match, name) for match in matches):
            return _told(unplayed_sheet(known), "people", name)
        return _told(person_sheet(name, matches, is_shared=False), "people", name)

    def evening(self, evening: str, except_: frozenset[int]) -> Document:
        """Give an evening's sheet."""
        return _told(evening_sheet(evening, self._judged.counting(except_), is_shared=False), "evenings", evening)

    def shared(self, token: str, except_: frozenset[int]) -> Document:
        """Give the sheet that a link shows."""
        shares = self._file.read().shares
        share = next((one for one in shares if secrets.compare_digest(one.token.encode(), token.encode())), None)
        if share is None:
            raise UnknownPerson(text("this link shows nothing: it has been taken back, or is not whole"))
        matches = self._judged.counting(except_)
        if share.person is not None:
            return _told(person_sheet(share.person, matches, is_shared=True), "shared", token)
        return _told(evening_sheet(share.evening or "", matches, is_shared=True), "shared", token)

    def result(self, match_id: int, lines: Sequence[bytes]) -> Document:
        """Give the sheet of a match's result."""
        row = next((one for one in self._archive.matches() if one["id"] == match_id), {"started": ""})
        told = match_document(lines, self._find)
        if not told.get("game"):
            says = text("match {match} has no result: its record cannot be judged")
            raise Illegal(says.format(match=match_id))
        sheet = result_sheet(match_id, row["started"], told, self._find(told["game"]), lines)
        return {**sheet.document(), **_pdf(f"/api/matches/{match_id}/result.pdf")}

    def pdf(self, document: Document, language: Language) -> bytes:
        """Give a sheet as PDF."""
        return sheet_pdf(msgspec.convert(in_words(document, language), Sheet), language.code)

    def exported(self, kind: str, except_: frozenset[int]) -> bytes:
        """Give all matches as a file."""
        return EXPORTS[kind](self._judged.counting(except_))

    # -- changing ----------------------------------------------------------------------------------------------------

    def add(self, names: Iterable[str]) -> None:
        """Put names on the list."""
        self._file.change(lambda book: book.with_people(names))

    def rename(self, old: str, new: str) -> str:
        """Change a name on the list and in every stored record."""
        called = tidy(new)
        self._verify_known(old)
        changed = self._change(old, called)
        told = self._profiles.rename(old, called)
        self._file.change(lambda book: book.renamed(old, called))
        said = texts(
            "{old} is called {new} from now on, in {count} record too",
            "{old} is called {new} from now on, in {count} records too",
            changed,
            old=old,
            new=called,
        )
        return joined((said, told), ". ") if told else said

    def remove(self, name: str) -> str:
        """Take a name off the list, out of every stored record, and the links to it back."""
        self._verify_known(name)
        changed = self._change(name, "")
        had_profile = self._profiles.forget(name)
        self._file.change(lambda book: book.without(name))
        said: list[str] = [
            texts(
                "{name} is deleted: from the list, the links and {count} record",
                "{name} is deleted: from the list, the links and {count} records",
                changed,
                name=name,
            )
        ]
        said += [text("The profile is deleted, too")] if had_profile else []
        return joined([*said, *self.left_of(name)], ". ")

    def left_of(self, name: str) -> list[str]:
        """Say where a name may still be found after it was deleted: in what seals cover, and in damaged files."""
        said: list[str] = []
        found = {one["id"]: mentions(self._archive.lines(one["id"]), name) for one in self._archive.matches()}
        places = [
            text("match {match} (line {lines})").format(match=match, lines=", ".join(map(str, lines)))
            for match, lines in sorted(found.items())
            if lines
        ]
        if places:
            says = text("What somebody typed has it still, and is sealed: {places}")
            said.append(says.format(places=listed(places)))
        asides = self._asides()
        if asides:
            says = text("Damaged files that were set aside may have it: {files}")
            said.append(says.format(files=listed(asides)))
        return said

    def share(self, person: str | None, evening: str | None) -> Document:
        """Give a new link."""
        matches = self._judged.counting()
        if person is not None:
            person_sheet(person, matches, is_shared=True)
        else:
            evening_sheet(evening or "", matches, is_shared=True)
        made = datetime.now(UTC).isoformat(timespec="seconds")
        share = Share(token=secrets.token_urlsafe(18), person=person, evening=evening, made=made)
        self._file.change(lambda book: book.shared(share))
        return shared_document(share.token, person, evening)

    def unshare(self, token: str) -> None:
        """Take a link back."""
        self._file.change(lambda book: book.unshared(token))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _change(self, old: str, new: str) -> int:
        if self.journal is None:
            raise Unavailable(text("the records cannot be changed: the box has no journal yet"))
        return self.journal.change_lines(NAMES_MARK, lambda line: with_name(line, old, new))

    def _verify_known(self, name: str) -> None:
        """Raise UnknownPerson where nobody on the list or in any record, over or not, has this name."""
        if self._file.read().find(name) is not None or self._profiles.has(name):
            return
        for one in self._archive.matches():
            if any(is_same(known, name) for known in names_in(self._archive.lines(one["id"]))):
                return
        raise UnknownPerson(text("nobody here is called {name}").format(name=name))

    def _asides(self) -> list[str]:
        folder: Path = self._file.path.parent
        kept = [path.name for kept in (FILE_NAME, self._file.path.name) for path in asides_of(folder / kept)]
        return [*kept, *self._profiles.asides()]


def _told(sheet: Sheet, kind: str, which: str) -> Document:
    return {**sheet.document(), **_pdf(f"/api/{kind}/{quote(quote(which, safe=''))}/sheet.pdf")}


def _pdf(address: str) -> Document:
    why_not = why_no_pdf()
    return {"pdf": address if why_not is None else None, "pdf_says": why_not}
