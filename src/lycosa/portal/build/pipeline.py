"""The build: from a crawl to documents, works, topics, tables and index, incrementally.

A build that is killed at any moment is continued by the next one: documents are
committed one by one, the tables derived from them in one transaction, and the
index after it.
"""

from __future__ import annotations

import logging
import time
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import UsageError
from lycosa.portal.build.author_rules import AuthorRules
from lycosa.portal.build.build_state import BuildState, keep_state, remove_other_states
from lycosa.portal.build.database import Database, Replace
from lycosa.portal.build.derivation import Derivation
from lycosa.portal.build.documents import RULES, ReadElsewhere, read_new
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.history import update_history
from lycosa.portal.build.indexing import ALL, REINDEX, IndexUpdate, is_current, update_index
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.summary import BuildSummary, Holdings
from lycosa.portal.build.topic_model import forget_model, remove_other_models
from lycosa.portal.build.topics import TopicTables, topic_tree
from lycosa.portal.corrections import Correction, Corrections
from lycosa.portal.fields import fingerprint
from lycosa.processes import garbage_collection_disabled, single_threaded_blas
from lycosa.project import Project
from lycosa.topics.hierarchy import Hierarchy

MIN_PARALLEL_DOCUMENTS = 5000
"""Fewer are not worth the start of other processes."""

_log = logging.getLogger("lycosa.portal")


def build_portal(
    project: Project,
    *,
    progress: BuildProgress | None = None,
    jobs: int = 1,
    elsewhere: ReadElsewhere | None = None,
) -> BuildSummary:
    """Build the portal of a project from its crawl, or bring it up to date.

    Documents are read in `jobs` processes here, unless they are read `elsewhere`.
    """
    began = time.monotonic()
    progress = progress or BuildProgress()
    if not (project.folder / "crawl.db").is_file():
        raise UsageError(
            f"There is nothing to build in {project.folder} yet: run lycosa crawl "
            f"{project.folder} first."
        )
    tree = topic_tree(project.portal.topics, project.folder)
    with Corrections.open(project.folder) as kept:
        corrections, corrections_digest = kept.all(), kept.digest()
    with CrawlReader.open(project.folder) as crawl, Database.open(project.folder) as database:
        _log.info("build of %s: reading documents", project.folder)
        rules = AuthorRules.of_job(project.job)
        builder = Builder(project, database, tree, corrections, progress, jobs)
        if not database.steps():  # a first build that is killed reads nothing twice
            builder.note_rules(rules)
        read = read_new(crawl, database, progress, jobs, rules, elsewhere)
        builder.note_rules(rules)
        state = builder.state(corrections_digest)
        derived = database.meta("state") != state
        changed = builder.derive(state, crawl.steps) if derived else 0
        indexed = IndexUpdate(0, 0)
        generation = database.meta("generation")
        if database.meta("indexed") != generation or not is_current(project.folder):
            _log.info("build of %s: updating the index", project.folder)
            indexed = update_index(database, progress, jobs)
            with database.replacing() as replace:
                builder.set_meta(replace, indexed=generation)
        summary = BuildSummary(
            Holdings.of(database),
            dict(sorted(read.items())),
            derived,
            *indexed,
            seconds=time.monotonic() - began,
            changed=changed,
        )
    _log.info("build of %s: done after %.1f s", project.folder, summary.seconds)
    return summary


class Builder:
    """Derives the tables from the documents of a project.

    Parameters
    ----------
    project
        The project whose crawl is read.
    database
        The open portal.db; the builder does not close it.
    tree
        The hierarchy of topics; None for a portal without.
    corrections
        Those in force.
    progress
        Receives the stages of the build.
    jobs
        Processes to use.
    """

    def __init__(
        self,
        project: Project,
        database: Database,
        tree: Hierarchy | None,
        corrections: list[Correction],
        progress: BuildProgress,
        jobs: int = 1,
    ) -> None:
        self._project = project
        self._database = database
        self._tree = tree
        self._corrections = corrections
        self._progress = progress
        self._jobs = jobs

    def state(self, corrections_digest: str) -> str:
        """Return a hash of everything that the derived tables depend on.

        A document that is read again has a later step, so the sum of steps tells.
        """
        read = self._database.one("SELECT count(*), ifnull(sum(step), 0) FROM documents")
        tree = "" if self._tree is None else self._tree.text()
        rules = self._database.meta(RULES)
        facts = (version("lycosa"), self._project.portal, tree, corrections_digest, read, rules)
        return sha256(f"{facts!r} {fingerprint()}".encode("utf-8", "replace")).hexdigest()

    @garbage_collection_disabled()
    @single_threaded_blas()
    def derive(self, state: str, steps: int) -> int:
        """Bring the derived tables up to date in one transaction; return how many works changed."""
        documents = self._database.one("SELECT count(*) FROM documents")[0]
        jobs = self._jobs if documents > MIN_PARALLEL_DOCUMENTS else 1
        _log.info("build of %s: deriving works of %d documents", self._project.folder, documents)
        self._progress.begin("finding works")
        derivation = Derivation(
            self._database,
            self._corrections,
            separate_versions=self._project.portal.versions,
            jobs=jobs,
        )
        basis = self._basis()
        folder = self._database.folder
        kept = None
        if self._database.meta("state"):  # else a table was made again, and needs all its rows
            tables = f"{self._database.meta('state')} {self._database.meta('built')}"
            kept = BuildState.open(folder, self._database.meta("generation"), basis, tables)
        with translate_errors(folder):
            found = derivation.derive(kept)
        works = found.works
        found.scratch.release()
        built = datetime.now(UTC).isoformat(timespec="seconds")
        generation = str(int(self._database.meta("generation") or 0) + 1)
        with self._database.replacing() as replace:
            if not self._database.meta("state"):
                forget_model(self._database)
            changed = found.tables.store(replace, self._progress)
            corrected = found.corrections.topics(works.of)
            topics = TopicTables(self._database, works, self._tree, corrected, found.tables.touched)
            topics.store(replace, self._progress, generation)
            update_history(self._database, only_reindex=found.is_update)
            tables = f"{state} {built}"
            keep_state(
                folder,
                generation,
                basis,
                tables,
                found.columns(),
                self._corrections,
                found.scratch,
            )
            self.set_meta(
                replace,
                title=self._project.portal.title or self._project.folder.absolute().name,
                description=self._project.portal.description or "",
                contact=self._project.job.client.contact,
                built=built,
                steps=str(steps),
                generation=generation,
                state=state,
                **({} if found.is_update else {REINDEX: ALL}),
            )
        remove_other_states(folder, generation)
        remove_other_models(self._database)
        return changed

    def _basis(self) -> str:
        """Return what the works depend on beside documents and corrections."""
        rules = self._database.meta(RULES)
        return repr((version("lycosa"), self._project.portal.versions, rules, fingerprint()))

    def note_rules(self, rules: AuthorRules) -> None:
        """Note the rules by which all documents were read."""
        if self._database.meta(RULES) != repr(rules):
            with self._database.replacing() as replace:
                self.set_meta(replace, **{RULES: repr(rules)})

    def set_meta(self, replace: Replace, **values: str) -> None:
        """Change some values of the table meta."""
        before: dict[str, str] = dict(self._database.rows("SELECT key, value FROM meta"))
        replace("meta", sorted({**before, **values}.items()))
