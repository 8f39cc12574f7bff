"""A second judge of `big-manitou`, written from docs/games/big-manitou.md alone; it shares no code with the package."""

from __future__ import annotations

from tests.games.plain_judging import Json, PlainJudging

GROUNDS = ("left", "middle", "right")
BEATS = {
    "chieftain": {"medicine man", "rain maker", "scout"},
    "squaw": {"chieftain"},
    "medicine man": {"rain maker", "squaw"},
    "rain maker": {"scout", "squaw"},
    "scout": {"medicine man", "squaw"},
}
KINDS = ("tipis", "buffaloes", "horses", "totems", "tomahawks")
CYLINDERS = {"totem": "totems", "horse": "horses"}


class PlainJudge(PlainJudging):
    """The words are those of that page."""

    def begin(self) -> None:
        """Set up."""
        self.hunts = {2: 4, 3: 3, 4: 4, 5: 5}[len(self.colours)]
        self.hunt, self.done, self.dealer = 1, 0, self.setup["first"]
        self.counts: list[int] = []
        self.tiles: dict[str, list[str]] = {colour: [] for colour in self.colours}
        self.corrections: dict[str, Json] = {colour: dict.fromkeys(KINDS, 0) for colour in self.colours}
        self.cylinder: dict[str, str | None] = {"totem": None, "horse": None}
        self.gone = self.laid = 0
        self.is_over = False
        self.phase = "counts"
        self.clear()

    def clear(self) -> None:
        self.booty: dict[str, list[str]] = {ground: [] for ground in GROUNDS}
        self.hunters: dict[str, list[tuple[str, int]]] = {ground: [] for ground in GROUNDS}
        self.heroes: dict[str, list[tuple[str, str]]] = {ground: [] for ground in GROUNDS}  # face up, the upper last
        self.ready: set[str] = set()
        self.turns: list[str] = []

    # -- preparing

    def take_grounds(self, line: Json) -> None:
        self.counts, self.phase = line["booty"], "booty"

    def take_booty(self, line: Json) -> None:
        self.booty[line["ground"]].append(line["tile"])
        self.laid += 1
        if [len(self.booty[ground]) for ground in GROUNDS] == self.counts:
            self.phase = "choosing"
            begins = self.clockwise(self.dealer)[0]
            cards = dict.fromkeys(self.colours, 8)
            cards[begins] = 8 if len(self.colours) == 2 else 9
            cards[self.dealer] = 7
            self.say(
                "muster",
                hunt=self.hunt,
                dealer=self.dealer,
                begins=begins,
                cards=cards,
                tiles={g: list(self.booty[g]) for g in GROUNDS},
            )

    def take_hunting(self, line: Json) -> None:
        self.ready.add(line["colour"])
        if len(self.ready) == len(self.colours):
            self.phase = "turns"
            self.turns = self.from_left() * 7

    def from_left(self) -> list[str]:
        """All seats, clockwise from the one after the dealer."""
        return [*self.clockwise(self.dealer), self.dealer]

    # -- cards

    def take_hunt(self, line: Json) -> None:
        self.say("played", hunt=self.hunt, ground=line["ground"], colour=line["colour"], card=line["card"])
        self.play(line["colour"], line["card"], line["ground"])
        self.after_turn()

    def take_forgo(self, line: Json) -> None:
        what = {"turns": "turn", "eighth": "eighth", "ride": "ride"}[self.phase]
        self.say("passed", hunt=self.hunt, colour=line["colour"], what=what)
        self.after_turn()

    def play(self, colour: str, card: str, ground: str) -> None:
        kind = card.removeprefix(f"{colour} ")
        if kind.startswith("hunter"):
            self.hunters[ground].append((colour, int(kind.split()[1])))
            return
        up = self.heroes[ground]
        if not up:
            up.append((colour, kind))
        elif up[0][0] == colour:
            self.say("guard", hunt=self.hunt, ground=ground, colour=colour, card=card, under=" ".join(up[-1]))
            up.append((colour, kind))
        else:
            self.try_strength(colour, kind, ground)

    def try_strength(self, colour: str, kind: str, ground: str) -> None:
        up = self.heroes[ground]
        against, met = up[-1]
        is_sacrifice = len(up) == 2
        wins = met in BEATS[kind]
        result = "loses"
        if kind == met or (wins and is_sacrifice):
            result = "both"
            up.pop()
        elif wins:
            result = "wins"
            up[-1] = (colour, kind)
        self.say(
            "trial", hunt=self.hunt, ground=ground, colour=colour, card=f"{colour} {kind}", against=against,
            met=f"{against} {met}", result=result, sacrifice=is_sacrifice, up=up[0][0] if up else None,
        )  # fmt: skip

    def after_turn(self) -> None:
        if self.phase == "turns":
            self.turns.pop(0)
            if self.turns:
                return
            if self.cylinder["totem"] not in {None, self.dealer}:
                self.phase = "eighth"
                return
        if self.phase in {"turns", "eighth"}:
            holder = self.cylinder["horse"]
            if any(colour == holder for ground in GROUNDS for colour, _ in self.hunters[ground]):
                self.phase = "ride"
                return
        self.evaluate()

    def take_ride(self, line: Json) -> None:
        colour = line["colour"]
        hunter = (colour, int(line["card"].split()[-1]))
        for ground in GROUNDS:
            if hunter in self.hunters[ground]:
                self.hunters[ground].remove(hunter)
                self.say("rode", hunt=self.hunt, ground=line["ground"], colour=colour, card=line["card"], before=ground)
                break
        self.hunters[line["ground"]].append(hunter)
        self.evaluate()

    # -- the end of a hunt

    def evaluate(self) -> None:
        self.to_do = [self.begin_thief, self.begin_sharing]
        if self.hunt == 1:
            self.to_do.reverse()
        self.next_part()

    def next_part(self) -> None:
        if self.to_do:
            self.to_do.pop(0)()
            return
        self.done += 1
        points = {colour: self.points(colour) for colour in self.colours}
        self.say("hunted", hunt=self.hunt, points=points)
        self.clear()
        self.dealer = self.clockwise(self.dealer)[0]
        self.phase = "done" if self.hunt == self.hunts else "booty"
        self.hunt += 1

    def begin_thief(self) -> None:
        self.phase = "thief"
        played = [one for ground in GROUNDS for one in self.hunters[ground]]
        totals = {colour: sum(number for of, number in played if of == colour) for colour in self.colours}
        most = max(totals.values())
        self.payers = [colour for colour in self.from_left() if most and totals[colour] == most]
        self.say("thief", hunt=self.hunt, totals=totals, pays=list(self.payers))
        self.go_on_paying()

    def go_on_paying(self) -> None:
        while self.payers:
            tiles = self.tiles[self.payers[0]]
            paid_from = [tile for tile in tiles if tile.startswith(("tipi", "buffalo"))] or tiles
            if len(set(paid_from)) > 1:
                return
            self.pay(paid_from[0] if paid_from else None)
        self.next_part()

    def pay(self, tile: str | None) -> None:
        colour = self.payers.pop(0)
        if tile is not None:
            self.tiles[colour].remove(tile)
            self.gone += 1
        self.say("stolen", hunt=self.hunt, colour=colour, tile=tile)

    def take_forfeit(self, line: Json) -> None:
        self.pay(line["tile"])
        self.go_on_paying()

    # -- sharing

    def begin_sharing(self) -> None:
        self.phase = "sharing"
        self.grounds = list(GROUNDS)
        self.begin_ground()

    def begin_ground(self) -> None:
        if not self.grounds:
            self.next_part()
            return
        up = self.heroes[self.grounds[0]]
        self.is_counted = False
        self.due: list[list[object]] = [[up[0][0], "hero", 1]] if up else []
        self.go_on_sharing()

    def go_on_sharing(self) -> None:
        tiles = self.booty[self.grounds[0]]
        while True:
            if not self.due and not self.is_counted:
                self.count()
            while self.due and (not tiles or not self.due[0][2]):
                self.due.pop(0)
            if self.due:
                count = self.due[0][2]
                assert isinstance(count, int)
                if count < len(tiles) and len(set(tiles)) > 1:
                    return
                self.gain(tiles[0])
            elif self.is_counted:
                break
        self.end_ground()

    def count(self) -> None:
        ground = self.grounds[0]
        self.is_counted = True
        totals: dict[str, int] = {}
        for colour in self.colours:
            numbers = [number for of, number in self.hunters[ground] if of == colour]
            if numbers:
                totals[colour] = sum(numbers) + len(numbers) * self.has(colour, "tomahawks")
        amounts = list(totals.values())
        tied = [colour for colour, total in totals.items() if amounts.count(total) > 1]
        ranks = [*sorted(set(totals) - set(tied), key=lambda colour: -totals[colour]), None, None]
        self.say("totals", hunt=self.hunt, ground=ground, totals=totals, tied=tied, most=ranks[0], second=ranks[1])
        if ranks[0]:
            self.due.append([ranks[0], "most", 2])
        if ranks[1]:
            self.due.append([ranks[1], "second", 60])

    def gain(self, tile: str) -> None:
        colour, by, count = self.due[0]
        assert isinstance(colour, str)
        assert isinstance(count, int)
        self.due[0][2] = count - 1
        self.booty[self.grounds[0]].remove(tile)
        self.tiles[colour].append(tile)
        self.say("gained", hunt=self.hunt, ground=self.grounds[0], colour=colour, by=by, tile=tile)
        holder = self.cylinder.get(tile, colour)
        kind = CYLINDERS.get(tile, "")
        if tile in CYLINDERS and holder != colour and (
            holder is None or self.has(colour, kind) >= self.has(holder, kind)
        ):  # fmt: skip
            self.cylinder[tile] = colour
            self.say("cylinder", hunt=self.hunt, of=tile, colour=colour, before=holder)

    def take_loot(self, line: Json) -> None:
        self.gain(line["tile"])
        self.go_on_sharing()

    def end_ground(self) -> None:
        ground = self.grounds.pop(0)
        left = self.booty[ground]
        if left:
            self.gone += len(left)
            self.say("gone", hunt=self.hunt, ground=ground, tiles=list(left))
            left.clear()
        self.begin_ground()

    # -- by hand, the end

    def take_by_hand(self, line: Json) -> None:
        what, value = line["set"], line["value"]
        if what in self.cylinder:
            self.cylinder[what] = self.colours[value - 1] if value else None
            return
        colour, kind = what.split()
        self.corrections[colour][kind] = value - self.of_tiles(colour, kind)

    def take_restart(self, line: Json) -> None:
        """Nothing is timed."""

    def take_end(self, line: Json) -> None:
        self.is_over = True

    def of_tiles(self, colour: str, kind: str) -> int:
        tiles = self.tiles[colour]
        if kind in {"tipis", "buffaloes"}:
            word = {"tipis": "tipi", "buffaloes": "buffalo"}[kind]
            return sum(int(tile.split()[1]) for tile in tiles if tile.startswith(word))
        return tiles.count(kind.removesuffix("s"))

    def has(self, colour: str, kind: str) -> int:
        return max(0, self.of_tiles(colour, kind) + int(self.corrections[colour][kind]))

    def most_tomahawks(self) -> str | None:
        counts = {colour: self.has(colour, "tomahawks") for colour in self.colours}
        most = [colour for colour in self.colours if counts[colour] and counts[colour] == max(counts.values())]
        return most[0] if len(most) == 1 else None

    def points(self, colour: str) -> int:
        numbers = (self.has(colour, "tipis") + self.has(colour, "buffaloes")) // 2
        return numbers + list(self.cylinder.values()).count(colour) + (self.most_tomahawks() == colour)

    def count_of_tiles(self, colour: str) -> int:
        numbered = sum(tile.startswith(("tipi", "buffalo")) for tile in self.tiles[colour])
        return numbered + sum(self.has(colour, kind) for kind in KINDS[2:])

    def say(self, kind: str, **fields: object) -> None:
        self.said.append({"type": kind, **fields})

    def outcome(self) -> Json:
        """Give the `outcome` object."""
        points = {colour: self.points(colour) for colour in self.colours}
        tiles = {colour: self.count_of_tiles(colour) for colour in self.colours}
        rank = {colour: (points[colour], self.has(colour, "tipis"), tiles[colour]) for colour in self.colours}
        return {
            "type": "outcome", "over": self.is_over, "hunts": self.done, "points": points,
            "has": {
                colour: {kind: self.has(colour, kind) for kind in KINDS} | {"tiles": tiles[colour]}
                for colour in self.colours
            }, **self.cylinder, "tomahawk": self.most_tomahawks(),
            "grounds": sum(map(len, self.booty.values())), "gone": self.gone, "bag": 60 - self.laid,
            "leaders": [colour for colour in self.colours if rank[colour] == max(rank.values())],
        }  # fmt: skip
