"""The large pictures: nothing in them is below 16 pixels, nothing is cut, and what the knob picks is always there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PIL import Image

from companion.core.errors import Malformed
from companion.core.panel import Colour
from companion.core.shown.scene import Choosing, Final, Idle, Lobby, Menu, Question, Results, Scene, Standing
from companion.screens.oled.glyphs import MORE
from companion.screens.oled.large import simple
from companion.screens.oled.large.facts import Row, Subject, Words, pages
from companion.screens.oled.large.leafing import Leafing, page_after
from companion.screens.oled.large.picture import draw, layouts
from companion.screens.oled.typefaces import large
from companion.screens.text.scene_lines import lines
from tests.screens.oled.test_golden import GOLDEN, checked
from tests.screens.scenes import SCENES

SMALL = (128, 64)
FACE = large.TYPEFACE
SHOWN = (
    "lobby-full", "idle", "idle-menu", "standing-five", "standing-card", "standing-final", "standing-hidden",
    "standing-allowance-five", "choosing", "choosing-few", "results-five", "results-turn", "question-agree", "final",
    "final-disputed", "invitation-not-certified", "clocks-five", "standing-not-recorded",
    "scanned-choosing",
)  # fmt: skip
"""Scenes of which every picture is compared with a golden one."""


def texts(scene, size=SMALL):
    """Give everything that is written in a scene's pictures, in order."""
    found = []
    for laid in layouts(scene, size):
        for line in (*laid.lines, *laid.foot):
            found += [line.left, line.right]
    return [text for text in found if text]


def drawn(scene, size=SMALL):
    first = draw(scene, size)
    return [draw(scene, size, page) for page in range(first.pages)]


@pytest.mark.parametrize("name", SHOWN)
def test_the_pictures_look_as_they_did(name, request):
    canvases = drawn(SCENES[name])
    strip = Image.new("1", (SMALL[0], (SMALL[1] + 2) * len(canvases) - 2), 1)
    for number, canvas in enumerate(canvases):
        strip.paste(canvas.image, (0, (SMALL[1] + 2) * number))
    checked(GOLDEN / "large" / f"{name}.png", strip, request.config.getoption("--update-golden"))


def test_there_is_no_golden_picture_without_a_scene():
    assert {path.stem for path in (GOLDEN / "large").glob("*.png")} == set(SHOWN)


@pytest.mark.parametrize("size", [SMALL, (256, 64), (128, 128)])
@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_below_16_pixels_nor_off_or_over_anything(name, size):
    for canvas in drawn(SCENES[name], size):
        assert canvas.faults() == []
        assert {placed.bottom - placed.top for placed in canvas.placed} <= {FACE.height}
        assert canvas.image.getbbox() is not None


@pytest.mark.parametrize("name", SCENES)
def test_nothing_is_cut_short(name):
    """Whatever stands in a picture ends with an ellipsis only where the scene's own words do, or mean "not yet"."""
    said = " ".join(lines(SCENES[name]))
    for text in texts(SCENES[name]):
        if text.endswith(MORE) and f"{text.removesuffix(MORE).split()[-1]}{MORE}" not in said:
            assert text.split()[-1] in {f"provisional{MORE}", f"closed{MORE}", f"saving{MORE}", MORE}, text


@pytest.mark.parametrize("name", [name for name, scene in SCENES.items() if isinstance(scene.body, Standing | Results)])
def test_every_place_of_a_race_is_told_with_its_gap_or_punishment(name):
    body = SCENES[name].body
    if (isinstance(body, Results) and body.focus >= 0) or SCENES[name].notice:
        return
    assert isinstance(body, Standing | Results)
    said = texts(SCENES[name])
    for row in body.rows:
        assert any(text == f"{row.place} {row.colour.short}" for text in said), row
        assert (row.verdict == "punish") == any(row.colour.short in text for text in punished(SCENES[name]))


def punished(scene):
    return [line.left for laid in layouts(scene, SMALL) for line in laid.lines if line.right == "punished"]


