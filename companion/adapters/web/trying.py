"""Trying the box out: on a simulated one anybody may begin a match where none runs, and turn cards in it.

No more than its panel allows anyway, which everybody may press there, with the knob; in one tap instead of many. Knows
no game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.web.access.answers import answer, read_body
from companion.adapters.web.access.errors import refusal
from companion.adapters.web.api import ask
from companion.adapters.web.wire import messages
from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.play.commands import Command, EnterCard, NewMatch, Player
from companion.core.words.texts import text

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from companion.adapters.web.api import Desk

SEATS = (Colour.RED, Colour.YELLOW)
"""Who plays: two are enough for one to be first; in a game that needs more, the others too."""


async def begin(desk: Desk, request: Request) -> Response:
    """Begin a practice match of two, or as many as the game needs: each ruling is explained."""
    body = await read_body(request, messages.TriedGame)
    fewest = next((game["min_seats"] for game in desk.views.games() if game["name"] == body.game), len(SEATS))
    seats = (*SEATS, *(colour for colour in Colour if colour not in SEATS))[: max(fewest, len(SEATS))]
    players = tuple(Player(colour) for colour in seats)
    return await _carried_out(desk, NewMatch(game=body.game, seats=players, files=body.files, practice=True))


async def turn_card(desk: Desk, request: Request) -> Response:
    """Say which card lies face up now."""
    body = await read_body(request, messages.TriedCard)
    return await _carried_out(desk, EnterCard(card=body.card))


async def _carried_out(desk: Desk, command: Command) -> Response:
    """Have a command carried out. Raises ApiError, also on a real box: there the referee does this."""
    if not desk.hub.simulated:
        raise refusal(Illegal(text("only a simulated box is tried out so: on this one the referee begins a match")))
    done = await ask(lambda answer_to: desk.referee.ask(command, answer_to))
    return answer(messages.DoneAnswer(ok=True, seq=desk.hub.seq, says=done.says))
