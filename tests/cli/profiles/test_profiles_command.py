"""`companion profiles`: list, export, import, cards, delete; none of it changes what a running box has."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from companion.adapters.people_file import PeopleFile
from companion.adapters.sqlite_journal import SqliteJournal
from companion.app.storing.profiles import StoredProfiles, profiles_in
from companion.cli.main import main
from companion.core.errors import Illegal
from companion.core.profiles.exchange import as_code, as_file, from_file
from companion.core.profiles.profile import Allowance, Filters, Profile
from tests.core.profiles.people import FULL

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ANN = Profile(name="Ann", filters=Filters(accept_ms=80), allowance=Allowance(ms=1200))


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "config.toml").write_text("")
    yield tmp_path / "state"
    profiles_in.cache_clear()


def run(folder: Path, name: str, *arguments: str) -> int:
    folder.mkdir(exist_ok=True)
    config = str(folder.parent / "config.toml")
    return main(["profiles", name, "--config", config, "--state-dir", str(folder), *arguments])


def kept(folder: Path) -> StoredProfiles:
    profiles_in.cache_clear()
    profiles = profiles_in(folder)
    profiles.look()
    return profiles


def test_a_profile_is_taken_in_listed_and_given_out_as_it_came(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder.parent / "ann.json").write_bytes(as_file(ANN))
    assert run(folder, "import", str(folder.parent / "ann.json")) == 0
    assert capsys.readouterr().out.splitlines() == [
        "the profile of Ann is kept",
        "a touch counts after 80 ms, which is more than 20: every seat agrees to it first",
        "1,200 ms are taken off each time: every seat agrees to it first",
    ]
    assert PeopleFile(folder).read().people == ("Ann",)

    assert run(folder, "list") == 0
    assert capsys.readouterr().out.startswith("Ann           no card; buttons; a touch counts after 80 ms")
    assert run(folder, "list", "--json") == 0
    assert json.loads(capsys.readouterr().out)["filters"] == {"accept_ms": 80.0}
    assert run(folder, "export", "ann", "-o", str(folder.parent / "out.json")) == 0
    assert from_file((folder.parent / "out.json").read_bytes()) == ANN


def test_the_text_of_a_code_is_taken_in_too_and_a_code_is_drawn(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder.parent / "code.txt").write_text(as_code(FULL))
    assert run(folder, "import", str(folder.parent / "code.txt")) == 0
    assert kept(folder).of(FULL.name).card == FULL.card

    assert run(folder, "export", FULL.name, "--code", "-o", str(folder.parent / "code.svg")) == 0
    assert (folder.parent / "code.svg").read_bytes().startswith(b"<?xml")
    capsys.readouterr()
    assert run(folder, "export", FULL.name, "--code") == 0
    assert "█" in capsys.readouterr().out


def test_nobody_else_of_that_name_is_overwritten_unless_it_is_said(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder.parent / "ann.json").write_bytes(as_file(ANN))
    (folder.parent / "other.json").write_bytes(as_file(Profile(name="ann")))
    run(folder, "import", str(folder.parent / "ann.json"))

    assert run(folder, "import", str(folder.parent / "other.json")) == 1
    assert "there is a profile of Ann here already" in capsys.readouterr().err
    assert kept(folder).of("Ann") == ANN
    assert run(folder, "import", "--instead", str(folder.parent / "other.json")) == 0
    assert kept(folder).of("Ann") == Profile(name="Ann")


def test_whoever_brings_the_same_card_is_the_same_person(folder: Path) -> None:
    profiles = kept(folder)
    profiles.take_in(as_file(FULL))
    again = Profile(name=FULL.name, card=FULL.card)

    assert profiles.take_in(as_file(again)) == replace(again, allowance=FULL.allowance)  # which its races speak for
    with pytest.raises(Illegal, match="already"):
        profiles.take_in(as_file(Profile(name=FULL.name, card="A" * 16)))


def test_to_delete_a_profile_leaves_the_person_on_the_list(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept(folder).begin("Ann")

    assert run(folder, "delete", "--yes", "Ann") == 0
    assert "is deleted" in capsys.readouterr().out
    assert (kept(folder).kept, PeopleFile(folder).read().people) == ((), ("Ann",))
    assert run(folder, "delete", "--yes", "Ann") == 1
    assert "Ann has no profile" in capsys.readouterr().err


def test_while_the_box_runs_nothing_is_changed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept(folder).begin("Ann")
    journal = SqliteJournal(folder)
    journal.open(lambda *_: None, lambda _: None)
    try:
        assert run(folder, "delete", "--yes", "Ann") == 1
    finally:
        journal.close()
    assert "the box is running" in capsys.readouterr().err
    assert kept(folder).find("Ann") is not None


def test_a_box_that_never_ran_takes_one_in_and_has_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ann.json").write_bytes(as_file(ANN))
    config, state = tmp_path / "config.toml", tmp_path / "home" / "state" / "box"
    config.write_text("")
    given = ["--config", str(config), "--state-dir", str(state)]

    assert main(["profiles", "import", *given, str(tmp_path / "ann.json")]) == 0
    assert "the profile of Ann is kept" in capsys.readouterr().out
    assert kept(state).of("Ann") == ANN
    assert main(["profiles", "list", *given]) == 0
    assert main(["people", "list", *given]) == 0
    assert "Ann" in capsys.readouterr().out


def test_where_nothing_can_be_kept_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.toml"
    config.write_text("")
    (tmp_path / "ann.json").write_bytes(as_file(ANN))
    given = ["--config", str(config), "--state-dir", str(config / "state")]
    assert main(["profiles", "import", *given, str(tmp_path / "ann.json")]) == 1
    assert "state cannot be made: " in capsys.readouterr().err


def test_a_box_that_never_ran_has_nothing_to_delete_and_no_folder_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("")
    given = ["--config", str(config), "--state-dir", str(tmp_path / "state")]
    assert main(["profiles", "delete", *given, "--yes", "Ann"]) == 1
    assert "there is no such folder" in capsys.readouterr().err
    assert not (tmp_path / "state").exists()


def test_one_of_a_newer_version_is_said_and_not_taken_in(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder.parent / "newer.json").write_bytes(b'{"version":7,"name":"Bob","hats":"%s"}' % (b"x" * 40_000))

    assert run(folder, "import", str(folder.parent / "newer.json")) == 1
    assert "newer version" in capsys.readouterr().err
    (folder / "profiles").mkdir()
    (folder / "profiles" / "00.json").write_bytes(b'{"version":7,"name":"Bob","hats":"%s"}' % (b"x" * 40_000))
    assert run(folder, "list") == 0
    assert "the profile of Bob was written by a newer version" in capsys.readouterr().err


def test_cards_are_printed_and_whoever_has_none_gets_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles = kept(folder)
    profiles.begin("Ann")
    profiles.begin("Bob")
    before = profiles.new_card("Bob").card

    assert run(folder, "cards", str(folder.parent / "cards.pdf")) == 0
    assert capsys.readouterr().out.startswith("2 cards on 1 page of a4-24")
    assert (folder.parent / "cards.pdf").read_bytes().startswith(b"%PDF")
    profiles = kept(folder)
    assert (profiles.of("Bob").card, len(profiles.of("Ann").card)) == (before, 16)


def test_a_person_is_renamed_and_deleted_with_their_profile(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profiles = kept(folder)
    profiles.take_in(as_file(ANN))
    profiles.begin("Bob")
    config = ["--config", str(folder.parent / "config.toml"), "--state-dir", str(folder)]

    assert main(["people", "rename", *config, "Ann", "Anna"]) == 0
    assert kept(folder).of("Anna").filters == ANN.filters
    assert main(["people", "rename", *config, "Bob", "Anna"]) == 0
    assert "Of the two profiles the one of Anna is kept" in capsys.readouterr().out
    assert [one.name for one in kept(folder).kept] == ["Anna"]
    assert main(["people", "delete", "--yes", *config, "Anna"]) == 0
    assert "The profile is deleted, too" in capsys.readouterr().out
    assert list((folder / "profiles").iterdir()) == []