@pytest.mark.parametrize("name", SCENES)
def test_what_the_knob_would_pick_is_on_every_picture(name):
    scene = SCENES[name]
    body = scene.body
    menu = body.menu if isinstance(body, Lobby | Question | Final | Standing) else None
    if isinstance(body, Choosing) and body.menu.seat is not None:
        menu = body.menu
    if menu is None or not menu.items or scene.alarms or not scene.recorded:
        return
    item = menu.items[menu.cursor]
    own = [laid for laid in layouts(scene, SMALL) if laid.foot] or pytest.fail("no picture has it")
    assert own == layouts(scene, SMALL)[: len(own)]
    for laid in own:
        assert item.label in " ".join(line.left for line in laid.foot)
        assert item.value in " ".join(line.right for line in laid.foot)


@pytest.mark.parametrize("simply", [False, True])
def test_what_a_switch_would_pick_of_a_choice_can_be_seen(simply):
    """Wherever the pictures are leafed to: the first comes back with each step of the scan."""
    draws, scene = simple.draw if simply else draw, SCENES["scanned-choosing"]
    body = scene.body
    assert isinstance(body, Choosing)
    menus = [replace(body.menu, cursor=n) for n in range(len(body.menu.items))]
    looks = [draws(replace(scene, body=replace(body, menu=menu)), SMALL).image.tobytes() for menu in menus]
    assert len(set(looks)) == len(looks) > 2


def test_an_open_menu_shows_its_item_and_place():
    body = SCENES["idle-menu"].body
    assert isinstance(body, Idle)
    assert body.menu is not None
    menu = Menu("pick", tuple(replace(body.menu.items[0], label=f"card {n}") for n in range(3)), 1)
    idle = replace(body, menu=menu)
    assert texts(Scene(idle)) == ["pick", "2/3", "card 1"]


def test_a_notice_comes_before_everything_else_and_leaves_the_knob_s_item():
    scene = replace(SCENES["standing-card"], notice="refused: no third red chief")
    (laid,) = layouts(scene, SMALL)
    assert " ".join(line.left for line in laid.lines) == "refused: no third red chief"
    assert laid.foot


def test_a_clock_that_runs_is_seen_below_a_notice():
    scene = replace(SCENES["clocks-two"], notice="nothing to do")
    (laid,) = layouts(scene, SMALL)
    assert [line.left for line in laid.foot] == ["▸ RED"]


def test_an_alarm_and_a_disk_that_cannot_store_have_pictures_of_their_own():
    scene = replace(SCENES["idle"], alarms=("no sound: the buzzer has gone", "a button is stuck"), recorded=False)
    said = " ".join(texts(scene))
    assert "NOT RECORDED" in said
    assert "no sound: the buzzer has gone" in said
    assert "a button is stuck" in said


def test_a_private_choice_shows_nothing_of_what_can_be_chosen():
    body = SCENES["choosing"].body
    assert isinstance(body, Choosing)
    menu = Menu("RED bids", tuple(replace(body.menu.items[0], label=label) for label in ("3", "7")))
    said = " ".join(texts(Scene(Choosing(None, Colour.RED, menu, is_private=True))))
    assert "3" not in said
    assert "7" not in said


def test_a_display_that_is_too_small_is_named():
    with pytest.raises(Malformed, match="128×32 pixels is too small"):
        draw(SCENES["idle"], (128, 32))


# -- laying out ------------------------------------------------------------------------------------------------------


def laid(*facts, head=None, foot=None, lines=4, width=128):
    return pages(Subject(head, facts, foot), FACE, (width, lines))


def test_facts_that_fit_share_a_picture_and_no_fact_is_parted_that_need_not_be():
    three = (Row(("one",)), Words("two"), Words("three"))
    found = laid((Words("first"),), (Words("second"),), three)
    assert [[line.left for line in page.lines] for page in found] == [["first", "second"], ["one", "two", "three"]]


def test_what_is_longer_than_a_picture_goes_on_under_its_first_line():
    words = Words("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma")
    found = laid((Row(("3 RED",), ("+1.2 s",)), words), head=Row(("#3",)))
    assert len(found) > 2
    assert all(page.lines[1].left == "3 RED" for page in found)
    told = " ".join(line.left for page in found for line in page.lines[2:])
    assert told == words.text


