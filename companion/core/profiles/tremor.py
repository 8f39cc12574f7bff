"""A trial before the match: a person presses one button a few times as they mean it, and every touch is looked at.

The rule. The trial has rounds; in each of them one button was to be pressed and held for a moment. The longest touch of
that button is the one that was meant, and whatever else was touched in the round was not. Proposed is the shortest
acceptance time, and with it the shortest repetition time, under which in every round exactly one touch is a press: the
one that was meant. Each is a step longer than that where it
does as well, so that a hand that is a little less steady tomorrow has room. Acceptance goes in steps of 10 ms to 500,
repetition in steps of 50 ms to 5 s. Where nothing fits, what fits most rounds is named, and that it does not fit.

What is a press is asked of the same machine that the match has (`companion.core.timing.contacts`), with the person's
bounce time. Pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta

from companion.core.errors import Malformed
from companion.core.timing.contacts import CONCESSION_NS, USUAL, Contacts, LineTiming
from companion.core.timing.events import MS, SECOND, Dropped, Edge, Levels, Press, Rejected
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.timing.contacts import LineEvent

    Judging = Callable[[int, int], "_Right"]
    """Gives what an acceptance and a repetition time in ms come to."""

PLACES = ("1", "2", "3", "4")
SEAT = "seat"
"""Whose the lines of a trial are: contacts of one seat are seen together."""
ACCEPT_STEP_MS, MOST_ACCEPT_MS = 10, 500
REPEAT_STEP_MS, MOST_REPEAT_MS = 50, 5000
SAME_CONTACT = text("it belongs to the touch before")
LEAST_ROUNDS = 3
"""Fewer rounds say nothing of a hand."""
MOST_ROUNDS, MOST_TOUCHES = 30, 500
LONGEST_MS = 15 * 60_000
"""Of a whole trial."""

Millisecond = Annotated[float, Meta(ge=0, le=LONGEST_MS)]


class Touched(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A button was closed from one time to another, in ms since the trial began. place: which one, from the left."""

    place: Annotated[int, Meta(ge=1, le=4)]
    from_ms: Millisecond
    until_ms: Millisecond


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A round: from then on, until the next, one press of this button was asked for."""

    place: Annotated[int, Meta(ge=1, le=4)]
    from_ms: Millisecond


class Heard(NamedTuple):
    """A touch, as it is under some filters. length_ms: how long it was. why: why it is no press, "" where it is one."""

    place: int
    from_ms: float
    length_ms: float
    is_press: bool
    why: str


class Proposal(NamedTuple):
    """What a trial leads to. fits: in every round exactly one touch is a press, the one that was asked for.

    rounds, right: how many there were, and in how many that is so. says: for people, sentence by sentence.
    """

    accept_ms: int
    repeat_ms: int
    fits: bool
    rounds: int
    right: int
    says: tuple[str, ...]


class _Right(NamedTuple):
    """In how many of some rounds exactly the press that was meant counts. is_short: in one of them it is none."""

    rounds: int
    right: int = 0
    is_short: bool = False

    @property
    def is_whole(self) -> bool:
        return self.right == self.rounds


def touches_of(edges: Iterable[tuple[int, int, bool]], from_ns: int, until_ns: int) -> tuple[Touched, ...]:
    """Give the touches of a button's edges, each with its place, its instant and whether it closed, in order of time.

    A button that is still closed was touched until `until_ns`.
    """
    closed: dict[int, int] = {}
    found = []
    for place, t_ns, is_active in edges:
        if is_active:
            closed.setdefault(place, t_ns)
        elif (since_ns := closed.pop(place, None)) is not None:
            found.append(Touched(place, (since_ns - from_ns) / MS, (t_ns - from_ns) / MS))
    found += [Touched(place, (t_ns - from_ns) / MS, (until_ns - from_ns) / MS) for place, t_ns in closed.items()]
    return tuple(sorted(found, key=lambda one: (one.from_ms, one.place)))


def heard(touches: Sequence[Touched], bounce_ms: float, accept_ms: float, repeat_ms: float) -> tuple[Heard, ...]:
    """Give each touch as it is under these filters, in order of time. Touches closer than `bounce_ms` are one.

    Raises Malformed for touches that cannot be.
    """
    timing = LineTiming(round(bounce_ms * MS), round(accept_ms * MS), round(repeat_ms * MS), SEAT)
    return _heard(touches, _run(_verified(touches), timing))


def propose(touches: Sequence[Touched], rounds: Sequence[Asked], bounce_ms: float | None = None) -> Proposal:
    """Give the filters under which what was meant counts, and nothing else. Raises Malformed for a trial that is none.

    bounce_ms: of the person; None for the usual one.
    """
    if not LEAST_ROUNDS <= len(rounds) <= MOST_ROUNDS:
        told = text("a trial has {least} to {most} rounds, not {rounds}")
        raise Malformed(told.format(least=LEAST_ROUNDS, most=MOST_ROUNDS, rounds=len(rounds)))
    edges, asked = _verified(touches), _rounds(touches, rounds)
    bounce_ns = USUAL.bounce_ns if bounce_ms is None else round(bounce_ms * MS)

    def right(accept_ms: int, repeat_ms: int) -> _Right:
        return _right(_run(edges, LineTiming(bounce_ns, accept_ms * MS, repeat_ms * MS, SEAT)), asked)

    best = (USUAL.accept_ns // MS, 0)
    most = _Right(len(asked), -1)
    for accept_ms in (best[0], *range(ACCEPT_STEP_MS, MOST_ACCEPT_MS + 1, ACCEPT_STEP_MS)):
        repeat_ms, found = _shortest_repeat(right, accept_ms, edges)
        if found.right > most.right:
            best, most = (accept_ms, repeat_ms), found
        if found.is_whole:
            best = _roomier(right, accept_ms, repeat_ms)
            break
    return Proposal(*best, most.is_whole, len(asked), most.right, _told(best[0], most))


class _Edges(NamedTuple):
    edges: tuple[Edge, ...]
    gaps_ms: tuple[int, ...]  # from one touch's end to the beginning of a later one of its button, the next step up


def _verified(touches: Sequence[Touched]) -> _Edges:
    if len(touches) > MOST_TOUCHES:
        raise Malformed(text("a trial has {most} touches at most").format(most=MOST_TOUCHES))
    ended: dict[int, list[float]] = {}
    edges, gaps = [], set[int]()
    for touch in sorted(touches, key=lambda one: (one.from_ms, one.place)):
        before = ended.setdefault(touch.place, [])
        if touch.until_ms < touch.from_ms or (before and touch.from_ms < before[-1]):
            raise Malformed(text("a touch ends after it began, and before the next one of its button"))
        gaps |= {REPEAT_STEP_MS * (int(touch.from_ms - end_ms) // REPEAT_STEP_MS + 1) for end_ms in before}
        before.append(touch.until_ms)
        line, start_ns, end_ns = str(touch.place), _at(touch.from_ms), _at(touch.until_ms)
        edges += [Edge(line, True, start_ns, 0), Edge(line, False, max(end_ns, start_ns + 1), 0)]
    ordered = sorted(edges, key=lambda edge: (edge.t_ns, edge.active, edge.line))  # one ends before the next begins
    return _Edges(tuple(ordered), tuple(sorted(gap for gap in gaps if gap <= MOST_REPEAT_MS)))


def _at(time_ms: float) -> int:
    return SECOND + round(time_ms * MS)


def _shortest_repeat(right: Judging, accept_ms: int, edges: _Edges) -> tuple[int, _Right]:
    """Give the shortest repetition time that does best with an acceptance time, and what it comes to.

    Only those are tried that shut one more touch out than a shorter one; and none where a round has no press of its own
    without any, as a longer one brings none. One that shuts a meant press out ends nothing: a longer one may shut out
    what that press came too soon after.
    """
    best, found = 0, right(accept_ms, 0)
    if found.is_short:
        return best, found
    for repeat_ms in edges.gaps_ms:
        if (now := right(accept_ms, repeat_ms)).right > found.right:
            best, found = repeat_ms, now
        if now.is_whole:
            break
    return best, found


def _roomier(right: Judging, accept_ms: int, repeat_ms: int) -> tuple[int, int]:
    """Give a step more of each that is more than usual, where that is right in every round as well."""
    longer_ms = min(accept_ms + ACCEPT_STEP_MS, MOST_ACCEPT_MS)
    if accept_ms > USUAL.accept_ns // MS and right(longer_ms, repeat_ms).is_whole:
        accept_ms = longer_ms
    longer_ms = min(repeat_ms + REPEAT_STEP_MS, MOST_REPEAT_MS)
    return accept_ms, longer_ms if repeat_ms and right(accept_ms, longer_ms).is_whole else repeat_ms


def _run(edges: _Edges, timing: LineTiming) -> list[LineEvent]:
    """Put all touches through the machine of a match."""
    contacts = Contacts(dict.fromkeys(PLACES, timing))
    events = contacts.feed(Levels(frozenset(), frozenset(PLACES), 0))
    for edge in edges.edges:
        events += contacts.feed(edge)
    last_ns = max((edge.t_ns for edge in edges.edges), default=0)
    return [*events, *contacts.advance(last_ns + 2 * SECOND)]


def _right(events: Iterable[object], rounds: Sequence[_Round]) -> _Right:
    presses = [event for event in events if isinstance(event, Press)]
    right, is_short = 0, False
    for one in rounds:
        made = [press for press in presses if one.from_ns <= press.t_ns < one.until_ns]
        meant = [press for press in made if one.is_meant(press)]
        right += made == meant and len(made) == 1
        is_short = is_short or not meant
    return _Right(len(rounds), right, is_short)


class _Round(NamedTuple):
    """From when to when a round lasts, and the touch in it that was meant, None where there is none."""

    from_ns: int
    until_ns: int
    meant: Touched | None

    def is_meant(self, press: Press) -> bool:
        meant = self.meant
        if meant is None or press.line != str(meant.place):
            return False
        return _at(meant.from_ms) <= press.t_ns <= _at(meant.until_ms)


def _rounds(touches: Sequence[Touched], rounds: Sequence[Asked]) -> list[_Round]:
    asked = sorted(rounds, key=lambda one: one.from_ms)
    ends = [*(one.from_ms for one in asked[1:]), LONGEST_MS + 1]
    found = []
    for one, until_ms in zip(asked, ends, strict=True):
        its = [t for t in touches if t.place == one.place and one.from_ms <= t.from_ms < until_ms]
        meant = max(its, key=lambda touch: touch.until_ms - touch.from_ms, default=None)
        found.append(_Round(_at(one.from_ms), _at(until_ms), meant))
    return found


def _heard(touches: Sequence[Touched], events: Sequence[object]) -> tuple[Heard, ...]:
    """Say of each touch what the machine has said of its contact."""
    presses = [(event.line, event.t_ns) for event in events if isinstance(event, Press)]
    others = [(event.line, event.t_ns, event.why) for event in events if isinstance(event, (Rejected, Dropped))]
    found = []
    for touch in sorted(touches, key=lambda one: (one.from_ms, one.place)):
        line, from_ns, until_ns = str(touch.place), _at(touch.from_ms), _at(touch.until_ms)
        is_press = any(of == line and from_ns <= t_ns <= until_ns for of, t_ns in presses)
        why = next((why for of, t_ns, why in others if of == line and from_ns <= t_ns <= until_ns), SAME_CONTACT)
        length_ms = touch.until_ms - touch.from_ms
        found.append(Heard(touch.place, touch.from_ms, length_ms, is_press, "" if is_press else why))
    return tuple(found)


def _told(accept_ms: int, found: _Right) -> tuple[str, ...]:
    said = [text("In {right} of {rounds} rounds exactly one press counts, the one that was meant.")]
    if not found.is_whole:
        said.append(text("No filter tells them all apart: try again, or with a guard over the buttons."))
    if accept_ms * MS > CONCESSION_NS:
        said.append(
            text("A touch counts after {accept_ms} ms, which is more than {most_ms}: every seat agrees to it first.")
        )
    values = {"accept_ms": accept_ms, "most_ms": CONCESSION_NS // MS}
    return tuple(one.format(right=found.right, rounds=found.rounds, **values) for one in said)
