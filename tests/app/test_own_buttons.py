"""Buttons of people's own: assigned at one box by pressing them, taken along, and theirs at another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app.assembly import line_timings
from companion.app.inputs.making import make_inputs
from companion.app.storing.profiles import profiles_in
from companion.config.reading import Flag, load
from companion.core.panel import Colour
from companion.core.play.commands import AskInput, perform
from companion.core.profiles.exchange import as_code, as_file, from_file
from companion.core.profiles.profile import OwnButton, Profile
from tests.app.test_inputs import A, B, Running, played
from tests.fakes.input_devices import FakeInputs

if TYPE_CHECKING:
    from pathlib import Path

    from companion.core.play.session import Session

pytestmark = pytest.mark.slow  # waits for threads, which it ends and starts

RED, YELLOW, *_ = Colour
Z = 2  # ABS_Z, a trigger


@pytest.fixture
def devices(monkeypatch, tmp_path):
    return FakeInputs(monkeypatch, tmp_path)


def mapping(folder: Path, name: str = "Ann") -> set[tuple[str, int, int]]:
    """What a box keeps of somebody's own buttons: device, code, place."""
    return {(one.device, one.code, one.place) for one in profiles_in(folder).of(name).mapping}


def keep(folder: Path, name: str, *buttons: OwnButton) -> None:
    profiles_in(folder).take_in(as_file(Profile(name=name, mapping=buttons)))


async def sit(box: Running, colour: Colour, name: str) -> None:
    await box.press(f"{colour} first")
    await box.until(lambda: colour in box.session.table.seats)

    def sits(session: Session) -> None:
        session.sit(colour, name)

    box.loop.act(sits)


async def trigger(pad) -> None:
    pad.axis(Z, 255)
    pad.axis(Z, 0)


def lines(box: Running) -> list[str]:
    return list(box.assigner.source.lines)


@pytest.mark.parametrize("told", [as_file, lambda profile: as_code(profile).encode()])
def test_what_is_assigned_at_a_box_goes_along_to_another_which_asks_for_no_strangers(devices, tmp_path, told):
    """Both as a file and as a code; a key, a trigger and a button of the seat."""
    here, there = tmp_path / "here", tmp_path / "there"
    pad = devices.plug(0, "Big Switch", axes={Z: (0, 255, 0)}, uniq="A1")
    profiles_in(here).begin("Ann")

    async def assigned(box):
        await sit(box, YELLOW, "Ann")
        await box.assign("yellow third", lambda: box.key(pad, A))
        await box.assign("yellow second", lambda: trigger(pad))
        await box.assign("yellow fourth", lambda: box.press("yellow first"))
        await box.until(lambda: len(mapping(here)) == 3)

    played(Running(here, devices), assigned)
    assert mapping(here) == {("Big Switch", A, 3), ("Big Switch", Z, 2), ("panel", 1, 4)}
    profiles_in(there).take_in(told(profiles_in(here).of("Ann")))

    async def brought(box):
        assert pad.clock is None
        await sit(box, RED, "Ann")
        await box.until(lambda: lines(box) == ["red second (pad)", "red third (pad)"])
        await sit(box, YELLOW, "Nobody")
        assert not box.session.scene().notice
        await box.key(pad, A)
        await box.until(lambda: box.session.scene().notice == "RED sits already")

    pad.clock = None
    played(Running(there, devices, asks=False), brought)


def test_what_is_taken_away_at_the_box_is_no_longer_in_the_profile(devices, tmp_path):
    pad = devices.plug(0, "Big Switch", uniq="A1")
    keep(tmp_path, "Ann", OwnButton(device="Far Away", code=B, place=1))

    async def scenario(box):
        await sit(box, RED, "Ann")
        await box.assign("red second", lambda: box.key(pad, A))
        await box.until(lambda: mapping(tmp_path) == {("Far Away", B, 1), ("Big Switch", A, 2)})
        await box.assign("red third", lambda: box.key(pad, A))  # it is another button now, and no longer the second
        await box.until(lambda: mapping(tmp_path) == {("Far Away", B, 1), ("Big Switch", A, 3)})
        box.loop.act(lambda session: perform(session, AskInput(button="red third", forget=True), 0))
        await box.until(lambda: mapping(tmp_path) == {("Far Away", B, 1)})
        await box.until(lambda: not lines(box))

    played(Running(tmp_path, devices), scenario)


def test_two_people_with_a_switch_of_the_same_kind_each_have_their_own(devices, tmp_path):
    switches = [devices.plug(n, "Big Switch") for n in range(2)]
    for name in ("Ann", "Bob"):
        profiles_in(tmp_path).begin(name)

    async def assigned(box):
        await sit(box, RED, "Ann")
        await sit(box, YELLOW, "Bob")
        await box.assign("red second", lambda: box.key(switches[0], A))
        await box.assign("yellow second", lambda: box.key(switches[1], A))
        await box.until(lambda: mapping(tmp_path) and mapping(tmp_path, "Bob"))

    played(Running(tmp_path, devices), assigned)

    async def the_other_way_round(box):
        await sit(box, YELLOW, "Ann")
        await sit(box, RED, "Bob")
        await box.until(lambda: len(lines(box)) == 2)
        uses = {key: dict(one.assigned.labels) for key, one in box.assigner.source._uses.items()}
        assert uses == {
            "usb 1234:0001 at usb-0000:01:00.0-1.0": {"BTN_A": "yellow second"},
            "usb 1234:0001 at usb-0000:01:00.0-1.1": {"BTN_A": "red second"},
        }
        assert not box.session.scene().alarms

    played(Running(tmp_path, devices), the_other_way_round)


def test_a_key_that_may_be_two_people_s_is_neither_s_and_said(devices, tmp_path):
    pad = devices.plug(0, "Big Switch")
    for name in ("Ann", "Bob"):
        keep(tmp_path, name, OwnButton(device="Big Switch", code=A, place=2))

    async def scenario(box):
        await sit(box, RED, "Ann")
        await box.until(lambda: lines(box) == ["red second (pad)"])
        await sit(box, YELLOW, "Bob")
        says = "Big Switch is of RED and YEL by their profiles: press for each what is theirs (knob: buttons)"
        await box.until(lambda: says in [str(one) for one in box.session.scene().alarms])
        assert not lines(box)
        await box.assign("yellow second", lambda: box.key(pad, A))
        await box.until(lambda: lines(box) == ["yellow second (pad)"] and not box.session.scene().alarms)

    played(Running(tmp_path, devices), scenario)


def test_the_running_program_s_assigner_writes_into_the_profiles_that_seats_are_taken_by(tmp_path):
    settings = load(None, [Flag("--state-dir", ("box", "state_dir"), str(tmp_path))])
    assigner = make_inputs(settings, tmp_path, lambda lines: line_timings(settings, lines))
    assert assigner.profiles is profiles_in(tmp_path)


def test_an_old_profile_s_buttons_are_read():
    old = b'{"version":1,"name":"Ann","mapping":[{"device":"Big Switch","code":304,"place":2}]}'
    assert from_file(old).mapping == (OwnButton(device="Big Switch", code=A, place=2),)
