"""Related works."""

import random
from dataclasses import replace

import numpy as np
import pytest

from lycosa.portal.search import Engine, IndexEntry
from lycosa.portal.search.layout import number
from lycosa.portal.search.meaning import Meaning
from lycosa.portal.search.related import CITATION_WEIGHT, MEANING_WEIGHT, MIN_COSINE
from portal.search.sample_works import index_of


def test_few_works_are_related_by_words_and_citations(tmp_path):
    base = IndexEntry(
        "w1", "paper", "Spiders learn", abstract="Reinforcement of spiders", cites=("w9",)
    )
    works = [
        base,
        replace(base, id="w2", cites=()),
        IndexEntry("w3", "paper", "Something else", abstract="Entirely", cites=("w9",)),
        IndexEntry("w4", "paper", "Cites", abstract="Not alike", cites=("w1",)),
        *(IndexEntry(f"x{k}", "paper", "Cooking", abstract=f"Pots and pans {k}") for k in range(9)),
        IndexEntry("w9", "paper", "Old ideas"),
    ]
    engine = index_of(tmp_path, works)
    found = engine.related("w1")
    assert set(found) == {"w2", "w3", "w4", "w9"}
    assert engine.related("w1", limit=1) == found[:1]
    assert engine.related("unknown") == engine.related("\ud800") == []
    assert engine.related('w1" OR "x') == []


@pytest.fixture
def two_subjects(tmp_path, monkeypatch):
    """Works of two subjects, of which b9 cites a0."""
    monkeypatch.setattr("lycosa.portal.search.latent_semantics.MIN_WORKS", 20)
    chance = random.Random(4)
    words = {name: [f"{name}word{k}" for k in range(20)] for name in "ab"}
    works = [
        IndexEntry(f"{name}{k}", "paper", "", abstract=" ".join(chance.sample(words[name], 5)))
        for name in "ab"
        for k in range(20)
    ]
    index_of(tmp_path, [replace(w, cites=("a0",)) if w.id == "b9" else w for w in works])
    return tmp_path


def test_works_are_related_by_meaning_and_by_citations(two_subjects):
    table = Meaning.load(two_subjects).table
    works = [f"{name}{k}" for name in "ab" for k in range(20)]
    numbers = np.array([number(work) for work in works], np.uint64)
    cosines = table.cosines(table.vectors(numbers)[0], numbers)
    scores = {
        work: MEANING_WEIGHT * max(cosine, 0) + CITATION_WEIGHT * (work == "b9")
        for work, cosine in zip(works, cosines.tolist(), strict=True)
        if work == "b9" or (work != "a0" and cosine >= MIN_COSINE)
    }
    found = Engine.open(two_subjects).related("a0", limit=30)
    assert sorted(found) == sorted(scores)
    assert [scores[work] for work in found] == sorted(scores.values(), reverse=True)
    assert {*found} - {"b9"} <= {f"a{k}" for k in range(20)}
    assert len(found) > 5


def test_works_without_vectors_are_related_by_their_words(two_subjects):
    (two_subjects / "meaning.npz").unlink()
    found = Engine.open(two_subjects).related("a0", limit=30)
    assert "b9" in found
    assert len(found) > 1
    assert {*found} - {"b9"} <= {f"a{k}" for k in range(20)}
