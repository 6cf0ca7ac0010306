"""Test collections: documents, questions, and judgements of which document answers which.

A folder holds at least three files, found by their usual names and by their
content: documents (`*.all*`, `doc*`), questions (`*.qry`, `query*`, `*.que`) and
judgements (`*qrel*`, `*.rel`, `rlv*`). Their forms are those of
`bench.relevance_records`; a record has a title (`.T`), a text (`.W`), authors
(`.A`) and where it appeared (`.B`), and the other parts are ignored. A question
is its `.W`, or `.T` where there is none.

Questions and documents have the numbers of their records, or their places in the
file if those fit more of the judgements. The grade of a judged document is 1 if
no line has a code other than 0; 5 minus the code on Cranfield's scale, where 1
is best, 4 least and 5 and -1 not relevant, which is recognised by a -1 beside
codes of 1 to 5; otherwise the code itself, negative ones as 0.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from bench.relevance_records import Judgement, begins_records, judgements, numbers, records
from lycosa.errors import UsageError

YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
CRANFIELD_CODES = frozenset({-1, 1, 2, 3, 4, 5})
HEAD_BYTES = 4096
"""What is read of a file to tell its kind."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of a collection; its id is unique in the collection."""

    id: str
    title: str = ""
    text: str = ""
    authors: tuple[str, ...] = ()
    """Given names first."""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a collection."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, and questions with the grades of the documents that answer them.

    `grades` has only questions that some document answers; `dropped` counts the
    judgements that name a question or document that does not exist.
    """

    name: str
    documents: Sequence[Document]
    questions: Mapping[str, str]
    grades: Mapping[str, Mapping[str, float]]
    dropped: int = 0


_Record = TypeVar("_Record", Document, Question)


def read_collections(folder: Path) -> list[Collection]:
    """Read the collection in a folder, or those in its subfolders if it holds none itself."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}: name a folder that holds a collection.")
    below = sorted(path for path in folder.iterdir() if path.is_dir())
    if below and not any(_has_records(path) for path in _files(folder)):
        return [each for path in below for each in read_collections(path)]
    return [read_collection(folder)]


def read_collection(folder: Path) -> Collection:
    """Read the collection in a folder."""
    told, asked, judged = _find_files(folder)
    documents = [each for path in told for each in read_documents(path)]
    questions = [each for path in asked[:1] for each in read_questions(path)]
    # A folder may hold judgements twice, in an older form; the ones that fit best are read.
    name = folder.resolve().name
    best = max(
        (_collection(name, documents, questions, _judgements(path)) for path in judged),
        key=lambda collection: (sum(map(len, collection.grades.values())), -collection.dropped),
    )
    if not best.grades:
        raise UsageError(f"The judgements in {folder} name no question and document that exist.")
    return best


def _find_files(folder: Path) -> tuple[list[Path], list[Path], list[Path]]:
    """Return the files of documents, of questions and of judgements."""
    files = _files(folder)
    judged = [path for path in files if _is_named(path, "rel", "qrel", "rlv", "cranqrel")]
    kept = [path for path in files if path not in judged and _has_records(path)]
    judged = judged or [path for path in files if path not in kept and _has_numbers(path)]
    asked = [path for path in kept if _is_named(path, "qry", "que")]
    told = [path for path in kept if _is_named(path, "all", "doc") and path not in asked]
    if not asked and len(kept) > 1:  # there are fewer questions than documents
        asked = [min(kept, key=lambda path: path.stat().st_size)]
    told = told or [path for path in kept if path not in asked]
    for found, what in ((told, "documents"), (asked, "questions"), (judged, "judgements")):
        if not found:
            raise UsageError(
                f"There is no file of {what} in {folder}: a collection has documents and "
                "questions that begin with “.I 1”, and lines of judgements “QUESTION DOCUMENT”."
            )
    return told, asked, judged


