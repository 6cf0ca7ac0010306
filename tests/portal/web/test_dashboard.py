import pytest

from lycosa.crawler.storage.sqlite import SqliteStore
from portal.web.portal_client import TOKEN, connect, copy_portal, html, text
from project.crawl_folders import add, answer


@pytest.fixture
def folder(tmp_path):
    return copy_portal(tmp_path / "portal")


def shown(folder):
    with connect(folder) as owner:
        owner.post("/sign-in", {"token": TOKEN})
        return owner.get("/dashboard")


def test_shows_the_figures_of_the_crawl(folder):
    page = html(shown(folder))
    figures = {text(d.css_first("dt")): text(d.css_first("dd")) for d in page.css(".figures > div")}
    assert (figures["Pages"], figures["Hosts"], figures["State"]) == ("60", "2", "stopped")
    assert len(page.css("svg.chart")) == 2
    assert "www.a.example" in text(page.css_first("#hosts ~ .scroll"))
    assert "papers" in text(page.css_first("#words ~ div"))


def test_counts_outcomes_of_documents(folder):
    rows = html(shown(folder)).css("#outcomes ~ .scroll tbody tr")
    cells = [[text(cell) for cell in row.css("th, td")] for row in rows]
    assert cells == [["text", "Paper", "44"], ["text", "Web page", "11"]]


def test_reports_a_missing_crawl(folder):
    for name in ("crawl.db", "crawl.db-wal", "crawl.db-shm"):
        (folder / name).unlink(missing_ok=True)
    page = html(shown(folder))
    assert "There is no crawl" in text(page.css_first(".notice"))
    assert page.css_first("#outcomes") is not None


def test_shows_new_steps_and_builds(folder):
    with connect(folder) as owner:
        owner.post("/sign-in", {"token": TOKEN})
        first = owner.get("/dashboard").text
        with SqliteStore.open(folder) as store:
            add(store, 61, "http://c.example/", answer("http://c.example/"), reward=1.0)
            store.commit()
        assert "c.example" not in first
        assert "c.example" in owner.get("/dashboard").text
