"""Refusals of the API: which status and code an error has. The table is in `README.md`."""

from __future__ import annotations

from companion.adapters.web.phones.places import NoPhone
from companion.core.errors import (
    CompanionError,
    Illegal,
    Malformed,
    Unavailable,
    UnknownFile,
    UnknownGame,
    UnknownMatch,
)
from companion.core.evidence.strip import NoSuchRace
from companion.core.evidence.written import Altered
from companion.core.people.book import UnknownPerson
from companion.core.play.commands import Changed


class ApiError(Exception):
    """A request is refused. headers: what the answer has beside the usual ones."""

    def __init__(self, status: int, code: str, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.headers = headers or {}


_STATUS: tuple[tuple[type[CompanionError], int, str], ...] = (
    (Changed, 409, "changed"),
    (NoPhone, 404, "not_found"),
    (UnknownMatch, 404, "not_found"),
    (UnknownFile, 404, "not_found"),
    (NoSuchRace, 404, "not_found"),
    (UnknownPerson, 404, "not_found"),
    (Altered, 503, "unavailable"),
    (UnknownGame, 400, "malformed"),
    (Unavailable, 503, "unavailable"),
    (Malformed, 400, "malformed"),
    (Illegal, 409, "illegal"),
)


def refusal(error: CompanionError) -> ApiError:
    """Give the refusal for an error of the core."""
    for kind, status, code in _STATUS:
        if isinstance(error, kind):
            return ApiError(status, code, str(error))
    return ApiError(409, "illegal", str(error))
