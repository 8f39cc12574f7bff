"""Who came where, by the game's own words: every installed game, and what a game may leave unsaid."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.panel import Colour
from companion.core.record.lines import End, parse_line
from companion.core.ruling.judge import Judge
from companion.core.ruling.rulings import Outcome
from companion.core.ruling.view import View
from companion.core.timing.events import SECOND
from companion.games import registry
from companion.testing.walks import Walk
from companion.tournament.tables.ranking import Better, ranked
from tests.tournament.tables.sealing import COLOURS, line, played, setup

if TYPE_CHECKING:
    from companion.tournament.tables.ranking import Ranked

GAMES = registry.names()
SEEDS = range(6)


def judged(lines: list[bytes]) -> Judge:
    judge = Judge(registry.find)
    for number, raw in enumerate(lines, start=1):
        judge.feed(parse_line(raw, number, judge.extra_lines))
    return judge


def of(judge: Judge) -> Ranked:
    assert judge.setup is not None
    return ranked(judge, range(1, len(judge.setup.seats) + 1))


def ranks(found: Ranked) -> list[int]:
    return [place.rank for place in found.places]


def walked(game: str, seed: int) -> Judge:
    """A random match of any installed game that has come to its end, or as near to it as it could."""
    walk = Walk(registry.find(game), seed)
    for _ in walk.states():
        pass
    walk.end()
    return walk.judge


# -- every installed game ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_whoever_the_game_says_has_won_is_first_and_ranks_are_a_competitions(game: str, seed: int) -> None:
    judge = walked(game, seed)
    found = of(judge)
    assert judge.setup is not None
    colours = [seat.colour for seat in judge.setup.seats]
    first = [colour for colour, rank in zip(colours, ranks(found), strict=True) if rank == 1]
    ahead = list(judge.outcome().ahead())
    assert first == (ahead or colours)
    assert found.is_anybody_ahead is bool(ahead)
    for rank in ranks(found):
        assert rank == 1 + sum(other < rank for other in ranks(found))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_others_are_in_the_order_of_their_scores(game: str, seed: int) -> None:
    judge = walked(game, seed)
    found = of(judge)
    assert judge.game is not None
    scores = dict(judge.game.view(judge.state).scores)
    sign = -1 if found.better is Better.FEWER else 1
    assert judge.setup is not None
    behind = [
        (place.rank, -sign * scores[seat.colour])
        for seat, place in zip(judge.setup.seats, found.places, strict=True)
        if place.rank > 1
    ]
    assert sorted(behind) == sorted(behind, key=lambda one: one[1])
    assert len({rank for rank, _ in behind}) == len({score for _, score in behind})


@pytest.mark.parametrize("game", [name for name in GAMES if name != "claim"])
def test_no_installed_game_but_one_of_a_file_has_fewer_as_better(game: str) -> None:
    assert {of(walked(game, seed)).better for seed in SEEDS} <= {Better.MORE, None}


def test_the_games_are_those_that_were_looked_at() -> None:
    """Whoever adds a game sees what its scores mean here (`ranking`), and adds it to this list."""
    assert set(GAMES) == {"apache", "big-manitou", "claim", "clock", "les-apaches", "once-we-moved", "order"}


# -- single games ------------------------------------------------------------------------------------------------------


def test_wins_rank_by_how_many() -> None:
    races = [{"red": 1, "blue": 2}, {"red": 1}, {"blue": 1}, {"green": 3}, {"red": 2}]
    found = of(judged([setup(4), *played(*races), line("end")]))
    assert [(place.player, place.rank) for place in found.places] == [(1, 1), (2, 4), (3, 2), (4, 2)]
    assert {place.cards for place in found.places} == {None}


def test_a_game_with_piles_gives_the_cards_and_the_punished_presses() -> None:
    lines = [setup(2, game="apache"), *played({"red": 1, "yellow": 2}, {"red": 1}, game="apache"), line("end")]
    found = of(judged(lines))
    assert [place.punished for place in found.places] == [2, 1]
    assert [place.cards for place in found.places] == [None, None]  # nobody has any


@pytest.mark.parametrize("seed", SEEDS)
def test_the_cards_of_apache_are_its_piles(seed: int) -> None:
    judge = walked("apache", seed)
    piles = list(judge.outcome().piles.values())  # type: ignore[attr-defined]
    found = of(judge)
    assert [place.cards for place in found.places] == (piles if any(piles) else [None] * len(piles))
    by_pile = [1 + sum(other > pile for other in piles) for pile in piles]
    assert ranks(found) == by_pile


def test_a_press_that_was_taken_back_is_not_punished() -> None:
    lines = [setup(2, game="apache"), *played({"red": 1}, game="apache"), *[line("undo")] * 3, line("end")]
    assert [place.punished for place in of(judged(lines)).places] == [0, 0]


def grabs(*lasts: str) -> list[bytes]:
    """Races of the game of `spoons.toml` in which all four press; whoever is named is last, and gets a letter."""
    out = []
    for number, last in enumerate(lasts, start=1):
        order = [colour for colour in COLOURS[:4] if colour != last] + [last]
        start_ns = number * 60 * SECOND
        out += [
            line("press", colour=colour, role="grab", t_ns=start_ns + place * SECOND)
            for place, colour in enumerate(order)
        ]
        out += [line("close", t_ns=start_ns + 30 * SECOND), line("judge")]
    return out


def test_where_fewest_is_best_whoever_has_fewer_is_before_who_has_more() -> None:
    text = files("companion.games.claim").joinpath("files/spoons.toml").read_text(encoding="utf-8")
    raw = setup(4, game="claim", files={"game": {"name": "spoons.toml", "text": text}})
    found = of(judged([raw, *grabs("green", "blue", "green"), line("end")]))
    assert found.better is Better.FEWER
    assert ranks(found) == [1, 1, 4, 3]
    assert {place.cards for place in found.places} == {None}


# -- what a game may leave unsaid --------------------------------------------------------------------------------------


class Said:
    """A game that says what a test wants. scores, ahead: by the number of the state."""

    def __init__(self, *states: tuple[dict[str, int], tuple[str, ...]], piles: dict[str, int] | None = None) -> None:
        self.states, self.deck, self.piles = states, ("a card",), piles

    def view(self, state: int) -> View:
        return View(tuple((Colour(one), score) for one, score in self.states[state][0].items()), "points")

    def outcome(self, state: int) -> Any:
        class Found(Outcome, frozen=True):
            piles: dict[str, int] | None = None
            who: tuple[Colour, ...] = ()

            def ahead(self) -> tuple[Colour, ...]:
                return self.who

        return Found(over=True, piles=self.piles, who=tuple(map(Colour, self.states[state][1])))


def said(game: Said, seats: int = 3) -> Ranked:
    """Rank by a game whose last state is the present one, and the others are those before lines that stand."""
    judge = judged([setup(seats)])
    for state in range(len(game.states) - 1):
        judge.history = judge.history.judged(End(), (), state)
    judge.game, judge.state = game, len(game.states) - 1  # type: ignore[assignment]
    return of(judge)


def test_nobody_ahead_is_one_place_for_all() -> None:
    found = said(Said(({"red": 3, "yellow": 2, "green": 1}, ())))
    assert (ranks(found), found.is_anybody_ahead, found.better) == ([1, 1, 1], False, None)


def test_a_winner_by_the_games_own_tie_break_is_before_who_has_as_many() -> None:
    assert ranks(said(Said(({"red": 5, "yellow": 5, "green": 1}, ("yellow",))))) == [2, 1, 3]


def test_without_scores_all_who_are_not_ahead_tie() -> None:
    assert ranks(said(Said(({}, ("green",))))) == [2, 2, 1]
    assert ranks(said(Said(({"red": 4}, ("green",))))) == [2, 2, 1]


def test_a_leader_with_the_lowest_score_means_that_fewer_is_better() -> None:
    found = said(Said(({"red": 9, "yellow": 3, "green": 1}, ("green",))))
    assert (ranks(found), found.better) == ([3, 2, 1], Better.FEWER)


def test_unless_the_highest_led_earlier_and_was_put_out() -> None:
    states = (({"red": 9, "yellow": 3, "green": 1}, ("red",)), ({"red": 9, "yellow": 3, "green": 1}, ("green",)))
    found = said(Said(*states))
    assert (ranks(found), found.better) == ([2, 3, 1], Better.MORE)


def test_a_leader_in_the_middle_leaves_more_as_better() -> None:
    assert ranks(said(Said(({"red": 9, "yellow": 3, "green": 1}, ("yellow",))))) == [2, 1, 3]


def test_cards_count_only_where_every_seat_has_a_number() -> None:
    state = ({"red": 3, "yellow": 2, "green": 1}, ("red",))
    whole = {"red": 3, "yellow": 2, "green": 0}
    assert [one.cards for one in said(Said(state, piles=whole)).places] == [3, 2, 0]
    assert {one.cards for one in said(Said(state, piles={"red": 3})).places} == {None}
    assert {one.cards for one in said(Said(state, piles=None)).places} == {None}


def test_cards_are_nothing_to_be_proud_of_where_fewer_is_better() -> None:
    state = ({"red": 3, "yellow": 2, "green": 1}, ("green",))
    piles = {"red": 3, "yellow": 2, "green": 1}
    assert {one.cards for one in said(Said(state, piles=piles)).places} == {None}
