"""The profiles of a box, a file each: STATE/profiles/ID.json, for the box's own user alone to read.

A file each, so that a damaged one costs one person theirs, and one of a newer version is nobody else's matter. Each is
put in its place as a whole, under a name that tells nothing and stays when the person is renamed: a rename is one
write, and no power cut leaves two. A damaged file is set aside; one of a newer version is left as it is, never written
over, and said. All are kept in memory: the seating waits for no disk.

Threads: any. Readers see one frozen tuple; whoever looks into the folder or changes it holds a lock, and waits for the
disk. Two programs never change it at once: `companion profiles` changes nothing while the box runs.
"""

from __future__ import annotations

import logging
import secrets
import threading
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal, Malformed, Unavailable
from companion.core.people.names import is_same
from companion.core.profiles.exchange import LARGEST_TOLD, NewerVersion, as_file, from_file, name_in
from companion.core.words.texts import text
from companion.files.aside import MARK, set_aside
from companion.files.durable import PRIVATE_MODE, make_folder, put, sync_folder
from companion.files.reading import read_start, shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.core.profiles.profile import Profile

LOG = logging.getLogger("companion")

FOLDER = "profiles"
FOLDER_MODE = 0o700
MOST_PROFILES = 200
MOST_LOOKED_AT = 2000
"""Names in the folder that are looked at: what somebody has tipped in there does not hold the box up."""


class _Found(NamedTuple):
    """A file of the folder. name: of its person. profile: None where a newer version wrote it."""

    path: Path
    name: str
    profile: Profile | None


