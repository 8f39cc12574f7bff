"""A profile on its way to another box: as a file that people can read, or as the text of a QR code. Pure.

The text of a QR code is "TCP1:" and then, in base 32, the same file compressed: capitals, digits and a colon alone,
which a QR code writes more densely than any other text, and which no reader or keyboard changes. Races' gaps and single
trials are left out of it: they are what a code has no room for, and the figures that were made of them stay.
"""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from contextlib import suppress

import msgspec

from companion.core.errors import CompanionError, Malformed
from companion.core.profiles.evidence import Evidence
from companion.core.profiles.profile import VERSION, Profile
from companion.core.words.encoding import encode
from companion.core.words.texts import text

MARK = "TCP1:"
"""How the text of a profile's QR code begins."""
LONGEST_CODE = 1_300
"""Characters: version 24 of a QR code with correction M, which a telephone's camera reads off a screen."""
LARGEST = 32_768
"""Bytes of a profile's file; the largest that can be is a tenth of it."""
LARGEST_TOLD = 2**20
"""Bytes of a file that may say anywhere in them that a newer version wrote it; a larger one must at its beginning."""
LONGEST_TOLD = 80
"""Characters of the name in it."""
NUMBER = re.compile(rb"\d+(\.\d+)?([eE]\+?\d+)?")
BEGINNING = re.compile(
    rb'\s*\{\s*"version"\s*:\s*(?P<version>"[^"\\]*"|[-+.\w]+)(\s*,\s*"name"\s*:\s*(?P<name>"([^"\\]|\\.)*"))?\s*[,}]'
)
"""How a profile begins that this program, or a newer version of it, wrote."""


class NewerVersion(CompanionError, ValueError):
    """A newer version of this program wrote it; nothing of it is lost as long as nobody changes it."""


class _Told(msgspec.Struct):
    """Of a profile of any version, no more than which version wrote it and whose it is, as it stands there."""

    version: msgspec.Raw = msgspec.Raw()
    name: msgspec.Raw = msgspec.Raw()

    @property
    def is_newer(self) -> bool:
        """Tell whether a newer version wrote it: its version may be a number or a text ("2.0")."""
        number = NUMBER.match(bytes(self.version).removeprefix(b'"'))
        return number is not None and float(number[0]) > VERSION


def as_file(profile: Profile) -> bytes:
    """Give a profile as a file: JSON in lines."""
    return msgspec.json.format(encode(profile)) + b"\n"


def from_file(content: bytes) -> Profile:
    """Read a profile's file. Raises NewerVersion; Malformed, which says what is wrong with it."""
    try:
        if _told(content).is_newer:
            raise NewerVersion(
                text("it was written by a newer version of this program: install that one, and nothing of it is lost")
            )
        if len(content) > LARGEST:
            raise Malformed(text("it is too large to be a profile: {bytes} bytes at most").format(bytes=LARGEST))
        return msgspec.json.decode(content, type=Profile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(text("it is no profile: {why}").format(why=error)) from error


def name_in(content: bytes) -> str:
    """Give whose profile a file of any version is, "" where it does not say."""
    try:
        name = msgspec.json.decode(_told(content).name, type=str)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""
    return name if len(name) <= LONGEST_TOLD else ""


def _told(content: bytes) -> _Told:
    """Give what a file of any version says of itself; of one that is too large, or cut off, by how it begins.

    Raises msgspec.DecodeError, UnicodeDecodeError, RecursionError.
    """
    if len(content) <= LARGEST:
        return msgspec.json.decode(content, type=_Told)
    with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(content[: LARGEST_TOLD + 1], type=_Told)
    found = BEGINNING.match(content, 0, LARGEST)
    return _Told() if found is None else _Told(msgspec.Raw(found["version"]), msgspec.Raw(found["name"] or b""))


def as_code(profile: Profile) -> str:
    """Give the text of a profile's QR code. Raises Malformed where it has more to say than one has room for."""
    told = encode(_short(profile))
    code = MARK + base64.b32encode(zlib.compress(told, 9)).decode().rstrip("=")
    if len(code) > LONGEST_CODE:
        raise Malformed(text("this profile says more than a QR code has room for: take it along as a file"))
    return code


def from_code(code: str) -> Profile:
    """Read the text of a profile's QR code. Raises as `from_file` does."""
    plain = "".join(code.split()).upper()
    if not plain.startswith(MARK):
        raise Malformed(text("it is no code of a profile: one begins with {mark}").format(mark=MARK))
    packed = plain.removeprefix(MARK)
    try:
        raw = base64.b32decode(packed + "=" * (-len(packed) % 8))
        unpacking = zlib.decompressobj()
        content = unpacking.decompress(raw, LARGEST + 1)  # no more, however much it would become
    except (binascii.Error, zlib.error, ValueError) as error:
        raise Malformed(text("the code is not whole: scan or copy it again")) from error
    if not unpacking.eof and len(content) <= LARGEST:
        raise Malformed(text("the code is not whole: scan or copy it again"))
    return from_file(content)


def read_profile(content: bytes) -> Profile:
    """Read a profile from whatever it came as. Raises as `from_file` does."""
    start = content.lstrip()[: len(MARK)]
    if start.upper() == MARK.encode():
        return from_code(content[: LARGEST + 1].decode("ascii", "replace"))
    return from_file(content)


def _short(profile: Profile) -> Profile:
    evidence = profile.allowance.evidence
    if evidence is None:
        return profile
    trials = None if evidence.trials is None else msgspec.structs.replace(evidence.trials, times_ms=())
    allowance = msgspec.structs.replace(profile.allowance, evidence=Evidence(trials=trials, count=evidence.number))
    return msgspec.structs.replace(profile, allowance=allowance)
