"""Dice and draws (`record.md`: Chance): as the law computes them, counted, and drawn again once the seed is shown."""

from __future__ import annotations

from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.panel import Colour
from companion.core.record.lines import ChanceLine, End, Line, Open, Seat, Setup, Undo
from companion.core.ruling.chance import commitment, dealt, die, drawn, next_number
from companion.core.ruling.history import History
from companion.core.ruling.judge import Judge, judged_lines
from companion.core.ruling.offers import Chance, Offer
from companion.core.ruling.parameters import Seats
from companion.core.ruling.plain_game import PlainGame
from companion.core.ruling.rulings import Outcome
from companion.core.ruling.view import View
from companion.games import registry
from companion.testing.driving import OneSeed
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import SEED, only
from tests.games.once_we_moved.matches import random_match

POOL = ("ash", "elm", "fir", "oak")
TWO = Chance("draw", POOL, count=2)
SECRET = Chance("draw", POOL, count=2, is_secret=True)


class State(msgspec.Struct, frozen=True):
    rolled: tuple[tuple[str, ...], ...] = ()
    over: bool = False


class Dice(PlainGame[State]):
    """Rolls a die, draws two trees, and so on."""

    name = "dice"
    title = "Dice"
    seats = Seats(2, 5)
    rolls = True

    def start(self, setup: Setup) -> State:
        return State()

    def apply(self, state: State, line: Line) -> tuple[State, tuple[()]]:
        match line:
            case ChanceLine(result=result) if result is not None:
                return replace(state, rolled=(*state.rolled, result)), ()
            case Open():
                return state, ()
            case End():
                return replace(state, over=True), ()
        raise Illegal("dice only")

    def offers(self, state: State) -> tuple[Offer, ...]:
        chance = TWO if len(state.rolled) % 2 else Chance("die")
        return () if state.over else (Offer(chance.name, None, "roll", chance=chance),)

    def is_over(self, state: State) -> bool:
        return state.over

    def can_end(self, state: State) -> bool:
        return not state.over

    def outcome(self, state: State) -> Outcome:
        return Outcome(over=state.over)

    def view(self, state: State, viewer: Colour | None = None) -> View:
        return View(((Colour.RED, len(state.rolled)), (Colour.BLUE, 0)), "rolls")


class Hidden(Dice):
    """Draws two trees that only the one who draws them may see."""

    def offers(self, state: State) -> tuple[Offer, ...]:
        return (Offer("draw", None, "draw", chance=SECRET),)

    def apply(self, state: State, line: Line) -> tuple[State, tuple[()]]:
        if isinstance(line, ChanceLine):
            return replace(state, rolled=(*state.rolled, line.result or ("?",))), ()
        return super().apply(state, line)


GAME = Dice()
SETUP = Setup(
    record=2, match="0" * 32, game="dice", edition=1, seats=(Seat(Colour.RED), Seat(Colour.BLUE)), first=Colour.RED,
    seed_sha256=commitment(SEED),
)  # fmt: skip


def judge(setup: Setup = SETUP) -> Judge:
    found = Judge(only(GAME))
    found.feed(setup)
    return found


def roll(n: int, by: str = "box", name: str = "die", result: tuple[str, ...] | None = None) -> ChanceLine:
    if result is None and name == "die":
        result = (str(die(SEED, name, n)),)
    return ChanceLine(name=name, n=n, by=by, result=result)  # type: ignore[arg-type]


def test_a_die_is_the_hash_of_seed_name_and_number():
    for n in range(1, 50):
        number = int.from_bytes(sha256(f"{SEED}:die:{n}".encode()).digest(), "big")
        assert die(SEED, "die", n) == 1 + number % 6
    assert {die(SEED, "die", n) for n in range(1, 100)} == {1, 2, 3, 4, 5, 6}


def test_a_pool_is_dealt_by_ascending_hash_of_its_items():
    hashes = {item: sha256(f"{SEED}:draw:3:{item}".encode()).digest() for item in POOL}
    assert dealt(SEED, "draw", 3, POOL) == tuple(sorted(POOL, key=lambda item: hashes[item]))
    assert drawn(SEED, TWO, 3) == dealt(SEED, "draw", 3, POOL)[:2]
    assert dealt(SEED, "draw", 1, ("elm", "elm", "ash")).count("elm") == 2


