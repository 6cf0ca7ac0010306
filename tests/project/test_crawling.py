"""The short way to a live crawl, on a generated web served on this machine."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from lycosa.core import Budget, Goal
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import UsageError
from lycosa.goals import Categories, Examples, Function, OfType, Query, ResearchPaper, weighted
from lycosa.goals.profiles import PROFILES, profile
from lycosa.project import Project, crawl
from lycosa.project.crawling import goal_text
from lycosa.project.template import NEW_PROJECT_PAGES, create_project_file
from lycosa.sites.generated import World
from lycosa.sites.generated.server import bind, serve
from lycosa.spiders import BreadthFirst

CONTACT = "you@example.org"
GOAL = "url:pdf"


def visit(ask: Callable[[str], Coroutine[Any, Any, None]]) -> None:
    """Serve a department on a free port, and do something with its address."""

    async def run() -> None:
        with bind() as listener:
            root = f"http://127.0.0.1:{listener.getsockname()[1]}"
            world = World(2, departments=1, pages=150, base=root)
            ready = asyncio.Event()
            server = asyncio.create_task(serve(world, listener, ready.set))
            await asyncio.wait_for(ready.wait(), 300)
            try:
                await asyncio.wait_for(ask(f"{world.department(0).base}/"), 300)
            finally:
                server.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await server

    asyncio.run(run())


def job(url: str, pages: int) -> Job:
    return Job(
        (url,),
        ClientConfig(CONTACT),
        budget=Budget(pages=pages),
        pace=Pace(delay=0.0, slowness=0.0),
        addresses=AddressPolicy(allow_loopback=True),
    )


def write(folder: Path, url: str, pages: int) -> None:
    (folder / "lycosa.toml").write_text(
        f'seeds = ["{url}"]\ngoal = "{GOAL}"\nwords = "papers"\n[budget]\npages = {pages}\n'
        f'[politeness]\ncontact = "{CONTACT}"\ndelay = 0\nslowness = 0\n'
        "[safety]\nloopback = true\n[storage]\nvolume = 50000\n"
    )


def test_a_crawl_in_a_few_lines(tmp_path: Path) -> None:
    async def ask(url: str) -> None:
        live = crawl(goal=GOAL, words="papers", folder=tmp_path, job=job(url, 40))
        steps = [step async for step in live]
        assert len(steps) == 40
        assert steps[0].page.url == url
        assert sum(step.reward for step in steps) > 5
        assert live.reason == "budget: pages"
        with SqliteStore.open(tmp_path, create=False) as store:  # so it was closed
            assert store.steps == 40

    visit(ask)


def test_crawls_without_a_folder_with_a_custom_policy() -> None:
    async def ask(url: str) -> None:
        live = crawl(goal=Query(GOAL), spider=BreadthFirst(), job=job(url, 10))
        assert [step.n async for step in live] == list(range(1, 11))

    visit(ask)


def test_a_project_resumes(tmp_path: Path) -> None:
    async def ask(url: str) -> None:
        write(tmp_path, url, 20)
        first = [step.page.url async for step in Project.load(tmp_path).open()]
        write(tmp_path, url, 30)
        second = [step.page.url async for step in Project.load(tmp_path).open()]
        assert len(first) == 20
        assert len(second) == 10
        assert not set(first) & set(second)
        assert (
            len(list((tmp_path / "archive").glob("*.warc.gz"))) > 1
        )  # small volumes were asked for

    visit(ask)


def test_the_papers_template_finds_papers(tmp_path: Path) -> None:
    async def ask(url: str) -> None:
        assert create_project_file(tmp_path, "papers", seeds=[url], contact=CONTACT) == []
        file = tmp_path / "lycosa.toml"
        text = file.read_text()
        changes = (("delay", 1, 0), ("slowness", 2, 0), ("loopback", "false", "true"))
        for name, usual, here in changes:
            assert f"\n# {name} = {usual}" in text
            text = text.replace(f"\n# {name} = {usual}", f"\n{name} = {here}")
        # The calendar of the site has no end.
        assert f"\npages = {NEW_PROJECT_PAGES}" in text
        text = text.replace(f"\npages = {NEW_PROJECT_PAGES}", "\npages = 400")
        file.write_text(text)
        project = Project.load(tmp_path)
        assert project.goal_text == "papers"
        found = {step.page.url async for step in project.open() if step.reward}
        site = World(2, departments=1, pages=150, base=url.rpartition("/cs-")[0]).department(0)
        papers = {site.tables.urls[n] for n in site.wanted("papers").tolist()}
        read = {paper for paper in papers if paper.endswith(".pdf")}
        assert len(read) > 5
        assert found == read

    visit(ask)


GOALS: list[tuple[Goal, str]] = [
    (Query("robot* AND NOT title:course"), "robot* AND NOT title:course"),
    (Query("papers"), "papers"),
    (ResearchPaper(), "papers"),
    (weighted(Query("robot*"), 2.0) | Query("vision lab"), "text:robot OR text:vision OR text:lab"),
    (Query("a") & ~Query("b"), "text:a"),
    (Categories({"x": Query("a"), "y": Query("b")}), "text:a OR text:b"),
    (Examples([["exam", "quiz"]] * 3, [["lab"]] * 3), "text:exam OR text:quiz"),
    (OfType("application/pdf"), "application/pdf"),
]


@pytest.mark.parametrize(("goal", "text"), GOALS, ids=[goal.name for goal, _ in GOALS])
def test_goal_text_of_goals(goal: Goal, text: str) -> None:
    assert goal_text(goal) == text
    assert profile(text).words


def test_goal_text_of_papers_on_a_subject_has_both_words() -> None:
    words = profile(goal_text(ResearchPaper() & Query("robot*"))).words
    assert words == (*PROFILES["papers"].words, "robot")


def test_a_single_word_is_not_a_word_list() -> None:
    assert profile(goal_text(Query("a"), ["papers"])).words == ("papers",)


def test_refuses_a_goal_without_words() -> None:
    with pytest.raises(UsageError, match="has no words to search for in links"):
        goal_text(Function("§", lambda page: 1.0))


def test_unlocks_the_folder_if_the_crawl_cannot_start(tmp_path: Path) -> None:
    broken: Any = "no job"
    with pytest.raises(AttributeError):
        crawl(goal=GOAL, folder=tmp_path, job=broken)
    SqliteStore.open(tmp_path).close()


@pytest.mark.parametrize(
    ("seeds", "settings", "sentence"),
    [
        (["http://a.org/"], {}, "A crawl needs a contact address"),
        ([], {"contact": CONTACT}, "needs at least one seed"),
        (["http://a.org/"], {"contact": CONTACT, "spider": "rl(nb)"}, "must be trained before"),
        (["http://a.org/"], {"contact": CONTACT, "goal": "robot AND"}, "lacks something"),
        (["http://a.org/"], {"contact": CONTACT, "words": "paper"}, "did you mean 'papers'"),
        (["http://a.org/"], {"contact": CONTACT, "recall": 2.0}, "give a share above 0"),
        (["http://a.org/"], {"job": job("http://a.org/", 1)}, "leave those arguments out"),
        ([], {"job": job("http://a.org/", 1), "pages": 5}, "leave those arguments out"),
    ],
)
def test_misuse_is_one_sentence(
    seeds: list[str], settings: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=sentence):
        crawl(*seeds, folder=tmp_path / "new", **{"goal": GOAL, **settings})
    assert not (tmp_path / "new").exists()
