"""Projects whose crawl has ended, made by a real crawl of a generated department."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawler.live.served import job, run, served
from lycosa.crawler.storage.reader import CrawlReader
from lycosa.project import Project
from lycosa.project.replay import Replay
from lycosa.spiders import BreadthFirst

GOAL = "paper OR report OR abstract"


@contextmanager
def crawled(folder: Path, spider: str = "keywords", pages: int = 40, **options) -> Iterator:
    """A project, its steps, and the world it was crawled in, which still answers."""
    with served(seed=0, departments=1, pages=200) as world:
        site = world.department(0)
        Project(folder, job(site, pages, **options), GOAL, "papers", spider).write()
        project = Project.load(folder)
        yield project, run(project.open()), world


def waiting(project: Project) -> list[str]:
    """The URLs that are known and were not requested."""
    with (
        CrawlReader.open(project.folder) as reader,
        Replay(reader, project.job, BreadthFirst()) as replay,
    ):
        for _ in replay.steps():
            pass
        requested = {url for entry in reader.entries() for url in (entry.url, entry.final)}
        return [url for url in replay.reading.urls if url not in requested]
