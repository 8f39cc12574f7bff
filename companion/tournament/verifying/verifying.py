"""Works a whole event out again: its log's chain and sense, each official record, each drawing, the standings. Pure.

Theory of operation. The log is followed line by line by the same state machine that the desk has. Before a drawing is
taken, the round is drawn anew from what the log says so far; when a record is made official, it is judged, its seals
and its keys are looked at, and only then do its places count. Where a record does not hold, what rests on it cannot be
told and is not compared, so that one fault is named once and not in every drawing after it. A line that does not follow
ends the way: nothing after it is known to be of this event. In the end comes what no line of the log has named
(`leftovers`): a record or a key that is there and should not be, or that the log is too old to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.core.errors import Illegal, Malformed, UnknownGame
from companion.tournament.event.event import Event
from companion.tournament.event.results import points_so_far, results_of, wanted_of
from companion.tournament.event.times import due_at, instant_of
from companion.tournament.log import lines
from companion.tournament.log.chain import Chain, heads_of
from companion.tournament.standings.standings import standings
from companion.tournament.verifying.findings import Finding, Severity, Worked
from companion.tournament.verifying.leftovers import leftovers
from companion.tournament.verifying.records import Records, against, place_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.tournament.drawing.wanted import Drawing
    from companion.tournament.log.lines import AnyEntry, TableDrawn
    from companion.tournament.standings.standings import Standing
    from companion.tournament.verifying.contents import Contents
    from companion.tournament.verifying.means import Means

LOG = "event.jsonl"
FEWEST_DIGITS = 32
"""Of a head: whoever types half of it is as sure as anybody can be."""


def verify_event(contents: Contents, means: Means, head: str | None = None) -> Worked:
    """Work an event out again. head: what a print names, at least 32 of its hex digits; None: there is none to go by.

    Raises UnknownGame where the event's game is not installed and the log's chain holds, Malformed and Unavailable
    where `contents` cannot be read, and what the check of signatures raises.
    """
    raw_lines = contents.log()
    entries, fault = _chained(raw_lines)
    verifying = _Verifying(contents, means, entries)
    try:
        lines_known = verifying.follow()
    except UnknownGame:
        if fault is None:
            raise
        lines_known = len(entries)  # somebody has changed the line: nobody can tell what the game was
    if fault is not None and lines_known == len(entries):
        verifying.broken(f"{LOG}, line {len(entries) + 1}", fault)
    is_whole = lines_known == len(raw_lines)
    if is_whole:
        verifying.look_at_leftovers()
    vouched = 0
    if head is not None:
        vouched = next((n for n, one in enumerate(heads_of(raw_lines), start=1) if one.startswith(head)), 0)
        if not vouched:
            verifying.broken(LOG, f"no line of the log has the head {head}: this is not the log that was printed")
    return verifying.worked(lines_known, vouched if vouched <= len(entries) else 0, is_whole=is_whole)


def _chained(raw_lines: Sequence[bytes]) -> tuple[list[AnyEntry], str | None]:
    """Give the lines of a log as far as each follows from those before it, and what is wrong with the next."""
    chain, entries = Chain(), []
    for raw in raw_lines:
        try:
            entries.append(chain.add(raw))
        except lines.MalformedEntry as error:
            return entries, error.reason
    return entries, None


class _Verifying:
    """One event's way through its log."""

    def __init__(self, contents: Contents, means: Means, entries: Sequence[AnyEntry]) -> None:
        self._contents, self._means, self._entries = contents, means, entries
        self._records = Records(contents, entries, means.find_game, means.check)
        self._event: Event | None = None
        self._unknown: set[tuple[int, int]] = set()  # tables whose official record does not hold
        self._drawings = 0
        self._official: set[tuple[str, str]] = set()  # box and match of the records that hold
        self._marks: dict[tuple[int, int], tuple[str, ...]] = {}  # of the official record of each table
        self._findings: list[Finding] = []
        self._steps = len(entries) + len(self._records.there)

    # -- the way through the log -------------------------------------------------------------------------------------

    def follow(self) -> int:
        """Follow the log as far as it makes sense; give how many lines that is."""
        for done, entry in enumerate(self._entries):
            self._means.tell(done, self._steps)
            try:
                self._take(entry)
            except Illegal as error:
                self.broken(f"{LOG}, line {entry.n}", str(error))
                return done
        return len(self._entries)

    def _take(self, entry: AnyEntry) -> None:
        event = self._event
        if event is None:
            self._event = Event(entry)
            self._means.find_game(self._event.line.game)
            return
        before = _BEFORE.get(type(entry))
        found = None if before is None else before(self, event, entry)
        event.feed(entry)
        if found is not None:
            self._findings.append(found)
        after = _AFTER.get(type(entry))
        if after is not None:
            after(self, event, entry)

    def _drawn(self, event: Event, entry: lines.DrawnLine) -> Finding | None:
        """Draw a round anew, from the log before its line."""
        place = f"round {entry.round}, drawn in line {entry.n} of the log"
        if self._unknown:
            return Finding(Severity.NOTE, place, "not drawn again: it rests on a record that does not hold")
        try:
            drawing = self._means.draw(wanted_of(event, self._points(event)))
        except Illegal as error:
            return Finding(Severity.BROKEN, place, f"no drawing is allowed there: {error}")
        self._drawings += 1
        differs = _difference(drawing, entry)
        if differs is None:
            return None
        return Finding(Severity.BROKEN, place, f"it is not what log and seed lead to: {differs}")

    def _redrawn(self, event: Event, entry: lines.RedrawnLine) -> Finding | None:
        """See that a change by hand says truly by how much it is worse."""
        place = f"round {entry.round}, changed in line {entry.n} of the log"
        by_hand = Finding(Severity.NOTE, place, f"changed by hand by {entry.by}: {entry.reason}")
        found = event.round(entry.round)
        wanted = wanted_of(event, self._points(event, entry.round), entry.round)
        entrants = {entrant.player for entrant in wanted.entrants}
        if self._unknown or not found.seated() <= entrants:
            return by_hand  # against a drawing with somebody who has left since, nothing can be compared
        if any(player not in entrants for table in entry.tables for player in table.players):
            return by_hand  # which the event itself refuses
        before, now = self._means.cost(wanted, found.line.tables), self._means.cost(wanted, entry.tables)
        worse = tuple(one - other for one, other in zip(now, before, strict=True))
        if worse == (entry.meetings, entry.spread, entry.seats):
            return by_hand
        says = "meetings {}, spread {}, seats {}".format(*worse)
        return Finding(Severity.BROKEN, place, f"it is worse by other numbers than it says: {says}")

    def _points(self, event: Event, number: int | None = None) -> dict[int, int]:
        """Give the points of the rounds before one; None: of all."""
        results = results_of(event, self._records.find)
        return points_so_far(results if number is None else results[: number - 1])

    def _record(self, event: Event, entry: lines.RecordLine) -> None:
        """Judge a record that has become official."""
        self._unknown.discard((entry.round, entry.table))
        self._marks.pop((entry.round, entry.table), None)
        why = self._why_not(event, entry)
        if why is None:
            self._official.add((entry.box, entry.match))
            return
        self._unknown.add((entry.round, entry.table))
        self.broken(place_of(entry.box, entry.match), f"{why} (line {entry.n} of the log)")

    def _why_not(self, event: Event, entry: lines.RecordLine) -> str | None:
        if (entry.box, entry.match) not in self._records.there:
            return "the log made it official, and it is not in the file"
        table = event.table(entry.round, entry.table)
        try:
            found = self._records.played(event, entry.box, entry.match, table)
        except Malformed as error:
            return str(error)
        why = against(event, entry, found)
        if why is None:
            judged = found.at[entry.lines].judged
            self._records.accept(entry, judged.places or ())
            self._marks[entry.round, entry.table] = judged.remarks
        return why

    def _final(self, event: Event, entry: lines.FinalLine) -> None:
        """See that a result has the signatures, or the time, by which it is final, and no protest was passed over."""
        table = event.table(entry.round, entry.table)
        line = table.record
        if line is None or self._records.find(line) is None:
            return
        judged = self._records.played(event, line.box, line.match, table).at[line.lines].judged
        place = f"{LOG}, line {entry.n}"
        missing = sorted(set(table.players) - set(judged.signed))
        if entry.why == "signed" and missing:
            self.broken(place, f"{table.called()} is final by its signatures, and players {missing} have not signed")
        written, due = instant_of(entry.wall), due_at(event, table)
        if entry.why == "deadline" and (written is None or written < due):
            at = "has no time that can be read" if written is None else f"is of {written.isoformat()}"
            self.broken(place, f"{table.called()} is final by its deadline, {due.isoformat()}, and the line {at}")
        known = {(protest.match, protest.line) for protest in table.protests}
        for protest in judged.protests:
            if (line.match, protest.line) not in known:
                where = f"line {protest.line} of {place_of(line.box, line.match)}"
                self.broken(place, f"{table.called()} is final, and the log does not know the protest in {where}")

    def _by_hand(self, event: Event, entry: lines.ByHandLine) -> None:
        self._unknown.discard((entry.round, entry.table))
        self._marks.pop((entry.round, entry.table), None)
        where = event.table(entry.round, entry.table).called()
        self.note(f"{LOG}, line {entry.n}", f"the result of {where} was entered by hand by {entry.by}: {entry.reason}")

    def _given(self, _event: Event, entry: lines.PointsLine) -> None:
        what = f"player {entry.player} was given {entry.points} points for round {entry.round} by {entry.by}"
        self.note(f"{LOG}, line {entry.n}", f"{what}: {entry.reason}")

    # -- what it comes to --------------------------------------------------------------------------------------------

    def look_at_leftovers(self) -> None:
        """Look at what no line of the log has named, once all of them make sense."""
        if self._event is not None:
            done = len(self._entries)
            tell: Callable[[int], None] = lambda more: self._means.tell(done + more, self._steps)  # noqa: E731
            self._findings += leftovers(self._event, self._contents.keys(), self._records, tell)

    def broken(self, place: str, what: str) -> None:
        """Have something not hold."""
        self._findings.append(Finding(Severity.BROKEN, place, what))

    def note(self, place: str, what: str) -> None:
        """Have something be worth knowing."""
        self._findings.append(Finding(Severity.NOTE, place, what))

    def worked(self, known: int, vouched: int, *, is_whole: bool) -> Worked:
        """Give what it came to. is_whole: all of the log could be followed."""
        return Worked(
            tuple(self._findings),
            known,
            vouched,
            self._event,
            len(self._records.there),
            len(self._official),
            self._drawings,
            self._standings() if is_whole and not self._unknown else (),
            self._marked(),
        )

    def _marked(self) -> tuple[tuple[str, tuple[tuple[int, int], ...]], ...]:
        """Give the tables by what is to be marked at their results."""
        tables: dict[str, list[tuple[int, int]]] = {}
        for place, remarks in sorted(self._marks.items()):
            for remark in remarks:
                tables.setdefault(remark, []).append(place)
        return tuple((remark, tuple(places)) for remark, places in tables.items())

    def _standings(self) -> tuple[Standing, ...]:
        event = self._event
        if event is None or event.seed is None:
            return ()
        results = results_of(event, self._records.find)
        line = event.line
        return standings(results, event.players.ever(), line.tie_breaks, event.seed, line.event)


