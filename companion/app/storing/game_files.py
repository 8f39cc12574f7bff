"""The files that games ask for: what comes along with them, what the box keeps, and what is done with a text.

Part of `app`: it brings together the folder, the installed games and what is told of them. Threads: any; what the box's
own loop asks for (`files`) waits for no disk once `look` has been called.
"""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from companion.adapters.game_files import MOST_BYTES, MOST_FILES, FileFolder
from companion.adapters.game_files.folder import Place
from companion.config.installed_games import games_in
from companion.config.reading import state_directory
from companion.core.errors import Illegal, Malformed, Unavailable, UnknownFile, UnknownGame
from companion.core.play.commands import Changed
from companion.core.play.seating import Table
from companion.core.record.lines import SetupFile
from companion.core.record.standing import standing_lines
from companion.core.ruling.parameters import LARGEST_FILE as LARGEST
from companion.core.ruling.parameters import DryRun, faults_of, told_faults, why_no_name
from companion.files.reading import package_text, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.app.guide.rehearsal import Rehearsals
    from companion.config.settings import Box, MatchSettings
    from companion.core.panel import Colour
    from companion.core.ruling.game import AnyGame
    from companion.core.ruling.parameters import Parameter, Sample
    from companion.ports import GameFile

LOG = logging.getLogger("companion")

Document = dict[str, Any]

LONGEST_RECORD = 5_000
"""Lines of a record that is judged by a file: some seconds of a small machine. An evening has some hundred."""
MOST_DIFFERING = 200
"""Races of one record that are told one by one."""