def test_rolls_of_a_name_are_counted_by_those_that_stand():
    judged = judge()
    judged.feed(roll(1))
    with pytest.raises(Illegal, match="draw is number 1 now, not 2"):
        judged.feed(roll(2, name="draw", result=("ash", "elm")))
    judged.feed(Undo())
    judged.feed(roll(1))  # what was taken back has the same number again, and so the same result
    assert judged.state.rolled == ((str(die(SEED, "die", 1)),),)


def stands(history: History, name: str) -> int:
    """How many rolls of a name stand, counted one by one."""
    return sum(isinstance(told.line, ChanceLine) and told.line.name == name for told in history.standing())


@pytest.mark.parametrize("seed", range(4))
def test_rolls_are_counted_as_they_stand_after_every_line_of_a_match_and_in_every_part_of_it(seed: int) -> None:
    judge = Judge(registry.find)
    histories = [judge.history for _ in judged_lines(random_match(seed), judge)]
    names = {told.line.name for told in judge.history if isinstance(told.line, ChanceLine)}
    assert names
    for name in (*names, "another"):
        for lines, history in enumerate(histories, start=1):
            assert next_number(name, history) == 1 + stands(history, name)
            assert history.rolls(name) == judge.history.up_to(lines).rolls(name)
    assert History().rolls("another") == 0


def test_a_record_that_went_on_otherwise_keeps_its_own_count() -> None:
    first = History().judged(ChanceLine(name="die", n=1, by="hand", result=("1",)), (), None)
    second = first.judged(ChanceLine(name="die", n=2, by="hand", result=("1",)), (), None)
    undone = second.undone(Undo(), (), None)
    other = first.judged(ChanceLine(name="card", n=1, by="hand", result=("a",)), (), None)
    assert [history.rolls("die") for history in (first, second, undone, other)] == [1, 2, 1, 1]
    assert [history.rolls("card") for history in (first, second, undone, other)] == [0, 0, 0, 1]
    assert undone.undone(Undo(), (), None).rolls("die") == 0


def test_to_number_a_roll_walks_no_history(monkeypatch: pytest.MonkeyPatch) -> None:
    history = History().judged(ChanceLine(name="die", n=1, by="hand", result=("1",)), (), None)
    monkeypatch.setattr(History, "standing_backwards", None)
    assert next_number("die", history) == 2


def test_each_name_has_its_own_count_that_goes_on():
    judged = judge()
    for n in (1, 2, 3):
        judged.feed(roll(n))
        judged.feed(roll(n, name="draw", result=drawn(SEED, TWO, n)))
    with pytest.raises(Illegal, match="die is number 4 now, not 3"):
        judged.feed(roll(3))


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (roll(1, name="coin", result=("heads",)), "field `name`: no 'coin' is to be rolled or drawn now"),
        (roll(2), "field `n`: die is number 1 now, not 2"),
        (roll(1, result=("7",)), "field `result`: '7' cannot come out; allowed: 1, 2, 3, 4, 5, 6"),
        (roll(1, result=("1", "2")), "field `result`: 1 come out, not 2"),
        (roll(1, result=()), "field `result`: 1 come out, not 0"),
        (ChanceLine(name="die", n=1, by="hand"), "field `result`: what came out is entered"),
        (ChanceLine(name="die", n=1, by="box"), "field `result`: what came out is entered"),
    ],
)
def test_a_roll_that_cannot_have_been_is_illegal_and_changes_nothing(line, why):
    judged = judge()
    with pytest.raises(Illegal, match=f"^{why}$"):
        judged.feed(line)
    assert (judged.state, judged.lines_read) == (State(), 1)


def test_a_box_that_committed_to_nothing_rolls_by_hand():
    judged = judge(replace(SETUP, seed_sha256=None))
    with pytest.raises(Illegal, match=r"^field `by`: the setup has no `seed_sha256`, so a roll is made by hand$"):
        judged.feed(roll(1))
    judged.feed(roll(1, by="hand", result=("4",)))
    assert judged.state.rolled == (("4",),)


