"""The function `crawl`: a live crawl in a few lines.

async for step in crawl(
    "https://example.org/",
    goal="robotics AND (lab OR group)",
    contact="you@example.org",
    pages=500,
    folder="robots",
):
    print(step.page.url, step.reward)
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from lycosa.core import Budget, Goal, Policy
from lycosa.crawler.http.addresses import AddressPolicy
from lycosa.crawler.http.fetcher import ClientConfig
from lycosa.crawler.live.job import Job
from lycosa.crawler.politeness.pace import Pace
from lycosa.crawler.storage.sqlite import SqliteStore
from lycosa.errors import UnknownName, UsageError
from lycosa.goals.combined import needs_text, words_of
from lycosa.goals.profiles import PROFILES
from lycosa.goals.query import Query
from lycosa.goals.research_paper import ResearchPaper
from lycosa.goals.table import GoalSpec, read_goal
from lycosa.project.sections import DEFAULT_SPIDER, Storage
from lycosa.web.urls import Scope
from lycosa.web.words import words as cut

if TYPE_CHECKING:
    from lycosa.crawler.live.engine import LiveCrawl

WrittenGoal: TypeAlias = str | Mapping[str, Any]
"""A goal as written in lycosa.toml: a query, or a table."""

_PAPERS = "papers"


def goal_text(goal: Goal, words: str | Sequence[str] | None = None) -> str:
    """Return the goal as spiders get it: the words that point to it.

    >>> from lycosa.goals import Query, ResearchPaper
    >>> goal_text(Query("title:robot*")), goal_text(Query("url:pdf"), "papers")
    ('title:robot*', 'papers')
    >>> goal_text(ResearchPaper()), goal_text(Query("robot*") & ~Query("course"))
    ('papers', 'text:robot')
    >>> goal_text(Query("url:pdf"), ["Papers", "e-prints"])
    'text:papers OR text:e OR text:prints'
    """
    if isinstance(words, str):
        if words not in PROFILES:
            raise UnknownName("list of words", words, PROFILES)
        return words
    if words is not None:
        found = [word for text in words for word in cut(text)]
        if not found:
            raise UsageError("words contains no word; write words of links that lead to the goal.")
        return _any_of(found)
    if isinstance(goal, Query):
        return goal.name
    if isinstance(goal, ResearchPaper):
        return _PAPERS
    if known := words_of(goal):
        return _any_of(known)
    if cut(goal.name):
        return goal.name
    raise UsageError(
        f"The goal {goal.name!r} has no words to search for in links: "
        'write some, as in words = ["robot", "lab"].'
    )


def _any_of(words: Sequence[str]) -> str:
    # With a field, because a bare word may be the name of a word list.
    return " OR ".join(f"text:{word}" for word in dict.fromkeys(words))


def make_policy(name: str, goal: str, *, folder: Path | None = None, seed: int = 0) -> Policy:
    """Return the policy of a spider's name; file names refer to files in the folder."""
    # Spiders take half a second to import, and a new project does not need them.
    from lycosa.spiders import Setup
    from lycosa.spiders import spider as find_spider

    factory = find_spider(name if folder is None else _resolve_files(name, folder))
    if factory.recipes and not factory.optional:
        raise UsageError(
            f"The spider {name!r} must be trained before it crawls: run "
            f"`lycosa train SITES --goal GOAL --spider {name!r} -o mine.lyc`, "
            "and write the name of the file as the spider."
        )
    return factory(Setup(None, goal, seed))


def _resolve_files(text: str, folder: Path) -> str:
    """Return the name of a spider with the full paths of its files."""
    from lycosa.spiders.names import SUFFIX, parse

    name = parse(text)
    path = folder / name.kind
    if name.kind.endswith(SUFFIX) or (path.suffix and os.path.isfile(path)):
        return str(path)
    return str(
        name._replace(arguments=tuple(_resolve_files(part, folder) for part in name.arguments))
    )


