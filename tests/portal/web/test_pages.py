"""The content of the public pages."""

import re
import sqlite3
from urllib.parse import urlencode

import pytest

from lycosa.portal.catalogue import Catalogue
from portal.sample import ABSENT, MOVED, NASTY, document_id, title_of, work_id
from portal.web.portal_client import connect, copy_portal, html, shared_portal, text


@pytest.fixture(scope="module")
def reader():
    with connect() as found:
        yield found


def words(reader, path):
    return text(html(reader.get(path)).css_first("main"))


def test_home_page(reader):
    page = html(reader.get("/"))
    assert text(page.css_first("h1")) == "Spider papers"
    assert page.css_first("form[role=search] input[name=q]") is not None
    assert "40 papers" in text(page.css_first(".counts"))
    assert [text(a) for a in page.css(".cards h3 a")] == [
        "Machine Learning",
        "Information Retrieval",
    ]
    assert len(page.css("#newest ~ ol > li")) == len(page.css("#most-cited ~ ol > li")) == 5


def test_results_highlight_matches(reader):
    page = html(reader.get("/search", params={"q": "reinforcement"}))
    total = int(text(page.css_first("#total")).split()[0])
    hits = page.css(".hit")
    assert total >= len(hits) > 5
    marks = {text(mark).lower() for mark in page.css(".hit mark")}
    assert any(mark.startswith("reinforc") for mark in marks)
    assert page.css_first(".hit .title a").attributes["href"].startswith("/work/w")
    assert (
        page.css_first("link[type='application/atom+xml']").attributes["href"].startswith("/feed")
    )


def test_results_tell_how_many_have_all_words(reader):
    page = html(reader.get("/search", params={"q": "spiders reinforcement"}))
    total, complete = (
        int(number)
        for number in re.findall(r"(\d+) results, (\d+) with all words", text(page.body))[0]
    )
    assert 0 < complete < total
    assert "with all words" not in words(reader, "/search?q=%2Bspiders")


def test_a_result_links_to_its_explanation(reader):
    page = html(reader.get("/search", params={"q": "the spiders & nowhere", "year": "1997"}))
    [first, *_] = page.css(".hit")
    link = first.css_first(".why").attributes["href"]
    assert link.startswith("/why?q=the+spiders+%26+nowhere&year=1997&work=w")
    why = html(reader.get(link))
    assert text(why.css_first("h1")) == "Why this result?"
    reasons = [text(item) for item in why.css(".reasons li")]
    assert "It has 1 of 2 words; works with all of them come first." in reasons
    assert "It does not have “nowhere”." in reasons
    assert why.css_first(".crumbs a").attributes["href"] == (
        "/search?q=the+spiders+%26+nowhere&year=1997"
    )
    assert text(why.css_first("main .title")) == text(first.css_first(".title"))


@pytest.mark.parametrize(
    "query",
    [
        '<script>alert("q")</script>',
        "\x00\ud800 \u202e",
        '"((((',
        "+ - * : ..",
        "year:99999999999 title:",
        "a* b* c* " * 20,
        "-spiders",
        "学習 C++ p-norm 5GHz " * 30,
        "x" * 900,
    ],
)
def test_any_query_can_be_explained(reader, query):
    params = {"q": query.encode("utf-8", "surrogatepass"), "work": work_id(23)}
    response = reader.get("/why?" + urlencode(params))
    assert text(html(response).css_first("h1")) == "Why this result?"
    assert "<script>alert" not in response.text


def test_only_words_are_explained(reader):
    for path in ("/search?q=", "/search?q=spiders&sort=cited"):
        assert html(reader.get(path)).css_first(".why") is None


def test_explanations_of_works_that_cannot_be_found(reader):
    assert reader.get("/why?q=spiders&work=nothing").status_code == 404
    assert reader.get("/why?q=spiders").status_code == 404
    assert "only cited here" in reader.get(f"/why?q=spiders&work={work_id(50)}").text
    moved = reader.get(f"/why?q=spiders&work={MOVED}")
    assert moved.status_code == 301
    assert moved.headers["location"] == f"/why?q=spiders&work={work_id(0)}"


