"""The box's key is made once, only its owner reads it, and whatever happens to it, no other takes its place unasked."""

from __future__ import annotations

import base64
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from companion.adapters.keys.box_key import BoxKey
from companion.adapters.keys.ed25519 import Ed25519Signer, check
from companion.core.errors import CompanionError, Malformed, Unavailable

if TYPE_CHECKING:
    from pathlib import Path


def made(directory: Path) -> BoxKey:
    """A key that has sealed something already."""
    key = BoxKey(directory)
    key.prepare()
    key.signer()
    return key


def content(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


def test_it_is_made_at_the_first_start_and_is_the_same_ever_after(tmp_path: Path) -> None:
    key = made(tmp_path)
    before = content(tmp_path)
    again = BoxKey(tmp_path)
    again.prepare()
    assert again.signer().key == key.signer().key == key.public_key() == key.look()
    assert content(tmp_path) == before
    assert sorted(before) == ["seal.key", "seal.pub"]
    assert check(key.public_key(), again.signer().sign(b"data"), b"data")


def test_each_box_has_another(tmp_path: Path) -> None:
    keys = set()
    for name in "abc":
        (tmp_path / name).mkdir()
        keys.add(made(tmp_path / name).public_key())
    assert len(keys) == 3


def test_only_its_owner_may_read_it_whatever_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        key = made(tmp_path)
    finally:
        os.umask(umask)
    assert stat.S_IMODE(key.private.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.public.stat().st_mode) == 0o644


def test_the_public_file_says_nothing_of_the_private_key(tmp_path: Path) -> None:
    key = made(tmp_path)
    assert base64.b64decode(key.public.read_bytes()) == key.signer().key
    assert key.private.read_bytes().strip() not in key.public.read_bytes()


def test_file_and_folder_are_synced_before_the_key_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    did: list[str] = []
    fsync, link = os.fsync, os.link

    def told_fsync(handle: int) -> None:
        did.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def told_link(source: Path, target: Path) -> None:
        did.append("named")
        link(source, target)

    monkeypatch.setattr(os, "fsync", told_fsync)
    monkeypatch.setattr(os, "link", told_link)
    BoxKey(tmp_path).prepare()
    assert did == ["file", "named", "folder"]


@pytest.mark.parametrize("step", ["write", "fsync", "link"])
def test_a_start_that_is_cut_off_leaves_no_half_key_and_the_next_one_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def cut_off(*_: object) -> int:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, step, cut_off)
    with pytest.raises(Unavailable, match="no key can be kept"):
        BoxKey(tmp_path).prepare()
    monkeypatch.undo()
    assert content(tmp_path) == {}
    BoxKey(tmp_path).prepare()


def test_a_full_disk_leaves_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:20]))
    with pytest.raises(Unavailable, match="No space left on device"):
        BoxKey(tmp_path).prepare()
    assert content(tmp_path) == {}


def test_what_a_killed_start_left_behind_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f".seal.key.{os.getpid()}").write_bytes(b"12")
    made(tmp_path)
    assert sorted(content(tmp_path)) == ["seal.key", "seal.pub"]


def test_of_two_first_starts_at_once_both_take_the_key_of_the_one_that_was_quicker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link, theirs = os.link, b"ab" * 32 + b"\n"

    def beaten(source: Path, target: Path) -> None:
        target.write_bytes(theirs)
        target.chmod(0o600)
        link(source, target)

    monkeypatch.setattr(os, "link", beaten)
    BoxKey(tmp_path).prepare()
    assert content(tmp_path) == {"seal.key": theirs}


# -- what must never lead to another key -------------------------------------------------------------------------------


