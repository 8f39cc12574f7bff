"""What calibrations leave: in the person's profile where there is one, else said in words; no fault stops anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from companion.app.assembly import ALL_LINES, build
from companion.app.calibration.storing import Measurements, supplies_of
from companion.app.storing.profiles import profiles_in
from companion.config.reading import Flag, load
from companion.config.run_options import RunOptions
from companion.core.errors import Unavailable
from companion.core.match.effects import KeepTrials, Measured, Played
from companion.core.panel import Colour
from companion.core.people.judged import MatchFacts, SeatFacts
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.exchange import as_file
from companion.core.profiles.profile import Allowance, Profile

if TYPE_CHECKING:
    from pathlib import Path

TRIALS = Trials(proposal_ms=800, times_ms=(1200,) * 30, median_ms=1200, others_ms=(400,), low_ms=790, high_ms=810)
MEASURED = Allowance(ms=800, evidence=Evidence(trials=TRIALS))


class Kept:
    """Profiles in memory; `full`: none can be written."""

    def __init__(self, *profiles: Profile, full: bool = False) -> None:
        self.profiles, self.full = {one.name: one for one in profiles}, full

    def find(self, name: str) -> Profile | None:
        return self.profiles.get(name)

    def put_allowance(self, name: str, allowance: Allowance) -> None:
        if self.full:
            raise Unavailable("the disk is full")
        self.profiles[name] = Profile(name=name, allowance=allowance)


def said_by(folder: Path, profiles: Kept | None, *effects: KeepTrials | Measured | Played) -> list[str]:
    said: list[str] = []
    measurements = Measurements(folder, profiles)
    measurements.alarm = lambda _key, text, _lasts_ns=None: said.append(text or "")
    for effect in effects:
        measurements.do(effect)
    return said


def test_an_allowance_goes_into_the_profile_of_whoever_sits_there(tmp_path: Path) -> None:
    kept = Kept()
    said = said_by(tmp_path, kept, Measured(Colour.RED, "Ann", MEASURED))
    assert said == ["the profile of Ann has the allowance now: 800 ms"]
    assert kept.profiles["Ann"].allowance == MEASURED


def test_without_a_profile_it_is_said_what_to_write_into_the_settings(tmp_path: Path) -> None:
    told = "write `allowance_ms = 800` under [seats.red]"
    for profiles, name, why in (
        (Kept(), "", "the seat has no name"),
        (None, "Ann", "keeps no profiles"),
        (Kept(full=True), "Ann", "the disk is full"),
    ):
        (said,) = said_by(tmp_path, profiles, Measured(Colour.RED, name, MEASURED))
        assert told in said
        assert why in said


def test_trials_are_there_again_when_the_box_is_switched_on(tmp_path: Path) -> None:
    assert said_by(tmp_path, None, KeepTrials(b"some")) == []
    assert supplies_of(tmp_path, 5).kept == b"some"
    assert supplies_of(tmp_path, 5).patience_ns == 5
    said_by(tmp_path, None, KeepTrials(None))
    assert supplies_of(tmp_path, 5).kept is None


def test_trials_that_cannot_be_kept_or_read_are_said_and_the_box_goes_on(tmp_path: Path) -> None:
    (tmp_path / "calibration.json").mkdir()
    (said,) = said_by(tmp_path, None, KeepTrials(b"some"))
    assert "the trials cannot be kept" in said
    assert supplies_of(tmp_path, 5).kept is None


def test_races_lower_what_was_measured_and_it_is_said(tmp_path: Path) -> None:
    kept = Kept(Profile(name="Ann", allowance=MEASURED), Profile(name="Bob", allowance=Allowance(ms=500)))
    effect = Played("ab12", {"Ann": (600,) * 20, "Bob": (0,) * 20, "Cid": (0,) * 20})
    said = said_by(tmp_path, kept, effect, effect)
    assert said == ["Ann's races speak for 600 ms: the next match takes so much (it took 800 ms)"]
    assert kept.profiles["Ann"].allowance.ms == 600
    assert kept.profiles["Bob"].allowance == Allowance(ms=500)  # named, and not measured
    assert said_by(tmp_path, None, effect) == []


def test_races_count_on_where_their_person_is_measured_again(tmp_path: Path) -> None:
    kept = Kept(Profile(name="Ann", allowance=MEASURED))
    said = said_by(tmp_path, kept, Played("ab12", {"Ann": (600,) * 20}), Measured(Colour.RED, "Ann", MEASURED))
    assert said[-1] == "the profile of Ann has the allowance now: 600 ms"
    assert kept.profiles["Ann"].allowance.ms == 600


def test_a_match_that_the_box_did_not_live_to_count_counts_once_when_it_is_switched_on(tmp_path: Path) -> None:
    kept, said = Kept(Profile(name="Ann", allowance=MEASURED)), list[str]()
    ann = SeatFacts(Colour.RED, "Ann", 3, leads=True, gaps_ms=(600,) * 20)
    seats = (ann, SeatFacts(Colour.BLUE, None, 0, leads=False))
    newest = MatchFacts(1, "apache", "Apache", "2026-11-23T20:00:00+00:00", "cards", seats, (), record="ab12")
    measurements = Measurements(tmp_path, kept)
    measurements.alarm = lambda _key, text, _lasts_ns=None: said.append(text or "")
    for _ in range(2):
        measurements.catch_up(newest)
    measurements.catch_up(None)
    assert said == ["Ann's races speak for 600 ms: the next match takes so much (it took 800 ms)"]
    assert kept.profiles["Ann"].allowance.ms == 600
    assert said_by(tmp_path, kept, Played("ab12", {"Ann": (600,) * 20})) == []


def test_a_profile_that_cannot_be_written_after_a_match_is_said(tmp_path: Path) -> None:
    kept = Kept(Profile(name="Ann", allowance=MEASURED), full=True)
    assert said_by(tmp_path, kept, Played("ab12", {"Ann": (600,) * 20})) == ["the disk is full"]


@pytest.mark.parametrize(("name", "way"), [("ann", "switch"), ("Cid", None)])
def test_whoever_is_named_on_the_command_line_is_measured_as_they_play_and_keeps_it(
    tmp_path: Path, name: str, way: str | None
) -> None:
    settings = load(None, [Flag("", ("box", "state_dir"), str(tmp_path))])
    profiles_in(tmp_path).take_in(as_file(Profile(name="Ann", input="scan")))
    options = RunOptions(simulate=True, seats=(Colour.RED, Colour.BLUE), calibrate=Colour.RED, player=name)
    session = build(settings, options, sources=[], lines=ALL_LINES, displays=[], buzzer=None).box.session
    calibration = session.measuring.menu.calibration
    assert calibration is not None
    assert calibration.names == {Colour.RED: name}
    assert calibration.ways[Colour.RED].value == (way or "choice")
    assert session.table.by_profile == ({Colour.RED} if way else set())
