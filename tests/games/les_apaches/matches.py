"""Random complete matches of Les Apaches de Paris, made through what the game offers and nothing else."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.panel import Colour
from companion.core.record.lines import (
    ByHand,
    ChanceLine,
    End,
    Line,
    Open,
    Seat,
    Setup,
    SetupFile,
    Undo,
    dump_line,
)
from companion.core.ruling.chance import commitment
from companion.core.ruling.judge import Judge
from companion.core.ruling.offers import Offer, Step
from companion.games.les_apaches.rules.districts import LISTED, PRINTED, QUARTERS, left_hideouts, named
from companion.games.registry import find
from tests.games.les_apaches.boards import BOARDS

GAME: Any = find("les-apaches")
LIKED = {"muster": 4, "prowl": 3, "hideout": 2}
"""How much more often a gang does one thing than another."""


def random_match(seed: int, undo_chance: float = 0.01, by_hand_chance: float = 0.01) -> list[bytes]:
    """Give the record of a whole match, up to its `end`."""
    random = Random(f"les apaches {seed}")
    box_seed = f"{random.getrandbits(64):x}"
    judge = Judge(find)
    record: list[bytes] = []

    def write(line: Line) -> None:
        judge.feed(line)
        record.append(dump_line(line))

    setup = random_setup(random, box_seed)
    write(setup)
    stop_at = random.randint(1, 300) if random.random() < 0.05 else None
    while not GAME.is_exhausted(judge.state) and len(record) != stop_at:
        if judge.newest() is not None and random.random() < undo_chance:
            write(Undo())
        elif random.random() < by_hand_chance:
            write(_set_by_hand(judge.state, random))
        else:
            (offer,) = GAME.offers(judge.state)
            write(_decided(judge.state, offer, random, has_seed=setup.seed_sha256 is not None))
    if setup.seed_sha256 is not None and random.random() < 0.9:
        write(Open(seed=box_seed))
    write(End())
    return record


def random_setup(random: Random, box_seed: str) -> Setup:
    """Give any setup that the game takes."""
    players = random.randint(2, 4)
    colours = random.sample(list(Colour), players)
    board = random.choice(BOARDS)
    parameters: dict[str, Any] = {"burghers": random.choice(("pieces", "box"))}
    fitting = [one for one in (*LISTED, PRINTED[4]) if left_hideouts(one) == 6 * players]
    how = random.choice(("printed", "listed", "other", None))
    if how == "listed" and players < 4:
        parameters["districts"] = named(random.choice(fitting))
    elif how == "other":
        chosen = random.choice(fitting)
        parameters |= {"districts": "other", **{f"district-{n}": n in chosen for n in QUARTERS}}
    elif how is not None:
        parameters["districts"] = "printed"
    return Setup(
        record=2,
        match=f"{random.getrandbits(128):032x}",
        game="les-apaches",
        edition=1,
        seats=tuple(Seat(colour) for colour in colours),
        first=random.choice(colours),
        parameters=parameters,
        files=None if board is None else {"board": SetupFile("board.toml", board)},
        seed_sha256=commitment(box_seed) if random.random() < 0.8 else None,
    )


def _set_by_hand(state: Any, random: Random) -> ByHand:
    one = random.choice(GAME.adjustable(state))
    high = min(one.high, one.value + 1)
    return ByHand(set=one.key, value=random.randint(max(0, one.value - 1), high), reason="seen at the table")


def _decided(state: Any, offer: Offer, random: Random, *, has_seed: bool) -> Line:
    if offer.number is not None:
        return offer.number.line(random.randint(offer.number.low, offer.number.high))
    if offer.chance is not None:
        by_box = has_seed and random.random() < 0.8
        result = None if by_box else tuple(random.sample(offer.chance.items, offer.chance.count))
        return ChanceLine(name=offer.chance.name, n=1, by="box" if by_box else "hand", result=result)
    return _stepped(state, offer, random) if offer.is_stepped else random.choice(offer.options).line


def _stepped(state: Any, offer: Offer, random: Random) -> Any:
    chosen: tuple[str, ...] = ()
    step: Any
    while isinstance(step := GAME.step(state, offer, chosen), Step):
        keys = [value.key for value in step.values]
        if LIKED.keys() >= set(keys):
            (key,) = random.choices(keys, [LIKED[key] for key in keys])
        else:
            key = random.choice(keys)
        chosen += (key,)
    return step
