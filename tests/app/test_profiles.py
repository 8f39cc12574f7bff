"""Profiles in a whole box: whatever lies there, it starts, says so and plays; a kill leaves each of them whole."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.adapters.people_file import PeopleFile
from companion.adapters.profiles_folder import FOLDER, ProfilesFolder
from companion.adapters.profiles_folder import folder as folder_module
from companion.app import assembly
from companion.app.scanner import CardDesk, CardScanner
from companion.app.storing.newest import newest_over
from companion.app.storing.profiles import StoredProfiles, profiles_in
from companion.config.deck_file import printed_deck
from companion.config.settings import Scanner as ScannerSettings
from companion.core.calibration.handicap import after_match
from companion.core.errors import CompanionError, Illegal, Unavailable
from companion.core.panel import Colour
from companion.core.people.judged import MatchFacts, SeatFacts
from companion.core.play.commands import NewMatch, Player, perform
from companion.core.play.scanning import Scan, ScannedLines, Unreadable
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.exchange import as_code, as_file
from companion.core.profiles.profile import Allowance, Filters, Profile
from companion.games import registry
from tests.app.test_garbage_state import KINDS, box
from tests.core.profiles.people import FULL

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.loop import BoxLoop
    from companion.core.play.session import Session

ANN = Profile(name="Ann", filters=Filters(accept_ms=100), card="A" * 16)
BAD = (*KINDS, lambda path: path.write_bytes(b'{"version":2,"name":"Zed"}'))


@pytest.fixture(autouse=True)
def forgotten() -> None:
    profiles_in.cache_clear()


def kept(state: Path, *profiles: Profile) -> StoredProfiles:
    found = profiles_in(state)
    for profile in profiles:
        found.take_in(as_file(profile))
    return found


def alarms(loop: BoxLoop) -> str:
    return "; ".join(loop.box.session.scene().alarms)


def begin(loop: BoxLoop, *names: str) -> None:
    seats = tuple(Player(colour, name, by_profile=True) for colour, name in zip(Colour, names, strict=False))
    perform(loop.box.session, NewMatch(seats=(*seats, Player(Colour.PURPLE)), game="order", abandon=True), 0)


@pytest.mark.parametrize("bad", BAD)
def test_the_box_starts_says_what_it_cannot_read_and_the_others_play(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    kept(tmp_path, ANN)
    bad(tmp_path / FOLDER / "00.json")
    profiles_in.cache_clear()
    loop = box(tmp_path, seats=())

    assert "profile" in alarms(loop)
    begin(loop, "Zed", "Ann")
    assert loop.box.session.asks_consent_of == (Colour.RED, Colour.YELLOW, Colour.PURPLE)
    for colour in loop.box.session.asks_consent_of:
        loop.box.session.consent(colour, "Ref")
    match = loop.box.session.match
    assert match is not None
    assert set(match.settings.sitters) == {Colour.YELLOW}
    assert match.setup.conditions is not None
    assert match.setup.conditions.seats[Colour.YELLOW].accept_ms == 100
    assert match.setup.conditions.seats[Colour.RED].accept_ms == 2


@pytest.mark.parametrize("bad", KINDS)
def test_whatever_lies_where_the_folder_should_be_the_box_starts_and_plays(
    tmp_path: Path, bad: Callable[[Path], None]
) -> None:
    bad(tmp_path / FOLDER)
    loop = box(tmp_path)

    assert loop.box.session.match is not None


def test_a_full_disk_is_told_and_play_goes_on_by_what_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profiles = kept(tmp_path, ANN)
    loop = box(tmp_path, seats=())

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(folder_module, "put", full)
    with pytest.raises(Unavailable, match="No space left on device; nothing has changed"):
        profiles.put_allowance("Ann", Allowance(ms=500))
    begin(loop, "Ann")
    assert loop.box.session.sitters[Colour.RED].profile == ANN


def test_a_measured_allowance_is_kept_with_what_it_rests_on(tmp_path: Path) -> None:
    measured = Allowance(ms=640, evidence=Evidence(trials=Trials(times_ms=(900, 1100), median_ms=1000)))
    kept(tmp_path, ANN).put_allowance("ann", measured)
    kept(tmp_path).put_allowance("Bob", measured)
    profiles_in.cache_clear()
    again = profiles_in(tmp_path)
    again.look()

    assert again.of("Ann").allowance == again.of("Bob").allowance == measured
    assert (again.of("Ann").filters, again.names()) == (ANN.filters, ("Ann", "Bob"))


def test_a_box_that_was_cut_off_at_the_end_of_a_match_counts_it_when_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = Trials(proposal_ms=800, times_ms=(1200,) * 30, median_ms=1200, others_ms=(400,), low_ms=790, high_ms=810)
    kept(tmp_path, ANN).put_allowance("Ann", Allowance(ms=800, evidence=Evidence(trials=trials)))
    seat = SeatFacts(Colour.RED, "Ann", 3, leads=True, gaps_ms=(600,) * 20)
    newest = MatchFacts(1, "order", "Order", "2026-11-23T20:00:00+00:00", "points", (seat,), (), record="ab12")
    monkeypatch.setattr(assembly, "newest_over", lambda *_: newest)
    loop = box(tmp_path, seats=())

    assert profiles_in(tmp_path).of("Ann").allowance.ms == 600
    assert "Ann's races speak for 600 ms" in alarms(loop)


def test_the_newest_match_is_judged_again_only_once_it_is_over(tmp_path: Path) -> None:
    assert newest_over(tmp_path, registry.find) is None
    loop = box(tmp_path)

    def end(session: Session) -> None:
        assert session.match is not None
        session.match.end()

    loop.act(end)
    loop._effects.close()
    found = newest_over(tmp_path, registry.find)
    assert found is not None
    assert [seat.colour for seat in found.seats] == [Colour.RED, Colour.YELLOW]


# -- the scanner -------------------------------------------------------------------------------------------------------


def test_a_card_that_is_scanned_names_the_next_seat_and_not_a_card_of_the_game(tmp_path: Path) -> None:
    desk = CardDesk(printed_deck("apache"), kept(tmp_path, ANN))
    loop = box(tmp_path, seats=())

    assert desk.enter(loop.box.session, Scan(f"P-{ANN.card}"), 0).says == "Ann: press a button of your seat"
    with pytest.raises(Illegal, match="opens no profile here"):
        desk.enter(loop.box.session, Scan("P-" + "C" * 16), 0)


@pytest.mark.parametrize("prefix", ["", "~"])
def test_a_scanner_reads_a_whole_profile_and_nothing_else_that_long(prefix: str) -> None:
    lines, code = ScannedLines(prefix), as_code(FULL)
    whole = f"{prefix}{code}\r\n{prefix}{'X' * len(code)}\r\n".encode()
    found = [scan for at in range(0, len(whole), 7) for scan in lines.feed(whole[at : at + 7])]

    assert found == [Scan(code), Unreadable("a code of more than 64 characters")]


class Answers:
    """As much of a loop as a scanner asks of it."""

    def __init__(self, loop: BoxLoop) -> None:
        self.box, self.said = loop.box, list[str]()

    def request(self, what: Callable[..., object], answer: Callable[..., None]) -> None:
        try:
            answer(what(self.box.session, 0))
        except CompanionError as error:
            self.said.append(str(error))


def test_a_scanned_profile_is_kept_only_where_it_is_nobody_elses(tmp_path: Path) -> None:
    profiles = kept(tmp_path, ANN)
    answers = Answers(box(tmp_path, seats=()))
    scanner = CardScanner(ScannerSettings(port="/dev/null"), printed_deck("apache"), profiles)
    scanner._loop = answers  # type: ignore[assignment]
    try:
        scanner._scanned(Scan(as_code(FULL)), 0)
        assert profiles.of(FULL.name).card == FULL.card
        scanner._scanned(Scan(as_code(Profile(name="Ann", language="de"))), 0)
        assert "there is a profile of Ann here already" in answers.said[-1]
        scanner._scanned(Scan("TCP1:AAAA"), 0)
        assert "not whole" in answers.said[-1]
    finally:
        scanner.close()
    assert profiles.of("Ann") == ANN


# -- a kill ------------------------------------------------------------------------------------------------------------

WRITER = """
import sys
from pathlib import Path
from companion.adapters.profiles_folder import ProfilesFolder
from companion.core.profiles.profile import Filters, Profile
folder = ProfilesFolder(Path(sys.argv[1]))
print("ready", flush=True)
for number in range(1, 1_000_000):
    folder.change("Ann", lambda _: Profile(name="Ann", filters=Filters(repeat_ms=number % 5000)))
    print(number, flush=True)
