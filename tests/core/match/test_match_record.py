"""The record of a running match: what rests on the disk, what is rolled from the seed, when the game goes on alone."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.match.effects import Log, Wrote
from companion.core.match.match_record import MatchRecord
from companion.core.panel import Colour
from companion.core.record.lines import (
    ChanceLine,
    Close,
    End,
    Evidence,
    JudgeLine,
    Line,
    PressLine,
    Remark,
    Seat,
    Setup,
    SetupFile,
)
from companion.core.ruling.chance import drawn
from companion.core.ruling.game import Deadline
from companion.core.ruling.offers import Chance, Offer
from companion.core.shown.scene import Status
from companion.core.timing.events import SECOND
from companion.games import registry
from companion.testing.walks import SEED, only
from tests.contract.everything import EVERYTHING, Bid, Everything, Late, Move, Stake, State

SEATS = (Seat(Colour.RED), Seat(Colour.YELLOW))
RED, YELLOW = (PressLine(colour=colour, role="first", t_ns=7) for colour in (Colour.RED, Colour.YELLOW))
DIE = Offer("die", None, "Roll the die", chance=Chance("die"))
SECRET = Offer("draw", None, "Draw", chance=Chance("card", ("sun", "moon", "star"), is_secret=True))


def order(*lines: Line) -> MatchRecord:
    record = MatchRecord(registry.find)
    for line in (Setup(record=2, match="0" * 32, game="order", edition=1, seats=SEATS, first=Colour.RED), *lines):
        record.write(line)
    return record


def everything(game: Everything = EVERYTHING, *lines: Line) -> MatchRecord:
    record = MatchRecord(only(game))
    files = {"board": SetupFile("board", "x")}
    for line in (
        Setup(record=2, match="0" * 32, game="everything", edition=1, seats=SEATS, first=Colour.RED, files=files),
        *lines,
    ):
        record.write(line)
    return record


def test_a_record_begins_with_nothing_stored_nothing_wrong_and_no_seed() -> None:
    record = MatchRecord(registry.find)
    assert (record.durable_lines, record.fault, record.seed, record.failed_at) == (0, "", "", None)
    assert (record.saved, record.can_roll, record.has_failed, record.effects) == (Status.FINAL, False, False, [])


def test_a_ruling_is_final_once_all_that_it_rests_on_is_stored() -> None:
    record = order()
    assert record.saved is Status.SAVING
    record.durable_lines = 1
    assert record.saved is Status.FINAL
    for line in (RED, Close(t_ns=9), Remark(text="x")):
        record.write(line)
        assert record.saved is Status.FINAL, "no ruling rests on it yet"
    record.write(JudgeLine())
    record.durable_lines = 4
    assert record.saved is Status.SAVING
    record.fault = "the disk is full"
    assert record.saved is Status.NOT_RECORDED
    record.durable_lines = 5
    assert record.saved is Status.FINAL


def test_an_ignored_press_is_written_and_logged_with_its_reason() -> None:
    record = order(RED)
    record.effects.clear()
    record.write(RED)
    assert record.effects == [Wrote(RED), Log("ignored: red first: already played")]


def test_a_remark_is_written_with_its_source() -> None:
    record = order()
    record.remark("edges were lost", "gpiod")
    assert record.effects[-1] == Wrote(Remark(text="edges were lost", source="gpiod"))


def to_the_roll() -> MatchRecord:
    bids = (Bid(colour=Colour.RED, bid="1"), Bid(colour=Colour.YELLOW, bid="0"))
    return everything(EVERYTHING, *bids, Stake(colour=Colour.RED, stake=1), Move(colour=Colour.RED, column=1, row=1))


def test_the_box_rolls_from_its_seed_with_the_number_of_the_roll() -> None:
    record = to_the_roll()
    record.seed = SEED
    first = record.rolled(DIE, None)
    assert first == ChanceLine(name="die", n=1, by="box", result=drawn(SEED, Chance("die"), 1))
    record.write(ChanceLine(name="die", n=1, by="hand", result=("3",)))
    second = record.rolled(DIE, None)
    assert second == ChanceLine(name="die", n=2, by="box", result=drawn(SEED, Chance("die"), 2))


def test_what_is_drawn_in_secret_is_not_told_and_what_was_drawn_by_hand_is() -> None:
    record = to_the_roll()
    assert record.rolled(SECRET, ("moon",)) == ChanceLine(name="card", n=1, by="hand", result=("moon",))
    with pytest.raises(Illegal, match=r"^the box has no seed to roll from: roll by hand, and enter what came out$"):
        record.rolled(SECRET, None)
    record.seed = SEED
    assert record.rolled(SECRET, None) == ChanceLine(name="card", n=1, by="box")
    with pytest.raises(Illegal, match=r"^nothing is to be rolled or drawn$"):
        record.rolled(Offer("bid", None, "Your bid"), None)


class Timed(Everything):
    """Its clock runs on whatever happens, and says how long by the first seat's score."""

    def deadline(self, state: State) -> Deadline:
        return Deadline((10 + state.scores[0]) * SECOND, Late())


def test_the_game_goes_on_by_itself_at_the_instant_it_says_and_never_once_it_is_over() -> None:
    record = everything(Timed())
    assert record.deadline() == Deadline(10 * SECOND, Late())
    record.write(End())
    assert record.is_over
    assert record.deadline() is None


def test_evidence_that_is_named_later_leaves_a_ruling_as_final_as_it_was() -> None:
    record = order(RED, Close(t_ns=8), JudgeLine())
    record.durable_lines = record.lines_written
    record.write(Evidence(race=1, sha256="a" * 64, edges=4))
    assert record.saved is Status.FINAL
