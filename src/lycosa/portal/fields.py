"""The fields of a work: one table from which everything that lists them derives.

Each attribute of `Work` carries a `FieldSpec` that says how it is stored,
extracted, searched, counted, sorted, corrected, shown and exported. These are
made from the table, and need no change when a field or a facet is added:

- the columns of `works` in portal.db (`schema`) and how they are read (`catalogue`)
- which labels of headers and references are voted on (`build.members`, `build.works`)
- the fields, facets and orders of the index (`search.layout`, `search.facets`)
- the JSON of the API, its schemas and parameters (`formats.work_record`, `api.schemas`)
- BibTeX, RIS, CSL-JSON and Parquet (`formats`, `exports`)
- the kinds of corrections and the form for them (`corrections`, `web.correcting`)

>>> FIELDS["venue"].label
'Published in'
>>> list(FACETS)
['topic', 'year', 'author', 'venue', 'type', 'site', 'language']
>>> [name for name, field in FIELDS.items() if field.spec.extracted]
['title', 'authors', 'year', 'venue', 'volume', 'pages', 'doi', 'arxiv', 'licence']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from types import MappingProxyType
from typing import Annotated, Final

from lycosa.documents.language import NAMES
from lycosa.portal.field_spec import (
    FacetSpec,
    FieldSpec,
    InputSpec,
    SortSpec,
    WorkField,
    work_fields,
)


@dataclass(frozen=True, slots=True)
class Author:
    """An author of a work.

    `id` is family name and initial, as in lee-a, and shared by all works of the author; `name` is
    spelled as the work has it.
    """

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Fact:
    """The value of a field, its confidence from 0 to 1, and its source."""

    value: str
    confidence: float
    source: str
    """`header`, `references` or `person`; or the id of a document."""


@dataclass(frozen=True, slots=True)
class TopicAssignment:
    """A topic of a work: its id, its name, and the confidence of the assignment."""

    topic: str
    name: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Work:
    """A paper in all its copies, a web page, or a work that is only cited.

    The `FieldSpec` of each field documents it, in `about`; empty values are not known.

    >>> work = Work("w1", "paper", "Spiders that learn", (Author("lee-a", "Ann Lee"),), 1997)
    >>> work.byline
    'Ann Lee'
    """

    id: Annotated[
        str,
        FieldSpec(
            about="w and a hash of its first document or reference; stable: a work that was joined "
            "with another redirects to it",
            column="TEXT PRIMARY KEY",
        ),
    ]
    kind: Annotated[
        str,
        FieldSpec(
            about="a paper, a web page, or a work that is only cited here",
            choices=("paper", "page", "cited"),
        ),
    ]
    title: Annotated[
        str,
        FieldSpec(
            label="Title",
            extracted=("title",),
            search="title",
            terms="title",
            input=InputSpec(kind="title", about="the title", lines=2, optional=False),
        ),
    ]
    authors: Annotated[
        tuple[Author, ...],
        FieldSpec(
            label="Authors",
            extracted=("author",),
            search="author",
            terms="people",
            facet=FacetSpec(
                name="author",
                title="Author",
                about="Only works of these authors, by their ids.",
                position=3,
                many_values=True,
            ),
            input=InputSpec(
                kind="authors",
                about="all authors in order, with semicolons between them; or nothing",
                hint="All of them in order, one a line.",
                lines=3,
            ),
        ),
    ] = ()
    year: Annotated[
        int | None,
        FieldSpec(
            label="Year",
            extracted=("date",),
            search="year",
            facet=FacetSpec(
                name="year",
                title="Year",
                about="Only works of these years: 1997, 199*, 1996..1999.",
                position=2,
                max_values=300,
            ),
            input=InputSpec(kind="year", about="the year, or nothing if it has none"),
        ),
    ] = None
    date: Annotated[
        str,
        FieldSpec(
            about="ISO 8601 as far as it is known: 1999, 1999-05, or empty",
            sort=SortSpec(name="date", label="Newest"),
        ),
    ] = ""
    venue: Annotated[
        str,
        FieldSpec(
            label="Published in",
            extracted=("journal", "booktitle", "tech", "institution", "publisher"),
            search="venue",
            terms="venue_words",
            facet=FacetSpec(
                name="venue",
                title="Published in",
                about="Only works that were published there.",
                position=4,
                many_values=True,
            ),
            input=InputSpec(kind="venue", about="the journal, meeting or publisher, or nothing"),
        ),
    ] = ""
    volume: Annotated[str, FieldSpec(label="Volume", extracted=("volume",))] = ""
    pages: Annotated[
        str, FieldSpec(label="Pages", about="first and last: 101-120", extracted=("pages",))
    ] = ""
    doi: Annotated[
        str,
        FieldSpec(
            label="DOI",
            about="in lower case, without an address",
            extracted=("doi",),
            detail=True,
            bibtex="doi",
            ris="DO",
            csl="DOI",
            highwire="citation_doi",
        ),
    ] = ""
    arxiv: Annotated[
        str,
        FieldSpec(
            label="arXiv",
            about="the id without a version: 1905.12345, cs/9901007",
            extracted=("arxiv",),
            detail=True,
            bibtex="eprint",
            highwire="citation_arxiv_id",
        ),
    ] = ""
    licence: Annotated[
        str,
        FieldSpec(
            label="Licence",
            about="as SPDX spells it: CC-BY-4.0",
            extracted=("licence",),
            detail=True,
        ),
    ] = ""
    abstract: Annotated[
        str,
        FieldSpec(
            about="of a page: its description",
            label="Abstract",
            bibtex="abstract",
            ris="AB",
            csl="abstract",
        ),
    ] = ""
    language: Annotated[
        str,
        FieldSpec(
            about="ISO 639-1, or empty",
            label="Language",
            names=NAMES,
            search="language",
            facet=FacetSpec(
                name="language",
                title="Language",
                about="Only works in these languages, by their codes (ISO 639-1).",
                position=7,
            ),
            detail=True,
            ris="LA",
            csl="language",
            highwire="citation_language",
        ),
    ] = ""
    site: Annotated[
        str,
        FieldSpec(
            about="the host of its best copy",
            label="Site",
            search="site",
            terms="site_words",
            facet=FacetSpec(
                name="site",
                title="Site",
                about="Only works from these hosts.",
                position=6,
                many_values=True,
            ),
        ),
    ] = ""
    url: Annotated[
        str,
        FieldSpec(
            about="of its best copy, where it was found; empty for what is only cited",
            select="ifnull(documents.url, '')",
            bibtex="url",
            ris="UR",
            csl="URL",
            coins="rft_id",
        ),
    ] = ""
    document: Annotated[
        str,
        FieldSpec(
            about="the id of its best copy; none for what is only cited",
            column="TEXT",
            select="ifnull(document, '')",
        ),
    ] = ""
    type: Annotated[
        str,
        FieldSpec(
            about="the MIME type of its best copy, or empty",
            label="Type",
            select="ifnull(documents.type, '')",
            search="type",
            terms="types",
            facet=FacetSpec(
                name="type",
                title="Type",
                about="Only works of these types of file: pdf, html.",
                position=5,
            ),
        ),
    ] = ""
    cited_by: Annotated[
        int,
        FieldSpec(about="by how many works here", sort=SortSpec(name="cited", label="Most cited")),
    ] = 0
    cites: Annotated[
        int, FieldSpec(about="how many works it cites", search="cites", terms="cites")
    ] = 0
    rank: Annotated[
        float, FieldSpec(about="PageRank among citations; 1 is that of a work without any")
    ] = 0.0
    topics: Annotated[
        tuple[TopicAssignment, ...],
        FieldSpec(
            about="the most likely first",
            label="Topic",
            search="topic",
            terms="topic_words",
            facet=FacetSpec(
                name="topic",
                title="Topic",
                about="Only works of these topics, by their paths.",
                position=1,
                max_values=1000,
            ),
            input=InputSpec(
                kind="topic", about="the id of the topic it belongs to", optional=False
            ),
        ),
    ] = ()
    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Confidence and source of its fields; empty where works are listed."""

    @property
    def byline(self) -> str:
        """Its authors on one line."""
        return ", ".join(author.name for author in self.authors)