"""


def test_a_kill_in_the_middle_of_storing_leaves_the_one_before_or_the_new_one(tmp_path: Path) -> None:
    """What was said to be kept is there; at most the next one is, and never half of one."""
    rng = random.Random(13)
    for _ in range(8):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            for _ in range(rng.randrange(1, 40)):
                last = int(process.stdout.readline())
            process.send_signal(signal.SIGKILL)
            said = [*map(int, process.stdout.read().split(b"\n")[:-1])]
        folder = ProfilesFolder(tmp_path)
        folder.look()
        (profile,) = folder.kept
        assert folder.problems == ()
        last = said[-1] if said else last
        assert profile.filters.repeat_ms in (last % 5000, (last + 1) % 5000)
    assert folder.remove("Ann")
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_person_who_was_half_deleted_can_be_deleted_again(tmp_path: Path) -> None:
    """A kill between the list and the folder leaves a name that a second go finds."""
    kept(tmp_path, ANN)
    PeopleFile(tmp_path).change(lambda book: book.without("Ann"))

    assert profiles_in(tmp_path).has("Ann")
    assert profiles_in(tmp_path).forget("Ann")
    assert not profiles_in(tmp_path).has("Ann")


def test_a_code_that_is_taken_in_again_undoes_nothing_that_races_have_said(tmp_path: Path) -> None:
    trials = Trials(proposal_ms=800, date="2026-11-20T20:00:00Z", times_ms=(1200,) * 30, others_ms=(400,))
    fresh = Allowance(ms=800, evidence=Evidence(trials=trials))
    ann = Profile(name="Ann", card="A" * 16, allowance=fresh)
    found = kept(tmp_path, ann)
    found.put_allowance("Ann", after_match(fresh, "aa", (500,) * 20))
    for content in (as_code(ann).encode(), as_file(ann)):
        assert found.take_in(content).allowance == after_match(fresh, "aa", (500,) * 20)
