"""The example, built and installed into a fresh environment beside the project, as its author would have it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path
from typing import Any

from tests.fakes.wired_reader import WiredReader
from tests.package.trees import ROOT

EXAMPLE = ROOT / "examples" / "driftwood"
PATIENCE_S = 60


class Environment:
    """A virtual environment that has the project (and its build backend) beside it, and the example in it.

    Nothing is fetched: the project's own environment is what it finds the other packages in.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
        self.python = folder / "venv" / "bin" / "python"
        beside = folder / "venv" / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages" / "beside.pth"
        beside.write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
        self.source = folder / "source"
        shutil.copytree(EXAMPLE, self.source)
        self.run("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", str(self.source))
        shutil.rmtree(self.source / "src")  # what is tested is what was installed

    def run(self, *words: str) -> str:
        """Run its Python; it must succeed."""
        done = subprocess.run(
            [self.python, *words], cwd=self.folder, env=self._environ(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def companion(self, *words: str) -> str:
        """Run a command of the companion."""
        return self.run("-c", MAIN, *words)

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start a command that goes on."""
        return subprocess.Popen(
            [self.python, "-c", MAIN, *words], cwd=self.folder, env=self._environ(), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def _environ(self) -> dict[str, str]:
        return {**{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}, "LC_ALL": "C"}


MAIN = "import sys; from companion.cli.main import main; sys.exit(main())"


class Served:
    """A box with a card reader and pages, and nothing else; whoever asks its API is the referee."""

    def __init__(self, environment: Environment, state: Path, reader: WiredReader) -> None:
        config = environment.folder / "served.toml"
        config.write_text(
            f'[box]\nlanguage = "de"\n[buzzer]\nkind = "none"\n[scanner]\nport = "{reader.path}"\n[web]\nport = 0\n'
        )
        self._process = environment.start(
            "run", "--config", str(config), "--state-dir", str(state), "--seats", "red,blue", "--game", "driftwood",
            "--source", "none", "--display", "none",
        )  # fmt: skip
        self._url = self._until(rb"begin here: (\S+/)[ #]")[1].decode()
        pin = (state / "referee.pin").read_text(encoding="ascii").strip()  # a pipe is not told it
        self._cookie = ""
        self._cookie = self.post("session", {"pin": pin})["cookie"]

    def _until(self, pattern: bytes) -> re.Match[bytes]:
        """Read what it says until a pattern is in it."""
        said = b""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            said += line
            if found := re.search(pattern, said):
                return found
        raise AssertionError(said.decode())

    def get(self, what: str) -> Any:
        with urllib.request.urlopen(f"{self._url}api/{what}", timeout=PATIENCE_S) as answer:
            return json.load(answer)

    def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        headers = {"content-type": "application/json", "cookie": self._cookie}
        request = urllib.request.Request(f"{self._url}api/{what}", json.dumps(body).encode(), headers, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            cookie = (answer.headers["set-cookie"] or "").partition(";")[0]
            return {**json.load(answer), "cookie": cookie}

    def stop(self) -> None:
        self._process.terminate()
        self._process.communicate(timeout=PATIENCE_S)
        assert self._process.returncode == 0