def _difference(drawing: Drawing, entry: lines.DrawnLine) -> str | None:
    """Say where a drawing and its line differ, None where they do not: who has no table follows from the tables."""
    should, does = _tables(drawing.tables), _tables(entry.tables)
    for number in sorted(should.keys() | does.keys()):
        one, other = should.get(number), does.get(number)
        if one != other:
            return f"table {number} is {_seats(one)}, and the log has {_seats(other)}"
    return None


def _tables(tables: Sequence[TableDrawn]) -> dict[int, tuple[int, ...]]:
    return {table.table: table.players for table in tables}


def _seats(players: Sequence[int] | None) -> str:
    return "that of players " + ", ".join(map(str, players)) if players else "not there"


_BEFORE: dict[type[Any], Callable[[_Verifying, Event, Any], Finding | None]] = {
    lines.DrawnLine: _Verifying._drawn,
    lines.RedrawnLine: _Verifying._redrawn,
}
"""What is looked at before a line is taken: given what it finds, which counts where the line itself is in order."""
_AFTER: dict[type[Any], Callable[[_Verifying, Event, Any], None]] = {
    lines.RecordLine: _Verifying._record,
    lines.FinalLine: _Verifying._final,
    lines.ByHandLine: _Verifying._by_hand,
    lines.PointsLine: _Verifying._given,
}
"""What is looked at once a line has been taken."""
