"""KiCad 9 from Debian Trixie in a folder of its own, whatever Debian this machine runs: made once by mmdebstrap.

Programs in it see its folder /work and nothing else of this machine. What was fetched before a connection failed is
kept, so that the next run goes on from there.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

BUILD = Path(__file__).parents[2] / "build"
HOME = BUILD / "kicad"
SUITE, MIRROR = "trixie", "http://deb.debian.org/debian"
PACKAGES = ("kicad", "kicad-footprints", "python3")
LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/kicad/help/*")
MADE_AS = f"{SUITE} {' '.join(PACKAGES)}\n"
"""Written beside the folder when it is whole; another text there has it made anew."""


class NoKicad(Exception):
    """KiCad could not be had; the message says why and what helps."""


class Kicad:
    """KiCad in its folder."""

    def __init__(self, home: Path = HOME, mirror: str = MIRROR) -> None:
        self.root, self.debs, self.mark = home / SUITE, home / "debs", home / f"{SUITE}.is-whole"
        self.work = self.root / "work"
        self._mirror = mirror

    def is_there(self) -> bool:
        """Is the folder whole?"""
        return self.mark.is_file() and self.mark.read_text(encoding="utf-8") == MADE_AS

    def provide(self) -> None:
        """Make the folder where it is not whole. Raises NoKicad."""
        if os.geteuid() != 0:
            raise NoKicad("KiCad 9 runs in a folder of its own, by chroot, which only root may:  sudo make hardware")
        if self.is_there():
            return
        if not shutil.which("mmdebstrap"):
            raise NoKicad("please install mmdebstrap first:  sudo apt install --no-install-recommends mmdebstrap")
        self.mark.unlink(missing_ok=True)
        self._keep_what_was_fetched()
        self.debs.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(self._command(), capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            self._keep_what_was_fetched()
            kept = len(list(self.debs.glob("*.deb")))
            said = "\n".join(done.stderr.strip().splitlines()[-4:]) or "it said nothing"
            raise NoKicad(
                f"KiCad 9 could not be fetched from {self._mirror} ({SUITE}); {kept} packages are kept, and the next"
                f" run goes on from there. It needs the network once. mmdebstrap said:\n{said}"
            )
        shutil.rmtree(self.debs)
        self.mark.write_text(MADE_AS, encoding="utf-8")

    def _command(self) -> list[str]:
        cache = "var/cache/apt/archives"
        bring = f'mkdir -p "$1/{cache}" && find "{self.debs}" -name "*.deb" -exec cp -t "$1/{cache}" {{}} +'
        options = [f"--dpkgopt=path-exclude={path}" for path in LEFT_OUT]
        options += ['--aptopt=Apt::Install-Recommends "false"', f"--include={','.join(PACKAGES)}"]
        return [
            "mmdebstrap",
            "--variant=minbase",
            f"--setup-hook={bring}",
            *options,
            SUITE,
            str(self.root),
            self._mirror,
        ]

    def _keep_what_was_fetched(self) -> None:
        """Move whole packages out of a folder that was not finished, and take it away."""
        self.debs.mkdir(parents=True, exist_ok=True)
        for deb in (self.root / "var/cache/apt/archives").glob("*.deb"):
            shutil.move(deb, self.debs / deb.name)
        shutil.rmtree(self.root, ignore_errors=True)

    def run(self, *command: str) -> str:
        """Run a program in /work; gives what it said. Raises NoKicad: it failed."""
        inside = ["chroot", str(self.root), "env", "-C", "/work", "HOME=/work/home", "LC_ALL=C.UTF-8", *command]
        done = subprocess.run(inside, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            said = (done.stderr.strip() or done.stdout.strip())[-2000:]
            raise NoKicad(f"{' '.join(command[:4])} ended with {done.returncode}: {said or 'it said nothing'}")
        return done.stdout

    def fresh_work(self) -> Path:
        """Empty /work and give its place."""
        shutil.rmtree(self.work, ignore_errors=True)
        (self.work / "home").mkdir(parents=True)
        return self.work