class GameFiles:
    """The port. find, names: of the installed games."""

    def __init__(self, folder: FileFolder, find: Callable[[str], AnyGame], names: Callable[[], Iterable[str]]) -> None:
        self._folder, self._find, self._names = folder, find, names
        self._samples: dict[tuple[str, str], tuple[tuple[Sample, SetupFile], ...]] = {}
        self._rehearsals: Rehearsals | None = None

    # -- for the seating ---------------------------------------------------------------------------------------------

    def look(self) -> None:
        """See what is in the folder; what cannot be read is said in the log and on the page."""
        self._folder.look()

    def files(self, game: str, key: str) -> tuple[SetupFile, ...]:
        """Give the files that there are for a parameter: those that come along, then those that the box keeps."""
        kept = (SetupFile(place.name, text) for place, text in self._kept(game, key))
        return (*(file for _, file in self._brought(game, key)), *kept)

    def given(self, game: AnyGame, said: Iterable[str]) -> dict[str, SetupFile]:
        """Give the files that settings name ("KEY=FILE") for a game. Raises Malformed, Unavailable."""
        files = {}
        for word in said:
            key, _, name = word.partition("=")
            asked = [parameter.key for parameter in game.parameters if parameter.kind == "file"]
            if key not in asked:
                told = f"it asks for {', '.join(asked)}" if asked else "it asks for none"
                raise Malformed(f"files: {game.name} asks for no file {key!r}: {told}; right would be {_right(asked)}")
            try:
                file = self._named(game.name, key, name)
            except (Malformed, Unavailable) as error:
                raise type(error)(f"files: {error}") from error
            if faults := faults_of(game, key, file.text):
                raise Malformed(f"files: {told_faults(name, faults)}")
            files[key] = file
        return files

    def _named(self, game: str, key: str, name: str) -> SetupFile:
        """Give the file of a name that comes along or is kept; a path (with a slash) or any other name is read."""
        known = () if "/" in name else self.files(game, key)
        path = Path(name).expanduser()
        return next((file for file in known if file.name == name), None) or SetupFile(
            path.name, read_text(path, LARGEST)
        )

    # -- for the page ------------------------------------------------------------------------------------------------

    def overview(self) -> Document:
        """Give every parameter that is a file, with the files there are for it."""
        self.look()
        problems = self._folder.problems
        more = (f"and {len(problems) - 10} more",) if len(problems) > 10 else ()
        kept = self._folder.kept
        return {
            "asked": [self._asked(self._find(name), p) for name in self._names() for p in _files_of(self._find(name))],
            "problems": [*problems[:10], *more],
            "room": {
                "files": len(kept),
                "most_files": MOST_FILES,
                "bytes": sum(len(text.encode()) for text in kept.values()),
                "most_bytes": MOST_BYTES,
                "largest": LARGEST,
            },
        }

    def read(self, game: str, key: str, name: str) -> Document:
        """Give a file whole."""
        found, parameter = self._parameter(game, key)
        self.look()
        text = self._folder.kept.get(Place(game, key, name))
        kind, file = "kept", None if text is None else SetupFile(name, text)
        if file is None:
            kind, file = "sample", next((one for _, one in self._brought(game, key) if one.name == name), None)
        if file is None and name == key and parameter.default != "":
            kind, file = "usual", SetupFile(key, str(parameter.default))
        if file is None:
            raise UnknownFile(f"there is no file {name!r} for {found.title}: {parameter.label}")
        return {
            "game": game,
            "title": found.title,
            "key": key,
            "label": parameter.label,
            "name": name,
            "text": file.text,
            "kind": kind,
            "seen": _seen(file.text) if kind == "kept" else None,
            "faults": _told(found, key, file.text),
        }

    def check(self, game: str, key: str, text: str) -> Document:
        """Give all that is wrong with a text."""
        found, _ = self._parameter(game, key)
        return {"faults": _told(found, key, text)}

    def save(self, game: str, key: str, name: str, text: str, seen: str | None) -> Document:
        """Keep a text under a name; also one with a fault, which nobody can play with yet."""
        found, _ = self._parameter(game, key)
        name = normalize("NFC", name.strip())
        if why := why_no_name(name):
            raise Malformed(f"field `name`: {why}")
        if name == key or any(file.name == name for _, file in self._brought(game, key)):
            raise Illegal(f"{name} comes along with {found.title}: give yours another name")
        if len(text.encode()) > LARGEST:
            raise Malformed(f"field `text`: {name} is too large: a file has at most {LARGEST // 1024} KiB")
        place = Place(game, key, name)
        self._verify_seen(place, seen)
        self._folder.put(place, text)
        faults = _told(found, key, text)
        many = f"{len(faults)} fault{'s' if len(faults) > 1 else ''}"
        later = f"; it has {many}, and no match begins with it before that is mended" if faults else ""
        return {"ok": True, "says": f"{name} is kept{later}", "name": name, "seen": _seen(text), "faults": faults}

    def remove(self, game: str, key: str, name: str, seen: str) -> str:
        """Keep a file no longer."""
        self._parameter(game, key)
        place = Place(game, key, name)
        if place not in self._folder.kept:
            raise UnknownFile(f"no file {name!r} is kept here")
        self._verify_seen(place, seen)
        self._folder.remove(place)
        return f"{name} is deleted; records of matches that were played with it have it still"

    def rehearse(self, file: GameFile, seats: Sequence[Colour], steps: Sequence[Any], asks: Any = None) -> Document:
        """Play a match that is kept nowhere."""
        self._parameter(file.game, file.key)
        if self._rehearsals is None:
            from companion.app.guide.rehearsal import Rehearsals  # what it shows with is not needed for presses

            self._rehearsals = Rehearsals(self._find)
        files = {file.key: SetupFile(file.key, file.text)}
        table = Table(game=file.game, seats=tuple(seats), files=files, practice=True)
        return self._rehearsals.told(table, steps, asks)

    def dry_run(self, game: str, key: str, text: str, lines: Sequence[bytes]) -> Document:
        """Judge a record by a text, beside what was ruled."""
        found, _ = self._parameter(game, key)
        if faults := faults_of(found, key, text):
            raise Malformed(told_faults(key, faults))
        return _run_document(self._run(found, key, text, lines))

    # -- inside ------------------------------------------------------------------------------------------------------

    def _run(self, game: AnyGame, key: str, text: str, lines: Sequence[bytes]) -> DryRun:
        if len(lines) > LONGEST_RECORD:
            return DryRun(0, 0, why_not=f"it is longer than {LONGEST_RECORD:,} lines")
        try:
            record = standing_lines(lines, self._own_lines(lines))
        except Malformed as error:
            return DryRun(0, 0, why_not=f"it cannot be read: {error}")
        dry_run = getattr(game, "dry_run", None)
        if dry_run is None:
            return DryRun(0, 0, why_not="this game compares no records")
        told: DryRun = dry_run(key, text, record)
        return told

    def _own_lines(self, lines: Sequence[bytes]) -> tuple[type[Any], ...]:
        """Give the line types of a record's game, none of one that is not installed."""
        setup = standing_lines(lines[:1])
        try:
            return self._find(getattr(setup[0], "game", "")).lines if setup else ()
        except UnknownGame:
            return ()

    def _parameter(self, game: str, key: str) -> tuple[AnyGame, Parameter]:
        """Give what asks for a file. Raises UnknownFile."""
        try:
            found = self._find(game)
        except UnknownGame as error:
            raise UnknownFile(str(error)) from error
        for parameter in _files_of(found):
            if parameter.key == key:
                return found, parameter
        raise UnknownFile(f"{found.title} asks for no file {key!r}")

    def _verify_seen(self, place: Place, seen: str | None) -> None:
        """Raise Changed where something else is kept under a name than was seen there."""
        text = self._folder.kept.get(place)
        now = None if text is None else _seen(text)
        if now == seen:
            return
        if text is None:
            raise Changed(f"{place.name} is kept no longer: it was deleted meanwhile")
        raise Changed(f"another text is kept as {place.name} by now")

    def _kept(self, game: str, key: str) -> list[tuple[Place, str]]:
        mine = (one for one in self._folder.kept.items() if one[0][:2] == (game, key))
        return sorted(mine, key=lambda one: one[0].name.casefold())

    def _brought(self, game: str, key: str) -> tuple[tuple[Sample, SetupFile], ...]:
        """Give what a game brings along, read once; what its package does not have is left out, and logged."""
        if (game, key) not in self._samples:
            give = getattr(self._find(game), "samples", None)
            read = [] if give is None else [_read_sample(game, sample) for sample in give(key)]
            self._samples[game, key] = tuple(one for one in read if one is not None)
        return self._samples[game, key]

    def _asked(self, game: AnyGame, parameter: Parameter) -> Document:
        usual, brought = parameter.default, self._brought(game.name, parameter.key)
        listed = [
            _listed(file, sample.title, "sample", game, parameter.key, is_usual=file.text == usual)
            for sample, file in brought
        ]
        if usual != "" and all(file.text != usual for _, file in brought):
            plain = SetupFile(parameter.key, str(usual))
            listed.insert(0, _listed(plain, "as the game has it", "usual", game, parameter.key, is_usual=True))
        for place, text in self._kept(game.name, parameter.key):
            listed.append(_listed(SetupFile(place.name, text), "", "kept", game, parameter.key, is_usual=False))
        return {
            "game": game.name,
            "title": game.title,
            "key": parameter.key,
            "label": parameter.label,
            "needed": usual != "",
            "min_seats": game.seats.fewest,
            "max_seats": game.seats.most,
            "files": listed,
        }


