"""`companion encrypt`: one command that makes what is missing, changes one setting and says what phones must do."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from companion.cli.main import FAILED, USAGE, main
from companion.config.reading import load
from companion.files import durable

PLAIN = "# mine\n[web]\nport = 0  # any\n\n[box]\nlanguage = 'de'\n"


@pytest.fixture
def box(tmp_path: Path) -> Path:
    (tmp_path / "config.toml").write_text(PLAIN)
    (tmp_path / "state").mkdir()
    return tmp_path


def encrypt(box: Path, *arguments: str) -> int:
    return main(["encrypt", "--config", str(box / "config.toml"), "--state-dir", str(box / "state"), *arguments])


def fingerprint(said: str) -> str:
    (found,) = [line for line in said.splitlines() if line.startswith("fingerprint")]
    return found


def test_one_command_makes_all_that_is_needed_and_turns_it_on(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (box / "config.toml").chmod(0o640)
    assert encrypt(box) == 0
    said = capsys.readouterr().out
    assert "every phone must be told to trust it" in said
    assert "systemctl restart companion" in said
    assert len(fingerprint(said).partition(": ")[2].split()) == 32
    text = (box / "config.toml").read_text()
    assert "# mine" in text
    assert "# any" in text
    assert load(box / "config.toml").web.tls is True
    assert stat.S_IMODE((box / "config.toml").stat().st_mode) == 0o640
    assert {stat.S_IMODE(file.stat().st_mode) for file in (box / "state" / "encryption").iterdir()} == {0o600}


def test_a_second_time_changes_nothing_and_says_the_same_fingerprint(
    box: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encrypt(box)
    first, files = capsys.readouterr().out, [p.read_bytes() for p in sorted((box / "state" / "encryption").iterdir())]
    assert encrypt(box) == 0
    second = capsys.readouterr().out
    assert fingerprint(second) == fingerprint(first)
    assert "encrypted already" in second
    assert [p.read_bytes() for p in sorted((box / "state" / "encryption").iterdir())] == files


def test_off_turns_it_off_and_keeps_the_authority(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    encrypt(box)
    first = capsys.readouterr().out
    assert encrypt(box, "--off") == 0
    assert load(box / "config.toml").web.tls is False
    capsys.readouterr()
    encrypt(box)
    assert fingerprint(capsys.readouterr().out) == fingerprint(first)


def test_renew_keeps_the_authority_and_anew_does_not(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    encrypt(box)
    first = fingerprint(capsys.readouterr().out)
    server = (box / "state" / "encryption" / "server.pem").read_bytes()
    assert encrypt(box, "--renew") == 0
    said = capsys.readouterr().out
    assert "phones need not trust anew" in said
    assert fingerprint(said) == first
    assert (box / "state" / "encryption" / "server.pem").read_bytes() != server
    assert encrypt(box, "--anew") == 0
    said = capsys.readouterr().out
    assert "every phone must be told to trust it again" in said
    assert fingerprint(said) != first


def test_a_lost_authority_is_never_replaced_unasked(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    encrypt(box)
    authority = box / "state" / "encryption" / "authority.pem"
    authority.unlink()
    assert encrypt(box) == 0
    assert "--anew makes another authority, which every phone must be told to trust again" in capsys.readouterr().out
    assert encrypt(box, "--renew") == FAILED
    assert "companion encrypt --anew" in capsys.readouterr().err
    (box / "state" / "encryption" / "server.pem").unlink()
    assert not authority.exists()


def test_a_garbled_server_certificate_is_made_anew(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    encrypt(box)
    first = fingerprint(capsys.readouterr().out)
    (box / "state" / "encryption" / "server.pem").write_bytes(b"\x00" * 100)
    assert encrypt(box) == 0
    said = capsys.readouterr().out
    assert "made a new server certificate" in said
    assert fingerprint(said) == first


@pytest.mark.skipif(os.geteuid() != 0, reason="only the superuser gives files away")
def test_what_the_superuser_makes_is_the_box_s_own(box: Path) -> None:
    os.chown(box / "state", 12345, 12345)
    assert encrypt(box) == 0
    made = [box / "state" / "encryption", *(box / "state" / "encryption").iterdir()]
    assert {path.stat().st_uid for path in made} == {12345}


def test_settings_that_cannot_be_written_are_told_with_what_they_need(
    box: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    put = durable.put

    def full(path: Path, *arguments: Any) -> None:
        if path.name == "config.toml":
            raise OSError(28, "No space left on device", str(path))
        put(path, *arguments)

    monkeypatch.setattr(durable, "put", full)
    assert encrypt(box) == FAILED
    assert "it needs web.tls = true" in capsys.readouterr().err


def test_two_wishes_at_a_time_are_a_wrong_call(box: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert encrypt(box, "--off", "--anew") == USAGE
    assert "one of them at a time" in capsys.readouterr().err
    assert not (box / "state" / "encryption").exists()


def test_without_any_settings_file_one_is_begun(
    box: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from companion.cli.encryption import command

    file = box / "etc" / "config.toml"
    monkeypatch.setattr(command, "usual_file", lambda: None)
    monkeypatch.setattr(command, "new_file", lambda: file)
    assert main(["encrypt", "--state-dir", str(box / "state")]) == 0
    assert load(file).web.tls is True
    assert str(file) in capsys.readouterr().out


def test_the_file_to_begin_is_the_machine_s_for_the_superuser_and_else_the_user_s(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from companion.cli.encryption.command import new_file

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert new_file({"HOME": "/home/a"}) == Path("/etc/table-companion/config.toml")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert new_file({"HOME": "/home/a"}) == Path("/home/a/.config/table-companion/config.toml")
    assert new_file({"XDG_CONFIG_HOME": "/c"}) == Path("/c/table-companion/config.toml")
