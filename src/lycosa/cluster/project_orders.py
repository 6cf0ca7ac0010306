"""Orders for a worker process on this machine: a project, as text that any process can read."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Self

from lycosa.cluster.leases import LEASE_SECONDS
from lycosa.cluster.worker import CrawlPlan
from lycosa.project import Project


def plan_crawl(project: Project, archive: str) -> CrawlPlan:
    """Return the plan of the crawl of a project; whole volumes go to the archive."""
    return CrawlPlan(project.job, project.policy, project.goal, archive, project.storage.level)


@dataclass(frozen=True)
class ProjectOrders:
    """What a worker process gets: names and text alone, so that reading them runs no code.

    `settings` is the text of a lycosa.toml, with the options of the command line in it;
    `folder` is that of the project, where the goal and the spider have their files.
    """

    url: str = field(repr=False)
    """The URL of the database, which may have a password."""
    folder: str
    settings: str = field(repr=False)
    archive: str
    lease_seconds: float = LEASE_SECONDS

    @classmethod
    def of_project(cls, url: str, project: Project, archive: str) -> Self:
        """Return the orders for the workers of a project."""
        return cls(url, str(project.folder.absolute()), project.text(), archive)

    def to_json(self) -> bytes:
        """Return one line of JSON."""
        return json.dumps(asdict(self)).encode() + b"\n"

    @classmethod
    def of_json(cls, line: bytes) -> Self:
        """Return the orders in a line of JSON."""
        return cls(**json.loads(line))

    def plan(self) -> CrawlPlan:
        """Return the plan of the crawl."""
        return plan_crawl(Project.parse(self.settings, self.folder), self.archive)
