"""A small portal written directly into its tables: papers, pages, citations, hostile strings.

`sample(folder)` writes portal.db; everything about it is fixed.
"""

import hashlib
import json
import sqlite3
from pathlib import Path

from lycosa.portal.schema import BUILD_SCHEMA, SCHEMA, VERSION

TREE = {
    "machine-learning": ("Machine Learning", None),
    "machine-learning/neural-networks": ("Neural Networks", "machine-learning"),
    "machine-learning/reinforcement-learning": ("Reinforcement Learning", "machine-learning"),
    "information-retrieval": ("Information Retrieval", None),
    "information-retrieval/crawling": ("Crawling", "information-retrieval"),
}
LEAVES = [topic for topic in TREE if "/" in topic]
PEOPLE = ["Ann Lee", "Bob Roe", "Carla Díaz", "Dmitri Ivanov", "Ève O'Neil", "Fu Zhang"]
VENUES = ["Machine Learning", "Proc. of the Intl. Conf. on Spiders", "J. of Web Studies", ""]
SUBJECTS = [
    ("Spiders that learn to hunt", "A spider learns by reinforcement which links lead to papers."),
    ("Neural networks of many layers", "Networks of neurons are trained by gradient descent."),
    ("Crawling the web politely", "A crawler that waits its turn finds as much as others."),
]
NASTY = [
    '<script>alert("title")</script>',
    "Quotes \" ' and & ampersands <b>bold</b>",
    "عنوان من اليمين إلى اليسار",
    "A very long title " + "that goes on and on " * 30,
    "",
    "{{ 7 * 7 }} ${x} %s javascript:alert(1)",
]
ABSENT = "w0000000000000000"
MOVED = "wmoved0000000000"


def work_id(number: int) -> str:
    return "w" + hashlib.sha256(f"work {number}".encode()).hexdigest()[:15]


def document_id(number: int) -> str:
    return "d" + hashlib.sha256(f"document {number}".encode()).hexdigest()[:15]


def slug(name: str) -> str:
    import unicodedata

    given, _, family = name.rpartition(" ")
    plain = unicodedata.normalize("NFKD", f"{family}-{given[0]}").encode("ascii", "ignore")
    return "".join(c for c in plain.decode().lower() if c.isalnum() or c == "-")


def sample(folder: Path) -> Path:
    """Write portal.db into a folder: 40 papers, 10 pages, 10 works that are only cited."""
    folder.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(folder / "portal.db")
    with database:
        database.executescript(SCHEMA + BUILD_SCHEMA)
        database.execute(f"PRAGMA user_version = {VERSION}")
        _fill(database)
    database.close()
    return folder


def _fill(database: sqlite3.Connection) -> None:
    insert = _inserter(database)
    facts = {"title": "Spider papers", "description": "Papers about spiders & the web <3"}
    for key, value in {**facts, "built": "2026-01-02T03:04:05Z", "generation": "1"}.items():
        insert("meta", key, value)
    citations = _citations()
    for number in range(60):
        _work(insert, number, citations)
    for citing, cited in citations:
        insert("citations", work_id(citing), work_id(cited))
    _people(database, insert)
    for position, (topic, (name, parent)) in enumerate(TREE.items()):
        inside = "SELECT count(DISTINCT work) FROM placed WHERE topic = ?1 OR topic LIKE ?1 || '/%'"
        works = database.execute(inside, (topic,)).fetchone()[0]
        words = json.dumps(name.lower().split())
        insert("topics", topic, parent, position, name, f"About {name}.", works, words)
        query = (
            "SELECT DISTINCT works.id FROM works JOIN placed ON work = works.id "
            "WHERE topic = ?1 OR topic LIKE ?1 || '/%' ORDER BY rank DESC, works.id LIMIT 5"
        )
        for place, (work,) in enumerate(database.execute(query, (topic,)).fetchall(), 1):
            insert("seminal", topic, place, work)
    insert("moved", MOVED, work_id(0))


def _inserter(database):
    def insert(table, *values):
        marks = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO {table} VALUES ({marks})", values)

    return insert


def kind_of(number: int) -> str:
    return "paper" if number < 40 else "page" if number < 50 else "cited"


