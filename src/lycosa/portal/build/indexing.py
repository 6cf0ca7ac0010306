"""The last stage of a build: update the index with the works that changed.

The table `indexed` says what the index holds, and `reindex` which works may have
changed since. Before the index is changed, the works that will change are marked in
`indexed`; afterwards the marks become hashes. A build that is killed in between
leaves marks, and the next one repeats the update.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from lycosa.portal.build.bibliography import split_bibliography
from lycosa.portal.build.citing_sentences import CitingSentences, CitingSentencesOfSome
from lycosa.portal.build.database import Database, Row
from lycosa.portal.build.error_advice import translate_errors
from lycosa.portal.build.progress import BuildProgress
from lycosa.portal.fields import COLUMNS, FIELDS
from lycosa.portal.search.encoders import LATENT
from lycosa.portal.search.entry import IndexEntry
from lycosa.portal.search.index import MANAGED, Index, Outdated, has_current_layout, missing_files
from lycosa.portal.search.layout import number
from lycosa.portal.search.meaning import encoder_name
from lycosa.portal.search.sentence_encoder import MODEL, WorkEncoder, is_installed
from lycosa.portal.search.work_vectors import LatentVectors, SentenceVectors, WorkVectors
from lycosa.processes import in_batches
from lycosa.web.digests import digest

FOLDER = "index"
REINDEX = "reindex"
"""The key in the table meta that says which works have to be compared with the index."""
ALL, SOME = "all", "some"
"""All works, or those in the table reindex."""
ENCODINGS = "encodings.bin"
"""The file with the vectors of the sentence encoder, which take long to compute."""

ENTRIES_AT_ONCE = 1000
"""Works that are compared with the table indexed at once."""
MIN_PARALLEL_WORKS = 10_000
"""Fewer are not worth the start of other processes, each of which takes some seconds."""

_log = logging.getLogger("lycosa.portal")

_TYPES: Mapping[str, str] = {
    "application/pdf": "pdf", "application/x-pdf": "pdf", "application/postscript": "ps",
    "text/html": "html", "application/xhtml+xml": "html", "text/plain": "text",
    "application/gzip": "gzip", "application/x-gzip": "gzip",
}  # fmt: skip
_JOINED = ("type", "digest", "document", "found")
_WORKS = f"""
SELECT {", ".join(f"works.{name}" for name in COLUMNS if name != "document")},
  type, documents.digest, document,
  (SELECT cast(strftime('%s', found) AS TEXT) FROM history WHERE work = works.id)
