"""The addresses under `/api/session` beside the PIN itself: the work of a try, and the code on the box's display."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.web.access.answers import answer, read_body
from companion.adapters.web.access.callers import caller_of
from companion.adapters.web.access.errors import ApiError, refusal
from companion.adapters.web.access.screen_code import LIFE_NS
from companion.adapters.web.api import opened
from companion.adapters.web.wire import messages
from companion.core.errors import CompanionError, Illegal
from companion.core.shown.scene import Final, Idle, Invitation, Lobby
from companion.core.timing.events import SECOND
from companion.core.words.texts import text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.adapters.web.access.screen_code import ScreenCodes
    from companion.adapters.web.api import Desk

QUIET = (Lobby, Idle, Final, Invitation)
"""What may make way for a code: nobody is waiting for anything else on the display."""


async def get_puzzle(desk: Desk, request: Request) -> Response:
    """Give the work that the caller's next try of a PIN must bring."""
    puzzle, bits = desk.guard.puzzle(caller_of(request))
    return answer(messages.Puzzle(puzzle=puzzle, bits=bits))


async def ask_code(desk: Desk, request: Request) -> Response:
    """Have a code shown on the box's display."""
    await read_body(request, messages.Empty)
    codes = _codes(desk)
    snapshot = desk.hub.snapshot
    if snapshot is None or not isinstance(snapshot.scene.body, QUIET):
        raise refusal(Illegal(text("a code is shown only while no race is on and nothing is asked: try again then")))
    try:
        shown = codes.ask(caller_of(request))
    except CompanionError as error:
        raise refusal(error) from None
    desk.notices.show_code(shown.code, shown.caller, shown.until_ns)
    return answer(messages.CodeTicket(ticket=shown.ticket, seconds=LIFE_NS // SECOND))


async def log_in_by_code(desk: Desk, request: Request) -> Response:
    """Open a referee's session by the code that the display shows."""
    body = await read_body(request, messages.LogInByCode)
    codes = _codes(desk)
    is_right = codes.take(body.ticket, body.code)
    if not codes.is_shown:
        desk.notices.hide_code()
    if not is_right:
        raise ApiError(403, "wrong_code", text("the code is wrong, or shown no longer"))
    desk.notices.note(f"a referee's desk was opened by the code on the display, from {caller_of(request)}")
    return opened(desk, request, desk.guard.begin())


def _codes(desk: Desk) -> ScreenCodes:
    """Give the codes. Raises ApiError where none can be shown."""
    if desk.codes is None or not desk.notices.can_show_code():
        raise refusal(Illegal(text("this box shows no codes: use the PIN")))
    return desk.codes
