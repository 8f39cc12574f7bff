"""A second referee for Apache, written from the rules alone and as plainly as can be: it shares no code with the first.

Slow, full of lists and names, with no errors: it is only given records that the real judge accepts. Undo is done by
judging the lines that are left once more. Comparing the two finds what either has misread.
"""

from __future__ import annotations

import hashlib
from typing import Any

COLOURS = ["red", "yellow", "green", "blue", "purple"]
USUAL = {"chief": "totem pole", "warrior": "tomahawk", "maiden": "necklace", "hunter": "buffalo"}
MALE = ("chief", "warrior", "hunter")
Claims = dict[tuple[str, tuple[str, ...]], tuple[list[str], set[str]]]


def without_undone(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    standing: list[dict[str, Any]] = []
    for line in lines:
        if line["type"] == "undo":
            standing.pop()
        elif line["type"] not in {"setup", "remark"}:
            standing.append(line)
    return standing


class PlainReferee:
    def __init__(self, setup: dict[str, Any]) -> None:
        self.seats = [seat["colour"] for seat in setup["seats"]]
        self.allowance: dict[str, int] = {
            seat["colour"]: seat.get("allowance_ms", 0) * 1_000_000 for seat in setup["seats"]
        }
        self.variants = setup.get("variants", [])
        self.policy, self.seed = setup.get("dead_heat"), setup.get("seed")
        self.next_to_reveal = setup["first"]
        self.revealer = ""
        self.table: list[str] = []
        self.piles: dict[str, list[str]] = {colour: [] for colour in self.seats}
        self.out: list[str] = []
        self.presses: list[dict[str, Any]] = []
        self.queue: list[dict[str, Any]] = []
        self.last = None
        self.number = 1
        self.revealed = 0
        self.results: list[tuple[Any, ...]] = []
        self.over = False
        self.taking = False
        self.closed: int | None = None
        self.newest: dict[str, Any] = {}
        self.soon = setup.get("anticipation")

    def run(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            getattr(self, line["type"])(line)

    def clockwise_from(self, start: str) -> list[str]:
        at = self.seats.index(start)
        return self.seats[at:] + self.seats[:at]

    def reveal(self, line: dict[str, Any]) -> None:
        self.table.append(line["card"])
        self.revealed += 1
        self.revealer = self.next_to_reveal
        self.next_to_reveal = self.clockwise_from(self.revealer)[1 % len(self.seats)]
        self.newest = line
        if not self.presses:
            self.taking = True

    def press(self, line: dict[str, Any]) -> None:
        played = [press["colour"] for press in self.presses]
        in_time = self.taking or (self.closed is not None and line["t_ns"] <= self.closed)
        if line["colour"] in self.seats and in_time and not self.over and line["colour"] not in played:
            self.presses.append(line)

    def close(self, line: dict[str, Any]) -> None:
        self.taking = False
        self.closed = line.get("t_ns")

    def end(self, line: dict[str, Any]) -> None:
        self.over = True

    def judge(self, line: dict[str, Any]) -> None:
        far = self.clockwise_from(self.revealer).index
        total = sum(press["t_ns"] for press in self.presses)
        waiting = sorted(self.presses, key=self.time)
        order = []
        while waiting:
            free = [press for press in waiting if not any(self.surely(other, press) for other in waiting)]

            def by_policy(press: dict[str, Any]) -> Any:
                unsure = press.get("error_ns", 0) > 5_000_000
                if self.policy == "lots":
                    lot = f"{self.seed}:{self.number}:{press['colour']}:{total}"
                    return unsure, hashlib.sha256(lot.encode()).hexdigest()
                by_time = self.policy != "clockwise"
                return self.time(press) if by_time else unsure, far(press["colour"])

            order.append(min(free, key=by_policy))
            waiting.remove(order[-1])
        too_soon = [press["colour"] for press in order if self.is_too_soon(press)]
        punished = too_soon if self.soon and self.soon["rule"] == "punish" else []
        self.queue = [dict(press, punish=not self.claims(press) or press["colour"] in punished) for press in order]
        for press in self.queue:
            verdict = "punish" if press["punish"] else "claim"
            tied = tuple(
                colour
                for colour in self.seats
                for other in order
                if other["colour"] == colour != press["colour"]
                and not self.surely(press, other)
                and not self.surely(other, press)
            )
            gap = press["t_ns"] - order[0]["t_ns"]
            place = ("place", self.number, press["colour"], press["role"], verdict, gap, bool(tied), tied)
            self.results.append((*place, press["colour"] in too_soon) if self.soon else place)
        self.last = self.queue[-1]["colour"]
        self.presses = []
        self.closed = None
        self.go_on()

    def is_too_soon(self, press: dict[str, Any]) -> bool:
        """Was it made before anybody could see the newest card, with what that card alone made good?"""
        if not self.soon or "turned" not in self.newest:
            return False
        latest = press["t_ns"] + press.get("error_ns", 0)
        if latest >= self.newest["t_ns"] + self.soon["ms"] * 1_000_000:
            return False
        before = list(self.table)
        before.remove(self.newest["card"])
        self.table, now = before, self.table
        could = bool(self.claims(press))
        self.table = now
        return not could

    def time(self, press: dict[str, Any]) -> int:
        return int(press["t_ns"]) - self.allowance[press["colour"]]

    def surely(self, one: dict[str, Any], other: dict[str, Any]) -> bool:
        """Was `one` certainly made before `other`?"""
        return self.time(other) - self.time(one) > int(one.get("error_ns", 0)) + int(other.get("error_ns", 0))

    def claims(self, press: dict[str, Any]) -> Claims:  # noqa: C901 - one rule after another, as on the page
        """Give {(take, sorted cards): (cards in pile order, names of prisoner or spouse)}."""
        role, own = press["role"], f"{press['colour']} {press['role']}"
        if own not in self.table:
            return {}
        rest = list(self.table)
        rest.remove(own)
        taken = [own]
        if "shared-booty" in self.variants:
            for colour in COLOURS:
                if colour not in self.seats:
                    taken += [card for card in rest if card == f"{colour} {role}"]
        usual = [card for card in rest if card == USUAL[role]]
        teepees = [card for card in rest if card == "teepee"]
        males = {card for card in rest if card.endswith(MALE)}
        maidens = {card for card in rest if card.endswith("maiden")}
        found: Claims = {}

        def offer(take: str, cards: list[str], name: str | None) -> None:
            found.setdefault((take, tuple(sorted(cards))), (cards, set()))[1].add(name or "")

        if usual and role == "chief":
            for prisoner in males:
                offer("booty", taken + [prisoner] * (prisoner not in taken[1:]) + usual, prisoner)
        elif usual:
            offer("booty", taken + usual, None)
        if teepees:
            offer("teepees", taken + teepees, None)
            if "wedding" in self.variants:
                for spouse in males if role == "maiden" else maidens:
                    offer("wedding", [*taken, spouse, *teepees], spouse)
        return found

    def go_on(self) -> None:
        while self.queue:
            press = self.queue[0]
            colour, role = press["colour"], press["role"]
            if press["punish"]:
                lost = [self.piles[colour].pop() for _ in range(min(2, len(self.piles[colour])))]
                self.out += lost
                self.results.append(("punished", self.number, colour, role, tuple(lost)))
            else:
                found = self.claims(press)
                if len(found) > 1:
                    return
                if found:
                    (((take, _), (cards, _)),) = found.items()
                    self.give(press, take, cards)
                else:
                    self.results.append(("nothing", self.number, colour, role))
            self.queue.pop(0)
        self.next_to_reveal = self.last
        self.results.append(("resume", self.number, self.last))
        self.number += 1

    def claim(self, line: dict[str, Any]) -> None:
        press = self.queue[0]
        assert press["colour"] == line["colour"]
        name = line.get("prisoner") or line.get("spouse") or ""
        fitting = [
            cards
            for (take, _), (cards, names) in self.claims(press).items()
            if take == line["take"] and (not name or name in names)
        ]
        assert len(fitting) == 1
        self.give(press, line["take"], fitting[0])
        self.queue.pop(0)
        self.go_on()

    def give(self, press: dict[str, Any], take: str, cards: list[str]) -> None:
        colour = press["colour"]
        for card in cards:
            self.table.remove(card)
        pile = self.piles[colour]
        tribute: dict[str, int] = {}
        for card in cards:
            if card == "buffalo" and "warpath" in self.variants:
                pile.insert(0, card)
            else:
                pile.append(card)
        if "warpath" in self.variants and press["role"] == "warrior" and take == "booty":
            for other in self.clockwise_from(colour)[1:]:
                for _ in range(2 if len(self.seats) == 2 else 1):
                    if "buffalo" in self.piles[other]:
                        self.piles[other].remove("buffalo")
                        pile.insert(0, "buffalo")
                        tribute[other] = tribute.get(other, 0) + 1
        self.results.append(("claimed", self.number, colour, press["role"], take, tuple(cards), tribute))
