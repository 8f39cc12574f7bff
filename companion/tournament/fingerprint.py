"""What of a box's key is read from its display and typed at the desk: 40 bits of its hash. Pure."""

from __future__ import annotations

from hashlib import sha256

from companion.core.errors import Malformed

DIGITS = 10
"""Of 4 bits each: nobody makes a second key with the same ones in an evening."""


def fingerprint(key: bytes) -> str:
    """Give the first 40 bits of the SHA-256 of a public key, as hex digits in two groups: "3f09a 1b2c4"."""
    digits = sha256(key).hexdigest()[:DIGITS]
    return f"{digits[: DIGITS // 2]} {digits[DIGITS // 2 :]}"


def typed(text: str) -> str:
    """Give a fingerprint as `fingerprint` does, from what somebody typed: capitals, spaces and hyphens do not matter.

    Raises Malformed where it is not ten hex digits.
    """
    digits = text.strip().lower().replace(" ", "").replace("-", "")
    if len(digits) != DIGITS or any(digit not in "0123456789abcdef" for digit in digits):
        raise Malformed(f"{text!r} is no box's code: it has ten digits, 0 to 9 and a to f, as the box shows them")
    return f"{digits[: DIGITS // 2]} {digits[DIGITS // 2 :]}"
