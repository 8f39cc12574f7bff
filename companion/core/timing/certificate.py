"""The certificate of a box's stamps: what a loop of wire has shown, for which box and until when, sealed. Pure.

The file is one JSON object: `certificate`, and `key` and `signature` of exactly the bytes that stand behind
`"certificate":`. Its name in a record is the SHA-256 of the whole file. The signature shows that this box's key wrote
it and nobody has changed it since; it does not show that the wire was where the person said it was.
"""

from __future__ import annotations

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as WrongBase64
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.core.errors import Malformed
from companion.core.timing.loop_errors import LineFigures, worst_difference
from companion.core.words.encoding import encode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from companion.core.timing.loop_errors import Paired

    Check = Callable[[bytes, bytes, bytes], bool]
    """Tells whether (key, signature, data) belong together."""

VERSION, OLDEST = 2, 1
"""What is written, and the oldest that is read: version 1 was measured on an idle machine, and knows no wait."""
PULSES = 300
"""Of each line."""
WORST_TIMES = 2
"""So many times as long as the longest wait that was measured is what may be."""
VALID_DAYS = 365


class Circumstances(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a certificate holds for.

    box: its id. board, serial: the Raspberry Pi's model and number, empty where there is none. kernel: its release.
    source: how the buttons are read ("gpiod", "gpiozero/lgpio", "pods/" and their unique ids).
    """

    box: str
    board: str
    serial: str
    kernel: str
    source: str


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What was measured, where, by which program (`software`: name and version) and until when it is believed.

    load: what kept the machine busy meanwhile ("disk", "network", "display"). longest_wait_ns: of an interrupt's thread
    under it; None where the kernel does not tell, or nobody asked (version 1).
    """

    version: int
    date: datetime
    expires: datetime
    circumstances: Circumstances
    software: str
    lines: tuple[LineFigures, ...]
    worst_difference_ns: int
    late: str
    early: str
    load: tuple[str, ...] = ()
    longest_wait_ns: int | None = None

    @property
    def merge_ns(self) -> int:
        """How long an interrupt's thread may wait, by what was measured; 0 where that is nothing."""
        return WORST_TIMES * (self.longest_wait_ns or 0)


class SealedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file. certificate: the bytes that are signed, as they stand. key, signature: Ed25519, base64."""

    certificate: msgspec.Raw
    key: str
    signature: str


class Present(NamedTuple):
    """How things are now. lines: the input of each button, by its label; key: the box's own, None where it has none."""

    circumstances: Circumstances
    lines: Mapping[str, int]
    key: bytes | None
    now: datetime


class Weighed(NamedTuple):
    """A certificate, the SHA-256 of its file, and everything for which it is not valid."""

    certificate: Certificate
    sha256: str
    faults: tuple[str, ...]

    @property
    def is_valid(self) -> bool:
        """Tell whether its worst difference joins the ± of presses."""
        return not self.faults


class Certified(NamedTuple):
    """What a valid certificate gives to the source of this name: so much more ±, and whose figures these are.

    merge_ns: how long an interrupt's thread may wait by it; 0 where it does not tell.
    """

    source: str
    added_ns: int
    sha256: str
    merge_ns: int = 0


def with_certificate(error_ns: int, source: str, certified: Certified | None) -> tuple[int, str | None]:
    """Give the ± of a source's edges, and the SHA-256 of the certificate that it holds; error_ns: what it states.

    A certificate only ever adds: what was measured for some minutes is no reason to state less.
    """
    if certified is None or certified.source != source:
        return error_ns, None
    return error_ns + max(certified.added_ns, 0), certified.sha256


def merge_with(merge_ns: int, source: str, certified: Certified | None) -> int:
    """Return how long an interrupt's thread may wait: what is set, and at least what its source's certificate says."""
    return merge_ns if certified is None or certified.source != source else max(merge_ns, certified.merge_ns)


class Strain(NamedTuple):
    """What a machine was kept busy with, and the longest that an interrupt's thread waited; None: the kernel does not
    tell."""

    load: tuple[str, ...] = ()
    longest_wait_ns: int | None = None


class Sample(msgspec.Struct, frozen=True):
    """One change of the output with the wire on one line, and the stamp of its edge; None where none came."""

    line: str
    active: bool
    before_ns: int
    after_ns: int
    t_ns: int | None


def samples(line: str, paired: Paired) -> bytes:
    """Give everything that a line's figures are made of, as JSON Lines."""
    found = (Sample(line, *change, t_ns) for change, t_ns in paired.answers)
    return b"".join(encode(sample) + b"\n" for sample in found)


def certify(
    lines: Sequence[LineFigures],
    circumstances: Circumstances,
    software: str,
    date: datetime,
    days: int = VALID_DAYS,
    strain: Strain | None = None,
) -> Certificate:
    """Make a certificate of the figures of all lines. date: has a time zone."""
    worst = worst_difference(lines)
    date = date.replace(microsecond=0)
    expires = date + timedelta(days=days)
    return Certificate(
        VERSION,
        date,
        expires,
        circumstances,
        software,
        tuple(lines),
        worst.ns,
        worst.late,
        worst.early,
        *(strain or Strain()),
    )


def seal(certificate: Certificate, key: bytes, sign: Callable[[bytes], bytes]) -> bytes:
    """Give the bytes of the file."""
    body = encode(certificate)
    sealed = SealedFile(msgspec.Raw(body), b64encode(key).decode(), b64encode(sign(body)).decode())
    return encode(sealed) + b"\n"


def read_certificate(data: bytes) -> Certificate:
    """Give what a file's bytes say, whether it holds or not. Raises Malformed where they are no certificate."""
    return _read(data)[1]


def weigh(data: bytes, check: Check | None, present: Present) -> Weighed:
    """Read a file's bytes and say for what it is not valid here and now. Raises Malformed for no certificate.

    check: None where the signature is not looked at, only whose it is said to be.
    """
    sealed, certificate = _read(data)
    faults = [
        *_seal_faults(sealed, check, present.key),
        *_changes(certificate.circumstances, present.circumstances),
        *_line_faults(certificate, present.lines),
        *_date_faults(certificate, present.now),
    ]
    return Weighed(certificate, hashlib.sha256(data).hexdigest(), tuple(faults))


def _read(data: bytes) -> tuple[SealedFile, Certificate]:
    try:
        sealed = msgspec.json.decode(data, type=SealedFile)
        version = msgspec.json.decode(sealed.certificate).get("version")
        if version not in range(OLDEST, VERSION + 1):
            reads = f"this program reads versions {OLDEST} to {VERSION}"
            raise Malformed(f"a certificate of version {version}; {reads}: certify anew")
        certificate = msgspec.json.decode(sealed.certificate, type=Certificate)
    except (msgspec.DecodeError, AttributeError, UnicodeDecodeError) as error:
        raise Malformed(f"this is no certificate: {error}; companion certify makes one") from error
    if not certificate.lines or certificate.date.tzinfo is None or certificate.expires.tzinfo is None:
        raise Malformed("this is no certificate: it has no lines or no time zone; companion certify makes one")
    return sealed, certificate


def _seal_faults(sealed: SealedFile, check: Check | None, own: bytes | None) -> list[str]:
    try:
        key, signature = b64decode(sealed.key, validate=True), b64decode(sealed.signature, validate=True)
    except WrongBase64:
        return ["its seal is broken: key or signature cannot be read"]
    if check is not None and not check(key, signature, bytes(sealed.certificate)):
        return ["its seal is broken: it was changed after it was sealed"]
    if own is None:
        return ["this box's key cannot be read, so nothing shows that the seal is its own"]
    return [] if key == own else ["another box's key has sealed it"]


_WORDS = {
    "box": "the box", "board": "the board", "serial": "the board's serial number", "kernel": "the kernel",
    "source": "how the buttons are read",
}  # fmt: skip


def _changes(then: Circumstances, now: Circumstances) -> list[str]:
    """Name what is not as it was."""
    return [
        f"{words} was {getattr(then, name) or 'unknown'} and is {getattr(now, name) or 'unknown'}"
        for name, words in _WORDS.items()
        if getattr(then, name) != getattr(now, name)
    ]


def _line_faults(certificate: Certificate, lines: Mapping[str, int]) -> list[str]:
    tried = {line.line: line.input for line in certificate.lines}
    faults = [
        f"{label} is on input {number} now and was not tried there"
        for label, number in lines.items()
        if tried.get(label) != number
    ]
    return faults + [f"{line.line} lost {line.lost} edges" for line in certificate.lines if line.lost]


def _date_faults(certificate: Certificate, now: datetime) -> list[str]:
    if now < certificate.date:
        return [f"the clock is wrong: it is before the certificate's date, {certificate.date:%Y-%m-%d %H:%M} UTC"]
    return [f"it expired on {certificate.expires:%Y-%m-%d}"] if now >= certificate.expires else []
