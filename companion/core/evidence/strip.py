"""All there is to show of one race, by its record and its evidence alone, as values that a strip is drawn from.

Judges the record again, checks the evidence against the hash in it, and runs the edges through the contacts under the
record's conditions. Whatever does not agree is said (`notes`), not smoothed over. Pure; knows no picture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import CompanionError, Malformed
from companion.core.evidence.capture import AFTER_NS, BEFORE_NS
from companion.core.evidence.contacts_seen import Contact, Verdict, contacts_seen
from companion.core.evidence.written import EdgeSeen, Lost, checked_evidence
from companion.core.panel import BUTTON_BY_LABEL, button_of, label_of, line_says, role_of
from companion.core.record.condition_changes import UNCHANGED, newest_remark
from companion.core.record.lines import Close, Evidence, JudgeLine, Names, PressLine, Reveal, Setup
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.looks import button_named, card_says
from companion.core.ruling.rulings import IGNORED, Fault, Ignored, Order
from companion.core.shown.race_rows import rows
from companion.core.timing.events import MS
from companion.core.words.texts import joined, small, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from companion.core.evidence.written import Entry
    from companion.core.panel import Colour
    from companion.core.ruling.game import Game
    from companion.core.ruling.history import History, Told
    from companion.core.shown.scene import Row
    from companion.core.timing.events import LineFault


class NoSuchRace(CompanionError, LookupError):
    """The record has no such race, or names no evidence of it."""


class EdgeDrawn(NamedTuple):
    """An edge, and its number where its source counts them."""

    t_ns: int
    active: bool
    error_ns: int
    number: int | None


class ContactDrawn(NamedTuple):
    """A contact, and what the record made of its press: "place 1", "ignored: closed"; empty where it has none."""

    contact: Contact
    became: str


class Lane(NamedTuple):
    """A line that had edges. colour: None for the knob; role: what the game calls the button, else the line's own."""

    line: str
    colour: Colour | None
    role: str
    edges: tuple[EdgeDrawn, ...]
    contacts: tuple[ContactDrawn, ...]


class Gap(NamedTuple):
    """Edges that were lost, between `from_ns` (None: not known since when) and `to_ns`; lines: None for all."""

    from_ns: int | None
    to_ns: int
    says: str
    lines: tuple[str, ...] | None
    source: str


class PlaceDrawn(NamedTuple):
    """A place of the order, its raw time, its ± and what the seat's allowance takes off."""

    row: Row
    t_ns: int
    error_ns: int
    allowance_ns: int

    @property
    def adjusted_ns(self) -> int:
        """The time that was compared."""
        return self.t_ns - self.allowance_ns


class Card(NamedTuple):
    """A card that was revealed for this race. is_turned: the time is when it was turned, not when it was entered."""

    says: str
    t_ns: int
    is_turned: bool


class Heading(NamedTuple):
    """What the strip is of. evidence: hashes; wall: when the race was judged (RFC 3339), as far as it is known."""

    game: str
    race_name: str
    race: int
    match: str
    wall: str | None
    evidence: tuple[str, ...]
    edges: int


class Strip(NamedTuple):
    """One race. zero_ns: its earliest press, from which times are told; close_ns: None where the record has no time."""

    heading: Heading
    zero_ns: int
    close_ns: int | None
    window_ns: int | None
    places: tuple[PlaceDrawn, ...]
    dead_heats: tuple[tuple[Colour, ...], ...]
    lanes: tuple[Lane, ...]
    gaps: tuple[Gap, ...]
    cards: tuple[Card, ...]
    names: dict[Colour, str]
    notes: tuple[str, ...]

    @property
    def from_ns(self) -> int:
        """Where it begins."""
        return self.zero_ns - BEFORE_NS

    @property
    def to_ns(self) -> int:
        """Where it ends."""
        return self.end_ns + AFTER_NS

    @property
    def end_ns(self) -> int:
        """The close, or without its time the last press."""
        return max(place.t_ns for place in self.places) if self.close_ns is None else self.close_ns


