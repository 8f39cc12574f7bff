"""The OLED's pictures: nothing is cut or overwritten, and what must be said is there, in words."""

import dataclasses
import itertools

import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config.languages import language
from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.ruling.looks import look_of
from companion.core.ruling.view import View
from companion.core.shown.scene import (
    Choosing,
    Final,
    Idle,
    Invitation,
    Menu,
    MenuItem,
    Results,
    Scene,
    Standing,
    Status,
)
from companion.games.apache.cards import Role
from companion.screens.oled import glyphs
from companion.screens.oled.picture import draw, render
from companion.screens.oled.saying import said, speaking
from companion.screens.oled.symbols import Signs
from tests.amounts import many
from tests.games.harbour import HARBOUR
from tests.screens.scene_strategies import scenes
from tests.screens.scenes import (
    BIG_TURN,
    BOOTY,
    CARD_MENU,
    FULL_VIEW,
    HINTS,
    INDIANS,
    LONG_ALARM,
    LOOK,
    PRISONERS,
    SCENES,
    VIEW,
    WORST_ROWS,
    clock_scene,
    shown,
)

SIZES = [(128, 64), (256, 64)]
both_sizes = pytest.mark.parametrize("size", SIZES, ids=["128x64", "256x64"])

symbol = Signs(LOOK).symbol


def written(scene, size=(128, 64)):
    return [placed.text for placed in draw(scene, size).placed]


def all_of(scene, size=(128, 64)):
    return " ".join(written(scene, size))


@pytest.mark.no_cover  # counting branches makes it three times as slow
@settings(max_examples=many(400))
@given(scenes, st.sampled_from([*SIZES, (128, 128), (131, 70)]))
def test_no_text_of_any_scene_is_cut_or_overwritten(scene, size):
    assert draw(scene, size).faults() == []


@given(scenes)
def test_every_scene_says_something_and_the_same_scene_the_same(scene):
    picture = render(scene, (128, 64))
    assert (picture.mode, picture.size) == ("1", (128, 64))
    assert render(scene, (128, 64)).tobytes() == picture.tobytes()


@given(scenes, st.sampled_from(SIZES))
def test_an_alarm_is_visible_in_every_scene(scene, size):
    scene = dataclasses.replace(scene, alarms=("stuck", "x"), notice="")
    assert any("! stuck" in text for text in written(scene, size))
    assert "!2" in written(scene, size)


@given(scenes, st.sampled_from(SIZES))
def test_a_notice_is_visible_in_every_scene_and_never_hides_that_there_are_alarms(scene, size):
    scene = dataclasses.replace(scene, alarms=("stuck",), notice="refused")
    texts = written(scene, size)
    assert "refused" in texts
    assert any(text.startswith("!") for text in texts)


@both_sizes
def test_text_is_at_least_8_pixels_high(size):
    for scene in SCENES.values():
        assert all(placed.bottom - placed.top >= 8 for placed in draw(scene, size).placed)


@both_sizes
def test_five_players_in_the_worst_race_are_all_there_with_reason_and_error(size):
    scene = SCENES["standing-worst"]
    texts = written(scene, size)
    for row in WORST_ROWS:
        assert row.colour.short in texts
    assert sum("no Indian" in text or "no matching Indian" in text for text in texts) == 3
    assert sum("no booty" in text or "nothing to claim" in text for text in texts) == 2
    assert sum("±999" in text for text in texts) == 5
    assert texts.count(symbol("warrior")) == 5


@pytest.mark.parametrize(
    ("status", "recorded", "says"),
    [
        (Status.PROVISIONAL, True, "provisional…"),
        (Status.CLOSED, True, "closed"),
        (Status.SAVING, True, "saving…"),
        (Status.FINAL, True, "FINAL"),
        (Status.NOT_RECORDED, True, "NOT RECORDED"),
        (Status.FINAL, False, "NOT RECORDED"),
        (Status.PROVISIONAL, False, "NOT RECORDED"),
    ],
)
def test_the_header_says_how_far_an_order_can_be_relied_on(status, recorded, says):
    for body in (Standing(3, WORST_ROWS, status), Results(3, WORST_ROWS, (), status, VIEW)):
        text = all_of(shown(body, recorded=recorded))
        assert says in text
        assert ("FINAL" in text) == (says == "FINAL")


@pytest.mark.parametrize("focus", [-1, 0])
@pytest.mark.parametrize("name", [name for name in SCENES if name not in {"question", "lobby"}])
def test_a_match_that_is_not_recorded_is_never_shown_as_final(name, focus):
    scene = dataclasses.replace(SCENES[name], recorded=False)
    if isinstance(scene.body, Results):
        scene = dataclasses.replace(scene, body=dataclasses.replace(scene.body, focus=focus))
    text = all_of(scene)
    assert "FINAL" not in text
    if name.startswith(("standing", "choosing", "results", "idle", "final")):
        assert "NOT RECORDED" in text