def _citations() -> list[tuple[int, int]]:
    """Each paper cites the three before it, and one that is only cited."""
    pairs = []
    for number in range(40):
        pairs += [(number, number - back) for back in (1, 2, 5) if number >= back]
        pairs.append((number, 50 + number % 10))
    return pairs


def title_of(number: int) -> str:
    if 30 <= number < 30 + len(NASTY):
        return NASTY[number - 30]
    return f"{SUBJECTS[number % 3][0]}, part {number}"


def _work(insert, number: int, citations) -> None:
    kind, work = kind_of(number), work_id(number)
    cited_by = sum(cited == number for _, cited in citations)
    cites = [cited for citing, cited in citations if citing == number]
    year = None if number in (33, 45) else 1990 + number % 12
    title, abstract = title_of(number), SUBJECTS[number % 3][1]
    best = document_id(number) if kind != "cited" else None
    facts = {
        "title": [title, 0.97, best or "references"],
        "year": [str(year or ""), 0.8, "references"],
    }
    insert(
        "works", work, kind, title, year, str(year or ""),
        VENUES[number % 4] if kind != "page" else "", "12", "101-120" if number % 2 else "",
        f"10.1234/webs.{number}" if number % 4 == 1 else "", "", "",
        abstract, "en", f"www{number % 4}.example.edu" if best else "", best,
        cited_by, len(cites), 1.0 + cited_by, json.dumps(facts),
    )  # fmt: skip
    if kind == "cited":
        return
    for copy in range(2 if number % 10 == 3 else 1):
        _document(insert, number, copy, kind, title, abstract, cites)
    topics = {LEAVES[number % 3]: 0.9}
    if number % 5 == 0:
        topics[LEAVES[(number + 1) % 3]] = 0.4
    for topic, sure in topics.items():
        insert("placed", work, topic, sure)
    insert("indexed", work, f"{number:x}")
    found = f"2026-01-{1 + number // 2:02}T00:{number:02}:00.5+00:00"
    named = f" {' '.join(sorted(topics))} "
    insert("history", work, f"{number:x}", named, found, "2026-01-02T03:04:05Z", 0)


def _document(insert, number, copy, kind, title, abstract, cites) -> None:
    document = document_id(number + 1000 * copy)
    ending = "pdf" if kind == "paper" else "html"
    url = f"http://www{number % 4}.example.edu/{'copies' if copy else 'papers'}/{number}.{ending}"
    time = f"2026-01-01T00:{number:02}:00Z"
    mime = "application/pdf" if kind == "paper" else "text/html"
    fields = {"title": [[title, 0.97, 1, 1]], "abstract": [[abstract, 0.9, 1, 5]]}
    text = f"{title}\n{abstract}\nThe body of document {number} tells of spiders and their webs."
    insert(
        "documents", document, number + 1 + 1000 * copy, url, time, mime, 1000 + number,
        f"{number:064x}", 1.0, kind, "text", 0.99 if kind == "paper" else 0.01, title, abstract,
        str(1990 + number % 12), "en", text, json.dumps(fields),
    )  # fmt: skip
    insert("copies", document, work_id(number))
    if copy:
        return
    for place, cited in enumerate(cites, 1):
        printed = f"[{place}] A. Lee. {title_of(cited)}. Machine Learning, 12:101-120, 1997."
        contexts = [f"As was shown before [{place}], spiders learn <fast> & well."]
        fields = {"title": [[title_of(cited), 0.9, 7, place]]}
        where = (document, place, printed, 7, place)
        insert("references_", *where, json.dumps(fields), json.dumps(contexts))
        insert("cited", document, place, work_id(cited), 0.95)


def _people(database, insert) -> None:
    counts = dict.fromkeys(PEOPLE, 0)
    for number in range(60):
        if number == 35 or kind_of(number) == "page":
            continue
        names = [PEOPLE[number % 6], PEOPLE[(number + 1 + number % 3) % 6]]
        for position, name in enumerate(dict.fromkeys(names), 1):
            insert("authorship", work_id(number), position, slug(name), name)
            counts[name] += number < 40
    for name, works in counts.items():
        insert("authors", slug(name), name, works)
