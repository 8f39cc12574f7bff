"""Who sits where: by the knob, by a card of one's own, by a page; what a profile gives holds for that match alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from companion.core.calibration.measured import hash_of
from companion.core.errors import Illegal, Malformed
from companion.core.match.match import PlaySettings
from companion.core.match.match_maker import Unfinished
from companion.core.panel import Colour
from companion.core.play.commands import NewMatch, Player, perform
from companion.core.profiles.evidence import Evidence, RaceGap, Trials
from companion.core.profiles.profile import Allowance, Filters, Profile
from companion.core.profiles.sitting import card_in
from companion.core.record.condition_changes import CONDITIONS
from companion.core.record.lines import Conditions, Remark, SeatConditions, Setup
from companion.core.shown.scene import Apart, Lobby, Question
from companion.core.switches.unheard import Outlets
from companion.core.switches.ways import SwitchScanning, Way
from companion.core.timing.events import MS
from companion.screens.everybody.public import public_scene
from companion.screens.oled.picture import draw
from companion.screens.text.scene_lines import lines
from tests.core.calibration.at_the_table import Table
from tests.core.play.virtual_box import VirtualBox
from tests.core.profiles.people import FULL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.profiles.sitting import KnownPeople

ANN = Profile(name="Ann", filters=Filters(accept_ms=100, repeat_ms=400), extension_s=2, card="A" * 16)
BOB = Profile(name="Bob", allowance=Allowance(ms=300), card="B" * 16)
RED, YELLOW = Colour.RED, Colour.YELLOW


class People:
    """People as a box knows them; a test changes them."""

    def __init__(self, *profiles: Profile, others: tuple[str, ...] = ()) -> None:
        self.profiles, self.others = list(profiles), others

    def names(self) -> tuple[str, ...]:
        return tuple(sorted([*(one.name for one in self.profiles), *self.others]))

    def find(self, name: str) -> Profile | None:
        return next((one for one in self.profiles if one.name == name), None)

    def by_card(self, card: str) -> Profile | None:
        return next((one for one in self.profiles if one.card == card), None)


def conditions(setup: Setup, window_ns: int, confirmed: tuple[Colour, ...]) -> Conditions:
    usual = SeatConditions(bounce_ms=20, accept_ms=2, repeat_ms=0, extension_ms=0, input=("panel",))
    seats = {seat.colour: usual for seat in setup.seats}
    return Conditions("", "", window_ns // MS, 1000, seats, 2, 200, confirmed, ())


def seating(people: KnownPeople, seats: tuple[str, ...] = (), **more: Any) -> VirtualBox:
    return VirtualBox(seats, "order", start=False, people=people, conditions=conditions, **more)


def began(box: VirtualBox) -> Setup:
    setup = box.lines[0]
    assert isinstance(setup, Setup)
    return setup


def seats(box: VirtualBox) -> Mapping[Colour, SeatConditions]:
    told = began(box).conditions
    assert told is not None
    return told.seats


def named(box: VirtualBox) -> dict[Colour, str]:
    return dict(box.session.table.names or {})


# -- by the knob -------------------------------------------------------------------------------------------------------


def test_the_knob_names_whoever_has_just_sat_down_and_their_profile_holds() -> None:
    box = seating(People(ANN, BOB, others=("Cleo",)))
    box.press("red first", 2000)
    box.press("yellow first", 2500)
    box.press("red second", 3000)  # once more: RED is meant again
    box.run(3500)
    box.pick("who is RED", 4000)
    assert isinstance(box.body, Apart)
    assert [item.label for item in box.body.question.menu.items] == ["nobody", "Ann", "Bob", "Cleo", "back"]

    box.turn(1, 5000)
    box.click(5100)
    box.run(6000)

    assert isinstance(box.body, Lobby)
    assert (named(box), box.session.table.by_profile) == ({RED: "Ann"}, {RED})
    assert dict(box.session.sitters)[RED].profile == ANN


def test_somebody_without_a_profile_has_their_name_and_the_settings_of_the_seat() -> None:
    box = seating(People(ANN, others=("Cleo",)), ("yellow",))
    box.press("yellow first", 2000)
    box.run(2500)
    box.pick("who is YEL", 3000)
    box.turn(2, 4000)
    box.click(4100)
    box.run(5000)

    assert (named(box), box.session.table.by_profile) == ({YELLOW: "Cleo"}, frozenset())


def test_without_people_the_menu_is_as_it_was() -> None:
    box = seating(People())
    box.press("red first", 2000)
    box.run(2500)

    assert all(not item.label.startswith("who is") for item in box.menu().items)


def test_the_knob_held_leads_back_and_a_button_takes_its_seat() -> None:
    box = seating(People(ANN))
    box.press("red first", 2000)
    box.run(2500)
    box.pick("who is RED", 3000)
    box.press("knob push", 4000, 1500)
    box.run(6000)
    assert (isinstance(box.body, Lobby), named(box), box.session.table.seats) == (True, {}, (RED,))

    box.pick("who is RED", 7000)
    box.press("yellow first", 8000)
    box.run(8500)
    assert (isinstance(box.body, Lobby), box.session.table.seats) == (True, (RED, YELLOW))


def test_pages_are_not_told_the_list_and_the_box_shows_it() -> None:
    box = seating(People(ANN))
    box.press("red first", 2000)
    box.run(2500)
    box.pick("who is RED", 3000)

    assert isinstance(public_scene(box.scene).body, Lobby)
    assert "Ann" not in repr(public_scene(box.scene))
    assert lines(box.scene)[0] == "Who is RED?"
    assert draw(box.scene, (128, 64)) != draw(public_scene(box.scene), (128, 64))


# -- by a card ---------------------------------------------------------------------------------------------------------


def test_a_card_names_whoever_has_just_sat_down() -> None:
    box = seating(People(ANN))
    box.press("red first", 2000)
    box.run(2500)

    assert box.session.hold_card(ANN) == "Ann sits at red"
    assert (named(box), box.session.table.by_profile) == ({RED: "Ann"}, {RED})


def test_a_card_may_come_first_and_then_the_seat() -> None:
    box = seating(People(ANN), ("yellow",))
    assert box.session.hold_card(ANN) == "Ann: press a button of your seat"
    assert box.session.scene().notice == "Ann: press a button of your seat"
    box.press("yellow third", 2000)
    box.run(2500)

    assert (named(box), box.session.table.seats) == ({YELLOW: "Ann"}, (YELLOW,))
    assert box.tones()[-1] == "accepted"


def test_nobody_sits_at_two_seats() -> None:
    box = seating(People(ANN), ("red", "yellow"))
    box.session.sit(RED, "Ann")

    with pytest.raises(Illegal, match="Ann sits at red already"):
        box.session.hold_card(ANN)
    with pytest.raises(Illegal, match="Ann sits at red already"):
        box.session.sit(YELLOW, "Ann")
    with pytest.raises(Illegal, match="nobody sits at blue"):
        box.session.sit(Colour.BLUE, "Ann")
    with pytest.raises(Malformed):
        box.session.sit(YELLOW, "x" * 13)
    assert named(box) == {RED: "Ann"}


@pytest.mark.parametrize(
    ("code", "card"),
    [("P-" + "A" * 16, "A" * 16), ("P-abcdefgh23456723", "ABCDEFGH23456723"), ("P-AA", None), ("APACHE-001", None),
     ("P-" + "Ä" * 16, None)],
)  # fmt: skip
def test_a_persons_card_is_told_from_any_other_code(code: str, card: str | None) -> None:
    assert card_in(code) == card


# -- what it gives -----------------------------------------------------------------------------------------------------


def test_who_seats_somebody_from_a_page_is_told_whether_a_profile_of_theirs_holds() -> None:
    box = seating(People(ANN, others=("Cleo",)), ("red",))
    assert box.session.sit(RED, "Ann") == "Ann sits at red by a profile of their own"
    assert box.session.sit(RED, "Cleo") == "Cleo sits at red"
    assert box.session.sit(RED, None) == "nobody is named at red"
    assert named(box) == {}


def test_filters_hold_for_that_seat_from_the_match_on_and_not_for_others() -> None:
    box = seating(People(ANN), ("red", "yellow"))
    box.session.sit(RED, "Ann")
    box.pick("start", 2000)
    box.press("red first", 3000)  # asked to agree, as 100 ms are more than 20: 80 ms are no press
    box.press("yellow first", 3500)
    box.run(4000)
    assert isinstance(box.body, Question)
    assert box.body.lines[1] == "RED: accepts after 100 ms"
    assert box.session.asks_consent_of == (RED,)

    box.press("red first", 4500, hold_ms=150)
    box.run(5000)
    assert (seats(box)[RED].accept_ms, seats(box)[RED].repeat_ms, seats(box)[RED].extension_ms) == (100, 400, 2000)
    assert (seats(box)[YELLOW].accept_ms, began(box).conditions.confirmed) == (2, (RED, YELLOW))  # type: ignore[union-attr]

    box.press("red first", 6000)
    box.press("yellow first", 6500)
    box.press("red second", 7000, hold_ms=150)
    box.press("red second", 7300, hold_ms=150)  # within the repetition time
    box.run(8000)
    match = box.session.match
    assert match is not None
    assert [(press.colour, press.t_ns // MS) for press in match.presses()] == [(YELLOW, 6500), (RED, 7000)]


def test_nothing_changes_within_a_match_whatever_becomes_of_the_profile() -> None:
    people = People(ANN)
    box = seating(people, ("red", "yellow"))
    box.session.sit(RED, "Ann")
    agreed(box)
    people.profiles = [msgspec.structs.replace(ANN, filters=Filters())]
    box.press("red first", 6000)
    box.run(6500)

    match = box.session.match
    assert match is not None
    assert match.presses() == ()
    assert match.settings.sitters[RED].profile == ANN


def agreed(box: VirtualBox) -> None:
    """Begin the match, everybody agreeing."""
    box.pick("start", 2000)
    box.press("red first", 3000, hold_ms=150)
    box.press("yellow first", 3500)
    box.run(5000)
    assert box.session.match is not None


def test_an_allowance_of_a_profile_is_agreed_to_and_is_in_the_setup() -> None:
    box = seating(People(ANN, BOB), ("red", "yellow"), allowances_ms={RED: 50, YELLOW: 40})
    box.session.sit(RED, "Bob")
    box.pick("start", 2000)
    assert box.body.lines[1:] == ("RED: −300 ms allowance", "YEL: −40 ms allowance")
    box.press("red first", 3000)
    box.press("yellow first", 3500)
    box.run(4000)

    assert [(seat.colour, seat.allowance_ms) for seat in began(box).seats] == [(RED, 300), (YELLOW, 40)]


def test_whoever_leaves_the_seat_takes_it_off() -> None:
    box = seating(People(ANN), ("yellow", "red"), names={YELLOW: "Dora"})
    box.session.sit(RED, "Ann")
    box.press("knob push", 2000, 1500)  # held: the last one stands up
    box.run(4000)

    assert (named(box), box.session.table.by_profile, dict(box.session.sitters)) == ({YELLOW: "Dora"}, frozenset(), {})
    box.press("red first", 5000)
    box.run(5500)
    assert (named(box), box.session.table.seats) == ({YELLOW: "Dora"}, (YELLOW, RED))


def test_a_profile_that_is_gone_leaves_the_seat_to_its_settings() -> None:
    people = People(ANN)
    box = seating(people, ("red", "yellow"))
    box.session.sit(RED, "Ann")
    people.profiles = []
    box.pick("start", 2000)
    box.run(3000)

    assert seats(box)[RED].accept_ms == 2


def test_who_sits_where_is_not_changed_within_a_match_or_while_all_agree() -> None:
    box = seating(People(ANN, BOB), ("red", "yellow"))
    box.session.sit(RED, "Bob")
    box.pick("start", 2000)
    with pytest.raises(Illegal, match="everybody is asked to agree"):
        box.session.sit(RED, None)
    box.press("red first", 3000)
    box.press("yellow first", 3500)
    box.run(4000)
    with pytest.raises(Illegal, match="chosen before a match"):
        box.session.hold_card(ANN)


def test_a_match_that_goes_on_has_the_filters_that_it_began_with() -> None:
    box = seating(People(ANN), ("red", "yellow"))
    box.session.sit(RED, "Ann")
    agreed(box)
    people = People(msgspec.structs.replace(ANN, filters=Filters(accept_ms=300)))
    again = seating(people, unfinished=Unfinished(1, tuple(box.lines), same_clock=True))
    again.session.resume()
    again.press("red first", 6000)
    again.press("red first", 7000, hold_ms=150)
    again.run(8000)

    match = again.session.match
    assert match is not None
    assert [press.t_ns // MS for press in match.presses()] == [7000]
    assert [line for line in again.lines if isinstance(line, Remark) and line.source == CONDITIONS] == []


def test_one_switch_is_in_the_conditions() -> None:
    box = seating(People(FULL), ("red", "yellow"))
    box.session.sit(RED, FULL.name)
    box.pick("start", 2000)
    for colour in ("red", "yellow"):
        box.press(f"{colour} first", 3000, hold_ms=300)
    box.run(4000)

    assert seats(box)[RED].input == ("panel", "scan")


TRIALS = Trials(proposal_ms=800, times_ms=(1200,) * 30, median_ms=1200, others_ms=(400,), low_ms=790, high_ms=810)


def stand_up(box: VirtualBox) -> None:
    box.press("knob push", box.now_ms + 100, 1500)
    box.run(box.now_ms + 2000)


def measured(people: People, ms: int | None = None) -> Table:
    """Give a box whose RED was measured just now, whoever sits there; the seat's own allowance is 50 ms."""
    box = Table("red", "yellow", "blue", people=people, allowances_ms={RED: 50, YELLOW: 40})
    if people.profiles:
        box.session.sit(RED, people.profiles[0].name)
    box.begin()
    box.play(lambda colour, trial: 1200 - trial % 7 if colour is RED else 400 + trial % 7)
    for seat in ("red", "yellow", "blue"):
        box.press(f"{seat} first", box.now_ms + 200)
        box.run(box.now_ms + 400)
    assert box.session.table.allowances_ms == {RED: ms or box.measured()[0].allowance.ms, YELLOW: 40}
    return box