@both_sizes
@pytest.mark.parametrize("cursor", range(len(CARD_MENU.items)))
def test_a_long_menu_shows_the_item_under_the_cursor_and_where_it_is(size, cursor):
    menu = dataclasses.replace(CARD_MENU, cursor=cursor)
    label = menu.items[cursor].label
    for body in (Idle("Apache", VIEW, menu=menu), Standing(3, WORST_ROWS, Status.CLOSED, menu=menu)):
        texts = written(shown(body), size)
        assert any(label.split()[-1] in text for text in texts)
        assert f"{cursor + 1}/{len(menu.items)}" in texts


@both_sizes
def test_each_card_is_spelled_out_with_its_count(size):
    text = all_of(shown(Results(3, (), (BIG_TURN,), Status.FINAL, VIEW, focus=0)), size).replace(glyphs.TIED, " ")
    for words in ("red chief", "blue chief", "2 yellow chiefs", "2 purple chiefs", "green warrior", "5 totem poles"):
        assert words in text
    assert "takes 12 cards" in text


def test_a_claim_of_more_kinds_than_words_fit_is_shown_by_symbols():
    turn = dataclasses.replace(BIG_TURN, cards=INDIANS[:16] + BOOTY)
    text = all_of(shown(Results(3, (), (turn,), Status.FINAL, VIEW, focus=0)))
    for name in INDIANS[:16]:
        colour, role = name.split()
        assert Colour(colour).short + symbol(role) in text


@both_sizes
def test_a_claimant_sees_which_own_button_takes_what(size):
    text = all_of(SCENES["choosing"], size)
    for role, words in (
        (Role.CHIEF, "2 totem + prisoner"),
        (Role.WARRIOR, "1 teepee"),
        (Role.MAIDEN, "wedding + 1 teepee"),
    ):
        assert f"{symbol(role)} {role}:" in text
        assert words in text
    assert "RED" in written(SCENES["choosing"], size)


@both_sizes
def test_all_prisoners_are_shown_at_once_by_colour_and_symbol(size):
    texts = written(SCENES["choosing-prisoner"], size)
    for item in PRISONERS.items[:-1]:
        colour, role = item.label.split()
        assert any(Colour(colour).short in text and symbol(role) in text for text in texts)
    assert any("press the Indian" in text for text in texts)


def test_before_the_first_card_the_box_says_how_to_enter_one():
    text = all_of(SCENES["idle-new"])
    for line in HINTS:
        assert line in text


@both_sizes
@pytest.mark.parametrize("name", [name for name in SCENES if isinstance(SCENES[name].body, Standing)])
def test_no_row_of_a_race_is_without_three_letters_and_symbol(name, size):
    body = SCENES[name].body
    assert isinstance(body, Standing)
    texts = written(SCENES[name], size)
    for row in body.rows:
        assert row.colour.short in texts
        assert symbol(row.role) in texts


def test_where_the_referee_decides_the_knob_is_asked_for():
    menu = Menu("how many", tuple(MenuItem(str(number)) for number in range(30)), 17)
    texts = written(shown(Choosing(1, None, menu)))
    assert "KNOB" in texts
    assert "turn the knob" in texts
    assert "17" in texts


@both_sizes
def test_buttons_are_asked_for_only_where_they_pick_and_are_named(size):
    few = tuple(MenuItem(name, role=role) for name, role in (("mint", "first"), ("sage", "second")))
    many = (*few, *(MenuItem(f"herb {number}") for number in range(9)))
    for seat, items in ((None, few), (Colour.RED, many)):
        text = all_of(shown(Choosing(1, seat, Menu("which herb", items))), size)
        assert "turn" in text
        assert "button" not in text
        assert "first:" not in text
    assert "first: mint" in all_of(shown(Choosing(1, Colour.RED, Menu("which herb", few))), size)


def test_the_end_of_a_match_of_a_game_with_a_long_name_names_the_game():
    body = SCENES["final"].body
    assert isinstance(body, Final)
    scene = dataclasses.replace(SCENES["final"], body=dataclasses.replace(body, game_title="x" * 20))
    assert "x" * 20 in written(scene, (128, 64))


@both_sizes
def test_the_booty_on_a_full_table_is_complete_and_the_rest_is_counted(size):
    scene = shown(Idle("Apache", FULL_VIEW))
    text = all_of(scene, size)
    for kind, count in FULL_VIEW.table[:5]:
        assert f"{symbol(kind)}{count}" in text
    missing = [colour for colour in Colour if f"{colour.short}{symbol('chief')}2" not in text]
    assert not missing or f"+{len(missing)}" in text


@both_sizes
def test_a_shared_victory_names_all_who_share_it(size):
    text = all_of(SCENES["final-all"], size)
    assert "RED YEL GRN BLU PUR" in text
    assert "share the victory" in text


