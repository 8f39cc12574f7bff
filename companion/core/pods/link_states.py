"""Where the talk with a pod can be, what moves it on, and what is done then: the table that `talk` follows. Pure data.

Theory of operation. In a state's row stands what may come then: from the pod, from the adapter, or by time. A step says
what is done and which state follows. What has no step in the row is passed over: a pod may say again what is known, an
answer may come too late, and on a new line there may be half a talk that began before. The table holds deadlines too:
Hellos are said only, and a silence is noticed only, in a state that has a step for it.

`BACKLOG` and `BACKLOG_AFTER_LOSS` are the same message. Once edges were lost in the pod, levels that lie before those
it has kept say nothing of what the lines are at now: it is asked again until none is left.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class LinkState(Enum):
    """Where the talk is."""

    CALLING = "the pod is called and has not said who it is"
    MET = "it has said who it is, and not yet what its lines are at"
    TALKING = "its edges are taken as they come"
    RECOUNTING = "its edges are taken, and some were lost: it is asked what its lines are at"
    REFUSED = "it speaks no version that the host speaks"

    @property
    def is_talking(self) -> bool:
        """Tell whether the pod is known: it is pinged, told its lamps, and missed when it is silent."""
        return self in {LinkState.MET, LinkState.TALKING, LinkState.RECOUNTING}


class LinkCause(Enum):
    """What comes from the pod, from the adapter, or with time."""

    OPENED = "the port is opened again"
    HELLO_DUE = "it is time for a Hello"
    SILENCE = "nothing has come for too long"
    STRANGE = "an Identity without a common version"
    NEW_BOOT = "an Identity of another boot"
    SAME_BOOT = "an Identity of the boot that was known"
    PONG = "a Pong"
    REPORT = "a Report"
    LEVELS = "a Baseline, no edge kept"
    BACKLOG = "a Baseline, then what was kept"
    BACKLOG_AFTER_LOSS = "a Baseline, then what was kept, after a loss"
    RENUMBERED = "a Baseline whose numbers cannot be"
    EDGES = "Edges"
    LOSS = "more edges were lost than before"


class LinkAct(Enum):
    """What is done at a step."""

    CALL = "call the pod at once; give out nothing that it still has"
    MISS = "say that it is silent, and call it"
    HELLO = "say Hello"
    REFUSE = "say that it is refused"
    MEET = "forget what held for another boot; say that it is met, light its lamps, begin to ask for its clock"
    MAP = "map its clock"
    NOTE = "keep the report; see whether edges were lost"
    REBASE = "take the levels, and expect the edges after them"
    RENUMBER = "forget clock and numbers: it began anew under the same boot; then take the levels"
    NUMBER = "take the edges that are next; see whether any were lost"
    LOSE = "say how many were lost; its levels are in doubt"


class LinkStep(NamedTuple):
    """One cell of the table."""

    act: LinkAct
    after: LinkState


TABLE: dict[LinkState, dict[LinkCause, LinkStep]] = {
    LinkState.CALLING: {
        LinkCause.OPENED: LinkStep(LinkAct.CALL, LinkState.CALLING),
        LinkCause.HELLO_DUE: LinkStep(LinkAct.HELLO, LinkState.CALLING),
        LinkCause.STRANGE: LinkStep(LinkAct.REFUSE, LinkState.REFUSED),
        LinkCause.NEW_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
        LinkCause.SAME_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
    },
    LinkState.MET: {
        LinkCause.OPENED: LinkStep(LinkAct.CALL, LinkState.CALLING),
        LinkCause.HELLO_DUE: LinkStep(LinkAct.HELLO, LinkState.MET),  # the answer to the last one may be lost
        LinkCause.SILENCE: LinkStep(LinkAct.MISS, LinkState.CALLING),
        LinkCause.STRANGE: LinkStep(LinkAct.REFUSE, LinkState.REFUSED),
        LinkCause.NEW_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
        LinkCause.PONG: LinkStep(LinkAct.MAP, LinkState.MET),
        LinkCause.REPORT: LinkStep(LinkAct.NOTE, LinkState.MET),
        LinkCause.LEVELS: LinkStep(LinkAct.REBASE, LinkState.TALKING),
        LinkCause.BACKLOG: LinkStep(LinkAct.REBASE, LinkState.TALKING),
        LinkCause.BACKLOG_AFTER_LOSS: LinkStep(LinkAct.REBASE, LinkState.RECOUNTING),
        LinkCause.RENUMBERED: LinkStep(LinkAct.RENUMBER, LinkState.TALKING),
        LinkCause.LOSS: LinkStep(LinkAct.LOSE, LinkState.MET),
    },
    LinkState.TALKING: {
        LinkCause.OPENED: LinkStep(LinkAct.CALL, LinkState.CALLING),
        LinkCause.SILENCE: LinkStep(LinkAct.MISS, LinkState.CALLING),
        LinkCause.STRANGE: LinkStep(LinkAct.REFUSE, LinkState.REFUSED),
        LinkCause.NEW_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
        LinkCause.PONG: LinkStep(LinkAct.MAP, LinkState.TALKING),
        LinkCause.REPORT: LinkStep(LinkAct.NOTE, LinkState.TALKING),
        LinkCause.LEVELS: LinkStep(LinkAct.REBASE, LinkState.TALKING),
        LinkCause.BACKLOG: LinkStep(LinkAct.REBASE, LinkState.TALKING),
        LinkCause.RENUMBERED: LinkStep(LinkAct.RENUMBER, LinkState.TALKING),
        LinkCause.EDGES: LinkStep(LinkAct.NUMBER, LinkState.TALKING),
        LinkCause.LOSS: LinkStep(LinkAct.LOSE, LinkState.RECOUNTING),
    },
    LinkState.RECOUNTING: {
        LinkCause.OPENED: LinkStep(LinkAct.CALL, LinkState.CALLING),
        LinkCause.HELLO_DUE: LinkStep(LinkAct.HELLO, LinkState.RECOUNTING),
        LinkCause.SILENCE: LinkStep(LinkAct.MISS, LinkState.CALLING),
        LinkCause.STRANGE: LinkStep(LinkAct.REFUSE, LinkState.REFUSED),
        LinkCause.NEW_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
        LinkCause.PONG: LinkStep(LinkAct.MAP, LinkState.RECOUNTING),
        LinkCause.REPORT: LinkStep(LinkAct.NOTE, LinkState.RECOUNTING),
        LinkCause.LEVELS: LinkStep(LinkAct.REBASE, LinkState.TALKING),
        LinkCause.BACKLOG_AFTER_LOSS: LinkStep(LinkAct.REBASE, LinkState.RECOUNTING),
        LinkCause.RENUMBERED: LinkStep(LinkAct.RENUMBER, LinkState.TALKING),
        LinkCause.EDGES: LinkStep(LinkAct.NUMBER, LinkState.RECOUNTING),
        LinkCause.LOSS: LinkStep(LinkAct.LOSE, LinkState.RECOUNTING),
    },
    LinkState.REFUSED: {
        LinkCause.OPENED: LinkStep(LinkAct.CALL, LinkState.CALLING),
        LinkCause.STRANGE: LinkStep(LinkAct.REFUSE, LinkState.REFUSED),
        LinkCause.NEW_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),  # another program was put on it
        LinkCause.SAME_BOOT: LinkStep(LinkAct.MEET, LinkState.MET),
    },
}
