"""The standings as a document, and how a player's numbers came about. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.words.texts import text
from companion.screens.tournament.words import TIE_BREAKS, WHYS
from companion.tournament.standings.explaining import explain, shown
from companion.tournament.standings.standings import are_final, standings

if TYPE_CHECKING:
    from companion.screens.tournament.words import Document
    from companion.tournament.desk.desk import Desk
    from companion.tournament.log.lines import TieBreak
    from companion.tournament.results import RoundResults
    from companion.tournament.standings.rounds import RoundPoints
    from companion.tournament.standings.standings import Standing


class Basis(NamedTuple):
    """What standings follow from, taken from the desk at one instant: frozen, so that another thread may work on it.

    names: by player, with the club.
    """

    rounds: tuple[RoundResults, ...]
    players: tuple[int, ...]
    names: dict[int, tuple[str, str]]
    tie_breaks: tuple[TieBreak, ...]
    seed: str
    event: str

    def standings(self) -> tuple[Standing, ...]:
        """Work them out."""
        return standings(self.rounds, self.players, self.tie_breaks, self.seed, self.event)

    def called(self, player: int) -> str:
        """Give a player's name."""
        return self.names[player][0]


def basis_of(desk: Desk) -> Basis:
    """Take from a desk what its standings follow from."""
    event = desk.event
    names = {player.number: (player.name, player.club) for player in event.players.all.values()}
    return Basis(
        desk.results(), event.players.ever(), names, event.line.tie_breaks, event.seed or "", event.line.event
    )  # fmt: skip


def standings_document(basis: Basis, found: tuple[Standing, ...]) -> Document:
    """Give the standings."""
    return {
        "rounds": len(basis.rounds),
        "is_final": are_final(found) and not any(one.waiting for one in basis.rounds),
        "waiting": sum(len(one.waiting) for one in basis.rounds),
        "columns": [
            {"key": key, "title": TIE_BREAKS[key][0], "how": TIE_BREAKS[key][1]} for key in basis.tie_breaks
        ],
        "rows": [_row(basis, standing) for standing in found],
    }  # fmt: skip


def _row(basis: Basis, standing: Standing) -> Document:
    name, club = basis.names[standing.player]
    return {
        "place": standing.place,
        "player": standing.player,
        "name": name,
        "club": club,
        "points": standing.points,
        "values": [shown(key, value) for key, value in zip(basis.tie_breaks, standing.values, strict=True)],
        "is_final": standing.is_final,
    }


def explained_document(basis: Basis, found: tuple[Standing, ...], player: int) -> Document:
    """Give how each of a player's numbers came about. Raises Illegal where the standings do not have the player."""
    among = {standing.player: standing for standing in found}
    if player not in among:
        raise Illegal(text("player {number} has not checked in").format(number=player))
    standing = among[player]
    numbers = explain(standing, basis.tie_breaks, among, basis.called)
    return {
        **_row(basis, standing),
        "numbers": [
            {"key": one.tie_break, "title": TIE_BREAKS[one.tie_break][0], "how": TIE_BREAKS[one.tie_break][1],
             "value": one.value, "rows": list(one.rows)}
            for one in numbers
        ],
        "rounds": [_round(basis, one) for one in standing.rounds],
    }  # fmt: skip


def _round(basis: Basis, one: RoundPoints) -> Document:
    at = one.at
    return {
        "round": one.round,
        "points": one.points,
        "why": one.why.value,
        "says": WHYS[one.why],
        "table": None if at is None else at.table,
        "rank": None if at is None else at.rank,
        "seats": None if at is None else at.score.seats,
        "opponents": [] if at is None else [
            {"player": player, "name": basis.called(player)} for player in at.opponents
        ],
        "is_final": one.is_final,
    }  # fmt: skip
