"""Makes up whole match records from a seed: both games, every line, policy and variant, and at the end some faults.

The second judge's own state says what may come next, so that most lines stand and matches go deep. The instants of
presses lie where they are hard to judge: equal, a few microseconds apart, in chains of ties, and with allowances that
bring distant ones together.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from tests.differential import drawn_lines as drawn
from tests.differential.faults import AFTER_THE_END, FAULTS, FIRST_LINE_FAULTS, GAMES
from tests.differential.second_courses import ApacheCourse, Course
from tests.differential.second_judge import SecondJudge
from tests.differential.strict_lines import COLOURS, Line

MS = 1_000_000
ERRORS_NS = (None, 0, 20_000, 20_000, 20_000, 120_000, 900_000, 5_000_000, 5_000_001, 20_000_000)
DISTANCES_NS = (0, 1, 20_000, 35_000, 40_000, 40_001, 70_000, MS, 5 * MS, 8 * MS, 200 * MS, 900 * MS)
WALL = "2026-05-01T18:30:00.250Z"
LONGEST = 360

Step = tuple[float, Callable[[], None]]


@dataclass
class Record:
    """A record's lines without their newlines, what the second judge says, and the fault that it was given last."""

    seed: int
    lines: list[bytes] = field(default_factory=list)
    told: list[Line] = field(default_factory=list)
    fault: str | None = None

    @property
    def text(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines)


