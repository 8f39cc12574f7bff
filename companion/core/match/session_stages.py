"""Where the box is between switching on and switching off, and what leads from there, as a table that runs. Pure.

Theory of operation. What people do and what begins or ends is a cause; `follow` reads the table. How far a match has
come is told anew after everything that may have moved it (`told_by`), so that a match ended by the knob, by a page, by
its last card or by a line that was taken back is found over, or not over, by the same three rows. An invitation that
comes while something else is shown waits, and is shown at the seating if nobody has touched anything since. What is not
in the table cannot happen: it raises, and nothing has changed.
"""

from __future__ import annotations

from enum import Enum

from companion.core.following import followed
from companion.core.shown.scene import Status


class SessionStage(Enum):
    """What the box is at."""

    OFFER = "an unfinished match is offered"
    INVITATION = "where others can look on is shown"
    LOBBY = "seats are taken"
    MATCH = "a match is played"
    SAVING = "the end of a match is being saved"
    ENDED = "the end of a match is shown"

    @property
    def is_over(self) -> bool:
        """Tell whether there is a match, and it has ended."""
        return self in {SessionStage.SAVING, SessionStage.ENDED}


class SessionCause(Enum):
    """What leads on."""

    INVITED = "others can look on from now"
    TOUCHED = "a button or the knob is touched"
    RESUMED = "the match that is offered is taken up"
    DECLINED = "the match that is offered is left as it is"
    PREPARED = "a match is set up that everybody must agree to first, or an event's table"
    OFFERED = "a match comes that was begun on another box"
    BEGAN = "a match begins"
    GOES_ON = "the match is not over"
    ENDING = "the match is over, and its end not durable yet"
    OVER = "the match is over, and its end durable or not to be stored"
    LEFT = "the end was seen"
    CLEARED = "the seating begins anew, with nobody"


TABLE: dict[SessionStage, dict[SessionCause, SessionStage]] = {
    SessionStage.OFFER: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.INVITED: SessionStage.OFFER,
        SessionCause.TOUCHED: SessionStage.OFFER,
        SessionCause.RESUMED: SessionStage.MATCH,
        SessionCause.DECLINED: SessionStage.LOBBY,
        SessionCause.BEGAN: SessionStage.MATCH,
        SessionCause.CLEARED: SessionStage.LOBBY,
    },
    SessionStage.INVITATION: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.OFFERED: SessionStage.OFFER,
        SessionCause.INVITED: SessionStage.INVITATION,
        SessionCause.TOUCHED: SessionStage.LOBBY,
        SessionCause.BEGAN: SessionStage.MATCH,
        SessionCause.CLEARED: SessionStage.LOBBY,
    },
    SessionStage.LOBBY: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.OFFERED: SessionStage.OFFER,
        SessionCause.INVITED: SessionStage.INVITATION,
        SessionCause.TOUCHED: SessionStage.LOBBY,
        SessionCause.BEGAN: SessionStage.MATCH,
        SessionCause.CLEARED: SessionStage.LOBBY,
    },
    SessionStage.MATCH: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.INVITED: SessionStage.MATCH,
        SessionCause.TOUCHED: SessionStage.MATCH,
        SessionCause.BEGAN: SessionStage.MATCH,  # the one that ran is given up
        SessionCause.GOES_ON: SessionStage.MATCH,
        SessionCause.ENDING: SessionStage.SAVING,
        SessionCause.OVER: SessionStage.ENDED,
    },
    SessionStage.SAVING: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.INVITED: SessionStage.SAVING,
        SessionCause.TOUCHED: SessionStage.SAVING,
        SessionCause.BEGAN: SessionStage.MATCH,
        SessionCause.GOES_ON: SessionStage.MATCH,  # the end was taken back
        SessionCause.ENDING: SessionStage.SAVING,
        SessionCause.OVER: SessionStage.ENDED,
    },
    SessionStage.ENDED: {
        SessionCause.PREPARED: SessionStage.LOBBY,
        SessionCause.INVITED: SessionStage.ENDED,
        SessionCause.TOUCHED: SessionStage.ENDED,
        SessionCause.BEGAN: SessionStage.MATCH,
        SessionCause.GOES_ON: SessionStage.MATCH,
        SessionCause.ENDING: SessionStage.SAVING,  # a call was replaced after the end
        SessionCause.OVER: SessionStage.ENDED,
        SessionCause.LEFT: SessionStage.LOBBY,
        SessionCause.CLEARED: SessionStage.LOBBY,
    },
}


def follow(stage: SessionStage, cause: SessionCause) -> SessionStage:
    """Give the stage that a cause leads to. Raises Illegal for what cannot happen then."""
    return followed(TABLE, stage, cause)


def told_by(status: Status, *, is_over: bool) -> SessionCause:
    """Say how far a match has come. status: of its newest ruling."""
    if not is_over:
        return SessionCause.GOES_ON
    return SessionCause.ENDING if status is Status.SAVING else SessionCause.OVER
