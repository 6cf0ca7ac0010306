"""Screenshots of the portal for the documentation: `python -m tools.screenshots`.

They show a portal that is crawled and built for the purpose.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tools.chromium import chromium, set_window
from tools.department import make_portal, serve_portal

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1000, 680)
GRAPH_SIZE = (1200, 680)
QUERY = "/search?q=learning+OR+robot*"


def take_screenshots(browser: Chrome, address: str, folder: Path) -> None:
    """Write all screenshots to a folder."""
    browser.get(f"{address}/search?q=&sort=cited")
    work = browser.find_element(By.CSS_SELECTOR, ".hit .title a").get_dom_attribute("href")
    for name, path, size in (
        ("home", "/", SIZE),
        ("results", QUERY, SIZE),
        ("paper", work, SIZE),
        ("graph", f"{work}/graph", GRAPH_SIZE),
        ("dark", QUERY, SIZE),
    ):
        set_window(browser, *size, dark=name == "dark")
        browser.get(f"{address}{path}")
        save_screenshot(browser, folder / f"portal-{name}.png")


def save_screenshot(browser: Chrome, path: Path) -> None:
    """Write what the window shows to a file."""
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    path.write_bytes(base64.b64decode(shot))


def main(folder: Path = FOLDER) -> None:
    """Crawl and build a portal, and take its screenshots."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        portal = make_portal(Path(temporary) / "portal")
        with serve_portal(portal) as address, chromium() as browser:
            take_screenshots(browser, address, folder)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