FROM works JOIN documents ON documents.id = document WHERE document > '' ORDER BY works.id
"""  # noqa: S608
_COUNT = "SELECT count(*) FROM works WHERE document > ''"
_NAMES = (*(name for name in COLUMNS if name != "document"), *_JOINED)
_ATTRIBUTES = {each.name for each in fields(IndexEntry)}
_FURTHER = tuple(
    name
    for name, each in FIELDS.items()
    if name in COLUMNS
    and name not in _ATTRIBUTES
    and (each.spec.search or each.spec.facet or each.spec.sort)
)
_MARK = ""
_HELD = "SELECT digest FROM indexed WHERE work = ?"


class Stamp(NamedTuple):
    """What the table indexed says of an entry: two hashes."""

    whole: str
    """Of the entry."""
    own: str
    """Of what its vector is computed from, which others do not change by citing it."""

    def __str__(self) -> str:
        return f"{self.whole} {self.own}"


class IndexUpdate(NamedTuple):
    """How many works were added to the index and removed, and whether it was rebuilt."""

    added: int
    removed: int
    rebuilt: bool = False


def update_index(
    database: Database, progress: BuildProgress, jobs: int = 1, *, anew: bool = False
) -> IndexUpdate:
    """Bring the index up to date with the tables; or write it `anew`, so that nothing old is left.

    If the extra `semantic` is installed, works have the vectors of its sentence encoder.
    """
    folder = database.folder / FOLDER
    index, outdated = _open_index(folder, _work_vectors(database.folder, progress, jobs))
    held = len(index)
    rebuilt = outdated or (held > 0 and not has_current_layout(folder))
    # The folder may also hold the index of another portal, or none.
    cleared = anew or rebuilt or not held or _differs(database, held)
    if cleared:
        index.clear()
    if not held:
        index.sign()
    some = not cleared and database.meta(REINDEX) == SOME
    database.begin_collecting("indexed")
    has_vectors = index.has_vectors
    changed = 0

    def changes() -> Iterator[IndexEntry]:
        """Yield works that differ from what the index holds; collect their hashes."""
        nonlocal changed
        for batch in in_batches(_entries(database, some=some), ENTRIES_AT_ONCE):
            held = {
                entry.id: "" if cleared else (database.one(_HELD, entry.id) or ("",))[0]
                for entry, _, _ in batch
            }
            stale = {entry.id: str(stamp) for entry, stamp, _ in batch}
            stale = {work: stamp for work, stamp in stale.items() if held[work] != stamp}
            database.collect("indexed", stale.items())
            changed += len(stale)
            for entry, stamp, document in batch:
                if entry.id in stale:
                    text, references = _texts(database, document)
                    yield replace(
                        entry,
                        text=text,
                        references=references,
                        keeps_vector=has_vectors and held[entry.id].endswith(stamp.own),
                    )
                progress.advance()

    count = database.one(_COUNT + _only("id", some=some))[0]
    progress.begin("indexing", count)
    index.update(changes(), jobs=jobs if count > MIN_PARALLEL_WORKS else 1)
    removed = [] if cleared else [row[0] for row in database.rows(_gone(some=some))]
    index.update((), removed)
    if changed or removed or (held and (cleared or not index.has_vectors)):
        with database.replacing(checkpoint=False) as replace_table:
            if cleared:
                replace_table("indexed", [])
            database.put("indexed", ((work, _MARK) for work, _ in database.collected("indexed")))
        index.commit()
    with database.replacing() as replace_table:
        if cleared:
            # The table may list works of an index that is gone.
            replace_table("indexed", [])
        database.delete("indexed", "work", removed)
        database.put("indexed", database.collected("indexed"))
        database.end_collecting("indexed")
        replace_table("reindex", [])
        database.put("meta", [(REINDEX, SOME)])
    if not has_current_layout(folder):
        index.sign()
    if anew:
        index.delete_old_files()
        if (database.folder / ENCODINGS).is_file() and is_installed():
            numbers = [number(work) for (work,) in database.rows("SELECT work FROM indexed")]
            WorkEncoder(database.folder / ENCODINGS).forget_others(numbers, every=True)
    return IndexUpdate(changed, len(removed), rebuilt)


def _differs(database: Database, held: int) -> bool:
    """Whether the index holds other works than the table indexed says, and none is marked."""
    listed, marked = database.one("SELECT count(*), total(digest = '') FROM indexed")
    return bool(held != listed and not marked)


def _gone(*, some: bool) -> str:
    """Return the query for works that the index holds and the tables do not, of all or some."""
    return f"""
