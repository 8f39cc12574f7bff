"""A second judge of `once-we-moved`, written from docs/games/once-we-moved.md alone."""

from __future__ import annotations

from tests.games.plain_judging import Json, PlainJudging

WORDS = ("none", "slight", "moderate", "major", "severe", "extreme")
LEVELS = {0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 6: 4, 7: 5}
DRAWS = {
    "bands": (2, 2, 4, 6, 8), "rumours": (3, 6, 8, 10, 12), "leaders": (0, 0, 0, 0, 0), "us-senior": (0, 1, 1, 1, 2),
    "us-junior": (1, 2, 2, 4, 5), "us-units": (2, 3, 4, 6, 9), "scout": (0, 0, 1, 1, 1), "settler": (1, 1, 0, 0, 0),
    "mx-senior": (0, 0, 0, 1, 1), "mx-junior": (1, 1, 2, 1, 2), "mx-units": (1, 2, 3, 4, 6),
}  # fmt: skip
BUILT_IN = {
    "bands": [f"band {n}" for n in range(1, 19)],
    "rumours": [f"rumour {n}" for n in range(1, 15)],
    "leaders": ["Cochise", "Victorio", "Geronimo", *(f"leader {n}" for n in range(4, 9))],
    "us-senior": ["Crook", "Miles"],
    "us-junior": [f"US junior {n}" for n in range(1, 6)],
    "us-units": [f"US unit {n}" for n in range(1, 13)],
    "scout": ["Scout"],
    "settler": ["Settler"],
    "mx-senior": ["MX senior 1"],
    "mx-junior": ["MX junior 1", "MX junior 2"],
    "mx-units": [f"MX unit {n}" for n in range(1, 7)],
}
SPANS = {"Cochise": "1-5", "Victorio": "4-?", "Geronimo": "5-8"}
POOL_OF_WORD = {
    "band": "bands", "rumour": "rumours", "leader": "leaders", "us-senior": "us-senior", "us-junior": "us-junior",
    "us-unit": "us-units", "mx-senior": "mx-senior", "mx-junior": "mx-junior", "mx-unit": "mx-units",
}  # fmt: skip
BAND_STRENGTH = (1, 2, 3, 4, 4)
US = {"AZ", "NM", "TX"}
STAGES = (
    "provocation", "pick", "deploy-apache", "deploy-army", "move-1-apache", "limit-1-apache", "move-1-army",
    "limit-1-army", "rumours-1", "reinforce", "move-2-apache", "limit-2-apache", "move-2-army", "limit-2-army",
    "rumours-2", "combat", "count",
)  # fmt: skip
TOLLS = ("apache-lost", "army-lost", "captured", "forced", "kept", "edge")
APACHE, ARMY = 0, 1
EARNS = {
    "rumours": (ARMY, 1), "reinforced": (ARMY, 1), "apache-lost": (ARMY, 3), "captured": (ARMY, 1),
    "forced": (ARMY, 2), "army-lost": (APACHE, 2), "kept": (APACHE, 1), "edge": (ARMY, 1),
}  # fmt: skip
COSTS = ({"open": 1, "mixed": 1, "mountain": 3, "rio": 2}, {"open": 1, "mixed": 2, "rio": 3})


def statements(text: str) -> list[list[str]]:
    return [words for line in text.splitlines() if (words := line.partition("#")[0].split())]


