"""Choosing a kernel from what apt says, without asking apt."""

import os
import shutil

import pytest

from tests.hil import packages
from tests.hil.errors import HilError
from tests.hil.packages import (
    Kernel,
    install,
    matching_kernel,
    named_release,
    releases_newest_first,
    run,
    versions_on_offer,
)

MADISON = """\
linux-image-6.1.0-9-amd64 | 6.1.27-1 | https://archive.example/debian bookworm/main amd64 Packages
linux-headers-6.1.0-9-amd64 | 6.1.27-1 | https://archive.example/debian bookworm/main amd64 Packages
linux-source-6.1 | 6.1.30-1 | https://archive.example/security bookworm/main amd64 Packages
linux-source-6.1 | 6.1.27-1 | https://archive.example/debian bookworm/main amd64 Packages
linux-source-6.1 | 6.1.27-1 | https://archive.example/mirror bookworm/main amd64 Packages
     linux | 6.1.27-1 | https://archive.example/debian bookworm/main Sources
"""


def test_the_release_is_read_from_the_meta_packages_dependency() -> None:
    assert named_release("linux-image-amd64\n  Depends: linux-image-6.1.0-9-amd64\n") == "6.1.0-9-amd64"
    assert named_release("linux-image-amd64\n") is None
    assert named_release("") is None


def test_versions_on_offer_are_listed_once_and_without_sources() -> None:
    assert versions_on_offer(MADISON) == {
        "linux-image-6.1.0-9-amd64": ["6.1.27-1"],
        "linux-headers-6.1.0-9-amd64": ["6.1.27-1"],
        "linux-source-6.1": ["6.1.30-1", "6.1.27-1"],
    }


def test_image_headers_and_source_must_be_of_one_version() -> None:
    offered = versions_on_offer(MADISON)
    assert matching_kernel("6.1.0-9-amd64", offered) == Kernel("6.1.0-9-amd64", "6.1.27-1")
    assert matching_kernel("6.1.0-9-amd64", {**offered, "linux-source-6.1": ["6.1.30-1"]}) is None
    assert matching_kernel("6.1.0-9-amd64", {**offered, "linux-headers-6.1.0-9-amd64": []}) is None
    assert matching_kernel("6.1.0-10-amd64", offered) is None


def test_other_releases_are_tried_newest_first_and_special_kernels_not_at_all() -> None:
    names = [
        "linux-image-6.1.0-9-amd64", "linux-image-6.1.0-10-amd64", "linux-image-6.1.0-10-amd64-dbg",
        "linux-image-6.1.0-10-rt-amd64", "linux-image-6.1.0-10-cloud-amd64", "linux-image-amd64",
        "linux-image-6.12.9+deb13-amd64",
    ]  # fmt: skip
    assert releases_newest_first(names) == ["6.12.9+deb13-amd64", "6.1.0-10-amd64", "6.1.0-9-amd64"]


def test_packages_are_named_after_the_kernel() -> None:
    kernel = Kernel("6.12.9+deb13-amd64", "6.12.9-1")
    assert kernel.series == "6.12"
    assert kernel.source_package == "linux-source-6.12"
    assert kernel.image_package == "linux-image-6.12.9+deb13-amd64"
    assert kernel.headers_package == "linux-headers-6.12.9+deb13-amd64"


def test_who_is_not_root_is_told_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(HilError, match=r"as root run:\n  apt-get install .* cpio kmod"):
        install(["cpio", "kmod"])


def test_no_kernel_with_matching_packages_is_told_with_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {
        "depends": "linux-image-amd64\n  Depends: linux-image-6.1.0-9-amd64\n",
        "pkgnames": "linux-image-6.1.0-9-amd64\n",
        "madison": MADISON.replace("6.1.27-1 | https://archive.example/debian bookworm/main amd64", "6 | x x", 1),
        "--print-architecture": "amd64\n",
    }
    monkeypatch.setattr(packages, "run", lambda *command: answers[command[1]])
    monkeypatch.setattr(packages, "_apt_knows", lambda package: True)
    monkeypatch.setattr(shutil, "which", lambda program: program)
    with pytest.raises(HilError, match=r"6\.1\.0-9-amd64: linux-image-6\.1\.0-9-amd64 6; linux-headers"):
        packages.choose_kernel()


def test_an_arm_machine_is_told_that_the_guest_is_amd64(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "run", lambda *command: "arm64\n")
    monkeypatch.setattr(shutil, "which", lambda program: program)
    with pytest.raises(HilError, match="this machine is arm64"):
        packages.choose_kernel()


def test_a_command_that_fails_is_told_with_its_words() -> None:
    with pytest.raises(HilError, match=r"failed with status 3:\nno luck"):
        run("sh", "-c", "echo no luck; exit 3")
    with pytest.raises(HilError, match="no-such-program-here is not installed"):
        run("no-such-program-here")
