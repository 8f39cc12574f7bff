"""The URL of a store: which kind it is, what people are told of it, and what nobody must ever be told of it. Pure.

A password stands in the URL of a server. It must get into no error, log or representation: so everything that a driver
or a server says goes through `Address.clean`, and nothing but `Address.name` is ever shown of the URL itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from companion.core.errors import Malformed

WOULD_BE = "it would be sqlite:///PATH or postgresql://USER:PASSWORD@HOST/DATABASE"
DRIVER = "postgresql+psycopg"
_SERVERS = frozenset({"postgresql", "postgres", DRIVER})
_SECRETS = ("password", "sslpassword")
"""What libpq takes among a URL's parameters and nobody may read."""


class Address(NamedTuple):
    """Where a store is. path: of the file, None for a server. url: for the driver alone. name: for people."""

    url: URL
    path: Path | None
    name: str
    secrets: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Address({self.name})"

    def clean(self, text: str) -> str:
        """Give a text on one line and without any password of this URL."""
        line = " ".join(text.split())
        for secret in self.secrets:
            for written in sorted({secret, quote(secret), quote(secret, safe=""), quote_plus(secret)}, key=len):
                line = line.replace(written, "***")
        return line


def url_of_file(path: Path) -> str:
    """Give the URL of a store in a file."""
    return URL.create("sqlite", database=str(path.absolute())).render_as_string()


def read_address(url: str) -> Address:
    """Read the URL of a store. Raises Malformed, which never repeats the URL: a password may be anywhere in it."""
    try:
        read = make_url(url)
    except (ArgumentError, ValueError):
        raise Malformed(f"the URL of the event's store cannot be read: {WOULD_BE}") from None
    if read.drivername == "sqlite":
        return _of_file(read)
    if read.drivername in _SERVERS:
        return _of_server(read)
    raise Malformed(f"the event's store cannot be {read.drivername!r}: {WOULD_BE}")


def _of_file(url: URL) -> Address:
    if url.host or url.username or url.password or url.query:
        raise Malformed("the URL of a store in a file has a path and nothing else: sqlite:///PATH, with three slashes")
    if not url.database or url.database == ":memory:":
        raise Malformed("the event's store must outlive the desk: sqlite:///PATH, and not in memory")
    return Address(url, Path(url.database), url.database)


def _of_server(url: URL) -> Address:
    secrets = [url.password or ""]
    for key in _SECRETS:
        given = url.query.get(key, ())
        secrets += [given] if isinstance(given, str) else given
    shown = URL.create("postgresql", url.username, host=url.host, port=url.port, database=url.database)
    return Address(url.set(drivername=DRIVER), None, shown.render_as_string(), tuple(filter(None, secrets)))
