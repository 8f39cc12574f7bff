"""A calibration at the box, by knob and buttons: from the seating to the allowance, and each way out of it."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from companion.core.match.effects import Announce, Sound, Tone
from companion.core.panel import POSITIONS, Colour
from companion.core.record.lines import Remark
from companion.core.shown.scene import Lobby, Question
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.text.scene_lines import lines
from tests.core.calibration.at_the_table import Table, supplies

if TYPE_CHECKING:
    from tests.core.calibration.at_the_table import Quickness

RED, YELLOW, GREEN, BLUE, _ = Colour
SLOW = {RED: 1200, YELLOW: 400, BLUE: 450}


def steady(spread: float = 20, seed: int = 3, slow: dict[Colour, int] | None = None) -> Quickness:
    drawn = random.Random(seed)
    return lambda colour, _number: (slow or SLOW)[colour] + drawn.uniform(-spread, spread)


def agree(table: Table, *seats: str) -> None:
    for seat in seats:
        table.press(f"{seat} first", table.now_ms + 200)
        table.run(table.now_ms + 400)


def test_thirty_trials_propose_what_the_player_is_slower_by_and_every_seat_agrees() -> None:
    table = Table()
    table.begin()
    table.play(steady())
    shown = table.shown.proposal
    assert shown is not None
    assert (shown.trials, shown.is_low) == (30, False)
    assert shown.low_ms <= 775 <= shown.high_ms
    assert 740 <= shown.ms <= 780
    assert shown.ms % 10 == 0
    assert list(table.shown.missing) == [RED, YELLOW, BLUE]
    agree(table, "yellow", "blue")
    assert table.measured() == []  # nothing is stored before all have agreed
    assert list(table.shown.missing) == [RED]
    agree(table, "red")
    assert isinstance(table.body, Lobby)
    (measured,) = table.measured()
    assert (measured.colour, measured.allowance.ms) == (RED, shown.ms)
    assert measured.allowance.evidence is not None
    trials = measured.allowance.evidence.trials
    assert trials is not None
    assert (len(trials.times_ms), trials.kind, trials.date) == (30, "choice", "2026-11-24T20:00:00Z")
    assert table.session.table.allowances_ms == {RED: shown.ms}
    assert table.kept_trials()[-1] is None  # the trials are kept no longer


def test_the_match_after_it_takes_the_allowance_and_its_record_names_the_evidence() -> None:
    table = Table()
    table.begin()
    table.play(steady())
    agree(table, "red", "yellow", "blue")
    table.pick("start", table.now_ms + 100)
    assert isinstance(table.body, Question)  # everybody agrees to the allowance of this match too
    agree(table, "red", "yellow", "blue")
    (remark,) = [line for line in table.lines if isinstance(line, Remark)]
    (measured,) = table.measured()
    assert remark.text.startswith(f"red's allowance was measured as {measured.allowance.ms} ms by 30 trials (choice)")
    assert "95 % interval" in remark.text
    assert "evidence " in remark.text


def test_where_the_interval_is_too_wide_thirty_more_are_asked_for_and_at_last_its_lower_end_is_taken() -> None:
    drawn = random.Random(5)
    table = Table()
    table.begin()
    quick: Quickness = lambda colour, _: drawn.uniform(300, 1500) if colour is RED else SLOW[colour]  # noqa: E731
    for rounds in (1, 2, 3):
        table.play(quick)
        assert table.shown.proposal is None
        assert table.shown.wanted == 30 * (rounds + 1)
        assert "note: the interval is too wide: 30 more" in lines(table.scene)
        table.pick("go on", table.now_ms + 100)
    table.play(quick)
    shown = table.shown.proposal
    assert shown is not None
    assert (shown.trials, shown.is_low) == (120, True)
    assert shown.ms == shown.low_ms // 10 * 10 < shown.difference_ms


def test_too_early_another_card_and_no_press_are_counted_apart_and_only_those() -> None:
    table = Table()
    table.begin()
    table.until_asked()
    asked, now = table.shown.asks, table.asked_ms
    other = next(name for name in ("first", "second") if name != asked)
    table.press(f"red {other}", now + 500)
    table.press(f"yellow {asked}", now + 60)  # nobody is so quick
    table.run(now + 10_200)  # and blue does not press at all
    assert [seat.became for seat in table.shown.seats] == ["another card", "too early", "no press"]
    red, yellow, blue = table.shown.seats
    assert (red.wrong, yellow.anticipated, blue.lapsed) == (1, 1, 1)
    assert [seat.times_ms for seat in table.shown.seats] == [(), (), ()]


def test_a_press_before_anything_is_asked_for_is_too_early_and_cannot_be_made_good() -> None:
    table = Table()
    table.begin()
    table.press("red first", table.now_ms + 200)
    table.until_asked()
    now, asked = table.asked_ms, table.shown.asks
    for colour in ("red", "yellow", "blue"):
        table.press(f"{colour} {asked}", now + 400)
    table.run(now + 700)
    assert [seat.became for seat in table.shown.seats] == ["too early", "counts", "counts"]


def test_one_switch_answers_with_any_button_and_agrees_with_any() -> None:
    table = Table()
    table.begin(plays=1)
    table.until_asked()
    now = table.asked_ms
    table.press("red fourth", now + 600)
    table.press(f"yellow {table.shown.asks}", now + 400)
    table.press(f"blue {table.shown.asks}", now + 400)
    table.run(now + 900)
    assert table.shown.seats[0].times_ms == (600,)


def test_a_spoken_stimulus_is_asked_for_at_the_end_of_its_word() -> None:
    table = Table()
    table.begin(plays=2)
    for _ in range(100):
        said = [effect for effect in table.effects if isinstance(effect, Announce)]
        if said:
            break
        table.run(table.now_ms + 50)
    assert table.shown.asks is None
    end_ms = table.now_ms + 700
    table.press("yellow first", table.now_ms + 300)  # before the word has ended: a guess
    table.run(end_ms + 50)
    table.session.announced(said[-1].token, round(end_ms * MS))
    assert str(said[-1].says) in ("chief", "warrior", "maiden", "hunter")  # as the game calls the button
    asks = table.shown.asks
    assert asks is not None
    assert registry.find("apache").roles[list(POSITIONS).index(asks)] == said[-1].says
    table.press(f"red {table.shown.asks}", end_ms + 800)
    table.press(f"blue {table.shown.asks}", end_ms + 500)
    table.run(end_ms + 1100)
    assert [(seat.became, seat.times_ms) for seat in table.shown.seats] == [
        ("counts", (800,)), ("too early", ()), ("counts", (500,)),
    ]  # fmt: skip


def test_where_nobody_can_say_it_the_trials_rest_and_say_so() -> None:
    table = Table()
    table.begin(plays=2)
    while not (said := [effect for effect in table.effects if isinstance(effect, Announce)]):
        table.run(table.now_ms + 50)
    table.session.announced(said[-1].token, round(table.now_ms * MS), "no voice is installed")
    assert any("no voice is installed" in line for line in lines(table.scene))
    assert table.menu().items[0].label == "go on"


def test_a_seat_that_does_not_agree_ends_it_and_nothing_is_changed() -> None:
    table = Table()
    table.begin()
    table.play(steady())
    agree(table, "red", "blue")
    table.press("yellow fourth", table.now_ms + 100)
    table.run(table.now_ms + 400)
    assert isinstance(table.body, Lobby)
    assert table.scene.notice == "YEL does not agree"
    assert (table.measured(), table.session.table.allowances_ms) == ([], None)
    assert table.kept_trials()[-1] is None


def test_the_knob_pauses_a_trial_which_counts_for_nobody_then() -> None:
    table = Table()
    table.begin()
    table.trial(steady())
    table.until_asked()
    table.run(table.now_ms + 2000)
    table.until_asked()
    table.press(f"red {table.shown.asks}", table.now_ms + 300)
    table.run(table.now_ms + 500)
    table.click(table.now_ms + 100)
    table.run(table.now_ms + 400)
    assert [len(seat.times_ms) for seat in table.shown.seats] == [1, 1, 1]
    table.run(table.now_ms + 60_000)  # nothing goes on by itself
    assert [len(seat.times_ms) for seat in table.shown.seats] == [1, 1, 1]
    table.pick("go on", table.now_ms + 100)
    table.trial(steady())
    assert [len(seat.times_ms) for seat in table.shown.seats] == [2, 2, 2]


def test_what_was_cut_off_is_gone_on_with_by_the_same_people_only() -> None:
    table = Table(names={RED: "Ann"})
    table.begin()
    for _ in range(5):
        table.trial(steady())
        table.run(table.now_ms + 1000)
    kept = table.kept_trials()[-1]
    assert kept is not None
    same = Table(names={RED: "Ann"}, supplies=supplies(kept=kept))  # the box was switched off in between
    same.begin(first="go on after 5")
    same.play(steady())
    assert same.trials == 25
    assert same.shown.proposal is not None
    other = Table(names={RED: "Ben"}, supplies=supplies(kept=kept))
    other.begin(first="begin")


def test_trials_that_were_damaged_on_the_disk_are_told_and_begun_anew() -> None:
    table = Table(supplies=supplies(kept=b'{"version":1,"player":"red","seats":[{"colour'))
    table.pick("calibrate", table.now_ms + 100)
    table.pick("RED", table.now_ms + 100)
    assert "the trials that were kept cannot be read" in table.scene.notice
    assert table.kept_trials() == [None]
    table.pick("begin", table.now_ms + 100)
    table.play(steady())
    assert table.shown.proposal is not None


def test_a_seat_may_leave_in_a_pause_and_the_others_go_on() -> None:
    table = Table()
    table.begin()
    for _ in range(3):
        table.trial(steady())
        table.run(table.now_ms + 1000)
    table.click(table.now_ms + 100)
    table.run(table.now_ms + 400)
    assert "without YEL" in [item.label for item in table.menu().items]
    assert "without RED" not in [item.label for item in table.menu().items]
    table.pick("without YEL", table.now_ms + 100)
    assert [seat.colour for seat in table.shown.seats] == [RED, BLUE]
    assert "without BLU" not in [item.label for item in table.menu().items]
    table.pick("go on", table.now_ms + 100)
    table.play(steady())
    assert table.shown.missing == (RED, BLUE)
    assert table.shown.proposal is not None
    assert 730 <= table.shown.proposal.ms <= 760


def test_who_is_no_slower_than_the_others_is_proposed_nothing() -> None:
    table = Table()
    table.begin()
    table.play(steady(slow={RED: 300, YELLOW: 400, BLUE: 420}))
    assert table.shown.proposal is not None
    assert table.shown.proposal.ms == 0
    assert table.shown.proposal.difference_ms < 0


def test_two_seats_are_needed() -> None:
    table = Table("red")
    assert "calibrate" not in [item.label for item in table.menu().items]


def test_a_match_that_a_desk_begins_ends_it_and_the_trials_are_kept() -> None:
    table = Table()
    table.begin()
    table.trial(steady())
    table.session.begin(table.session.table)
    table.run(table.now_ms + 100)
    assert table.session.match is not None
    assert table.kept_trials()[-1] is not None


@pytest.mark.parametrize("size", [(128, 64), (256, 64)])
def test_every_picture_of_it_is_drawn(size: tuple[int, int]) -> None:
    from companion.screens.oled.picture import draw

    table = Table()
    table.pick("calibrate", table.now_ms + 100)
    pictures = [draw(table.scene, size).image.tobytes()]
    table.pick("RED", table.now_ms + 100)
    pictures.append(draw(table.scene, size).image.tobytes())
    table.pick("begin", table.now_ms + 100)
    pictures.append(draw(table.scene, size).image.tobytes())
    table.until_asked()
    pictures.append(draw(table.scene, size).image.tobytes())
    table.play(steady())
    pictures.append(draw(table.scene, size).image.tobytes())
    assert len(set(pictures)) == len(pictures)
    assert sum(isinstance(effect, Sound) and effect.tone is Tone.CHOOSE for effect in table.effects) == 1
