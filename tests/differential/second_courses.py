"""How a match goes from line to line: races with their presses, and the games `apache` and `order` around them.

A course is told the standing lines that decide something, in their order, and answers with the objects that they
bring about. It knows of no `undo`: `second_judge` plays what still stands anew.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable
from typing import Any

from tests.differential.second_claims import Claims, Option
from tests.differential.second_ranking import Runner, in_order, order_line, runners_of
from tests.differential.strict_lines import BOOTY, COLOURS, ROLES, Line, MalformedLineError

SECOND_NS = 1_000_000_000
PER_COLOUR = {"chief": 2, "warrior": 2, "maiden": 2, "hunter": 3}
DECK = Counter({f"{colour} {role}": number for colour in COLOURS for role, number in PER_COLOUR.items()})
DECK.update({kind: 33 if kind == "buffalo" else 9 for kind in BOOTY})


class IllegalLineError(ValueError):
    """A well-formed line that cannot stand where it stands."""


def demand(holds: object, message: str) -> None:
    if not holds:
        raise IllegalLineError(message)


class Course:
    """Races and their presses, whatever the game. `phase` is idle, open, closed, settling or over."""

    roles: tuple[str, ...] = ()

    def __init__(self, setup: Line) -> None:
        self.setup = setup
        self.colours = [seat["colour"] for seat in setup["seats"]]
        self.phase = "idle"
        self.race = 0
        self.shut_at: int | None = None
        self.presses: list[Line] = []
        self.on_this_clock: list[int] = []
        self.lines: dict[str, Callable[[Line], list[Line]]] = {
            "press": self.press, "close": self.close, "judge": self.judge, "end": self.end, "moved": self.moved,
            "restart": self.moved,
        }  # fmt: skip

    @property
    def is_racing(self) -> bool:
        """Whether a Pow-Wow is on: from its first press that counts until the last player is settled."""
        return bool(self.presses) or self.phase == "settling"

    def take(self, line: Line) -> list[Line]:
        demand(line["type"] in self.lines, f"this game has no {line['type']}")
        demand(self.phase != "over" or line["type"] == "press", "the game is over")
        return self.lines[line["type"]](line)

    def press(self, line: Line) -> list[Line]:
        if line["role"] not in self.roles:
            raise MalformedLineError("this game has no such button")
        reason = self.why_ignored(line)
        if reason is None:
            self.presses.append(line)
            self.on_this_clock.append(line["t_ns"])
            return []
        told = {name: line[name] for name in ("colour", "role", "t_ns")}
        return [{"type": "ignored", **told, "reason": reason}]

    def why_ignored(self, line: Line) -> str | None:
        """Give the first reason that holds."""
        if self.phase == "over":
            return "game over"
        if line["colour"] not in self.colours:
            return "not playing"
        if not self.has_begun():
            return "nothing revealed"
        if not self.is_in_time(line["t_ns"]):
            return "closed"
        return "already played" if line["colour"] in {press["colour"] for press in self.presses} else None

    def is_in_time(self, t_ns: int) -> bool:
        if self.phase == "closed":
            return self.shut_at is not None and t_ns <= self.shut_at
        return self.phase == "open"

    def close(self, line: Line) -> list[Line]:
        demand(self.phase == "open" and self.presses, "there is nothing to close")
        self.shut_at = line.get("t_ns")
        newest = max(self.on_this_clock, default=0)
        demand(self.shut_at is None or self.shut_at >= newest, "closed before a press that counts")
        self.phase = "closed"
        return []

    def judge(self, line: Line) -> list[Line]:
        demand(self.phase == "closed", "the race is not closed")
        self.race += 1
        runners = runners_of(self.setup, self.presses, self.revealer())
        placed = in_order(self.setup, self.race, runners)
        verdicts = [self.verdict(one) for one in placed]
        self.presses, self.on_this_clock = [], []
        return [order_line(self.race, placed, self.colours, verdicts), *self.settle(placed, verdicts)]

    def end(self, line: Line) -> list[Line]:
        demand(not self.is_racing, "in the middle of a race")
        self.phase = "over"
        return [self.outcome()]

    def moved(self, line: Line) -> list[Line]:
        """Go on with another clock, whose times are compared with none before.

        That it comes between races is asked when it is read; an `undo` may open the race before it again.
        """
        self.shut_at = None
        self.on_this_clock = []
        return []

    def has_begun(self) -> bool:
        raise NotImplementedError

    def revealer(self) -> str:
        raise NotImplementedError

    def verdict(self, one: Runner) -> Line:
        raise NotImplementedError

    def settle(self, placed: list[Runner], verdicts: list[Line]) -> list[Line]:
        raise NotImplementedError

    def outcome(self) -> Line:
        raise NotImplementedError

    def leaders(self, scores: dict[str, int]) -> list[str]:
        return [colour for colour in self.colours if scores[colour] == max(scores.values())]


class OrderCourse(Course):
    """The game `order`: who was first, again and again."""

    roles = ROLES["order"]

    def __init__(self, setup: Line) -> None:
        super().__init__(setup)
        self.phase = "open"
        self.wins = dict.fromkeys(self.colours, 0)

    def has_begun(self) -> bool:
        return True

    def revealer(self) -> str:
        return str(self.setup["first"])

    def verdict(self, one: Runner) -> Line:
        return {"verdict": None, "why": None}

    def settle(self, placed: list[Runner], verdicts: list[Line]) -> list[Line]:
        self.wins[placed[0].colour] += 1
        self.phase = "open"
        return [{"type": "resume", "race": self.race, "reveals": None}]

    def outcome(self) -> Line:
        over = self.phase == "over"
        return {"type": "outcome", "over": over, "wins": dict(self.wins), "leaders": self.leaders(self.wins)}


class ApacheCourse(Course):
    """The game `apache`: the prairie, the piles and whose turn it is to choose."""

    roles = ROLES["apache"]

    def __init__(self, setup: Line) -> None:
        super().__init__(setup)
        self.claims = Claims(setup)
        self.warpath = "warpath" in setup.get("variants", ())
        self.hidden, self.table, self.table_before = Counter(DECK), Counter[str](), Counter[str]()
        self.turned_at: int | None = None
        self.next, self.newest_by = setup["first"], setup["first"]
        self.piles: dict[str, list[str]] = {colour: [] for colour in self.colours}
        self.removed = 0
        self.waiting: deque[tuple[Line, Line]] = deque()
        self.offered: list[Option] = []
        self.lines |= {"reveal": self.reveal, "claim": self.claim}

    def has_begun(self) -> bool:
        return self.hidden != DECK

    def revealer(self) -> str:
        return str(self.newest_by)

    def clockwise(self, colour: str) -> list[str]:
        """Give the other seats in turn, from the one that sits next."""
        start = self.colours.index(colour) + 1
        return [self.colours[(start + step) % len(self.colours)] for step in range(len(self.colours) - 1)]

    def reveal(self, line: Line) -> list[Line]:
        demand(self.phase != "settling", "claims are being settled")
        demand(self.hidden[line["card"]] > 0, "all of these cards are known")
        turned_at = line["t_ns"] if line.get("turned") else None
        first = min(self.on_this_clock, default=None)
        demand(turned_at is None or first is None or turned_at <= first + SECOND_NS, "turned after this race began")
        self.table_before, self.turned_at = self.table.copy(), turned_at
        self.hidden[line["card"]] -= 1
        self.table[line["card"]] += 1
        self.newest_by, self.next = self.next, self.clockwise(self.next)[0]
        self.phase = "open" if self.phase == "idle" else self.phase
        return []

    def moved(self, line: Line) -> list[Line]:
        self.turned_at = None
        return super().moved(line)

    def verdict(self, one: Runner) -> Line:
        why = self.claims.why_not(self.table, one.colour, one.press["role"])
        if "anticipation" not in self.setup:
            return {"verdict": "punish" if why else "claim", "why": why}
        anticipated = self.is_anticipated(one)
        if anticipated and self.setup["anticipation"]["rule"] == "punish":
            why = "anticipated"
        return {"verdict": "punish" if why else "claim", "why": why, "anticipated": anticipated}

    def is_anticipated(self, one: Runner) -> bool:
        if self.turned_at is None:
            return False
        soonest = self.turned_at + self.setup["anticipation"]["ms"] * 1_000_000
        certainly_early = one.press["t_ns"] + one.error < soonest
        return certainly_early and bool(self.claims.why_not(self.table_before, one.colour, one.press["role"]))

    def settle(self, placed: list[Runner], verdicts: list[Line]) -> list[Line]:
        self.phase = "settling"
        self.next = placed[-1].colour
        self.waiting.extend((one.press, verdict) for one, verdict in zip(placed, verdicts, strict=True))
        return self.settle_on()

    def settle_on(self) -> list[Line]:
        """Settle player after player until one has to choose or the last is done."""
        told: list[Line] = []
        while self.waiting:
            press, verdict = self.waiting[0]
            self.offered = self.claims.options(self.table, press["colour"], press["role"])
            if verdict["verdict"] == "punish":
                told.append(self.punished())
            elif len(self.offered) > 1:
                return told
            else:
                told.append(self.claimed(self.offered[0]) if self.offered else self.done("nothing"))
        self.phase, self.offered = "idle", []
        return [*told, {"type": "resume", "race": self.race, "reveals": self.next}]

    def done(self, result: str, **more: Any) -> Line:
        press, _ = self.waiting.popleft()
        names = {"colour": press["colour"], "role": press["role"]}
        return {"type": "settled", "race": self.race, **names, "result": result, **more}

    def punished(self) -> Line:
        pile = self.piles[self.waiting[0][0]["colour"]]
        cards = [pile.pop() for _ in range(min(2, len(pile)))]
        self.removed += len(cards)
        return self.done("punished", cards=cards)

    def claimed(self, option: Option) -> Line:
        colour = self.waiting[0][0]["colour"]
        self.table -= Counter(option.cards)
        under = [card for card in option.cards if self.warpath and card == "buffalo"]
        tribute = self.tribute(colour) if self.warpath and "tomahawk" in option.cards else {}
        above = option.cards[: len(option.cards) - len(under)]
        self.piles[colour] = ["buffalo"] * sum(tribute.values()) + under + self.piles[colour] + above
        return self.done("claimed", take=option.take, cards=option.cards, tribute=tribute)

    def tribute(self, colour: str) -> dict[str, int]:
        """Take one buffalo of each other player, or two in a match of two, from the bottom of the pile."""
        asked = 2 if len(self.colours) == 2 else 1
        given = {other: min(asked, self.piles[other].count("buffalo")) for other in self.clockwise(colour)}
        for other, number in given.items():
            for _ in range(number):
                self.piles[other].remove("buffalo")
        return {other: number for other, number in given.items() if number}

    def claim(self, line: Line) -> list[Line]:
        demand(self.phase == "settling", "nobody has to choose")
        demand(line["colour"] == self.waiting[0][0]["colour"], "it is another player's turn")
        chosen = [option for option in self.offered if option.is_named_by(line)]
        demand(chosen, "this is not on offer")
        return [self.claimed(chosen[0]), *self.settle_on()]

    def outcome(self) -> Line:
        counts = {colour: len(pile) for colour, pile in self.piles.items()}
        return {
            "type": "outcome",
            "over": self.phase == "over",
            "piles": counts,
            "buffalo": {colour: pile.count("buffalo") for colour, pile in self.piles.items()},
            "removed": self.removed,
            "table": self.table.total(),
            "unrevealed": self.hidden.total(),
            "leaders": self.leaders(counts),
        }


COURSES: dict[str, type[Course]] = {"apache": ApacheCourse, "order": OrderCourse}
