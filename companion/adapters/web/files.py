"""What each address of files does: a game's files listed, read, looked through, kept, deleted; a match tried out with
one, and stored matches judged by it. All of it needs the referee's session.

Knows no game; what there is comes from the port. A text is never run: it is data for the game's package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from companion.adapters.web import api
from companion.adapters.web.access.answers import answer, read_body
from companion.adapters.web.access.errors import ApiError
from companion.adapters.web.people import attachment, done
from companion.adapters.web.wire import files as bodies
from companion.core.words.texts import text
from companion.ports import GameFile

if TYPE_CHECKING:
    from starlette.requests import Request

    from companion.adapters.web.api import Desk
    from companion.ports import Document, GameFiles


def files_of(desk: Desk) -> GameFiles:
    """Give who keeps files. Raises ApiError where nobody does."""
    if desk.files is None:
        raise ApiError(503, "unavailable", text("this box keeps no files for games"))
    return desk.files


async def get_files(desk: Desk, request: Request) -> Response:  # noqa: ARG001 - every handler has both
    """Give every parameter that is a file, with the files there are for it."""
    return answer(await api.in_thread(desk, files_of(desk).overview))


async def read(desk: Desk, request: Request) -> Document:
    """Give the file of an address. Raises ApiError."""
    given = request.path_params
    found: Document = await api.in_thread(desk, files_of(desk).read, given["game"], given["key"], given["name"])
    return found


async def get_file(desk: Desk, request: Request) -> Response:
    """Give a file whole, with what is wrong with it."""
    return answer(await read(desk, request))


async def get_text(desk: Desk, request: Request) -> Response:
    """Give a file's text to be kept elsewhere."""
    found = await read(desk, request)
    headers = {"content-disposition": attachment(found["name"]), "cache-control": "no-store"}
    return Response(found["text"].encode(), 200, headers, "text/plain; charset=utf-8")


async def check_file(desk: Desk, request: Request) -> Response:
    """Give all that is wrong with a text."""
    body = await read_body(request, bodies.CheckFile)
    return answer(await api.in_thread(desk, files_of(desk).check, body.game, body.key, body.text))


async def keep_file(desk: Desk, request: Request) -> Response:
    """Keep a text under a name."""
    body = await read_body(request, bodies.KeepFile)
    kept = await api.in_thread(desk, files_of(desk).save, body.game, body.key, body.name, body.text, body.seen)
    return answer({**kept, "seq": desk.hub.seq})


async def remove_file(desk: Desk, request: Request) -> Response:
    """Keep a file no longer."""
    body = await read_body(request, bodies.RemoveFile)
    return done(desk, await api.in_thread(desk, files_of(desk).remove, body.game, body.key, body.name, body.seen))


async def try_file(desk: Desk, request: Request) -> Response:
    """Play a match with a text; nothing of it is kept."""
    body = await read_body(request, bodies.TryFile)
    file = GameFile(body.game, body.key, body.text)
    rehearse = files_of(desk).rehearse
    return answer(await api.in_thread(desk, rehearse, file, body.seats, body.steps, body.asks))


async def dry_run(desk: Desk, request: Request) -> Response:
    """Judge a stored match by a text. One match a request, so that others get their turn in between."""
    body = await read_body(request, bodies.DryRunFile)
    lines = await api.in_thread(desk, api.full_record, desk, body.match, api.running_as(desk, body.match))
    told = await api.in_thread(desk, files_of(desk).dry_run, body.game, body.key, body.text, lines)
    return answer({"match": body.match, **told})
