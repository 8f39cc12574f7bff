"""A press before anybody can have seen its card is told at once and in the order; a card turned in a race waits."""

from __future__ import annotations

from companion.core.errors import CompanionError
from companion.core.match.anticipated import anticipated
from companion.core.match.held_cards import HeldCard
from companion.core.panel import Colour
from companion.core.play.commands import Done, TakeBack, scan_card
from companion.core.play.session import Session
from companion.core.record.lines import Anticipation, Remark, Reveal
from companion.core.ruling.rulings import Order
from companion.core.timing.events import MS
from tests.core.play.virtual_box import VirtualBox, live_rulings, unfinished

FLAG = Anticipation("flag", 100)


def box_of(rule: Anticipation | None = FLAG) -> VirtualBox:
    """Red and yellow; a buffalo face up."""
    box = VirtualBox(seats=("red", "yellow"), anticipation=rule)
    box.pick("buffalo", 2000)
    return box


def scan(box: VirtualBox, card: str, at_ms: float) -> list[Done | CompanionError]:
    """Have a scanner see a card being turned."""
    box.run(at_ms)

    def turned(session: Session, _t_ns: int) -> Done:
        assert session.match is not None
        return scan_card(session, session.match, HeldCard(card, round(at_ms * MS), f"scanned 1: {card}", "scanner"))

    return box.request(turned)


def take_back(box: VirtualBox, line: int) -> list[Done | CompanionError]:
    done = box.command(TakeBack(reason="not turned", by="Ann", line=line))
    box.run(box.now_ms + 500)
    return done


def order(box: VirtualBox) -> Order:
    return next(ruling for ruling in live_rulings(box) if isinstance(ruling, Order))


def too_soon(box: VirtualBox) -> frozenset[Colour]:
    assert box.session.match is not None
    return anticipated(box.session.match)


def test_after_a_reboot_no_press_is_held_against_a_card_that_was_turned_before() -> None:
    before = box_of(Anticipation("punish", 100))
    scan(before, "red hunter", 40_000)
    before.run(40_200)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, same_clock=False))
    box.click(2000)
    box.run(2300)
    assert box.types() == ["restart"]
    box.press("red hunter", 3000)
    box.run(7000)
    (place,) = order(box).order
    assert place.why is None
    assert too_soon(box) == frozenset()


def test_taking_back_the_newest_line_after_a_reboot_is_about_what_somebody_did() -> None:
    before = box_of()
    before.reveal("red hunter", 4000)
    box = VirtualBox(seats=("red", "yellow"), unfinished=unfinished(before.lines, same_clock=False))
    box.click(2000)
    box.run(2300)
    (taken,) = take_back(box, 3)
    assert taken == Done('taken back by Ann: "revealed: red hunter" (not turned)')
    assert box.types() == ["restart", "undo", "undo", "restart"]
    (taken,) = take_back(box, 2)
    assert taken == Done('taken back by Ann: "revealed: buffalo" (not turned)')


def test_a_scanned_card_says_when_it_was_turned() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.run(4200)
    assert box.lines[-2:] == [
        Reveal(card="red hunter", t_ns=4000 * MS, turned=True), Remark(text="scanned 1: red hunter", source="scanner"),
    ]  # fmt: skip


def test_a_press_99_ms_after_its_card_is_too_soon_is_heard_at_once_and_told_in_the_order() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.press("red hunter", 4099)
    box.run(4300)
    assert too_soon(box) == {Colour.RED}
    assert box.tones()[-1] == "refused"
    box.run(9000)
    (place,) = order(box).order
    assert (place.anticipated, place.verdict) == (True, "claim")


def test_a_press_100_ms_after_its_card_is_not() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.press("red hunter", 4100, error_ns=0)
    box.run(4300)
    assert too_soon(box) == frozenset()
    assert box.tones()[-1] == "accepted"
    box.run(9000)
    assert order(box).order[0].anticipated is False


def test_what_could_claim_before_the_card_was_there_is_never_too_soon() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    scan(box, "buffalo", 5000)
    box.press("red hunter", 5010)
    box.run(5200)
    assert too_soon(box) == frozenset()


def test_without_the_rule_nothing_is_said_of_it() -> None:
    box = box_of(None)
    scan(box, "red hunter", 4000)
    box.press("red hunter", 4010)
    box.run(4300)
    assert too_soon(box) == frozenset()
    assert box.tones()[-1] == "accepted"


def test_by_the_other_rule_it_is_punished() -> None:
    box = box_of(Anticipation("punish", 100))
    scan(box, "red hunter", 4000)
    box.press("red hunter", 4010)
    box.run(9000)
    assert (order(box).order[0].verdict, order(box).order[0].why) == ("punish", "anticipated")


def test_a_card_turned_more_than_a_second_into_a_race_waits_until_it_is_judged_and_keeps_its_time() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.press("red hunter", 5000)
    answer = scan(box, "teepee", 6001)
    box.run(6200)
    assert [done.says for done in answer if isinstance(done, Done)] == ["teepee waits until the race is judged"]
    assert box.types()[-1] == "press"
    box.run(9000)
    assert box.types()[-4:] == ["close", "judge", "reveal", "remark"]
    assert box.lines[-2] == Reveal(card="teepee", t_ns=6001 * MS, turned=True)


def test_a_card_turned_within_a_second_of_the_first_press_is_what_the_race_is_about() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.press("red hunter", 5000)
    scan(box, "teepee", 6000)
    box.run(6200)
    assert box.types()[-2:] == ["reveal", "remark"]


def test_a_card_that_waited_and_does_not_fit_is_told() -> None:
    box = box_of()
    scan(box, "red hunter", 4000)
    box.press("red hunter", 5000)
    scan(box, "no such card", 6500)
    box.run(9000)
    last = box.lines[-1]
    assert isinstance(last, Remark)
    assert last.text.startswith("no such card was turned while a race ran, and could not be entered after it: ")


def test_a_card_that_is_seen_while_somebody_chooses_waits_for_the_choice() -> None:
    box = box_of()
    box.pick("teepee", 3000)
    scan(box, "red hunter", 4000)
    box.press("red hunter", 5000)
    box.run(9000)
    assert box.session.match is not None
    assert box.session.match.must_decide() is not None
    scan(box, "tomahawk", 10_000)
    box.run(10_100)
    assert box.types()[-1] == "judge"
    box.press("red chief", 11_000)
    box.run(12_000)
    assert box.types()[-3:] == ["claim", "reveal", "remark"]
