"""`companion tournament` as a program: it begins an event, says how to reach it, and stops cleanly."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion.adapters.web.encryption.keeping import CertificateFolder
from companion.adapters.web.encryption.own_names import own_names
from companion.cli.main import main
from companion.cli.tournament import command as module

pytestmark = pytest.mark.slow  # starts processes

ROOT = Path(__file__).parents[3]
PROGRAM = "import sys; from companion.cli.main import main; sys.exit(main())"
ANY_PORT = ("--broker-port", "0", "--web-port", "0", "--no-browser")


def started(folder: Path, *arguments: str) -> tuple[subprocess.Popen[str], list[str]]:
    """Start a desk; give it with what it has said once it serves."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "tournament", str(folder), *ANY_PORT, *arguments],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("passwords"):
            return process, said
    raise AssertionError(process.communicate())


def stopped(process: subprocess.Popen[str], by: signal.Signals) -> tuple[int, str]:
    """Stop a desk; give its exit status, and what it said on standard error."""
    process.send_signal(by)
    _, errors = process.communicate(timeout=60)
    return process.returncode, errors


def test_a_desk_begins_an_event_and_takes_it_up_again(tmp_path) -> None:
    folder = tmp_path / "desk"
    process, said = started(folder, "--event", "cup", "--name", "My cup")
    assert stopped(process, signal.SIGTERM) == (0, "")
    text = "".join(said)
    assert re.search(r"begin here: http://127\.0\.0\.1:\d+/\n", text)
    assert re.search(r"companion event join mqtt://127\.0\.0\.1:\d+ --event cup --box box-1", text)
    seed = (folder / "desk.json").read_bytes()
    assert (folder / "desk.json").stat().st_mode & 0o077 == 0
    process, said = started(folder)
    assert stopped(process, signal.SIGINT) == (0, "")
    assert "--event cup" in "".join(said)
    assert (folder / "desk.json").read_bytes() == seed


def test_its_pages_are_encrypted_where_the_settings_say_so(tmp_path) -> None:
    CertificateFolder(tmp_path).begin(own_names())
    config = tmp_path / "config.toml"
    config.write_text("[web]\ntls = true\nhelp_port = 0\n")
    process, said = started(tmp_path / "desk", "--config", str(config), "--state-dir", str(tmp_path))
    assert stopped(process, signal.SIGTERM) == (0, "")
    text = "".join(said)
    assert re.search(r"begin here: https://127\.0\.0\.1:\d+/\n", text)
    assert re.search(r"phones learn to trust them at http://127\.0\.0\.1:\d+/: ([0-9A-F]{2} ?){32}\n", text)


def test_no_pin_is_said_where_it_would_be_kept(tmp_path) -> None:
    process, said = started(tmp_path / "desk")
    stopped(process, signal.SIGTERM)
    pins = [(tmp_path / "desk" / name).read_text().strip() for name in ("referee.pin", "referee/referee.pin")]
    assert all(pin not in "".join(said) for pin in pins)


def test_the_files_of_other_brokers_are_written(tmp_path, capsys) -> None:
    assert main(["tournament", str(tmp_path), "--broker-files", "--boxes", "3"]) == 0
    said = capsys.readouterr().out
    assert f"mosquitto -c {tmp_path / 'mosquitto' / 'mosquitto.conf'}" in said
    assert (tmp_path / "mosquitto" / "mosquitto.conf").exists()
    assert (tmp_path / "broker-logins").read_text().count("\n") == 4


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--seed", "mine"), 2, "--seed is for --simulate"),
        (("--boxes", "0"), 2, "boxes"),
        (("--simulate", "2", "--game", "apache", "--name", "Cup"), 2, "leave out --name, --game, --broker-port"),
        (("--event", "Not An Id"), 1, "cannot name an event"),
        (("--game", "nothing"), 1, "nothing"),
        (("--store", "mysql://somewhere"), 1, "cannot be 'mysql'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(tmp_path, capsys, arguments, status, says) -> None:
    assert main(["tournament", str(tmp_path / "desk"), *ANY_PORT, *arguments]) == status
    said = capsys.readouterr().err
    assert says in said
    assert "bug" not in said


def test_another_event_is_not_run_in_the_folder_of_one(tmp_path, capsys) -> None:
    main(["tournament", str(tmp_path), "--broker-files", "--event", "one"])
    assert main(["tournament", str(tmp_path), "--broker-files", "--event", "other"]) == 1
    assert "is the folder of the event one" in capsys.readouterr().err


def test_a_seed_that_others_may_read_is_refused(tmp_path, capsys) -> None:
    main(["tournament", str(tmp_path), "--broker-files"])
    (tmp_path / "desk.json").chmod(0o644)
    assert main(["tournament", str(tmp_path), "--broker-files"]) == 1
    assert "chmod 600" in capsys.readouterr().err


def test_without_its_libraries_it_says_what_to_install(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(module, "NEEDED", ("no_such_library",))
    assert main(["tournament", str(tmp_path)]) == 1
    assert "pip install 'table-companion[desk]'" in capsys.readouterr().err


def test_a_simulation_is_held_to_its_end_with_its_pages_beside_it(tmp_path, capsys) -> None:
    assert main(["tournament", str(tmp_path / "new"), "--simulate", "1", "--rounds", "1", *ANY_PORT[2:]]) == 0
    said = capsys.readouterr().out
    assert re.match(r"begin here: http://127\.0\.0\.1:\d+/\n", said)
    assert "event join" not in said
    assert "rank correlation with the known strengths" in said
    assert "companion verify finds it authenticated" in said
    assert main(["tournament", str(tmp_path), "--simulate", "1", "--no-browser"]) == 1
    assert "is not empty" in capsys.readouterr().err
