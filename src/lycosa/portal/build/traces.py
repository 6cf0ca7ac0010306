"""Traces: the digests by which what was excluded is recognised in documents and references.

A work is recognised by the URLs and bodies of its copies, by its identifiers, by its title
together with the name of its first author, and each reference to it by its printed text. A
single title says too little: many works are called "Introduction".

>>> title_trace("Spiders that Learn", ["Ann Lee"]) == title_trace("spiders that learn.", ["Lee"])
True
>>> title_trace("Introduction", ["Ann Lee"]) is None
True
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lycosa.errors import UsageError
from lycosa.portal.build.identity import reference_names, slug
from lycosa.portal.catalogue import FILE
from lycosa.portal.read_only import ReadOnlyDatabase
from lycosa.project.exclusions import Trace
from lycosa.web.digests import digest
from lycosa.web.urls import canonical, host_of, is_subdomain
from lycosa.web.words import words

MIN_TITLE_WORDS: Final = 3
"""A shorter title names too many works."""
MAX_LESSON_WORDS: Final = 600
"""Distinct words that are kept of a document that does not belong here."""


@dataclass(slots=True)
class Target:
    """What an exclusion is about, as the portal knows it."""

    label: str = ""
    """Its title or name; empty if the portal does not have it."""
    works: list[str] = field(default_factory=list)
    """Ids of the works that it covers whole."""
    traces: set[Trace] = field(default_factory=set)
    lessons: dict[str, str] = field(default_factory=dict)
    """The words of its documents, by the digests of their URLs."""


def find_target(folder: Path | str, kind: str, value: str) -> Target:
    """Return what a portal knows of a URL, host, work or author that is to be excluded."""
    path = Path(folder) / FILE
    if not path.is_file():
        if kind in ("work", "author"):
            raise UsageError(f"There is no portal in {folder} yet, and so no {kind} {value!r}.")
        return Target()
    return _Finder(ReadOnlyDatabase(path)).find(kind, value)


class _Finder:
    def __init__(self, database: ReadOnlyDatabase) -> None:
        self._all = database.all
        self._one = database.one

    def find(self, kind: str, value: str) -> Target:
        found = Target()
        works, documents = self._resolve(kind, value, found)
        whole = {row[0] for work in works for row in self._copies(work)}
        for document in documents:
            self._add_document(document, found, whole=document in whole)
        for work in works:
            self._add_work(work, found)
        found.works = sorted(works)
        return found

    def _resolve(self, kind: str, value: str, found: Target) -> tuple[set[str], set[str]]:
        """Return the works that are covered whole, and all documents that are."""
        if kind in ("work", "author"):
            works = self._works_of(kind, value, found)
            copies = {row[0] for work in works for row in self._copies(work)}
            return works, copies
        if kind == "url":
            url = canonical(value) or value
            documents = {"d" + digest(url)}
        else:
            every = self._all("SELECT id, url FROM documents")
            documents = {row[0] for row in every if is_subdomain(host_of(row[1]), (value,))}
        works = set()
        for document in documents:
            row = self._one("SELECT work FROM copies WHERE document = ?", document)
            if row and {copy[0] for copy in self._copies(row[0])} <= documents:
                works.add(row[0])
        if kind == "url" and works:
            found.label = self._one("SELECT title FROM works WHERE id = ?", *works)[0]
        return works, documents

    def _works_of(self, kind: str, value: str, found: Target) -> set[str]:
        if kind == "author":
            row = self._one("SELECT name FROM authors WHERE id = ?", value)
            if row is None:
                raise UsageError(f"There is no author {value!r} in this portal.")
            found.label = row[0]
            return {each[0] for each in self._all(_WORKS_OF_AUTHOR, value)}
        row = self._one("SELECT id, title FROM works WHERE id = ?", value)
        if row is None:
            moved = self._one("SELECT new FROM moved WHERE old = ?", value)
            row = moved and self._one("SELECT id, title FROM works WHERE id = ?", moved[0])
        if row is None:
            raise UsageError(f"There is no work {value!r} in this portal.")
        found.label = row[1]
        return {row[0]}

    def _copies(self, work: str) -> list[tuple[str]]:
        return self._all("SELECT document FROM copies WHERE work = ?", work)

    def _add_document(self, document: str, found: Target, *, whole: bool) -> None:
        """Add a document; if its `whole` work is meant, so are equal bodies elsewhere."""
        found.traces.add(Trace("document", document[1:]))
        row = self._one("SELECT digest, text FROM documents WHERE id = ?", document)
        if row is not None:
            if whole and row[1]:  # an empty body is that of many pages
                found.traces.add(Trace("body", row[0]))
            found.lessons[document[1:]] = lesson(row[1])

    def _add_work(self, work: str, found: Target) -> None:
        title, doi, arxiv = self._one("SELECT title, doi, arxiv FROM works WHERE id = ?", work)
        names = [row[0] for row in self._all(_NAMES, work)]
        headers = [row[0] for row in self._all(_TITLES, work)]
        if names:  # the title of a page without an author is that of many
            traces = (title_trace(each, names) for each in (title, *headers))
            found.traces |= {trace for trace in traces if trace is not None}
        found.traces |= set(identifier_traces({"doi": doi, "arxiv": arxiv}))
        for document in {row[0] for row in self._all(_CITING, work)}:
            numbers = {row[0] for row in self._all(_CITING_NUMBERS, document, work)}
            texts = [row[0] for row in self._all(_REFERENCES, document)]
            for number, name in enumerate(reference_names(document, texts), 1):
                if number in numbers:
                    found.traces.add(Trace("reference", f"{document}/{name}"))


def title_trace(title: str, authors: Sequence[str]) -> Trace | None:
    """Return the trace of a title with its authors; None if it says too little.

    Names may be written as `Ann Lee` or by the family name alone.
    """
    said = words(title)
    if len(said) < MIN_TITLE_WORDS:
        return None
    first = slug(authors[0]).rpartition("-")[2] if authors else ""
    return Trace("title", digest(" ".join(said), first))


def identifier_traces(fields: Mapping[str, str]) -> Iterable[Trace]:
    """Yield the traces of a DOI and of an arXiv number."""
    for name in ("doi", "arxiv"):
        if fields.get(name):
            yield Trace("identifier", digest(name, fields[name].lower()))


def author_trace(author: str) -> Trace:
    """Return the trace of an author, by the id."""
    return Trace("author", digest(author))


def lesson(text: str) -> str:
    """Return the distinct words of a text, from which a goal learns."""
    return " ".join([*dict.fromkeys(words(text))][:MAX_LESSON_WORDS])


_WORKS_OF_AUTHOR = "SELECT DISTINCT work FROM authorship WHERE author = ?"
_NAMES = "SELECT name FROM authorship WHERE work = ? ORDER BY position"
_TITLES = "SELECT title FROM copies JOIN documents ON id = document WHERE work = ?"
_CITING = "SELECT document FROM cited WHERE work = ?"
_CITING_NUMBERS = "SELECT number FROM cited WHERE document = ? AND work = ?"
_REFERENCES = "SELECT text FROM references_ WHERE document = ? ORDER BY number"