FIELDS: Final[Mapping[str, WorkField]] = MappingProxyType(work_fields(Work))
"""All fields of a work, in the order in which they are listed and exported."""

WORK_KINDS: Final = FIELDS["kind"].spec.choices
"""The kinds of works."""

COLUMNS: Final = tuple(name for name, each in FIELDS.items() if each.column)
"""The fields that are columns of the table works."""

FACETS: Final[Mapping[str, WorkField]] = MappingProxyType(
    {
        facet.name: each
        for facet, each in sorted(
            ((each.spec.facet, each) for each in FIELDS.values() if each.spec.facet),
            key=lambda pair: pair[0].position,
        )
    }
)
"""The facets by their names, in the order in which they are shown."""

SORTS: Final[Mapping[str, str]] = MappingProxyType(
    {"relevance": "Relevance"}
    | {
        sort.name: sort.label
        for each in reversed([*FIELDS.values()])
        if (sort := each.spec.sort) is not None
    }
)
"""The orders of results and their labels, the default first."""

SEARCHED: Final[Mapping[str, WorkField]] = MappingProxyType(
    {each.spec.search: each for each in FIELDS.values() if each.spec.search}
)
"""The fields that a query can name, by the names that it uses."""

INPUTS: Final[Mapping[str, WorkField]] = MappingProxyType(
    {each.spec.input.kind: each for each in FIELDS.values() if each.spec.input}
)
"""The fields that can be corrected, by the kinds of corrections."""


def facet_spec(name: str) -> FacetSpec:
    """Return the facet of a name."""
    spec = FACETS[name].spec.facet
    assert spec is not None  # noqa: S101 - FACETS holds only fields with one
    return spec


def fingerprint() -> str:
    """Return a hash of what the build makes of the table: other columns, another hash."""
    facts = [(each.name, each.column, each.spec.extracted) for each in FIELDS.values()]
    return blake2b(repr(facts).encode(), digest_size=8).hexdigest()
