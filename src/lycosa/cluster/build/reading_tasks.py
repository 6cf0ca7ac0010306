"""Tasks that read documents: pages of one volume of the archive in, one Arrow file out.

A task is named by the steps that it reads. Steps are grouped by their numbers, so that a
build after more crawling repeats at most the last, incomplete group of each volume.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from itertools import groupby
from typing import Final, NamedTuple

from lycosa.cluster.archive_volumes import ArchiveFolder
from lycosa.cluster.build.document_files import DocumentFiles, document_key, reading_version
from lycosa.crawler.storage.reader import LoggedStep
from lycosa.crawler.storage.records import read_response
from lycosa.errors import UsageError
from lycosa.portal.build.reading import DocumentReader, ReadDocument
from lycosa.web.decoding import media_type

STEPS_PER_TASK: Final = 128
"""Numbers of steps that a task covers: some seconds of work, a few megabytes of text."""

_FINAL_OUTCOMES = ("text", "no-text", "encrypted")
"""Others may be due to the limits of a busy machine; the build reads those again by itself."""


class Page(NamedTuple):
    """A page to read: number of its step, place in its volume, Content-Type and file name."""

    n: int
    offset: int
    length: int
    type: str
    name: str


class ReadingTask(NamedTuple):
    """Pages of one volume; `file` is the name of the file that the task writes."""

    volume: int
    pages: tuple[Page, ...]
    file: str


class TaskResult(NamedTuple):
    """How many documents a task wrote, and how many pages its node could not read."""

    written: int
    missing: int


def file_name(url: str) -> str:
    """Return the name of the file of a URL, weak evidence for the year of a paper.

    >>> file_name("http://a.example/papers/1999-spiders.pdf?download")
    '1999-spiders.pdf'
    """
    return url.partition("?")[0].rpartition("/")[2]


def plan_tasks(steps: Iterable[LoggedStep]) -> Iterator[ReadingTask]:
    """Yield the tasks that read the pages of these steps, in the order of steps."""

    def group(step: LoggedStep) -> tuple[int, int]:
        return step.file or 0, step.n // STEPS_PER_TASK

    kept = [step for step in steps if step.file is not None and step.offset is not None]
    for (volume, block), some in groupby(sorted(kept, key=group), group):
        pages = tuple(
            Page(step.n, step.offset or 0, step.length or 0, step.type, file_name(step.final))
            for step in some
        )
        digest = sha256(repr(pages).encode("utf-8", "surrogatepass")).hexdigest()[:16]
        yield ReadingTask(volume, pages, f"{volume:05}-{block:07}-{digest}.arrow")


def run_task(archive: str, output: str, task: ReadingTask, wanted_version: str) -> TaskResult:
    """Read the pages of a task from the `archive` and write their documents to `output`.

    Both are paths or URLs, of which every node of the cluster must see the same.
    """
    if reading_version() != wanted_version:
        raise UsageError(
            "A node of the cluster has another version of Lycosa than this program: install the "
            "same one on all."
        )
    volumes = ArchiveFolder(archive)
    found: dict[str, ReadDocument] = {}
    missing = 0
    for page in task.pages:
        data = volumes.read_if_possible(task.volume, page.offset, page.length)
        response = None if data is None else read_response(data)
        if response is None:
            missing += 1
            continue
        digest = sha256(response.body).hexdigest()
        key = document_key(digest, media_type(page.type), page.name)
        if key not in found:
            document = _reader().read(response.body, page.type, None, page.name)
            if document.outcome in _FINAL_OUTCOMES:
                found[key] = document
    DocumentFiles(output).write(task.file, found.items())
    return TaskResult(len(found), missing)


@cache
def _reader() -> DocumentReader:
    """Return the reader that a process keeps: its models are slow to load."""
    return DocumentReader()
