"""Whole random matches of the game, made through nothing but its offers: for replays, properties and other judges."""

from __future__ import annotations

from pathlib import Path
from random import Random

from companion.core.panel import Colour
from companion.core.record.lines import ByHand, ChanceLine, End, Line, Open, Seat, Setup, SetupFile, Undo, dump_line
from companion.core.ruling.chance import commitment, drawn
from companion.core.ruling.offers import Chance, Offer, Step
from companion.games import once_we_moved
from companion.games.once_we_moved.judging.state import State

GAME = once_we_moved.GAME
FOLDER = Path(once_we_moved.__file__).parent
PRACTICE = (FOLDER / "practice.txt").read_text()
STICKERS = (FOLDER / "stickers.txt").read_text()
_LEADERS = ("Mangas 1-2", "Juh 2-7", "Nana 3-8", "Lozen 4-9", "Chato 5-7")
NAMED = "\n".join(
    line if "?-?" not in line else f"leader {_LEADERS[int(line.split()[2]) - 4]}"
    for line in STICKERS.replace("Victorio 4-?", "Victorio 4-6").splitlines()
)
SEED = "3f09"
DONE = {"segment", "undisclosed"}


def wide_board(random: Random) -> str:
    """Give a board of 24 to 41 areas with random signs and borders, so that menus have parts."""
    names = [f"{number:03}" for number in range(1, random.randint(24, 41) + 1)]
    lines = []
    for name in names:
        where = "+".join(random.sample(["AZ", "NM", "TX", "SO", "CH"], random.choice((1, 1, 1, 2))))
        flags = [flag for flag in ("town", "fort", "river", "edge", "reservation") if random.random() < 0.3]
        lines.append(" ".join(("area", name, where, *flags)))
    pairs = {(one, other) for one in names for other in random.sample(names, 3) if one < other}
    lines += [
        f"border {one} {other} {random.choice(('open', 'mixed', 'mountain', 'rio'))}" for one, other in sorted(pairs)
    ]
    return "\n".join(lines)


BOARDS = [PRACTICE, *(wide_board(Random(number)) for number in range(6))]


def random_setup(random: Random) -> Setup:
    """Give a setup: any colours, with and without a board, with and without names."""
    red, blue = random.sample(list(Colour), 2)
    board = random.choice(("", random.choice(BOARDS)))
    files = {
        key: SetupFile(key, text)
        for key, text in (("terrain", board), ("stickers", random.choice(("", NAMED))))
        if text
    }
    parameters: dict[str, bool | int | str] = {"turns": random.choice((7, 7, 8, 9)), "mountain": random.choice((0, 4))}
    return Setup(
        record=2, match="0" * 32, game="once-we-moved", edition=1, seats=(Seat(red), Seat(blue)), first=blue,
        parameters=random.choice((parameters, None)), files=files or None,
        seed_sha256=commitment(SEED) if random.random() < 0.8 else None,
    )  # fmt: skip


class Table:
    """A match that is being made: the standing lines with the states before them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.setup = random_setup(random)
        self.state = GAME.start(self.setup)
        self.record = [dump_line(self.setup)]
        self.before: list[tuple[State, Line]] = []
        self.rolls: dict[str, int] = {}
        self.moves = 0

    def write(self, line: Line) -> None:
        """Judge a line and put it into the record."""
        after, _ = GAME.apply(self.state, line)
        self.before.append((self.state, line))
        self.state = after
        self.record.append(dump_line(line))
        if isinstance(line, ChanceLine):
            self.rolls[line.name] = line.n

    def undo(self) -> None:
        """Take the newest line back."""
        self.record.append(dump_line(Undo()))
        self.state, line = self.before.pop()
        if isinstance(line, ChanceLine):
            self.rolls[line.name] -= 1

    def chosen(self, offer: Offer) -> Line:
        """Choose something of an offer."""
        if offer.number is not None:
            low, high = offer.number.low, offer.number.high
            value = self.random.choice((low, low, low + self.random.randint(0, 3), low + self.random.randint(0, 6)))
            return offer.number.line(high if self.random.random() < 0.07 else min(high, value))
        if offer.chance is not None:
            return self.rolled(offer.chance)
        if not offer.is_stepped:
            return self.random.choice(offer.options).line
        keys: tuple[str, ...] = ()
        while isinstance(step := GAME.step(self.state, offer, keys), Step):
            keys = (*keys, self.random.choice(step.values).key)
        return step

    def rolled(self, chance: Chance) -> ChanceLine:
        """Roll or draw, by the box or by hand."""
        n = self.rolls.get(chance.name, 0) + 1
        if self.setup.seed_sha256 is None or self.random.random() < 0.15:
            result = tuple(self.random.sample(chance.outcomes, chance.count))
            return ChanceLine(name=chance.name, n=n, by="hand", result=result)
        drawn_now = None if chance.is_secret else drawn(SEED, chance, n)
        return ChanceLine(name=chance.name, n=n, by="box", result=drawn_now)

    def offer(self) -> Offer:
        """Take one of the offers; the more moves were made in a stage, the sooner somebody is done."""
        offers = GAME.offers(self.state)
        free = [offer for offer in offers if offer.kind not in DONE]
        self.moves += 1
        if free and (len(free) == len(offers) or self.random.random() < 6 / (6 + self.moves)):
            return self.random.choice(free)
        self.moves = 0
        return self.random.choice([offer for offer in offers if offer.kind in DONE])

    def by_hand(self) -> ByHand:
        """Set something by hand."""
        one = self.random.choice(GAME.adjustable(self.state))
        value = min(one.high, self.random.randint(one.low, min(one.high, one.low + 12)))
        return ByHand(set=one.key, value=value, reason="seen at the table")


def random_match(seed: int) -> list[bytes]:
    """Give the record of a whole match, up to its `end`."""
    random = Random(seed)
    table = Table(random)
    hands = random.choice((0.0, 0.0, 0.01))
    while not GAME.is_exhausted(table.state):
        chance = random.random()
        if chance < 0.01 and table.before:
            table.undo()
        elif chance < 0.01 + hands:
            table.write(table.by_hand())
        else:
            table.write(table.chosen(table.offer()))
        if random.random() < 0.0005:
            break  # they stop before the last turn
    if table.setup.seed_sha256 is not None:
        table.write(Open(seed=SEED))
    table.write(End())
    return table.record
