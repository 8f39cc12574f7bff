"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# A busy machine is no fault: no test may fail because it took long.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden", action="store_true", help="write the golden pictures anew; look at each of them"
    )
