"""Ed25519 by the library `cryptography`, which is imported when something is signed or checked for the first time.

It takes 15 ms and 10 MB on a PC, which a box that only waits for players need not spend. Any version from 38 on will
do, which is what Debian 12 has as python3-cryptography.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

SEED_BYTES = 32
"""A private key is so many random bytes."""
KEY_BYTES = 32
"""Of a public key."""

MISSING = (
    "the library `cryptography` cannot be used ({}): sudo apt install python3-cryptography, or pip install cryptography"
)


class Ed25519Signer:
    """Signs with a private key. Raises Unavailable where the library is not there."""

    def __init__(self, seed: bytes) -> None:
        """seed: the private key, 32 bytes."""
        self.key, self._sign = _loaded(seed)

    def sign(self, data: bytes) -> bytes:
        """Give the signature, 64 bytes; takes well below a millisecond."""
        return self._sign(data)


def check(key: bytes, signature: bytes, data: bytes) -> bool:
    """Tell whether this is the signature of `data` by the owner of `key`. Raises Unavailable without the library."""
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - see the module's first sentence
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(MISSING.format(error)) from error
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, data)
    except (InvalidSignature, ValueError):  # ValueError: not as long as a key is
        return False
    return True


def _loaded(seed: bytes) -> tuple[bytes, Callable[[bytes], bytes]]:
    """Give the public key and what signs."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey  # noqa: PLC0415
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat  # noqa: PLC0415
    except ImportError as error:
        raise Unavailable(MISSING.format(error)) from error
    private = Ed25519PrivateKey.from_private_bytes(seed)
    return private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw), private.sign
