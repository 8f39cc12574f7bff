"""Replace a call: what a record becomes when earlier lines are changed, taken out or put in. Pure.

Theory of operation. A record is never altered: everything from the first changed line on is taken back, then the new
lines and those of the old ones that still fit are appended. `preview` works out, on a judge of its own, which they are
and what every ruling becomes; `Match.replace` then writes exactly that, through the very same judge. Knows no game by
name and no wire.

The time of a press is never taken again: a press that is put in must be one the record already has, at its time and
with its uncertainty; its colour and role may change (a button that was wired wrongly, a call for the wrong seat).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.core.errors import Illegal, Malformed
from companion.core.record.lines import NOTES, PressLine, Setup, Undo, parse_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from companion.core.record.lines import Line
    from companion.core.ruling.history import History, Told
    from companion.core.ruling.judge import Judge
    from companion.core.ruling.offers import Offer
    from companion.core.ruling.rulings import Ruling


class Edit(NamedTuple):
    """What is to stand in the place of line `number`: no line takes it out."""

    number: int
    lines: tuple[Mapping[str, Any], ...]


class Fate(Enum):
    """What becomes of a line."""

    SAME = "same"
    CHANGED = "changed"  # it stands, and leads to other rulings
    NEW = "new"  # put in
    OUT = "out"  # taken out, or replaced
    MISFIT = "misfit"  # the rules forbid it now


@dataclass(frozen=True, slots=True)
class Retold:
    """A line from the first change on. number: of the line it is, or (NEW) in whose place it stands.

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
    changes = _by_number(edits)
    stands = history.standing()
    missing = changes.keys() - {told.number for told in stands}
    if missing:
        raise Illegal(f"line {min(missing)}: no such line stands that could be replaced")
    first = next(index for index, told in enumerate(stands) if told.number in changes)
    known = [told.line for told in history if isinstance(told.line, PressLine)]
    for told in (history[0], *stands[:first]):
        trial.feed(told.line)
    retold: list[Retold] = []
    for told in stands[first:]:
        if told.number in changes:
            new = [_read(told, raw, trial, known) for raw in changes[told.number].lines]
            retold += _replaced(told, new, trial)
        else:
            retold.append(_again(told, trial))
    again = tuple(entry.line for entry in retold if entry.fate not in (Fate.OUT, Fate.MISFIT))
    decision = None
    if trial.game is not None:
        decision = next((d for d in trial.game.offers(trial.state) if d.required), None)
    return Preview(len(history), tuple(retold), len(stands) - first, again, before, trial.outcome(), decision)


def _by_number(edits: Iterable[Edit]) -> dict[int, Edit]:
    changes: dict[int, Edit] = {}
    for edit in edits:
        if edit.number in changes:
            raise Illegal(f"line {edit.number}: it is replaced twice")
        changes[edit.number] = edit
    if not changes:
        raise Illegal("nothing is to be replaced")
    return changes


def _read(told: Told, raw: Mapping[str, Any], judge: Judge, known: Sequence[PressLine]) -> Line:
    """Read a new line, strictly; times it does not say are those of the line it replaces."""
    fields = dict(raw)
    if fields.get("type") == told.line.__struct_config__.tag:
        for name in ("t_ns", "error_ns"):
            if getattr(told.line, name, None) is not None:
                fields.setdefault(name, getattr(told.line, name))
    line = parse_line(msgspec.json.encode(fields), told.number, judge.extra_lines)
    if isinstance(line, (Setup, Undo, *NOTES)):
        raise Illegal(f"line {told.number}: a `{line.__struct_config__.tag}` cannot be put in the place of a call")
    if isinstance(line, PressLine) and all(
        (line.t_ns, line.error_ns) != (press.t_ns, press.error_ns) for press in known
    ):
        raise Illegal(f"line {told.number}: a press keeps the time it was made at; no press of the record has this one")
    return line


def _replaced(told: Told, new: Sequence[Line], judge: Judge) -> Iterator[Retold]:
    yield Retold(told.number, told.line, Fate.OUT, before=told.rulings)
    for line in new:
        try:
            rulings = judge.feed(line)
        except (Malformed, Illegal) as error:
            kind = Malformed if isinstance(error, Malformed) else Illegal
            raise kind(f"line {told.number}: what is to stand there does not fit: {error}") from error
        yield Retold(told.number, line, Fate.NEW, after=rulings)


def _again(told: Told, judge: Judge) -> Retold:
    line = replace(told.line, wall=None)  # when it was said first stays with the line that is taken back
    try:
        rulings = judge.feed(line)
    except (Malformed, Illegal) as error:
        return Retold(told.number, line, Fate.MISFIT, before=told.rulings, message=str(error))
    fate = Fate.SAME if rulings == told.rulings else Fate.CHANGED
    return Retold(told.number, line, fate, before=told.rulings, after=rulings)
