"""Pages in the language of the reader."""

import pytest

from portal.sample import work_id
from portal.web.portal_client import connect, html, text

PAGES = ("/", "/search?q=spiders", "/topics", "/about", f"/work/{work_id(23)}", "/nothing")


@pytest.fixture
def reader():
    with connect() as found:
        yield found


def language(response):
    code = html(response).css_first("html").attributes["lang"]
    assert response.headers["content-language"] == code
    return code


def test_the_browser_chooses(reader):
    for header, code in {
        "": "en",
        "de": "de",
        "fr-CA, fr;q=0.9, en;q=0.5": "fr",
        "es, *;q=0.5": "en",
        "de;q=0.3, fr;q=0.7": "fr",
        "de;q=0, fr;q=0.1": "fr",
        "DE-at": "de",
        "de;q=nonsense": "en",
        ";;,,=": "en",
        "x" * 5000: "en",
    }.items():
        assert language(reader.get("/", headers={"Accept-Language": header})) == code


def test_a_choice_is_remembered(reader):
    german = {"Accept-Language": "de"}
    assert language(reader.get("/about?lang=fr", headers=german)) == "fr"
    assert reader.cookies["language"] == "fr"
    for page in PAGES:
        assert language(reader.get(page, headers=german)) == "fr"
    assert language(reader.get("/about?lang=en", headers=german)) == "en"
    assert language(reader.get("/about", headers=german)) == "en"


def test_an_unknown_choice_is_ignored(reader):
    response = reader.get("/?lang=<b>", headers={"Accept-Language": "de"})
    assert language(response) == "de"
    assert "set-cookie" not in response.headers
    reader.cookies.set("language", "../x")
    assert language(reader.get("/")) == "en"


def test_no_cookie_without_a_choice(reader):
    for page in PAGES:
        assert "set-cookie" not in reader.get(page).headers


def test_the_footer_keeps_the_query(reader):
    page = html(reader.get("/search?q=spiders+%26+webs&year=1996&year=1997&lang=de"))
    [link] = [a for a in page.css(".languages a") if a.attributes["lang"] == "fr"]
    assert link.attributes["href"] == "?q=spiders+%26+webs&year=1996&year=1997&lang=fr"
    [current] = page.css(".languages a[aria-current]")
    assert current.attributes["hreflang"] == "de"
    assert text(current) == "Deutsch"


def test_caches_tell_languages_apart(reader):
    german = reader.get("/about", headers={"Accept-Language": "de"})
    english = reader.get("/about", headers={"Accept-Language": "en"})
    assert (language(german), language(english)) == ("de", "en")
    assert german.headers["etag"] != english.headers["etag"]
    vary = {name.strip() for name in german.headers["vary"].split(",")}
    assert vary == {"Accept-Language", "Cookie", "Accept-Encoding"}
    known = {"Accept-Language": "de", "If-None-Match": german.headers["etag"]}
    assert reader.get("/about", headers=known).status_code == 304


@pytest.mark.parametrize(
    ("code", "total", "facet", "word", "notice"),
    [
        ("de", "Ergebnisse", "Sprache", "Englisch", "Kein Werk enthält alle 2 Wörter"),
        ("fr", "résultats", "Langue", "anglais", "Aucune œuvre ne contient les 2 mots"),
    ],
)
def test_results_are_translated(reader, code, total, facet, word, notice):
    page = html(reader.get(f"/search?q=spiders+nowhere&lang={code}"))
    assert total in text(page.css_first("#total"))
    assert text(page.css_first("#facet-language")) == facet
    assert word in text(page.css_first("#facet-language ~ ul"))
    assert text(page.css_first(".notice")).startswith(notice)


def test_explanations_are_translated(reader):
    page = html(reader.get(f"/why?q=spiders+that+nowhere&work={work_id(23)}&lang=de"))
    reasons = [text(item) for item in page.css(".reasons li")]
    assert "Es enthält „nowhere“ nicht." in reasons
    assert any(reason.startswith("„spiders“ steht in: ") for reason in reasons)


def test_errors_are_translated(reader):
    assert text(html(reader.get("/nothing?lang=de")).css_first("h1")) == "Seite nicht gefunden"


def test_one_and_many(reader):
    page = html(reader.get("/search?q=%22part+23%22"))
    assert text(page.css_first("#total")).startswith("1 result ")
    german = html(reader.get("/search?q=%22part+23%22&lang=de"))
    assert text(german.css_first("#total")).startswith("1 Ergebnis ")


def test_programs_get_english(reader):
    german = {"Accept-Language": "de"}
    for path in ("/api/search?q=nowhere+spiders", "/feed?q=spiders", "/export/works.csv"):
        assert reader.get(path, headers=german).text == reader.get(path).text


def test_values_are_escaped_within_texts(reader):
    response = reader.get("/why?q=%3Cscript%3Ealert(1)%3C/script%3E&work=" + work_id(23))
    assert "<script>alert" not in response.text
    assert "Results for" in response.text
