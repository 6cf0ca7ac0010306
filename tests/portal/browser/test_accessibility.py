"""axe-core reports nothing serious on any page, in both themes, on phones and desktops."""

from pathlib import Path

import pytest

from portal.browser.pages import PAGES, show
from portal.browser.window import DESK, PHONE

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules that ask for colours
RUN = """
const [rules, done] = arguments;
axe.run({resultTypes: ["violations"], ...(rules && {runOnly: rules})}).then(
  (found) => done(found.violations.map((each) => [
    each.impact, each.id, each.nodes.slice(0, 3).map((n) => `${n.html} ${n.failureSummary}`),
  ])),
  (error) => done([["critical", String(error), []]]),
);
"""

pytestmark = pytest.mark.skipif(
    not AXE.is_file(), reason="There is no axe-core here: .ci/run installs it with npm."
)


def serious(window, rules=None):
    if not window.script("return !!window.axe"):
        window.script(AXE.read_text(encoding="utf-8"))
    found = window.driver.execute_async_script(RUN, rules)
    return [each for each in found if each[0] in ("serious", "critical")]


@pytest.mark.parametrize("name", PAGES)
def test_axe_reports_nothing_serious(nasty, name):
    show(nasty, name)
    for width in (PHONE, DESK):
        nasty.shape(width)
        assert serious(nasty) == [], f"{width} px, light"
        nasty.shape(width, dark=True)  # which can change nothing but colours
        assert serious(nasty, COLOURS) == [], f"{width} px, dark"


@pytest.mark.parametrize("kind", ["", "/graph"])
def test_axe_reports_nothing_serious_on_crawled_works(real, kind):
    real.open("/search?q=&sort=cited")
    real.open(real.one(".hit .title a").get_dom_attribute("href") + kind)
    assert serious(real) == []


def test_axe_detects_a_planted_problem(nasty):
    nasty.open("/about").script("document.querySelector('#q').labels[0].remove()")
    nasty.script("document.querySelector('#q').removeAttribute('placeholder')")
    nasty.script("document.querySelector('#q').removeAttribute('title')")
    assert [each[1] for each in serious(nasty)] == ["label"]


def test_filters_are_a_labelled_landmark(nasty):
    nasty.open("/search?q=spiders")
    tree = nasty.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {
        (node["role"]["value"], node.get("name", {}).get("value"))
        for node in tree
        if not node["ignored"]
    }
    assert {("complementary", "Filter the results"), ("heading", "Year")} <= named
