"""The commands of the owner: hide, remove, block, exclusions, editors, audit, export of samples."""

import json

import pytest
from click.testing import CliRunner

from lycosa.cli import main
from lycosa.papers.extraction.tagged import read_headers, read_references
from lycosa.portal.build import build_portal
from lycosa.portal.build.identity import document_id
from lycosa.portal.corrections import Corrections
from lycosa.project import Project
from lycosa.web.reader import Reader
from portal.build.crawls import Answer, crawl, papers, printed, query

MENU = "<title>Menu {0}</title><p>Home imprint login basket cart checkout {0} welcome shop offers"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("owner")
    made = papers(5)
    some = [
        Answer(f"http://www.example.edu/{n}.txt", printed(paper, made))
        for n, paper in enumerate(made)
    ]
    some += [
        Answer(f"http://www.example.edu/menu/{n}", MENU.format(n).encode(), "text/html")
        for n in range(4)
    ]
    build_portal(crawl(folder, some, topics=False))
    return folder


def run(command, folder, *arguments, code=0):
    found = CliRunner().invoke(main, [*command.split(), str(folder), *map(str, arguments)])
    assert found.exit_code == code, found.output
    return found.stdout if code == 0 else found.stderr


def shown(folder):
    return [row[0] for row in query(folder, "SELECT url FROM documents ORDER BY url")]


def test_what_does_not_belong_teaches_the_goal(built):
    menus = [f"http://www.example.edu/menu/{n}" for n in range(3)]
    told = run("hide", built, *menus, "--reason", "A menu.", "--does-not-belong")
    assert told.splitlines()[0] == "Hidden (exclusion 1): 1 work, 1 document in the portal."
    assert not set(menus) & set(shown(built))
    listed = run("exclusions", built)
    assert "The goal has learned from 3 pages what does not belong here" in listed
    assert "basket" in listed or "imprint" in listed
    goal = Project.load(built).goal
    reader = Reader()
    menu = MENU.format("now").replace("<p>", "<p>research paper ").encode()
    assert goal(reader.page("http://www.example.edu/menu/9", menu, "text/html")) == 0
    assert goal.right(reader.page("http://www.example.edu/x", printed(papers(1)[0], []))) == 1
    assert run("exclusions", built, "--undo", 1).startswith("Withdrawn: exclusion 1.")
    run("build", built)
    assert menus[0] in shown(built)
    assert Project.load(built).goal.name == "paper"  # two lessons are too few


def test_blocks_and_removes(built):
    url = "http://www.example.edu/menu/3"
    told = json.loads(run("block", built, url, "--reason", "A trap.", "--json"))
    assert told["exclusions"][0]["documents"] == 1
    assert told["pending"] == 0
    assert url not in shown(built)
    assert Project.load(built).job.blocked.covers(url)
    gone = "http://www.example.edu/4.txt"
    work = query(built, "SELECT work FROM copies WHERE document = ?", document_id(gone))[0][0]
    assert "Removed (exclusion" in run("remove", built, f"work:{work}", "--reason", "Asked.")
    assert gone not in shown(built)
    listed = json.loads(run("exclusions", built, "--json"))
    assert [one["label"] for one in listed if one["action"] == "remove"] == [""]
    log = [json.loads(line) for line in run("audit", built, "--json").splitlines()]
    assert [entry["action"] for entry in log[:2]] == ["remove work", "block url"]
    assert run("audit", built, "--last", 1).count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nonsense", "--reason", "x"), "cannot be excluded: give a URL"),
        (("host:a_b!", "--reason", "x"), "is not the name of a host"),
        (("work:w0", "--reason", "x"), "There is no work 'w0'"),
        (("host:a.example", "--reason", ""), "Give a reason"),
    ],
)
def test_refuses_what_it_cannot_exclude(built, arguments, words):
    assert words in run("hide", built, *arguments, code=2)


def test_all_seeds_blocked_is_one_sentence(built):
    run("block", built, "host:www.example.edu", "--reason", "x", "--no-build")
    assert "All start pages" in run("crawl", built, code=2)
    number = json.loads(run("exclusions", built, "--json"))[-1]["id"]
    run("exclusions", built, "--undo", number)


def test_editors(built):
    token = run("editors add", built, "ann").strip()
    assert len(token) > 40
    assert "ann since" in run("editors list", built)
    assert "There is an editor 'ann'" in run("editors add", built, "ann", code=2)
    assert run("editors revoke", built, "ann") == "Revoked: ann.\n"
    assert "no editor 'ann'" in run("editors revoke", built, "ann", code=2)
    assert json.loads(run("editors list", built, "--json"))[0]["revoked"]


def test_corrections_become_training_data(built, tmp_path):
    made = papers(5)
    work = query(built, "SELECT id FROM works WHERE title LIKE 'Spiders that learn%'")[0][0]
    with Corrections.open(built) as corrections:
        corrections.add("title", work, made[0].title)
        corrections.add("authors", work, "; ".join(made[0].authors))
        corrections.add("venue", work, "Machine Learning")
    run("export", built, "--corrections", "-o", tmp_path / "samples")
    headers = read_headers(tmp_path / "samples" / "tagged_headers.txt")
    titles = [" ".join(t.text for t in item if t.label == "title") for item in headers]
    assert titles == [made[0].title]
    authors = " ".join(t.text for t in headers[0] if t.label == "author")
    assert all(name in authors for name in made[0].authors)
    references = read_references(tmp_path / "samples" / "tagged_references.txt")
    assert references
    for item in references:
        journal = " ".join(t.text.strip(",") for t in item if t.label == "journal")
        assert journal == "Machine Learning"
        assert any(t.label == "date" for t in item)
