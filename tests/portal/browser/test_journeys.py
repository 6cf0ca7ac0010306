"""Journeys of readers: search, filter, read, follow citations, browse."""

from selenium.webdriver import ActionChains, Keys

from portal.browser.window import DESK, PHONE
from portal.sample import work_id

LABELS = """
return [...document.querySelectorAll("svg .node text")].map((label) => {
  const box = label.getBoundingClientRect();
  return [box.left, box.right, box.top, box.bottom];
});
"""


def titles(window):
    return window.texts(".hit .title a")


def open_a_paper(window):
    """Return the path of the most cited paper."""
    window.open("/search?q=&sort=cited")
    window.follow(window.one(".hit .title a"))


def test_a_search_finds_and_highlights(real):
    real.open("/")
    real.search("grammar")
    assert real.path == "/search?q=grammar"
    assert real.total() >= len(titles(real)) > 1
    assert {mark.lower() for mark in real.texts(".hit mark")} <= {"grammar", "grammars"}
    assert all(hit.find_elements("css selector", "mark") for hit in real.all(".hit"))
    assert real.one("#q").get_attribute("value") == "grammar"


def test_completes_while_typing(real):
    real.open("/")
    real.one("#q").send_keys("lear")
    real.wait(lambda: real.all("#suggestions li"))
    assert real.one("#q").get_attribute("aria-expanded") == "true"
    real.press(Keys.ARROW_DOWN)
    chosen = real.one("#suggestions [aria-selected=true]")
    assert real.one("#q").get_attribute("aria-activedescendant") == chosen.get_attribute("id")
    word = chosen.text
    assert word.startswith("lear")
    with real.leaving():
        real.press(Keys.ENTER)
    assert real.one("#q").get_attribute("value") == word
    assert titles(real)


def test_escape_closes_completions_and_keeps_the_text(real):
    real.open("/")
    real.one("#q").send_keys("lear")
    real.wait(lambda: real.all("#suggestions li"))
    real.press(Keys.ARROW_DOWN, Keys.ESCAPE)
    assert real.one("#q").get_attribute("value") == "lear"
    assert not real.one("#suggestions").is_displayed()


def test_suggestion_corrects_a_misspelt_word(real):
    real.open("/search?q=learnign")
    real.follow(real.one(".suggestion a"))
    assert real.path == "/search?q=learning"
    assert titles(real)


def test_a_facet_adds_a_filter_that_can_be_removed(real):
    real.open("/search?q=grammar")
    every = real.total()
    choice = real.one("#facet-year ~ ul a")
    # Selenium takes the filters for hidden: their box is shut, but shown all the same.
    year, count = choice.get_attribute("textContent").split()
    with real.leaving():
        ActionChains(real.driver).click(choice).perform()
    assert real.total() == int(count) < every
    assert all(year in line for line in real.texts(".hit .byline"))
    [chip] = real.all(".chips a")
    assert year in chip.text
    real.follow(chip)
    assert real.total() == every
    assert not real.all(".chips a")


def test_results_are_sorted(real):
    real.open("/search?q=grammar+year:2005..2009")
    every = real.total()
    real.follow(real.one(".sorts li:nth-child(2) a"))
    cited = [int(text.split()[-1]) for text in real.texts(".hit a[href$='#cited-by']")]
    assert len(cited) > 1
    assert cited == sorted(cited, reverse=True)
    real.follow(real.one(".sorts a[href*='sort=date']"))
    years = [int(text) for text in real.texts(".hit .year")]
    assert len(years) > 1
    assert years == sorted(years, reverse=True)
    assert real.total() == every


def test_pages_of_results(real):
    real.open("/search?q=")
    assert real.total() > 40
    first = titles(real)
    real.follow(real.one(".pages li:nth-child(2) a"))
    assert real.one(".pages [aria-current]").text.split() == ["Page", "2"]
    assert not set(first) & set(titles(real))


def test_a_page_without_results_offers_links(real):
    real.open("/")
    real.search("xyzzyplugh")
    assert real.one("#total").text.startswith("No results")
    real.follow(real.one(".empty a[href='/topics']"))
    assert real.one("h1").text == "Topics"


def test_the_page_of_a_paper(real):
    open_a_paper(real)
    assert real.one("h1").text
    assert real.texts(".authors a")
    assert len(real.one(".abstract").text) > 100
    for ending in ("bib", "ris", "json", "txt"):
        link = real.one(f"#cite ~ p a[href$='.{ending}']").get_attribute("href")
        answer = "const [url, done] = arguments; fetch(url).then(a => a.text()).then(done)"
        assert real.one("h1").text[:20] in real.driver.execute_async_script(answer, link)
    real.one("#facts ~ details summary").click()
    assert "% confidence" in real.one(".known").text
    cited_by = real.one("#cited-by .count").text
    assert real.one(".work > header a[href='#cited-by']").text == f"Cited by {cited_by}"


def test_citations_link_in_both_directions(real):
    open_a_paper(real)
    title = real.one("h1").text
    real.follow(real.one("section[aria-labelledby=cited-by] li a"))
    assert real.one("h1").text != title
    assert title in real.texts("section[aria-labelledby=cites] li .title a")


def test_citing_sentences_are_shown(nasty):
    nasty.open(f"/work/{work_id(12)}")
    said = nasty.texts("section[aria-labelledby=cited-by] blockquote")
    assert said
    assert all("spiders learn <fast> & well" in text for text in said)


