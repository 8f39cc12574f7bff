"""Ten million bytes of junk for each input, counted at its decoder: the box goes on, understands what is good, says
little and keeps nothing. Run by `make attack`; `test_junk.py` has a hundredth of it.
"""

from __future__ import annotations

import pytest

from tests.attack.test_junk import *  # noqa: F403

AMOUNT = 10_000_000


@pytest.fixture  # type: ignore[no-redef]  # in the place of the one that is imported
def amount() -> int:
    return AMOUNT