@pytest.mark.parametrize("people", [People(BOB), People(), People(others=("Bob",))])
def test_what_was_measured_is_not_the_next_person_s_at_the_seat(people: People) -> None:
    box = measured(people)
    box.session.sit(RED, "Cleo")
    assert box.session.table.allowances_ms == {RED: 50, YELLOW: 40}


def test_races_that_have_lowered_an_allowance_are_not_undone_by_measuring_again() -> None:
    gaps = tuple(RaceGap("aa", 600) for _ in range(20))
    before = Allowance(ms=600, evidence=Evidence(trials=Trials(proposal_ms=700, others_ms=(400,)), gaps=gaps))
    box = measured(People(Profile(name="Bob", allowance=before)), 600)
    assert box.measured()[0].allowance.ms == 790
    assert box.scene.notice == "RED: −600 ms from the next match on"


def test_what_was_measured_goes_when_its_person_stands_up_and_stays_when_another_does() -> None:
    box = measured(People(BOB))
    ms = box.measured()[0].allowance.ms
    stand_up(box)  # BLUE
    assert (box.session.table.allowances_ms or {})[RED] == ms
    box.session.sit(YELLOW, "Cleo")
    box.session.sit(RED, "Bob")
    assert (box.session.table.allowances_ms or {})[RED] == ms
    stand_up(box)  # YELLOW
    stand_up(box)  # RED
    assert box.session.table.seats == ()
    assert box.session.table.allowances_ms == {RED: 50, YELLOW: 40}