def make_job(
    seeds: Sequence[str],
    contact: str,
    *,
    pages: int | None = None,
    targets: int | None = None,
    seconds: float | None = None,
    recall: float | None = None,
    delay: float | None = None,
    scope: Scope | None = None,
    loopback: bool = False,
    random_seed: int = 0,
) -> Job:
    """Return a job with the settings that programs change most often; the rest are defaults."""
    if not seeds:
        raise UsageError("A crawl needs at least one seed: give a URL to start from.")
    return Job(
        tuple(seeds),
        ClientConfig(contact),
        scope,
        Budget(pages, targets, seconds),
        recall,
        pace=Pace() if delay is None else Pace(delay=delay),
        addresses=AddressPolicy(allow_loopback=loopback),
        random_seed=random_seed,
    )


def open_crawl(
    job: Job,
    policy: Policy,
    goal: Goal,
    folder: Path | None = None,
    storage: Storage = Storage(),  # noqa: B008 - frozen
) -> LiveCrawl:
    """Return a crawl that is ready to run, and resumes the crawl in the folder.

    The folder is locked until the crawl has ended.
    """
    from lycosa.crawler.live.engine import LiveCrawl

    if folder is None:
        return LiveCrawl(job, policy, goal)
    store = SqliteStore.open(folder, limit=storage.volume, level=storage.level)
    try:
        return LiveCrawl(job, policy, goal, store)
    except BaseException:
        store.close()
        raise


def crawl(
    *seeds: str,
    goal: GoalSpec,
    contact: str | None = None,
    spider: str | Policy = DEFAULT_SPIDER,
    words: str | Sequence[str] | None = None,
    folder: Path | str | None = None,
    pages: int | None = None,
    targets: int | None = None,
    seconds: float | None = None,
    recall: float | None = None,
    delay: float | None = None,
    scope: Scope | None = None,
    loopback: bool = False,
    seed: int = 0,
    job: Job | None = None,
) -> LiveCrawl:
    """Return a crawl of the web; `async for` runs it and yields its steps.

    Parameters
    ----------
    seeds
        The URLs to begin at. The crawl stays on their hosts unless `scope` says otherwise.
    goal
        What is wanted: a query, a table as in lycosa.toml, a `Goal`, a function of
        a page, or the name of one as `package.module:function`.
    contact
        Your e-mail address or the URL of a page about the crawl; sent with every
        request, so that the owner of a site can complain.
    spider
        The policy: a name such as `house`, a `.lyc` file, or a `Policy`.
    words
        Words of links that lead to the goal, if the goal itself does not say.
    folder
        Where pages and state are kept. The same call with the same folder resumes.
    pages, targets, seconds, recall
        When to stop, whichever comes first.
    delay
        Seconds between two requests to one host.
    scope
        Which URLs belong to the crawl.
    loopback
        Allow requests to this machine, for tests.
    seed
        For policies that use random numbers; other than 0 it also shakes the order of
        links with equal scores. 0 with a `job`: the seed of the job.
    job
        All settings at once, in the place of seeds, contact, budget, delay and scope.
    """
    if job is None:
        if contact is None:
            raise UsageError("A crawl needs a contact address, as in contact='you@example.org'.")
        job = make_job(
            seeds,
            contact,
            pages=pages,
            targets=targets,
            seconds=seconds,
            recall=recall,
            delay=delay,
            scope=scope,
            loopback=loopback,
            random_seed=seed,
        )
    elif seeds or loopback or {contact, pages, targets, seconds, recall, delay, scope} != {None}:
        raise UsageError(
            "A job contains its seeds, contact, budget and scope: leave those arguments out."
        )
    elif seed:
        job = replace(job, random_seed=seed)
    wanted = read_goal(goal)
    if needs_text(wanted):
        job = replace(job, text_only=True)
    if isinstance(spider, str):
        spider = make_policy(spider, goal_text(wanted, words), seed=job.random_seed)
    return open_crawl(job, spider, wanted, None if folder is None else Path(folder))
