"""Pictures of the portal for the documentation: `python -m tools.screenshots`.

A portal is crawled and built for them, so that they show what there is.
"""

from __future__ import annotations

import base64
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tools.chromium import chromium, shape
from tools.department import make, served

FOLDER = Path(__file__).parents[1] / "docs" / "images"
SIZE = (1000, 680)
WIDE = (1200, 680)  # what the graph needs
QUERY = "/search?q=learning+OR+robot*"


def take(browser: Chrome, address: str, folder: Path) -> None:
    """All pictures, into a folder."""
    browser.get(f"{address}/search?q=&sort=cited")
    work = browser.find_element(By.CSS_SELECTOR, ".hit .title a").get_dom_attribute("href")
    for name, path, size in (
        ("home", "/", SIZE),
        ("results", QUERY, SIZE),
        ("paper", work, SIZE),
        ("graph", f"{work}/graph", WIDE),
        ("dark", QUERY, SIZE),
    ):
        shape(browser, *size, dark=name == "dark")
        browser.get(f"{address}{path}")
        keep(browser, folder / f"portal-{name}.png")


def keep(browser: Chrome, path: Path) -> None:
    """What the window shows."""
    shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
    path.write_bytes(base64.b64decode(shot))


def main(folder: Path = FOLDER) -> None:
    """Make a portal and take them."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        portal = make(Path(temporary) / "portal")
        with served(portal) as address, chromium() as browser:
            take(browser, address, folder)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
