"""Replace a call: what a record becomes when earlier lines are changed, taken out or put in. Pure.

Theory of operation. A record is never altered: everything from the first changed line on is taken back, then the new
lines and those of the old ones that still fit are appended. `preview` works out, on a judge of its own, which they are
and what every ruling becomes; `Match.replace` then writes exactly that, through the very same judge. Knows no game by
name and no wire.

Lines are put in the place of one, or before one that stays; before the line that would come next is the end of the
record, where a race may be closed and not judged yet.

The time of a press is never taken again: a press that is put in must be one the record already has
(`known_presses`), at its time and with its uncertainty; its colour and role may change (a button that was wired
wrongly, a call for the wrong seat). So is that of a choice that is timed: it keeps its own, or has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import NOTES, PressLine, Remark, Setup, TimedLine, Undo, parse_line
from companion.core.record.told_presses import read_press
from companion.core.words.encoding import encode
from companion.core.words.texts import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.judge import Judge
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.rulings import Ruling


class Edit(NamedTuple):
    """What is to stand in the place of line `number`: no line takes it out.

    before: what is to stand before that line, which stays; one more than the record has lines: at its end.
    """

    number: int
    lines: tuple[Mapping[str, Any], ...]
    before: bool = False


class KnownPress(NamedTuple):
    """A press that the record has. number: of the line that has or tells it."""

    number: int
    line: PressLine


class Fate(Enum):
    """What becomes of a line."""

    SAME = "same"
    CHANGED = "changed"  # it stands, and leads to other rulings
    NEW = "new"  # put in
    OUT = "out"  # taken out, or replaced
    MISFIT = "misfit"  # the rules forbid it now


@dataclass(frozen=True, slots=True)
class Retold:
    """A line from the first change on. number: of the line it is, or (NEW) in whose place or before which it stands.

    before, after: what is ruled on it without and with the change; () where it does not stand. message: why a MISFIT
    does not fit, else empty.
    """

    number: int
    line: Line
    fate: Fate
    before: tuple[Ruling, ...] = ()
    after: tuple[Ruling, ...] = ()
    message: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be. seen: the number of lines that the record has now. retold: in the order of the new record.

    undone, again: how many lines are taken back, and what is appended then. before, after: the outcome.
    decision: what must be decided next, None where nothing must.
    """

    seen: int
    retold: tuple[Retold, ...]
    undone: int
    again: tuple[Line, ...]
    before: Ruling
    after: Ruling
    decision: Offer | None

    def count(self, fate: Fate) -> int:
        """Give how many lines have this fate."""
        return sum(retold.fate is fate for retold in self.retold)


def preview(trial: Judge, before: Ruling, history: History, edits: Sequence[Edit]) -> Preview:
    """Work out what becomes of the record that was judged as `history`, with the outcome `before`.

    trial: a judge that has judged nothing yet; it is used up.

    Raises Malformed for a new line that cannot be read, Illegal where no such line stands or a new line does not fit in
    its place; both name the line.
    """
    stands, end = history.standing(), len(history) + 1
    changes = _by_number(_at_end(edits, stands, end))
    _verify_places(changes, {told.number for told in stands}, end)
    kept = [told for told in stands if told.number < min(changes)]
    for told in (history[0], *kept):
        trial.feed(told.line)
    known = [told.line for told in known_presses(history, ())]
    retold: list[Retold] = []
    for told in stands[len(kept) :]:
        edit = changes.get(told.number)
        retold += _again(told, trial) if edit is None else _changed(edit, told, trial, known)
    if end in changes:
        retold += _put_in(changes[end], None, trial, known)
    again = tuple(entry.line for entry in retold if entry.fate not in (Fate.OUT, Fate.MISFIT))
    decision = None
    if trial.game is not None:
        decision = next((d for d in trial.game.offers(trial.state) if d.required), None)
    return Preview(len(history), tuple(retold), len(stands) - len(kept), again, before, trial.outcome(), decision)


def _by_number(edits: Iterable[Edit]) -> dict[int, Edit]:
    changes: dict[int, Edit] = {}
    for edit in edits:
        if edit.number in changes:
            raise Illegal(f"line {edit.number}: it is replaced twice")
        changes[edit.number] = edit
    if not changes:
        raise Illegal(text("nothing is to be replaced"))
    return changes