def test_what_was_measured_goes_after_a_match_that_a_page_began_with_it() -> None:
    box = measured(People())
    ms = box.measured()[0].allowance.ms
    perform(
        box.session, NewMatch(seats=(Player(colour=RED, allowance_ms=ms), Player(colour=YELLOW, allowance_ms=90))), 0
    )
    stand_up(box)  # not everybody agrees
    box.session.sit(YELLOW, "Cleo")
    box.session.sit(RED, "Bob")
    assert box.session.table.allowances_ms == {RED: 50, YELLOW: 90}


def remarks_with(allowance: Allowance) -> list[str]:
    """Give what the record of a match says of an allowance that a profile brings."""
    ann = msgspec.structs.replace(ANN, allowance=allowance)
    box = seating(People(ann), ("red", "yellow"))
    box.session.sit(RED, "Ann")
    agreed(box)
    return [line.text for line in box.lines if isinstance(line, Remark) and "measur" in line.text]


def test_the_record_says_what_the_allowance_of_a_profile_rests_on() -> None:
    (said,) = remarks_with(Allowance(ms=800, evidence=Evidence(trials=TRIALS)))
    assert said == (
        "red's allowance was measured as 800 ms by 30 trials (choice): median 1200 ms, of the others 400 ms, "
        f"95 % interval 790 to 810 ms; evidence {hash_of(TRIALS)[:16]}"
    )
    assert remarks_with(Allowance(ms=800)) == []  # named, and not measured


