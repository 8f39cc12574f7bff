"""What each address of a desk's API does. Knows no desk but by its ports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from companion.adapters.web.access.answers import answer, read_body
from companion.adapters.web.access.callers import caller_of
from companion.adapters.web.access.errors import ApiError, refusal
from companion.adapters.web.access.opening import cookie_of, session_by_pin, wrong_pin
from companion.adapters.web.people import attachment
from companion.adapters.web.spoken.choosing import answering
from companion.adapters.web.tournament import messages
from companion.adapters.web.tournament.entry import COOKIES
from companion.adapters.web.wire.messages import Puzzle
from companion.core.errors import CompanionError
from companion.core.words.texts import text
from companion.threads.aside import aside

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from companion.adapters.web.pages import Pages
    from companion.adapters.web.tournament.entry import Entry
    from companion.adapters.web.tournament.hub import Hub
    from companion.adapters.web.tournament.messages import Role
    from companion.ports import DeskActs, DeskPrints, DeskViews, Languages
    from companion.tournament.organiser.acts import Act

    Handler = Callable[["Parts", Request], Awaitable[Response]]

PAPERS = ("A4", "Letter")
LONG = frozenset(("standings",))
"""Parts that take long to write: of thousands of players, with numbers as each language has them."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """Everything that the API works on. prints: None where nothing is printed."""

    views: DeskViews
    acts: DeskActs
    prints: DeskPrints | None
    hub: Hub
    entry: Entry
    pages: Pages
    languages: Languages
    version: str


# -- who ---------------------------------------------------------------------------------------------------------------


async def get_session(parts: Parts, request: Request) -> Response:
    """Say what the caller may do."""
    return answer(messages.Who(role=parts.entry.role_of(request.cookies), version=parts.version))


async def log_in(parts: Parts, request: Request) -> Response:
    """Open a session."""
    body = await read_body(request, messages.LogIn)
    name = COOKIES[body.role]
    token = session_by_pin(parts.entry.guards[body.role], request, body.pin, body.work, name)
    if token is None:
        raise wrong_pin()
    role: Role = "organiser" if parts.entry.role_of(request.cookies) == "organiser" else body.role
    who = messages.Who(role=role, version=parts.version)
    return answer(who, headers={"set-cookie": cookie_of(request, token, name)})


async def log_out(parts: Parts, request: Request) -> Response:
    """End the caller's sessions."""
    response = answer(messages.Who(role=None, version=parts.version))
    for role, guard in parts.entry.guards.items():
        guard.log_out(request.cookies.get(COOKIES[role]))
        response.headers.append("set-cookie", cookie_of(request, "", COOKIES[role]))
    return response


async def get_puzzle(parts: Parts, request: Request) -> Response:
    """Give the work that the caller's next try must bring."""
    puzzle, bits = parts.entry.guards["organiser"].puzzle(caller_of(request))
    return answer(Puzzle(puzzle=puzzle, bits=bits))


# -- reading -----------------------------------------------------------------------------------------------------------


def get_part(name: str) -> Handler:
    """Give the handler of a part."""

    async def handle(parts: Parts, request: Request) -> Response:  # noqa: ARG001 - every handler has both
        document = await _asked(parts.hub.document(name))
        language = answering.get()
        return answer(await aside(document.said, language) if name in LONG else document.said(language))

    return handle


async def get_pairings(parts: Parts, request: Request) -> Response:
    """Give who sat where in a round."""
    return answer(await _asked(parts.views.pairings(_number(request, "round"))))


async def get_player(parts: Parts, request: Request) -> Response:
    """Give a player's way."""
    return answer(await _asked(parts.views.player(_number(request, "player"))))


async def get_swap(parts: Parts, request: Request) -> Response:
    """Give what it would make of a drawing that two change places."""
    numbers = (_number(request, name) for name in ("round", "one", "other"))
    return answer(await _asked(parts.views.swap(*numbers)))


async def get_account(parts: Parts, request: Request) -> Response:
    """Give what a record says of a protest."""
    place = (_number(request, "round"), _number(request, "table"))
    match, line = request.path_params["match"], _number(request, "line")
    return answer(await _asked(parts.views.account(place, match, line)))


async def get_prints(parts: Parts, request: Request) -> Response:  # noqa: ARG001
    """Say what can be printed."""
    return answer({"prints": await _printed(parts), "papers": PAPERS})


async def get_print(parts: Parts, request: Request) -> Response:
    """Give a print."""
    key, paper = request.path_params["key"], request.query_params.get("paper", PAPERS[0])
    if parts.prints is None or key not in {one["key"] for one in await _printed(parts)}:
        raise ApiError(404, "not_found", f"there is no print {key}")
    if paper not in PAPERS:
        raise ApiError(400, "malformed", f"paper: {paper} is none of {', '.join(PAPERS)}")
    asked = request.query_params.get("round")
    number = None if asked is None else _as_number(asked, "round")
    content = await _asked(parts.prints.pdf(key, paper, number, answering.get()))
    return _file(content, f"{key}.pdf", "application/pdf")


async def _printed(parts: Parts) -> list[Any]:
    found: list[Any] = [] if parts.prints is None else await _asked(parts.prints.all())
    return found


async def get_players_csv(parts: Parts, request: Request) -> Response:  # noqa: ARG001
    """Give all players as CSV."""
    return _file(await _asked(parts.acts.export_players()), "players.csv", "text/csv")


async def get_archive(parts: Parts, request: Request) -> Response:  # noqa: ARG001
    """Give the event's file."""
    return _file(await _asked(parts.acts.archive()), "event.zip", "application/zip")


def _file(content: bytes, name: str, media_type: str) -> Response:
    headers = {"content-disposition": attachment(name), "cache-control": "no-store"}
    return Response(content, 200, headers, media_type)


def _number(request: Request, name: str) -> int:
    return _as_number(request.path_params[name], name)


def _as_number(said: str, name: str) -> int:
    if not (said.isascii() and said.isdecimal() and 0 < len(said) <= 9):
        raise ApiError(400, "malformed", f"{name}: {said!r} is no number")
    return int(said)


# -- doing -------------------------------------------------------------------------------------------------------------


def carry_out(kind: type[Act]) -> Handler:
    """Give the handler of an act."""

    async def handle(parts: Parts, request: Request) -> Response:
        act: Any = await read_body(request, kind)
        return answer(messages.Done(says=await _asked(parts.acts.do(act))))

    return handle


async def import_players(parts: Parts, request: Request) -> Response:
    """Enter the players of a CSV file."""
    body = await read_body(request, messages.Import, messages.LARGEST_BODY)
    return answer(messages.Done(says=await _asked(parts.acts.import_players(body.text))))


async def _asked(asking: Awaitable[Any]) -> Any:
    """Give what the desk says. Raises ApiError for what it refuses."""
    try:
        return await asking
    except CompanionError as error:
        raise refusal(error) from None


def needed(role: Role) -> ApiError:
    """Give the refusal of what needs a role's session."""
    if role == "referee":
        return ApiError(401, "pin_needed", text("this needs the referee’s PIN, or the organiser’s"))
    return ApiError(401, "pin_needed", text("this needs the organiser’s PIN"))