def test_the_graph_links_to_other_works(real):
    open_a_paper(real)
    title = real.one("h1").text
    real.follow(real.one(".actions a[href$='/graph']"))
    nodes = real.all("svg a.node")
    assert len(nodes) > 5
    other = next(n for n in nodes if "centre" not in n.get_attribute("class").split())
    where = other.get_dom_attribute("href")
    real.script("arguments[0].focus()", other)
    assert "choosing" in real.one("svg").get_attribute("class")
    with real.leaving():
        real.press(Keys.ENTER)
    assert real.path == where
    assert real.one("h1").text != title


def test_the_graph_zooms(real):
    open_a_paper(real)
    real.follow(real.one(".actions a[href$='/graph']"))
    before = real.one("#graph svg").size["width"]
    turn = "new WheelEvent('wheel', {deltaY: -1, ctrlKey: true, cancelable: true})"
    real.script(f"arguments[0].dispatchEvent({turn})", real.one("#graph .canvas"))
    assert real.one("#graph svg").size["width"] > before
    assert real.script("return document.documentElement.scrollWidth") <= DESK


def test_labels_of_the_graph_do_not_overlap(real):
    for width in (PHONE, DESK):
        real.shape(width)
        open_a_paper(real)
        real.open(real.one(".actions a[href$='/graph']").get_dom_attribute("href"))
        boxes = real.script(LABELS)
        image = real.one("#graph svg").rect
        for number, (left, right, top, bottom) in enumerate(boxes):
            assert image["x"] <= left
            assert right <= image["x"] + image["width"]
            for other in boxes[:number]:
                assert (
                    right <= other[0] or other[1] <= left or bottom <= other[2] or other[3] <= top
                )


def test_years_are_shown_while_they_are_chosen(real):
    real.open("/search?q=grammar")
    low = real.one(".years [name=from]")
    first = int(low.get_attribute("min"))
    low.send_keys(Keys.ARROW_RIGHT)
    assert real.one(".years output").get_attribute("value") == str(first + 1)


def test_a_citation_is_copied(real):
    grant = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    real.driver.execute_cdp_cmd("Browser.grantPermissions", grant)
    real.open("/search?q=grammar")
    real.one(".cite summary").click()
    button = real.one(".cite[open] .copy")
    before = button.text
    button.click()
    real.wait(lambda: button.text != before)
    read = "navigator.clipboard.readText().then(arguments[0], (e) => arguments[0](String(e)))"
    assert real.driver.execute_async_script(read) == real.one(".cite[open] pre").text


def test_topics_link_to_papers(real):
    real.open("/")
    real.follow(real.one(".menu a[href='/topics']"))
    counts = [int(text.split()[0]) for text in real.texts(".tree ul .count")]
    topic = real.all(".tree ul li > a")[counts.index(max(counts))]
    name = topic.text
    real.follow(topic)
    assert real.one("h1").text == name
    assert real.texts(".crumbs a")[0] == "Topics"
    assert real.texts(".halves .title a")
    count = int(real.one(".actions .button").text.split()[0])
    real.follow(real.one(".actions .button"))
    assert real.total() == count
    assert name in real.one(".chips a").text


def test_an_author_links_to_coauthors(real):
    open_a_paper(real)
    title, name = real.one("h1").text, real.one(".authors a").text
    real.follow(real.one(".authors a"))
    assert real.one("h1").text == name
    assert title in real.texts(".works .title a")
    real.follow(real.one(".counted a"))
    assert name in real.texts(".counted a")


def test_archived_text(real):
    open_a_paper(real)
    title = real.one("h1").text
    real.follow(real.one(".actions a[href^='/document/']"))
    assert title in " ".join(real.one("pre.text").text.split())


def test_a_missing_page_offers_links(real):
    real.open("/work/nothing")
    assert real.one("h1").text
    real.search("learning")
    assert titles(real)


def visited(window, seen, hours):
    """Say that this browser was here some hours ago, when the latest work was of some time."""
    window.script(
        "const [seen, ago] = arguments;"
        "localStorage.setItem('visit /', JSON.stringify({seen, time: Date.now() - ago * 3600000}))",
        *(seen, hours),
    )


def test_the_home_page_counts_what_is_new_since_the_last_visit(nasty):
    nasty.open("/")
    nasty.script("localStorage.clear()")
    nasty.open("/")
    assert not nasty.one("#last-visit").is_displayed()  # the first visit
    nasty.open("/about")
    nasty.open("/")
    assert not nasty.one("#last-visit").is_displayed()  # the same visit
    visited(nasty, "2026-01-20T00:38:00.500000+00:00", hours=5)
    for width in (PHONE, DESK):
        nasty.shape(width)
        nasty.open("/")
        nasty.wait(lambda: nasty.texts(".news .count") == ["11"])
        box = nasty.one(".news").rect
        assert box["x"] + box["width"] <= width
    nasty.follow(nasty.one("#last-visit"))
    assert nasty.one("#total").text == "11 works found since 20 January 2026"
    assert len(nasty.all(".works > li")) == 11
    nasty.wait(lambda: nasty.texts(".periods li:first-child .count") == ["11"])
    nasty.one("#since").send_keys("01222026")
    nasty.follow(nasty.one(".periods button"))
    assert nasty.path == "/new?since=2026-01-22"


def test_a_visit_without_new_works(nasty):
    nasty.open("/")
    newest = nasty.one("body").get_attribute("data-newest")
    visited(nasty, newest, hours=5)
    nasty.open("/")
    nasty.wait(lambda: nasty.texts(".news .count") == ["0"])
    nasty.script("localStorage.clear()")
