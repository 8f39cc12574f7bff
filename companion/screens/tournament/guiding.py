"""What has been done of an event, what comes next, and what everybody should do now. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.core.words.texts import text, texts
from companion.tournament.event.rounds import TableStage
from companion.tournament.event.stages import Stage

if TYPE_CHECKING:
    from companion.screens.tournament.words import Document
    from companion.tournament.event.event import Event
    from companion.tournament.event.rounds import Round


class Counts(NamedTuple):
    """Tables of a round: all, and by where they stand."""

    all: int
    final: int
    open: int
    disputed: int

    def document(self) -> Document:
        """Give it as a document."""
        return dict(self._asdict())


def counts_of(found: Round) -> Counts:
    """Count a round's tables."""
    stages = [table.stage for table in found.tables.values()]
    return Counts(*(
        len(stages), stages.count(TableStage.FINAL), stages.count(TableStage.OPEN), stages.count(TableStage.DISPUTED)
    ))  # fmt: skip


def is_last(event: Event) -> bool:
    """Tell whether as many rounds are drawn as were planned."""
    return event.line.rounds is not None and len(event.rounds) >= event.line.rounds


_OUTSIDE = {
    Stage.ENTERING: text("Entries are taken at the desk. Check-in has not begun."),
    Stage.CHECK_IN: text("Check-in is open: tell the desk that you are here."),
    Stage.ENDED: text("The event is over. Thank you for playing!"),
}


def to_players(event: Event) -> str:
    """Say what a player should do now."""
    if event.stage is not Stage.RUNNING:
        return _OUTSIDE[event.stage]
    if not event.rounds:
        return text("Check-in is closed. The first round is being drawn: wait for your table.")
    newest = event.rounds[-1]
    counts = counts_of(newest)
    if newest.clock is None and not newest.has_begun:
        return text("Round {round} is drawn: look for your table, and sit down.").format(round=newest.number)
    if counts.final == counts.all:
        says = text("Round {round} is over: look at the standings.")
        return says.format(round=newest.number)
    return text("Round {round} is played.").format(round=newest.number)


class Step(NamedTuple):
    """What comes next at the desk. key: for the page, which offers what does it. part: of the desk's page."""

    key: str
    part: str
    says: str


def next_step(event: Event) -> Step:
    """Say what the organiser does next."""
    if event.stage is Stage.ENTERING:
        entered, boxes = len(event.players.all), len(event.boxes_in())
        says = text("Enter the players and enrol the boxes ({players} and {boxes} so far), then open the check-in.")
        return Step("open", "players", says.format(players=entered, boxes=boxes))
    if event.stage is Stage.CHECK_IN:
        there, entered = len(event.players.there()), len(event.players.all)
        says = text("Check in who is there ({there} of {entered} so far), then close the check-in.")
        return Step("close", "players", says.format(there=there, entered=entered))
    if event.stage is Stage.ENDED:
        return Step("download", "end", text("The event is over: download its file, and print the standings."))
    if not event.rounds:
        return Step("draw", "rounds", text("Draw round {round}.").format(round=1))
    return _in_round(event, event.rounds[-1])


def _in_round(event: Event, newest: Round) -> Step:
    counts = counts_of(newest)
    if counts.disputed:
        says = texts("A protest waits for the referee.", "{count} tables wait for the referee.", counts.disputed)
        return Step("disputes", "tables", says)
    if counts.final < counts.all:
        if newest.clock is None and not newest.has_begun:
            says = text("Round {round} is drawn: print or announce the pairings, then start the clock.")
            return Step("start", "rounds", says.format(round=newest.number))
        says = text("Round {round} is played: {final} of {all} tables are final.")
        return Step("wait", "tables", says.format(round=newest.number, final=counts.final, all=counts.all))
    if is_last(event):
        return Step("end", "end", text("All rounds are played and final: end the event."))
    says = text("Round {round} is over. Draw round {next}.")
    return Step("draw", "rounds", says.format(round=newest.number, next=newest.number + 1))
