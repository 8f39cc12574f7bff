"""A second judge of match records of version 2, written from docs/record.md and the rules of Apache alone.

It shares no line with the program and imports nothing of it. Raw lines go in, and out come the objects that
`companion replay --json` prints. It is slow where the program is quick: an `undo` plays the whole match anew without
the undone line, which is what the record's text says in so many words.
"""

from __future__ import annotations

from collections.abc import Iterable

from tests.differential.second_courses import COURSES, Course, IllegalLineError, demand
from tests.differential.strict_lines import Line, MalformedLineError, read_line

DECIDING = ("reveal", "press", "close", "judge", "claim", "end", "restart")
"""What an `undo` can take back."""


class Seats:
    """What seats say about rulings: protests, answers and signatures. An `undo` takes none of it back."""

    def __init__(self, colours: list[str]) -> None:
        self.colours = colours
        self.unanswered: dict[int, str] = {}
        self.answered: set[int] = set()
        self.signed: set[str] = set()

    def protest(self, number: int, line: Line) -> None:
        demand(line["colour"] in self.colours, "nobody sits there")
        demand(line["colour"] not in self.unanswered.values(), "one protest of this seat waits for its answer")
        self.unanswered[number] = line["colour"]

    def answer(self, line: Line) -> None:
        demand(line["protest"] in self.unanswered, "no protest waits there for an answer")
        del self.unanswered[line["protest"]]
        self.answered.add(line["protest"])

    def sign(self, line: Line) -> None:
        demand(line["colour"] in self.colours and line["colour"] not in self.signed, "this seat cannot sign")
        demand(not self.unanswered, "a protest waits for its answer")
        self.signed.add(line["colour"])


class SecondJudge:
    """Judges one record, line by line; after an `error` nothing more may be fed."""

    def __init__(self) -> None:
        self.number = 0
        self.standing: list[tuple[int, Line]] = []
        self.course: Course | None = None
        self.seats = Seats([])

    @property
    def can_undo(self) -> bool:
        return any(line["type"] in DECIDING for _, line in self.standing)

    def feed(self, raw: bytes) -> list[Line]:
        """Judge the next line, without its newline, and give what it brings about."""
        self.number += 1
        try:
            return self._take(read_line(raw))
        except MalformedLineError as fault:
            kind, message = "malformed", str(fault)
        except IllegalLineError as fault:
            kind, message = "illegal", str(fault)
        return [{"type": "error", "line": self.number, "kind": kind, "message": message}]

    def at_the_end(self) -> list[Line]:
        """Give what comes after the last line of a record without errors."""
        if self.course is None:
            return [{"type": "error", "line": 1, "kind": "malformed", "message": "nothing stands in this record"}]
        return [] if self.course.phase == "over" else [self.course.outcome()]

    def _take(self, line: Line) -> list[Line]:
        if self.course is None:
            self.course = begin(line)
            self.seats = Seats(self.course.colours)
            return []
        demand(line["type"] != "setup", "a match is set up once")
        if line["type"] in DECIDING:
            told = self.course.take(line)
            self.standing.append((self.number, line))
            return told
        return self._take_beside(self.course, line)

    def _take_beside(self, course: Course, line: Line) -> list[Line]:
        """Take a line that no `undo` takes back."""
        match line["type"]:
            case "undo":
                return [{"type": "undone", "line": self._undo(course)}]
            case "moved":
                demand(course.phase != "over" and not course.is_racing, "a match moves only between races")
                course.take(line)
                self.standing.append((self.number, line))
            case "protest":
                self.seats.protest(self.number, line)
            case "answer":
                self.seats.answer(line)
            case "sign":
                demand(course.phase == "over", "there is no result to accept")
                self.seats.sign(line)
        return []

    def _undo(self, course: Course) -> int:
        """Play the match anew without the newest line that counts, and give that line's number."""
        places = [place for place, (_, line) in enumerate(self.standing) if line["type"] in DECIDING]
        demand(places, "there is nothing to take back")
        number, undone = self.standing.pop(places[-1])
        if undone["type"] == "end":
            self.seats.signed.clear()
        self.course = type(course)(course.setup)
        for _, line in self.standing:
            self.course.take(line)
        return number


def begin(line: Line) -> Course:
    """Begin a match by its first line."""
    demand(line["type"] == "setup", "the first line is the setup")
    colours = [seat["colour"] for seat in line["seats"]]
    demand(2 <= len(colours) == len(set(colours)), "two to five seats of different colours")
    demand(line["first"] in colours, "the first sits nowhere")
    variants = line.get("variants", [])
    demand(len(variants) == len(set(variants)), "a variant is chosen once")
    if line.get("timing") == "untimed":
        demand(not any(seat.get("allowance_ms") for seat in line["seats"]), "no allowances without times")
        demand(line.get("dead_heat") in {"clockwise", "lots"}, "without times a dead heat needs another rule")
    return COURSES[line["game"]](line)


def judge_lines(lines: Iterable[bytes]) -> list[Line]:
    """Judge a whole record, given as lines without their newlines."""
    judge = SecondJudge()
    told: list[Line] = []
    for raw in lines:
        told += judge.feed(raw)
        if told and told[-1]["type"] == "error":
            return told
    return told + judge.at_the_end()
