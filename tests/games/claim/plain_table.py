"""Where all cards of a game of `claim` are, and its moves; written from docs/games/claim.md alone."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

from tests.games.claim.plain_patterns import Pattern, Seen

Json = dict[str, Any]
WELL_KNOWN = ("table", "pot", "out")


@cache
def condition(text: str) -> Any:
    return Pattern(text).condition()


@cache
def card_filter(text: str) -> Any:
    return Pattern(text).filter()


def cards_of(file: Json) -> dict[str, tuple[Json, int]]:
    """Give each card's attributes and copies, by name, in the order of the file."""
    found: dict[str, tuple[Json, int]] = {}
    for one in file.get("card", []):
        each = one.get("each", {})
        for values in product(*each.values()):
            own = dict(zip(each, values, strict=True))
            attributes = own | one.get("is", {})
            found[one["name"].format(**attributes)] = (attributes, one.get("copies", 1))
    return found


class PlainTable:
    """Every card in its place. The last of a list is its top."""

    def __init__(self, file: Json, colours: list[str], first: str) -> None:
        self.colours = colours
        self.cards = cards_of(file)
        self.is_tops = file.get("table", {}).get("shows") == "tops"
        self.refills = file.get("deal", {}).get("refill", False)
        self.has_stocks = "deal" in file
        self.unseen = Counter({name: copies for name, (_, copies) in self.cards.items()})
        self.lists: dict[str, list[str]] = {place: [] for place in WELL_KNOWN}
        for colour in colours:
            self.lists |= {f"won {colour}": [], f"pile {colour}": []}
        self.stock = dict.fromkeys(colours, 0)
        self.buried = 0
        self.points = dict.fromkeys(colours, 0)
        self.reveals = 0
        self.newest: str | None = None
        self.newest_line: Json = {}
        self.revealer, self.turn = first, first
        if self.has_stocks:
            self.deal(file["deal"].get("each", "all"), first)

    def copy(self) -> PlainTable:
        other = object.__new__(PlainTable)
        other.__dict__ |= self.__dict__
        other.unseen = Counter(self.unseen)
        other.lists = {place: list(cards) for place, cards in self.lists.items()}
        other.stock, other.points = dict(self.stock), dict(self.points)
        return other

    def deal(self, each: str | int, first: str) -> None:
        total = self.unseen.total()
        if each == "all":
            for n in range(total):
                self.stock[self.clockwise_from(first)[n % len(self.colours)]] += 1
        else:
            self.stock = dict.fromkeys(self.colours, int(each))
            self.buried = total - int(each) * len(self.colours)

    def clockwise_from(self, colour: str) -> list[str]:
        at = self.colours.index(colour)
        return self.colours[at:] + self.colours[:at]

    # -- cards and what is seen of them

    def value(self, card: str | None, attribute: str) -> Any:
        return None if card is None else self.cards[card][0].get(attribute)

    def values_of(self, attribute: str) -> list[Any]:
        values = (attributes.get(attribute) for attributes, _ in self.cards.values())
        return list(dict.fromkeys(value for value in values if value is not None))

    def from_top(self, depth: int) -> str | None:
        cards = self.lists["table"]
        return cards[-depth] if depth <= len(cards) else None

    def top_of(self, colour: str) -> str | None:
        pile = self.lists[f"pile {colour}"]
        return pile[-1] if pile else None

    def visible(self, whose: str, seen: Seen) -> list[str]:
        if not self.is_tops:
            return self.lists["table"]
        seats = {
            "me": [seen.me], "it": [seen.it], "others": [c for c in self.colours if c != seen.me],
        }.get(whose, self.colours)  # fmt: skip
        return [top for top in map(self.top_of, seats) if top is not None]

    def size(self, place: str, colour: str) -> int:
        if place == "stock":
            return self.stock[colour]
        if place == "out":
            return len(self.lists["out"]) + self.buried
        return len(self.lists[f"{place} {colour}".strip()])

    def in_stocks_or_deck(self) -> int:
        return self.unseen.total() - self.buried

    # -- turning

    def can_turn(self, colour: str) -> bool:
        if not self.has_stocks:
            return self.unseen.total() > 0
        return self.stock[colour] > 0 or (self.refills and bool(self.lists[f"pile {colour}"]))

    def who_turns(self) -> str | None:
        return next((colour for colour in self.clockwise_from(self.turn) if self.can_turn(colour)), None)

    def reveal(self, line: Json) -> None:
        colour, card = self.who_turns(), line["card"]
        assert colour is not None
        pile = self.lists[f"pile {colour}"]
        if self.has_stocks and not self.stock[colour]:
            self.stock[colour] = len(pile)
            self.unseen.update(pile)
            pile.clear()
        if self.has_stocks:
            self.stock[colour] -= 1
        self.unseen[card] -= 1
        (pile if self.is_tops else self.lists["table"]).append(card)
        self.revealer, self.turn = colour, self.clockwise_from(colour)[1]
        self.newest, self.newest_line = card, line
        self.reveals += 1

    def without_newest(self) -> PlainTable:
        other = self.copy()
        place = f"pile {self.revealer}" if self.is_tops else "table"
        cards = other.lists[place]
        for at in range(len(cards) - 1, -1, -1):
            if cards[at] == self.newest:
                del cards[at]
                break
        other.newest = None
        return other

    # -- moves

    def seats_of(self, who: str, me: str, rival: str | None, race: Json) -> list[str]:
        others = self.clockwise_from(me)[1:]
        seats: dict[str, list[str]] = {
            "me": [me], "others": others, "all": [me, *others], "next": others[:1], "previous": others[-1:],
            "rival": [rival] if rival else [], "winner": race.get("winner", []), "wrong": race.get("wrong", []),
        }  # fmt: skip
        return seats[who]

    def places_of(self, text: str, me: str, rival: str | None, race: Json) -> list[tuple[str, str]]:
        if text in WELL_KNOWN:
            return [(text, "")]
        name, _, who = text.partition(" of ")
        return [(f"{name} {colour}", colour) for colour in self.seats_of(who, me, rival, race)]

    def do(self, move: Json, seen: Seen, rival: str | None, race: Json, picked: str | None) -> tuple[int, list[Json]]:
        """Do a move; give how many cards it moved, and an entry for each pair of places."""
        seen = Seen(self, seen.me, seen.hand, rival, seen.taken, seen.place)
        ends = [self.places_of(move[key], seen.me, rival, race) for key in ("from", "to")]
        if "where" in move:
            is_one = condition(move["where"])
            ends = [
                [(place, c) for place, c in end if move[key].split(" of ")[-1] not in {"others", "all", "wrong"}
                 or is_one(Seen(self, seen.me, seen.hand, c, seen.taken, seen.place))]
                for key, end in zip(("from", "to"), ends, strict=True)
            ]  # fmt: skip
        fits = card_filter(move["cards"]) if "cards" in move else lambda _, __: True
        fitting = {name for name in self.cards if fits(seen, name)}
        entries, total = [], 0
        for source, _ in ends[0]:
            for destination, _ in ends[1]:
                if source == destination:
                    continue
                cards, count = self.carry(move, source, destination, fitting, picked)
                total += count
                if count:
                    entries.append({"from": source, "to": destination, "cards": cards, "count": count})
        return total, entries

    def carry(
        self, move: Json, source: str, destination: str, fitting: set[str], picked: str | None
    ) -> tuple[list[str], int]:
        number = move.get("number", "all")
        if source.startswith("stock "):
            colour = source.removeprefix("stock ")
            count = self.stock[colour] if number == "all" else min(number, self.stock[colour])
            self.stock[colour] -= count
            if destination == "out":
                self.buried += count
            else:
                self.stock[destination.removeprefix("stock ")] += count
            return [], count
        found = self.found(move, source, fitting)
        if picked is not None and move.get("pick"):
            found = [at for at in reversed(range(len(self.lists[source]))) if at in found]
            found = [at for at in found if self.lists[source][at] == picked][:1]
        elif number != "all":
            found = found[:number]
        cards = [self.lists[source][at] for at in found]
        for at in sorted(found, reverse=True):
            del self.lists[source][at]
        for card in cards:
            self.put(card, destination, move.get("on", "top"))
        return cards, len(cards)

    def found(self, move: Json, source: str, fitting: set[str]) -> list[int]:
        """Give where in a place the cards are that a move takes, in the order of taking."""
        places = range(len(self.lists[source]))
        in_order = places if move.get("end", "top") == "bottom" else reversed(places)
        return [at for at in in_order if self.lists[source][at] in fitting]

    def put(self, card: str, destination: str, on: str) -> None:
        if destination.startswith("stock "):
            self.stock[destination.removeprefix("stock ")] += 1
            self.unseen[card] += 1
        elif on == "bottom":
            self.lists[destination].insert(0, card)
        else:
            self.lists[destination].append(card)
