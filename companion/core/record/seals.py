"""Seals of a record: when the box makes one and over what, and up to where those of a record hold. Pure.

Theory of operation. A seal is the SHA-256 of every line before it and a signature of that hash. One hash goes on from
line to line, seals among them, so that each seal vouches for all seals before it too. `names` lines alone are left out
of it: they may be changed. What is a `names` line is read as strictly as the judge reads it; a line that only looks
like one is hashed, so that nothing that anybody could take for another line slips in beside a seal. Knows no key file
and no library of signatures: both are given.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.record.lines import End, Line, MalformedLine, Moved, Names, Seal, Sign, as_names, parse_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Check = Callable[[bytes, bytes, bytes], bool]
    """Tells whether a public key made a signature of data."""

SEAL_EVERY = 100
"""After so many lines the box seals, whatever they are."""


class SealedHash:
    """The hash of a record's lines so far, as a seal has it."""

    def __init__(self) -> None:
        self._hash = sha256()

    def add(self, raw: bytes, line: Line | None) -> None:
        """Take the next line. raw: as it is stored, its end of line included. line: None for one that is no `names`."""
        if not isinstance(line, Names):
            self._hash.update(raw)

    def take(self, raw: bytes) -> None:
        """Take the next line, as it is stored, without its end of line, which nobody has read yet."""
        if as_names(raw) is None:
            self._hash.update(raw + b"\n")

    def digest(self) -> bytes:
        """Give the hash of the lines so far, 32 bytes."""
        return self._hash.digest()


class Sealer:
    """Follows the lines of a record as it is written, and makes its seals.

    is_due: whether a line has come after which the box seals, and no seal since. is_sealed: the last line is a seal.
    """

    def __init__(self, stored: Iterable[bytes] = ()) -> None:
        """stored: the lines that the record has already, without their ends of line."""
        self._hash = SealedHash()
        self._lines = 0
        self.is_due = self.is_sealed = False
        for raw in stored:
            self.add(raw)

    def add(self, raw: bytes) -> None:
        """Take the next line, as it is stored, without its end of line."""
        self._lines += 1
        line = _of_interest(raw, self._lines)
        self._hash.add(raw + b"\n", line)
        self.is_sealed = isinstance(line, Seal)
        if self.is_sealed:
            self.is_due = False
        elif isinstance(line, (End, Sign)) or self._lines % SEAL_EVERY == 0:
            self.is_due = True

    def seal(self, key: bytes, sign: Callable[[bytes], bytes]) -> Seal:
        """Make the seal of all lines so far. key: the public key of whoever signs. Raises what `sign` raises."""
        self.is_due = False
        digest = self._hash.digest()
        return Seal(sha256=digest.hex(), key=in_base64(key), signature=in_base64(sign(digest)))


class SealFault(NamedTuple):
    """Line `line` is a seal that does not hold, and why."""

    line: int
    why: str


class KeyUse(NamedTuple):
    """From line `line` on the seals are by another key than before. is_announced: a `moved` line before names it."""

    line: int
    key: bytes
    is_announced: bool


class Verified(NamedTuple):
    """How far a record's seals hold.

    sealed: the number of the last seal of those that hold: it vouches for every line before it; 0 for none. lines: how
    many lines have been read: all, where there is no fault. keys: by whom they are; the first, and each that follows.
    """

    seals: int
    sealed: int
    lines: int
    keys: tuple[KeyUse, ...]
    fault: SealFault | None


def verify_seals(raw_lines: Iterable[bytes], check: Check, key: bytes | None = None) -> Verified:
    """Look at every seal of a record up to the first that does not hold.

    raw_lines: each with its end of line. key: all seals must be by this public key; None: by any.
    """
    verifying = Verifying(check, key)
    for raw in raw_lines:
        if not verifying.goes_on(raw):
            break
    return verifying.found()


class Verifying:
    """One pass over a record, line by line as they come; `verify_seals` says what is looked at."""

    def __init__(self, check: Check, key: bytes | None = None) -> None:
        self._check, self._wanted = check, key
        self._hash = SealedHash()
        self._lines = self._seals = self._sealed = 0
        self._announced: set[bytes] = set()
        self._keys: list[KeyUse] = []
        self._fault: SealFault | None = None

    def goes_on(self, raw: bytes) -> bool:
        """Take the next line; tell whether every seal holds."""
        self._lines += 1
        try:
            line = _of_interest(raw, self._lines, strictly=True)
        except MalformedLine as error:
            self._fault = SealFault(self._lines, f"it cannot be read: {error.reason}")
            return False
        if isinstance(line, Moved):
            self._announced.add(b64decode(line.key))
        if isinstance(line, Seal) and not self._holds(line):
            return False
        self._hash.add(raw, line)
        return True

    def digest(self) -> bytes:
        """Give the hash of the lines so far, 32 bytes, as a seal that followed would have it."""
        return self._hash.digest()

    def found(self) -> Verified:
        """Give what was found."""
        return Verified(self._seals, self._sealed, self._lines, tuple(self._keys), self._fault)

    def _holds(self, seal: Seal) -> bool:
        digest, key = self._hash.digest(), b64decode(seal.key)
        why = self._against(seal, digest, key)
        if why is not None:
            self._fault = SealFault(self._lines, why)
            return False
        if not self._keys or self._keys[-1].key != key:
            self._keys.append(KeyUse(self._lines, key, key in self._announced))
        self._seals += 1
        self._sealed = self._lines
        return True

    def _against(self, seal: Seal, digest: bytes, key: bytes) -> str | None:
        """Say what is wrong with a seal, None where nothing is. digest: of the lines that are before it."""
        if seal.sha256 != digest.hex():
            return f"{self._unsealed()} changed, taken out, added or moved since it was made"
        if self._wanted is not None and key != self._wanted:
            return f"it is by another key: {seal.key}"
        if not self._check(key, b64decode(seal.signature), digest):
            return "its signature is not by the key that it names"
        return None

    def _unsealed(self) -> str:
        first, last = max(self._sealed, 1), self._lines - 1
        return f"of lines {first} to {last} one has been" if first < last else f"line {last} has been"


def digest_of(lines: Iterable[bytes]) -> str:
    """Return the SHA-256, in hex, of these lines with a line end after each, as `previous` of a `moved` line has it."""
    return sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def in_base64(octets: bytes) -> str:
    """Give a key or a signature as a record has it."""
    return b64encode(octets).decode("ascii")


class _Kind(msgspec.Struct):
    """Of a line, no more than its type."""

    type: str


_read_kind = msgspec.json.Decoder(_Kind).decode
_MATTER = frozenset({"end", "sign", "names", "seal", "moved"})


def _of_interest(raw: bytes, number: int, *, strictly: bool = False) -> Line | None:
    """Read a line that matters for seals, None for any other, and for what is no line of a record.

    strictly: raise MalformedLine for what seems to have been a seal, and cannot be read.
    """
    is_seal = b'"seal"' in raw
    try:
        kind = _read_kind(raw).type
        is_seal = kind == "seal"
        return parse_line(raw, number) if kind in _MATTER else None
    except MalformedLine:
        if strictly and is_seal:
            raise
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        if strictly and is_seal:
            raise MalformedLine(number, str(error)) from error
    return None