SELECT work FROM indexed WHERE NOT EXISTS (
  SELECT 1 FROM works JOIN documents ON documents.id = document WHERE works.id = indexed.work
){_only("work", some=some)} ORDER BY work
"""  # noqa: S608


def _only(column: str, word: str = "AND", *, some: bool) -> str:
    """Return the condition of a query for `some` works: those in the table reindex."""
    return f" {word} {column} IN (SELECT work FROM reindex)" if some else ""  # noqa: S608


def _work_vectors(folder: Path, progress: BuildProgress, jobs: int) -> WorkVectors[Any]:
    """Return what computes the vectors of works."""
    if not is_installed():
        return LatentVectors()

    def begin(total: int) -> None:
        progress.begin("encoding works", total)

    return SentenceVectors(WorkEncoder(folder / ENCODINGS, jobs, begin, progress.advance))


def _open_index(folder: Path, vectors: WorkVectors[Any]) -> tuple[Index, bool]:
    """Return the index, and whether it replaces one with other fields, or a damaged one."""
    if (folder / MANAGED).is_file() and (missing := missing_files(folder)):
        _log.warning("The index lacks %s: it is built again", missing[0])
        with translate_errors(folder.parent):
            shutil.rmtree(folder)
        return Index.open(folder, vectors), True
    try:
        return Index.open(folder, vectors), False
    except Outdated as error:
        _log.debug("the index is built again", exc_info=error)
        with translate_errors(folder.parent):
            shutil.rmtree(folder)
        return Index.open(folder, vectors), True


def is_current(folder: Path) -> bool:
    """Whether there is an index with the current layout and vectors of the current encoder."""
    wanted = MODEL if is_installed() else LATENT
    return (
        not missing_files(folder / FOLDER)
        and has_current_layout(folder / FOLDER)
        and encoder_name(folder / FOLDER) == wanted
    )


def has_index(folder: Path) -> bool:
    """Whether there is an index."""
    return (folder / FOLDER / "meta.json").is_file()


def _texts(database: Database, document: str) -> tuple[str, str]:
    """Return the text of a document and its bibliography."""
    (text,) = database.one("SELECT text FROM documents WHERE id = ?", document)
    listed = database.rows(
        "SELECT text FROM references_ WHERE document = ? ORDER BY number", document
    )
    return split_bibliography(text, [row[0] for row in listed])


def _entries(database: Database, *, some: bool = False) -> Iterator[tuple[IndexEntry, Stamp, str]]:
    """Yield every work that was found, without its text; hashes of all of it; and its best copy.

    The bibliography is left out with the text. If `some`, only works in the table reindex.
    """
    only, citing_only = (_only(name, "WHERE", some=some) for name in ("work", "citing"))
    authors = _SortedRows(
        database,
        f"SELECT work, author, name FROM authorship{only} ORDER BY work, position",  # noqa: S608
    )
    topics = _SortedRows(
        database,
        f"SELECT work, topic FROM placed{only} ORDER BY work, sure DESC, topic",  # noqa: S608
    )
    cited = _SortedRows(
        database,
        f"SELECT citing, cited FROM citations{citing_only} ORDER BY citing, cited",  # noqa: S608
    )
    citing = CitingSentencesOfSome(database) if some else CitingSentences(database)
    for row in database.rows(_WORKS.replace("ORDER", _only("works.id", some=some) + " ORDER")):
        values = dict(zip(_NAMES, row, strict=True))
        work, body, document = values["id"], values.pop("digest"), values.pop("document")
        people = authors.of(work)
        paths = [_with_ancestors(topic) for _, topic in topics.of(work)]
        mime = values.pop("type")
        values |= {
            "authors": tuple(name for _, _, name in people),
            "author_ids": tuple(author for _, author, _ in people),
            "type": _TYPES.get(mime, mime.rpartition("/")[2]),
            "topics": tuple(dict.fromkeys(topic for path in paths for topic in path)),
            "cites": tuple(other for _, other in cited.of(work)),
        }
        entry = IndexEntry(
            **{name: value for name, value in values.items() if name in _ATTRIBUTES},
            others={name: str(values[name]) for name in (*_FURTHER, "found")},
            citing=citing.of(work),
        )
        own = digest(entry.language, entry.title, entry.abstract, body)
        yield entry, Stamp(digest(repr(entry), body), own), document


class _SortedRows:
    """Rows of another table, read in step with the works: both are sorted by work."""

    def __init__(self, database: Database, query: str) -> None:
        self._rows = database.rows(query)
        self._next = next(self._rows, None)

    def of(self, work: str) -> list[Row]:
        """Return the rows of a work, skipping those of works before it."""
        found = []
        while self._next is not None and self._next[0] <= work:
            if self._next[0] == work:
                found.append(self._next)
            self._next = next(self._rows, None)
        return found


def _with_ancestors(topic: str) -> list[str]:
    """Return a topic and its ancestors, the highest first.

    >>> _with_ancestors("a/b/c")
    ['a', 'a/b', 'a/b/c']
    """
    parts = topic.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]