def _collection(
    name: str,
    documents: Sequence[Document],
    questions: Sequence[Question],
    judged: Sequence[tuple[Judgement, float]],
) -> Collection:
    """Return a collection, its records numbered so that the judgements fit."""
    asked = _numbered(questions, {each.question for each, _ in judged})
    told = _numbered(documents, {each.document for each, _ in judged})
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    dropped = 0
    for (question, document, _), grade in judged:
        if document not in told or question not in asked or not asked[question].text:
            dropped += 1
        elif grade > 0:
            grades[question][document] = max(grade, grades[question].get(document, 0.0))
    texts = {number: each.text for number, each in asked.items() if each.text}
    found = [replace(each, id=number) for number, each in told.items()]
    return Collection(name, found, texts, dict(grades), dropped)


def _numbered(found: Sequence[_Record], named: set[str]) -> dict[str, _Record]:
    """Return records by their number, or by their place if more of the judgements name those.

    Of records with the same number the first one counts.
    """
    numbered: dict[str, _Record] = {}
    for each in found:
        numbered.setdefault(each.id, each)
    placed = {str(place): each for place, each in enumerate(found, 1)}
    return numbered if len(named & set(numbered)) >= len(named & set(placed)) else placed


def read_documents(path: Path) -> list[Document]:
    """Read a file of documents."""
    return [
        Document(
            number,
            _joined(parts.get("T", ())),
            _joined(parts.get("W", ())),
            _authors(parts.get("A", ())),
            _year(_joined(parts.get("B", ()))),
        )
        for number, parts in records(_read(path))
    ]


def read_questions(path: Path) -> list[Question]:
    """Read a file of questions."""
    return [
        Question(number, _joined(parts.get("W", ())) or _joined(parts.get("T", ())))
        for number, parts in records(_read(path))
    ]


def _judgements(path: Path) -> list[tuple[Judgement, float]]:
    """Read a file of judgements, each with its grade."""
    try:
        found = judgements(_read(path))
    except UsageError as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    return list(zip(found, _grades([each.code for each in found]), strict=True))


def _grades(codes: Sequence[float]) -> list[float]:
    """Return the grade of each code, by the rule of the module.

    >>> _grades([0, 0]), _grades([1, 3, -1, 5]), _grades([2, 1, 0])
    ([1.0, 1.0], [4.0, 2.0, 0.0, 0.0], [2.0, 1.0, 0.0])
    """
    values = set(codes)
    if values <= {0}:
        return [1.0] * len(codes)
    if -1 in values and values <= CRANFIELD_CODES and max(values) > 1:
        return [5.0 - code if code > 0 else 0.0 for code in codes]
    return [max(float(code), 0.0) for code in codes]


def _joined(lines: Iterable[str]) -> str:
    return " ".join(" ".join(lines).split())


def _authors(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the names of authors, given names first.

    >>> _authors(["Perlis, A. J.", "lee,ann and ray,b."])
    ('A. J. Perlis', 'ann lee', 'b. ray')
    """
    names = []
    for name in re.split(r"\n|\band\b", "\n".join(lines)):
        family, _, given = name.partition(",")
        names.append(" ".join(f"{given} {family}".split()))
    return tuple(filter(None, names))


def _year(text: str) -> int | None:
    """Return the last year that a text names.

    >>> _year("CACM December, 1958"), _year("j. ae. scs. 25, 1957, 324."), _year("in press")
    (1958, 1957, None)
    """
    found = YEAR.findall(text)
    return int(found[-1]) if found else None


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


def _read(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:  # every byte is a character in the other encoding
        return content.decode("latin-1")


def _head(path: Path) -> list[str]:
    """Return the first lines of a file that are not empty, without a broken last one."""
    with path.open("rb") as file:
        lines = file.read(HEAD_BYTES).decode("latin-1").splitlines()
    return [line for line in lines[:-1] or lines if line.strip()]


def _has_records(path: Path) -> bool:
    return begins_records(next(iter(_head(path)), ""))


def _has_numbers(path: Path) -> bool:
    rows = [numbers(line) for line in _head(path)]
    return bool(rows) and all(row is not None and len(row) > 1 for row in rows)


def _is_named(path: Path, *starts: str) -> bool:
    """Return whether a part of the name of a file begins in one of these ways."""
    return any(part.startswith(starts) for part in re.split(r"[^a-z0-9]+", path.name.lower()))
