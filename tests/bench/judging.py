"""Record lines judged per second, beside the plies per second of python-chess, in one run by turns."""

from __future__ import annotations

import io
import random
import statistics
import time
from typing import NamedTuple

import chess
import chess.pgn

from companion.core.ruling.judge import judge_record
from companion.games import registry
from tests.bench.measured import Measured, of_values, spread
from tests.replay.generate import random_match


class Sizes(NamedTuple):
    """records: of our own, and games: of chess, that are read in each round."""

    rounds: int = 7
    records: int = 20
    games: int = 20


USUAL = Sizes()
SMOKE = Sizes(rounds=1, records=1, games=1)
FIGURES = {"lines": "a second", "plies": "a second", "ratio": "times"}
PLIES = 80


def random_game(seed: int) -> str:
    """A game of random legal moves as PGN, without comments."""
    rng, board, game = random.Random(seed), chess.Board(), chess.pgn.Game()
    node: chess.pgn.GameNode = game
    for _ in range(PLIES):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        board.push(move)
        node = node.add_variation(move)
    return str(game)


def judged_per_second(records: list[list[bytes]]) -> float:
    began = time.perf_counter()
    for lines in records:
        for _ in judge_record(lines, registry.find):
            pass
    return sum(map(len, records)) / (time.perf_counter() - began)


def plies_per_second(games: list[str]) -> float:
    plies, began = 0, time.perf_counter()
    for text in games:
        game = chess.pgn.read_game(io.StringIO(text))
        assert game is not None
        plies += game.end().ply()
    return plies / (time.perf_counter() - began)


def measure(sizes: Sizes = USUAL) -> Measured:
    out = Measured("Judging a record again")
    records = [random_match(seed) for seed in range(sizes.records)]
    games = [random_game(seed) for seed in range(sizes.games)]
    judged_per_second(records[:2])
    plies_per_second(games[:2])
    ours, theirs = [], []
    for _ in range(sizes.rounds):
        ours.append(judged_per_second(records))
        theirs.append(plies_per_second(games))
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    out.row("record lines judged a second", spread(ours))
    out.row("chess.pgn.read_game, plies a second", spread(theirs))
    out.row("ratio, in pairs", spread(ratios, 2))
    out.figures = {"lines": of_values(ours), "plies": of_values(theirs), "ratio": of_values(ratios)}
    out.values = {"lines_per_s": ours, "plies_per_s": theirs, "ratio": ratios}
    out.promise(statistics.median(ratios) >= 1, "at least as many lines as plies are judged in a second")
    return out
