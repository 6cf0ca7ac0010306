from pathlib import Path

import pytest

from lycosa.core import Page
from lycosa.documents.conversion import Converter
from lycosa.documents.paper_detector import detect_paper, word_kinds
from lycosa.goals import ResearchPaper
from lycosa.sites import open_site
from lycosa.sites.generated import World
from lycosa.web.reader import Reader
from recorded_sites import REAL, needs_real_sites, realdata

PAPERS = REAL.parent / "papers"
BODY = "We let a spider loose on the web and look at where it goes. " * 60
CITED = "J. Smith. Spiders and their prey. Journal of Webs, 1998. " * 4
LIST = "J. Smith and A. Jones. On spiders. Journal of Webs, 1998. Abstract. PDF. " * 60


def judged(text, type="text/plain; charset=utf-8"):
    return ResearchPaper()(Reader().page("http://a.edu/x", text.encode(), type))


@pytest.mark.parametrize(
    ("text", "reward"),
    [
        (f"On spiders. Abstract {BODY} References {CITED}", 1),
        (f"On spiders. 1 Introduction {BODY * 3} Bibliography {CITED}", 1),
        (f"Über Spinnen. Zusammenfassung {BODY} Literatur {CITED}", 1),
        (f"On spiders. Abstract {BODY} References {CITED} Appendix {BODY}", 1),
        (f"Abstract. See the references. {BODY} References {CITED}", 1),
        (f"On spiders. Abstract {BODY}", 0),  # no references
        (f"On spiders. Abstract {BODY} References J. Smith, A. Jones, B. Brown.", 0),  # no years
        (f"References {CITED} Abstract {BODY}", 0),  # the wrong way round
        ("Abstract. A short note. References " + CITED, 0),
        (f"Publications. Abstract {LIST} References {CITED}", 0),
        (f"Publications. Introduction {LIST} Bibliography {LIST}", 0),
        ("", 0),
    ],
)
def test_rewards_pages_built_like_papers(text, reward):
    assert judged(text) == reward


def test_the_type_does_not_matter_but_a_failure_does():
    paper = f"Abstract {BODY} References {CITED}"
    assert judged(f"<h1>On spiders</h1>{paper}", "text/html") == 1
    page = Reader().page("http://a.edu/x", paper.encode())
    as_pdf = Page(page.number, page.tables, content=page.content, type="application/pdf")
    missing = Page(page.number, page.tables, content=page.content, status=404)
    goal = ResearchPaper()
    assert (goal(as_pdf), goal(missing), goal.name, repr(goal)) == (
        1,
        0,
        "research-paper",
        "ResearchPaper()",
    )


def test_tells_generated_papers_from_other_documents():
    """The few that are missed cite less than three others."""
    site = World(seed=3, departments=1, pages=400).department(0)
    wanted = set(site.wanted("papers").tolist())
    documents = {n for n in range(len(site)) if site.page(n).type == "application/pdf"}
    goal, reader, found = ResearchPaper(), Reader(), set()
    with Converter() as worker:
        for number in documents:
            text = worker.convert(site.response(number).body, "application/pdf").text
            if goal(reader.page(f"http://a.edu/{number}", text.encode(), "text/plain")):
                found.add(number)
    assert documents - wanted
    assert found <= wanted
    assert len(found) >= 0.9 * len(wanted & documents)


@realdata
@pytest.mark.skipif(not PAPERS.is_dir(), reason=f"the labelled papers are not at {PAPERS}")
def test_tells_real_papers_from_other_documents():
    """The one that is wrong is a proposal with abstract and references."""
    goal, reader, wrong = ResearchPaper(), Reader(), []
    with Converter() as documents:
        for line in (PAPERS / "labels.tsv").read_text().splitlines():
            name, label = line.split("\t")
            text = documents.convert((PAPERS / name).read_bytes(), "application/pdf").text
            page = reader.page(f"http://a.edu/{name}", text.encode(), "text/plain; charset=utf-8")
            if (goal(page) > 0) != (label == "paper"):
                wrong.append(name)
    assert len(wrong) <= 1, wrong


def test_crawl_and_build_decide_alike():
    site = World(seed=4, departments=1, pages=200).department(0)
    documents = [n for n in range(len(site)) if site.page(n).type == "application/pdf"]
    goal, reader = ResearchPaper(), Reader()
    with Converter() as converter:
        for number in documents:
            converted = converter.convert(site.response(number).body, "application/pdf")
            page = reader.page(f"http://a.edu/{number}", converted.text.encode(), "text/plain")
            assert bool(goal(page)) == detect_paper(word_kinds(converted.text)).is_paper


@realdata
@needs_real_sites
def test_few_pages_of_a_real_department_are_papers_and_publication_lists_are_not():
    site = open_site(Path(REAL / "departments" / "webkb-cornell"))
    goal = ResearchPaper()
    found = [page.url for page in map(site.page, range(len(site))) if goal(page)]
    assert 10 <= len(found) <= 20
    assert not [url for url in found if "publications" in url.lower()]
