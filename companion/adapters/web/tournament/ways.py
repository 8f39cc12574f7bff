"""Every address of a desk's API in one table, from which routes and description are both made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.adapters.web.endpoints import Endpoint
from companion.adapters.web.tournament import api, messages
from companion.adapters.web.wire.messages import Puzzle
from companion.tournament.organiser import acts

if TYPE_CHECKING:
    import msgspec

    from companion.adapters.web.tournament.api import Handler
    from companion.adapters.web.tournament.messages import Role


class Way(NamedTuple):
    """An address and what it does. body, gives: None for none, or for what is no struct. needs: None for everybody.

    refusals: statuses beside those that every address has.
    """

    method: str
    path: str
    handler: Handler
    says: str
    body: type[msgspec.Struct] | None = None
    gives: type[msgspec.Struct] | None = None
    media_type: str = "application/json"
    needs: Role | None = None
    refusals: tuple[int, ...] = ()

    def endpoint(self) -> Endpoint:
        """Give it as the box's own addresses are described; nobody calls it as one of these."""
        handler: Any = self.handler
        return Endpoint(
            self.method, self.path, handler, self.says, self.body, self.gives, self.media_type,
            self.needs is not None, self.refusals,
        )  # fmt: skip


def _part(name: str, says: str, needs: Role | None = None) -> Way:
    return Way("GET", f"/api/{name}", api.get_part(name), says, needs=needs, refusals=(503,))


def _act(name: str, kind: type[acts.Act], says: str, needs: Role = "organiser") -> Way:
    return Way(
        "POST", f"/api/acts/{name}", api.carry_out(kind), says, kind, messages.Done, needs=needs, refusals=(409, 503)
    )  # fmt: skip


SESSION = (
    Way("GET", "/api/session", api.get_session, "What the caller may do", None, messages.Who),
    Way(
        "POST", "/api/session", api.log_in, "Open a session of a role", messages.LogIn, messages.Who,
        refusals=(403, 429),
    ),
    Way("DELETE", "/api/session", api.log_out, "End the caller's sessions", None, messages.Who),
    Way("GET", "/api/session/puzzle", api.get_puzzle, "The work that the next try of a PIN must bring", None, Puzzle),
)  # fmt: skip
READING = (
    _part("event", "The event: where it stands, what to do now, clock, seed, head of the log"),
    _part("tables", "The tables of the newest round, live"),
    _part("pairings", "Who sits where in the newest round"),
    Way(
        "GET", "/api/pairings/{round}", api.get_pairings, "Who sat where in a round", refusals=(400, 409, 503)
    ),
    _part("standings", "The standings as results stand"),
    Way(
        "GET", "/api/player/{player}", api.get_player, "One player's way, and how each number came about",
        refusals=(400, 409, 503),
    ),
    _part("players", "All players with all that is entered of them", "organiser"),
    _part("boxes", "The boxes, and those that wait to be enrolled", "organiser"),
    _part("rounds", "The drawings, and what was changed by hand", "organiser"),
    _part("notes", "What the organiser should know", "organiser"),
    _part("disputes", "The protests, those that wait first", "referee"),
    Way(
        "GET", "/api/swap/{round}/{one}/{other}", api.get_swap, "What it would make of a drawing that two swap places",
        needs="organiser", refusals=(400, 409, 503),
    ),
    Way(
        "GET", "/api/disputes/{round}/{table}/{match}/{line}", api.get_account, "What a record says of a protest",
        needs="referee", refusals=(400, 409, 503),
    ),
    Way("GET", "/api/prints", api.get_prints, "What can be printed", needs="referee"),
    Way(
        "GET", "/api/prints/{key}.pdf", api.get_print, "A print as PDF; ?paper=A4 or Letter, ?round=3",
        media_type="application/pdf", needs="referee", refusals=(400, 404, 409, 503),
    ),
    Way(
        "GET", "/api/players.csv", api.get_players_csv, "All players as CSV", media_type="text/csv", needs="organiser",
        refusals=(503,),
    ),
    Way(
        "GET", "/api/event.zip", api.get_archive, "The event's file, which anybody can check",
        media_type="application/zip", needs="organiser", refusals=(409, 503),
    ),
)  # fmt: skip
DOING = (
    Way(
        "POST",
        "/api/players/import",
        api.import_players,
        "Enter the players of a CSV file, all or none",
        messages.Import,
        messages.Done,
        needs="organiser",
        refusals=(409, 503),
    ),
    _act("enter-player", acts.EnterPlayer, "Enter a player"),
    _act("edit-player", acts.EditPlayer, "Put an entry right"),
    _act("keep-apart", acts.KeepApart, "Keep two players apart, or let them meet again"),
    _act("open-check-in", acts.OpenCheckIn, "Let players check in"),
    _act("close-check-in", acts.CloseCheckIn, "End the check-in, and tell the seed"),
    _act("check-in", acts.CheckIn, "A player is there"),
    _act("drop", acts.Drop, "A player leaves"),
    _act("enrol-box", acts.EnrolBox, "Enrol the box that shows a code"),
    _act("let-box-go", acts.LetBoxGo, "Have a box take part no more"),
    _act("draw", acts.DrawRound, "Draw the next round"),
    _act("swap", acts.SwapPlayers, "Have two players change places"),
    _act("assign", acts.AssignTable, "Have a table played, or go on, on a box"),
    _act("clock", acts.TurnClock, "Start, pause, resume or stop the round's clock"),
    _act("announce", acts.Announce, "Say something on all displays", "referee"),
    _act("result", acts.EnterResult, "Enter a table's result by hand", "referee"),
    _act("points", acts.GivePoints, "Give a player's points of a round", "referee"),
    _act("final", acts.MakeFinal, "Make a table's result final", "referee"),
    _act("answer", acts.AnswerProtest, "Answer a protest", "referee"),
    _act("end", acts.EndEvent, "End the event"),
)
WAYS: tuple[Way, ...] = (*SESSION, *READING, *DOING)
