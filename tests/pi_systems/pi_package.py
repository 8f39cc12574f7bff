"""The arm64 package on Bookworm and on Trixie: installed by the one command, refereeing, and removed."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.errors import HilError
from tests.hil.image import BUILD, REPOSITORY
from tests.pi_systems.chroot import ARM64, ForeignSystem, system

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""Their Pythons."""
COMPANION = str(Path(sys.executable).with_name("companion"))
STATE = "/var/lib/table-companion"


@pytest.fixture(scope="session")
def package() -> Path:
    """The package as it is released, for both systems."""
    command = [sys.executable, str(REPOSITORY / "systemd" / "build_deb.py"), "--arch", "arm64", "--compress", "gzip",
               "--out", str(BUILD.parent / "pi_systems")]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise HilError(f"the package cannot be built:\n{done.stdout}{done.stderr}")
    return Path(done.stdout.split()[-1])


@pytest.fixture(params=SUITES)
def pi(request: pytest.FixtureRequest, package: Path) -> Iterator[tuple[ForeignSystem, str]]:
    """A system with the package and the one command beside it, and its Python."""
    root = Path(tempfile.mkdtemp(dir=BUILD.parent / "pi_systems")) / "root"
    with system(request.param, ARM64, root) as made:
        shutil.copy(package, root / "root" / "box.deb")
        for name in ("install", "uninstall"):
            shutil.copy(REPOSITORY / "systemd" / name, root / "root")
        shutil.copy(REPOSITORY / "companion" / "demo" / "powwow.script", root / "srv")
        yield made, SUITES[request.param]


def test_the_package_installs_referees_and_goes(pi: tuple[ForeignSystem, str]) -> None:
    system, python = pi
    system.sh("apt-get update -qq")
    said = system.sh("/bin/bash /root/install /root/box.deb")
    assert "cannot run here" not in said
    assert system.sh("uname -m").strip() == "aarch64"
    told = system.sh(
        "cd /usr/lib/table-companion/current; ls; "
        "/usr/bin/python3 -I -c 'import sys; print(sys.version_info[:2])'; "
        "runuser -u table-companion -- /usr/bin/python3 -I libraries.py"
    )
    major, minor = python.split(".")
    assert f"({major}, {minor})" in told
    assert system.sh("systemctl is-enabled companion").strip() == "enabled"
    # The demonstration, in real time, on the simulated panel: the same code from the debouncer on.
    play = f"companion run --simulate --new --plain --script /srv/powwow.script --state-dir {STATE}"
    system.sh(f"runuser -u table-companion -- {play}")
    record = system.sh(f"companion export --state-dir {STATE} 1")
    (system.root / "root" / "record").write_text(record)
    judging = [COMPANION, "replay", "--json", "-"]
    here = subprocess.run(judging, input=record, capture_output=True, text=True, check=True)
    assert here.stdout.count('"type":"order"') >= 1
    assert system.sh("companion replay --json /root/record") == here.stdout
    assert "gpiochip" in system.sh("companion doctor", succeeds=False)
    system.sh("/bin/sh /root/uninstall")
    assert "matches.sqlite" in system.sh(f"ls {STATE}")
    assert not (system.root / "usr" / "bin" / "companion").exists()
