"""Certificates of the tests' own: a state directory, a clock that a test sets, and what a box is called."""

from __future__ import annotations

import ssl
import time
from typing import TYPE_CHECKING

from companion.adapters.web.encryption.checking import certificates
from companion.adapters.web.encryption.keeping import CertificateFolder, Encryption
from companion.adapters.web.encryption.own_names import Called

if TYPE_CHECKING:
    from pathlib import Path

HERE = Called(("box", "box.local", "localhost"), ("127.0.0.1", "192.168.1.5", "::1"))
DAY_S = 86_400


class State:
    """A box's certificates; `now` and `called` are what a test says."""

    def __init__(self, folder: Path, *, begin: bool = True) -> None:
        self.now, self.called = time.time(), HERE
        self.files = CertificateFolder(folder, lambda: self.now)
        self.faults: list[str | None] = []
        if begin:
            self.files.begin(HERE)

    def encryption(self) -> Encryption:
        made = Encryption(self.files, lambda: self.called)
        made.on_fault = self.faults.append
        return made

    def opened(self) -> Encryption:
        made = self.encryption()
        made.open()
        return made

    def server(self) -> bytes:
        """The server's certificate, PEM."""
        return certificates(self.files.server.read_bytes())[0]

    def authority(self) -> bytes:
        return certificates(self.files.authority.read_bytes())[0]

    def trusting(self) -> ssl.SSLContext:
        """What a phone has that trusts the authority."""
        context = ssl.create_default_context()
        context.load_verify_locations(cadata=self.authority().decode())
        return context