def refused(directory: Path, kind: type[CompanionError], says: str) -> None:
    before = content(directory)
    for use in (BoxKey(directory).prepare, BoxKey(directory).signer, BoxKey(directory).look):
        with pytest.raises(kind, match=says):
            use()
    assert content(directory) == before


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o660, 0o620])
def test_a_key_that_others_may_read_or_write_signs_nothing(tmp_path: Path, mode: int) -> None:
    made(tmp_path).private.chmod(mode)
    refused(tmp_path, Unavailable, "may be read by others")


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"\0" * 65,
        b"ab",
        b"a" * 63 + b"\n",
        b"a" * 64,
        b"a" * 66 + b"\n",
        b"A" * 64 + b"\n",
        b"\xff" * 65,
        b"x" * 9999,
    ],
)
def test_a_key_file_that_is_not_whole_signs_nothing(tmp_path: Path, half: bytes) -> None:
    made(tmp_path).private.write_bytes(half)
    refused(tmp_path, Malformed, "is not whole")


def test_a_key_file_of_another_key_signs_nothing(tmp_path: Path) -> None:
    made(tmp_path).private.write_bytes(b"ab" * 32 + b"\n")
    BoxKey(tmp_path).prepare()  # which does not load the library: the first seal finds it
    for use in (BoxKey(tmp_path).signer, BoxKey(tmp_path).look):
        with pytest.raises(Malformed, match="is not the private key of"):
            use()


def test_a_lost_key_is_not_replaced(tmp_path: Path) -> None:
    made(tmp_path).private.unlink()
    with pytest.raises(Unavailable, match="is gone"):
        BoxKey(tmp_path).prepare()
    with pytest.raises(Unavailable, match="is gone"):
        BoxKey(tmp_path).look()
    assert sorted(content(tmp_path)) == ["seal.pub"]


@pytest.mark.parametrize("text", [b"", b"!", b"YWJj\n"])
def test_a_public_file_that_is_not_whole_is_no_reason_for_another(tmp_path: Path, text: bytes) -> None:
    made(tmp_path).public.write_bytes(text)
    with pytest.raises(Malformed, match=r"seal\.pub is not whole"):
        BoxKey(tmp_path).signer()


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, make: object) -> None:
    make(tmp_path / "seal.key")  # type: ignore[operator]
    with pytest.raises(Unavailable, match="is no file"):
        BoxKey(tmp_path).prepare()


def test_a_key_that_cannot_be_read_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root reads everything, so the refusal is the test's own."""
    made(tmp_path)

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(Unavailable, match=r"seal\.key cannot be read: Permission denied"):
        BoxKey(tmp_path).prepare()


def test_a_link_to_nowhere_is_a_key_that_is_away_and_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "seal.key").symlink_to(tmp_path / "stick" / "seal.key")
    with pytest.raises(Unavailable, match="is not there"):
        BoxKey(tmp_path).prepare()


def test_a_folder_that_is_not_there_or_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="no key can be kept"):
        BoxKey(tmp_path / "nowhere").prepare()
    assert BoxKey(tmp_path / "nowhere").look() is None


# -- signatures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "key", "message", "signature"),
    [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        ),
    ],
)
def test_signatures_are_those_of_rfc_8032(seed: str, key: str, message: str, signature: str) -> None:
    signer = Ed25519Signer(bytes.fromhex(seed))
    assert signer.key.hex() == key
    assert signer.sign(bytes.fromhex(message)).hex() == signature
    assert check(signer.key, bytes.fromhex(signature), bytes.fromhex(message))
    assert not check(signer.key, bytes.fromhex(signature), b"other")


def test_neither_a_start_nor_a_key_that_is_made_loads_the_library(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib, companion.app.run, companion.app.assembly, companion.cli.main\n"
        "from companion.adapters.keys.box_key import BoxKey\n"
        f"BoxKey(pathlib.Path({str(tmp_path)!r})).prepare()\n"
        "print([name for name in sys.modules if name.split('.')[0] in ('cryptography', 'cffi', '_cffi_backend')])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_the_library_it_is_said_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = made(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "cryptography"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cryptography", None)
    for use in (key.signer, lambda: check(b"k" * 32, b"s" * 64, b"data")):
        with pytest.raises(Unavailable, match="python3-cryptography"):
            use()
