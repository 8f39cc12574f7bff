"""A second judge of the game `clock`, written from docs/games/clock.md alone; it shares no code with the package."""

from __future__ import annotations

from tests.games.plain_judging import Json, PlainJudging

SECOND = 1_000_000_000
DEFAULTS: Json = {
    "mode": "increment", "main": "600", "extra": "0", "after": "0", "more": "1800", "turns": "one", "stops": True,
    "fallen": "out", "warn": "10",
}  # fmt: skip


class PlainJudge(PlainJudging):
    """The words are those of that page."""

    def begin(self) -> None:
        """Set up."""
        asked = DEFAULTS | self.parameters
        self.mode, self.turns = asked["mode"], asked["turns"]
        self.main, self.extra, self.more = (int(asked[key]) * SECOND for key in ("main", "extra", "more"))
        self.after, self.stops, self.goes_out = int(asked["after"]), asked["stops"], asked["fallen"] == "out"
        self.first = self.setup["first"]
        left = self.main + (self.extra if self.mode == "increment" else 0)
        self.seats: dict[str, Json] = {
            colour: {"left": left, "delay": self.whole_delay, "turn": 0, "spent": 0, "longest": 0, "over": 0,
                     "moves": 0, "score": None, "down": False}
            for colour in self.colours
        }  # fmt: skip
        self.game: Json = {
            "phase": "ready", "now": None, "turn": self.first, "finished": [], "passed": [], "round": 1, "order": [],
            "marks": {}, "fell": {}, "over": False,
        }  # fmt: skip

    @property
    def whole_delay(self) -> int:
        return self.extra if self.mode == "delay" else 0

    def before(self, line: Json) -> None:
        """Forget the marks."""
        if line["type"] not in {"score", "late"}:
            self.game["marks"] = {}

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        scores = {c: self.seats[c]["score"] for c in self.colours if self.seats[c]["score"] is not None}
        playing = [c for c in self.colours if self.is_in(c)]
        leaders = [c for c in playing if c in scores and scores[c] == max(scores[d] for d in playing if d in scores)]
        if not scores and len(playing) == 1:
            leaders = playing
        times = {
            c: {f"{k}_ns": self.seats[c][k] for k in ("left", "spent", "longest", "over")} | {"moves": seat["moves"]}
            for c, seat in self.seats.items()
        }
        return {
            "type": "outcome", "over": self.game["over"], "times": times, "fallen": self.game["order"],
            "rounds": 0 if self.turns == "one" else self.game["round"] - 1, "scores": scores, "leaders": leaders,
        }  # fmt: skip

    # -- who

    def is_in(self, colour: str) -> bool:
        return not (self.goes_out and self.seats[colour]["down"])

    def running(self) -> list[str]:
        """Whose clocks run, in seat order."""
        if self.game["phase"] != "running":
            return []
        if self.turns != "all":
            return [self.game["turn"]]
        in_order = [self.first, *self.clockwise(self.first)]
        return [c for c in in_order if self.is_in(c) and c not in self.game["finished"]]

    # -- time

    def stretch(self, length: int) -> None:
        running = self.running()
        was_down = {c: self.seats[c]["down"] for c in running}
        for colour in running:
            seat = self.seats[colour]
            free = min(length, seat["delay"])
            seat["delay"] -= free
            seat["left"] -= length - free
            seat["turn"] += length
            seat["spent"] += length
            seat["over"] += length if was_down[colour] else 0
            if self.mode == "hourglass":
                others = [c for c in self.clockwise(colour) if self.is_in(c)]
                for place, other in enumerate(others):
                    self.seats[other]["left"] += length // len(others) + (place < length % len(others))

    def until_zero(self, colour: str) -> int | None:
        """How long until nothing is left of a running clock; None where that never comes."""
        seat = self.seats[colour]
        if seat["left"] <= 0:
            return 0
        if self.mode != "hourglass":
            return int(seat["left"] + seat["delay"])
        return self.until_zero_of_hourglass(colour)

    def until_zero_of_hourglass(self, colour: str) -> int | None:
        """After q whole rounds of k nanoseconds and m more it has lost q (k - r) and what m costs; the first such."""
        left = self.seats[colour]["left"]
        places, k = [], 1
        for spender in self.running():
            others = [c for c in self.clockwise(spender) if self.is_in(c)]
            k = len(others)
            if spender != colour:
                places.append(others.index(colour))
        r = len(places)
        found = []
        for m in range(k):
            lost = m - sum(place < m for place in places)
            if lost >= left:
                found.append(m)
            elif r < k:
                found.append(-((lost - left) // (k - r)) * k + m)
        return min(found, default=None)

    def next_fall(self) -> tuple[int, str] | None:
        """The instant and seat of the next flag to fall, of equal ones the first in seat order."""
        found = [(d, c) for c in self.running() if not self.seats[c]["down"] and (d := self.until_zero(c)) is not None]
        if not found or self.game["now"] is None:
            return None
        length, colour = min(found, key=lambda one: one[0])
        return self.game["now"] + length, colour

    def run_to(self, until: int | None) -> None:
        """Run the clocks up to an instant; None: no time passes."""
        game = self.game
        if until is None:
            return
        if game["now"] is None:
            game["now"] = until
            return
        while (fall := self.next_fall()) is not None and fall[0] <= until:
            self.fall_at(*fall)
        if game["phase"] == "running":
            self.stretch(until - game["now"])
            game["now"] = until

    def fall_at(self, instant: int, colour: str) -> None:
        self.stretch(instant - self.game["now"])
        self.game["now"] = instant
        self.game["marks"][colour] = instant
        self.game["fell"][colour] = instant
        self.fall(colour, instant)

    def fall(self, colour: str, instant: int | None) -> None:
        """A flag falls; instant None: by hand."""
        game, seat = self.game, self.seats[colour]
        seat["down"] = True
        if colour not in game["order"]:
            game["order"].append(colour)
        place = game["order"].index(colour) + 1
        self.said.append({"type": "flag", "colour": colour, "t_ns": instant, "place": place, "out": self.goes_out})
        if not self.goes_out:
            return
        seat["longest"] = max(seat["longest"], seat["turn"])
        seat["turn"] = seat["delay"] = 0
        playing = [c for c in self.colours if self.is_in(c)]
        was_turn = self.turns != "all" and game["turn"] == colour
        if len(playing) < 2:
            if game["phase"] == "running":
                game["phase"] = "paused"
            self.said.append({"type": "stopped", "left": playing})
            if was_turn and playing:
                game["turn"] = playing[0]
        elif self.turns == "one":
            if was_turn:
                game["turn"] = next(c for c in self.clockwise(colour) if self.is_in(c))
        elif self.turns == "pass":
            self.go_on(colour, is_moving=was_turn)
        else:
            self.finish(colour)

    # -- turns and rounds

    def go_on(self, colour: str, *, is_moving: bool) -> None:
        """With "pass": the round ends where all have passed, else the turn goes on."""
        if all(c in self.game["passed"] for c in self.colours if self.is_in(c)):
            self.end_round()
        elif is_moving:
            in_turn = [*self.clockwise(colour), colour]
            self.game["turn"] = next(c for c in in_turn if self.is_in(c) and c not in self.game["passed"])

    def finish(self, colour: str) -> None:
        """With "all"."""
        self.game["finished"].append(colour)
        if all(c in self.game["finished"] for c in self.colours if self.is_in(c)):
            self.end_round()

    def end_round(self) -> None:
        game = self.game
        ended, game["round"] = game["round"], game["round"] + 1
        first = None
        if self.turns == "pass":
            first = game["turn"] = next(c for c in game["passed"] if self.is_in(c))
            game["passed"] = []
        game["finished"] = []
        self.said.append({"type": "round", "round": ended, "first": first})
        if game["phase"] == "running" and self.stops:
            game["phase"] = "ready"

    def complete(self, colour: str, line: Json, *, is_close: bool) -> None:
        """A move is completed."""
        seat = self.seats[colour]
        seat["longest"] = max(seat["longest"], seat["turn"])
        seat["moves"] += 1
        added = 0
        if seat["down"]:
            seat["delay"] = 0
        else:
            seat["delay"] = self.whole_delay
            added = self.extra if self.mode == "increment" else 0
            if self.mode in {"increment", "delay"} and self.after and seat["moves"] == self.after:
                added += self.more
        seat["left"] += added
        if self.mode == "move":
            seat["left"], seat["down"] = self.main, False
        self.said.append({
            "type": "turn", "colour": colour, "how": line["type"], "t_ns": line.get("t_ns"), "spent_ns": seat["turn"],
            "left_ns": seat["left"], "added_ns": added, "moves": seat["moves"], "close": is_close,
        })  # fmt: skip
        seat["turn"] = 0
        self.game["fell"].pop(colour, None)
        if line["type"] == "pass":
            self.game["passed"].append(colour)
        if self.turns == "one":
            self.game["turn"] = next(c for c in self.clockwise(colour) if self.is_in(c))
        elif self.turns == "pass":
            self.go_on(colour, is_moving=True)
        else:
            self.finish(colour)

    # -- lines

    def take_start(self, line: Json) -> None:
        game = self.game
        game["phase"], game["now"], game["fell"] = "running", line.get("t_ns"), {}
        if self.turns == "all" and not self.running():
            game["finished"] = []
        if self.turns != "all" and not self.is_in(game["turn"]):
            game["turn"] = next(c for c in self.clockwise(game["turn"]) if self.is_in(c))

    def take_pause(self, line: Json) -> None:
        self.run_to(line.get("t_ns"))
        if self.game["phase"] == "running":
            self.game["phase"] = "paused"

    def take_done(self, line: Json) -> None:
        colour, instant, error = line["colour"], line.get("t_ns"), line.get("error_ns", 0)
        is_timed = instant is not None and self.game["now"] is not None
        self.run_to(instant)
        if colour not in self.running():
            self.rule_late(line, self.game["marks"].pop(colour, self.game["now"]), is_timed=is_timed)
            return
        is_close = False
        if is_timed and self.seats[colour]["down"]:
            fell = self.game["fell"].get(colour)
            is_close = fell is not None and instant - error < fell
        elif is_timed:
            length = self.until_zero(colour)
            is_close = length is not None and error >= length
        self.complete(colour, line, is_close=is_close)

    take_pass = take_done

    def take_fall(self, line: Json) -> None:
        self.fall_at(line["t_ns"], line["colour"])

    def take_late(self, line: Json) -> None:
        self.rule_late(line, self.game["marks"].pop(line["colour"]), is_timed=line.get("t_ns") is not None)

    def rule_late(self, line: Json, since: int, *, is_timed: bool) -> None:
        instant = line.get("t_ns")
        behind = None if instant is None else instant - since
        is_close = is_timed and instant - line.get("error_ns", 0) < since
        self.said.append(
            {"type": "late", "colour": line["colour"], "t_ns": instant, "behind_ns": behind, "close": is_close}
        )

    def take_score(self, line: Json) -> None:
        self.seats[line["colour"]]["score"] = line["value"]

    def take_restart(self, line: Json) -> None:
        if self.game["phase"] == "running":
            self.game["phase"] = "paused"
        self.game["now"] = None

    def take_end(self, line: Json) -> None:
        self.game["over"] = True

    def take_by_hand(self, line: Json) -> None:
        what, value = line["set"], line["value"]
        colour, _, key = what.partition("_")
        if what == "turn":
            self.set_turn(self.colours[value - 1])
        elif what == "round":
            self.game["round"] = value
        elif key == "seconds":
            self.set_left(colour, value * SECOND)
        else:
            self.seats[colour][key] = value

    def take_adjust(self, line: Json) -> None:
        left = self.seats[line["colour"]]["left"] + line["seconds"] * SECOND
        self.set_left(line["colour"], max(0, left) if self.goes_out else left)

    def set_left(self, colour: str, left: int) -> None:
        seat = self.seats[colour]
        seat["left"] = left
        if left > 0 and seat["down"]:
            seat["down"] = False
            seat["delay"] = self.whole_delay
            self.game["order"].remove(colour)
        elif left <= 0 and not seat["down"]:
            self.fall(colour, None)

    def set_turn(self, colour: str) -> None:
        game, was = self.game, self.game["turn"]
        if colour in game["passed"]:
            game["passed"].remove(colour)
        if was != colour:
            seat = self.seats[was]
            seat["turn"] = 0
            if not seat["down"]:
                seat["delay"] = self.whole_delay
                if self.mode == "move":
                    seat["left"] = self.main
        game["turn"] = colour
