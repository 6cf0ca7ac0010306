"""The speed of a build that adds documents to a large portal, compared with a full build.

Generated papers are written into the tables documents and references_, as in
`bench.portal_build`. A portal is built of most of them, the rest is added, and the portal
is built again; then a copy without the state of the first build is built from all documents,
and the two are compared table by table, and entry by entry of the index.

`python -m bench.portal_increment` measures with a portal of 200,000 works, of which three fifths
are papers and the others are only cited, and writes its part of docs/benchmarks.md; `small`
measures with 20,000 papers and prints the result, and a second argument is a folder that keeps
the portal.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import tantivy

from bench import measure, page, portal_build
from lycosa.portal.build.build_state import FOLDER as STATES
from lycosa.portal.build.database import KEYS
from lycosa.portal.search.layout import schema

COUNT, SMALL = 126_000, 20_000
ADDED = 1000
TARGET_SECONDS, TARGET_MEGABYTES = 20, 1000
NOT_COMPARED = ("meta", "reindex")
"""Tables that say when and how often a portal was built."""
COMPARED = {
    "history": "SELECT work, digest, topics, found, changed = (SELECT max(changed) FROM history), "
    "gone FROM history ORDER BY 1"
}
"""Queries of tables that also say when they were built: which rows the last build changed."""
ENTRIES_AT_ONCE = 10_000


def add(folder: Path, more: Path) -> None:
    """Copy the documents of another portal.db into one."""
    with closing(sqlite3.connect(folder / "portal.db")) as database:
        database.execute("ATTACH ? AS more", (str(more / "portal.db"),))
        for table in ("documents", "references_"):
            database.execute(f"INSERT INTO {table} SELECT * FROM more.{table}")  # noqa: S608
        database.commit()


def table_digests(folder: Path) -> dict[str, str]:
    """Return a hash of the rows of each derived table."""
    found = {}
    with closing(sqlite3.connect(folder / "portal.db")) as database:
        for table, key in KEYS.items():
            if table not in NOT_COMPARED:
                order = ", ".join(map(str, range(1, key + 1)))
                hashed = sha256()
                query = COMPARED.get(table, f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608
                for row in database.execute(query):
                    hashed.update(repr(row).encode())
                found[table] = hashed.hexdigest()
    return found


def index_digest(folder: Path) -> str:
    """Return a hash of the stored fields of all entries of the index."""
    searcher = tantivy.Index(schema(), path=str(folder / "index")).searcher()
    return sha256("".join(sorted(_entry_digests(searcher))).encode()).hexdigest()


def _entry_digests(searcher: tantivy.Searcher) -> Iterator[str]:
    query = tantivy.Query.all_query()
    for start in range(0, searcher.num_docs, ENTRIES_AT_ONCE):
        found = searcher.search(query, ENTRIES_AT_ONCE, offset=start)
        for _, address in found.hits:
            entry = repr(sorted(searcher.doc(address).to_dict().items()))
            yield sha256(entry.encode()).hexdigest()


def measure_increment(folder: Path, count: int) -> str:
    """Measure a build after documents were added to so many; the portals stay in the folder."""
    base, more, whole = folder / "base", folder / "more", folder / "full"
    for part in (base, more):
        part.mkdir(parents=True)
    portal_build.fill(base, count, (more, ADDED))
    first = measure.run("bench.portal_build", "build", str(base))
    return compare(base, more, whole, first, count)


def compare(base: Path, more: Path, whole: Path, first: measure.Measured, count: int) -> str:
    """Add documents to a portal, build it, and compare it with a full build in another folder."""
    shutil.copytree(base, whole, ignore=shutil.ignore_patterns(STATES, "index"))
    add(base, more)
    add(whole, more)
    second = measure.run("bench.portal_build", "build", str(base))
    full = measure.run("bench.portal_build", "build", str(whole))
    mine, others = table_digests(base), table_digests(whole)
    different = [table for table, digest in mine.items() if others[table] != digest]
    if index_digest(base) != index_digest(whole):
        different.append("the index")
    with closing(sqlite3.connect(base / "portal.db")) as database:
        works = database.execute("SELECT count(*) FROM works").fetchone()[0]
    totals = [sum(seconds for seconds, _ in each.result.values()) for each in (first, second, full)]
    rows = [
        (
            stage,
            f"{second.result.get(stage, (0, 0))[0]:.1f}",
            f"{full.result.get(stage, (0, 0))[0]:.1f}",
        )
        for stage in portal_build.STAGES.values()
        if stage in full.result
    ]
    rows.append(("in all", f"{totals[1]:.1f}", f"{totals[2]:.1f}"))
    equal = "equal, table by table and entry by entry of the index"
    if different:
        equal = "DIFFERENT in " + ", ".join(different)
    return (
        f"{ADDED:,} generated papers are added to a portal of {count:,} ({works:,} works with "
        f"those that are only cited), {portal_build.REFERENCES} references each:\n\n"
        + page.table(("stage", "seconds of the update", "seconds of a full build"), rows)
        + f"\n\n**{totals[1]:.1f} s** (target: {TARGET_SECONDS}) and {second.megabytes:,} MB of "
        f"memory (target: {TARGET_MEGABYTES:,}); the full build takes {totals[2]:.0f} s and "
        f"{full.megabytes:,} MB. The two portals are {equal}."
    )


def main(arguments: Sequence[str]) -> None:
    """Measure and write the page, or measure a small portal and print the result."""
    small = arguments[:1] == ["small"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(arguments[1]) if arguments[1:] else Path(name)
        body = measure_increment(folder, SMALL if small else COUNT)
    if small:
        print(body)
    else:
        page.write("portal-increment", "Adding to a portal", body, "bench-portal")


if __name__ == "__main__":
    main(sys.argv[1:])
