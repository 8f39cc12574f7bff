"""The scans of all seats that play by a switch: begun, moved on by time and presses, and done what was picked.

A press goes to its seat's scan where one runs; else it begins what the seat may call for; else it is what a button's
press is. What is offered goes out as a cue for that seat alone, each time it changes. Knows no device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.hands.offered import At, Kind, labels
from companion.core.match.effects import Cue, Effect, Sound, Tone
from companion.core.panel import BUTTON_BY_LABEL, POSITIONS, Button
from companion.core.shown.cued import Cued, SwitchNow
from companion.core.shown.own_presses import PressFate
from companion.core.switches.scan import ScanStage, SwitchScan
from companion.core.switches.ways import Way
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.hands.offered import Offered, Place
    from companion.core.panel import Colour
    from companion.core.switches.ways import SwitchScanning
    from companion.core.timing.events import Press, Release

AGAIN = text("{item}: press to choose again")
WAIT = text("wait: {colour} is choosing")


@dataclass(slots=True)
class Running:
    """A scan that runs. at: of the press that began it or picked, None before the first."""

    offered: Offered
    scan: SwitchScan
    at: At | None = None


class Switches:
    """One for a session. how: by the seats that play by a switch. effects: what is to be done, until it is taken."""

    def __init__(self, how: Mapping[Colour, SwitchScanning]) -> None:
        self.how = dict(how)
        self.effects: list[Effect] = []
        self.cue_ways: dict[str, frozenset[Colour]] = {}
        """The seats that can be told something alone, by what does it."""
        self._running: dict[Colour, Running] = {}
        self._cued: dict[Colour, Cued] = {}
        self._let_go: dict[str, int] = {}
        self._last: dict[Colour, tuple[tuple[str, ...], int]] = {}
        self._now_ns = 0

    # -- what is the case --------------------------------------------------------------------------------------------

    def cued(self) -> tuple[Cued, ...]:
        """Give what each seat is offered now; a seat whose scan rests is offered nothing, and says so."""
        return tuple(self._cued.values())

    def now(self) -> tuple[SwitchNow, ...]:
        """Give how each of these seats plays, and what it is offered."""
        return tuple(_now(colour, how, self._cued.get(colour)) for colour, how in self.how.items())

    def next_deadline(self, behind_ns: int) -> int | None:
        """Give the instant at which `advance` next has something to do, None where it never has."""
        shown = [running.scan.next_shown() for running in self._running.values()]
        settled = [running.scan.next_settled() for running in self._running.values()]
        instants = [i for i in shown if i is not None] + [i + behind_ns for i in settled if i is not None]
        return min(instants, default=None)

    # -- what comes --------------------------------------------------------------------------------------------------

    def press(self, press: Press, place: Place) -> bool:
        """Take a press of a seat that scans; False where it is what a button's is. Raises CompanionError."""
        button = BUTTON_BY_LABEL[press.line]
        colour = button.colour
        place.before(press)
        if (running := self._running.get(colour)) is not None:
            running.scan.advance(self._now_ns, press.t_ns - 1)
            self._finish(colour, place)
        running = self._running.get(colour)
        if running is None and (other := self._on_display_of_another(colour, place)) is not None:
            place.note(button, press.t_ns, PressFate.NOTHING)
            place.tell(WAIT.format(colour=other.short))
            self.effects.append(Sound(Tone.IGNORED, (colour,)))
            return True
        is_taken = self._scanned(running, press) if running is not None else self._called(colour, press, place)
        if not is_taken:
            return False
        place.note(button, press.t_ns, PressFate.ANSWERS)
        self.effects.append(Sound(Tone.ACCEPTED, (colour,)))
        let_go_ns = self._let_go.get(press.line)
        if let_go_ns is not None and let_go_ns > press.t_ns:  # it was let go before it was known what it meant
            self._release(press.line, let_go_ns, colour)
        self._finish(colour, place)
        self._see(colour)
        return True

    def release(self, release: Release, place: Place) -> None:
        """Take the letting-go of a seat's button. Where nobody saw it it picks nothing: no fault picks a card."""
        button = BUTTON_BY_LABEL.get(release.line)
        if button is None or button.colour not in self.how or not release.is_seen:
            return
        self._let_go[release.line] = release.t_ns
        self._release(release.line, release.t_ns, button.colour)
        self._finish(button.colour, place)
        self._see(button.colour)

    def advance(self, now_ns: int, settled_ns: int, place: Place) -> None:
        """Let time pass: begin what is asked, show the next, end what is over."""
        self._now_ns = max(self._now_ns, now_ns)
        for colour in self.how:
            self._follow(colour, place)
            if (running := self._running.get(colour)) is not None:
                running.scan.advance(self._now_ns, settled_ns)
                self._finish(colour, place)
                self._follow(colour, place)
            self._see(colour)

    def forget(self) -> None:
        """Leave the match, or the seating: nothing is offered any more."""
        self._running.clear()
        self._last.clear()
        for colour in tuple(self._cued):
            self._see(colour)

    # -- inside ------------------------------------------------------------------------------------------------------

    def _follow(self, colour: Colour, place: Place) -> None:
        """Begin what a seat is asked, and drop what is not offered any more."""
        running, offered = self._running.get(colour), place.offered(colour)
        if running is not None and (offered is None or not _is_same(offered, running.offered)):
            del self._running[colour]
            running = None
        if running is not None and offered is not None:
            running.offered = offered
            if running.offered.kind is Kind.CALLED and running.scan.stage is ScanStage.RESTING:
                del self._running[colour]
        elif offered is not None and offered.kind in (Kind.CARD, Kind.ASKED):
            self._begin(colour, offered)

    def _begin(self, colour: Colour, offered: Offered) -> None:
        names = labels(offered.items)
        before, start = self._last.pop(colour, ((), 0))
        begins_at = start if names == before and offered.kind in (Kind.ASKED, Kind.CALLED) else 0
        how = self.how[colour]
        scan = SwitchScan(how, len(names), must_end=offered.kind.must_end, start=begins_at)
        scan.begin(self._now_ns)
        self._running[colour] = Running(offered, scan)

    def _scanned(self, running: Running, press: Press) -> bool:
        is_moving = BUTTON_BY_LABEL[press.line].position is POSITIONS[running.scan.how.moving]
        if not running.scan.press(press.t_ns, self._now_ns, press.line, is_moving=is_moving):
            return False
        if running.offered.kind is not Kind.TIMED:
            running.at = At(press.t_ns, press.error_ns, is_own=True)
        return True

    def _called(self, colour: Colour, press: Press, place: Place) -> bool:
        """Begin what a seat may call for; what leaves no choice is done."""
        offered = place.offered(colour)
        if offered is None or offered.kind not in (Kind.CALLED, Kind.TIMED):
            return False
        at = At(press.t_ns, press.error_ns, is_own=True)
        if offered.kind is Kind.TIMED and len(offered.items) == 1:
            offered.items[0].act(at)
            return True
        self._begin(colour, offered)
        self._running[colour].at = at if offered.kind is Kind.TIMED else None
        return True

    def _on_display_of_another(self, colour: Colour, place: Place) -> Colour | None:
        """Give the seat that is offered something on the display, where this one would call for something there too.

        There is room for one: the other could not see what it picks.
        """
        found = (one.colour for one in self.cued() if one.number and not one.is_private and one.colour is not colour)
        other = next(found, None)
        offered = place.offered(colour) if other is not None else None
        return other if offered is not None and offered.kind is Kind.CALLED and not offered.is_private else None

    def _release(self, line: str, t_ns: int, colour: Colour) -> None:
        if (running := self._running.get(colour)) is not None:
            was = running.scan.stage
            running.scan.release(t_ns, self._now_ns, line)
            if running.scan.stage is not was and running.at is not None and running.offered.kind is not Kind.TIMED:
                running.at = running.at._replace(t_ns=t_ns)

    def _finish(self, colour: Colour, place: Place) -> None:
        """Do what was picked, or offered last."""
        running = self._running.get(colour)
        if running is not None and running.offered.kind is Kind.CARD and len(running.offered.items) == 1:
            which, is_own = 0, True
        elif running is None or not running.scan.is_fixed or running.scan.which is None:
            return
        else:
            which, is_own = running.scan.which, running.scan.picked
        del self._running[colour]
        self._last[colour] = (labels(running.offered.items), which)
        at = running.at or At(self._now_ns, 0, is_own=False)
        try:
            running.offered.items[which].act(at._replace(is_own=is_own))
        except CompanionError as error:
            place.refuse(str(error))
        if running.offered.kind is Kind.CALLED:
            self._go_on(colour, running.offered, place)

    def _go_on(self, colour: Colour, before: Offered, place: Place) -> None:
        """Where the same can be done still (another setting), offer it again from there; or what picking leads to."""
        offered = place.offered(colour)
        if offered is not None and (_is_same(offered, before) or offered.after == before.key):
            self._begin(colour, offered)

    def _see(self, colour: Colour) -> None:
        """Give a cue where what a seat is offered has changed."""
        now, before = self._cue_of(colour), self._cued.get(colour)
        if now == before:
            return
        if now is None:
            self._cued.pop(colour, None)
        else:
            self._cued[colour] = now
        if now is not None and now.number:
            says = AGAIN.format(item=now.says) if now.is_picked else now.says
            self.effects.append(Cue(colour, now.number, says))
        elif before is not None and before.number:
            self.effects.append(Cue(colour, 0, ""))

    def _cue_of(self, colour: Colour) -> Cued | None:
        running = self._running.get(colour)
        if running is None:
            return None
        offered, which = running.offered, running.scan.which
        item = None if which is None else offered.items[which]
        return Cued(
            colour, offered.title, 0 if which is None else which + 1, len(offered.items),
            "" if item is None else item.says, offered.is_private, running.scan.stage is ScanStage.PICKED,
        )  # fmt: skip


def _now(colour: Colour, how: SwitchScanning, cued: Cued | None) -> SwitchNow:
    buttons = [Button(colour, position) for position in POSITIONS]
    moving = buttons[how.moving]
    picks = next(button for button in buttons if how.way is not Way.STEP or button != moving)
    return SwitchNow(colour, picks, moving if how.way is Way.STEP else None, cued)


def _is_same(one: Offered, other: Offered) -> bool:
    """Tell whether it is the same question, with the same answers."""
    return one.key == other.key and labels(one.items) == labels(other.items)
