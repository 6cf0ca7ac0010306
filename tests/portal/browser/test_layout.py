"""Pages fit a phone, do not shift, are small, and load nothing external."""

import pytest

from portal.browser.pages import PAGES, show
from portal.browser.window import DESK, PHONE

SHIFTS = """
const done = arguments[0], found = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    found.push([entry.value, ...entry.sources.map((one) => one.node && one.node.outerHTML)]);
  }
}).observe({type: "layout-shift", buffered: true});
setTimeout(() => done(found), 300);
"""
BYTES = """
const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
return entries.map((entry) => [entry.name, entry.transferSize]);
"""
WIDE = "const root = document.documentElement; return [root.scrollWidth, root.clientWidth];"
SMALL = """
// What stands in a line of text may be as high as the line: WCAG 2.2, 2.5.8.
const targets = document.querySelectorAll("button, .button, .menu a, .pages a, .chips a, .sorts a, "
  + ".facet li a, summary, input:not([type=hidden]), select, textarea");
return [...targets].filter((one) => {
  const box = one.getBoundingClientRect();
  return one.checkVisibility() && box.width && (box.height < 24 || box.width < 24);
}).map((one) => one.outerHTML);
"""


@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_the_width_of_a_phone(nasty, name):
    nasty.shape(PHONE)
    show(nasty, name)
    needed, there = nasty.script(WIDE)
    assert there == PHONE
    assert needed <= there
    for box in nasty.all("details:not([open]) > summary"):
        nasty.script("arguments[0].parentElement.open = true", box)
    assert nasty.script(WIDE)[0] <= there
    assert nasty.script(SMALL) == []


@pytest.fixture
def slowly(nasty):
    """A window with a slow network, which renders pages while they load."""
    nasty.open("/about", fresh=True)  # to have the style, without which nothing is drawn
    slow = {"latency": 0, "download_throughput": 4_000, "upload_throughput": 100_000}
    nasty.driver.set_network_conditions(offline=False, **slow)
    yield nasty
    nasty.driver.delete_network_conditions()


@pytest.mark.parametrize("width", [PHONE, DESK])
@pytest.mark.parametrize("name", ["home", "all", "paper"])
def test_layout_does_not_shift_while_loading(slowly, name, width):
    slowly.shape(width)
    slowly.open(PAGES[name])
    shifts = slowly.driver.execute_async_script(SHIFTS)
    # A fraction of a pixel, by rounding, is no shift: the score of a line of text is above 0.001.
    assert [shift for shift in shifts if shift[0] > 1e-4] == []


def test_the_home_page_is_small(real):
    real.open("/", fresh=True)
    sizes = dict(real.script(BYTES))
    assert all(sizes.values()), "something came from the cache"
    assert len(sizes) >= 4
    assert sum(sizes.values()) < 50_000


@pytest.mark.parametrize("name", PAGES)
def test_pages_load_nothing_external_and_nothing_is_blocked(nasty, name):
    show(nasty, name)
    nasty.requested_urls(), nasty.complaints()
    nasty.open(PAGES[name], fresh=True)
    requested = nasty.requested_urls()
    assert nasty.base + PAGES[name] in requested
    assert {url for url in requested if not url.startswith((f"{nasty.base}/", "data:"))} == set()
    missing = [line for line in nasty.complaints() if not (name == "404" and "404" in line)]
    assert missing == []
