"""Passwords of an event: one for the desk and one for each box, drawn here and kept in a file that only the desk reads.

A line of the file is `USER:PASSWORD`. A password once drawn stays, whatever is asked for later; one that has got into
wrong hands is taken out, and the next call draws another. Each has 100 bits: no broker's hash of it need be slow.
"""

from __future__ import annotations

import secrets
import stat
from typing import TYPE_CHECKING

from companion.app.tournament.broker.access import DESK, names_of
from companion.core.errors import Malformed, Unavailable
from companion.files import durable
from companion.files.reading import NotThere, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "broker-logins"
_SIGNS = "abcdefghijkmnpqrstuvwxyz23456789"
"""32 signs that nobody takes for another when a password is copied by hand."""
_GROUPS, _GROUP = 4, 5


def read_logins(folder: Path) -> dict[str, str]:
    """Give the passwords by user name; none where the file is not there.

    Raises Unavailable: it cannot be read, or others can read it too. Malformed.
    """
    path = folder / FILE
    try:
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Unavailable(
                f"{path} may be read by others: chmod 600 {path}, and draw the passwords anew if they were"
            )
        lines = read_text(path).splitlines()
    except (NotThere, FileNotFoundError):
        return {}
    found = dict(line.split(":", 1) for line in lines if ":" in line)
    if len(found) != len(lines) or not all(found.values()):
        raise Malformed(f"{path} is not whole: each line is USER:PASSWORD, and no user is there twice")
    return found


def logins_for(folder: Path, event: str, boxes: Iterable[str]) -> dict[str, str]:
    """Give the passwords of the desk and of these boxes; what is not there yet is drawn and kept.

    Raises Malformed (a name; the file), Unavailable.
    """
    users = (DESK, *sorted(boxes))
    names_of(event, users[1:])
    known = read_logins(folder)
    drawn = {user: draw_password() for user in users if user not in known}
    if drawn:
        _keep(folder, known | drawn)
    return {user: (known | drawn)[user] for user in users}


def remove_login(folder: Path, user: str) -> None:
    """Forget a user's password, so that another will be drawn. Raises Malformed, Unavailable."""
    known = read_logins(folder)
    if known.pop(user, None) is not None:
        _keep(folder, known)


def draw_password() -> str:
    """Draw a password: four groups of five signs."""
    return "-".join("".join(secrets.choice(_SIGNS) for _ in range(_GROUP)) for _ in range(_GROUPS))


def _keep(folder: Path, logins: dict[str, str]) -> None:
    content = "".join(f"{user}:{password}\n" for user, password in sorted(logins.items()))
    try:
        durable.put(folder / FILE, content.encode(), durable.PRIVATE_MODE)
    except OSError as error:
        raise Unavailable(f"no passwords can be kept in {folder}: {error.strerror or error}") from error
