"""Scenes as text: everything the picture says, in whole words, and nothing cut."""

import pytest
from hypothesis import given

from companion.core.panel import Colour
from companion.core.shown.scene import Results, Row, Standing, Status, Turn
from companion.core.timing.events import MS
from companion.screens.text.scene_lines import lines
from companion.screens.text.wording import duration, error, gap, lead, remaining
from tests.screens.scene_strategies import scenes
from tests.screens.scenes import BIG_TURN, HUNTER, LOOK, PURPLE, RAID, RED, SCENES, US, VIEW, WORST_ROWS, shown


def text(scene):
    return "\n".join(lines(scene))


def test_a_race_is_told_with_places_gaps_reasons_and_the_late():
    assert text(SCENES["standing-late"]).splitlines() == [
        "Pow-Wow 3: FINAL",
        "1 YEL hunter first",
        "2 PUR hunter +83.4 ms",
        "3 RED chief +1.20 s, punished: no red chief is face up",
        "too late: RED hunter",
        "too late: GRN chief",
    ]


def test_a_dead_heat_is_told_with_its_error():
    assert "2 YEL maiden +24 µs ±40 µs, dead heat" in lines(SCENES["standing-five"])


@pytest.mark.parametrize("status", Status)
def test_how_far_an_order_can_be_relied_on_is_in_its_first_line(status):
    said = lines(shown(Standing(1, WORST_ROWS, status)))[0]
    assert ("FINAL" in said) == (status is Status.FINAL)
    assert ("NOT RECORDED" in said) == (status is Status.NOT_RECORDED)


def test_every_card_taken_is_named_and_who_gave_buffalo():
    said = text(shown(Results(3, WORST_ROWS, (BIG_TURN, RAID), Status.FINAL, VIEW)))
    assert "RED chief takes red chief, blue chief, 2 yellow chiefs, 2 purple chiefs, green warrior" in said
    assert "5 totem poles" in said
    assert "tribute: 1 from RED, 1 from YEL, 1 from BLU" in said


def test_leafing_through_the_turns_says_nothing_new():
    assert lines(SCENES["results"]) == lines(SCENES["results-turn"])


def test_a_long_menu_is_told_by_its_item_and_position():
    assert "Which card? (8 of 26): red warrior" in lines(SCENES["standing-card"])


def test_choices_are_told_with_the_button_that_takes_them():
    assert text(SCENES["choosing"]).splitlines()[:2] == ["Pow-Wow 3: RED takes", "  chief: 2 totem + prisoner"]


def test_a_notice_that_the_scene_says_already_is_not_repeated():
    scene = shown(SCENES["idle"].body, notice="revealed: red hunter")
    assert lines(scene).count("revealed: red hunter") == 1
    assert "note: x" in lines(shown(SCENES["idle"].body, notice="x"))


@given(scenes)
def test_every_alarm_and_every_fault_of_the_journal_is_told_whole(scene):
    said = lines(scene)
    assert all(f"ALARM: {alarm}" in said for alarm in scene.alarms)
    assert scene.recorded or "NOT RECORDED" in said


@pytest.mark.parametrize(
    ("gap_ns", "dead_heat", "says"),
    [
        (0, False, "first"),
        (4_249_999, False, "+4.2 ms"),
        (4_250_000, False, "+4.2 ms"),
        (4_250_001, False, "+4.3 ms"),
        (400_000, False, "+400 µs"),
        (45_000, False, "+45 µs"),
        (999_499, False, "+999 µs"),
        (999_500, False, "+1.0 ms"),
        (99_949_999, False, "+99.9 ms"),
        (99_950_001, False, "+100 ms"),
        (83 * MS, False, "+83.0 ms"),
        (999_500 * US, False, "+1.00 s"),
        (999_499 * US, False, "+999 ms"),
        (1_232 * MS, False, "+1.23 s"),
        (1_235 * MS, False, "+1.24 s"),
        (9_994_999 * US, False, "+9.99 s"),
        (9_995_001 * US, False, "+10.0 s"),
        (10_000 * MS, False, "+10.0 s"),
        (61_260 * MS, False, "+61.3 s"),
        (-4 * MS, False, "-4.0 ms"),
        (320 * US, True, "+320 µs ±40 µs"),
        (320, True, "+0 µs ±40 µs"),
        (1_100 * US, True, "+1.1 ms ±40 µs"),
        (0, True, "first ±40 µs"),
    ],
)
def test_gaps_are_written_in_the_unit_that_suits_them(gap_ns, dead_heat, says):
    place = 1 if gap_ns == 0 else 2
    assert gap(Row(place, RED, HUNTER, gap_ns, 40 * US, dead_heat)) == says


@pytest.mark.parametrize(
    ("gap_ns", "error_ns"), [(45_000, 20_000), (40_001, 20_000), (1_000, 0), (99_999, 49_000), (999_999, 99_000)]
)
def test_no_certain_gap_is_told_as_none(gap_ns, error_ns):
    """Where two presses are no dead heat the text must not say that there was nothing between them."""
    said = gap(Row(2, RED, HUNTER, gap_ns, error_ns))
    assert float(said.split()[0]) > 0


@pytest.mark.parametrize(
    ("left_s", "says"), [(0, "0:00"), (-3, "0:00"), (0.4, "0:01"), (60, "1:00"), (245, "4:05"), (3_720, "1:02:00")]
)
def test_a_clock_counts_a_second_that_has_begun(left_s, says):
    assert remaining(round(left_s * 1000) * MS) == says


def test_an_uncertainty_and_a_time_are_said_alike():
    assert (error(20_000), error(20_000, ""), duration(412 * MS)) == ("±20 µs", "±20µs", "412 ms")


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (Turn(RED, HUNTER, "punished"), "has no card to give up"),
        (Turn(RED, HUNTER, "punished", cards=("red hunter",)), "gives up"),
        (Turn(RED, HUNTER, "nothing"), "gets nothing: others were faster"),
        (Turn(RED, HUNTER, "claimed", cards=("buffalo",)), "takes"),
    ],
)
def test_what_became_of_a_player_leads_to_the_cards(turn, says):
    assert lead(turn) == says


def test_a_close_gap_shares_its_unit_with_the_error():
    assert gap(Row(2, PURPLE, HUNTER, 320 * US, 40 * US, True), "") == "+320±40µs"
    assert gap(Row(2, PURPLE, HUNTER, 83 * MS, 40 * US, True), "") == "+83.0ms±40µs"


@pytest.mark.parametrize(
    ("count", "card", "says"),
    [
        (1, "red hunter", "red hunter"),
        (2, "purple maiden", "2 purple maidens"),
        (1, "buffalo", "1 buffalo"),
        (3, "buffalo", "3 buffalo"),
        (1, "totem pole", "1 totem pole"),
        (9, "totem pole", "9 totem poles"),
    ],
)
def test_cards_are_counted_as_people_say_it(count, card, says):
    assert LOOK.counted(count, card) == says


def test_a_shared_victory_names_all():
    assert " ".join(colour.short for colour in Colour) + " share the victory" in lines(SCENES["final-all"])
