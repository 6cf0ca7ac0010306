"""Test collections in the format of SMART (Salton 1971): documents, questions, judgements.

A folder holds three files, found by their content and, where that leaves a
choice, by their usual names:

- documents (`*.all*`): records that begin with `.I NUMBER`, each part of which
  follows a line `.T` (title), `.W` (text), `.A` (authors) or `.B` (where and
  when it appeared); other parts are ignored;
- questions (`*.qry`, `query*`): records of the same form, of which `.W` is the
  question, or `.T` where there is no `.W`;
- judgements (`*qrel*`, `*.rel`): lines `QUESTION DOCUMENT [CODE …]` or, as TREC
  writes them, `QUESTION 0 DOCUMENT CODE`.

A question has the number of its `.I`, or its place in the file if that fits more
of the judgements. The grade of a judged document is 1 if no line has a code
other than 0; 5 minus the code on Cranfield's scale, where 1 is best, 4 least and
5 and -1 not relevant, which is recognised by a -1 beside codes of 1 to 5;
otherwise the code itself, negative ones as 0.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lycosa.errors import UsageError

RECORD = re.compile(r"\.I\s+0*(\d+)")
PART = re.compile(r"\.([A-Z])")
YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
CRANFIELD_CODES = frozenset({-1, 1, 2, 3, 4, 5})
HEAD_CHARACTERS = 4096
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


def read_collections(folder: Path) -> list[Collection]:
    """Read the collection in a folder, or those in its subfolders if it holds none itself."""
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}: name a folder that holds a collection.")
    below = sorted(path for path in folder.iterdir() if path.is_dir())
    if below and not any(_is_smart(path) for path in _files(folder)):
        return [each for path in below for each in read_collections(path)]
    return [read_collection(folder)]


def read_collection(folder: Path) -> Collection:
    """Read the collection in a folder."""
    smart = [path for path in _files(folder) if _is_smart(path)]
    asked = [path for path in smart if _is_named(path, "qry", "quer")]
    told = [path for path in smart if path not in asked and _is_named(path, "all", "doc")]
    judged = [path for path in _files(folder) if path not in smart and _is_judgements(path)]
    if not asked and len(smart) > 1:  # there are fewer questions than documents
        asked = [min(smart, key=lambda path: path.stat().st_size)]
    told = told or [path for path in smart if path not in asked]
    for found, what in ((told, "documents"), (asked, "questions"), (judged, "judgements")):
        if not found:
            raise UsageError(
                f"There is no file of {what} in {folder}: a collection has documents and "
                "questions that begin with “.I 1”, and lines of judgements “QUESTION DOCUMENT”."
            )
    documents: dict[str, Document] = {}
    for path in told:
        for each in read_documents(path):
            documents.setdefault(each.id, each)
    questions = read_questions(asked[0])
    # A folder may hold judgements twice, in an older form; the ones that fit best are read.
    name = folder.resolve().name
    best = max(
        (_collection(name, documents, questions, read_judgements(path)) for path in judged),
        key=lambda collection: (sum(map(len, collection.grades.values())), -collection.dropped),
    )
    if not best.grades:
        raise UsageError(f"The judgements in {folder} name no question and document that exist.")
    return best


def _collection(
    name: str,
    documents: Mapping[str, Document],
    questions: Sequence[tuple[str, str]],
    judgements: Sequence[tuple[str, str, float]],
) -> Collection:
    """Return a collection, with questions numbered so that the judgements fit."""
    asked = {question for question, _, _ in judgements}
    numbered = {number: text for number, text in reversed(questions) if text}
    placed = {str(place): text for place, (_, text) in enumerate(questions, 1) if text}
    chosen = numbered if len(asked & set(numbered)) >= len(asked & set(placed)) else placed
    grades: dict[str, dict[str, float]] = defaultdict(dict)
    dropped = 0
    for question, document, grade in judgements:
        if question not in chosen or document not in documents:
            dropped += 1
        elif grade > 0:
            grades[question][document] = max(grade, grades[question].get(document, 0.0))
    return Collection(name, list(documents.values()), chosen, dict(grades), dropped)


def read_documents(path: Path) -> list[Document]:
    """Read a file of documents."""
    return [
        Document(
            number,
            " ".join(parts["T"].split()),
            " ".join(parts["W"].split()),
            _authors(parts["A"]),
            _year(parts["B"]),
        )
        for number, parts in _records(path)
    ]


def read_questions(path: Path) -> list[tuple[str, str]]:
    """Read a file of questions; return the number and the text of each in their order."""
    return [
        (number, " ".join((parts["W"].strip() or parts["T"]).split()))
        for number, parts in _records(path)
    ]


def read_judgements(path: Path) -> list[tuple[str, str, float]]:
    """Read a file of judgements; return question, document and grade of each."""
    rows = [_numbers(line) for line in _read(path).splitlines() if line.strip()]
    lines = [row for row in rows if row is not None]
    columns = min(map(len, lines), default=0)
    if columns < 2 or len(lines) < len(rows):
        raise UsageError(f"{path} has lines that are not “QUESTION DOCUMENT [CODE …]”.")
    trec = columns == 4 and all(row[1] == 0 for row in lines) and any(row[2] for row in lines)
    document, code = (2, 3) if trec else (1, 2)
    codes = [row[code] for row in lines] if columns > code else [0.0] * len(lines)
    grades = _grades(codes)
    return [
        (f"{row[0]:.0f}", f"{row[document]:.0f}", grade)
        for row, grade in zip(lines, grades, strict=True)
    ]


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


def _records(path: Path) -> Iterable[tuple[str, dict[str, str]]]:
    """Yield the number and the parts of each record of a file."""
    number = ""
    parts: dict[str, list[str]] = defaultdict(list)
    part = ""
    for line in _read(path).splitlines():
        if begin := RECORD.fullmatch(line.strip()):
            if number:
                yield number, _joined(parts)
            number, part, parts = begin[1], "", defaultdict(list)
        elif head := PART.fullmatch(line.rstrip()):
            part = head[1]
        else:
            parts[part].append(line)
    if number:
        yield number, _joined(parts)


def _joined(parts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    return {"T": "", "W": "", "A": "", "B": ""} | {k: "\n".join(v) for k, v in parts.items()}


def _authors(lines: str) -> tuple[str, ...]:
    """Return the names of authors, given names first.

    >>> _authors("Perlis, A. J. and Lee, Ann")
    ('A. J. Perlis', 'Ann Lee')
    """
    names = []
    for name in re.split(r"\n|\band\b", lines):
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


def _numbers(line: str) -> list[float] | None:
    """Return the numbers of a line, None if it has anything else; Q0 is TREC's 0."""
    try:
        return [0.0 if word == "Q0" else float(word) for word in line.split()]
    except ValueError:
        return None


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


def _read(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("latin-1")  # every byte is a character there


def _head(path: Path) -> list[str]:
    """Return the first lines of a file that are not empty, without a broken last one."""
    with path.open(encoding="latin-1") as file:
        lines = file.read(HEAD_CHARACTERS).splitlines()
    return [line for line in lines[:-1] or lines if line.strip()]


def _is_smart(path: Path) -> bool:
    return bool(RECORD.fullmatch(next(iter(_head(path)), "").strip()))


def _is_judgements(path: Path) -> bool:
    lines = [_numbers(line) for line in _head(path)]
    return bool(lines) and all(line is not None and len(line) > 1 for line in lines)


def _is_named(path: Path, *parts: str) -> bool:
    return any(part in path.name.lower() for part in parts)
