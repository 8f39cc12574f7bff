"""A game that fails while it is played: the box goes on, says so, and the record is what was written before."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal, Malformed
from companion.core.match.effects import Sound, Tone
from companion.core.panel import Colour
from companion.core.play import commands
from companion.core.record.lines import Close, JudgeLine, Undo
from companion.core.ruling.judge import Judge, judge_record
from companion.core.ruling.offers import NumberEntry, Offer
from companion.core.ruling.rulings import Order, Place, Ruling, Settled
from companion.core.timing.events import MS
from companion.games import registry
from companion.games.guarded import _ANSWERS, _REFUSE, GameFault, guarded
from companion.games.order.game import OrderGame, OrderOutcome
from companion.screens.text import scene_lines
from companion.screens.text.account import replay_account
from companion.testing.driving import Driver
from companion.testing.walks import Walk, only
from tests.contract.everything import EVERYTHING, Everything
from tests.games.broken_plugins import SHIPPED, forget
from tests.games.harbour import Fetched, Harbour

METHODS = sorted({*_ANSWERS, *_REFUSE} - {"start", "speaking"})


class Failing:
    """A game that fails in one method from some moment on, or gives there what it may not give."""

    def __init__(self, method, gives=None):
        self.fails, self.gives = False, gives
        self.faults: list[tuple[str, Exception]] = []
        failing = self

        def does(self, *arguments):
            if failing.fails and failing.gives is not None:
                return failing.gives
            if failing.fails:
                raise KeyError("a slip")
            return getattr(Everything, method)(self, *arguments)

        game = type("Failing", (Everything,), {method: does})()
        self.game = guarded(game, lambda text, error: self.faults.append((text, error)))


def test_every_method_of_the_contract_is_guarded():
    methods = {name for name in dir(Everything) if not name.startswith("_") and callable(getattr(Everything, name))}
    assert methods - {"text", "texts", "lines"} == {*_ANSWERS, *_REFUSE}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("method", METHODS)
def test_a_game_that_fails_ends_neither_box_nor_record(method, seed):
    failing = Failing(method)
    driver = Driver(failing.game, seed)
    driver.play(20)
    driver.verify_record()
    before = driver.record()
    failing.fails = True
    driver.play(25)
    assert driver.record()[: len(before)] == before
    failing.fails = False
    driver.play(15)
    again = list(judge_record(driver.record(), only(EVERYTHING)))
    assert again
    assert [type(ruling).__name__ for ruling in again].count("Fault") == 0
    if method in ("offers", "view", "is_over", "step", "race"):
        assert failing.faults or method == "step"
    assert len({text for text, _ in failing.faults}) == len(failing.faults)


@pytest.mark.slow  # a walk for each method, as for one that fails
@pytest.mark.parametrize("method", METHODS)
def test_a_game_that_gives_nonsense_ends_neither_box_nor_record(method):
    failing = Failing(method, gives=object())
    driver = Driver(failing.game, 1)
    driver.play(15)
    before = driver.record()
    failing.fails = True
    driver.play(25)
    assert driver.record()[: len(before)] == before
    assert all(isinstance(error, TypeError) for _, error in failing.faults)


def test_a_number_that_the_game_fails_at_is_refused():
    failing = Failing("offers")

    def line(value):
        raise KeyError("no such number")

    offer = Offer("stake", Colour.RED, "How much?", number=NumberEntry(1, 500, line))
    failing.fails, failing.gives = True, (offer,)
    (guarded_offer,) = failing.game.offers(Walk(EVERYTHING, 0).state)
    assert guarded_offer.number is not None
    with pytest.raises(GameFault, match=r"number: KeyError"):
        guarded_offer.number.line(3)


def slip(self):
    raise KeyError("a slip")


def played(**parts):
    """Play a race of a guarded game with broken parts; give the driven box and what was told of the game."""
    faults = []
    game = guarded(type("Broken", (Harbour,), parts)(), lambda text, error: faults.append(text))
    driver = Driver(game, 0)
    box = driver.box
    box.command(commands.EnterCard(card="rope"))
    box.run(box.now_ms + 100)
    box.press(f"{driver.seats[0]} second", box.now_ms + 1)
    box.run(box.now_ms + 5000)
    box.command(commands.NoCard())
    box.run(box.now_ms + 5000)
    driver.look()
    return driver, faults


@pytest.mark.parametrize(
    ("method", "does", "why"),
    [
        ("moved", slip, "KeyError: 'a slip'"),
        ("moved", lambda self: None, "TypeError: gave NoneType, not tuple"),
        ("moved", lambda self: (7,), "TypeError: gave int, not str"),
        ("note", slip, "KeyError: 'a slip'"),
        ("note", lambda self: 7, "TypeError: gave int, not str"),
    ],
)
def test_a_ruling_that_fails_at_what_it_says_of_itself_is_told_plainly(method, does, why):
    kind = type("Slip", (Fetched,), {method: does}, frozen=True, tag="settled")
    driver, faults = played(fetched=kind)
    assert driver.box.types()[-2:] == ["close", "judge"]
    assert faults == [f"the game harbour failed (Slip: {why})"]
    (turn,) = driver.box.scene.body.turns
    assert (turn.colour, turn.role, turn.result, turn.cards, turn.note) == (
        driver.seats[0],
        "second",
        "claimed",
        (),
        "",
    )
    driver.play(40)
    driver.verify_record()
    assert list(replay_account(driver.record(), only(driver.game)))
    assert len(faults) == 1


@pytest.mark.parametrize("does", [slip, lambda self: None, lambda self: ("red",)])
def test_an_outcome_that_fails_at_who_is_ahead_names_nobody(does):
    kind = type("Slip", (OrderOutcome,), {"ahead": does}, frozen=True, tag="outcome")

    def outcome(self, state):
        return kind(over=self.is_over(state), wins={}, leaders=())

    driver, faults = played(outcome=outcome)
    driver.box.command(commands.EndMatch())
    driver.box.run(driver.box.now_ms + 20_000)
    driver.look()
    assert driver.match.is_over
    assert driver.box.scene.body.leaders == ()
    assert "nobody wins" in " ".join(scene_lines.lines(driver.box.scene))
    driver.verify_record()
    assert list(replay_account(driver.record(), only(driver.game)))[-1] == "The game is over."
    assert len(faults) == 1


class Unwritten(Ruling, frozen=True, tag="unwritten"):
    """A ruling of the game's own that no page can be sent."""

    what: object


