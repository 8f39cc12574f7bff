"""Settings for all tests."""

import logging
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# A busy machine is no fault: no test may fail because it took long.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
# For `make mutants`: the same examples in every run, and a failure is not made smaller, as nobody reads it.
settings.register_profile(
    "repeatable",
    settings.get_profile("patient"),
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden pictures anew; look at each of them"
    )
    parser.addoption("--long", action="store_true", help="`make hil`: a million pairs, and a match by one switch")
    parser.addoption("--cuts", type=int, default=20, help="`make hil-system`: how often the plug is pulled")
    parser.addoption("--seed", default="", help="`make hil-system`: other presses, and other instants of power cuts")


def pytest_configure():
    # A shell's `&` and the workers that share the tests have Ctrl-C ignored, and so has then every program that a test
    # starts. A handler of our own is not handed on: such a program begins with the system's.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Counting branches makes a test three times as slow. Core and games must be covered by the tests of these rooms; those
# of others, and walks through whole matches, run without counting, after them (`make test`).
TESTS = Path(__file__).parent
COUNTED = tuple(TESTS / room for room in ("core", "games", "contract", "screens", "replay"))


def pytest_ignore_collect(collection_path, config):
    """Have the half of `make test` that counts branches not even read the rooms of which it would run nothing."""
    is_room = collection_path.parent == TESTS and collection_path.is_dir()
    if is_room and config.option.markexpr == "not no_cover" and collection_path not in COUNTED:
        return True
    return None


def pytest_collection_modifyitems(items):
    for item in items:
        if not any(item.path.is_relative_to(room) for room in COUNTED):
            item.add_marker("no_cover")


@pytest.fixture(autouse=True)
def _log_of_its_own():
    """Have a test that runs the program in this process leave nothing that writes what other tests log."""
    yield
    root = logging.getLogger()
    for handler in [one for one in root.handlers if type(one).__module__.startswith("companion.")]:
        root.removeHandler(handler)
