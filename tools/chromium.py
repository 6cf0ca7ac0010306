"""A real Chromium, driven by its own driver as Debian packages both; nothing is downloaded."""

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
    "--no-sandbox",  # which root cannot have
    "--disable-gpu",
    "--disable-dev-shm-usage",  # small in containers
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
)


def lacking() -> str:
    """What is not installed, as a sentence; empty if all is there."""
    names = [name for name in ("chromium", "chromedriver") if shutil.which(name) is None]
    return f"There is no {' and no '.join(names)} here." if names else ""


@contextmanager
def chromium(*, scripts: bool = True) -> Iterator[Chrome]:
    """A browser that nobody has used before; without `scripts` pages cannot run any."""
    if reason := lacking():
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


def shape(browser: Chrome, width: int, height: int = 900, *, dark: bool = False) -> None:
    """Be a phone or a desk, by day or by night."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    colours = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [colours]})