def test_evidence_that_cannot_be_is_said_to_be_damaged_and_proves_nothing() -> None:
    (said,) = remarks_with(Allowance(ms=900, evidence=Evidence(trials=TRIALS)))
    assert said == (
        "red's allowance is 900 ms; what their profile says of its measuring is damaged: "
        "the allowance is above what was measured"
    )


def test_whoever_scans_does_so_as_their_profile_says_and_another_at_a_seat_for_switches_plays_by_buttons() -> None:
    usual = {YELLOW: SwitchScanning(loops=7), Colour.BLUE: SwitchScanning(loops=9)}
    box = seating(People(FULL, ANN), ("red", "yellow", "blue"), play=PlaySettings(switches=usual))
    box.session.sit(RED, FULL.name)
    box.session.sit(YELLOW, "Ann")
    box.run(2000)
    own = SwitchScanning(way=Way.INVERSE, dwell_ns=2500 * MS, loops=4, order=(0, 1, 3, 2), again=True)

    assert box.session.switches.how == {RED: own, Colour.BLUE: SwitchScanning(loops=9)}
    box.session.sit(RED, None)
    box.run(2500)
    assert box.session.switches.how == {Colour.BLUE: SwitchScanning(loops=9)}


# -- where a race cannot be played without help ------------------------------------------------------------------------


