"""The result of a build, and the contents of a portal in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lycosa.portal.build.database import Database


@dataclass(frozen=True, slots=True)
class Holdings:
    """The numbers of documents, works, citations, authors and topics."""

    documents: int
    papers: int
    """Documents that are papers, copies included."""
    works: Mapping[str, int]
    """By their kinds: paper, page and cited."""
    references: int
    """Entries of the reference lists of all papers."""
    citations: int
    """Pairs of citing and cited work, each counted once."""
    authors: int
    topics: int
    """Topics of the tree, with or without works."""
    placed: int
    """Works that have a topic."""

    @classmethod
    def of(cls, database: Database) -> Holdings:
        """Count the rows of a portal."""

        def count(query: str) -> int:
            return int(database.one(f"SELECT count(*) FROM {query}")[0])  # noqa: S608

        return cls(
            count("documents"),
            count("documents WHERE kind = 'paper'"),
            dict(database.rows("SELECT kind, count(*) FROM works GROUP BY kind ORDER BY kind")),
            count("references_"),
            count("citations"),
            count("authors"),
            count("topics"),
            count("(SELECT DISTINCT work FROM placed)"),
        )


@dataclass(frozen=True, slots=True)
class BuildSummary:
    """The result of a build."""

    holdings: Holdings
    """What the portal contains after the build."""
    read: Mapping[str, int] = field(default_factory=dict)
    """Documents read by this build, by outcome."""
    derived: bool = False
    """Whether works, citations and topics were derived again."""
    added: int = 0
    """Works added to the index, again if they have changed."""
    removed: int = 0
    """Works removed from the index."""
    anew: bool = False
    """Whether the index had another layout, and was built again."""
    seconds: float = 0.0
    """How long the build took."""
    changed: int = 0
    """Works that are new, have changed or no longer exist."""
    pending: int = 0
    """Removals of which copies are left, because the crawl is running or readers are."""

    @property
    def nothing_new(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.read or self.derived or self.added or self.removed)
