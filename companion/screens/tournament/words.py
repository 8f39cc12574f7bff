"""What the stages of an event and of a table are called, for people. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.words.texts import text
from companion.tournament.event.rounds import TableStage
from companion.tournament.event.stages import Stage
from companion.tournament.standings.rounds import Why

if TYPE_CHECKING:
    from companion.tournament.log.lines import TieBreak

Document = dict[str, Any]

STAGE_KEYS = {
    Stage.ENTERING: "entering", Stage.CHECK_IN: "check-in", Stage.RUNNING: "running", Stage.ENDED: "ended"
}  # fmt: skip
"""By what pages tell them apart."""
TABLE_KEYS = {
    TableStage.DRAWN: "drawn", TableStage.PLAYING: "playing", TableStage.DISPUTED: "disputed",
    TableStage.OPEN: "open", TableStage.FINAL: "final",
}  # fmt: skip
WHYS = {
    Why.TABLE: text("by the table’s result"),
    Why.BY_HAND: text("by a result that was entered by hand"),
    Why.BYE: text("no table in this round"),
    Why.MISSED: text("not there in this round"),
    Why.GIVEN: text("given by the organiser"),
    Why.WAITING: text("the table has no result yet"),
}
TIE_BREAKS: dict[TieBreak, tuple[str, str]] = {
    "points": (text("Points"), text("the mean of a round’s points; all players of a table have 12 on average")),
    "wins": (text("Tables won"), text("the part of a table’s first place, on average")),
    "cards": (text("Share of the cards"), text("the player’s share of a table’s cards, on average")),
    "opponents": (text("Opponents"), text("what the opponents did elsewhere, on average")),
    "punishments": (text("Punished presses"), text("a table’s, on average; fewer are better")),
    "lots": (text("Lot"), text("by the seed, which nobody knew before check-in closed")),
}
"""Heading, and what the number is."""