def strip_of(
    lines: Iterable[bytes],
    race: int,
    find_game: Callable[[str], Game[Any]],
    find_evidence: Callable[[str], bytes | None],
) -> Strip:
    """Give all there is to show of a race. find_evidence: gives the bytes stored under a hash, None where none are.

    Raises NoSuchRace; Altered where evidence has not the hash that the record names; Malformed for a record that
    cannot be judged up to the race, and for evidence that cannot be read.
    """
    judge = Judge(find_game)
    ruled = [ruling for _, rulings in judged_lines(lines, judge) for ruling in rulings]
    faults = [ruling for ruling in ruled if isinstance(ruling, Fault)]
    if judge.game is None or judge.setup is None:
        raise Malformed(text("line {line}: {why}").format(line=faults[0].line, why=faults[0].message))
    told = _judging(judge.history, race)
    if told is None:
        says = text("the record has no {race_name} {race}").format(race_name=small(judge.game.race_name), race=race)
        if faults:
            until = text("it cannot be judged from line {line} on: {why}")
            says = joined((says, until.format(line=faults[0].line, why=faults[0].message)), "; ")
        raise NoSuchRace(says)
    reader = _Reader(judge.history, told, judge.game, judge.setup)
    return reader.strip(find_evidence)


def _judging(history: History, race: int) -> Told | None:
    """Give the line that judged a race, as it stands; None where none does."""
    for told in history.standing_backwards():
        if isinstance(told.line, JudgeLine) and _order(told).race == race:
            return told
    return None


def _order(told: Told) -> Order:
    return next(ruling for ruling in told.rulings if isinstance(ruling, Order))


