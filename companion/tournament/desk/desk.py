"""The desk of an event: takes what boxes say and what the organiser does, one after the other. Pure.

Theory of operation. What comes from a box is believed in one thing only: that it is what the box wrote. Lines of
records go to the store first (`arrived` gives them out, `kept` takes them back once they are safe); then they are
judged again, and what becomes official is a line of the log. What the organiser does is a line of the log too, checked
by the event's own state. Whatever follows for boxes is worked out from the new line alone, in one table (`following`).
The desk holds nothing that is not in log and store, but how boxes say that they stand.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from companion.core.record.lines import Protest
from companion.tournament.desk import following
from companion.tournament.desk.boxes import Boxes, refusal
from companion.tournament.desk.officially import due_entries, official_entries
from companion.tournament.desk.outcome import Outcome
from companion.tournament.desk.records import Records, dispute_in
from companion.tournament.event.event import event_of
from companion.tournament.event.results import points_so_far, results_of, wanted_of
from companion.tournament.log import lines
from companion.tournament.log.chain import Chain
from companion.tournament.log.lines import write_entry
from companion.tournament.wire import Ask, Here, NotEnrolled, RecordPart, Shown, State, Welcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from companion.core.record.seals import Check
    from companion.core.ruling.game import Game
    from companion.tournament.desk.records import Held
    from companion.tournament.drawing.wanted import Wanted
    from companion.tournament.log.lines import RecordLine
    from companion.tournament.results import Place, RoundResults
    from companion.tournament.wire import Up

MOST_NOTES = 200
"""So many of the newest are kept for whoever looks later."""
FURTHEST_AHEAD = 1_000
"""A line so far after the last without a gap is refused: a box sends them in order, and few at once."""


class Desk:
    """An event at its desk, from its log. Call `kept` with what the store has of records before anything arrives."""

    def __init__(self, log: Iterable[bytes], find_game: Callable[[str], Game[Any]], check: Check) -> None:
        """log: the lines so far, at least the first. Raises MalformedEntry, Illegal where it is no event's log."""
        self.chain = Chain()
        self.event = event_of([self.chain.add(raw) for raw in log])
        self.records = Records(find_game, check)
        self.boxes = Boxes()
        self.notes: deque[str] = deque(maxlen=MOST_NOTES)

    # From boxes ------------------------------------------------------------------------------------------------------

    def connected(self) -> Outcome:
        """The desk has a connection: ask every box how it stands; nothing rests on what a broker has kept."""
        return Outcome(sends=[(name, Ask()) for name in self.event.boxes_in()])

    def arrived(self, up: Up) -> Outcome:
        """Take what came from a box. Lines of records are given out to be stored; they count once `kept` has them."""
        outcome = Outcome()
        if up.event != self.event.line.event:
            self._note(outcome, f"{up.box}: a message of another event, {up.event}, was left out")
        elif isinstance(up.message, RecordPart):
            self._part(outcome, up.box, up.message)
        elif isinstance(up.message, State):
            self.boxes.state(up.box, up.message)
            if up.message.is_there and self.boxes[up.box].here is None:
                outcome.sends.append((up.box, Ask()))  # it came before the desk did, and is not enrolled yet
        elif isinstance(up.message, Shown):
            self.boxes[up.box].shown = up.message
            held = self.records.held.get((up.box, up.message.match))
            if held is not None and held.place is not None:
                outcome.changed.add(held.place)
        else:
            self._here(outcome, up.box, up.message)
        return outcome

    def kept(
        self, parts: Sequence[tuple[str, RecordPart]], contradictions: Sequence[tuple[str, RecordPart]], wall: str
    ) -> Outcome:  # fmt: skip
        """Take lines that are stored now. contradictions: of them, those in whose place another is stored."""
        outcome = Outcome()
        against = {(box, part.match, part.number) for box, part in contradictions}
        touched: dict[tuple[str, str], Held] = {}
        for box, part in parts:
            held = self.records.of(box, part.match)
            touched[box, part.match] = held
            if (box, part.match, part.number) in against:
                self._contradicted(outcome, held, part)
                continue
            for number, raw in self.records.add(self.event, box, part.match, part.number, part.raw):
                self._line(outcome, held, number, raw, wall)
        for (box, _), held in touched.items():
            self._official(outcome, held, wall)
            outcome.sends.append((box, held.have()))
        return outcome

    def _here(self, outcome: Outcome, box: str, here: Here) -> None:
        standing = self.boxes[box]
        standing.is_there, standing.here = True, here
        why = refusal(self.event, box, here)
        if why is not None:
            outcome.sends.append((box, NotEnrolled(why=why)))
            self._note(outcome, why)
            return
        outcome.sends.append((box, Welcome(name=self.event.line.name)))
        for match in here.matches:
            held = self.records.of(box, match.match)
            if match.acknowledged > held.count:
                self._note(
                    outcome,
                    f"{box} says that this desk had {match.acknowledged} lines of match {match.match}, and there are"
                    f" {held.count}: the desk has been restored from an older backup, or its store was lost in part",
                )
            outcome.sends.append((box, held.have()))
        outcome.sends += following.state_for(self, box)

    def _part(self, outcome: Outcome, box: str, part: RecordPart) -> None:
        standing, enrolled = self.boxes[box], self.event.boxes.get(box)
        why = None
        if enrolled is None or not enrolled.is_in:
            why = f"a line of {box} was left out: it is no box of this event"
        elif standing.here is not None and (refused := refusal(self.event, box, standing.here)) is not None:
            why = f"a line of {box} was left out: {refused}"
        elif part.number > self.records.of(box, part.match).count + FURTHEST_AHEAD:
            why = f"line {part.number} of {box} was left out: those before it have not come"
        if why is not None:
            self._note(outcome, why)
        else:
            outcome.parts.append((box, part))

    def _contradicted(self, outcome: Outcome, held: Held, part: RecordPart) -> None:
        held.is_contradicted = True
        self._note(
            outcome,
            f"{held.box} sent another line {part.number} of match {held.match} than the one that is stored, which"
            " stays: its record was altered, or another box uses its name",
        )

    def _line(self, outcome: Outcome, held: Held, number: int, raw: bytes, wall: str) -> None:
        """See what a new line of a record means at once, sealed or not: a protest, an answer at the box."""
        if number == 1 and held.refused is not None:
            self._note(outcome, f"match {held.match} of {held.box}: {held.refused}")
        if held.place is None:
            return
        outcome.changed.add(held.place)
        dispute = dispute_in(raw, number)
        if dispute is None:
            return
        table = self.event.table(*held.place)
        if table.is_final or held.box not in table.boxes:
            return
        where = {"round": table.round, "table": table.number, "match": held.match}
        if isinstance(dispute, Protest):
            if not any((one.match, one.line) == (held.match, number) for one in table.protests):
                self._append(outcome, lines.ProtestLine, wall, **where, line=number)
        elif any((one.match, one.line, one.answer) == (held.match, dispute.protest, None) for one in table.protests):
            by = dispute.by or f"referee at {held.box}"
            self._append(
                outcome, lines.AnswerLine, wall, **where, line=dispute.protest, text=dispute.text[:500], by=by[:80],
                stands=dispute.stands,
            )  # fmt: skip

    def _official(self, outcome: Outcome, held: Held, wall: str) -> None:
        """Have a sealed result become official, or final, where it may."""
        for kind, fields, note in official_entries(self.event, self.records, held):
            if note:
                self._note(outcome, note)
            else:
                self._append(outcome, kind, wall, **fields)

    # From the organiser ----------------------------------------------------------------------------------------------

    def act(self, kind: type[Any], wall: str, **fields: Any) -> Outcome:
        """Do what a line of the log says, of a kind of `log.lines`. Raises Illegal; nothing changes then."""
        outcome = Outcome()
        self._append(outcome, kind, wall, **fields)
        return outcome

    def _append(self, outcome: Outcome, kind: type[Any], wall: str, **fields: Any) -> None:
        """Add a line and what follows from it. Raises Illegal, MalformedEntry; nothing changes then."""
        entry = self.chain.next(kind, wall, **fields)
        raw = write_entry(entry)
        lines.parse_entry(raw, entry.n)  # what a page gave is held against the line's own bounds
        self.event.feed(entry)
        self.chain.add(raw)
        outcome.entries.append((entry, raw))
        outcome.add(following.after(self, entry))

    def advance(self, now: datetime, wall: str) -> Outcome:
        """Have what is due by now be final. now: with its offset; wall: the same, for the log."""
        outcome = Outcome()
        for due in due_entries(self.event, now):
            self._append(outcome, due.kind, wall, **due.fields)
        return outcome

    def enrol(self, code: str, wall: str) -> Outcome:
        """Take the waiting box that shows a code into the event. Raises Malformed, Illegal."""
        box, key = self.boxes.by_code(self.event, code)
        return self.act(lines.BoxLine, wall, box=box, key=key)

    # What it comes to ------------------------------------------------------------------------------------------------

    def find(self, record: RecordLine) -> tuple[Place, ...] | None:
        """Give the places that an official record came to; None where it leads to none."""
        held = self.records.held.get((record.box, record.match))
        return None if held is None else held.came_to.get(record.lines)

    def results(self) -> tuple[RoundResults, ...]:
        """Give all rounds as they stand."""
        return results_of(self.event, self.find)

    def wanted(self) -> Wanted:
        """Give what the next round is drawn from now. Raises Illegal where none can be."""
        return wanted_of(self.event, points_so_far(self.results()))

    def note(self, text: str) -> None:
        """Keep something that the organiser should know."""
        self.notes.append(text)

    def _note(self, outcome: Outcome, text: str) -> None:
        self.notes.append(text)
        outcome.notes.append(text)
