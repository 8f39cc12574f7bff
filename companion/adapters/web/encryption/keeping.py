"""Keeps the certificates of one box: two files in a folder of its state directory, each whole or not there.

`authority.pem` is the authority's key and certificate; it is made by `companion encrypt` and never by itself, since
every phone must be told to trust it. `server.pem` is the server's key and certificate, and the authority's certificate
once more; it is made anew whenever it is not whole, ends within a month or lacks an address that the box has by now, as
long as the authority is whole. So a phone that trusts the authority need never be asked again.

Nothing here falls back to pages that are not encrypted.

Threads: `Encryption.open` runs where the pages begin, `check` in the web's thread that reads; both may block.
"""

from __future__ import annotations

import logging
import os
import stat
import time
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from companion.adapters.web.encryption import checking
from companion.adapters.web.encryption.authority import AUTHORITY_BEFORE_DAYS, make_authority, make_server
from companion.adapters.web.encryption.own_names import Called, hostname, own_names
from companion.core.errors import CompanionError, Malformed, Unavailable
from companion.files import durable

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable
    from pathlib import Path

    from companion.adapters.web.encryption.checking import Seen

LOG = logging.getLogger("companion")

FOLDER, AUTHORITY, SERVER = "encryption", "authority.pem", "server.pem"
FOLDER_MODE = 0o700
RENEW_S = 30 * 86_400
"""A server certificate is made anew so long before its end, in seconds."""
_DAY_S = 86_400
_MOST_BYTES = 65_536

BEGIN = "companion encrypt makes one"
ANEW = "companion encrypt --anew makes another authority, which every phone must be told to trust again"


class CertificateFolder:
    """The files, and how they are made. state: the box's state directory. now: seconds since 1970, the wall clock."""

    def __init__(self, state: Path, now: Callable[[], float] = time.time) -> None:
        self.folder = state / FOLDER
        self.authority, self.server = self.folder / AUTHORITY, self.folder / SERVER
        self._now = now

    def is_begun(self) -> bool:
        """Tell whether there is, or was, an authority."""
        return os.path.lexists(self.authority) or os.path.lexists(self.server)

    def begin(self, called: Called) -> None:
        """Make a new authority, and a server certificate by it; what was there is gone. Raises Unavailable."""
        made = make_authority(hostname(), called.names, self._time(self._now()))
        self._put(self.authority, made)
        self.renew(called)

    def renew(self, called: Called) -> tuple[str, ...]:
        """Make a server certificate by the authority that is there; give the names it could not be made for.

        Raises Unavailable, Malformed: the authority is not there or not whole.
        """
        authority = self._read(self.authority)
        made = make_server(authority, called, self._time(max(self._now(), self._made(authority))))
        self._put(self.server, made.pem)
        return made.left_out

    def look(self) -> Seen:
        """Look at the server certificate. Raises Unavailable, Malformed: not there, or no client would take it."""
        seen = checking.look(self.server, self._read(self.server))
        mine: list[bytes] = []
        with suppress(CompanionError):  # without the authority's own file, what there is is served on
            mine = checking.certificates(self._read(self.authority))
        if mine and mine[0] != seen.authority:
            raise Malformed(f"{self.server} is by another authority than {self.authority}")
        return seen

    def why_renew(self, seen: Seen, called: Called) -> str:
        """Say why a server certificate should be made anew; empty where it should not."""
        now = self._now()
        lacking = [name for name in (*called.names, *called.addresses) if name not in seen.names]
        if lacking:
            return f"the server certificate does not name {', '.join(lacking)}"
        if now >= seen.ends - RENEW_S:
            return f"the server certificate ends on {self._time(seen.ends):%Y-%m-%d}"
        if seen.authority_begins + AUTHORITY_BEFORE_DAYS * _DAY_S <= now < seen.begins:
            return f"the server certificate begins only on {self._time(seen.begins):%Y-%m-%d}"
        return ""

    def authority_fault(self) -> str:
        """Say why no further server certificate can be made; empty where the authority seems whole."""
        try:
            if self._made(self._read(self.authority)):
                return ""
            why = f"{self.authority} is not whole"
        except Unavailable as error:
            why = str(error)
        return f"{why}: once the server certificate has ended, or the box has another address, {ANEW}"

    def clock_fault(self, seen: Seen) -> str:
        """Say that the box's clock cannot be right, or that the certificate is out of time; empty where all is well."""
        now = self._now()
        today = f"{self._time(now):%Y-%m-%d}"
        if now < seen.authority_begins + (AUTHORITY_BEFORE_DAYS - 1) * _DAY_S:
            return f"this box's clock says {today}, which is before its own authority was made: set the clock"
        if now >= seen.ends:
            return (
                f"the server certificate ended on {self._time(seen.ends):%Y-%m-%d}, if it is {today} as the clock says"
            )
        return ""

    def stamp(self) -> tuple[int, int]:
        """Give what is another once the server's file has been replaced; zeros where there is none."""
        try:
            found = self.server.stat()
        except OSError:
            return 0, 0
        return found.st_ino, found.st_mtime_ns

    # -- inside ------------------------------------------------------------------------------------------------------

    @staticmethod
    def _time(seconds: float) -> datetime:
        return datetime.fromtimestamp(seconds, UTC)

    @staticmethod
    def _made(authority: bytes) -> float:
        """Tell when an authority was made: a clock that says earlier is wrong."""
        for certificate in checking.certificates(authority)[:1]:
            with suppress(Malformed):
                return checking.begins(certificate) + AUTHORITY_BEFORE_DAYS * _DAY_S
        return 0.0

    def _put(self, path: Path, content: bytes) -> None:
        try:
            durable.make_folder(self.folder, FOLDER_MODE)
            durable.put(path, content, durable.PRIVATE_MODE)
        except OSError as error:
            raise Unavailable(f"no certificate can be kept in {self.folder}: {error.strerror or error}") from error

    @staticmethod
    def _read(path: Path) -> bytes:
        """Read a file with a key in it. Raises Unavailable."""
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                mode = os.fstat(handle).st_mode
                if not stat.S_ISREG(mode):
                    raise Unavailable(f"{path} is no file")
                if stat.S_IMODE(mode) & 0o077:
                    raise Unavailable(
                        f"the key in {path} may be read by others (mode {stat.S_IMODE(mode):04o}), so that it proves"
                        " nothing any more"
                    )
                return os.read(handle, _MOST_BYTES)
            finally:
                os.close(handle)
        except OSError as error:
            if isinstance(error, Unavailable):
                raise
            raise Unavailable(f"{path} cannot be read: {error.strerror or error}") from error