def test_the_heading_says_which_picture_it_is_where_there_is_room():
    found = laid(*((Words(f"fact {n}"),) for n in range(5)), head=Row(("table",), inverse=True))
    assert [page.lines[0].right for page in found] == ["1/2", "2/2"]


def test_a_right_text_that_does_not_fit_stands_below_the_left_one():
    (page,) = laid((Row(("2 YEL",), ("+24 µs and a half ±40 µs",)),))
    assert page.lines[0].left == "2 YEL"
    assert page.lines[1].right.startswith("+24 µs")


def test_a_word_wider_than_the_display_is_broken_after_a_mark_and_nothing_of_it_is_lost():
    address = "companion-of-the-third-table.local:8017"
    (page,) = laid((Words(address),))
    assert "".join(line.left for line in page.lines) == address
    assert all(FACE.width(line.left) <= 128 for line in page.lines)
    assert page.lines[0].left.endswith("-")


# -- leafing ---------------------------------------------------------------------------------------------------------


class Leaves:
    """Draws numbers: picture `page` of `count`; the first one's look can be changed."""

    def __init__(self, count):
        self.count, self.look, self.asked = count, 0, []

    def __call__(self, scene, size, page):
        self.asked.append(page)
        canvas = draw(scene, size)
        canvas.pages = self.count
        canvas.image = Image.new("1", size)
        canvas.image.putpixel((page, self.look), 1)
        return canvas


def test_pictures_take_turns_and_the_first_comes_again():
    leaves = Leaves(3)
    leafing = Leafing(leaves, leaf_ns=100)
    scene = SCENES["idle"]
    leafing.picture(scene, SMALL, 0, is_new=True)
    assert leafing.next_ns() == 100
    for now in (50, 100, 150, 200, 300):
        leafing.picture(scene, SMALL, now, is_new=False)
    assert leaves.asked == [0, 0, 1, 1, 2, 0]


def test_a_new_scene_whose_first_picture_is_the_same_goes_on_where_one_was_reading():
    leaves = Leaves(3)
    leafing = Leafing(leaves, leaf_ns=100)
    leafing.picture(SCENES["idle"], SMALL, 0, is_new=True)
    leafing.picture(SCENES["idle"], SMALL, 100, is_new=False)
    leafing.picture(SCENES["idle"], SMALL, 120, is_new=True)
    assert leaves.asked[-1] == 1
    leaves.look = 5
    leafing.picture(SCENES["idle"], SMALL, 130, is_new=True)
    assert leaves.asked[-1] == 0
    assert leafing.next_ns() == 230


def test_a_scene_of_fewer_pictures_never_shows_one_that_is_not_there():
    leaves = Leaves(5)
    leafing = Leafing(leaves, leaf_ns=100)
    leafing.picture(SCENES["idle"], SMALL, 0, is_new=True)
    for turn in range(1, 5):
        leafing.picture(SCENES["idle"], SMALL, 100 * turn, is_new=False)
    leaves.count = 2
    leafing.picture(SCENES["idle"], SMALL, 450, is_new=True)
    assert leaves.asked[-1] == 0


def test_one_picture_is_drawn_once_and_never_leafed():
    leaves = Leaves(1)
    leafing = Leafing(leaves, leaf_ns=100)
    leafing.picture(SCENES["idle"], SMALL, 0, is_new=True)
    assert leaves.asked == [0]
    assert leafing.next_ns() is None


def test_pages_leaf_by_how_long_a_scene_has_stood():
    assert [page_after(t, 100) for t in (-5, 0, 99, 100, 350)] == [0, 0, 0, 1, 3]


def test_leafed_pictures_of_a_real_scene_are_all_different():
    images = [canvas.image.tobytes() for canvas in drawn(SCENES["results-five"])]
    assert len(set(images)) == len(images) > 3
    assert isinstance(SCENES["idle"].body, Idle)
