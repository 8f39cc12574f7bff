"""How a match comes to be: the box's seed committed to at its beginning, found again when it is taken up."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.core.errors import Illegal
from companion.core.match.effects import Wrote
from companion.core.match.match import Match, PlaySettings
from companion.core.match.match_maker import MatchMaker, Unfinished
from companion.core.panel import Colour
from companion.core.play.seating import Table
from companion.core.record.lines import UNDRAWN, Conditions, Line, Names, Open, Remark, Setup
from companion.core.ruling.chance import commitment
from companion.core.ruling.offers import Chance, Offer, Option
from companion.core.timing.events import MS, SECOND
from companion.games import registry
from companion.testing.driving import OneSeed
from companion.testing.walks import SEED, only
from tests.contract.everything import EVERYTHING, Bid

DIE = Offer("die", Colour.RED, "roll the die", chance=Chance("die"))
SEATS = (Colour.RED, Colour.BLUE)


def maker(seeds: OneSeed | None = None) -> MatchMaker:
    return MatchMaker(only(EVERYTHING), PlaySettings(window_ns=SECOND), seeds)


def begun(seeds: OneSeed | None = None) -> Match:
    setup = Table("everything", SEATS, parameters={"rounds": 1}).setup(EVERYTHING)
    return maker(seeds).begin(setup, 2 * SECOND)


def lines_of(match: Match) -> tuple[Line, ...]:
    return tuple(effect.line for effect in match.effects if isinstance(effect, Wrote))


def test_a_match_that_begins_is_committed_to_a_seed_and_has_the_seatings_window() -> None:
    match = begun(OneSeed())
    assert (match.setup.seed_sha256, match.seed, match.can_roll) == (commitment(SEED), SEED, True)
    assert match.settings.window_ns == 2 * SECOND


def test_a_box_without_seeds_or_a_game_that_rolls_nothing_commits_to_none() -> None:
    assert (begun().setup.seed_sha256, begun().can_roll) == (None, False)
    setup = Table("order", SEATS).setup(registry.find("order"))
    match = MatchMaker(registry.find, PlaySettings(), OneSeed()).begin(setup, SECOND)
    assert (match.setup.seed_sha256, match.can_roll) == (None, False)


def test_a_match_that_is_taken_up_has_its_seed_again_until_it_has_shown_it() -> None:
    lines = lines_of(begun(OneSeed()))
    again = maker(OneSeed()).resume(Unfinished(1, lines, same_clock=True), SECOND)
    assert (again.seed, again.lines_written, again.durable_lines) == (SEED, 1, 1)
    assert again.effects == []
    assert not maker().resume(Unfinished(1, lines, same_clock=True), SECOND).can_roll
    shown = maker(OneSeed()).resume(Unfinished(1, (*lines, Open(seed=SEED)), same_clock=True), SECOND)
    assert not shown.can_roll


def test_a_roll_needs_a_seed_or_a_result_by_hand_and_something_to_roll() -> None:
    match = begun()
    with pytest.raises(Illegal, match="no seed to roll from"):
        match.rolled(DIE, None)
    assert match.rolled(DIE, ("3",)).by == "hand"
    with pytest.raises(Illegal, match="nothing is to be rolled"):
        match.rolled(Offer("bid", Colour.RED, "bid", options=(Option("1", Bid(colour=Colour.RED, bid="1")),)), None)
    assert begun(OneSeed()).rolled(DIE, None).by == "box"


def test_a_record_that_does_not_begin_with_its_setup_is_none_to_take_up() -> None:
    with pytest.raises(Illegal, match="begins with its `setup`"):
        _ = Unfinished(1, (Open(seed=SEED),), same_clock=True).setup
    lines = lines_of(begun())
    assert isinstance(lines[0], Setup)
    assert Unfinished(1, lines, same_clock=True).setup is lines[0]


def test_every_match_has_random_bits_of_its_own_and_lots_their_seed() -> None:
    drawn = iter(["aa", "bb"])
    setup = Table("order", SEATS, dead_heat="lots").setup(registry.find("order"))
    assert (setup.match, setup.seed) == (UNDRAWN, UNDRAWN)
    match = MatchMaker(registry.find, PlaySettings(), None, lambda count: next(drawn) * count).begin(setup, SECOND)
    assert (match.setup.seed, match.setup.match) == ("aa" * 32, "bb" * 16)


def test_a_seed_that_somebody_else_drew_is_kept_and_without_lots_there_is_none() -> None:
    setup = Table("order", SEATS, dead_heat="lots").setup(registry.find("order"))
    chosen = MatchMaker(registry.find, PlaySettings(), None, lambda count: "cc" * count)
    assert chosen.begin(replace(setup, seed="3f09"), SECOND).setup.seed == "3f09"
    plain = Table("order", SEATS).setup(registry.find("order"))
    assert chosen.begin(plain, SECOND).setup.seed is None


def test_names_are_a_line_of_their_own_after_the_setup_of_those_who_play() -> None:
    table = Table("order", SEATS, names={Colour.RED: "Ann", Colour.GREEN: "Eve"})
    match = MatchMaker(registry.find, PlaySettings(), None).begin(
        table.setup(registry.find("order")), SECOND, table.names
    )
    assert [line for line in lines_of(match) if isinstance(line, Names)] == [Names(names={Colour.RED: "Ann"})]
    assert match.history.names == {Colour.RED: "Ann"}
    nobody = MatchMaker(registry.find, PlaySettings(), None).begin(match.setup, SECOND, {Colour.GREEN: "Eve"})
    assert len(lines_of(nobody)) == 1


def test_a_setting_that_was_changed_before_a_match_goes_on_is_remarked_once_with_both_values() -> None:
    def conditions(_setup: Setup, window_ns: int, confirmed: tuple[Colour, ...]) -> Conditions:
        return Conditions("companion 1", "box", window_ns // MS, 1000, {}, 2, 400, confirmed, ())

    def taken_up(lines: tuple[Line, ...], window_ns: int) -> tuple[Line, ...]:
        with_conditions = MatchMaker(registry.find, PlaySettings(), None, conditions=conditions)
        return lines_of(with_conditions.resume(Unfinished(1, lines, same_clock=True), window_ns))

    first = MatchMaker(registry.find, PlaySettings(), None, conditions=conditions)
    lines = lines_of(first.begin(Table("order", SEATS).setup(registry.find("order")), 3 * SECOND))
    assert taken_up(lines, 3 * SECOND) == ()
    (changed,) = taken_up(lines, 5 * SECOND)
    assert changed == Remark(
        text="other conditions than when the match began: window_ms 3000 -> 5000", source="conditions"
    )
    assert taken_up((*lines, changed), 5 * SECOND) == ()
    (again,) = taken_up((*lines, changed), 3 * SECOND)
    assert again == Remark(text="the conditions are again as when the match began", source="conditions")
    assert taken_up((*lines, changed, again), 3 * SECOND) == ()
