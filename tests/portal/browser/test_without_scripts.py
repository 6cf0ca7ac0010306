"""Everything essential works without JavaScript."""

from selenium.webdriver import ActionChains, Keys

from portal.browser.window import PHONE


def follow(window, element):
    """Follow a link and wait for another URL, since scripts cannot report that a page has gone."""
    before = window.path
    ActionChains(window.driver).click(element).perform()
    window.wait(lambda: window.path != before)


def test_scripts_do_not_run_here(plain):
    plain.open("/")
    assert not plain.one("html").get_attribute("class")
    assert plain.style("#theme", "visibility") == "hidden"


def test_search_facets_and_work_page(plain):
    plain.open("/")
    plain.one("#q").send_keys("grammar", Keys.ENTER)
    plain.wait(lambda: plain.path == "/search?q=grammar")
    every = plain.total()
    assert plain.all(".hit mark")
    choice = plain.one("#facet-year ~ ul a")
    count = int(choice.get_attribute("textContent").split()[1])
    follow(plain, choice)
    assert plain.total() == count < every
    title = plain.one(".hit .title a").text
    follow(plain, plain.one(".hit .title a"))
    assert plain.one("h1").text == title
    assert plain.one(".abstract").is_displayed()
    plain.one(".box details summary").click()
    assert plain.one("#bibtex").text.startswith("@")


def test_a_result_is_explained(plain):
    plain.open("/search?q=grammar+nowhere")
    title = plain.one(".hit .title a").text
    follow(plain, plain.one(".hit .why"))
    assert plain.one("h1").text == "Why this result?"
    assert plain.one("main .title a").text == title
    assert "It does not have “nowhere”." in plain.texts(".reasons li")
    follow(plain, plain.one(".crumbs a"))
    assert plain.path == "/search?q=grammar+nowhere"


def test_the_graph_is_an_image_with_links(plain):
    plain.open("/search?q=&sort=cited")
    follow(plain, plain.one(".hit .title a"))
    follow(plain, plain.one(".actions a[href$='/graph']"))
    node = plain.one("svg a.node:not(.centre)")
    where = node.get_dom_attribute("href")
    follow(plain, node.find_element("css selector", "circle"))
    assert plain.path == where


def test_the_graph_is_enlarged(plain):
    plain.open("/search?q=&sort=cited")
    follow(plain, plain.one(".hit .title a"))
    follow(plain, plain.one(".actions a[href$='/graph']"))
    before = plain.one("#graph svg").size["width"]
    follow(plain, plain.one("#larger"))
    assert plain.one("#graph svg").size["width"] == 2 * before


def test_a_range_of_years(plain):
    plain.open("/search?q=grammar")
    every, low = plain.total(), plain.one(".years [name=from]")
    first = int(low.get_attribute("min"))
    low.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    follow(plain, plain.one(".years button"))
    shown = plain.one(".years output").get_attribute("textContent")  # in a box that seems shut
    assert shown == str(first + 2)
    assert 0 < plain.total() < every


def test_a_result_is_cited(plain):
    plain.open("/search?q=grammar")
    assert not plain.one(".cite pre").is_displayed()
    plain.one(".cite summary").click()
    assert plain.texts(".cite[open] pre")[1].startswith("@")
    assert not plain.all(".cite button")


def test_a_language_is_chosen(plain):
    plain.open("/search?q=grammar")
    follow(plain, plain.one(".languages a[lang=fr]"))
    assert "résultat" in plain.one("#total").text
    follow(plain, plain.one(".hit .title a"))
    assert plain.one("html").get_attribute("lang") == "fr"
    assert plain.one("#abstract").text == "Résumé"


def test_filters_open_on_a_phone(plain):
    plain.shape(PHONE)
    plain.open("/search?q=grammar")
    assert not plain.one("#facet-year").is_displayed()
    plain.one("#filters > summary").click()
    assert plain.one("#facet-year").is_displayed()
    follow(plain, plain.one("#facet-year ~ ul a"))
    assert plain.all(".chips a")


def test_correcting_a_work(plain):
    plain.open("/search?q=&sort=cited")
    follow(plain, plain.one(".hit .title a"))
    follow(plain, plain.one(".actions a[href^='/correct']"))
    plain.one("#token").send_keys("a guess", Keys.ENTER)
    plain.wait(lambda: plain.all("[role=alert]"))