def test_facet_links_add_and_remove_filters(reader):
    page = html(reader.get("/search", params={"q": "spiders"}))
    all_of_them = int(text(page.css_first("#total")).split()[0])
    choice = page.css_first("#facet-year ~ ul a")
    count = int(text(choice.css_first(".count")))
    filtered = html(reader.get(choice.attributes["href"]))
    assert int(text(filtered.css_first("#total")).split()[0]) == count < all_of_them
    [chip] = filtered.css(".chips a")
    unfiltered = html(reader.get(chip.attributes["href"]))
    assert int(text(unfiltered.css_first("#total")).split()[0]) == all_of_them


def test_filters_without_results_have_labels(reader):
    page = html(reader.get("/search?q=xyzzy&topic=machine-learning&author=lee-a&venue=Nowhere"))
    chips = {text(chip) for chip in page.css(".chips bdi")}
    assert chips == {"Machine Learning", "Ann Lee", "Nowhere"}


@pytest.mark.parametrize("sort", ["relevance", "cited", "date"])
def test_results_are_sorted(reader, sort):
    page = html(reader.get("/search", params={"q": "spiders", "sort": sort}))
    catalogue = Catalogue.open(shared_portal())
    ids = [a.attributes["href"].rpartition("/")[2] for a in page.css(".hit .title a")]
    found = catalogue.works(ids)
    assert len(found) == len(ids) > 5
    if sort == "cited":
        assert [w.cited_by for w in found] == sorted((w.cited_by for w in found), reverse=True)
    if sort == "date":
        assert [w.date for w in found] == sorted((w.date for w in found), reverse=True)


def test_pages_of_results_add_up(reader):
    seen, path = [], "/search?q="
    while path:
        page = html(reader.get(path))
        seen += [a.attributes["href"] for a in page.css(".hit .title a")]
        after = page.css_first("link[rel=next]")
        path = after.attributes["href"] if after else ""
    assert len(seen) == len(set(seen)) == 50


def test_a_page_without_results_offers_help(reader):
    page = html(reader.get("/search", params={"q": "qqqqxxxx"}))
    assert text(page.css_first("#total")).startswith("No results")
    assert page.css_first(".empty a[href='/topics']") is not None


def test_suggests_a_spelling(reader):
    page = html(reader.get("/search", params={"q": "reinforcemnt"}))
    suggestion = page.css_first(".suggestion a")
    assert text(suggestion) == "reinforcement"
    assert html(reader.get(suggestion.attributes["href"])).css(".hit")


def test_shows_a_notice_for_a_repaired_query(reader):
    page = html(reader.get("/search", params={"q": '"spiders AND ('}))
    assert text(page.css_first(".notice"))


def test_shows_a_notice_for_a_truncated_query(reader):
    page = html(reader.get("/search", params={"q": "spider " * 300}))
    assert "first 1,000 characters" in text(page.css_first(".notice"))


def test_the_page_of_a_work(reader):
    page = html(reader.get(f"/work/{work_id(23)}"))
    assert text(page.css_first("h1")) == title_of(23)
    assert [text(a) for a in page.css(".authors a")] == ["Fu Zhang", "Carla Díaz"]
    assert page.css_first("#abstract ~ p") is not None
    assert len(page.css("#cites ~ ol > li")) == 4
    assert len(page.css("#cited-by ~ ol > li")) == 3
    assert "spiders learn <fast> & well" in text(page.css_first("#cited-by ~ ol blockquote"))
    assert len(page.css("#copies ~ ul > li")) == 2
    assert "97 % confidence" in text(page.css_first(".known"))
    assert page.css_first("#bibtex").text().startswith("@")
    assert page.css_first("meta[name=citation_title]").attributes["content"] == title_of(23)
    assert "rft.atitle" in page.css_first("span.Z3988").attributes["title"]
    assert page.css_first("link[rel=canonical]").attributes["href"].startswith("http://portal.")


def test_a_cited_work_has_no_copy(reader):
    page = html(reader.get(f"/work/{work_id(50)}"))
    assert "known only from references" in text(page.css_first(".kicker"))
    assert page.css_first("#copies") is None
    assert len(page.css("#cited-by ~ ol > li")) == 4


