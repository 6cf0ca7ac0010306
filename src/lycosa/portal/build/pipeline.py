"""From a crawl to a portal: documents, works, topics, tables, index; only what is new.

Killed at any moment, the next build goes on: documents are committed as they
come, all that is made of them in one transaction, and the index after it.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import UsageError
from lycosa.portal.build.applied_corrections import Opinions
from lycosa.portal.build.database import Database, Replace
from lycosa.portal.build.documents import read_new
from lycosa.portal.build.grouping import grouped
from lycosa.portal.build.indexing import Indexed, is_current, update_index
from lycosa.portal.build.members import Members
from lycosa.portal.build.summary import Holdings, Summary
from lycosa.portal.build.topics import TopicTables, topic_tree
from lycosa.portal.build.watcher import Watcher
from lycosa.portal.build.work_set import Shelf
from lycosa.portal.build.works import WorkTables
from lycosa.portal.corrections import Correction, Corrections
from lycosa.processes import garbage_collection_disabled, single_threaded_blas
from lycosa.project import Project
from lycosa.topics.hierarchy import Hierarchy

_FEW = 5000  # documents that are not worth the start of other processes


def build(project: Project, *, watcher: Watcher | None = None, jobs: int = 1) -> Summary:
    """Make the portal of a project from its crawl, or bring it up to date."""
    began = time.monotonic()
    watcher = watcher or Watcher()
    if not (project.folder / "crawl.db").is_file():
        raise UsageError(
            f"There is nothing to build in {project.folder} yet: run lycosa crawl "
            f"{project.folder} first."
        )
    tree = topic_tree(project.portal.topics, project.folder)
    with Corrections.open(project.folder) as kept:
        corrections, spoken = kept.all(), kept.digest()
    with CrawlReader.open(project.folder) as ledger, Database.open(project.folder) as database:
        read = read_new(ledger, database, watcher, jobs)
        builder = Builder(project, database, tree, corrections, watcher, jobs)
        state = builder.state(spoken)
        derived = database.meta("state") != state
        if derived:
            builder.derive(state, ledger.steps)
        indexed = Indexed(0, 0)
        generation = database.meta("generation")
        if database.meta("indexed") != generation or not is_current(project.folder):
            indexed = update_index(database, watcher)
            with database.replacing() as replace:
                builder.note(replace, indexed=generation)
        return Summary(
            Holdings.of(database),
            dict(sorted(read.items())),
            derived,
            *indexed,
            seconds=time.monotonic() - began,
        )


class Builder:
    """Makes everything that is made of documents."""

    def __init__(
        self,
        project: Project,
        database: Database,
        tree: Hierarchy | None,
        corrections: list[Correction],
        watcher: Watcher,
        jobs: int = 1,
    ) -> None:
        self._project = project
        self._database = database
        self._tree = tree
        self._corrections = corrections
        self._watcher = watcher
        self._jobs = jobs

    def state(self, spoken: str) -> str:
        """A hash of all that the tables depend on; a document that is read again is a later one."""
        read = self._database.one("SELECT count(*), ifnull(sum(step), 0) FROM documents")
        tree = "" if self._tree is None else self._tree.text()
        facts = (version("lycosa"), self._project.portal, tree, spoken, read)
        return sha256(repr(facts).encode("utf-8", "replace")).hexdigest()

    @garbage_collection_disabled()
    @single_threaded_blas()
    def derive(self, state: str, steps: int) -> None:
        """Replace all tables that are made of documents, in one transaction."""
        documents = self._database.one("SELECT count(*) FROM documents")[0]
        jobs = self._jobs if documents > _FEW else 1
        opinions = Opinions(self._corrections)
        members, shelf = self._works(opinions, jobs)
        works = shelf.of.tolist()
        with self._database.replacing() as replace:
            tables = WorkTables(self._database, members, shelf, opinions.facts(works), jobs)
            tables.store(replace, self._watcher)
            named = opinions.topics(works)
            TopicTables(self._database, shelf, self._tree, named).store(replace, self._watcher)
            generation = int(self._database.meta("generation") or 0) + 1
            self.note(
                replace,
                title=self._project.portal.title or self._project.folder.absolute().name,
                description=self._project.portal.description or "",
                built=datetime.now(UTC).isoformat(timespec="seconds"),
                steps=str(steps),
                generation=str(generation),
                state=state,
            )

    def _works(self, opinions: Opinions, jobs: int) -> tuple[Members, Shelf]:
        self._watcher.begin("finding works")
        members = Members()
        arriving = members.fill(self._database, jobs)
        groups = grouped(members, arriving, opinions, apart=self._project.portal.versions)
        return members, Shelf.of_groups(members, groups)

    def note(self, replace: Replace, **facts: str) -> None:
        """Change some facts about the portal."""
        known: dict[str, str] = dict(self._database.rows("SELECT key, value FROM meta"))
        replace("meta", sorted({**known, **facts}.items()))
