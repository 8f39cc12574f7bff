"""The contract of button sources (`tests/contract`), held in the guest: on its kernel's lines and devices."""

from collections.abc import Mapping

from tests.hil.guest import PYTHON, Guest

SUITE = ("tests/contract/test_button_sources.py", "-q", "-p", "no:cacheprovider", "-p", "pytest_timeout")
ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""No plugin but the one that the settings name: importing the others takes half a minute in the emulator."""


def hold_contract(guest: Guest, rigs: str, env: Mapping[str, str]) -> str:
    """Run the contract's tests on the rigs with such a name; what pytest said, all of it passed.

    Raises:
        AssertionError: a test failed.
    """
    suite = [PYTHON, "-m", "pytest", *SUITE, "-k", rigs]
    done = guest.run(suite, seconds=600, env={**ALONE, **env}, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
