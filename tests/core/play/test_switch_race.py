"""A race in which a seat plays by one switch: press 1 is its time, scanning its card, and nobody sees it before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.core.errors import Illegal
from companion.core.match.effects import Cue, TookIn
from companion.core.match.match import PlaySettings
from companion.core.panel import Colour
from companion.core.play.commands import CardFor, CloseRace, EndMatch, EnterCard, NoCard, TakeBack
from companion.core.record.lines import Close, JudgeLine, PressLine, Remark
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.scene import Results, Standing
from companion.core.switches.ways import SwitchScanning, Way
from companion.core.timing.events import MS, SECOND, Levels
from companion.games import registry
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from tests.core.play.test_commands import Desk
from tests.core.play.virtual_box import unfinished

if TYPE_CHECKING:
    from typing import Any

RED, YELLOW, GREEN, BLUE, _ = Colour
ROLES = registry.find("apache").roles


def boxed(how: SwitchScanning | None = None, seats: tuple[str, ...] = ("red", "yellow", "blue"), **more: Any) -> Desk:
    """A match of Apache in which red plays by a switch, with a card turned."""
    play = PlaySettings(switches={RED: how or SwitchScanning(dwell_ns=SECOND, loops=2)})
    box = Desk(seats=seats, play=play, **more)
    if not more:
        box.ask(EnterCard(card="buffalo"), 2000)
    return box


def cues(box: Desk) -> list[tuple[int, str]]:
    return [(effect.number, effect.says) for effect in box.effects if isinstance(effect, Cue)]


def presses(box: Desk) -> list[tuple[Colour, str, int]]:
    return [(line.colour, line.role, line.t_ns // MS) for line in box.lines if isinstance(line, PressLine)]


def shown(box: Desk) -> str:
    """All that lines, display and snapshot say, but for what a seat alone is told."""
    texts = [placed.text for size in ((128, 64), (256, 64)) for placed in draw(box.scene, size).placed]
    snapshot = box.session.snapshot(round(box.now_ms * MS))
    return "\n".join((*lines(box.scene), *texts, repr(snapshot.match.race)))  # type: ignore[union-attr]


def test_the_first_press_is_the_time_and_the_second_picks_the_card() -> None:
    box = boxed()
    box.press("red fourth", 2500, error_ns=30_000)
    box.run(2600)
    assert presses(box) == []
    box.run(3700)
    box.press("red first", 4700)
    box.run(4900)
    assert [number for number, _ in cues(box)] == [1, 2, 3, 0]
    found = next(line for line in box.lines if isinstance(line, PressLine))
    assert (found.colour, found.role, found.t_ns, found.error_ns) == (RED, ROLES[2], 2500 * MS, 30_000)
    assert presses(box) == [(RED, ROLES[2], 2500)]


def test_the_cards_come_in_the_person_s_own_order_whatever_the_game_calls_them() -> None:
    box = boxed(SwitchScanning(order=(3, 1, 0, 2)))
    box.press("red first", 2500)
    box.press("red first", 3800)
    box.run(4000)
    said = [says for number, says in cues(box) if number]
    assert len(said) == 2
    assert presses(box) == [(RED, ROLES[1], 2500)]


def test_others_are_ranked_against_the_first_press_although_theirs_was_written_at_the_same_time() -> None:
    box = boxed()
    box.press("yellow hunter", 2490)
    box.press("red first", 2500)
    box.press("blue maiden", 2510)
    box.run(2900)
    assert presses(box) == [(YELLOW, "hunter", 2490)]
    box.press("red first", 3700)
    box.run(9000)
    assert presses(box) == [(YELLOW, "hunter", 2490), (RED, ROLES[1], 2500), (BLUE, "maiden", 2510)]
    results = box.body
    assert [row.colour for row in results.rows] == [YELLOW, RED, BLUE]


def test_the_race_closes_as_usual_and_is_judged_once_the_card_is_picked() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.press("yellow hunter", 2600)
    box.press("blue hunter", 2700)
    box.run(3400)
    assert isinstance(box.body, Standing)
    assert not any(isinstance(line, (Close, JudgeLine)) for line in box.lines)
    box.press("red first", 4000)
    box.run(4200)
    tags = box.types()[-6:]
    assert tags == ["press", "press", "press", "close", "judge", "remark"]
    close = next(line for line in box.lines if isinstance(line, Close))
    assert close.t_ns == 2700 * MS


def test_presses_after_the_close_are_late_although_the_close_is_written_behind_the_pick() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.press("yellow hunter", 5600)  # the window of 3 s has ended
    box.run(6000)
    assert box.session.match is not None
    assert box.tones().count("ignored") == 1
    box.run(12_000)
    assert box.types()[2:] == ["press", "close", "press", "judge", "remark"]
    order = next(r for told in box.session.match.history for r in told.rulings if isinstance(r, Order))
    assert [place.colour for place in order.order] == [RED]
    assert order.order[0].t_ns == 2500 * MS


def test_a_seat_that_picks_nothing_has_played_the_card_offered_last_and_everybody_is_told() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.run(10_450)
    assert presses(box) == []
    box.run(10_700)
    assert presses(box) == [(RED, ROLES[3], 2500)]
    assert any("did not pick" in line.text for line in box.lines if isinstance(line, Remark))
    assert "did not pick" in box.scene.notice


def test_a_press_during_the_scan_is_a_pick_and_no_new_play_and_one_after_it_is_a_second_play() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.press("red second", 3000)
    box.press("red third", 3500)
    box.run(3800)
    assert presses(box) == [(RED, ROLES[0], 2500), (RED, ROLES[2], 3500)]
    box.run(9000)
    assert [row.colour for row in box.body.rows] == [RED]


def test_nobody_sees_a_card_before_the_seat_has_picked_nor_its_card_before_it_is_fixed() -> None:
    box = boxed(SwitchScanning(dwell_ns=SECOND, loops=2, again=True))
    box.press("yellow hunter", 2450)
    box.press("red first", 2500)
    box.press("blue maiden", 2600)
    for at in range(2560, 6200, 80):
        if at == 3680:
            box.press("red first", 3700)
        box.run(at)
        if presses(box) and presses(box)[-1][0] is BLUE:
            break
        assert not [role for role in box.find("apache").roles if role in shown(box)], at
        assert isinstance(box.body, Standing)
        assert RED in box.body.hidden_for
        assert set(box.body.made) <= {RED, YELLOW, BLUE}
    assert presses(box)[1][:2] == (RED, ROLES[1])


def test_before_it_presses_too_the_others_cards_are_hidden_from_the_seat_and_after_the_close_no_more() -> None:
    box = boxed()
    box.press("yellow hunter", 2500)
    box.run(2700)
    assert box.body.hidden_for == (RED,)
    assert "hunter" not in shown(box)
    box.run(5800)
    assert isinstance(box.body, Results) or "hunter" in shown(box)


def test_with_two_switches_one_moves_and_another_picks() -> None:
    box = boxed(SwitchScanning(way=Way.STEP, dwell_ns=SECOND, loops=3))
    box.press("red second", 2500)
    for at in (3000, 3300, 3600):
        box.press("red first", at)
    box.press("red second", 3900)
    box.run(4100)
    assert presses(box) == [(RED, ROLES[3], 2500)]


def test_held_it_moves_and_letting_go_picks_and_the_first_press_picks_nothing() -> None:
    box = boxed(SwitchScanning(way=Way.INVERSE, dwell_ns=SECOND, loops=3))
    box.press("red first", 2500, 2300)
    box.run(5000)
    assert presses(box) == []
    box.press("red first", 5500, 2200)
    box.run(8000)
    assert presses(box) == [(RED, ROLES[2], 2500)]


def test_a_switch_that_goes_while_it_is_held_picks_nothing_and_works_again_once_it_is_back() -> None:
    """No hand let it go: what is offered last is played, unless it comes back in time."""
    for comes_back in (False, True):
        box = boxed(SwitchScanning(way=Way.INVERSE, dwell_ns=SECOND, loops=3))
        box.press("red first", 2500, 200)
        box.edge("red first", True, 5500)
        box.run(6700)
        box._add(Levels(frozenset(), frozenset({"red first"}), 6700 * MS))  # what a source gives of a device that goes
        box.run(9900)
        assert presses(box) == []
        if comes_back:
            box.press("red first", 10_000, 700)
            box.run(12_000)
            assert presses(box) == [(RED, ROLES[1], 2500)]
        box.run(40_000)
        assert len(presses(box)) == 1
        (remark,) = [line.text for line in box.lines if isinstance(line, Remark) and "pick" in line.text]
        assert ("did not pick" in remark) is not comes_back


def test_a_switch_that_is_held_for_longer_than_a_button_is_ever_held_picks_as_it_is_let_go() -> None:
    box = boxed(SwitchScanning(way=Way.INVERSE, dwell_ns=5 * SECOND, loops=2))
    box.press("red first", 2500, 200)
    box.press("red first", 5500, 16_200)
    box.run(21_000)
    assert presses(box) == []
    assert any("stuck" in alarm for alarm in box.scene.alarms)
    box.run(23_000)
    assert presses(box) == [(RED, ROLES[3], 2500)]


def test_the_referee_enters_the_card_of_a_seat_that_scans_and_the_scan_ends_with_it() -> None:
    box = boxed()
    box.press("yellow hunter", 2450)
    box.press("red first", 2500, error_ns=30_000)
    box.run(3000)
    assert cues(box)[-1][0] == 1
    with pytest.raises(Illegal, match="there is no button axe: it is one of"):
        box.ask(CardFor(seat=RED, role="axe"), 3050)
    assert box.ask(CardFor(seat=RED, role=ROLES[3]), 3200).says == "RED: the card is entered"
    assert cues(box)[-1][0] == 0
    with pytest.raises(Illegal):
        box.ask(CardFor(seat=RED, role=ROLES[0]), 3400)
    box.run(12_000)
    assert presses(box) == [(YELLOW, "hunter", 2450), (RED, ROLES[3], 2500)]
    assert any("the referee entered the card of red" in line.text for line in box.lines if isinstance(line, Remark))
    assert not any("pick" in line.text and "not" in line.text for line in box.lines if isinstance(line, Remark))
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


def test_a_card_that_was_entered_for_a_seat_can_be_taken_back() -> None:
    box = boxed()
    box.press("yellow hunter", 2450)
    box.press("red first", 2500)
    box.ask(CardFor(seat=RED, role=ROLES[3]), 3200)
    box.run(9000)
    while any(told.line.colour is RED for told in standing(box)):
        newest = box.session.match.history.newest_doing()  # type: ignore[union-attr]
        assert newest is not None
        box.ask(TakeBack(line=newest.number), box.now_ms + 100)
    box.run(box.now_ms + 9000)
    assert not any(told.line.colour is RED for told in standing(box))
    assert cues(box)[-1][0] == 0


def standing(box: Desk) -> list[Any]:
    assert box.session.match is not None
    return [told for told in box.session.match.history.standing() if isinstance(told.line, PressLine)]


def test_a_card_that_is_entered_within_the_scan_is_the_one_the_press_is_about() -> None:
    box = boxed(start=True)
    box.press("red first", 2500)
    box.run(2700)
    box.ask(EnterCard(card="buffalo"), 3000)
    box.press("red first", 3700)
    box.run(9000)
    assert box.types()[:3] == ["setup", "reveal", "press"]
    assert [row.colour for row in box.body.rows] == [RED]


def test_a_card_that_is_picked_before_the_one_that_was_turned_is_entered_waits_for_that_one() -> None:
    box = boxed(start=True)
    box.press("red first", 2500)
    box.press("red first", 3700)
    box.run(7000)
    assert presses(box) == []
    assert box.body.menu is not None
    box.ask(EnterCard(card="buffalo"), 8000)
    assert presses(box) == [(RED, ROLES[1], 2500)]


def test_what_would_go_by_an_incomplete_race_is_refused_until_the_card_is_picked() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.run(2800)
    for number, command in enumerate((EndMatch(), TakeBack(line=2, by="Ann"), NoCard())):
        with pytest.raises(Illegal):
            box.ask(command, 2900 + 150 * number)
    box.ask(CloseRace(), 3500)
    assert presses(box) == []
    box.press("red first", 4700)
    box.run(5000)
    assert presses(box) == [(RED, ROLES[2], 2500)]
    assert "judge" in box.types()


def test_two_seats_scan_at_once_and_the_race_waits_for_both() -> None:
    how = SwitchScanning(dwell_ns=SECOND, loops=2)
    box = Desk(seats=("red", "yellow"), play=PlaySettings(switches={RED: how, YELLOW: how}))
    box.ask(EnterCard(card="buffalo"), 2000)
    box.press("yellow first", 2500)
    box.press("red first", 2600)
    box.press("red first", 3000)
    box.run(3200)
    assert presses(box) == []
    box.press("yellow fourth", 4700)
    box.run(5000)
    assert presses(box) == [(YELLOW, ROLES[2], 2500), (RED, ROLES[0], 2600)]


# -- faults ------------------------------------------------------------------------------------------------------------


def test_a_box_that_is_killed_in_mid_scan_offers_the_cards_again_with_the_same_time() -> None:
    box = boxed()
    box.press("yellow hunter", 2450)
    box.press("red first", 2500, error_ns=30_000)
    box.press("blue maiden", 2600)
    box.run(3000)
    kept = [effect.press for effect in box.effects if isinstance(effect, TookIn)]
    still = [press for press in box.kept if press in kept]
    again = boxed(unfinished=unfinished(box.lines, kept=still))
    again.now_ms = 3000.0
    again.session.resume()
    again.run(5200)
    again.press("red first", 5300)
    again.run(5500)
    found = [line for told in again.session.match.history  # type: ignore[union-attr]
             if isinstance(line := told.line, PressLine)]  # fmt: skip
    assert [(line.colour, line.t_ns // MS) for line in found] == [(YELLOW, 2450), (RED, 2500), (BLUE, 2600)]
    assert found[1].error_ns == 30_000
    assert found[1].role == ROLES[2]


def test_a_pick_that_was_cut_off_before_it_was_written_is_told_and_the_cards_are_offered_again() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.run(3000)
    kept = list(box.kept)
    pick = kept[0]._replace(t_ns=2900 * MS)
    again = boxed(unfinished=unfinished(box.lines, kept=[*kept, pick]))
    again.session.resume()
    again.run(1300)
    match = again.session.match
    assert match is not None
    assert any("nothing was offered" in told.line.text for told in match.history if isinstance(told.line, Remark))
    assert RED in match.unpicked
    again.run(10_000)
    assert [(line.colour, line.role, line.t_ns) for told in match.history
            if isinstance(line := told.line, PressLine)] == [(RED, ROLES[3], 2500 * MS)]  # fmt: skip


def test_after_the_power_was_cut_in_mid_scan_the_race_takes_no_more_presses_and_the_card_is_still_picked() -> None:
    box = boxed()
    box.press("red first", 2500)
    box.run(3000)
    again = boxed(unfinished=unfinished(box.lines, same_clock=False, kept=box.kept))
    again.session.resume()
    again.run(2500)
    again.press("red first", 2600)
    again.run(2800)
    match = again.session.match
    assert match is not None
    assert [(line.colour, line.t_ns) for told in match.history
            if isinstance(line := told.line, PressLine)] == [(RED, 2500 * MS)]  # fmt: skip
    assert any(isinstance(told.line, JudgeLine) for told in match.history)


def test_the_record_of_such_a_match_is_judged_the_same_again() -> None:
    box = boxed()
    for at in (2450, 2500, 2600):
        box.press({2450: "yellow hunter", 2500: "red first", 2600: "blue maiden"}[at], at)
    box.press("red first", 3700)
    box.run(9000)
    assert box.session.match is not None
    live = [ruling for told in box.session.match.history for ruling in told.rulings]
    assert list(judge_record(box.record(), registry.find))[: len(live)] == live