def _at_end(edits: Iterable[Edit], stands: Sequence[Told], end: int) -> Iterator[Edit]:
    """Give the edits, those before a note after all that stands as at the end: notes come by themselves."""
    newest = stands[-1].number if stands else 0
    for edit in edits:
        yield edit._replace(number=end) if edit.before and newest < edit.number < end else edit


def _verify_places(changes: Mapping[int, Edit], standing: set[int], end: int) -> None:
    """Raise Illegal for a change of what does not stand."""
    for number, edit in sorted(changes.items()):
        if number not in standing and not (edit.before and number == end):
            raise Illegal(f"line {number}: no such line stands that could be replaced")


def known_presses(history: Iterable[Told], roles: Sequence[str]) -> list[KnownPress]:
    """Give every press that the record has, whether it counts, was ignored or taken back, or is told in a remark.

    roles: what the game calls the buttons of a seat.
    """
    found = ((told, read_press(told.line, roles) if isinstance(told.line, Remark) else told.line) for told in history)
    return [KnownPress(told.number, line) for told, line in found if isinstance(line, PressLine)]


def _changed(edit: Edit, told: Told, judge: Judge, known: Sequence[PressLine]) -> Iterator[Retold]:
    """Retell a line that is replaced, or that others are put before."""
    if edit.before:
        yield from _put_in(edit, None, judge, known)
        yield from _again(told, judge)
        return
    yield Retold(told.number, told.line, Fate.OUT, before=told.rulings)
    yield from _put_in(edit, told.line, judge, known)


def _put_in(edit: Edit, old: Line | None, judge: Judge, known: Sequence[PressLine]) -> Iterator[Retold]:
    """Judge the new lines. old: what they replace, None where they are put before a line."""
    new = [_read(edit.number, raw, old, judge, known) for raw in edit.lines]
    for line in new:
        try:
            rulings = judge.feed(line)
        except (Malformed, Illegal) as error:
            kind = Malformed if isinstance(error, Malformed) else Illegal
            raise kind(f"line {edit.number}: what is to stand there does not fit: {error}") from error
        yield Retold(edit.number, line, Fate.NEW, after=rulings)


def _read(number: int, raw: Mapping[str, Any], old: Line | None, judge: Judge, known: Sequence[PressLine]) -> Line:
    """Read a new line, strictly; times it does not say are those of the line it replaces."""
    fields = dict(raw)
    if old is not None and fields.get("type") == old.__struct_config__.tag:
        for name in ("t_ns", "error_ns"):
            if getattr(old, name, None) is not None:
                fields.setdefault(name, getattr(old, name))
    line = parse_line(encode(fields), number, judge.extra_lines)
    if isinstance(line, (Setup, Undo, *NOTES)):
        raise Illegal(f"line {number}: a `{line.__struct_config__.tag}` cannot be put in the place of a call")
    if isinstance(line, PressLine) and all(
        (line.t_ns, line.error_ns) != (press.t_ns, press.error_ns) for press in known
    ):
        raise Illegal(f"line {number}: a press keeps the time it was made at; no press of the record has this one")
    if isinstance(line, TimedLine) and line.t_ns is not None and not _has_time_of(line, old):
        raise Illegal(f"line {number}: a choice that replaces another stands at its own time, or at none")
    return line


def _has_time_of(line: TimedLine, old: Line | None) -> bool:
    return isinstance(old, TimedLine) and (line.t_ns, line.error_ns) == (old.t_ns, old.error_ns)


def _again(told: Told, judge: Judge) -> Iterator[Retold]:
    """Judge a line again, as it stands."""
    line = replace(told.line, wall=None)  # when it was said first stays with the line that is taken back
    try:
        rulings = judge.feed(line)
    except (Malformed, Illegal) as error:
        yield Retold(told.number, line, Fate.MISFIT, before=told.rulings, message=str(error))
        return
    fate = Fate.SAME if rulings == told.rulings else Fate.CHANGED
    yield Retold(told.number, line, fate, before=told.rulings, after=rulings)
