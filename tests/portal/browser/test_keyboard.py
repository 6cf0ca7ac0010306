"""Everything can be reached and used with the keyboard."""

import pytest
from selenium.webdriver import ActionChains, Keys

VISIBLE = """
const style = getComputedStyle(arguments[0]), inner = arguments[0].querySelector('circle');
if (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) return true;
return inner !== null && parseFloat(getComputedStyle(inner).strokeWidth) >= 3;
"""
SEEN = """
const box = arguments[0].getBoundingClientRect();
return box.width > 0 && box.height > 0 && box.left >= 0 && box.right <= innerWidth + 1;
"""
STOPS = """
const all = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';
const shown = (e) => e.getClientRects().length && e.checkVisibility({visibilityProperty: true});
return [...document.querySelectorAll(all)].filter(shown);
"""


def test_the_first_tab_stop_skips_to_the_content(real):
    real.open("/search?q=grammar")
    real.press(Keys.TAB)
    skip = real.focused()
    assert skip.text == "Skip to content"
    assert real.script(SEEN, skip)
    real.press(Keys.ENTER)
    assert real.focused().get_attribute("id") == "main"
    real.press(Keys.TAB)
    assert real.script("return document.getElementById('main').contains(document.activeElement)")


@pytest.mark.parametrize("page", ["home", "results", "paper", "graph"])
def test_tab_order_and_visible_focus(real, page):
    real.open("/" if page == "home" else "/search?q=grammar&sort=cited")
    if page in ("paper", "graph"):
        work = real.one(".hit .title a").get_dom_attribute("href")
        real.open(work if page == "paper" else f"{work}/graph")
    expected = real.script(STOPS)
    assert len(expected) > 10
    for stop in expected[:60]:
        real.press(Keys.TAB)
        here = real.focused()
        assert here == stop, f"{here.get_attribute('outerHTML')}, {stop.get_attribute('outerHTML')}"
        assert real.script(VISIBLE, here), here.get_attribute("outerHTML")


def test_slash_focuses_the_search_box(real):
    real.open("/search?q=grammar")
    real.press("/")
    assert real.focused().get_attribute("id") == "q"
    real.press("/")
    assert real.one("#q").get_attribute("value") == "/"


def test_j_and_k_move_through_results(real):
    real.open("/search?q=grammar")
    first, second = real.all(".hit .title a")[:2]
    real.press("j", "j")
    assert real.focused() == second
    real.press("k")
    assert real.focused() == first
    title = first.text
    with real.leaving():
        real.press(Keys.ENTER)
    assert real.one("h1").text == title


def test_ignores_shortcuts_of_the_browser(real):
    real.open("/search?q=grammar")
    before = real.focused()
    ActionChains(real.driver).key_down(Keys.CONTROL).send_keys("j").key_up(Keys.CONTROL).perform()
    assert real.focused() == before
