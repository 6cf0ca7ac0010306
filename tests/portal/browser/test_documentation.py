"""The home page of the documentation site: accessible, and readable on a phone."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from portal.browser.test_accessibility import AXE, serious
from portal.browser.window import DESK, PHONE, Window

SITE = Path(__file__).parents[3] / "site"

pytestmark = pytest.mark.skipif(
    not (SITE / "index.html").is_file() or not AXE.is_file(),
    reason="There is no site/ or no axe-core here: .ci/run makes both.",
)


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def documentation(driver):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(QuietHandler, directory=SITE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield Window(driver, f"http://127.0.0.1:{server.server_port}", token="")
        server.shutdown()


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [PHONE, DESK])
def test_the_home_page_is_accessible_at_every_width(documentation, width, dark):
    documentation.shape(width, dark=dark)
    documentation.open("/")
    documentation.script("localStorage.clear()")
    documentation.open("/")
    assert serious(documentation) == []
    assert documentation.script("return document.documentElement.scrollWidth") <= width
    jobs = documentation.script("return [...document.querySelectorAll('.jobs h2')].length")
    assert jobs == 4