class Maker:
    """Draws one record; `judge` follows every line that is written."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.record = Record(seed)
        self.judge = SecondJudge()
        self.fault = self._draw_fault()
        self.clock = 200_000 * MS
        self.length = self.rng.choice([12, 40, 60, 80, 100, 120])
        self.pace = self.rng.choice([0.1, 0.2, 0.4, 0.8])
        if self.rng.random() < 0.03:
            self.length, self.pace = LONGEST, 0.05

    @property
    def course(self) -> Course:
        assert self.judge.course is not None
        return self.judge.course

    def make(self) -> Record:
        fault = self.fault
        if fault in FIRST_LINE_FAULTS:
            self._break(fault, FIRST_LINE_FAULTS[fault](self.rng, drawn.a_setup(self.rng)))
            return self.record
        setup = drawn.a_setup(self.rng)
        while setup["game"] != GAMES.get(fault or "", setup["game"]):
            setup = drawn.a_setup(self.rng)
        self.write(setup)
        while not self._is_done():
            self._step()
        if self.record.fault is None:
            self.record.told += self.judge.at_the_end()
        return self.record

    def _draw_fault(self) -> str | None:
        """Give every third record a fault, all in turn: a few hundred records have each of them."""
        faults = [*FIRST_LINE_FAULTS, *FAULTS]
        turn, rest = divmod(self.record.seed, 3)
        return None if rest else faults[turn % len(faults)]

    def _is_done(self) -> bool:
        """Say whether the record is long enough, and give it its fault as soon as that can be had."""
        fault = self.fault
        if len(self.record.lines) < self.length:
            return False
        if fault is None:
            return self.course.phase == "over" or self.rng.random() < 0.1
        while fault == "undo_of_nothing" and self.judge.can_undo:
            self.write(drawn.undo(self.rng))
        line = FAULTS[fault](self.rng, self.judge)
        if line is not None:
            self._break(fault, line)
        return line is not None or len(self.record.lines) > self.length + 150

    def _break(self, fault: str, line: Line | bytes) -> None:
        self.record.fault = fault
        self._write_raw(line if isinstance(line, bytes) else json.dumps(line).encode())

    def write(self, line: Line) -> None:
        if self.rng.random() < 0.05:
            line = {**line, "wall": WALL}
        self._write_raw(json.dumps(line, ensure_ascii=self.rng.random() < 0.5).encode())

    def _write_raw(self, raw: bytes) -> None:
        self.record.lines.append(raw)
        self.record.told += self.judge.feed(raw)

    def _step(self) -> None:
        if self.rng.random() < 0.06:
            self._beside()
        elif self.rng.random() < 0.02:
            self._undo()
        else:
            weights, steps = zip(*self._next_steps(), strict=True)
            self.rng.choices(steps, weights)[0]()

    def _next_steps(self) -> list[Step]:
        """Give what may come next in this phase, each with its weight."""
        match self.course.phase:
            case "idle":
                return [(20, self._reveal), (1, self._press), (self._end_weight(), self._end)]
            case "open" if not self.course.presses:
                keen = self.pace if any(map(self._good_roles, self.course.colours)) else 0.2 * self.pace
                return [(10 * keen, self._press), (10 * (1 - keen), self._reveal), (self._end_weight(), self._end)]
            case "open":
                return [(8, self._press), (1.5, self._reveal), (4, self._close)]
            case "closed":
                return [(4, self._press), (1, self._reveal), (10, self._judge)]
            case "settling":
                return [(20, self._claim), (1, self._press)]
        return [(1, self._press), (5, self._sign), (1, self._protest), (4, self._answer), (1, self._undo)]

    def _end_weight(self) -> float:
        is_time = len(self.record.lines) > 0.8 * self.length and self.fault in {None, *AFTER_THE_END}
        return 5 if is_time else 0.05

    def _reveal(self) -> None:
        course = self.course
        if not isinstance(course, ApacheCourse) or not course.hidden.total():
            return self._beside()
        cards = sorted(card for card, number in course.hidden.items() if number)
        weights = [course.hidden[card] for card in cards] if self.record.seed % 2 else None
        line: Line = {"type": "reveal", "card": self.rng.choices(cards, weights)[0]}
        return self.write(line | self._turning(course))

    def _turning(self, course: Course) -> Line:
        """Draw when the card was turned; a card that came late was turned before the race, or just after its start."""
        if self.rng.random() < 0.3:
            return {}
        if course.presses:
            first = min(press["t_ns"] for press in course.presses)
            t_ns = first + self.rng.choice([-800, -300, -50, 0, 40, 999, 1000]) * MS
        else:
            self.clock += self.rng.randint(200, 5000) * MS
            t_ns = self.clock
        return {"t_ns": t_ns} | ({"turned": True} if self.rng.random() < 0.7 else {})

    def _press(self) -> None:
        """Play a card, mostly one that may be played and that can claim something."""
        course = self.course
        played = {press["colour"] for press in course.presses}
        free = [colour for colour in course.colours if colour not in played]
        able = [colour for colour in free if self._good_roles(colour)] if self.rng.random() < 0.7 else free
        colour = self.rng.choice((able or free or COLOURS) if self.rng.random() < 0.9 else COLOURS)
        error = self.rng.choice(ERRORS_NS)
        t_ns = self._at_the_threshold(error or 0) if self.rng.random() < 0.2 else None
        t_ns = self._instant(colour) if t_ns is None else t_ns
        self.clock = max(self.clock, t_ns) if course.phase == "open" else self.clock
        line = {"type": "press", "colour": colour, "role": self._role(colour), "t_ns": t_ns}
        self.write(line | ({} if error is None else {"error_ns": error}))

    def _at_the_threshold(self, error: int) -> int | None:
        """Give the instant from which on a press would no longer be anticipated, or the one before."""
        course = self.course
        if not isinstance(course, ApacheCourse) or course.turned_at is None or "anticipation" not in course.setup:
            return None
        soonest: int = int(course.turned_at) + course.setup["anticipation"]["ms"] * MS
        return soonest - error - self.rng.choice([0, 1])

    def _good_roles(self, colour: str) -> list[str]:
        """Give the cards that could claim something, in `order` all."""
        course = self.course
        if not isinstance(course, ApacheCourse):
            return list(course.roles)
        return [role for role in course.roles if course.claims.why_not(course.table, colour, role) is None]

    def _role(self, colour: str) -> str:
        good = self._good_roles(colour) if self.rng.random() < 0.8 else []
        return self.rng.choice(good or self.course.roles)

    def _instant(self, colour: str) -> int:
        """Draw when a card was played: near a press of the race once its allowance is taken off."""
        course = self.course
        if course.phase == "closed":
            shut_at = course.shut_at or self.clock
            return shut_at + self.rng.choice([-2000, -200, -1, 0, 0, 1, 300]) * self.rng.choice([1, MS])
        if not course.presses:
            return self.clock + self.rng.randint(0, 600) * MS
        near = self.rng.choice(course.presses)
        if course.setup.get("timing") == "untimed":
            return int(near["t_ns"])
        allowances = {seat["colour"]: seat.get("allowance_ms", 0) * MS for seat in course.setup["seats"]}
        shift = allowances.get(colour, 0) - allowances[near["colour"]] if self.rng.random() < 0.8 else 0
        return int(near["t_ns"]) + shift + self.rng.choice([1, 1, 1, -1]) * self.rng.choice(DISTANCES_NS)

    def _close(self) -> None:
        newest = max(press["t_ns"] for press in self.course.presses)
        self.clock = max(self.clock, newest) + self.rng.choice([0, 100, 3000]) * MS
        close: Line = {"type": "close"}
        self.write(close | self.rng.choice([{}, {"t_ns": newest}, {"t_ns": self.clock}, {"t_ns": self.clock}]))

    def _judge(self) -> None:
        self.write({"type": "judge"})

    def _claim(self) -> None:
        course = self.course
        assert isinstance(course, ApacheCourse)
        self.write(drawn.claim(self.rng, course.waiting[0][0]["colour"], course.offered))

    def _end(self) -> None:
        self.write({"type": "end"})

    def _undo(self) -> None:
        for _ in range(self.rng.choice([1, 1, 1, 2, 3, 6])):
            if self.judge.can_undo:
                self.write(drawn.undo(self.rng))

    def _beside(self) -> None:
        course, rng = self.course, self.rng
        steps = [self._names, self._remark, self._seal, self._protest, self._answer]
        steps += [self._evidence] * (course.race > 0) + [self._moved] * (
            course.phase != "over" and not course.is_racing
        )
        steps += [self._restart] * (course.phase != "over")
        rng.choice(steps)()

    def _names(self) -> None:
        self.write(drawn.names(self.rng))

    def _remark(self) -> None:
        self.write(drawn.remark(self.rng))

    def _seal(self) -> None:
        self.write(drawn.seal(self.rng))

    def _evidence(self) -> None:
        self.write(drawn.evidence(self.rng, self.rng.randint(1, self.course.race)))

    def _moved(self) -> None:
        self.write(drawn.moved(self.rng))

    def _restart(self) -> None:
        self.write({"type": "restart"})

    def _protest(self) -> None:
        free = [colour for colour in self.course.colours if colour not in self.judge.seats.unanswered.values()]
        if free:
            self.write(drawn.protest(self.rng, self.rng.choice(free), self.course.race))

    def _answer(self) -> None:
        waiting = list(self.judge.seats.unanswered)
        if waiting:
            self.write(drawn.answer(self.rng, self.rng.choice(waiting)))

    def _sign(self) -> None:
        seats = self.judge.seats
        free = [colour for colour in seats.colours if colour not in seats.signed]
        if free and not seats.unanswered:
            self.write({"type": "sign", "colour": self.rng.choice(free)})


def make_record(seed: int) -> Record:
    """Make up the record of this seed: always the same."""
    return Maker(seed).make()
