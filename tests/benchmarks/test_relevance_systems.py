"""The systems that are compared."""

import math
from collections import Counter
from pathlib import Path

import pytest
from bench.relevance_collection import Document, read_collection
from bench.relevance_systems import BM25, QueryParser, Stems, index, portal, words

from lycosa.portal.search import Engine

COLLECTION = read_collection(Path(__file__).parent / "collection")


def scores(documents, query):
    """Return the score of each document by the formula of BM25, term by term."""
    texts = {each.id: words(f"{each.title} {each.text}") for each in documents}
    mean = sum(map(len, texts.values())) / len(texts)
    found = Counter()
    for term in words(query):
        having = sum(term in text for text in texts.values())
        idf = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        for name, text in texts.items():
            frequency = text.count(term)
            norm = 1.2 * (1 - 0.75 + 0.75 * len(text) / mean)
            found[name] += idf * frequency * 2.2 / (frequency + norm)
    return found


def test_bm25_ranks_by_the_formula():
    rank = BM25(COLLECTION.documents, words)
    for question in COLLECTION.questions.values():
        expected = scores(COLLECTION.documents, question)
        found = rank(question)
        assert set(found) == {name for name, score in expected.items() if score > 0}
        values = [expected[name] for name in found]
        assert values == pytest.approx(sorted(values, reverse=True))


def test_bm25_ranks_as_tantivy_does():
    plain, parser = BM25(COLLECTION.documents, words), QueryParser(COLLECTION.documents)
    for question in COLLECTION.questions.values():
        # Tantivy rounds lengths above 40, so that near ties may change places.
        assert plain(question)[:3] == parser(question)[:3]


def test_stems_join_the_forms_of_a_word():
    rank = BM25([Document("1", "Robots", "that learn"), Document("2", "Roses")], Stems())
    assert rank("a learning robot") == ["1"]
    assert rank("") == []


@pytest.mark.parametrize(
    "query", ["", "+-!", 'a AND "b', "title:x^2 [1 TO 3]", "NOT OR", "C++ (", "\\"]
)
def test_no_query_breaks_a_system(query, tmp_path):
    documents = [Document("1", "C and B", "x 2"), Document("2", "", "")]
    index(documents, tmp_path / "index")
    for rank in (
        BM25(documents, words),
        QueryParser(documents),
        portal(Engine.open(tmp_path / "index")),
    ):
        assert set(rank(query)) <= {"1", "2"}


def test_the_portal_knows_authors_and_years_only_of_whole_documents(tmp_path):
    documents = [Document("1", "Roses", "in bloom", ("Ann Lee",), 1997)]
    for whole, found in ((False, []), (True, ["1"])):
        index(documents, tmp_path / str(whole), whole=whole)
        assert portal(Engine.open(tmp_path / str(whole)))("author:lee") == found
