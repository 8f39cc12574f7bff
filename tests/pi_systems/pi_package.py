"""On Bookworm and Trixie for arm64 the package, on 32-bit Bookworm the checkout: installed, refereeing, removed."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hil.errors import HilError
from tests.hil.image import BUILD, REPOSITORY
from tests.pi_systems.chroot import ARM64, ARMHF, ForeignSystem, system

SUITES = {"bookworm": "3.11", "trixie": "3.13"}
"""Their Pythons."""
COMPILERS = ("python3-dev", "gcc", "make", "pkg-config", "libjpeg-dev", "zlib1g-dev", "libfreetype-dev", "swig")
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


@pytest.fixture
def folder() -> Path:
    """A fresh folder for a system."""
    parent = BUILD.parent / "pi_systems"
    parent.mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(dir=parent)) / "root"


@pytest.fixture(params=SUITES)
def pi(request: pytest.FixtureRequest, package: Path, folder: Path) -> Iterator[tuple[ForeignSystem, str]]:
    """A system with the package and the one command beside it, and its Python."""
    with system(request.param, ARM64, folder) as made:
        shutil.copy(package, folder / "root" / "box.deb")
        for name in ("install", "uninstall"):
            shutil.copy(REPOSITORY / "systemd" / name, folder / "root")
        yield made, SUITES[request.param]


def test_the_package_installs_referees_and_goes(pi: tuple[ForeignSystem, str]) -> None:
    system, python = pi
    system.sh("apt-get update -qq")
    said = system.sh("/bin/bash /root/install /root/box.deb")
    assert "cannot run here" not in said
    assert system.sh("uname -m").strip() == "aarch64"
    assert system.sh(
        "ls /usr/lib/table-companion/current/python$(python3 -c 'import sys; print(sys.version[:4])')/gpiod"
    )
    assert f"Python {python}." in system.sh("python3 --version")
    referees(system)
    goes(system, "/root/uninstall")


def test_the_checkout_installs_on_a_32_bit_system(folder: Path) -> None:
    """As on such a Pi, but what piwheels has ready there is compiled here."""
    with system("bookworm", ARMHF, folder) as pi:
        pi.sh("apt-get update -qq")
        pi.sh(f"apt-get install -y -qq --no-install-recommends {' '.join(COMPILERS)}")
        checkout = subprocess.run(["git", "archive", "HEAD"], cwd=REPOSITORY, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", str(folder / "srv")], input=checkout.stdout, check=True)
        pi.sh("/bin/bash /srv/systemd/install")
        assert pi.sh("dpkg --print-architecture").strip() == "armhf"
        referees(pi)
        goes(pi, "/srv/systemd/uninstall")


def referees(system: ForeignSystem) -> None:
    """It is enabled, its libraries can be imported, and the demonstration is judged as it is on this machine."""
    assert system.sh("systemctl is-enabled companion").strip() == "enabled"
    system.sh("runuser -u table-companion -- /usr/bin/python3 -I /usr/lib/table-companion/current/libraries.py")
    shutil.copy(REPOSITORY / "companion" / "games" / "apache" / "demo.script", system.root / "srv")
    # In real time, on the simulated panel: the same code from the debouncer on.
    play = f"companion run --simulate --new --plain --script /srv/demo.script --state-dir {STATE}"
    system.sh(f"runuser -u table-companion -- {play}")
    record = system.sh(f"companion export --state-dir {STATE} 1")
    (system.root / "srv" / "record").write_text(record)
    judging = [COMPANION, "replay", "--json", "-"]
    here = subprocess.run(judging, input=record, capture_output=True, text=True, check=True)
    assert here.stdout.count('"type":"order"') >= 1
    assert system.sh("companion replay --json /srv/record") == here.stdout
    assert "gpiochip" in system.sh("companion doctor", succeeds=False)


def goes(system: ForeignSystem, uninstall: str) -> None:
    """It is removed, and the matches stay."""
    system.sh(f"/bin/sh {uninstall}")
    assert "matches.sqlite" in system.sh(f"ls {STATE}")
    assert not (system.root / "usr" / "bin" / "companion").exists()