def _files_of(game: AnyGame) -> list[Parameter]:
    return [parameter for parameter in game.parameters if parameter.kind == "file"]


def _read_sample(game: str, sample: Sample) -> tuple[Sample, SetupFile] | None:
    try:
        return sample, SetupFile(sample.name, package_text(sample.text))
    except (OSError, ValueError, ImportError) as error:
        LOG.warning("the game %s has no sample that can be read (%s): %s", game, sample.text, error)
        return None


def _listed(file: SetupFile, title: str, kind: str, game: AnyGame, key: str, *, is_usual: bool) -> Document:
    return {
        "name": file.name,
        "title": title,
        "kind": kind,
        "is_usual": is_usual,
        "seen": _seen(file.text) if kind == "kept" else None,
        "faults": len(faults_of(game, key, file.text)),
    }


def _seen(text: str) -> str:
    """Give what tells one text from another."""
    return sha256(text.encode()).hexdigest()[:16]


def _told(game: AnyGame, key: str, text: str) -> list[Document]:
    return [{"line": fault.line, "says": fault.says} for fault in faults_of(game, key, text)]


def _run_document(run: DryRun) -> Document:
    differing = [{"race": one.race, "ruled": one.ruled, "would": one.would} for one in run.differing[:MOST_DIFFERING]]
    return {
        "races": run.races,
        "agreed": run.agreed,
        "differing": differing,
        "left_out": len(run.differing) - len(differing),
        "why_not": run.why_not,
    }


def _right(asked: Sequence[str]) -> str:
    return f"{asked[0]}=PATH" if asked else "another game"


@cache
def files_in(folder: Path, language: str) -> GameFiles:
    """Give the files of a box that keeps its state in a folder, the same ones to everybody who asks."""
    games = games_in(language)
    return GameFiles(FileFolder(folder), games.find, games.names)


def files_of(box: Box, match: MatchSettings) -> dict[str, SetupFile]:
    """Give the files that the settings name for their game. Raises Malformed, Unavailable where one is no good."""
    if not match.files:
        return {}
    files = files_in(state_directory(box), box.language)
    files.look()
    return files.given(games_in(box.language).find(match.game), match.files)