@pytest.mark.parametrize("number", range(60))
def test_every_work_has_a_page_and_a_graph(reader, number):
    for ending in ("", "/graph", ".bib", ".ris", ".json", ".txt"):
        assert reader.get(f"/work/{work_id(number)}{ending}").status_code == 200


def test_works_without_a_title_show_their_url(reader):
    number = 30 + NASTY.index("")
    assert text(html(reader.get(f"/work/{work_id(number)}")).css_first("h1")).endswith(".pdf")


@pytest.mark.parametrize("ending", ["", "/graph", ".bib", ".json"])
def test_merged_works_redirect(reader, ending):
    response = reader.get(f"/work/{MOVED}{ending}")
    assert (response.status_code, response.headers["location"]) == (
        301,
        f"/work/{work_id(0)}{ending}",
    )


def test_citation_formats(reader):
    work = f"/work/{work_id(3)}"
    kinds = {
        ending: reader.get(f"{work}.{ending}").headers["content-type"].partition(";")[0]
        for ending in ("bib", "ris", "json", "txt")
    }
    assert kinds == {
        "bib": "application/x-bibtex",
        "ris": "application/x-research-info-systems",
        "json": "application/vnd.citationstyles.csl+json",
        "txt": "text/plain",
    }
    assert reader.get(f"{work}.json").json()[0]["title"] == title_of(3)
    assert "filename=" in reader.get(f"{work}.bib").headers["content-disposition"]


def test_the_graph_is_an_image_and_a_list(reader):
    page = html(reader.get(f"/work/{work_id(23)}/graph"))
    nodes = {a.attributes["data-id"] for a in page.css("svg a.node")}
    assert work_id(23) in nodes
    assert len(nodes) == 8
    listed = {a.attributes["href"] for a in page.css("#list .title a")}
    assert listed == {f"/work/{other}" for other in nodes - {work_id(23)}}
    for edge in page.css("svg .edges line"):
        assert {edge.attributes["data-from"], edge.attributes["data-to"]} <= nodes


def test_the_graph_is_enlarged_without_a_script(reader):
    path = f"/work/{work_id(23)}/graph"
    page = html(reader.get(path))
    assert page.css_first("#smaller") is None
    larger = html(reader.get(page.css_first("#larger").attributes["href"]))
    assert [each.css_first("#graph svg").attributes["width"] for each in (page, larger)] == [
        "100%",
        "200%",
    ]
    largest = html(reader.get(path, params={"scale": "99"}))
    assert largest.css_first("#larger") is None
    assert largest.css_first("#smaller") is not None


def test_works_without_a_year_have_a_lane_in_the_graph(reader):
    assert "Year unknown" not in text(html(reader.get(f"/work/{work_id(8)}/graph")).body)
    page = html(reader.get(f"/work/{work_id(33)}/graph"))
    lane = int(page.css_first("svg .lane").attributes["y"])
    assert "Year unknown" in text(page.css_first("svg"))
    heights = {
        node.attributes["data-id"]: int(node.css_first("circle").attributes["cy"])
        for node in page.css("svg .node")
    }
    assert [work for work, height in heights.items() if height > lane] == [work_id(33)]


def test_the_tree_of_topics(reader):
    page = html(reader.get("/topics"))
    assert [text(a) for a in page.css(".tree > li > a")] == [
        "Machine Learning",
        "Information Retrieval",
    ]
    assert [text(a) for a in page.css(".tree > li > ul > li > a")] == [
        "Neural Networks",
        "Reinforcement Learning",
        "Crawling",
    ]


def test_works_in_no_topic_are_listed_below_the_tree(reader, tmp_path):
    assert html(reader.get("/topics")).css_first("#unplaced") is None
    folder = copy_portal(tmp_path)
    with sqlite3.connect(folder / "portal.db") as database:
        database.execute("DELETE FROM placed WHERE work IN (?, ?)", (work_id(1), work_id(2)))
    database.close()
    total, works = Catalogue.open(folder).unplaced()
    assert (total, {work.id for work in works}) == (2, {work_id(1), work_id(2)})
    with connect(folder) as changed:
        page = html(changed.get("/topics"))
    assert page.css_first("a[href='#unplaced']") is not None
    assert text(page.css_first("#unplaced .count")).startswith("2")
    listed = [a.attributes["href"] for a in page.css("[aria-labelledby=unplaced] .title a")]
    assert listed == [f"/work/{work.id}" for work in works]


