"""A second judge of `les-apaches`, written from docs/games/les-apaches.md alone; it shares no code with the package."""

from __future__ import annotations

import tomllib
from hashlib import sha256

from tests.games.plain_judging import Json, PlainJudging

HIDEOUTS = {1: 3, 2: 4, 3: 4, 4: 5, 5: 6, 6: 5, 7: 4}
PRINTED = {2: [1, 2, 3, 6], 3: [1, 4, 5, 6, 7], 4: [1, 2, 3, 4, 5, 6, 7]}
THEFT = {2: 300, 3: 200, 4: 150}
POOL = ["burgher 1", "burgher 2", "burgher 3", "policeman"]
KINDS = ("leader", "novice", "reinforcement")


class PlainJudge(PlainJudging):
    """The rules have the numbers of that page."""

    def begin(self) -> None:
        """Set up."""
        self.open = self.open_districts()  # 1.2, 1.3
        board = ((self.setup.get("files") or {}).get("board") or {}).get("text", "")
        districts = tomllib.loads(board).get("district", {})
        self.places = {int(n): d["places"] for n, d in districts.items() if "places" in d}
        self.gangs: dict[str, Json] = {
            colour: {
                "money": 500, "reserve": {"leader": 7, "novice": 3, "reinforcement": 0}, "at": {}, "won": 0,
                "hospital": 0, "jail": 0, "killed": 0, "newly hurt": 0, "newly jailed": 0, "burglaries": 0,
                "burghers": 0, "hand": [],
            }
            for colour in self.colours
        }  # fmt: skip
        self.phase, self.round, self.lap = "draft", 1, 0
        self.first: str | None = self.setup["first"]
        self.order: list[str] = []
        self.drawn: list[str] = []  # who took a burgher, in the order of taking
        self.dealt: list[str] | None = None
        self.shuffle_n: int | None = None
        self.seed: str | None = None
        self.policeman: str | None = None
        self.unmasked: dict[str, bool] = {}
        self.is_complete = self.is_over = False
        self.begin_draft()

    def open_districts(self) -> list[int]:
        named = self.parameters.get("districts", "printed")
        if named == "printed":
            return PRINTED[len(self.colours)]
        if named == "other":
            return [n for n in HIDEOUTS if self.parameters.get(f"district-{n}", False)]
        return [int(n) for n in named.split("-")]

    def in_order(self) -> list[str]:
        return [self.first, *self.clockwise(self.first)] if self.first else self.colours

    # -- draft and turns

    def begin_draft(self) -> None:
        self.phase, self.lap = "draft", 0
        self.stacks = {n: HIDEOUTS[n] - 1 for n in self.open}
        self.laid: dict[int, list[str]] = {n: [] for n in self.open}

    def take_draft(self, line: Json) -> None:
        self.stacks[int(line["district"])] -= 1
        self.gangs[line["colour"]]["hand"].append(line["district"])
        if not any(self.stacks.values()):
            hands = {colour: sorted(gang["hand"]) for colour, gang in self.gangs.items()}
            self.say("drafted", round=self.round, hands=hands)
            self.phase, self.lap, self.order = "turn", 1, self.in_order()

    def take_muster(self, line: Json) -> None:
        gang, counts = self.gangs[line["colour"]], {kind: line.get(f"{kind}s", 0) for kind in KINDS}
        for kind, count in counts.items():
            gang["reserve"][kind] -= count
            self.put(line["colour"], int(line["district"]), kind, count)
        self.say(
            "mustered", colour=line["colour"], district=line["district"],
            **{f"{kind}s": count for kind, count in counts.items()}, strength=self.strength(int(line["district"])),
        )  # fmt: skip

    def take_prowl(self, line: Json) -> None:
        touched = set()
        for kind, origin, target in line["figures"]:
            left, entered = int(origin), int(target)
            self.put(line["colour"], left, kind, -1)
            self.put(line["colour"], entered, kind, 1)
            touched |= {left, entered}
        strengths = {str(n): self.strength(n) for n in sorted(touched)}
        self.say("prowled", colour=line["colour"], figures=line["figures"], strengths=strengths)

    def take_hideout(self, line: Json) -> None:
        gang = self.gangs[line["colour"]]
        gang["hand"].remove(line["district"])
        self.laid[int(line["district"])].append(line["loot"])
        self.say("laid", colour=line["colour"], district=line["district"], loot=line["loot"], left=len(gang["hand"]))
        if gang["jail"] and gang["money"] >= 150:
            self.phase = "bail"
        else:
            self.end_turn()

    def take_bail(self, line: Json) -> None:
        gang, count = self.gangs[line["colour"]], line["prisoners"]
        gang["money"] -= 150 * count
        gang["jail"] -= count
        gang["reserve"]["leader"] += count
        self.say("bailed", colour=line["colour"], prisoners=count, francs=150 * count)
        self.phase = "turn"
        self.end_turn()

    def end_turn(self) -> None:
        self.order.pop(0)
        if self.order:
            return
        if self.lap == 6:
            self.settling = [*self.open, 8, 9]
            self.settle()
            return
        self.lap += 1
        self.order = self.in_order()
        if self.lap == 6:
            self.order.sort(key=lambda colour: -sum(self.gangs[colour]["reserve"].values()))
            self.say("last_lap", round=self.round, order=list(self.order))

    # -- settling

    def settle(self, told: str | None = None) -> None:
        """Go on as far as is known; told: what the table said was taken away in the district that waits."""
        while self.settling:
            district = self.settling[0]
            best, strength = self.majority(district), self.strength(district)
            loot = self.taken_away(district) if told is None else told
            if district <= 7 and best and loot is None:
                self.phase = "unlaid"
                return
            if district == 8 and best and self.is_box and self.shuffle_n is None:
                self.phase = "shuffle"
                return
            self.settling.pop(0)
            told = None
            got = self.got(district, best, loot)
            self.say(
                "district", round=self.round, district=str(district), loot=loot, strength=strength, colour=best,
                francs=got["francs"], reinforcements=got["reinforcements"], lost=got["lost"],
                burghers=got["burghers"], given=got["given"],
            )  # fmt: skip
        self.end_round()

    def taken_away(self, district: int) -> str | None:
        if district not in self.places:
            return None
        left = list(self.places[district])
        for loot in self.laid[district]:
            left.remove(loot)
        return str(left[0])

    def got(self, district: int, best: str | None, loot: str | None) -> Json:
        got: Json = {"francs": 0, "reinforcements": 0, "lost": 0, "burghers": 0, "given": {}}
        if best is None:
            return got
        gang = self.gangs[best]
        if district == 8:
            gang["burghers"] += 1
            self.drawn.append(best)
            got["burghers"] = 1
        elif district == 9:
            got["francs"] = 250 * gang["burglaries"]
            got["reinforcements"] = self.win(best, 1)
        else:
            self.got_loot(district, best, str(loot), got)
        gang["money"] += got["francs"]
        return got

    def got_loot(self, district: int, best: str, loot: str, got: Json) -> None:
        gang = self.gangs[best]
        if loot.startswith(("money", "burglary")):
            got["francs"] = int(loot.split()[1])
            gang["burglaries"] += loot.startswith("burglary")
        elif loot == "theft":
            for other in self.colours:
                if other != best:
                    pays = min(THEFT[len(self.colours)], self.gangs[other]["money"])
                    self.gangs[other]["money"] -= pays
                    got["given"][other] = pays
            got["francs"] = sum(got["given"].values())
        elif loot == "reinforcements":
            got["reinforcements"] = self.win(best, 2)
        elif gang["at"].get(district, {}).get("leader"):
            gang["at"][district]["leader"] -= 1
            gang[{"wounded": "newly hurt", "killed": "killed", "jailed": "newly jailed"}[loot]] += 1
            got["lost"] = 1

    def win(self, colour: str, count: int) -> int:
        used = sum(
            gang["won"] + gang["reserve"]["reinforcement"] + sum(at["reinforcement"] for at in gang["at"].values())
            for gang in self.gangs.values()
        )
        won = max(0, min(count, 5 - int(used)))
        self.gangs[colour]["won"] += won
        return won

    def end_round(self) -> None:
        back = {}
        for colour, gang in self.gangs.items():
            reserve = gang["reserve"]
            reserve["leader"] += sum(at["leader"] for at in gang["at"].values())
            back[colour] = gang["hospital"] + gang["jail"]
            reserve["leader"] += back[colour]
            gang["hospital"], gang["jail"] = gang["newly hurt"], gang["newly jailed"]
            gang["newly hurt"] = gang["newly jailed"] = gang["burglaries"] = 0
            gang["at"] = {}
            reserve["reinforcement"] = 0
            if self.round < 3:
                reserve["reinforcement"], gang["won"] = gang["won"], 0
        was, self.first = self.first, self.clockwise(str(self.first))[0] if self.round < 3 else None
        assert was
        money = {colour: gang["money"] for colour, gang in self.gangs.items()}
        self.say("round_over", round=self.round, back=back, money=money, first=self.first)
        if self.round < 3:
            self.round += 1
            self.begin_draft()
        else:
            self.ask_for_the_end()

    # -- the end

    @property
    def is_box(self) -> bool:
        return bool(self.parameters.get("burghers", "pieces") == "box")

    def burghers_known(self) -> list[str] | None:
        if self.dealt is None and self.seed is not None and self.shuffle_n is not None:

            def lot(item: str) -> str:
                return sha256(f"{self.seed}:burghers:{self.shuffle_n}:{item}".encode()).hexdigest()

            self.dealt = sorted(POOL, key=lot)
        return self.dealt

    def ask_for_the_end(self) -> None:
        if not self.is_box:
            asked = [c for c in self.colours if self.gangs[c]["burghers"] and c not in self.unmasked]
            if asked and self.policeman is None:
                self.phase = "unmask"
            else:
                self.make_accounts()
            return
        dealt = self.burghers_known()
        if self.drawn and dealt is None:
            self.phase = "sealed"
            return
        for colour, burgher in zip(self.drawn, dealt or [], strict=False):
            if burgher == "policeman":
                self.policeman = colour
        self.make_accounts()

    def make_accounts(self) -> None:
        self.phase, self.is_complete = "done", True
        for colour, gang in self.gangs.items():
            has_him = colour == self.policeman
            good = gang["burghers"] - has_him
            gang["money"] += 200 * good
            pays = min(200, gang["money"]) if has_him else 0
            gang["money"] -= pays
            jailed = int(has_him and gang["reserve"]["leader"] > 0)
            gang["reserve"]["leader"] -= jailed
            gang["jail"] += jailed
            fit = self.fit(gang)
            gang["money"] += 50 * fit
            self.say(
                "account", colour=colour, burghers=good, burgher_francs=200 * good, policeman=has_him,
                policeman_francs=pays, jailed=jailed, fit=fit, fit_francs=50 * fit, money=gang["money"],
            )  # fmt: skip

    def take_unlaid(self, line: Json) -> None:
        self.settle(line["loot"])

    def take_chance(self, line: Json) -> None:
        self.shuffle_n, self.dealt = line["n"], line.get("result")
        self.settle()

    def take_unmask(self, line: Json) -> None:
        self.unmasked[line["colour"]] = line["policeman"]
        if line["policeman"]:
            self.policeman = line["colour"]
        self.ask_for_the_end()

    def take_open(self, line: Json) -> None:
        self.seed = line["seed"]
        if self.phase == "sealed":
            self.ask_for_the_end()

    def take_end(self, line: Json) -> None:
        self.is_over = True

    def take_restart(self, line: Json) -> None:
        """Nothing is timed."""

    def take_by_hand(self, line: Json) -> None:
        colour, key, *district = line["set"].split()
        gang, value = self.gangs[colour], line["value"]
        if district:
            kind = key.removesuffix("s")
            there = gang["at"].get(int(district[0]), {}).get(kind, 0)
            gang["reserve"][kind] += there - value
            self.put(colour, int(district[0]), kind, value - there)
        elif key in {"hospital", "jail", "killed"}:
            gang["reserve"]["leader"] += gang[key] - value
            gang[key] = value
        else:
            gang[key] = value

    # -- what is where

    def put(self, colour: str, district: int, kind: str, count: int) -> None:
        there = self.gangs[colour]["at"].setdefault(district, dict.fromkeys(KINDS, 0))
        there[kind] += count

    def strength(self, district: int) -> dict[str, int]:
        counts = {colour: sum(gang["at"].get(district, {}).values()) for colour, gang in self.gangs.items()}
        return {colour: count for colour, count in counts.items() if count}

    def majority(self, district: int) -> str | None:
        strength = self.strength(district)
        most = [colour for colour, count in strength.items() if count == max(strength.values())]
        return most[0] if len(most) == 1 else None

    @staticmethod
    def fit(gang: Json) -> int:
        in_districts = sum(at["leader"] for at in gang["at"].values())
        return int(gang["reserve"]["leader"] + in_districts + gang["reserve"]["novice"] + gang["won"])

    def say(self, kind: str, **fields: object) -> None:
        self.said.append({"type": kind, **fields})

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        money = {colour: gang["money"] for colour, gang in self.gangs.items()}
        fit = {colour: self.fit(gang) for colour, gang in self.gangs.items()}
        best = max((money[colour], fit[colour]) for colour in self.colours)
        return {
            "type": "outcome", "over": self.is_over, "complete": self.is_complete, "round": self.round,
            "lap": self.lap, "money": money, "fit": fit,
            "burghers": {colour: gang["burghers"] for colour, gang in self.gangs.items()},
            "policeman": self.policeman,
            "leaders": [colour for colour in self.colours if (money[colour], fit[colour]) == best],
        }  # fmt: skip
