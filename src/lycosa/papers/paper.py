"""Reader of papers: whether a document is a paper, its header and its references.

>>> page = '''Spiders that learn
... Ann Lee
... University of Texas
... Abstract
... We teach spiders to hunt, as others did [1].
... 1. Introduction
... Spiders hunt.
... References
... [1] B. Roe. Webs and spiders. Machine Learning, 12(2):101-120, 1997.
... '''
>>> with PaperReader() as reader:
...     paper = reader.read(page.encode(), "text/plain")
>>> paper.header.title, [one.fields.year for one in paper.references]
('Spiders that learn', [1997])
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from lycosa.closing import Closing
from lycosa.documents.conversion import Conversion, Converter
from lycosa.documents.paper_detector import PaperVerdict, detect_paper, word_kinds
from lycosa.errors import UsageError
from lycosa.papers.evidence.evidence import CombinedValue, Evidence, combine, combine_all
from lycosa.papers.evidence.paper_evidence import EvidenceSource, collect_evidence
from lycosa.papers.extraction.extractor import Extractor
from lycosa.papers.extraction.fields import Header, Reference
from lycosa.papers.extraction.labeller import TrainedLabeller
from lycosa.papers.extraction.model_files import load_labeller
from lycosa.papers.extraction.sections import Sections, find_sections
from lycosa.processes import WorkerPool

UNREADABLE = "unreadable"
"""The outcome of a file that may not be read, or is none; for others see `OUTCOMES`."""
NO_SUCH_FILE = "no-such-file"
"""The outcome of a file that is missing."""

_log = logging.getLogger("lycosa.papers")
_SINGLE = ("doi", "arxiv", "issn")  # identifiers of which a paper has one


@dataclass(frozen=True, slots=True)
class PaperReference:
    """An entry of a list of references: its printed text, its fields and its position."""

    text: str
    fields: Reference
    page: int = 0
    """From 0."""
    line: int = 0
    """On its page, from 0."""
    contexts: tuple[str, ...] = ()
    """The texts around its citations in the paper, as far as they were found."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The result of reading a document; all but the outcome is empty unless that is `text`."""

    outcome: str
    """`text`, `UNREADABLE`, `NO_SUCH_FILE`, or why the document has no text: see `OUTCOMES`."""
    header: Header = Header()  # noqa: RUF009 (it is frozen)
    """The fields before the introduction: title, authors, abstract, …"""
    references: tuple[PaperReference, ...] = ()
    """In the order of print."""
    is_paper: bool = False
    """Whether the document is a scientific paper, as `detect_paper` decides."""
    confidence: float = 0.0
    """The probability that it is a paper."""
    pages: int = 0
    """How many pages the document has, read or not; 0 without text."""
    evidence: tuple[Evidence, ...] = ()
    """What speaks for its year, venue, identifiers and licence, page by page."""
    facts: Mapping[str, CombinedValue] = field(default_factory=dict)
    """The values that the evidence agrees on, by field; see `evidence.combine`."""

    @property
    def year(self) -> int | None:
        """The year of publication, by the evidence."""
        return int(self.facts["year"].value) if "year" in self.facts else None

    @property
    def venue(self) -> str:
        """Where it was published, by the evidence."""
        return self.facts["venue"].value if "venue" in self.facts else ""

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Its DOI and arXiv id, the ISSN of its journal and the ORCID iDs of its authors.

        Each with its kind: `doi:10.1145/3190580`.
        """
        found = [f"{kind}:{self.facts[kind].value}" for kind in _SINGLE if kind in self.facts]
        return (*found, *(f"orcid:{one.value}" for one in combine_all(self.evidence, "orcid")))

    def record(self) -> dict[str, str]:
        """Return the fields for matching it with references, as text."""
        header = self.header
        return {
            "authors": " and ".join(map(str, header.authors)),
            "title": header.title,
            "year": str(self.year or header.year or ""),
            **{kind: self.facts[kind].value for kind in ("doi", "arxiv") if kind in self.facts},
        }


class PaperReader(Closing):
    """Reads papers one after the other.

    A worker process parses the bytes, so any content results in a `Paper` with a named
    outcome. Header and references are also read of documents that are not papers;
    see `Paper.is_paper`.

    Parameters
    ----------
    extractor
        Extracts the fields; by default with the models that come with the package.
    converter
        Converts documents to text; closed with the reader.
    """

    def __init__(
        self, extractor: Extractor | None = None, converter: Converter | None = None
    ) -> None:
        self._extractor = extractor or Extractor()
        self._converter = converter or Converter()

    def close(self) -> None:
        """Stop the worker process; the next document starts a new one."""
        self._converter.close()

    def file(self, path: Path) -> Paper:
        """Read the paper in a file."""
        try:
            body = path.read_bytes()
        except OSError as error:
            _log.debug("Cannot read %s", path, exc_info=True)
            missing = isinstance(error, FileNotFoundError)
            return Paper(NO_SUCH_FILE if missing else UNREADABLE)
        return self.read(body, name=path.name)

    def read(self, body: bytes, type: str = "", name: str = "") -> Paper:
        """Read the paper in a body of this MIME type; no content makes this raise.

        The `name` of its file, or its URL, is weak evidence for the year.
        """
        return self.extract(self._converter.convert(body, type), name)

    def extract(
        self,
        converted: Conversion,
        name: str = "",
        sections: Sections | None = None,
        verdict: PaperVerdict | None = None,
    ) -> Paper:
        """Extract the paper from a converted document.

        Its `sections`, and the `verdict` whether it is a paper, may be known already.
        """
        if converted.outcome != "text":
            return Paper(converted.outcome)
        parts = sections or find_sections(converted.lines, vocabulary=converted.vocabulary)
        starts: dict[int, int] = {}  # the first line of each page
        for number, line in enumerate(converted.lines):
            starts.setdefault(line.page, number)
        cited = tuple(
            PaperReference(
                f"{entry.label} {entry.text}".strip(),
                self._extractor.reference(entry.text),
                entry.page,
                entry.line - starts[entry.page],
                contexts,
            )
            for entry, contexts in zip(parts.references, parts.contexts, strict=True)
        )
        header = self._extractor.header(parts.header_lines)
        verdict = verdict or detect_paper(word_kinds(converted.text))
        source = EvidenceSource(
            header,
            converted.lines,
            parts.ordered_header,
            converted.margin,
            converted.information,
            name,
        )
        evidence = tuple(collect_evidence(source))
        return Paper(
            "text",
            header,
            cited,
            verdict.is_paper,
            verdict.probability,
            converted.pages,
            evidence,
            combine(evidence),
        )


def load_extractor(models: Sequence[Path]) -> Extractor:
    """Return an extractor with labellers from model files, at most one of each kind.

    Kinds without a file use the models that come with the package.
    """
    chosen: dict[str, TrainedLabeller] = {}
    for path in models:
        labeller = load_labeller(path)
        if labeller.kind in chosen:
            raise UsageError(
                f"{path} is a second model for {labeller.kind}; give one of each kind."
            )
        chosen[labeller.kind] = labeller
    return Extractor(chosen.get("headers"), chosen.get("references"))


def read_papers(
    files: Sequence[Path], models: Sequence[Path] = (), jobs: int = 1
) -> Iterator[Paper]:
    """Yield the papers in files, in their order, read by `jobs` processes."""
    extractor = load_extractor(models)  # a bad model is refused here, not in a process
    if jobs == 1 or len(files) == 1:
        with PaperReader(extractor) as reader:
            yield from map(reader.file, files)
        return
    with WorkerPool(_read, min(jobs, len(files)), activity="reading papers") as pool:
        tasks = [pool.submit(path, tuple(models)) for path in files]
        for task in tasks:
            yield task.result()


def _read(path: Path, models: tuple[Path, ...]) -> Paper:
    return _reader(models).file(path)


@cache
def _reader(models: tuple[Path, ...]) -> PaperReader:
    """Return the reader of this process; its worker ends with the process."""
    return PaperReader(load_extractor(models))