class _Reader:
    """Reads one race out of a judged record."""

    def __init__(self, history: History, told: Told, game: Game[Any], setup: Setup) -> None:
        self._history, self._told, self._game, self._setup = history, told, game, setup
        self._presses = history.presses_of(told.number)
        self._zero_ns = min(press.t_ns for press in self._presses)
        self._notes: list[str] = []

    def strip(self, find_evidence: Callable[[str], bytes | None]) -> Strip:
        places = self._places()
        close_ns = self._close_ns()
        named = self._named()
        entries = self._entries(named, find_evidence, close_ns)
        seen = contacts_seen(entries, self._setup.conditions)
        lanes = self._lanes(entries, seen.contacts)
        self._notes += self._changed_conditions()
        self._notes += [*self._unexplained(seen.contacts), *map(self._fault_says, seen.faults)]
        return Strip(
            heading=self._heading(named, sum(isinstance(entry, EdgeSeen) for entry in entries)),
            zero_ns=self._zero_ns,
            close_ns=close_ns,
            window_ns=None if self._setup.conditions is None else self._setup.conditions.window_ms * MS,
            places=places,
            dead_heats=dead_heats(places),
            lanes=lanes,
            gaps=tuple(_gap(entry) for entry in entries if isinstance(entry, Lost)),
            cards=self._cards(),
            names=self._names(),
            notes=tuple(self._notes),
        )

    # -- from the record ---------------------------------------------------------------------------------------------

    def _heading(self, named: Sequence[Evidence], edges: int) -> Heading:
        game, order = self._game, _order(self._told)
        hashes = tuple(dict.fromkeys(line.sha256 for line in named))
        match = self._setup.match
        return Heading(game.title, game.race_name, order.race, match, self._told.line.wall, hashes, edges)

    def _places(self) -> tuple[PlaceDrawn, ...]:
        allowances = {seat.colour: seat.allowance_ms * MS for seat in self._setup.seats}
        errors = {press.colour: press.error_ns for press in self._presses}
        found = rows(_order(self._told).order, self._presses, self._game)
        times = {place.colour: place.t_ns for place in _order(self._told).order}
        return tuple(PlaceDrawn(row, times[row.colour], errors[row.colour], allowances[row.colour]) for row in found)

    def _changed_conditions(self) -> list[str]:
        """Say where the race was not played under the conditions that the setup states, by which contacts are told."""
        before = self._history[: self._told.number]
        newest = newest_remark(told.line for told in reversed(before))
        return [newest] if newest and newest != UNCHANGED else []

    def _close_ns(self) -> int | None:
        standing = self._history.standing_backwards(self._told.number)
        return next((told.line.t_ns for told in standing if isinstance(told.line, Close)), None)

    def _cards(self) -> tuple[Card, ...]:
        """Give the timed reveals since the race before, oldest first."""
        found: list[Card] = []
        for told in self._history.standing_backwards(self._told.number):
            if isinstance(told.line, JudgeLine):
                break
            if isinstance(told.line, Reveal) and told.line.t_ns is not None:
                found.append(Card(card_says(self._game.deck, told.line.card), told.line.t_ns, bool(told.line.turned)))
        return tuple(reversed(found))

    def _names(self) -> dict[Colour, str]:
        names: dict[Colour, str] = {}
        for told in self._history:
            if isinstance(told.line, Names):
                names.update(told.line.names)
        return names

    # -- from the evidence -------------------------------------------------------------------------------------------

    def _named(self) -> list[Evidence]:
        """Give the lines that name evidence of this race. Raises NoSuchRace where there is none."""
        race = _order(self._told).race
        named = [told.line for told in self._history if isinstance(told.line, Evidence) and told.line.race == race]
        if not named:
            says = text("the record names no evidence of {race_name} {race}")
            raise NoSuchRace(says.format(race_name=small(self._game.race_name), race=race))
        return named

    def _entries(
        self, named: Sequence[Evidence], find: Callable[[str], bytes | None], close_ns: int | None
    ) -> list[Entry]:
        """Read what was captured around the race, from as many files as there are."""
        found: dict[Entry, None] = {}
        missing = []
        for line in named:
            content = find(line.sha256)
            if content is None:
                missing.append(line.sha256)
                continue
            entries = checked_evidence(content, line.sha256)
            _check_count(entries, line)
            found |= dict.fromkeys(entries)
        if len(missing) == len(named):
            raise NoSuchRace(text("the evidence is not there: {missing}").format(missing=joined(missing)))
        self._notes += [text("evidence is missing: {sha256}").format(sha256=sha256) for sha256 in missing]
        last_ns = close_ns if close_ns is not None else max(press.t_ns for press in self._presses)
        around = [e for e in found if self._zero_ns - BEFORE_NS <= e.t_ns <= last_ns + AFTER_NS]
        return sorted(around, key=lambda entry: entry.t_ns)

    def _lanes(self, entries: Sequence[Entry], contacts: Sequence[Contact]) -> tuple[Lane, ...]:
        """Give a lane for each line that had edges: the seats' in their order, then others."""
        by_line: dict[str, list[EdgeSeen]] = {}
        for entry in entries:
            if isinstance(entry, EdgeSeen):
                by_line.setdefault(entry.line, []).append(entry)
        for press in self._presses:  # what pressed without an edge has a lane too, for all to see
            button = button_of(press.colour, press.role, self._game.roles)
            if button is not None and not any(label_of(line) == button.label for line in by_line):
                by_line[button.label] = []
        became = self._became()
        return tuple(self._lane(line, by_line[line], contacts, became) for line in sorted(by_line, key=self._rank))

    def _lane(
        self, line: str, edges: Sequence[EdgeSeen], contacts: Sequence[Contact], became: dict[tuple[str, int], str]
    ) -> Lane:
        button = BUTTON_BY_LABEL.get(label_of(line))
        role = "" if button is None else role_of(button, self._game.roles) or button.position
        own = [contact for contact in contacts if contact.line == line]
        mark = line.removeprefix(label_of(line))
        return Lane(
            line=line,
            colour=None if button is None else button.colour,
            role=line_says(line) if button is None else _marked(button_named(self._game, role), mark),
            edges=tuple(EdgeDrawn(edge.t_ns, edge.active, edge.error_ns, edge.number) for edge in edges),
            contacts=tuple(ContactDrawn(contact, became.get((label_of(line), contact.t_ns), "")) for contact in own),
        )

    def _rank(self, line: str) -> tuple[int, int, str]:
        seats = [seat.colour for seat in self._setup.seats]
        button = BUTTON_BY_LABEL.get(label_of(line))
        if button is None:
            return len(seats) + 1, 0, line
        seat = seats.index(button.colour) if button.colour in seats else len(seats)
        return seat, list(BUTTON_BY_LABEL).index(button.label), line

    def _became(self) -> dict[tuple[str, int], str]:
        """Say of each press of the record, by its button's label and its time, what became of it."""
        places = {place.colour: place for place in _order(self._told).order}
        became: dict[tuple[str, int], str] = {}
        for told in self._history:
            if not isinstance(told.line, PressLine):
                continue
            button = button_of(told.line.colour, told.line.role, self._game.roles)
            place = places.get(told.line.colour)
            ignored = next((ruling.reason for ruling in told.rulings if isinstance(ruling, Ignored)), None)
            key = (button.label if button is not None else "", told.line.t_ns)
            if told.line in self._presses and place is not None:
                became[key] = text("place {place}").format(place=place.place)
            elif ignored is not None:
                became.setdefault(key, text("ignored: {why}").format(why=IGNORED.get(ignored, ignored)))
        return became

    def _unexplained(self, contacts: Sequence[Contact]) -> list[str]:
        """Say which presses of the record no accepted contact explains."""
        accepted = {(label_of(c.line), c.t_ns): c for c in contacts if c.verdict is Verdict.ACCEPTED}
        notes: list[str] = []
        for press in self._presses:
            button = button_of(press.colour, press.role, self._game.roles)
            contact = accepted.get((button.label if button is not None else "", press.t_ns))
            if contact is None:
                says = text("{colour} {button}: no contact in the evidence explains this press")
            elif contact.error_ns > press.error_ns:
                says = text("{colour} {button}: by its edges less certain than the record says")
            else:
                continue
            notes.append(says.format(colour=press.colour, button=button_named(self._game, press.role)))
        return notes

    def _fault_says(self, fault: LineFault) -> str:
        return joined((line_says(fault.line), fault.text or ""), ": ")


