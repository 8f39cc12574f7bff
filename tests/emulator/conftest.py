"""What the emulated pods' tests need is built once, before the first of them."""

import pytest

from tests.emulator.pods import make_all


@pytest.fixture(scope="session")
def emulator():
    return make_all()
