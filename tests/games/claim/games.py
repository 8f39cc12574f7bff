"""Game files for the tests: those that come along, and some that nobody would want to play, with every part in use."""

from __future__ import annotations

from companion.games.claim.files import SAMPLES, shipped

HARBOUR = """
[game]
format = 1
title = "Harbour"
race = "Rush"
players = [2, 4]

[[card]]
name = "{length} {ship}"
plural = "{length} {ship}s"
each = { ship = ["cog", "hulk", "yawl"], length = [1, 2, 3] }
is = { kind = "ship" }
copies = 3

[[card]]
name = "{colour} flag"
each = { colour = ["red", "yellow", "green", "blue", "purple"] }
is = { kind = "flag", length = 0 }
copies = 2

[[card]]
name = "storm"
copies = 2

[[hand]]
name = "load"
symbol = "square"
needs = [
  { that = "count(kind = ship) >= 2", why = "fewer than two ships", short = "no ships" },
  { that = "sum(length; kind = ship) >= 2 * count(kind = ship) - 1", why = "ships too small" },
]

[[hand]]
name = "flag"
needs = [{ that = "not (newest(kind) = ship and highest(length) < 2)", why = "no flag yet" }]

[[hand]]
name = "storm"
why = "no storm"
short = "calm"

[[take]]
name = "ship"
label = "a ship"
hands = ["load"]
move = [
  { from = "table", cards = "kind = ship", pick = true, to = "won of me" },
  { from = "pot", to = "won of me", number = 2, end = "bottom", on = "bottom" },
]
points = 2

[[take]]
name = "fleet"
hands = ["load"]
when = "any ship: count(ship = it) >= 3 and taken = 0"
[[take.move]]
from = "table"
cards = "kind = ship and length >= lowest(length; kind = ship)"
number = 3
least = 2
to = "won of me"
end = "bottom"

[[take]]
name = "flag"
hands = ["flag"]
move = [{ from = "table", cards = "colour = me or colour = hand", least = 1, to = "won of me" }]
points = 1

[[take]]
name = "rob"
hands = ["flag", "storm"]
when = "kinds(ship) > 1"
rival = "size(won of it) > size(won of me) and points of it >= points of me - 3"
move = [{ from = "won of rival", cards = "kind = ship and length != 2", pick = true, to = "won of me", on = "bottom" }]

[[take]]
name = "storm"
hands = ["storm"]
when = "count(not kind = ship and not kind = flag) > 0"
move = [
  { from = "table", to = "pot" },
  { from = "won of others", where = "size(won of it) > 2 * place", to = "pot", number = 1 },
]
points = -1

[wrong]
move = [
  { from = "won of me", to = "won of winner", number = 1 },
  { from = "won of me", to = "out", number = 1, end = "bottom" },
]
points = -1

[last]
who = "last"
move = [{ from = "won of me", to = "won of others", number = 1, where = "size(won of it) < size(won of me)" }]
points = -1

[turn]
after = "next"

[end]
reveals = 30
points = 9

[score]
counts = "points"
"""

DUELS = """
[game]
format = 1
title = "Duels"
players = [2, 5]

[table]
shows = "tops"

[deal]
each = 7
refill = true

[[card]]
name = "{suit} {rank}"
each = { suit = ["sun", "moon", "star"], rank = [1, 2, 3, 4, 5] }
copies = 3

[[card]]
name = "joker"
copies = 2

[[hand]]
name = "hit"
symbol = "hand"
[[hand.needs]]
that = "any other: (top(suit) of it = top(suit) of me or not every suit: count(suit = it) of others < 2)"
why = "no duel"

[[hand]]
name = "grab"
needs = [{ that = "count() >= players - 1", why = "too few piles" }]

[[take]]
name = "duel"
hands = ["hit"]
rival = "top(rank) of it <= top(rank) of me + 1"
move = [
  { from = "pile of me", number = 2, to = "stock of rival" },
  { from = "pile of rival", to = "won of me", cards = "suit != it", end = "bottom" },
  { from = "stock of rival", to = "stock of me", number = 1 },
]
points = 1

[[take]]
name = "pick"
hands = ["grab", "hit"]
when = "every other: count() of it <= 1 and sum(rank) of all > 2 + lowest(rank)"
rival = "count(rank = highest(rank)) of it > 0"
move = [
  { from = "pile of rival", pick = true, to = "won of me" },
  { from = "pile of next", number = 1, to = "pot" },
  { from = "won of previous", number = 1, to = "stock of previous" },
]

[[take]]
name = "pot"
hands = ["grab"]
when = "size(pot) > 0 or size(out) > 30"
move = [
  { from = "pot", least = 1, to = "won of me", on = "bottom" },
  { from = "pile of all", where = "top(rank) of it = 5", number = 1, to = "out" },
]
points = 2

[wrong]
move = [
  { from = "stock of me", to = "stock of others", number = 1, where = "size(stock of it) < 9" },
  { from = "stock of me", to = "out", number = 1 },
]
points = -1

[last]
who = "missing"
move = [{ from = "stock of me", to = "stock of winner", number = 1 },
        { from = "won of wrong", to = "pot", number = 1 }]

[turn]
after = "winner"

[end]
empty = "cards"

[score]
counts = "stock"
best = "fewest"
"""

WORDS = """
[game]
format = 1
title = "Words"

[[hand]]
name = "yes"
needs = [{ that = "place = 1 or points of me >= 0", why = "debts" }]
[[hand]]
name = "no"
needs = [{ that = "not any other: points of it > points of me + 2", why = "behind" }]
[[hand]]
name = "both 2"
why = "not the first"

[[take]]
name = "fast"
when = "taken = 0 and place <= 2"
points = 2
[[take]]
name = "slow"
hands = ["yes", "no"]
when = "me != 'green' and players > 2 and not hand = 'no'"
points = 1
[[take]]
name = "against"
hands = ["no"]
rival = "points of it > points of me"
points = 1

[wrong]
points = -2

[last]
who = "slowest"
points = -1

[end]
points = 12

[score]
counts = "points"
"""

OWN = {"harbour": HARBOUR, "duels": DUELS, "words": WORDS}
FILES: dict[str, str] = {sample.name.removesuffix(".toml"): shipped(sample.name[:-5]) for sample in SAMPLES} | OWN
"""All of them, by name."""
