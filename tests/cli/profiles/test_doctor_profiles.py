"""The doctor names each profile that a box leaves out, says how to mend it, and changes none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.adapters.profiles_folder import FOLDER
from companion.cli.findings.finding import Health
from companion.cli.findings.profiles import check_profiles
from companion.core.profiles.evidence import Evidence, Trials
from companion.core.profiles.exchange import as_file
from companion.core.profiles.profile import Allowance, Profile

if TYPE_CHECKING:
    from pathlib import Path


def test_every_profile_that_is_newer_damaged_or_rests_on_nothing_is_named(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER
    folder.mkdir()
    trials = Trials(proposal_ms=800, times_ms=(1200,) * 30, median_ms=900, others_ms=(400,), low_ms=790, high_ms=810)
    bob = Profile(name="Bob", allowance=Allowance(ms=800, evidence=Evidence(trials=trials)))
    (folder / "1.json").write_bytes(as_file(Profile(name="Ann")))
    (folder / "2.json").write_bytes(as_file(bob))
    (folder / "3.json").write_bytes(b'{"version": "9.9", "name": "Cid", "hats": "%s"}' % (b"x" * 40_000))
    (folder / "4.json").write_bytes(b"junk")
    before = sorted(path.name for path in folder.iterdir())
    found = list(check_profiles(tmp_path))
    told = [(one.health, one.text.partition(":")[0]) for one in found]
    assert told == [
        (Health.WARNING, "Bob's allowance"),
        (Health.WARNING, "Cid's was written by a newer version of this program"),
        (Health.FAULT, "4.json is damaged"),
        (Health.OK, "1 in order"),
    ]
    assert all(one.mend for one in found[:-1])
    assert sorted(path.name for path in folder.iterdir()) == before
    assert [one.text for one in check_profiles(tmp_path / "none")] == ["0 in order"]