def test_cards_come_out_of_the_pool_once_each():
    judged = judge()
    judged.feed(roll(1))
    with pytest.raises(Illegal, match="'ash' cannot come out; allowed: elm, fir, oak"):
        judged.feed(roll(1, by="hand", name="draw", result=("ash", "ash")))


class TestSecretDraw:
    def judge(self) -> Judge:
        found = Judge(only(Hidden()))
        found.feed(SETUP)
        return found

    def test_of_the_box_is_not_told_and_keeps_its_place(self):
        judged = self.judge()
        judged.feed(roll(1, name="draw"))
        assert judged.state.rolled == (("?",),)
        with pytest.raises(Illegal, match=r"^field `result`: it is secret, and so it is not told$"):
            judged.feed(roll(2, name="draw", result=drawn(SEED, TWO, 2)))

    def test_made_by_hand_is_entered(self):
        judged = self.judge()
        with pytest.raises(Illegal, match=r"^field `result`: what came out is entered$"):
            judged.feed(roll(1, by="hand", name="draw"))
        judged.feed(roll(1, by="hand", name="draw", result=("elm", "ash")))
        assert judged.state.rolled == (("elm", "ash"),)

    def test_agrees_with_any_seed_that_was_committed_to(self):
        judged = self.judge()
        judged.feed(roll(1, name="draw"))
        judged.feed(Open(seed=SEED))


class TestSeed:
    def test_that_draws_what_was_told_is_taken(self):
        judged = judge()
        for line in (roll(1), roll(1, name="draw", result=drawn(SEED, TWO, 1)), Open(seed=SEED), End()):
            judged.feed(line)
        assert judged.is_over()

    def test_that_draws_another_result_is_illegal_and_names_the_roll(self):
        judged = judge()
        wrong = next(number for number in "123456" if number != str(die(SEED, "die", 1)))
        judged.feed(roll(1, result=(wrong,)))
        with pytest.raises(Illegal, match="line 2: the seed draws another result; the box did not roll this"):
            judged.feed(Open(seed=SEED))

    def test_of_a_hand_s_roll_nothing_is_asked(self):
        judged = judge()
        wrong = next(number for number in "123456" if number != str(die(SEED, "die", 1)))
        judged.feed(roll(1, by="hand", result=(wrong,)))
        judged.feed(Open(seed=SEED))

    def test_that_was_not_committed_to_or_is_shown_twice_is_illegal(self):
        judged = judge()
        with pytest.raises(
            Illegal, match=r"^field `seed`: this is not the seed that the setup's `seed_sha256` commits to$"
        ):
            judged.feed(Open(seed="00"))
        judged.feed(Open(seed=SEED))
        with pytest.raises(Illegal, match=r"^the seed has been shown already$"):
            judged.feed(Open(seed=SEED))


class TestBox:
    def box(self, **more) -> VirtualBox:
        return VirtualBox((Colour.RED, Colour.BLUE), "dice", find=only(GAME), games=("dice",), seeds=OneSeed(), **more)

    def test_commits_rolls_and_shows_its_seed_at_the_end(self):
        box = self.box()
        match = box.session.match
        assert match is not None
        assert match.setup.seed_sha256 == commitment(SEED)
        match.roll(match.offers()[0], None, 5)
        match.roll(match.offers()[0], None, 6)
        match.end()
        assert match.judge.state.rolled == ((str(die(SEED, "die", 1)),), drawn(SEED, TWO, 1))
        assert [told.line for told in match.history][-2:] == [Open(seed=SEED), End()]

    def test_without_a_seed_says_how_to_roll(self):
        box = VirtualBox((Colour.RED, Colour.BLUE), "dice", find=only(GAME), games=("dice",))
        match = box.session.match
        assert match is not None
        assert match.setup.seed_sha256 is None
        with pytest.raises(Illegal, match="roll by hand, and enter what came out"):
            match.roll(match.offers()[0], None, 5)
        match.roll(match.offers()[0], ("3",), 5)

    def test_a_game_that_rolls_nothing_has_no_seed(self):
        box = VirtualBox((Colour.RED, Colour.BLUE), "order", find=registry.find, games=("order",), seeds=OneSeed())
        assert box.session.match is not None
        assert box.session.match.setup.seed_sha256 is None
