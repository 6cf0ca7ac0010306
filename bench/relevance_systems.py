"""The systems that are compared: the portal's engine, plain BM25, tantivy's query parser.

All index the same text, the title and the text of a document, so that a
difference is one of ranking. A system is a function from a query to the ids of
documents, the best first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import tantivy
from numpy.typing import NDArray

from bench.relevance_collection import Document
from bench.relevance_measures import DEPTH
from lycosa.portal.search import Engine, Index, IndexEntry
from lycosa.portal.search.deadline import Deadline
from lycosa.portal.search.work_vectors import SentenceVectors

System = Callable[[str], list[str]]

K1, B = 1.2, 0.75
TOKEN = re.compile(r"[^\W_]+")
WRITER_HEAP_BYTES = 50_000_000


def words(text: str) -> list[str]:
    """Return the runs of letters and digits of a text in lower case.

    >>> words("A p-norm, 1983")
    ['a', 'p', 'norm', '1983']
    """
    return TOKEN.findall(text.lower())


class Stems:
    """Returns the words of a text as stems, by the English stemmer of Snowball (Porter 2001).

    >>> Stems()("Learning robots")
    ['learn', 'robot']
    """

    def __init__(self) -> None:
        stemmer = tantivy.Filter.stemmer("english")
        raw = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.raw())
        self._analyzer = raw.filter(stemmer).build()
        self._stems: dict[str, str] = {}

    def __call__(self, text: str) -> list[str]:
        """Return the stems of a text."""
        return [self._stems.get(word) or self._stem(word) for word in words(text)]

    def _stem(self, word: str) -> str:
        stem = "".join(self._analyzer.analyze(word)) or word
        self._stems[word] = stem
        return stem


class BM25:
    """Ranks documents by BM25 (Robertson and Zaragoza 2009) over one field, and nothing else.

    k1 is 1.2 and b 0.75; the idf is log(1 + (N - n + 1/2) / (n + 1/2)), which is
    never negative. A word that a query repeats counts as often. `terms` splits a
    text. Of equal scores the earlier document comes first.

    >>> rank = BM25([Document("1", "", "a cat"), Document("2", "", "a dog and a cat")], words)
    >>> rank("cat"), rank("dog"), rank("bird")
    (['1', '2'], ['2'], [])
    """

    def __init__(
        self, documents: Sequence[Document], terms: Callable[[str], Iterable[str]]
    ) -> None:
        self._terms = terms
        self._ids = [document.id for document in documents]
        counts = [Counter(terms(f"{each.title} {each.text}")) for each in documents]
        lengths = np.array([count.total() for count in counts], np.float64)
        mean = max(lengths.mean(), 1.0) if len(lengths) else 1.0
        self._norms = K1 * (1 - B + B * lengths / mean)
        places: dict[str, list[int]] = {}
        frequencies: dict[str, list[int]] = {}
        for place, count in enumerate(counts):
            for term, frequency in count.items():
                places.setdefault(term, []).append(place)
                frequencies.setdefault(term, []).append(frequency)
        self._postings: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {
            term: (np.array(found), np.array(frequencies[term], np.float64))
            for term, found in places.items()
        }

    def __call__(self, query: str) -> list[str]:
        """Return the ids of the best documents."""
        scores = np.zeros(len(self._ids))
        for term, repeated in Counter(self._terms(query)).items():
            if term not in self._postings:
                continue
            places, frequencies = self._postings[term]
            count = len(places)
            idf = np.log1p((len(self._ids) - count + 0.5) / (count + 0.5))
            saturated = frequencies * (K1 + 1) / (frequencies + self._norms[places])
            scores[places] += repeated * idf * saturated
        order = np.argsort(-scores, kind="stable")[:DEPTH]
        return [self._ids[place] for place in order if scores[place] > 0]


class QueryParser:
    """Ranks documents by tantivy's default query parser over one field with its default tokenizer.

    The parser takes any of the words. What its syntax would interpret or reject
    (signs, and upper-case operators) is removed from a query first.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("id", stored=True, tokenizer_name="raw")
        builder.add_text_field("text")
        self._index = tantivy.Index(builder.build())
        writer = self._index.writer(WRITER_HEAP_BYTES, 1)
        for each in documents:
            found = tantivy.Document()
            found.add_text("id", each.id)
            found.add_text("text", f"{each.title} {each.text}")
            writer.add_document(found)
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()
        self._searcher = self._index.searcher()

    def __call__(self, query: str) -> list[str]:
        """Return the ids of the best documents."""
        cleaned = " ".join(words(query))
        if not cleaned:
            return []
        parsed = self._index.parse_query(cleaned, ["text"])
        hits = self._searcher.search(parsed, DEPTH, count=False).hits
        return [str(self._searcher.doc(address).get_first("id")) for _, address in hits]


def index(
    documents: Iterable[Document],
    folder: Path,
    *,
    whole: bool = False,
    vectors: SentenceVectors | None = None,
) -> None:
    """Write the portal's index of documents; `whole` adds authors and years to their text.

    `vectors` are those of the sentence encoder, instead of a space learned from the documents.
    """
    found = Index.open(folder, vectors)
    found.update(_entry(document, whole) for document in documents)
    found.commit()
    found.sign()


def _entry(document: Document, whole: bool) -> IndexEntry:
    authors = document.authors if whole else ()
    return IndexEntry(
        document.id,
        "paper",
        document.title,
        authors,
        tuple(authors),
        year=document.year if whole else None,
        abstract=document.text,
    )


def portal(engine: Engine) -> System:
    """Return the portal's engine as a system.

    It has no deadline, so that figures do not depend on the speed of the machine.
    """

    def rank(query: str) -> list[str]:
        found = engine.search(query, size=DEPTH, facets=False, deadline=Deadline(math.inf))
        return [hit.id for hit in found.hits]

    return rank
