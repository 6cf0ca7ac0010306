"""Authors merged and split by corrections: in every build, with what comes later, until undone."""

import pytest

from lycosa.portal.build import build_portal
from lycosa.portal.corrections import Corrections
from lycosa.project import Project
from portal.build.crawls import Answer, Made, crawl, printed, query
from portal.web.portal_client import connect

WORKS = (
    Made("Spiders that learn to hunt for papers", ("Ann Lee",), 1995),
    Made("The strength of weak schedulers in kernels", ("Ann Lee", "Bob Roe"), 1996),
    Made("Databases without any locks at all", ("Anna Leeson",), 1997),
)
LATER = Made("Policies of agents with little memory", ("Ann Lee",), 1998)


def answers(*works):
    return [Answer(f"http://a.example/{w.year}.txt", printed(w, [])) for w in works]


def authors(folder):
    """The ids of authors, each with the years of its works."""
    rows = query(
        folder, "SELECT author, year FROM authorship JOIN works ON works.id = work ORDER BY 1, 2"
    )
    found = {}
    for author, year in rows:
        found.setdefault(author, []).append(year)
    return found


def correct(folder, *corrections):
    with Corrections.open(folder) as kept:
        numbers = [kept.add(*each) for each in corrections]
    build_portal(Project.load(folder))
    return numbers


@pytest.fixture
def folder(tmp_path):
    build_portal(crawl(tmp_path, answers(*WORKS), topics=False))
    assert authors(tmp_path) == {"lee-a": [1995, 1996], "leeson-a": [1997], "roe-b": [1996]}
    return tmp_path


def test_merged_authors_stay_merged_until_it_is_undone(folder):
    (number,) = correct(folder, ("same-author", "leeson-a", "lee-a"))
    build_portal(crawl(folder, answers(LATER)))
    assert authors(folder) == {"lee-a": [1995, 1996, 1997, 1998], "roe-b": [1996]}
    assert query(folder, "SELECT works FROM authors WHERE id = 'lee-a'") == [(4,)]
    with connect(folder) as client:
        response = client.get("/author/leeson-a")
        assert (response.status_code, response.headers["location"]) == (301, "/author/lee-a")
        assert client.get("/api/authors/leeson-a").status_code == 301
        found = client.get("/api/search?q=databases").json()["items"]
        assert found[0]["work"]["authors"][0]["id"] == "lee-a"
    with Corrections.open(folder) as kept:
        kept.undo(number)
    build_portal(Project.load(folder))
    assert authors(folder) == {"lee-a": [1995, 1996, 1998], "leeson-a": [1997], "roe-b": [1996]}


def test_another_person_of_a_name_has_the_works_that_were_chosen(folder):
    work = query(folder, "SELECT id FROM works WHERE year = 1996")[0][0]
    (number,) = correct(folder, ("other-author", work, "lee-a lee-a-2"))
    expected = {"lee-a": [1995], "lee-a-2": [1996], "leeson-a": [1997], "roe-b": [1996]}
    assert authors(folder) == expected
    (folder / "portal.db").unlink()
    build_portal(Project.load(folder))
    assert authors(folder) == expected
    # That person turns out to be one who is known.
    correct(folder, ("same-author", "lee-a-2", "leeson-a"))
    assert authors(folder) == {"lee-a": [1995], "leeson-a": [1996, 1997], "roe-b": [1996]}
    with Corrections.open(folder) as kept:
        kept.undo(number)
    build_portal(Project.load(folder))
    assert authors(folder)["lee-a"] == [1995, 1996]
