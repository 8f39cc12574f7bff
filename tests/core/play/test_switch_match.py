"""A whole match of Apache by one switch beside a seat of buttons, from the seating to the accepted result."""

from __future__ import annotations

from companion.core.panel import Colour
from companion.core.play.commands import EndMatch, EnterCard
from companion.core.record.lines import Sign
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.scene import Final
from companion.games import registry
from companion.games.apache.lines import Claim
from tests.core.play.test_commands import Desk
from tests.core.play.test_switch_elsewhere import PLAY, pick


def test_a_whole_match_is_played_by_one_switch_from_the_seating_to_the_accepted_result() -> None:
    box = Desk(seats=(), play=PLAY, start=False)
    box.press("red first", 1200)
    box.press("yellow first", 1400)
    box.press("red first", 2000)
    box.run(2300)
    pick(box, "start")
    assert box.session.match is not None
    for cards, card, claims in (
        (("red hunter", "buffalo", "teepee"), "hunter", "1 teepee"),
        (("red chief", "totem pole"), "chief", ""),
        (("necklace",), "maiden", ""),
    ):
        for name in cards:
            box.ask(EnterCard(card=name), box.now_ms + 1500)
        box.press("red first", box.now_ms + 100)
        box.press("yellow hunter", box.now_ms + 150)
        box.run(box.now_ms + 300)
        pick(box, card)
        if claims:
            pick(box, claims)
        box.run(box.now_ms + 3000)
    orders = [r for told in box.session.match.history for r in told.rulings if isinstance(r, Order)]
    assert [[place.colour for place in order.order] for order in orders] == [[Colour.RED, Colour.YELLOW]] * 3
    assert Claim(colour=Colour.RED, take="teepees") in box.lines
    box.ask(EndMatch(), box.now_ms + 100)
    box.run(box.now_ms + 1500)
    assert isinstance(box.body, Final)
    box.press("red first", box.now_ms + 100)
    box.run(box.now_ms + 300)
    pick(box, "accept the result")
    assert [line.colour for line in box.lines if isinstance(line, Sign)] == [Colour.RED]
    rulings = list(judge_record(box.record(), registry.find))
    assert not any(isinstance(ruling, Fault) for ruling in rulings)
