"""Two served portals, one crawled and built, one with nasty strings, and browsers.

Test processes share the crawled portal; each has a browser of its own.
"""

import fcntl
import os

import pytest
from tools import chromium, department

from portal.browser.window import Window
from portal.web.portal_client import copy_portal


@pytest.fixture(scope="session")
def driver():
    with _chromium() as found:
        yield found


@pytest.fixture(scope="session")
def driver_without_scripts():
    with _chromium(scripts=False) as found:
        yield found


def _chromium(**options):
    if reason := chromium.missing_packages():
        pytest.skip(f"{reason} PortalClient tests need both.")
    return chromium.chromium(**options)


@pytest.fixture(scope="session")
def crawled(tmp_path_factory):
    """The folder of a crawled portal."""
    base = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    folder, ready = base / "departments", base / "departments.ready"
    with (base / "departments.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            department.make_portal(folder)
            ready.touch()
    return folder


@pytest.fixture(scope="session")
def real_address(crawled):
    with department.serve_portal(crawled) as address:
        yield address


@pytest.fixture(scope="session")
def nasty_folder(tmp_path_factory):
    return copy_portal(tmp_path_factory.mktemp("nasty"))


@pytest.fixture(scope="session")
def nasty_address(nasty_folder):
    with department.serve_portal(nasty_folder) as address:
        yield address


@pytest.fixture
def real(driver, real_address, crawled):
    """A window on the crawled portal."""
    return _window(driver, real_address, crawled)


@pytest.fixture
def nasty(driver, nasty_address, nasty_folder):
    """A window on the sample with the nasty strings."""
    return _window(driver, nasty_address, nasty_folder)


@pytest.fixture
def plain(driver_without_scripts, real_address, crawled):
    """A window on the crawled portal in which scripts do not run."""
    return _window(driver_without_scripts, real_address, crawled)


def _window(driver, address, folder):
    driver.delete_all_cookies()
    return Window(driver, address, (folder / "owner.token").read_text().strip())