class PlainJudge(PlainJudging):
    """The words are those of that page. Sides are 0, the Apache, and 1, the Army."""

    def begin(self) -> None:
        """Set up."""
        self.turns = self.parameters.get("turns", 7)
        self.read_board(self.file("terrain"))
        self.read_stickers(self.file("stickers"))
        self.turn = 1
        self.level = 0
        self.levels = [0, 0]
        self.incursion = self.is_over = False
        self.gone: list[str] = []
        self.begin_turn()

    def file(self, key: str) -> str:
        return str(((self.setup.get("files") or {}).get(key) or {}).get("text", ""))

    def read_board(self, text: str) -> None:
        self.territories: dict[str, set[str]] = {}
        self.flags: dict[str, set[str]] = {}
        self.borders: dict[frozenset[str], str] = {}
        for what, *words in statements(text):
            if what == "area":
                self.territories[words[0]] = set(words[1].split("+"))
                self.flags[words[0]] = set(words[2:])
            else:
                self.borders[frozenset(words[:2])] = words[2]

    def read_stickers(self, text: str) -> None:
        self.pools = dict(BUILT_IN)
        self.spans = dict.fromkeys(BUILT_IN["leaders"], "?-?") | SPANS
        named: dict[str, list[str]] = {}
        for word, *words in statements(text):
            pool = POOL_OF_WORD[word]
            span = words.pop() if pool == "leaders" else ""
            named.setdefault(pool, []).append(" ".join(words))
            self.spans[" ".join(words)] = span
        self.pools |= named

    def begin_turn(self) -> None:
        self.points = [0, 0]
        self.out = dict.fromkeys(BUILT_IN, 0)
        self.areas = {area: [0, 0] for area in self.territories}
        self.off = [0, 0]
        self.has_crossed = False
        self.shown = 0
        self.lost = dict.fromkeys(("apache-lost", "forced"), 0)
        self.enter("provocation")

    # -- stages

    def enter(self, stage: str) -> None:
        self.stage, self.place = stage, 0

    def next_stage(self) -> None:
        self.enter(STAGES[STAGES.index(self.stage) + 1])

    def take(self, line: Json) -> None:
        """Take a line, then go on as far as nothing is asked."""
        super().take(line)
        if line["type"] not in {"restart", "end", "open"}:
            self.go_on()

    def go_on(self) -> None:
        while not self.is_asking():
            self.place += 1

    def is_asking(self) -> bool:
        """Look at the place of the stage; at the end of its list the next stage begins."""
        kind = self.stage.split("-")[0]
        if kind == "pick":
            return self.is_asking_pool()
        if kind == "limit":
            return self.is_asking_list(list(self.areas), self.is_over_limit)
        if kind == "rumours":
            return self.is_asking_list(list(self.areas) or [""], lambda area: self.most_unmasked(area) > 0)
        if kind == "reinforce":
            return self.is_asking_list([""], lambda _: self.most_reinforced() > 0)
        if kind == "count":
            return self.is_asking_toll()
        return True

    def is_asking_list(self, places, is_asked) -> bool:
        if self.place < len(places):
            return bool(is_asked(places[self.place]))
        self.next_stage()
        self.place = -1
        return False

    # -- picking

    def left(self, pool: str) -> list[str]:
        return [block for block in self.pools[pool] if block not in self.gone]

    def draw(self, pool: str) -> int:
        if pool.startswith("mx") and not (self.incursion or self.turn == self.turns):
            return 0
        return min(DRAWS[pool][self.level - 1], len(self.left(pool)))

    def chieftains(self) -> tuple[int, int]:
        least = unknown = 0
        for leader in self.left("leaders"):
            first, last = self.spans[leader].split("-")
            if (first != "?" and self.turn < int(first)) or (last != "?" and self.turn > int(last)):
                continue
            is_out = first != "?" and (self.turn == int(first) or last != "?")
            least += is_out
            unknown += not is_out
        return least, least + unknown

    def is_asking_pool(self) -> bool:
        if self.place == len(BUILT_IN):
            self.say("forces", turn=self.turn, out=dict(self.out))
            self.enter("deploy-apache")
            return True
        pool = list(BUILT_IN)[self.place]
        if pool in {"scout", "settler"}:
            self.out[pool] = self.draw(pool)
            return False
        if pool == "leaders":
            least, most = self.chieftains()
            if least == most:
                self.out[pool] = least
            return least != most
        return self.draw(pool) > 0

    # -- what is asked

    def is_over_limit(self, area: str) -> bool:
        side = APACHE if self.stage.endswith("apache") else ARMY
        return self.areas[area][side] > self.limit(area, side)

    def limit(self, area: str, side: int) -> int:
        if side == APACHE:
            return 6 if "river" in self.flags[area] else 3
        return 14 if self.flags[area] & {"town", "fort"} else 10

    def most_unmasked(self, area: str) -> int:
        most = self.out["rumours"] - self.shown
        if not area:
            return min(most, self.out["bands"] + self.out["rumours"] - self.off[APACHE])
        return min(most, self.areas[area][APACHE]) if all(self.areas[area]) else 0

    def most_reinforced(self) -> int:
        most = self.out["us-units"] + self.out["scout"]
        if not self.areas:
            return most
        towns = [a for a in self.areas if self.territories[a] & US and "town" in self.flags[a]]
        return min(most, sum(max(0, self.areas[area][ARMY] - 1) for area in towns))

    def is_asking_toll(self) -> bool:
        if self.place == len(TOLLS):
            self.end_turn()
            return True
        toll = TOLLS[self.place]
        if toll == "edge" and self.areas:
            self.earn(toll, sum(self.areas[area][APACHE] for area in self.areas if "edge" in self.flags[area]))
            return False
        return self.most_reckoned(toll) > 0

    def most_reckoned(self, toll: str) -> int:
        if toll in {"apache-lost", "forced", "kept"}:
            strength = self.out["bands"] * BAND_STRENGTH[self.level - 1]
            gone = {"apache-lost": (), "forced": ("apache-lost",), "kept": ("apache-lost", "forced")}[toll]
            return strength - sum(self.lost[one] for one in gone)
        if toll == "captured":
            return 99 if self.out["leaders"] else 0
        if toll == "edge":
            return sum(self.out[pool] for pool in ("bands", "rumours", "leaders")) - self.off[APACHE]
        return 99

    def earn(self, toll: str, tally: int) -> None:
        if tally <= 0:
            return
        side, each = EARNS[toll]
        points = tally // 3 if toll == "edge" else each * tally
        self.points[side] += points
        self.say("earned", colour=self.colours[side], toll=toll, tally=tally, points=points)

    def end_turn(self) -> None:
        if self.level:
            self.incursion = self.has_crossed
        ahead = None
        if self.points[0] != self.points[1]:
            side = APACHE if self.points[0] > self.points[1] else ARMY
            self.levels[side] = min(9, self.levels[side] + 1)
            ahead = self.colours[side]
        self.say(
            "turn", turn=self.turn, level=WORDS[self.level], points=self.by_colour(self.points), gains=ahead,
            levels=self.by_colour(self.levels), incursion=self.incursion,
        )  # fmt: skip
        if self.turn >= self.turns:
            self.enter("end")
        else:
            self.turn += 1
            self.begin_turn()

    # -- lines

    def take_chance(self, line: Json) -> None:
        if line["name"] != "provocation":
            self.out[line["name"]] = self.draw(line["name"])
            self.place += 1
            return
        modifier = 0 if self.turn == 1 else (1, 1, 1, 0, -1, -1)[self.level]
        die = int(line["result"][0])
        self.level = LEVELS[die + modifier]
        self.say("provocation", turn=self.turn, die=die, modifier=modifier, level=WORDS[self.level])
        if self.level:
            self.enter("pick")
        else:
            self.end_turn()

    def take_undisclosed(self, line: Json) -> None:
        pool = list(BUILT_IN)[self.place]
        self.out[pool] = self.draw(pool)
        self.place += 1

    def take_chieftains(self, line: Json) -> None:
        self.out["leaders"] = line["tally"]
        self.place += 1

    def take_segment(self, line: Json) -> None:
        if line.get("crossed"):
            self.cross()
            self.say("crossed", colour=line["colour"])
        self.next_stage()

    def cross(self) -> None:
        self.incursion = self.has_crossed = True

    def side(self, line: Json) -> int:
        return self.colours.index(line["colour"])

    def take_deploy(self, line: Json) -> None:
        self.areas[line["area"]][self.side(line)] += line["tally"]

    def take_trek(self, line: Json) -> None:
        side, whence, whither = self.side(line), line["whence"], line["whither"]
        points = (COSTS[side] | {"mountain": COSTS[side].get("mountain") or self.parameters.get("mountain") or None})[
            self.borders[frozenset((whence, whither))]
        ]
        if side == APACHE and self.areas[whither][ARMY]:
            assert points is not None
            points += 1
        is_crossing = side == APACHE and bool(self.territories[whence] & US) and not self.territories[whither] & US
        self.areas[whence][side] -= line["tally"]
        self.areas[whither][side] += line["tally"]
        if is_crossing:
            self.cross()
        self.say(
            "cost", colour=line["colour"], whence=whence, whither=whither, tally=line["tally"], points=points,
            crossing=is_crossing,
        )  # fmt: skip

    def take_surplus(self, line: Json) -> None:
        self.off[self.side(line)] += line["tally"]
        self.say("excess", colour=line["colour"], area=None, tally=line["tally"])

    def take_stacked(self, line: Json) -> None:
        side, area = self.side(line), line["area"]
        excess = self.areas[area][side] - line["tally"] - self.limit(area, side)
        if excess > 0:
            self.areas[area][side] -= excess
            self.off[side] += excess
            self.say("excess", colour=line["colour"], area=area, tally=excess)
        self.place += 1

    def take_unmasked(self, line: Json) -> None:
        self.shown += line["tally"]
        self.off[APACHE] += line["tally"]
        if "area" in line:
            self.areas[line["area"]][APACHE] -= line["tally"]
        self.earn("rumours", line["tally"])
        self.place += 1

    def take_reinforced(self, line: Json) -> None:
        self.earn("reinforced", line["tally"])
        self.place += 1

    def take_removed(self, line: Json) -> None:
        self.gone.append(line["sticker"])

    def take_casualties(self, line: Json) -> None:
        self.areas[line["area"]][self.side(line)] -= line["tally"]
        self.off[self.side(line)] += line["tally"]

    def take_reckoning(self, line: Json) -> None:
        if line["toll"] in self.lost:
            self.lost[line["toll"]] += line["tally"]
        self.earn(line["toll"], line["tally"])
        self.place += 1

    def take_by_hand(self, line: Json) -> None:
        key, value = line["set"], line["value"]
        what, _, of = key.partition("-")
        if key == "incursion":
            self.incursion = bool(value)
            if self.stage not in {"provocation", "pick"}:
                self.has_crossed = bool(value)
        elif key == "turn":
            self.turn = value
        elif key == "provocation":
            self.level = value
        elif what == "out":
            self.out[of] = value
        elif what in {"points", "level"}:
            {"points": self.points, "level": self.levels}[what][("apache", "army").index(of)] = value
        else:
            self.areas[of][("apache", "army").index(what)] = value

    def take_restart(self, line: Json) -> None:
        """Nothing is timed."""

    def take_open(self, line: Json) -> None:
        """Nothing else changes."""

    def take_end(self, line: Json) -> None:
        self.is_over = True

    # -- words

    def by_colour(self, values: list[int]) -> dict[str, int]:
        return dict(zip(self.colours, values, strict=True))

    def say(self, kind: str, **fields: object) -> None:
        self.said.append({"type": kind, **fields})

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        return {
            "type": "outcome", "over": self.is_over, "turn": self.turn, "turns": self.turns,
            "stage": "over" if self.is_over else self.stage, "level": WORDS[self.level], "incursion": self.incursion,
            "points": self.by_colour(self.points), "levels": self.by_colour(self.levels), "out": dict(self.out),
            "gone": list(self.gone), "areas": dict(self.areas),
            "leaders": [c for c, level in self.by_colour(self.levels).items() if level == max(self.levels)],
        }  # fmt: skip