class Encryption:
    """The certificates of a running box. called: gives what it is called now.

    on_fault: told what is wrong while pages are served, None once nothing is; from the threads named above.
    """

    def __init__(self, files: CertificateFolder, called: Callable[[], Called]) -> None:
        self._files, self._called = files, called
        self.on_fault: Callable[[str | None], None] = lambda _text: None
        self._context: ssl.SSLContext | None = None
        self._seen: Seen | None = None
        self._stamp = (0, 0)
        self._tried: Called | None = None
        """What the newest certificate was made for, as far as the authority can: not tried again for the same."""

    def open(self) -> None:
        """See to a certificate that holds. Raises Unavailable: there is none and none can be made, so no pages."""
        self._settle()
        self._context = checking.server_context(self._files.server)
        if fault := self._files.authority_fault():
            LOG.warning("web: %s", fault)

    @property
    def context(self) -> ssl.SSLContext:
        """What connections are encrypted by. Each certificate has its own, so that no handshake meets half of one."""
        if self._context is None:
            raise Unavailable("the certificates are not open: call open() first")
        return self._context

    @property
    def authority(self) -> bytes:
        """The authority's certificate (PEM), for everybody."""
        return b"" if self._seen is None else self._seen.authority

    @property
    def fingerprint(self) -> str:
        """The authority's SHA-256, as people compare it."""
        return checking.fingerprint(self.authority)

    def check(self) -> None:
        """See whether a new certificate is due (or somebody has put one there), and use it from the next handshake on.

        Call it now and then, never while a race is going on: a key is made, which keeps the processor busy. Raises
        nothing: what goes wrong is told, and the one in use stays.
        """
        try:
            if self._is_due():
                self._settle()
                self._context = checking.server_context(self._files.server)
            self._tell_fault("")
        except CompanionError as error:
            self._tell_fault(str(error))

    def _is_due(self) -> bool:
        return self._seen is None or self._stamp != self._files.stamp() or self._why_renew(self._seen) != ""

    def _why_renew(self, seen: Seen) -> str:
        called = self._called()
        return "" if called == self._tried and not self._is_late(seen) else self._files.why_renew(seen, called)

    def _is_late(self, seen: Seen) -> bool:
        return self._files.why_renew(seen, Called((), ())) != ""

    def _settle(self) -> None:
        """Look at the server certificate, and make it anew where that is due and can be. Raises Unavailable."""
        seen, why = None, ""
        try:
            seen = self._files.look()
            why = self._why_renew(seen)
        except CompanionError as error:
            why = str(error)
        if why:
            seen = self._renewed(why, seen)
        self._seen, self._stamp = seen, self._files.stamp()

    def _renewed(self, why: str, seen: Seen | None) -> Seen:
        called = self._called()
        try:
            left_out = self._files.renew(called)
            found = self._files.look()
        except CompanionError as error:
            if seen is None:
                raise Unavailable(self._no_pages(why, error)) from error
            self._tried = called
            LOG.warning("web: %s, and it cannot be made anew: %s", why, error)
            return seen
        self._tried = called
        LOG.info("web: a new server certificate: %s", why)
        if left_out:
            LOG.warning("web: the box's authority cannot vouch for %s: %s", ", ".join(left_out), ANEW)
        return found

    def _no_pages(self, why: str, error: CompanionError) -> str:
        if not self._files.is_begun():
            return f"encrypted pages are asked for (web.tls), and this box has no authority yet: {BEGIN}"
        return f"encrypted pages are asked for (web.tls), and {why}; {error}; {ANEW}"

    def _tell_fault(self, text: str) -> None:
        fault = text or (self._files.clock_fault(self._seen) if self._seen is not None else "")
        self.on_fault(fault or None)


def encryption_in(state: Path, names: tuple[str, ...], host: str) -> Encryption:
    """Give the certificates of this machine, not opened. names, host: of the settings, what its pages are called by."""
    return Encryption(CertificateFolder(state), lambda: own_names(names, host))
