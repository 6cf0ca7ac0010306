"""What all tests share: helpers such as `small_sites` are imported by their bare names."""

import gc
import signal

import pytest
from hypothesis import HealthCheck, settings

from realdata import SHARED

# In the background of a shell Ctrl-C is ignored, by children too; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Modules and tests stay: searches for garbage among them take a tenth of the time of collection.
gc.disable()


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item):
    if item.get_closest_marker("realdata") and not SHARED.is_dir():
        pytest.skip(f"there is no real data at {SHARED}")


# Tests are about what happens, not about how fast on a machine that others may use. The same
# commit gives the same result; `make test-random` looks for examples that were never tried.
settings.register_profile(
    "calm",
    deadline=None,
    derandomize=True,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "random", settings.get_profile("calm"), derandomize=False, max_examples=200
)
settings.load_profile("calm")
# For a second run of the same properties, on other instructions of the CPU.
settings.register_profile("brief", settings.get_profile("calm"), max_examples=25)
