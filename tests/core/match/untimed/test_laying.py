"""Untimed play at the whole box: laid face down in one's own time, told by nothing, shown together, tied."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import Illegal
from companion.core.match.laying import TAKEN_UP
from companion.core.panel import Colour
from companion.core.play.commands import CloseRace, EndMatch, EnterCard, NewMatch, Player, PlayNone, TakeBack
from companion.core.record.lines import PressLine, Remark
from companion.core.ruling.judge import judge_record
from companion.core.ruling.rulings import Fault, Order
from companion.core.shown.scene import Question, Standing, Status
from companion.core.timing.events import MS
from companion.games import registry
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from companion.screens.web.state import state_document
from tests.amounts import many
from tests.core.play.test_commands import Desk

RED, YELLOW, GREEN, BLUE, _ = Colour
ROLES = registry.find("apache").roles


def seated(game: str = "apache", **options: object) -> Desk:
    given = {"timing": "untimed", "dead_heat": "clockwise"} | options
    return Desk(("red", "yellow", "blue"), game, **given)


def begun() -> Desk:
    box = seated()
    box.ask(EnterCard(card="buffalo"), 2000)
    return box


def pressed(box: Desk) -> list[PressLine]:
    return [line for line in box.lines if isinstance(line, PressLine)]


def order(box: Desk) -> list[str]:
    orders = [ruling for ruling in judge_record(box.record(), registry.find) if isinstance(ruling, Order)]
    return [f"{place.colour} {place.role}" for place in orders[-1].order]


def remarks(box: Desk) -> list[str]:
    return [line.text for line in box.lines if isinstance(line, Remark)]


def shown(box: Desk) -> str:
    """All that display, lines, pages and log say, and what is in the record."""
    snapshot = box.session.snapshot(round(box.now_ms * MS))
    texts = [placed.text for size in ((128, 64), (256, 64)) for placed in draw(box.scene, size).placed]
    race = snapshot.match.race if snapshot.match else None
    page = state_document(snapshot, 1)
    said = {key: page[key] for key in ("race", "waits") if key in page}
    return "\n".join((*lines(box.scene), *texts, repr(race), repr(said), *box.logs(), *map(repr, box.lines[1:])))


def test_cards_are_shown_together_at_one_instant_once_every_seat_has_laid_one() -> None:
    box = begun()
    box.press("blue maiden", 3000)
    box.press("red hunter", 9000)
    box.run(60_000)
    assert isinstance(box.body, Standing)
    assert (box.body.made, box.body.hidden_for, box.body.without) == ((RED, BLUE), (YELLOW,), ())
    assert (box.body.status, box.body.closes_at_ns, pressed(box)) == (Status.PROVISIONAL, None, [])
    box.press("yellow chief", 70_000)
    box.run(70_300)
    assert [(line.colour, line.role) for line in pressed(box)] == [
        (RED, "hunter"), (YELLOW, "chief"), (BLUE, "maiden"),
    ]  # fmt: skip
    assert {(line.t_ns, line.error_ns) for line in pressed(box)} == {(70_000 * MS, 0)}
    assert box.types()[box.types().index("close") :][:2] == ["close", "judge"]


def test_the_policy_of_the_match_and_no_time_decides_the_order() -> None:
    found = set()
    for turn in permutations(("red hunter", "yellow chief", "blue maiden")):
        box = begun()
        for index, label in enumerate(turn):
            box.press(label, 3000 + 700 * index)
        box.run(6000)
        found.add(tuple(order(box)))
    assert found == {("red hunter", "yellow chief", "blue maiden")}


def test_by_lots_they_are_drawn() -> None:
    box = seated(dead_heat="lots")
    box.ask(EnterCard(card="buffalo"), 2000)
    for index, label in enumerate(("red hunter", "yellow chief", "blue maiden")):
        box.press(label, 3000 + 700 * index)
    box.run(6000)
    assert sorted(order(box)) == ["blue maiden", "red hunter", "yellow chief"]


def test_which_card_lies_there_is_told_by_nothing() -> None:
    box = begun()
    for at_ms, label in ((3000, "blue maiden"), (3500, "blue chief"), (4000, "red hunter")):
        box.press(label, at_ms)
        for later in (1, 3, 10, 25, 100, 400):
            box.run(at_ms + later)
            assert not [role for role in ROLES if role in shown(box)], (at_ms, later)


def test_another_button_changes_the_card_and_the_same_one_again_keeps_it() -> None:
    box = begun()
    for at_ms, label in ((3000, "red chief"), (3300, "red hunter"), (3600, "red hunter"), (4000, "blue maiden")):
        box.press(label, at_ms)
    box.press("yellow chief", 5000)
    box.run(5300)
    assert [line.role for line in pressed(box)] == ["hunter", "chief", "maiden"]
    assert remarks(box) == ["red changed its card 1 time before all were shown"]


def test_whoever_plays_none_is_not_waited_for_and_may_lay_one_after_all() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.ask(PlayNone(seat=YELLOW), 4000)
    assert isinstance(box.body, Standing)
    assert (box.body.made, box.body.without, box.body.hidden_for) == ((RED,), (YELLOW,), (BLUE,))
    box.press("yellow chief", 5000)
    box.run(5300)
    assert isinstance(box.body, Standing)
    assert (box.body.made, box.body.without) == ((RED, YELLOW), ())
    box.ask(PlayNone(seat=YELLOW), 6000)  # takes the card up again
    box.press("blue maiden", 7000)
    box.run(7300)
    assert [line.colour for line in pressed(box)] == [RED, BLUE]
    assert "yellow plays no card this time (4000000000 ns ± 0 ns)" in remarks(box)


def test_where_nobody_plays_there_is_no_race() -> None:
    box = begun()
    for index, colour in enumerate((RED, YELLOW, BLUE)):
        box.ask(PlayNone(seat=colour), 3000 + 500 * index)
    assert not isinstance(box.body, Standing)
    assert "close" not in box.types()
    with pytest.raises(Illegal, match="not playing"):
        box.ask(PlayNone(seat=GREEN), 6000)


def test_a_new_card_asks_everybody_again() -> None:
    box = begun()
    box.ask(PlayNone(seat=RED), 3000)
    box.ask(EnterCard(card="teepee"), 4000)
    box.press("yellow chief", 5000)
    box.press("blue chief", 5500)
    box.run(5800)
    assert isinstance(box.body, Standing)
    assert box.body.hidden_for == (RED,)


def test_the_referee_may_show_them_before_and_whoever_has_not_laid_one_plays_none() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.ask(CloseRace(), 4000)
    assert [(line.colour, line.t_ns) for line in pressed(box)] == [(RED, 4000 * MS)]


def test_the_knob_shows_them_and_says_who_plays_none() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.run(3300)
    box.turn(1, 3400)
    box.run(3500)
    says = [item.says for item in box.menu().items]
    assert says[:4] == ["show the cards", "plays none RED", "plays none YEL", "plays none BLU"]
    box.turn(2, 3600)
    box.click(3700)
    box.run(4000)
    assert isinstance(box.body, Standing)
    assert box.body.without == (YELLOW,)
    assert box.scene.notice == "YEL plays no card this time"


def test_a_press_after_the_show_is_none_of_the_next_race() -> None:
    box = begun()
    for index, label in enumerate(("red hunter", "yellow chief", "blue maiden")):
        box.press(label, 3000 + 100 * index)
    box.press("yellow hunter", 3500)
    box.run(3900)
    assert len(pressed(box)) == 3
    assert len(remarks(box)) == 1
    assert remarks(box)[0].endswith("a press lays no card: the cards are shown already (3500000000 ns ± 20000 ns)")
    assert not box.session.match.face_down  # type: ignore[union-attr]


def test_cards_that_are_laid_before_theirs_is_known_wait_for_it() -> None:
    box = seated()
    for index, label in enumerate(("red hunter", "yellow chief", "blue maiden")):
        box.press(label, 3000 + 500 * index)
    box.run(5000)
    assert isinstance(box.body, Standing)
    assert box.body.menu is not None
    assert "Which card?" in box.body.menu.title
    assert pressed(box) == []
    assert len(box.kept) == 3
    box.ask(EnterCard(card="buffalo"), 8000)
    assert {line.t_ns for line in pressed(box)} == {4000 * MS}
    box.run(8200)
    assert box.kept == []


def test_what_lies_face_down_is_taken_up_again_by_taking_back() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.run(3300)
    box.edge("knob push", True, 3400)
    box.edge("knob push", False, 4600)
    box.run(4500)
    assert isinstance(box.body, Question)
    assert box.body.lines == ("1 card lies face down",)
    box.run(4700)
    box.click(4800)
    box.run(5100)
    assert not isinstance(box.body, Standing)
    assert TAKEN_UP in remarks(box)
    assert box.kept == []


def test_the_desk_takes_them_up_and_nothing_else_goes_past_them() -> None:
    box = begun()
    box.press("red hunter", 3000)
    box.run(3300)
    with pytest.raises(Illegal, match="face down"):
        box.ask(EndMatch(), 3400)
    assert box.ask(TakeBack(line=0), 3500).says == "taken up again: 1 card lies face down"


def test_the_game_order_is_played_untimed_without_waiting_for_late_presses() -> None:
    box = seated("order")
    for index, label in enumerate(("red first", "yellow first", "blue first")):
        box.press(label, 3000 + 500 * index)
    box.run(4300)
    assert "judge" in box.types()
    assert box.body.__class__.__name__ == "Results"


@pytest.mark.parametrize("game", [name for name in registry.names() if not registry.find(name).race_name])
def test_a_game_without_races_is_never_untimed(game: str) -> None:
    fewest = registry.find(game).seats.fewest
    box = Desk((), game, start=False)
    players = tuple(Player(colour) for colour in list(Colour)[: max(2, fewest)])
    try:
        box.ask(NewMatch(seats=players, game=game, timing="untimed"), 2000)
    except Illegal as refused:
        pytest.skip(str(refused))
    assert box.session.match.setup.timing == "race"  # type: ignore[union-attr]


def test_times_decide_nothing_so_that_the_earlier_one_is_refused_and_the_usual_is_clockwise() -> None:
    box = Desk((), "apache", start=False)
    seats = (Player(RED), Player(BLUE, allowance_ms=500))
    with pytest.raises(Illegal, match="not the earlier time"):
        box.ask(NewMatch(seats=seats, timing="untimed", dead_heat="timestamp"), 2000)
    box.ask(NewMatch(seats=seats, timing="untimed"), 2500)
    setup = box.session.match.setup  # type: ignore[union-attr]
    assert (setup.dead_heat, [seat.allowance_ms for seat in setup.seats]) == ("clockwise", [0, 0])


def test_the_seating_offers_a_policy_that_needs_no_times() -> None:
    box = Desk(("red", "blue"), "apache", start=False)
    box.pick("timing", 2000)
    assert box.scene.notice == "dead heats go clockwise"
    items = {item.label: item.value for item in box.menu().items}
    assert (items["timing"], items["dead heat"], "window" in items) == ("untimed", "clockwise", False)
    box.pick("dead heat", 3000)
    assert {item.label: item.value for item in box.menu().items}["dead heat"] == "lots"
    box.pick("start", 4000)
    assert box.session.match.setup.timing == "untimed"  # type: ignore[union-attr]


BUTTONS = [f"{colour} {role}" for colour in ("red", "yellow", "blue") for role in ROLES]
moves = st.lists(
    st.one_of(st.sampled_from(BUTTONS), st.sampled_from([RED, YELLOW, BLUE]), st.just("show")), max_size=14
)


def played(box: Desk, doings: list[object], from_ms: float = 3000) -> None:
    """Lay cards, say who plays none, show; what is refused is."""
    at_ms = from_ms
    for one in doings:
        at_ms += 200
        if isinstance(one, Colour):
            box.now_ms = max(box.now_ms, at_ms)
            box.command(PlayNone(seat=one))
        elif one == "show":
            box.command(CloseRace())
        else:
            box.press(str(one), at_ms)
        box.run(at_ms + 150)


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(moves)
@settings(max_examples=many(60), deadline=None)
def test_every_card_is_shown_once_and_none_before(doings: list[object]) -> None:
    box = begun()
    laid: dict[str, str] = {}
    at_ms = 3000.0
    for one in doings:
        at_ms += 200
        before = len(pressed(box))
        is_open = box.session.match.must_decide() is None  # type: ignore[union-attr]
        played(box, [one], at_ms - 200)
        if not isinstance(one, Colour) and one != "show" and is_open and before == 0:
            colour, laid_role = str(one).split()
            laid[colour] = laid_role
        if isinstance(one, Colour):
            laid.pop(one.value, None)
        if pressed(box):
            assert {str(line.colour): line.role for line in pressed(box)} == laid
            assert len({line.t_ns for line in pressed(box)}) == 1
            break
    assert not any(isinstance(ruling, Fault) for ruling in judge_record(box.record(), registry.find))


@pytest.mark.no_cover  # counting branches makes it three times as slow
@given(st.permutations(["red hunter", "yellow chief", "blue maiden"]), st.integers(0, 3), st.integers(0, 3))
@settings(max_examples=many(40), deadline=None)
def test_what_is_seen_does_not_depend_on_the_order_nor_on_the_cards(turn: list[str], other: int, laid: int) -> None:
    """Two boxes on which the same seats have laid cards look the same, whatever the cards and whoever was first."""
    count = min(laid, 2)
    one, two = begun(), begun()
    for index, label in enumerate(turn[:count]):
        one.press(label, 3000 + 300 * index)
    for index, label in enumerate(reversed(turn[:count])):
        two.press(f"{label.split()[0]} {ROLES[other]}", 3000 + 300 * index)
    one.run(5000)
    two.run(5000)
    assert one.scene == two.scene
    assert shown(one) == shown(two)
    assert one.record() == two.record()