def test_the_page_of_a_topic(reader):
    page = html(reader.get("/topic/machine-learning/neural-networks"))
    assert text(page.css_first("h1")) == "Neural Networks"
    assert [text(a) for a in page.css(".crumbs a")] == ["Topics", "Machine Learning"]
    assert [text(h) for h in page.css(".halves h2")] == ["Read these first", "Most cited", "Newest"]
    assert [text(a) for a in page.css(".telling a")] == ["neural", "networks"]
    above = html(reader.get("/topic/machine-learning"))
    assert len(above.css(".cards > li")) == 2


def test_the_page_of_an_author(reader):
    page = html(reader.get("/author/lee-a"))
    assert text(page.css_first("h1")) == "Ann Lee"
    assert page.css(".works > li")
    assert page.css_first("svg.chart title") is not None
    assert {text(a) for a in page.css(".counted a")} >= {"Bob Roe"}


def test_what_can_be_read_and_what_is_only_cited_are_apart(reader):
    page = html(reader.get("/author/lee-a"))
    works = {work.id: work for work in Catalogue.open(shared_portal()).author_works("lee-a", 100)}
    kinds = {}
    for section in ("page", "cited"):
        links = page.css(f"#{section} ~ .works .title a")
        kinds[section] = [works.pop(a.attributes["href"][6:]).kind for a in links]
    assert set(kinds["page"]) == {"paper"}
    assert set(kinds["cited"]) == {"cited"}
    assert not works
    counts = text(page.css_first(".facts"))
    assert f"{len(kinds['page'])} works to read here" in counts
    assert f"{len(kinds['cited'])} known only from references" in counts


@pytest.fixture(scope="module")
def uncited(tmp_path_factory):
    """A portal without citations and with an empty topic, but one work that is often cited."""
    folder = copy_portal(tmp_path_factory.mktemp("uncited"))
    with sqlite3.connect(folder / "portal.db") as database:
        database.execute("UPDATE works SET cited_by = 0")
        database.execute("UPDATE topics SET works = 0 WHERE name = 'Neural Networks'")
        database.execute("UPDATE works SET cited_by = 9 WHERE id = ?", (work_id(0),))
        pairs = [(work_id(citing), work_id(0)) for citing in range(30, 39)]
        database.executemany("INSERT OR IGNORE INTO citations VALUES (?, ?)", pairs)
        database.execute("DELETE FROM placed WHERE work = ?", (work_id(0),))
    database.close()
    with connect(folder) as found:
        yield found


def test_a_topic_without_citations_lists_the_newest_only(uncited):
    page = html(uncited.get("/topic/information-retrieval"))
    assert [text(h) for h in page.css(".halves h2")] == ["Newest"]


def test_empty_subtopics_are_named_and_not_linked(uncited):
    page = html(uncited.get("/topic/machine-learning"))
    assert [text(a) for a in page.css(".cards a")] == ["Reinforcement Learning"]
    assert text(page.css_first(".cards ~ .hint")) == "Without works so far: Neural Networks"
    empty = html(uncited.get("/topic/machine-learning/neural-networks"))
    assert "No work has been assigned to this topic so far." in text(empty.css_first("main"))


def test_many_citing_works_are_folded_away(uncited):
    page = html(uncited.get(f"/work/{work_id(0)}"))
    cited_by = page.css_first("[aria-labelledby=cited-by]")
    shown = [a for a in cited_by.css(".works .title a") if not inside_details(a)]
    assert len(shown) == 5
    assert len(cited_by.css(".works .title a")) > 9
    assert text(cited_by.css_first("details summary")).startswith("Show ")


def inside_details(node):
    while node is not None and node.tag != "details":
        node = node.parent
    return node is not None


