"""Headless Chromium and its driver, as Debian packages them; nothing is downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

_SWITCHES = (
    "--headless=new",
    "--no-sandbox",  # root cannot use it
    "--disable-gpu",
    "--disable-dev-shm-usage",  # small in containers
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
)


def missing_packages() -> str:
    """Return which programs are not installed, as a sentence; empty if all are."""
    names = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"{' and '.join(names)} not found." if names else ""


@contextmanager
def chromium(*, scripts: bool = True) -> Iterator[Chrome]:
    """Start a browser with a new profile; without `scripts` it runs no JavaScript."""
    if reason := missing_packages():
        raise RuntimeError(f"{reason} Install the packages chromium and chromium-driver.")
    os.environ["SE_OFFLINE"] = "true"
    options = ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    if not scripts:
        # 2 is "block"
        prefs = {"profile.managed_default_content_settings.javascript": 2}
        options.add_experimental_option("prefs", prefs)
    with TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        for switch in (*_SWITCHES, f"--user-data-dir={profile}"):
            options.add_argument(switch)
        browser = Chrome(options, Service(shutil.which("chromedriver")))
        try:
            yield browser
        finally:
            browser.quit()


def set_window(browser: Chrome, width: int, height: int = 900, *, dark: bool = False) -> None:
    """Emulate a window size (below 600 pixels a phone) and a colour scheme."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [colours]})
