"""The build: from a crawl to documents, works, topics, tables and index, incrementally.

A build that is killed at any moment is continued by the next one: documents are
committed one by one, the tables derived from them in one transaction, and the
index after it.
"""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from importlib.metadata import version

from lycosa.crawler.storage.reader import CrawlReader
from lycosa.errors import UsageError
from lycosa.portal.build.applied_corrections import merged_authors
from lycosa.portal.build.author_rules import AuthorRules
from lycosa.portal.build.build_state import BuildState, keep_state, remove_other_states
from lycosa.portal.build.database import Database, Replace
from lycosa.portal.build.derivation import Derivation
from lycosa.portal.build.documents import RULES, ReadElsewhere, read_new
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.history import update_history
from lycosa.portal.build.indexing import ALL, REINDEX, IndexUpdate, is_current, update_index
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.build.purge import Purge
from lycosa.portal.build.summary import BuildSummary, Holdings
from lycosa.portal.build.topic_model import forget_model, remove_other_models
from lycosa.portal.build.topics import TopicTables, topic_tree
from lycosa.portal.build.traces import lesson
from lycosa.portal.build.withholding import KEY as EXCLUSIONS
from lycosa.portal.build.withholding import Withholding, extend_exclusions
from lycosa.portal.corrections import Correction, Corrections
from lycosa.portal.extraction_log import template_changes
from lycosa.portal.fields import fingerprint
from lycosa.processes import garbage_collection_disabled, single_threaded_blas
from lycosa.project import Project
from lycosa.project.exclusions import Exclusions
from lycosa.project.lessons import MAX_WANTED, write_lessons
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
    with (
        Exclusions.open(project.folder) as exclusions,
        Database.open(project.folder) as database,
    ):
        purge = Purge(project.folder, exclusions)
        if purge:
            purge.delete_decisions()
            is_purged = purge.delete_pages()
        with Corrections.open(project.folder) as kept:
            corrections, corrections_digest = kept.all(), kept.digest()
        _log.info("build of %s: reading documents", project.folder)
        rules = AuthorRules.of_job(project.job)
        withholding = Withholding(exclusions.rules())
        withholding.apply_to_stored(database)
        builder = Builder(project, database, tree, corrections, progress, jobs)
        if not database.steps():  # a first build that is killed reads nothing twice
            builder.note(RULES, repr(rules))
        gone_after = timedelta(seconds=project.portal.gone_after)
        with CrawlReader.open(project.folder) as crawl:
            read = read_new(
                crawl, database, progress, jobs, rules, elsewhere, gone_after, withholding
            )
            steps = crawl.steps
        builder.note(RULES, repr(rules))
        withholding = extend_exclusions(exclusions, withholding)
        builder.note(EXCLUSIONS, withholding.rules.digest)
        state = builder.state(corrections_digest)
        derived = database.meta("state") != state
        changed = builder.derive(state, steps, anew=bool(purge)) if derived else 0
        indexed = IndexUpdate(0, 0)
        generation = database.meta("generation")
        if purge or database.meta("indexed") != generation or not is_current(project.folder):
            _log.info("build of %s: updating the index", project.folder)
            indexed = update_index(database, progress, jobs, anew=bool(purge))
            builder.note("indexed", generation)
        write_lessons(project.folder, _wanted(database), exclusions.lessons())
        if purge and database.expunge() and is_purged:
            purge.finish()
        summary = BuildSummary(
            Holdings.of(database),
            dict(sorted(read.items())),
            derived,
            *indexed,
            seconds=time.monotonic() - began,
            changed=changed,
            pending=len(exclusions.pending()),
        )
    for change in template_changes(project.folder):
        _log.warning("%s", change)
    _log.info("build of %s: done after %.1f s", project.folder, summary.seconds)
    return summary


def _wanted(database: Database) -> list[str]:
    """Return the words of some documents that are shown: ids are hashes, so it is a sample."""
    query = "SELECT text FROM documents WHERE kind != 'none' ORDER BY id LIMIT ?"
    return [lesson(row[0]) for row in database.rows(query, MAX_WANTED)]


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
        gone = tuple(self._database.rows("SELECT document, since FROM tombstones ORDER BY 1"))
        excluded = self._database.meta(EXCLUSIONS)
        own = version("lycosa"), self._project.portal, tree, corrections_digest
        facts = (
            *own, read, rules, gone, excluded
        )  # fmt: skip
        return sha256(f"{facts!r} {fingerprint()}".encode("utf-8", "replace")).hexdigest()

    @garbage_collection_disabled()
    @single_threaded_blas()
    def derive(self, state: str, steps: int, *, anew: bool = False) -> int:
        """Bring the derived tables up to date in one transaction; return how many works changed.

        `anew` also forgets the model of topics, which knows words of all works.
        """
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
        with self._database.replacing() as replace, ThreadPoolExecutor(1) as beside:
            if anew or not self._database.meta("state"):
                forget_model(self._database)
            changed = found.tables.store(replace, self._progress)
            # The state is large, and nothing of it depends on topics.
            kept_state = beside.submit(
                keep_state,
                folder,
                generation,
                basis,
                f"{state} {built}",
                found.columns(),
                self._corrections,
                found.scratch,
            )
            corrected = found.corrections.topics(works.of)
            topics = TopicTables(self._database, works, self._tree, corrected, found.tables.touched)
            topics.store(replace, self._progress, generation)
            update_history(self._database, only_reindex=found.is_update)
            kept_state.result()
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
        rules, excluded = self._database.meta(RULES), self._database.meta(EXCLUSIONS)
        versions = self._project.portal.versions
        merged = sorted(merged_authors(self._corrections).items())
        return repr((version("lycosa"), versions, rules, excluded, merged, fingerprint()))

    def note(self, key: str, value: str) -> None:
        """Note a value in the table meta."""
        if self._database.meta(key) != value:
            with self._database.replacing() as replace:
                self.set_meta(replace, **{key: value})

    def set_meta(self, replace: Replace, **values: str) -> None:
        """Change some values of the table meta."""
        before: dict[str, str] = dict(self._database.rows("SELECT key, value FROM meta"))
        replace("meta", sorted({**before, **values}.items()))
