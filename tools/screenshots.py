"""Screenshots of the portal for the documentation: `python -m tools.screenshots`.

They show a portal that is crawled and built for the purpose. A file beside them has the digest
of what they show: the pages of the portal and the web that is crawled.
"""

from __future__ import annotations

import base64
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from tools.chromium import chromium, set_window
from tools.department import make_portal, serve_portal

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "images"
DIGEST = "portal-pages.sha256"
"""The file with the digest of what the screenshots show."""
SHOWN = ("portal/web/templates/*.html", "portal/web/static/*", "sites/generated/*.py")
"""The files below the package that the screenshots depend on."""
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


def digest_of_pages() -> str:
    """Return the digest of what the screenshots show."""
    found = sha256()
    for pattern in SHOWN:
        for path in sorted((ROOT / "src" / "lycosa").glob(pattern)):
            found.update(path.read_bytes())
    return found.hexdigest()


def main(folder: Path = FOLDER) -> None:
    """Crawl and build a portal, and take its screenshots."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as temporary:
        portal = make_portal(Path(temporary) / "portal")
        with serve_portal(portal) as address, chromium() as browser:
            take_screenshots(browser, address, folder)
    (folder / DIGEST).write_text(f"{digest_of_pages()}\n", encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