ODD = Settled(race=1, colour="red", role="first", result="claimed")  # type: ignore[arg-type]  # a text, no Colour
NOBODY = Place(place=1, colour="red", role="first", t_ns=1, gap_ns=0)  # type: ignore[arg-type]  # a text, no Colour


@pytest.mark.parametrize(
    "instead",
    [
        lambda _: None,
        lambda _: object(),
        lambda rulings: rulings[1:],
        lambda rulings: (*rulings, "claimed"),
        lambda rulings: (*rulings, Unwritten(what=object())),
        lambda rulings: (*rulings, ODD),
        lambda rulings: (Order(race=1, order=list(rulings[0].order)), *rulings[1:]),  # type: ignore[arg-type]  # no tuple
        lambda rulings: (Order(race=1, order=(7,)), *rulings[1:]),  # type: ignore[arg-type]  # no place
        lambda rulings: (Order(race=1, order=(NOBODY,)), *rulings[1:]),
    ],
)
def test_rulings_that_are_none_are_refused_with_their_line(instead):
    def apply(self, state, line):
        after, rulings = Harbour.apply(self, state, line)
        return after, instead(rulings) if isinstance(line, JudgeLine) else rulings

    driver, faults = played(apply=apply)
    assert driver.box.types()[-1] == "close"
    assert "failed (apply: " in faults[-1]


