"""A second judge of `claim`, written from docs/games/claim.md and docs/record.md alone."""

from __future__ import annotations

import hashlib
import tomllib
from typing import Any, NamedTuple

from tests.games.claim.plain_patterns import Seen
from tests.games.claim.plain_table import PlainTable, condition
from tests.games.plain_judging import Json, PlainJudging


class Choice(NamedTuple):
    """One choice of a press that is open."""

    take: Json
    picked: str | None
    rival: str | None


class PlainJudge(PlainJudging):
    """The words are those of that page."""

    def begin(self) -> None:
        """Set up."""
        self.file = tomllib.loads(self.setup["files"]["game"]["text"])
        self.table = PlainTable(self.file, self.colours, self.setup["first"])
        self.allowance: dict[str, int] = {
            s["colour"]: s.get("allowance_ms", 0) * 1_000_000 for s in self.setup["seats"]
        }
        self.hands = {hand["name"]: hand for hand in self.file["hand"]}
        self.soon = self.setup.get("anticipation")
        self.number = 1
        self.judged = 0
        self.is_over = False
        self.begin_race()

    @property
    def has_cards(self) -> bool:
        return bool(self.table.cards)

    def begin_race(self) -> None:
        self.presses: list[Json] = []
        self.closed: int | None = None
        self.queue: list[Json] = []
        self.taken = 0
        is_waiting = self.has_cards or self.is_done()
        self.phase = "WAITING" if is_waiting else "OPEN"

    # -- a race

    def take_reveal(self, line: Json) -> None:
        self.table.reveal(line)
        if self.phase == "WAITING":
            self.phase = "OPEN"

    def take_press(self, line: Json) -> None:
        reason = self.why_ignored(line)
        if reason:
            fields = {key: line[key] for key in ("colour", "role", "t_ns")}
            self.said.append({"type": "ignored", **fields, "reason": reason})
            return
        self.presses.append(line)
        if self.phase == "OPEN":
            self.phase = "COLLECTING"

    def why_ignored(self, line: Json) -> str:
        if self.is_over:
            return "game over"
        if line["colour"] not in self.colours:
            return "not playing"
        if self.phase == "OPEN":
            return ""
        is_closed_in_time = self.phase == "CLOSED" and self.closed is not None and line["t_ns"] <= self.closed
        if self.phase != "COLLECTING" and not is_closed_in_time:
            return "nothing revealed" if self.has_cards and not self.table.reveals else "closed"
        return "already played" if line["colour"] in [press["colour"] for press in self.presses] else ""

    def take_close(self, line: Json) -> None:
        self.phase, self.closed = "CLOSED", line.get("t_ns")

    def take_restart(self, line: Json) -> None:
        self.closed = None
        self.table.newest_line = {}

    def take_end(self, line: Json) -> None:
        self.is_over = True
        self.phase = "OVER"

    # -- the order

    def time(self, press: Json) -> int:
        return int(press["t_ns"]) - self.allowance[press["colour"]]

    def surely(self, one: Json, other: Json) -> bool:
        """Was `one` certainly made before `other`?"""
        return self.time(other) - self.time(one) > int(one.get("error_ns", 0)) + int(other.get("error_ns", 0))

    def in_order(self) -> list[Json]:
        first = self.table.revealer if self.has_cards else self.setup["first"]
        far = self.table.clockwise_from(first).index
        total = sum(press["t_ns"] for press in self.presses)
        policy = self.setup.get("dead_heat", "timestamp")
        waiting, order = list(self.presses), []

        def rank(press: Json) -> Any:
            unsure = press.get("error_ns", 0) > 5_000_000
            if policy == "timestamp":
                return self.time(press), far(press["colour"])
            if policy == "clockwise":
                return unsure, far(press["colour"])
            lot = f"{self.setup['seed']}:{self.number}:{press['colour']}:{total}"
            return unsure, hashlib.sha256(lot.encode()).hexdigest()

        while waiting:
            free = [press for press in waiting if not any(self.surely(other, press) for other in waiting)]
            order.append(min(free, key=rank))
            waiting.remove(order[-1])
        return order

    def take_judge(self, line: Json) -> None:
        order = self.in_order()
        places = []
        for n, press in enumerate(order, start=1):
            verdict, why = self.verdict(self.table, press, n)
            is_soon = self.is_too_soon(press)
            if is_soon and self.soon and self.soon["rule"] == "punish":
                verdict, why = "punish", "anticipated"
            tied = [
                colour for colour in self.colours for other in order
                if other["colour"] == colour != press["colour"]
                and not self.surely(press, other) and not self.surely(other, press)
            ]  # fmt: skip
            place = {
                "place": n, "colour": press["colour"], "role": press["role"], "t_ns": press["t_ns"],
                "gap_ns": press["t_ns"] - order[0]["t_ns"], "verdict": verdict, "why": why,
                "dead_heat": bool(tied), "tied_with": tied,
            }  # fmt: skip
            places.append(place | ({"anticipated": is_soon} if self.soon else {}))
        self.said.append({"type": "order", "race": self.number, "order": places})
        self.phase = "SETTLING"
        self.judged += 1
        self.queue, self.places = list(places), places
        self.claimed: list[str] = []
        claims = [place["colour"] for place in places if place["verdict"] == "claim"]
        wrong = [place["colour"] for place in places if place["verdict"] == "punish"]
        self.race: Json = {"winner": claims[:1], "wrong": wrong}
        self.go_on()

    def verdict(self, table: PlainTable, press: Json, place: int) -> tuple[str, str | None]:
        hand = self.hands[press["role"]]
        seen = Seen(table, press["colour"], press["role"], place=place)
        for need in hand.get("needs", []):
            if not condition(need["that"])(seen):
                return "punish", need["why"]
        if self.choices(table, seen):
            return "claim", None
        return "punish", hand.get("why", "nothing to take")

    def is_too_soon(self, press: Json) -> bool:
        newest = self.table.newest_line
        if not self.soon or "turned" not in newest:
            return False
        latest = press["t_ns"] + press.get("error_ns", 0)
        if latest >= newest["t_ns"] + self.soon["ms"] * 1_000_000:
            return False
        return self.verdict(self.table.without_newest(), press, 1)[0] == "punish"

    # -- choices

    def choices(self, table: PlainTable, seen: Seen) -> list[Choice]:
        found = []
        for take in self.file["take"]:
            if seen.hand not in take.get("hands", self.hands) or not condition(take.get("when", "yes"))(seen):
                continue
            rivals: list[str | None] = [None]
            if "rival" in take:
                is_rival = condition(take["rival"])
                rivals = [
                    colour for colour in table.clockwise_from(seen.me)[1:]
                    if is_rival(Seen(table, seen.me, seen.hand, colour, seen.taken, seen.place))
                ]  # fmt: skip
            for rival in rivals:
                found += [Choice(take, picked, rival) for picked in self.open_picks(table, seen, take, rival)]
        return found

    def open_picks(self, table: PlainTable, seen: Seen, take: Json, rival: str | None) -> list[str | None]:
        """Give the cards that may be picked, or None alone where there is no pick; () where the choice is not open."""
        moves = take.get("move", [])
        candidates: list[str | None] = [None]
        if any(move.get("pick") for move in moves):
            candidates = list(table.cards)
        return [picked for picked in candidates if self.tried(table.copy(), seen, moves, rival, picked) is not None]

    def tried(
        self, table: PlainTable, seen: Seen, moves: list[Json], rival: str | None, picked: str | None
    ) -> list[Json] | None:
        """Do the moves of a choice; None where it is not open."""
        entries = []
        for move in moves:
            count, more = table.do(move, seen, rival, self.race_of(), picked)
            if count < move.get("least", 0) or (move.get("pick") and not count):
                return None
            entries += more
        return entries

    def race_of(self) -> Json:
        """While verdicts are made nobody is winner or wrong."""
        return self.race if self.phase == "SETTLING" else {}

    # -- settling

    def seen_now(self) -> Seen:
        place = self.queue[0]
        return Seen(self.table, place["colour"], place["role"], taken=self.taken, place=place["place"])

    def go_on(self) -> None:
        while self.queue:
            place = self.queue[0]
            if place["verdict"] == "punish":
                wrong = self.file.get("wrong", {})
                moves = self.penalty(wrong, place["colour"], place["role"], place["place"])
                self.settled(place, "punished", moves=moves, points=wrong.get("points", 0))
                continue
            found = self.choices(self.table, self.seen_now())
            if len(found) > 1:
                return
            if found:
                self.do_choice(found[0])
            else:
                self.settled(place, "nothing")
        self.end_race()

    def settled(self, place: Json, result: str, **more: Any) -> None:
        self.queue.pop(0)
        fields = {"race": self.number, "colour": place["colour"], "role": place["role"], "result": result}
        self.said.append({"type": "settled", **fields, **more})

    def do_choice(self, choice: Choice) -> None:
        place = self.queue[0]
        moves = self.tried(self.table, self.seen_now(), choice.take.get("move", []), choice.rival, choice.picked)
        points = choice.take.get("points", 0)
        self.score(place["colour"], points)
        self.taken += 1
        self.claimed.append(place["colour"])
        named = {"picked": choice.picked, "rival": choice.rival}
        named = {key: value for key, value in named.items() if value is not None}
        self.settled(place, "claimed", take=choice.take["name"], **named, moves=moves, points=points)

    def penalty(self, what: Json, me: str, hand: str, place: int) -> list[Json]:
        moves = []
        for move in what.get("move", []):
            seen = Seen(self.table, me, hand, taken=self.taken, place=place)
            moves += self.table.do(move, seen, None, self.race, None)[1]
        self.score(me, what.get("points", 0))
        return moves

    def score(self, colour: str, points: int) -> None:
        self.table.points[colour] = max(-9999, min(9999, self.table.points[colour] + points))

    def take_claim(self, line: Json) -> None:
        found = [
            choice for choice in self.choices(self.table, self.seen_now())
            if choice.take["name"] == line["take"]
            and line.get("picked", choice.picked) == choice.picked
            and line.get("rival", choice.rival) == choice.rival
        ]  # fmt: skip
        assert len(found) == 1
        self.do_choice(found[0])
        self.go_on()

    def end_race(self) -> None:
        table = self.table
        revealer = table.revealer if self.has_cards else self.setup["first"]
        self.lose(revealer)
        after = self.file.get("turn", {}).get("after", "last")
        following = table.clockwise_from(revealer)[1]
        table.turn = {
            "last": self.places[-1]["colour"], "winner": (*self.claimed, following)[0], "next": following,
        }[after]  # fmt: skip
        turns = (None if self.is_done() else table.who_turns()) or table.turn
        self.said.append({"type": "resume", "race": self.number, "reveals": turns if self.has_cards else None})
        self.number += 1
        self.begin_race()

    def lose(self, revealer: str) -> None:
        last = self.file.get("last")
        claims = self.race["winner"] and [p["colour"] for p in self.places if p["verdict"] == "claim"]
        if last is None or not claims:
            return
        pressed = [press["colour"] for press in self.presses]
        missing = [(c, "missing") for c in self.table.clockwise_from(revealer) if c not in pressed]
        slowest = [(claims[-1], "last")] if len(claims) > 1 else []
        who = last.get("who", "slowest")
        losers = {"missing": missing, "last": slowest, "slowest": missing or slowest}[who]
        for colour, why in losers:
            moves = self.penalty(last, colour, "", 1)
            self.said.append({
                "type": "lost", "race": self.number, "colour": colour, "why": why, "moves": moves,
                "points": last.get("points", 0),
            })  # fmt: skip

    # -- the end

    def is_done(self) -> bool:
        end = self.file.get("end", {})
        if "points" in end and max(self.table.points.values()) >= end["points"]:
            return True
        kind = end.get("empty")
        if not kind or not self.judged:
            return False
        having = [colour for colour in self.colours if self.counted(kind, colour)]
        return len(having) <= 1 if end.get("who") == "others" else len(having) < len(self.colours)

    def counted(self, kind: str, colour: str) -> int:
        table = self.table
        if kind == "points":
            return table.points[colour]
        if kind == "cards":
            return sum(table.size(place, colour) for place in ("stock", "pile", "won"))
        return table.size(kind, colour)

    def take_by_hand(self, line: Json) -> None:
        what, _, colour = line["set"].partition(" ")
        if what == "points":
            self.table.points[colour] = line["value"]
        elif what == "stock":
            self.table.buried += self.table.stock[colour] - line["value"]
            self.table.stock[colour] = line["value"]
        else:
            self.table.turn = self.colours[line["value"] - 1]
        if not self.has_cards:
            self.phase = "WAITING" if self.is_done() else "OPEN"

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        score = self.file.get("score", {})
        counts = {c: self.counted(score.get("counts", "won"), c) for c in self.colours}
        best = (min if score.get("best") == "fewest" else max)(counts.values())
        places = {kind: {c: self.table.size(kind, c) for c in self.colours} for kind in ("won", "stock", "pile")}
        return {
            "type": "outcome", "over": self.is_over, "counts": counts, "points": dict(self.table.points), **places,
            **{place: self.table.size(place, "") for place in ("table", "pot", "out")},
            "unseen": self.table.in_stocks_or_deck(), "reveals": self.table.reveals,
            "leaders": [colour for colour in self.colours if counts[colour] == best],
        }  # fmt: skip
