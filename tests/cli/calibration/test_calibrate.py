"""`companion calibrate`: what it refuses, and that what was cut off is kept whole."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from companion.cli.main import USAGE, main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("red",), "--seats"),
        (("red", "--seats", "red"), "at least two must play"),
        (("green", "--seats", "red,blue"), "green: has no seat"),
        (("mauve", "--seats", "red,blue"), "mauve: has no seat"),
        (("red", "--seats", "red,red"), "each colour has one"),
    ],
)
def test_it_wants_a_seat_and_others_to_compare_with(
    arguments: tuple[str, ...], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["calibrate", *arguments]) == USAGE
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ((), 'red: nobody is named there, so nothing could be kept: --player NAME, or name = "NAME" under'),
        (("--player", " "), "--player"),
        (("--player", "x" * 50), "--player"),
        (("--player", "Bob"), "Bob sits at blue already"),
    ],
)
def test_what_could_not_be_kept_is_not_measured(
    more: tuple[str, ...], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[seats.blue]\nname = "Bob"\n')
    given = ["--seats", "red,blue", "--simulate", "--no-web", "--plain", "--config", str(config)]
    assert main(["calibrate", "red", *given, "--state-dir", str(tmp_path / "state"), *more]) == USAGE
    told = capsys.readouterr()
    assert why in told.err
    assert told.out == ""


@pytest.mark.no_cover
def test_what_is_left_in_a_pause_ends_the_command_and_nothing_is_half_stored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "script"
    script.write_text("1.0 press red first\n1.2 knob push\n+0.4 knob right 1\n+0.4 knob push\n+20 end\n")
    status = main([
        "calibrate", "red", "--seats", "red,blue", "--player", "Ann", "--script", str(script), "--plain", "--no-web",
        "--state-dir", str(tmp_path / "state"),
    ])  # fmt: skip
    out = capsys.readouterr().out
    assert status == 0
    assert "The allowance of Ann (red) is measured against blue." in out
    assert "> go on another time" in out
    assert "New match" in out  # back at the seating, and so it ends, long before the script does
    kept = tmp_path / "state" / "calibration.json"
    assert not kept.exists() or json.loads(kept.read_bytes())["player"] == "red"