def test_a_line_that_the_game_fails_at_is_refused_with_tone_and_reason_and_is_not_written():
    failing = Failing("apply")
    driver = Driver(failing.game, 0)
    lines = driver.match.lines_written
    failing.fails = True
    offer = driver.match.offers()[0]
    answers = driver.box.command(commands.Choose(kind=offer.kind, seat=offer.seat, option=offer.options[0].key))
    driver.box.run(driver.box.now_ms + 200)
    assert isinstance(answers[0], GameFault)
    assert str(answers[0]) == "the game everything failed (apply: KeyError: 'a slip')"
    assert driver.match.lines_written == lines
    ((text, error),) = failing.faults
    assert isinstance(error, KeyError)
    assert text == str(answers[0])


def test_a_press_at_the_box_is_refused_the_same_way():
    failing = Failing("apply")
    driver = Driver(failing.game, 0)
    failing.fails = True
    seat = driver.match.offers()[0].seat
    driver.box.press(f"{seat} first", driver.box.now_ms + 1)
    driver.box.run(driver.box.now_ms + 300)
    driver.box.press(f"{seat} first", driver.box.now_ms + 1)
    driver.box.run(driver.box.now_ms + 300)
    assert Sound(Tone.REFUSED) in driver.box.effects
    assert "failed (apply" in driver.box.scene.notice
    assert [line for line in driver.box.types() if line != "remark"] == ["setup"]


def test_an_end_whose_outcome_fails_is_refused_and_the_match_goes_on():
    failing = Failing("outcome")
    driver = Driver(failing.game, 0)
    before, failing.fails = driver.match.judge.state, True
    answers = driver.box.command(commands.EndMatch())
    driver.box.run(driver.box.now_ms + 200)
    failing.fails = False
    assert isinstance(answers[0], GameFault)
    assert not driver.match.is_over
    assert driver.match.judge.state.phase is before.phase
    driver.verify_record()


def test_a_race_that_cannot_be_closed_is_an_alarm_and_no_busy_loop_and_goes_on_later():
    class Stubborn(OrderGame):
        fails = True

        def apply(self, state, line):
            if isinstance(line, Close) and self.fails:
                raise KeyError("never")
            return super().apply(state, line)

    game = Stubborn()
    driver = Driver(guarded(game, lambda *_: None), 0)
    box, seat = driver.box, driver.seats[0]
    box.press(f"{seat} first", box.now_ms + 1)
    box.run(box.now_ms + 8000)
    assert box.scene.alarms == ("the game order failed (apply: KeyError: 'never')",)
    deadline_ns = box.box.next_deadline()
    assert deadline_ns is None or deadline_ns > box.now_ms * MS
    assert [effect for effect in box.effects if "refused" in str(effect)] == []
    game.fails = False
    box.command(commands.AddRemark(text="try again"))
    box.run(box.now_ms + 4000)
    assert box.scene.alarms == ()
    assert box.types()[-2:] == ["close", "judge"]


def test_what_a_game_raises_on_purpose_is_left_as_it_is():
    game = guarded(EVERYTHING, lambda *_: pytest.fail("no fault"))
    walk = Walk(game, 0)
    with pytest.raises((Illegal, Malformed)):
        game.apply(walk.state, Undo())
    assert list(walk.states())
    assert game.speaking(EVERYTHING.translation).title == "Everything"


def test_a_replay_by_a_game_that_fails_says_so():
    failing = Failing("apply")
    walk = Walk(failing.game, 0)
    assert list(walk.states(5))
    failing.fails = True
    with pytest.raises(GameFault, match=r"the game everything failed \(apply: KeyError"):
        list(judge_record(walk.record, only(failing.game)))


def test_a_record_of_another_edition_is_refused_by_name():
    later = type("Later", (Everything,), {"edition": 2})()
    setup = Walk(EVERYTHING, 0).judge.setup
    assert setup is not None
    with pytest.raises(Malformed, match="field `edition`: everything 1 is not installed; this judges 2"):
        Judge(only(later)).feed(setup)


@pytest.fixture(autouse=True)
def fresh():
    yield
    forget()
    assert registry.names() == SHIPPED