class ProfilesFolder:
    """The profiles of one state directory. problems: sentences on what lies there and is not read; () for nothing."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / FOLDER
        self.problems: tuple[str, ...] = ()
        self._found: tuple[_Found, ...] = ()
        self._said: dict[str, str] = {}  # of files that were set aside since the start
        self._lock = threading.Lock()

    # -- what waits for nothing --------------------------------------------------------------------------------------

    @property
    def kept(self) -> tuple[Profile, ...]:
        """The profiles as they were when the folder was last looked into or changed, by name."""
        return tuple(one.profile for one in self._found if one.profile is not None)

    def find(self, name: str) -> Profile | None:
        """Give a person's profile, None where there is none that can be read."""
        return next((profile for profile in self.kept if is_same(profile.name, name)), None)

    def has(self, name: str) -> bool:
        """Tell whether there is one of this person, of a newer version too."""
        return any(is_same(one.name, name) for one in self._found)

    # -- what waits for the disk -------------------------------------------------------------------------------------

    def look(self) -> None:
        """See what is in the folder now. Raises nothing: what cannot be read is in `problems`."""
        with self._lock:
            self._look()

    def change(self, name: str, change: Callable[[Profile | None], Profile]) -> Profile:
        """Put another profile in the place of a person's (None: there is none yet), durably, and give it.

        Raises what `change` raises, Illegal where there is no room or a newer version wrote it, and Unavailable; then
        nothing has changed.
        """
        with self._lock:
            self._look()
            before = next((one for one in self._found if is_same(one.name, name)), None)
            if before is not None and before.profile is None:
                raise Illegal(text("{newer}: it is left as it is").format(newer=_newer(before)))
            after = change(before.profile if before is not None else None)
            if before is None or after != before.profile:
                self._put(before, after)
            return after

    def remove(self, name: str) -> bool:
        """Keep a person's profile no longer, one of a newer version too; tell whether there was one.

        What a power cut left half written goes with it. Raises Unavailable.
        """
        with self._lock:
            self._look()
            mine = [one for one in self._found if is_same(one.name, name)]
            try:
                for one in mine:
                    one.path.unlink(missing_ok=True)
                self._sweep()
            except OSError as error:
                raise Unavailable(
                    text("the profile of {name} cannot be deleted: {why}").format(
                        name=name, why=error.strerror or error
                    )
                ) from error
            finally:
                self._look()
            return bool(mine)

    def asides(self) -> list[str]:
        """Name the damaged files that were set aside, in the state directory. Raises OSError."""
        paths = sorted(self.path.iterdir()) if self.path.is_dir() else []
        return [f"{FOLDER}/{path.name}" for path in paths if MARK in path.name]

    # -- inside ------------------------------------------------------------------------------------------------------

    def _put(self, before: _Found | None, after: Profile) -> None:
        others = [one for one in self._found if one is not before]
        if any(is_same(one.name, after.name) for one in others):
            raise Illegal(text("{name} has a profile already").format(name=after.name))
        if any(after.card and one.profile is not None and one.profile.card == after.card for one in others):
            raise Illegal(text("another person of this box has a card with this code: give out a new one"))
        if before is None and len(others) >= MOST_PROFILES:
            raise Illegal(text("this box keeps {most} profiles already: delete one first").format(most=MOST_PROFILES))
        path = before.path if before is not None else self.path / f"{secrets.token_hex(8)}.json"
        try:
            make_folder(self.path, FOLDER_MODE)
            put(path, as_file(after), PRIVATE_MODE)
        except OSError as error:
            why = error.strerror or str(error)
            raise Unavailable(
                text("the profile of {name} cannot be stored: {why}; nothing has changed").format(
                    name=after.name, why=why
                )
            ) from error
        self._found = _ordered([*others, _Found(path, after.name, after)])

    def _sweep(self) -> None:
        """Delete drafts that a power cut has left: nobody else writes here now."""
        if self.path.is_dir():
            for path in [path for path in self.path.iterdir() if path.name.startswith(".")]:
                path.unlink(missing_ok=True)
            sync_folder(self.path)

    def _look(self) -> None:
        problems: list[str] = []
        try:
            there = self.path.is_dir() and not self.path.is_symlink()
            paths = list(islice(self.path.iterdir(), MOST_LOOKED_AT + 1)) if there else []
        except OSError as error:
            self._say([text("the profiles cannot be read: {why}").format(why=error.strerror or error)])
            return
        found: list[_Found] = []
        for path in sorted(paths[:MOST_LOOKED_AT]):
            if path.suffix == ".json" and not path.name.startswith(".") and MARK not in path.name:
                self._read(path, found, problems)
        if len(paths) > MOST_LOOKED_AT:
            problems.append(
                text("{path} has more than {most} names: the others are not looked at").format(
                    path=shown(self.path), most=MOST_LOOKED_AT
                )
            )
        self._found = _ordered(found)
        self._say([*self._said.values(), *problems])

    def _read(self, path: Path, found: list[_Found], problems: list[str]) -> None:
        """Read a file into `found`; where it is none that this program reads, say why."""
        try:
            content = read_start(path, LARGEST_TOLD + 1)
            profile = from_file(content)
        except NewerVersion:
            one = _Found(path, name_in(content), None)
            problems.append(
                text("{newer}: install that version; until then {name} plays without it").format(
                    newer=_newer(one), name=one.name or "its person"
                )
            )
            found.append(one)
            return
        except Malformed as error:
            self._set_aside(path, str(error), problems)
            return
        except Unavailable as error:
            problems.append(text("a profile is left out: {why}").format(why=error))
            return
        if any(is_same(one.name, profile.name) for one in found):
            problems.append(
                text("{path} is left out: {name} has another profile").format(path=shown(path), name=profile.name)
            )
        elif len(found) >= MOST_PROFILES:
            problems.append(
                text("{path} is left out: this box keeps {most} profiles").format(path=shown(path), most=MOST_PROFILES)
            )
        else:
            found.append(_Found(path, profile.name, profile))

    def _set_aside(self, path: Path, why: str, problems: list[str]) -> None:
        try:
            aside = set_aside(path)
        except OSError as error:
            problems.append(
                text("a profile is damaged ({why}) and cannot be set aside: {error}").format(
                    why=why, error=error.strerror or error
                )
            )
            return
        self._said[path.name] = text("a profile was damaged ({why}); it is kept as {folder}/{aside}").format(
            why=why, folder=FOLDER, aside=aside.name
        )

    def _say(self, problems: list[str]) -> None:
        told = tuple(problems)
        if told != self.problems:
            for problem in told[:10]:
                LOG.warning("%s", problem)
        self.problems = told


def _ordered(found: list[_Found]) -> tuple[_Found, ...]:
    return tuple(sorted(found, key=lambda one: (one.name.casefold(), one.name)))


def _newer(one: _Found) -> str:
    return text("the profile of {name} was written by a newer version of this program").format(
        name=one.name or "somebody"
    )