def test_a_long_alarm_is_shortened_on_purpose():
    assert any(
        text.startswith("! the ssd1306") and text.endswith("…") for text in written(shown(VIEW_SCENE, (LONG_ALARM,)))
    )


VIEW_SCENE = Idle("Apache", VIEW)


@pytest.mark.parametrize("size", [(96, 64), (128, 32), (0, 0)])
def test_a_display_that_is_too_small_is_refused(size):
    with pytest.raises(Malformed, match="smallest is 128×64"):
        render(SCENES["idle"], size)


@both_sizes
def test_cards_that_people_call_otherwise_than_the_record_are_named_so_and_keep_their_drawings(size):
    look = look_of(HARBOUR, None)
    lamp = Signs(look).symbol("lantern")
    view = View(scores=((Colour.RED, 1),), score_label="wins", table=(("rope", 2), ("lantern", 1)))
    text = all_of(Scene(Idle("Hafen", view, recent="revealed: Laterne"), look=look, roles=HARBOUR.roles), size)
    assert "Tau 2" in text
    assert f"revealed: {lamp} Laterne" in text
    menu = Menu("", tuple(MenuItem(card.label) for card in HARBOUR.deck))
    items = all_of(Scene(Idle("Hafen", view, menu=menu), look=look, roles=HARBOUR.roles), size)
    assert f"{lamp} Laterne" in items
    assert f"RED {lamp} rotes Ruder" in items
    assert [card.name for card in HARBOUR.deck if card.name in text + items] == []


@both_sizes
@pytest.mark.parametrize("name", ["standing", "standing-one", "standing-worst", "standing-final", "results-five"])
def test_the_rows_of_the_order_are_what_is_seen_first_and_nothing_else(name, size):
    canvas = draw(SCENES[name], size)
    top, bottom = canvas.first
    within = [placed.text for placed in canvas.placed if top <= placed.top and placed.bottom <= bottom]
    header = canvas.placed[0].text
    assert header not in within
    body = SCENES[name].body
    assert isinstance(body, Standing | Results)
    for row in body.rows[:5]:
        assert row.colour.short in within


def test_a_picture_without_an_order_has_nothing_to_be_seen_first():
    assert draw(SCENES["idle"], (128, 64)).first == (0, 0)


@pytest.mark.parametrize("seat", Colour)
@pytest.mark.parametrize("url", ["http://192.168.178.123:8017/", "https://table-box.local:8017/"])
def test_the_code_of_a_seat_has_modules_of_two_pixels_and_leads_to_its_short_address(url, seat):
    canvas = draw(Scene(Invitation(url, "1234", seats=(seat,))), (128, 64))
    modules = segno.make(f"{url}p/{seat}".upper(), error="l", micro=False, boost_error=False).matrix
    around = (64 - 2 * len(modules)) // 2
    assert around >= 4, "no quiet zone is left"
    for row, line in enumerate(modules):
        for column, is_dark in enumerate(line):
            x, y = around + column * 2, around + row * 2
            assert {bool(canvas.image.getpixel((x + dx, y + dy))) for dx in (0, 1) for dy in (0, 1)} == {not is_dark}


OVER_S = (0, -3.2, -63, -3000, -3735, -36_000)
"""What is left of clocks that have run out."""


@both_sizes
@pytest.mark.parametrize("code", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("seats", range(1, 6))
def test_clocks_that_have_run_out_are_told_by_letters_flag_and_time_and_nothing_lies_upon_them(size, code, seats):
    """However many there are, whoever's clock runs; what lies upon another could be read as neither."""
    spoken = language(code)
    for over, flags, running in itertools.product(OVER_S, range(seats + 1), [None, *range(seats), "all"]):
        on = () if running is None else tuple(range(seats)) if running == "all" else (running,)
        left_s = (over,) * flags + (35_999,) * (seats - flags)
        scene = clock_scene(left_s, "paused", on, turn=Colour.RED, flags={n: seats - n for n in range(flags)})
        canvas = draw(scene, size, language=spoken)
        assert canvas.faults() == []
        texts = [placed.text.replace(" ", "") for placed in canvas.placed]
        for number, colour in enumerate(tuple(Colour)[:flags]):
            with speaking(spoken):
                name = f"{said(colour.short)}⚑{seats - number}"
            assert any(text.lstrip("▸") == name for text in texts), (name, texts)
        assert not any("…" in text for text in texts), texts


def test_what_is_left_of_a_clock_that_has_run_out_loses_only_what_there_is_no_room_for():
    scene = clock_scene((565, -3735, -63), "running", (0,), turn=Colour.RED, flags={1: 2, 2: 1})
    assert {"YEL ⚑2", "−1h", "GRN ⚑1", "−1:03"} <= set(written(scene))
    assert {"YEL ⚑2", "−1:02:15"} <= set(written(scene, (256, 64)))
