"""What people see: the OLED in each phase, the readable account of a whole match, accounts as tables, views.

After a wanted change: pytest tests/games/big_manitou/test_shown.py --update-golden, and look at all that differs.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from companion.core.play.commands import Choose
from companion.core.record.lines import ByHand, parse_line
from companion.core.ruling.judge import Judge
from companion.screens.oled.picture import render
from companion.screens.text.account import replay_account
from companion.testing.virtual_box import VirtualBox
from companion.testing.walks import only
from tests.games.big_manitou.matches import random_match, setup
from tests.games.big_manitou.table import GAME, Table
from tests.games.big_manitou.test_course import settle
from tests.games.big_manitou.test_refused import at_sharing

ACCOUNT = 9
"""A match in which nothing is taken back or set by hand."""
GOLDEN = Path(__file__).with_name("golden")
PHASES = ("counts", "booty", "choosing", "turns", "where", "eighth", "ride", "thief", "sharing", "final")


def pictured() -> dict[str, Any]:
    """Play a match in a box, and keep the first scene of each phase, the last one of a chosen card, and the end."""
    box = VirtualBox(["red", "yellow", "blue"], "big-manitou", find=only(GAME), games=("big-manitou",), start=False)
    box.session.start(setup("red", "yellow", "blue"))
    box.run(box.now_ms + 50)
    random = Random(4)
    scenes: dict[str, Any] = {}
    match: Any = box.session.match
    while not match.is_over:
        (state, offers) = (match.judge.state, match.offers())
        scenes.setdefault(state.phase.value, box.scene)
        offer = offers[0]
        chosen: list[str] = []
        while offer.is_stepped and hasattr(step := GAME.step(state, offer, chosen), "values"):
            chosen.append(random.choice(step.values).key)
        if offer.kind == "hunt" and "where" not in scenes:
            box.press(f"{offer.seat} fourth", box.now_ms + 10)
            box.press(f"{offer.seat} first", box.now_ms + 200)
            box.run(box.now_ms + 500)
            scenes["where"] = box.scene
        how = {"steps": tuple(chosen)} if offer.is_stepped else {"option": offer.options[0].key}
        box.command(Choose(kind=offer.kind, seat=offer.seat, **how))
        box.run(box.now_ms + 400)
    box.run(box.now_ms + 500)
    return {**scenes, "final": box.scene}


@pytest.fixture(scope="module")
def scenes() -> Any:
    return pictured()


@pytest.mark.parametrize("size", [(128, 64), (256, 64)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("phase", PHASES)
def test_the_display_shows_the_golden_picture(scenes: Any, phase: Any, size: Any, request: Any) -> None:
    picture = render(scenes[phase], size)
    path = GOLDEN / f"{phase}-{size[0]}x{size[1]}.png"
    if request.config.getoption("--update-golden"):
        path.parent.mkdir(exist_ok=True)
        picture.save(path, optimize=True)
    with Image.open(path) as golden:
        assert golden.size == picture.size
        assert golden.convert("1").tobytes() == picture.convert("1").tobytes(), f"{path.name} looks different"


def test_there_is_a_picture_of_every_phase_and_no_other() -> None:
    assert {path.stem.rpartition("-")[0] for path in GOLDEN.glob("*.png")} == set(PHASES)


def test_the_account_of_a_whole_match_reads_so(request: Any) -> None:
    told = "".join(f"{sentence}\n" for sentence in replay_account(random_match(ACCOUNT), only(GAME)))
    path = GOLDEN / "account.txt"
    if request.config.getoption("--update-golden"):
        path.write_text(told, encoding="utf-8")
    assert told == path.read_text(encoding="utf-8")


def test_a_ground_shows_tiles_heroes_totals_and_what_was_turned_down() -> None:
    table = Table("yellow red").laid("tipi 2, tipi 2, horse", "totem", "tipi 1")
    for colour, what in (("red", "scout l"), ("yellow", "4 l"), ("red", "7 l"), ("yellow", "rain_maker l")):
        table.play(colour, what)
    left = next(area for area in GAME.view(table.state).areas if area.name == "left ground")
    assert [(cell.text, cell.owner) for cell in left.cells] == [
        ("2 × tipi 2", None), ("horse", None), ("rain maker", "yellow"), ("hunters 4", "yellow"), ("hunters 7", "red"),
    ]  # fmt: skip
    assert left.note == "1 turned down"
    table.play("red", "medicine_man l")
    left = next(area for area in GAME.view(table.state).areas if area.name == "left ground")
    assert [cell.text for cell in left.cells if cell.owner] == ["medicine man", "hunters 4", "hunters 7"]
    assert left.note == "2 turned down"


def test_a_seat_shows_its_tiles_and_cylinders_and_what_was_set_by_hand() -> None:
    table = at_sharing()
    table.loot("red", "tipi 1", "horse")
    area = next(area for area in GAME.view(table.state).areas if area.name == "red has")
    assert [cell.text for cell in area.cells] == ["tipi 1", "tipi 3", "horse", "horse cylinder"]
    assert area.note == ""
    table.by_hand("red tipis", 9)
    area = next(area for area in GAME.view(table.state).areas if area.name == "red has")
    assert area.note == "corrected by hand"


def test_the_accounts_say_what_each_seat_has_and_what_became_of_each_tile() -> None:
    table = at_sharing()
    table.loot("red", "tipi 1", "horse")
    settle(table)
    points, tiles = GAME.ledgers(table.state)
    assert points.columns == (
        "tipis", "buffaloes", "half of both", "totem", "horse", "most tomahawks", "points", "tiles",
    )  # fmt: skip
    assert [(row.label, row.owner, row.values) for row in points.rows] == [
        ("red", "red", ("3", "0", "1", "0", "1", "0", "2", "2")),
        ("yellow", "yellow", ("0", "0", "0", "1", "0", "0", "1", "1")),
    ]
    assert [(row.label, row.owner, row.values) for row in tiles.rows] == [
        ("hunt 1", "red", ("left", "tipi 1", "strongest hunters")),
        ("hunt 1", "red", ("left", "horse", "strongest hunters")),
        ("hunt 1", None, ("left", "tipi 2", "nobody takes it")),
        ("hunt 1", "red", ("middle", "tipi 3", "by its hero")),
        ("hunt 1", "yellow", ("right", "totem", "strongest hunters")),
        ("hunt 1", "red", ("", "tipi 1", "to the thief")),
    ]
    assert points.note == ""
    table.by_hand("red tipis", 5)
    assert GAME.ledgers(table.state)[0].note


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("red tipis", 5, "by hand: red tipis is 5 (counted again)"),
        ("totem", 2, "by hand: the cylinder of the totem is with seat 2 (counted again)"),
        ("horse", 0, "by hand: the cylinder of the horse is with nobody (counted again)"),
    ],
)
def test_what_is_set_by_hand_is_told_in_words(key: Any, value: Any, says: Any) -> None:
    assert GAME.describe(ByHand(set=key, value=value, reason="counted again")) == says


def test_before_a_hunt_everybody_sees_how_many_cards_to_take_and_how_to_be_ready() -> None:
    table = Table("yellow red blue").grounds(1, 1, 1)
    table.lay("tipi 2", "totem", "tipi 1")
    ready, *each = GAME.view(table.state).areas[:4]
    assert [(area.name, area.cells[0].text) for area in each] == [
        ("YEL chooses", "7"), ("RED chooses", "9"), ("BLU chooses", "8"),
    ]  # fmt: skip
    assert (ready.name, ready.note) == ("ready", "press any button")


def test_a_hunt_is_called_a_hunt_and_tiles_in_the_bag_are_no_cards() -> None:
    view = GAME.view(Table("yellow red").laid("tipi 2, tipi 2, horse", "totem", "tipi 1").state)
    assert (view.phase, view.round, view.hidden) == ("hunt 1, card 1 of 7", None, None)
    assert (view.areas[-1].name, view.areas[-1].cells[0].text) == ("in the bag", "55 tiles")


def test_nothing_lies_on_the_grounds_in_the_end_and_no_table_is_without_a_row() -> None:
    table = Table("yellow red").laid("tipi 2", "totem", "tipi 1")
    assert [ledger.key for ledger in GAME.ledgers(table.state)] == ["points"]
    judge: Any = Judge(only(GAME))
    for number, line in enumerate(random_match(ACCOUNT), start=1):
        judge.feed(parse_line(line, number, judge.extra_lines))
    ended = judge.state
    assert [area.name for area in GAME.view(ended).areas if "ground" in area.name] == []
    assert [ledger.key for ledger in GAME.ledgers(ended)] == ["points", "tiles"]


def test_who_takes_a_tile_is_told_from_which_ground() -> None:
    (offer,) = GAME.offers(at_sharing().state)
    assert offer.prompt == "RED takes (left)"


def test_the_first_one_of_the_setup_is_asked_for_as_who_deals_and_told_so() -> None:
    assert GAME.seats.first == "first dealer"
    assert next(replay_account(random_match(ACCOUNT), only(GAME))).endswith(" First dealer: yellow.")
