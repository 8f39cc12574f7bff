"""What of a key is typed at the desk."""

from __future__ import annotations

from hashlib import sha256

import pytest

from companion.core.errors import Malformed
from companion.tournament.fingerprint import fingerprint, typed

KEY = bytes(range(32))


def test_it_is_forty_bits_of_the_keys_hash() -> None:
    assert fingerprint(KEY).replace(" ", "") == sha256(KEY).hexdigest()[:10]


@pytest.mark.parametrize("change", [str.upper, lambda text: text.replace(" ", ""), lambda text: f" {text} "])
def test_however_it_is_typed_it_is_the_same(change) -> None:
    assert typed(change(fingerprint(KEY))) == fingerprint(KEY)


@pytest.mark.parametrize("text", ["", "3f09a 1b2c", "3f09a 1b2c45", "3f09a 1b2cg", "0x09a 1b2c4"])
def test_anything_else_is_refused_with_what_would_be_right(text) -> None:
    with pytest.raises(Malformed, match="ten digits, 0 to 9 and a to f"):
        typed(text)
