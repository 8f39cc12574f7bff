"""The command line: what reaches the commands, what a person reads when it goes wrong, and the exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.sqlite_journal import SqliteJournal, export_lines
from companion.app import run as app
from companion.cli import doctor_run
from companion.cli.main import COMMANDS, Commands, main
from companion.core.errors import Unavailable
from companion.core.panel import Colour

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[2]
COMPANION = [sys.executable, "-c", "from companion.cli.main import main; raise SystemExit(main())"]
RECORD = [
    b'{"type":"setup","record":2,"match":"00000000000000000000000000000000","game":"order","edition":1,"seats":[{"colour":"red"},{"colour":"blue"}],"first":"red"}',
    b'{"type":"names","names":{"red":"Zo\xc3\xab"}}',
    b'{"type":"press","colour":"red","role":"first","t_ns":1000}',
    b'{"type":"close"}',
    b'{"type":"judge"}',
]


@pytest.fixture(autouse=True)
def _no_settings_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)


@pytest.fixture
def state_dir(tmp_path: Path) -> Path:
    """The default state directory, with a key, a finished match and one that was cut off."""
    directory = tmp_path / "state" / "table-companion"
    journal = SqliteJournal(directory, wall_time=lambda: "2026-01-01T20:00:00+01:00")
    journal.open(lambda match_id, count: None, pytest.fail)
    journal.finish(journal.begin("order", RECORD, None))
    journal.begin("order", RECORD[:2], None)
    journal.close()
    BoxKey(directory).prepare()
    return directory


class Called:
    """Takes the place of `app.run`, and keeps what it was called with."""

    def __init__(self) -> None:
        self.settings: Any = None
        self.options: Any = None
        self.status = 0

    def __call__(self, settings: Any, options: Any) -> int:
        self.settings, self.options = settings, options
        return self.status


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Called:
    called = Called()
    monkeypatch.setattr(app, "run", called)
    return called


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def fail(*_: object) -> int:
        raise error

    monkeypatch.setattr(app, "run", fail)


# What reaches the commands ------------------------------------------------------------------------------------------


def test_run_gets_the_settings_and_options_of_the_command_line(called: Called, tmp_path: Path) -> None:
    assert main(
        ["run", "--simulate", "--plain", "--seats", "red,yellow,blue", "--first", "yellow",
         "--variants", "wedding,warpath", "--window", "4.5", "--dead-heat", "clockwise", "--display", "none",
         "--state-dir", str(tmp_path), "--resume"]
    ) == 0  # fmt: skip
    options, settings = called.options, called.settings
    assert (options.simulate, options.plain, options.script) == (True, True, None)
    assert (options.seats, options.first) == ((Colour.RED, Colour.YELLOW, Colour.BLUE), Colour.YELLOW)
    assert (settings.match.variants, settings.match.dead_heat) == (("wedding", "warpath"), "clockwise")
    assert (settings.timing.window_s, settings.display.kind) == (4.5, "none")
    assert (settings.box.state_dir, settings.box.resume, settings.match.cards) == (str(tmp_path), "always", True)


def test_run_takes_the_other_options_too(called: Called) -> None:
    arguments = ["run", "--source", "gpiod", "--chip", "gpio-sim", "--game", "order", "--no-cards", "--new"]
    assert main(arguments) == 0
    settings = called.settings
    assert (settings.source.kind, settings.source.chip) == ("gpiod", "gpio-sim")
    assert (settings.match.game, settings.match.cards, settings.box.resume) == ("order", False, "never")
    assert (called.options.simulate, called.options.seats, called.options.first) == (False, (), None)


def test_a_script_is_played_on_the_simulated_panel(called: Called) -> None:
    assert main(["run", "--script", "demo.txt"]) == 0
    assert (called.options.simulate, called.options.script) == (True, Path("demo.txt"))


def test_the_demonstration_is_a_script_of_the_program_and_a_new_match(called: Called) -> None:
    assert main(["run", "--demo"]) == 0
    assert called.options.simulate
    assert called.options.script == ROOT / "companion" / "games" / "apache" / "demo.script"
    assert called.options.script.is_file()
    assert called.settings.box.resume == "never"


def test_the_record_of_a_demonstration_is_kept_apart_from_the_matches_that_were_played(
    called: Called, tmp_path: Path
) -> None:
    assert main(["run", "--demo", "--state-dir", str(tmp_path)]) == 0
    box = called.settings.box
    assert (box.state_dir, box.keep_matches) == (str(tmp_path / "demonstration"), 1)


@pytest.mark.parametrize("more", [["--resume"], ["--script", "demo.txt"]])
def test_the_demonstration_is_of_its_own(more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--demo", *more]) == 2
    assert "--demo" in capsys.readouterr().err


def test_no_variants_can_be_said_against_the_file(called: Called, tmp_path: Path) -> None:
    (tmp_path / "box.toml").write_text('[match]\nvariants = ["wedding"]\n')
    assert main(["run", "--config", str(tmp_path / "box.toml")]) == 0
    assert called.settings.match.variants == ("wedding",)
    assert main(["run", "--config", str(tmp_path / "box.toml"), "--variants", ""]) == 0
    assert called.settings.match.variants == ()


def test_the_users_own_file_is_read_without_being_named(called: Called, tmp_path: Path) -> None:
    file = tmp_path / "config" / "table-companion" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text("[timing]\nwindow_s = 9\n")
    assert main(["run"]) == 0
    assert called.settings.timing.window_s == 9


def test_the_status_of_a_command_is_the_exit_status(called: Called) -> None:
    called.status = 3
    assert main(["run"]) == 3


def test_doctor_is_asked_for_the_buttons(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, bool]] = []

    def doctor(settings: Any, *, buttons: bool, event: Any) -> int:
        seen.append((settings.box.state_dir, buttons))
        return 1

    monkeypatch.setattr(doctor_run, "doctor", doctor)
    assert main(["doctor", "--state-dir", "/x"]) == 1
    assert main(["doctor", "--buttons"]) == 1
    assert seen == [("/x", False), ("", True)]


# Called wrongly ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "--windw", "3"], "No such option '--windw'"),
        (["rnu"], "No such command 'rnu'"),
        (["run", "--window", "500"], "--window 500.0: must be a number from 0.5 to 120"),
        (["run", "--window", "nan"], "--window nan: must be a number from 0.5 to 120"),
        (["run", "--window", "long"], "'long' is not a valid float"),
        (["run", "--variants", "weding"], '--variants: no variant "weding" in apache; did you mean wedding?'),
        (["run", "--game", "chess"], '--game "chess": no game of this name is installed; allowed: apache'),
        (["run", "--source", "gpio"], '--source "gpio": must be one of "auto", "gpiod"'),
        (["run", "--dead-heat", "coin"], '--dead-heat "coin": must be one of "clockwise", "lots", "timestamp"'),
        (["run", "--display", "ssd1322"], "an ssd1322 speaks only SPI"),
        (["run", "--seats", "red,blu"], "--seats: 'blu' is no colour; did you mean blue?"),
        (["run", "--first", "red"], "--first: say with --seats who plays"),
        (["run", "--simulate", "--source", "gpiod"], "a simulated panel has no buttons on pins"),
        (["export"], "Missing argument 'ID'"),
        (["export", "0"], "0 is not in the range"),
        (["replay"], "Missing argument 'FILE'"),
        ([], "Usage: companion"),
    ],
)
def test_called_wrongly_is_status_2_and_says_what_is_right(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str], called: Called
) -> None:
    status = main(arguments)
    out, err = capsys.readouterr()
    if "ssd1322" in arguments:  # the interface, which does not fit, was not given on the command line
        assert status == 1
    else:
        assert status == 2
    assert message in err
    assert out == ""
    assert called.settings is None


@pytest.mark.parametrize("command", [[], ["run"], ["replay"], ["matches"], ["export"], ["config"], ["doctor"]])
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: companion {' '.join(command)}".rstrip())
    assert err == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_its_own_help_says_first(name: str) -> None:
    command = Commands().get_command(click.Context(Commands()), name)
    assert command is not None
    assert command.name == name
    first, _, _ = (command.help or "").partition(". ")
    assert COMMANDS[name].says.rstrip(".") == first.rstrip(".")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert re.fullmatch(
        r"companion [0-9]+\.[0-9]+\S*, commit ([0-9a-f]{12}( with changes)?|unknown)\n", capsys.readouterr().out
    )


# Failures -----------------------------------------------------------------------------------------------------------


def test_a_wrong_file_is_status_1_and_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], called: Called
) -> None:
    file = tmp_path / "box.toml"
    file.write_text("\n[timing]\nwindow_s = 500\n")
    for command in (["run"], ["config"], ["matches"], ["export", "1"], ["doctor"]):
        assert main([*command, "--config", str(file)]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err == f"companion: {file}, line 3: timing.window_s = 500: must be a number from 0.5 to 120\n"


def test_what_is_not_available_is_status_1_and_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, Unavailable("no GPIO chip; is this a Raspberry Pi?"))
    assert main(["run"]) == 1
    assert capsys.readouterr().err == "companion: no GPIO chip; is this a Raspberry Pi?\n"


@pytest.mark.parametrize("error", [ZeroDivisionError("one by none"), OSError(5, "broken", "/dev/thing")])
def test_a_bug_is_status_1_with_one_line_and_the_traceback_in_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path, error: Exception
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    raising(monkeypatch, error)
    assert main(["run"]) == 1
    err = capsys.readouterr().err
    assert err.startswith(f"companion: this is a bug: {type(error).__name__}: ")
    assert err.count("\n") == 1
    (kept,) = tmp_path.glob("companion-*.traceback.txt")
    assert str(kept) in err
    assert "in fail" in kept.read_text()


def test_ctrl_c_is_status_130_and_silent(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    raising(monkeypatch, KeyboardInterrupt())
    assert main(["run"]) == 130
    assert capsys.readouterr() == ("", "")


def test_ctrl_c_in_the_middle_of_a_record_is_status_130_and_silent(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMPANION, "replay", "--json", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT,
    ) as child:  # fmt: skip
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdin.write(b"\n".join(RECORD) + b"\n")
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["type"] == "order"
        child.send_signal(signal.SIGINT)
        assert child.wait(20) == 130
        assert child.stderr.read() == b""


@pytest.mark.parametrize("command", [["config"], ["matches"], ["export", "1"], ["--help"], ["replay", "-"]])
def test_a_reader_that_has_gone_is_status_141_and_silent(command: list[str], state_dir: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMPANION, *command], input=b"\n".join(RECORD), stdout=writing, stderr=subprocess.PIPE, cwd=ROOT, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize("command", ["config", "matches", "export 1", "replay record"])
def test_closed_streams_are_no_fault(command: str, state_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "record").write_bytes(b"\n".join(RECORD))
    command = command.replace("record", f"{tmp_path}/record")
    program = " ".join(f"'{part}'" for part in COMPANION)
    shell = f"{program} {command} <&- >&- 2>{tmp_path}/err"
    done = subprocess.run(["sh", "-c", shell], cwd=ROOT, check=False)
    assert (done.returncode, (tmp_path / "err").read_text()) == (0, "")


@pytest.mark.parametrize("command", [["config"], ["matches"], ["export", "1"]])
def test_a_full_disk_behind_the_output_is_status_1_and_one_line(command: list[str], state_dir: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*COMPANION, *command], stdout=full, stderr=subprocess.PIPE, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (1, b"companion: cannot write the output: No space left on device\n")


def test_a_terminal_without_the_characters_gets_others(state_dir: Path) -> None:
    done = subprocess.run(
        [*COMPANION, "matches"], capture_output=True, cwd=ROOT, check=False,
        env={**os.environ, "PYTHONIOENCODING": "koi8-r:strict"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"red (Zo\\xeb), blue" in done.stdout


# Stored matches -----------------------------------------------------------------------------------------------------


def test_matches_are_listed_the_newest_first(state_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches"]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == ["id", "started", "game", "lines", "state", "players"]
    assert [row.split(maxsplit=4) for row in rows] == [
        ["2", "2026-01-01T20:00:00+01:00", "order", "2", "cut off  red (Zoë), blue"],
        ["1", "2026-01-01T20:00:00+01:00", "order", "5", "ended    red (Zoë), blue"],
    ]


def test_matches_as_json_are_one_object_a_line(state_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matches", "--json", "--state-dir", str(state_dir)]) == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first == {
        "id": 2, "game": "order", "started": "2026-01-01T20:00:00+01:00", "ended": False, "lines": 2,
        "seats": [{"colour": "red"}, {"colour": "blue"}], "names": {"red": "Zoë"},
    }  # fmt: skip


def test_an_exported_record_is_byte_for_byte_what_was_stored_and_a_seal(
    state_dir: Path, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main(["export", "1"]) == 0
    whole, _, seal = capsysbinary.readouterr().out.rstrip(b"\n").rpartition(b"\n")
    assert whole == b"\n".join(RECORD)
    assert json.loads(seal)["type"] == "seal"
    assert main(["export", "1", "-o", str(tmp_path / "one.jsonl")]) == 0
    assert capsysbinary.readouterr() == (b"", b"")
    assert (tmp_path / "one.jsonl").read_bytes() == whole + b"\n" + seal + b"\n"
    assert export_lines(state_dir, 1) == list(RECORD)


def test_an_exported_record_can_be_judged_again(state_dir: Path) -> None:
    program = " ".join(f"'{part}'" for part in COMPANION)
    done = subprocess.run(
        ["sh", "-c", f"{program} export 1 | {program} replay --json -"], capture_output=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert [json.loads(line)["type"] for line in done.stdout.splitlines()] == ["order", "resume", "outcome"]


def test_what_cannot_be_exported_is_named(state_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "9"]) == 1
    assert "has no match 9; `companion matches` lists them" in capsys.readouterr().err
    assert main(["export", "1", "-o", str(tmp_path / "nowhere" / "one")]) == 1
    assert "cannot write" in capsys.readouterr().err
    assert main(["export", "1", "--state-dir", str(tmp_path)]) == 1
    assert f"no matches are stored in {tmp_path}" in capsys.readouterr().err


def test_the_printed_configuration_can_be_used_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], called: Called
) -> None:
    (tmp_path / "one.toml").write_text("[timing]\nwindow_s = 7\n")
    assert main(["config", "--config", str(tmp_path / "one.toml")]) == 0
    printed = capsys.readouterr().out
    (tmp_path / "two.toml").write_text(printed)
    assert main(["config", "--config", str(tmp_path / "two.toml")]) == 0
    assert capsys.readouterr().out == printed
    assert "window_s = 7.0" in printed


# Starting fast ------------------------------------------------------------------------------------------------------

HEAVY = {"asyncio", "sqlite3", "PIL", "luma", "gpiozero", "gpiod", "lgpio", "prompt_toolkit", "msgspec"}


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [(["--help"], set()), (["replay", "/dev/null"], {"msgspec"}), (["config"], {"msgspec"})],
)
def test_a_command_imports_nothing_heavy_that_it_does_not_need(arguments: list[str], needed: set[str]) -> None:
    program = (
        "import sys\nfrom companion.cli.main import main\nmain(sys.argv[1:])\n"
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert HEAVY & set(done.stderr.split()) <= needed
