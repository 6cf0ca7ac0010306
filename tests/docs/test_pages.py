"""README, tutorial and how-to pages are true: what they tell a reader to type works."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import realdata
from crawler.live.served import job, papers, served
from docs.blocks import blocks, edited
from docs.reader import MAX_PAGES, Reader, free_port, on_this_machine
from lycosa import BreadthFirst, World
from lycosa.crawler import MemoryStore
from lycosa.crawler.http import Response
from lycosa.papers import generate_headers, generate_references, write_tagged
from lycosa.papers.extraction.tagged import NEW_HEADER, NEW_REFERENCE
from lycosa.sites.generated.recorder import record
from lycosa.topics import template_text

ROOT = realdata.ROOT
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial.md", *sorted(ROOT.glob("docs/how-to/*.md"))]
EXPLANATIONS = [
    page
    for page in sorted([*ROOT.glob("docs/explanation/*.md"), *ROOT.glob("docs/reference/*.md")])
    if page.stem != "api" and "```python" in page.read_text()
]
REAL_DATA = {"place-documents"}
"""Pages whose example is real data."""
BUDGETS = {"tutorial": 500}
"""Pages that show what a longer crawl finds."""
EXAMPLE = "https://www.cs.example.edu/"
CONTACT = 'contact="you@example.org"'
CORA = realdata.CORPORA / "cora-hierarchy"


@pytest.fixture(scope="session")
def web() -> Iterator[World]:
    """A small web on this machine."""
    with served(departments=4, pages=100) as world:
        yield world


@pytest.fixture(scope="session")
def crawled(web, tmp_path_factory) -> Path:
    """A project that was crawled and built."""
    folder = tmp_path_factory.mktemp("crawled")
    run = partial(subprocess.run, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    lycosa = [sys.executable, "-m", "lycosa.cli"]
    seed, contact = web.sites[0].base + "/", "you@example.org"
    run([*lycosa, "new", "robots", "--template", "papers", "--url", seed, "--contact", contact])
    file = folder / "robots" / "lycosa.toml"
    file.write_text(edited(file.read_text(), on_this_machine(MAX_PAGES)))
    run([*lycosa, "crawl", "robots", "--quiet", "--pages", "60"])
    run([*lycosa, "build", "robots"])
    return folder / "robots"


class Scenario:
    """What is there before a reader begins, page by page.

    `crawled` returns a project that was crawled and built, which only some pages need.
    """

    def __init__(self, folder: Path, web: World, crawled: Callable[[], Path]) -> None:
        self.folder = folder
        self.web = web
        self.crawled = crawled

    def project(self, name: str = "robots") -> None:
        shutil.copytree(self.crawled(), self.folder / name)

    def recorded(
        self, name: str = "web", departments: int = 4, pages: int = 100, only: int | None = None
    ) -> None:
        """Record generated departments, or the first few of them by name."""
        world = World(seed=0, departments=departments, pages=pages)
        for site in sorted(world.sites, key=lambda site: site.name)[:only]:
            record(world, site, self.folder / name)

    def prepare(self, page: str) -> None:
        prepare = getattr(self, page.replace("-", "_").lower(), None)
        if prepare is not None:
            prepare()

    def tutorial(self) -> None:
        self.recorded("demo/web", pages=600, only=1)  # the page opens the first

    def ask_why(self) -> None:
        self.project()

    def read_the_report(self) -> None:
        self.project("my-crawl")

    def recrawl(self) -> None:
        self.project()

    def repair_a_crawl(self) -> None:
        self.project()

    def share_an_archive(self) -> None:
        self.project()

    def serve_a_portal(self) -> None:
        self.project()

    def manage_a_portal(self) -> None:
        self.project()

    def use_the_api(self) -> None:
        self.project("my-crawl")

    def compare_spiders(self) -> None:
        self.recorded("sites/departments", departments=2)

    def plug_in(self) -> None:
        self.recorded("sites", departments=1)

    def train_a_spider(self) -> None:
        self.recorded(pages=300)

    def record_a_site(self) -> None:
        self.recorded("other", pages=200)
        for number, name in enumerate(("cs-oakmouth", "cs-ashden")):
            archive = self.folder / "other" / name / "pages.warc.gz"
            shutil.copy(archive, self.folder / f"crawl-0000{number}.warc.gz")
        mirror = self.folder / "mirror" / "www.example.org"
        mirror.mkdir(parents=True)
        (mirror / "index.html").write_text("<title>Home</title><a href=people.html>People</a>")
        (mirror / "people.html").write_text("<title>People</title><a href=index.html>Home</a>")

    def read_papers(self) -> None:
        department = World(seed=0, departments=1, pages=200).department(0)
        bodies = [department.response(int(n)).body for n in department.wanted("papers")[:4]]
        (self.folder / "paper.pdf").write_bytes(bodies[0])
        write_tagged(self.folder / "tagged.txt", generate_references(40, 3), NEW_REFERENCE)
        headers = [header.tokens for header in generate_headers(12, 3)]
        write_tagged(self.folder / "headers.txt", headers, NEW_HEADER)
        (self.folder / "papers").mkdir()
        for name, body in zip(("new", "other", "old"), bodies[1:], strict=True):
            (self.folder / "papers" / f"{name}.pdf").write_bytes(body)

    def write_topics(self) -> None:
        rows = ["Tomato blight", "Slugs and snails", "Seed potato varieties", "A garden diary"]
        lines = [f"{number}\t{title}" for number, title in enumerate(rows)]
        (self.folder / "documents.tsv").write_text("\n".join(["id\ttitle", *lines]) + "\n")

    def place_documents(self) -> None:
        if not CORA.is_dir():
            pytest.skip(f"the papers of the example are not at {CORA}")
        for name in ("papers.tsv", "citations.tsv"):
            shutil.copy(CORA / name, self.folder / name)
        tree = re.sub(r",\n +", ", ", template_text("computer-science"))
        thin = re.sub(r"(:(?:[^,\n]*,){2}[^,\n]*),.*", r"\1", tree)
        (self.folder / "thin.txt").write_text(thin)
        lines = (CORA / "papers.tsv").read_text().splitlines()
        (self.folder / "documents.tsv").write_text("\n".join(lines[:1501]) + "\n")


class Names:
    """Files and variables that the Python blocks of explanations take for granted."""

    def __init__(self, folder: Path, web: World) -> None:
        self.folder = folder
        self.web = web

    def prepare(self, page: str) -> dict[str, Any]:
        prepare = getattr(self, page.replace("-", "_"), None)
        return {} if prepare is None else prepare()

    def extraction(self) -> dict[str, Any]:
        write_tagged(self.folder / "tagged.txt", generate_references(40, 3), NEW_REFERENCE)
        return {}

    def hmm(self) -> dict[str, Any]:
        headers = [header.tokens for header in generate_headers(12, 3)]
        write_tagged(self.folder / "tagged_headers.txt", headers, NEW_HEADER)
        (self.folder / "paper.txt").write_text(
            "Spiders that learn\nAnn Lee\nAbstract\nThey hunt.\n"
        )
        return {}

    def live_crawl(self) -> dict[str, Any]:
        site = self.web.sites[0]
        return {
            "job": job(site, pages=20),
            "policy": BreadthFirst(),
            "goal": papers(site),
            "store": MemoryStore(),
        }

    def state(self) -> dict[str, Any]:
        url = "http://a.example/"
        return {"url": url, "response": Response(url, datetime.now(UTC), 200, "HTTP/1.1 200 OK")}

    def topics(self) -> dict[str, Any]:
        (self.folder / "topics.txt").write_text(
            "Databases\n  Temporal: temporal database\n  Relational: relational\nRobots: robot\n"
        )
        titles = ["A temporal database", "Relational algebra", "A robot arm", "Robot vision"] * 3
        rows = [f"{number}\t{title}" for number, title in enumerate(titles)]
        (self.folder / "papers.tsv").write_text("\n".join(["id\ttitle", *rows]) + "\n")
        (self.folder / "citations.tsv").write_text("citing\tcited\n0\t4\n2\t3\n")
        return {}

    def topics_file(self) -> dict[str, Any]:
        return self.topics()


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.stem, marks=[pytest.mark.realdata] * (page.stem in REAL_DATA))
        for page in PAGES
    ],
)
def test_a_reader_can_do_what_the_page_says(page, tmp_path, web, request):
    Scenario(tmp_path, web, partial(request.getfixturevalue, "crawled")).prepare(page.stem)
    budget = BUDGETS.get(page.stem, MAX_PAGES)
    reader = Reader(page, tmp_path, replacements(web), max_pages=budget)
    reader.read()
    assert_everything_ran(reader, ("console", "python"))


@pytest.mark.parametrize("page", EXPLANATIONS, ids=lambda page: page.stem)
def test_python_blocks_of_explanations_run(page, tmp_path, web):
    names = Names(tmp_path, web).prepare(page.stem)
    reader = Reader(page, tmp_path, replacements(web), names)
    reader.read(("python",))
    assert_everything_ran(reader, ("python",))


def assert_everything_ran(reader: Reader, languages: tuple[str, ...]) -> None:
    runnable = [block for block in blocks(reader.page) if block.language in languages]
    excused = [
        block for block in runnable if {"not run", "write", "output"} & set(block.directives)
    ]
    assert len(reader.ran) == len(runnable) - len(excused)


def replacements(web: World) -> dict[str, str]:
    """Return what is typed in the place of addresses of the web."""
    port, seed = str(free_port()), web.sites[0].base + "/"
    return {
        "AddressPolicy()": "AddressPolicy(allow_loopback=True)",
        CONTACT: f"{CONTACT}, delay=0.0, loopback=True",
        EXAMPLE: seed,
        "https://www.example-town.gov/": web.sites[1].base + "/",
        "council OR borough": "research OR course",
        EXAMPLE.removeprefix("https://"): seed.removeprefix("http://"),
        "--pages 300": f"--pages {MAX_PAGES}",
        "--pages 400": f"--pages {MAX_PAGES + 30}",
        "127.0.0.1:8001": f"127.0.0.1:{port}",
        "--port 8001": f"--port {port}",
    }


@pytest.mark.parametrize("page", [*PAGES, *EXPLANATIONS], ids=lambda page: page.stem)
def test_what_is_not_run_says_why(page):
    for block in blocks(page):
        if "not run" in block.directives:
            assert len(block.directives["not run"]) > 10, f"{page.name}, line {block.line}"


def test_every_seam_is_shown_with_its_output():
    text = (ROOT / "docs" / "how-to" / "plug-in.md").read_text()
    for section in ("Fetcher", "Store", "Goal", "Spider"):
        example = text.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
        assert "```python" in example, section
        assert "<!-- output -->" in example, section
