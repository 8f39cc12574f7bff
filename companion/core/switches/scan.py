"""One scan: so many things are offered one after another, and a switch picks one. A state machine as a table that runs.

Theory of operation. What is offered has been *shown* since an instant: the turn in which its cue was given, by the same
clock as the presses. A press is told late, and bears the time at which it was made: it picks what was shown *then*,
whatever has been shown since. So how late presses are told changes no pick, however short the dwell. Each is shown for
a whole dwell from when it really was: a box that stood still takes nothing from anybody.

Time passes twice, therefore. By the clock (`now_ns`) the next is shown; by settled time (every press up to then has
been given) a scan ends. Where somebody must play (`must_end`), what was offered last is played once all loops are over:
a press is never a free option. Else nothing is offered any more, and a press begins anew.

The three ways differ in the table alone:

    automatic   time shows the next; a press picks
    step        the moving switch shows the next; any other picks; it must be done in the time that all loops would take
    inverse     pressed and held, time shows the next; letting go picks

With `again` what was picked is fixed only a dwell later; a press until then begins the next loop. Each costs a loop,
and in the last one there is none: so a scan always ends. Knows no card and no seat.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Illegal
from companion.core.switches.ways import Way

if TYPE_CHECKING:
    from companion.core.switches.ways import SwitchScanning


class ScanStage(Enum):
    """Where a scan is."""

    OFFERING = "something is offered"
    HELD = "the switch is held, and time moves on"
    PICKED = "something is picked, and can be taken back"
    FIXED = "it is fixed what was picked"
    RESTING = "nothing is offered until a press"


class ScanCause(Enum):
    """What leads on."""

    PASSED = "a dwell is over"
    PRESSED = "the switch is pressed"
    MOVED = "the moving switch is pressed"
    LET_GO = "the switch is let go"
    STOOD = "nobody took it back"
    FORCED = "all loops are over: what was offered last is played"
    SPENT = "all loops are over, and nobody must play"


class ScanAct(Enum):
    """What is done."""

    SHOW_NEXT = "the next is shown"
    PICK = "what was shown then is picked"
    HOLD = "its dwell begins"
    BEGIN = "the first is shown"
    END = "it ends"
    NOTHING = "nothing"


class Step(NamedTuple):
    """What is done, and where the scan is then."""

    act: ScanAct
    after: ScanStage


_ENDS = {
    ScanCause.FORCED: Step(ScanAct.END, ScanStage.FIXED),
    ScanCause.SPENT: Step(ScanAct.END, ScanStage.RESTING),
}
_PICKED = {
    ScanCause.PRESSED: Step(ScanAct.BEGIN, ScanStage.OFFERING),
    ScanCause.MOVED: Step(ScanAct.BEGIN, ScanStage.OFFERING),
    ScanCause.LET_GO: Step(ScanAct.NOTHING, ScanStage.PICKED),
    ScanCause.STOOD: Step(ScanAct.END, ScanStage.FIXED),
}
_RESTING = {
    ScanCause.PRESSED: Step(ScanAct.BEGIN, ScanStage.OFFERING),
    ScanCause.MOVED: Step(ScanAct.BEGIN, ScanStage.OFFERING),
    ScanCause.LET_GO: Step(ScanAct.NOTHING, ScanStage.RESTING),
}
_ONE_SWITCH = {ScanStage.PICKED: _PICKED, ScanStage.RESTING: _RESTING}
AUTOMATIC: dict[ScanStage, dict[ScanCause, Step]] = {
    ScanStage.OFFERING: {
        ScanCause.PASSED: Step(ScanAct.SHOW_NEXT, ScanStage.OFFERING),
        ScanCause.PRESSED: Step(ScanAct.PICK, ScanStage.PICKED),
        ScanCause.MOVED: Step(ScanAct.PICK, ScanStage.PICKED),
        ScanCause.LET_GO: Step(ScanAct.NOTHING, ScanStage.OFFERING),
        **_ENDS,
    },
    **_ONE_SWITCH,
}
TABLES: dict[Way, dict[ScanStage, dict[ScanCause, Step]]] = {
    Way.AUTOMATIC: AUTOMATIC,
    Way.STEP: {
        ScanStage.OFFERING: {
            ScanCause.PRESSED: Step(ScanAct.PICK, ScanStage.PICKED),
            ScanCause.MOVED: Step(ScanAct.SHOW_NEXT, ScanStage.OFFERING),
            ScanCause.LET_GO: Step(ScanAct.NOTHING, ScanStage.OFFERING),
            **_ENDS,
        },
        **_ONE_SWITCH,
    },
    Way.INVERSE: {
        ScanStage.OFFERING: {
            ScanCause.PRESSED: Step(ScanAct.HOLD, ScanStage.HELD),
            ScanCause.MOVED: Step(ScanAct.HOLD, ScanStage.HELD),
            ScanCause.LET_GO: Step(ScanAct.NOTHING, ScanStage.OFFERING),
            **_ENDS,
        },
        ScanStage.HELD: {
            ScanCause.PASSED: Step(ScanAct.SHOW_NEXT, ScanStage.HELD),
            ScanCause.PRESSED: Step(ScanAct.NOTHING, ScanStage.HELD),
            ScanCause.MOVED: Step(ScanAct.NOTHING, ScanStage.HELD),
            ScanCause.LET_GO: Step(ScanAct.PICK, ScanStage.PICKED),
            **_ENDS,
        },
        **_ONE_SWITCH,
    },
}


class Shown(NamedTuple):
    """What was shown, and since when."""

    which: int
    since_ns: int


class SwitchScan:
    """One scan of `count` things, from 0. It begins when `begin` is called.

    start: which is shown first. must_end: something is played whatever happens. stage, which: where it is, and what is
    offered or picked; which is None while nothing is. picked: whether a switch picked it.
    """

    def __init__(self, how: SwitchScanning, count: int, *, must_end: bool, start: int = 0) -> None:
        self.how, self.count, self.must_end = how, count, must_end
        self.stage = ScanStage.RESTING
        self.picked = False
        self._start = start
        self._shown: list[Shown] = []
        self._loops = 0  # that are over
        self._left = 0  # how many more are shown in this loop
        self._held_line = ""
        self._since_ns = 0  # when this stage began, by which it ends

    # -- what is the case --------------------------------------------------------------------------------------------

    @property
    def which(self) -> int | None:
        """What is offered or picked now; None while nothing is."""
        return None if self.stage is ScanStage.RESTING or not self._shown else self._shown[-1].which

    @property
    def is_fixed(self) -> bool:
        """Tell whether it is fixed what was picked, or offered last."""
        return self.stage is ScanStage.FIXED

    def next_shown(self) -> int | None:
        """Give the instant at which the next is to be shown, None where nothing is."""
        table = TABLES[self.how.way].get(self.stage, {})
        if ScanCause.PASSED not in table or self._is_last():
            return None
        return max(self._shown[-1].since_ns, self._since_ns) + self.how.dwell_ns

    def next_settled(self) -> int | None:
        """Give the settled instant at which it ends by itself, None where it does not."""
        if self.stage is ScanStage.PICKED:
            return self._since_ns + self.how.dwell_ns
        if self.stage not in (ScanStage.OFFERING, ScanStage.HELD):
            return None
        if ScanCause.PASSED not in TABLES[self.how.way][self.stage]:
            return self._since_ns + self.how.loops * self.count * self.how.dwell_ns
        return max(self._shown[-1].since_ns, self._since_ns) + self.how.dwell_ns if self._is_last() else None

    # -- what comes --------------------------------------------------------------------------------------------------

    def begin(self, now_ns: int) -> None:
        """Show the first."""
        self._loops = 0
        self._begin(now_ns)
        self.stage = ScanStage.OFFERING

    def press(self, t_ns: int, now_ns: int, line: str = "", *, is_moving: bool = False) -> bool:
        """Take a press made at `t_ns`; False where nothing had been shown by then, so that it can mean nothing.

        Presses and releases come in the order of time, each after `advance` up to just before it. now_ns: when what it
        leads to is shown. line: which switch, so that its own letting-go is known. is_moving: it is the moving one.
        """
        if self.is_fixed or self._shown_at(t_ns) is None:
            return False
        if self.stage is ScanStage.RESTING:
            self._loops = 0
        self._follow(ScanCause.MOVED if is_moving else ScanCause.PRESSED, t_ns, now_ns)
        if self.stage is ScanStage.HELD and not self._held_line:
            self._held_line = line
        return True

    def release(self, t_ns: int, now_ns: int, line: str = "") -> None:
        """Take the letting-go of a switch."""
        if self.stage is ScanStage.HELD and line == self._held_line:
            self._follow(ScanCause.LET_GO, t_ns, now_ns)

    def advance(self, now_ns: int, settled_ns: int) -> None:
        """Let time pass: by `now_ns` the next is shown, by `settled_ns` it ends."""
        ends_ns = self.next_settled()
        if ends_ns is not None and ends_ns <= settled_ns:
            ended = ScanCause.STOOD if self.stage is ScanStage.PICKED else self._spent()
            self._follow(ended, ends_ns, ends_ns)
        due_ns = self.next_shown()
        if due_ns is not None and due_ns <= now_ns:
            self._follow(ScanCause.PASSED, now_ns, now_ns)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _follow(self, cause: ScanCause, t_ns: int, now_ns: int) -> None:
        try:
            act, after = TABLES[self.how.way][self.stage][cause]
        except KeyError:
            raise Illegal(f"{cause.value}: not while {self.stage.value}") from None
        self.stage = after
        if act is ScanAct.PICK:
            self._pick(t_ns, now_ns)
        elif act is ScanAct.SHOW_NEXT:
            self._show_next(now_ns if cause is ScanCause.PASSED else t_ns)
        elif act is ScanAct.BEGIN:
            self._begin(now_ns)
        elif act is ScanAct.HOLD:
            self._since_ns, self._held_line = t_ns, ""

    def _begin(self, now_ns: int) -> None:
        self.picked, self._held_line = False, ""
        self._left, self._since_ns = self.count - 1, now_ns
        self._shown = [Shown(self._start, now_ns)]  # what was shown before can't be picked any more

    def _show_next(self, since_ns: int) -> None:
        if self._is_last():
            self._follow(self._spent(), since_ns, since_ns)
            return
        if self._left == 0:
            self._loops += 1
            self._left = self.count
        self._left -= 1
        self._shown.append(Shown((self._shown[-1].which + 1) % self.count, since_ns))

    def _pick(self, t_ns: int, now_ns: int) -> None:
        """Pick what was shown at `t_ns`; what has been shown since was too late."""
        shown = self._shown_at(t_ns)
        while len(self._shown) > 1 and self._shown[-1] != shown:
            self._shown.pop()
        self.picked, self._since_ns = True, now_ns
        self._loops += 1
        if not self.how.again or self._loops >= self.how.loops:
            self._follow(ScanCause.STOOD, t_ns, now_ns)

    def _spent(self) -> ScanCause:
        return ScanCause.FORCED if self.must_end else ScanCause.SPENT

    def _is_last(self) -> bool:
        return self._left == 0 and self._loops + 1 >= self.how.loops

    def _shown_at(self, t_ns: int) -> Shown | None:
        return next((one for one in reversed(self._shown) if one.since_ns <= t_ns), None)
