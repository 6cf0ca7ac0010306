"""Corpus: reading, counting, and refused files."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lycosa.content import Table
from lycosa.errors import UsageError
from lycosa.topics.corpus import Corpus, singular, terms
from lycosa.web.words import words

TEXTS = st.lists(st.text("ab s,.", max_size=20), max_size=6)


@given(TEXTS)
def test_counts_and_tokens_are_the_words_of_the_texts(texts):
    corpus = Corpus.of(texts)
    for n, text in enumerate(texts):
        tokens = corpus.tokens[corpus.offsets[n] : corpus.offsets[n + 1]]
        assert [corpus.words[t] for t in tokens] == terms(text)
        assert corpus.counts[[n]].sum() == len(words(text))
    assert corpus.owners.tolist() == [n for n, t in enumerate(texts) for _ in terms(t)]


@given(st.text())
def test_singular_is_never_longer_nor_empty(word):
    assert len(singular(word)) <= len(word)
    assert bool(singular(word)) == bool(word)


def test_words_outside_a_given_vocabulary_are_left_out():
    corpus = Corpus.of(["cat dog cat", "dog"], vocabulary=Table(["cat"]))
    assert corpus.counts.toarray().tolist() == [[2], [0]]


def test_subset_equals_the_corpus_of_its_documents():
    corpus = Corpus.of(["a b", "", "c a a", "d"], citations=[("0", "2"), ("2", "3")])
    part = corpus.subset(np.array([0, 2]))
    assert part.names == ["0", "2"]
    assert (part.counts != corpus.counts[[0, 2]]).nnz == 0
    assert part.citations.toarray().tolist() == [[0, 1], [0, 0]]


def test_unknown_self_and_repeated_citations_are_left_out():
    pairs = [("0", "1"), ("0", "1"), ("1", "1"), ("0", "9")]
    assert Corpus.of(["a", "b"], citations=pairs).citations.toarray().tolist() == [[0, 1], [0, 0]]


def test_columns_are_read_by_name(tmp_path):
    path, cites = tmp_path / "d.tsv", tmp_path / "c.tsv"
    path.write_text('id\tlabel\ttitle\tabstract\nx\tsecret\tOwls\tThey "fly\ny\tsecret\tCars\t\n')
    cites.write_text("citing\tcited\nx\ty\n")
    corpus = Corpus.read(path, cites)
    assert (list(corpus.names), list(corpus.titles)) == (["x", "y"], ["Owls", "Cars"])
    assert list(corpus.words) == ["owl", "they", "fly", "car"]
    assert corpus.citations.toarray().tolist() == [[0, 1], [0, 0]]
    assert corpus.ordered


def test_title_words_have_no_order(tmp_path):
    path = tmp_path / "d.tsv"
    path.write_text("paper\ttitle_words\n1\tnetworks neural\n")
    assert not Corpus.read(path).ordered


def test_json_lines_are_documents(tmp_path):
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps({"id": 7, "text": "owls"}) + "\n\n" + json.dumps({"title": "cars"}))
    corpus = Corpus.read(path)
    assert list(corpus.names) == ["7", "3"]
    assert list(corpus.words) == ["owl", "car"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("d.tsv", "a\tb\n1\t2\n", "no column of text"),
        ("d.tsv", "", "no column of text"),
        ("d.tsv", "id\ttitle\n", "no documents"),
        ("d.tsv", "id\ttitle\nx\ta\nx\tb\n", "'x'"),
        ("d.jsonl", "[1]\n", "line 1 is not a JSON object"),
        ("d.jsonl", '{"title": "a"}\n{"id": "b"}\n', "line 2 has no text"),
        ("d.jsonl", "{" * 100_000, "not a JSON object"),
    ],
)
def test_refuses_invalid_files_with_a_reason(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=message):
        Corpus.read(tmp_path / name)


def test_refuses_missing_files_and_other_encodings(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        Corpus.read(tmp_path / "none.tsv")
    (tmp_path / "d.tsv").write_bytes(b"id\ttitle\n1\t\xff\n")
    with pytest.raises(UsageError, match="not UTF-8"):
        Corpus.read(tmp_path / "d.tsv")


def test_a_citation_needs_two_columns(tmp_path):
    (tmp_path / "d.tsv").write_text("id\ttitle\n1\ta\n")
    (tmp_path / "c.tsv").write_text("citing\tcited\n1\n")
    with pytest.raises(UsageError, match="line 2"):
        Corpus.read(tmp_path / "d.tsv", tmp_path / "c.tsv")