def _marked(button: str, mark: str) -> str:
    return joined((button, mark), "") if mark else button


def dead_heats(places: Sequence[PlaceDrawn]) -> tuple[tuple[Colour, ...], ...]:
    """Give the largest sets of seats that are all tied with each other, each in the order of places."""
    tied = {place.row.colour: {*place.row.tied_with, place.row.colour} for place in places}
    groups: list[tuple[Colour, ...]] = []
    for size in range(len(places), 1, -1):
        for group in _subsets([place.row.colour for place in places], size):
            if all(other in tied[one] for one in group for other in group) and not any(
                set(group) <= set(larger) for larger in groups
            ):
                groups.append(group)
    return tuple(groups)


def _subsets(colours: Sequence[Colour], size: int) -> Iterable[tuple[Colour, ...]]:
    if size == 0:
        return [()]
    return [
        (colour, *rest) for index, colour in enumerate(colours) for rest in _subsets(colours[index + 1 :], size - 1)
    ]


def _check_count(entries: Sequence[Entry], line: Evidence) -> None:
    found = sum(isinstance(entry, EdgeSeen) for entry in entries)
    if found != line.edges:
        raise Malformed(f"the record says {line.edges} edges; its evidence has {found}")


def _gap(entry: Lost) -> Gap:
    return Gap(entry.since_ns, entry.t_ns, entry.text, entry.lines, entry.source)