def test_a_portal_without_topics_does_not_mention_them(reader, tmp_path):
    assert html(reader.get("/about")).css_first(".menu a[href='/topics']") is not None
    folder = copy_portal(tmp_path)
    with sqlite3.connect(folder / "portal.db") as database:
        database.execute("DELETE FROM placed")
        database.execute("DELETE FROM topics")
    database.close()
    with connect(folder) as without:
        for path in ("/", "/about", "/search?q=qqqqxxxx", "/nothing"):
            assert html(without.get(path)).css_first("a[href='/topics']") is None


def test_a_result_can_be_cited(reader):
    page = html(reader.get("/search?q=%22part+23%22"))
    [cite] = page.css(".hit .cite")
    plain, bibtex, ris = (pre.text() for pre in cite.css("pre"))
    assert title_of(23) in plain
    assert bibtex.startswith("@")
    assert ris.startswith("TY  - ")
    assert "abstract" not in bibtex


def test_years_are_chosen_by_a_slider(reader):
    page = html(reader.get("/search?q=spiders&sort=cited&topic=machine-learning"))
    form = page.css_first("form.years")
    low, high = form.css("[type=range]")
    assert low.attributes["min"] == low.attributes["value"] == "1990"
    assert high.attributes["max"] == high.attributes["value"] == "2001"
    kept = {each.attributes["name"]: each.attributes["value"] for each in form.css("[type=hidden]")}
    assert kept == {"q": "spiders", "sort": "cited", "topic": "machine-learning"}
    sent = html(reader.get("/search", params={**kept, "from": "1996", "to": "1994"}))
    assert text(sent.css_first(".chips bdi")) == "Machine Learning"
    assert [text(chip) for chip in sent.css(".chips bdi")][1] == "1994–1996"
    same = html(reader.get("/search", params={**kept, "year": "1994..1996"}))
    assert text(sent.css_first("#total")) == text(same.css_first("#total"))
    values = [each.attributes["value"] for each in sent.css(".years [type=range]")]
    assert values == ["1994", "1996"]
    bars = len(form.css("svg path"))
    assert len(sent.css(".years svg path")) == bars
    assert bars - 3 <= len(sent.css(".years .outside-range")) < bars


def test_no_slider_for_one_year(reader):
    assert html(reader.get("/search?q=%22part+23%22")).css_first(".years") is None


@pytest.mark.parametrize("page", ["0", "-1", "2x", "12345x", "9" * 30, "٣", "99"])
def test_page_numbers_out_of_range(reader, page):
    assert reader.get("/author/lee-a", params={"page": page}).status_code == 200


def test_the_text_of_a_document(reader):
    page = html(reader.get(f"/document/{document_id(7)}"))
    assert "The body of document 7" in text(page.css_first("pre.text"))
    assert text(page.css_first(".crumbs a")) == title_of(7)


def test_about_explains_search_and_links_to_the_api(reader):
    shown = words(reader, "/about")
    assert "year:1996..1999" in shown
    assert "http://portal.example/api" in shown


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        f"/work/{ABSENT}",
        f"/work/{ABSENT}.bib",
        f"/work/{ABSENT}/graph",
        "/topic/none",
        "/author/none",
        "/document/none",
        "/document/none/original",
        "/static/none.css",
        "/static/..%2f..%2fapp.py",
        "/work/%00",
        "/author/%ff%fe",
    ],
)
def test_missing_pages_answer_404(reader, path):
    response = reader.get(path)
    assert response.status_code == 404
    assert html(response).css_first("form[role=search]") is not None


def test_pages_are_small(reader):
    for path in ("/", "/topics", "/about", "/search?q=spiders", f"/work/{work_id(23)}"):
        assert len(reader.get(path).content) < 50_000


def test_pages_change_with_a_new_generation(tmp_path):
    folder = copy_portal(tmp_path / "portal")
    with connect(folder) as reader:
        before = reader.get("/")
        again = reader.get("/", headers={"If-None-Match": before.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        with sqlite3.connect(folder / "portal.db") as database:
            database.execute("UPDATE meta SET value = 'Renamed' WHERE key = 'title'")
            database.execute("UPDATE meta SET value = '2' WHERE key = 'generation'")
        database.close()
        after = reader.get("/", headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert text(html(after).css_first("h1")) == "Renamed"
