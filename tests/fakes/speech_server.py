"""A speech-dispatcher of a test's own: Debian's server and its espeak-ng module, at a socket in a folder."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MODULE = "/etc/speech-dispatcher/modules/espeak-ng.conf"


class SpeechServer:
    """Runs from `start` to `stop`; logs into its folder. environ: of its sound card."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        self.folder, self._environ = folder, environ
        self.socket = str(folder / "s")
        (folder / "modules").mkdir(parents=True)
        (folder / "modules" / "espeak-ng.conf").symlink_to(MODULE)
        (folder / "speechd.conf").write_text(
            f'LogLevel 3\nLogDir "{folder}"\nAudioOutputMethod "alsa"\nAudioALSADevice "default"\n'
            'AddModule "espeak-ng" "sd_espeak-ng" "espeak-ng.conf"\nDefaultModule espeak-ng\n'
        )
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Its process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Begin, and wait until it takes connections."""
        self._process = subprocess.Popen(
            ["speech-dispatcher", "--run-single", "--config-dir", str(self.folder), "--communication-method",
             "unix_socket", "--socket-path", self.socket, "--timeout", "0", "--log-dir", str(self.folder),
             "--pid-file", str(self.folder / "pid")],
            env={**os.environ, **self._environ, "HOME": str(self.folder)},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for _ in range(600):
            if self._takes_connections():
                return
            time.sleep(0.05)
        raise TimeoutError("speech-dispatcher did not begin")

    def _takes_connections(self) -> bool:
        with socket.socket(socket.AF_UNIX) as one:
            return one.connect_ex(self.socket) == 0

    def kill(self) -> None:
        """End it as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
            if Path(self.socket).exists():
                Path(self.socket).unlink()

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None