def proposing(outlets: Outlets, **play: Any) -> VirtualBox:
    box = VirtualBox(("red", "yellow"), "apache", start=False, play=PlaySettings(**play))
    box.session.outlets = outlets
    return box


SCANS: dict[str, Any] = {"switches": {RED: SwitchScanning()}}


def test_untimed_play_is_proposed_where_a_seat_scans_and_nobody_can_tell_it_anything_alone() -> None:
    box = proposing(Outlets(), **SCANS)
    assert "RED scans without phone, earphone or motor" in box.scene.notice
    assert box.menu().items[-1].label == "play untimed"
    box.pick("play untimed", 2000)
    box.run(2500)
    assert box.session.table.timing == "untimed"
    assert box.scene.notice == "" or "scans" not in box.scene.notice
    assert "play untimed" not in [item.label for item in box.menu().items]


@pytest.mark.parametrize("outlets", [Outlets(frozenset({RED})), Outlets(phones=frozenset({RED}))])
def test_whoever_has_a_phone_an_earphone_or_a_motor_is_proposed_nothing(outlets: Outlets) -> None:
    assert proposing(outlets, **SCANS).scene.notice == ""
    assert proposing(Outlets()).scene.notice == ""


def test_untimed_play_is_proposed_where_cards_shall_be_said_and_there_is_no_voice() -> None:
    assert "no voice says the cards" in proposing(Outlets(has_voice=False), is_spoken=True).scene.notice
    assert proposing(Outlets(), is_spoken=True).scene.notice == ""
