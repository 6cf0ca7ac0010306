from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.portal.search import word_model

from lycosa.errors import StoreError
from lycosa.portal.search import Engine, Index, IndexEntry, encoders
from lycosa.portal.search.encoders import LATENT, LatentEncoder, SentenceEncoder
from lycosa.portal.search.layout import number
from lycosa.portal.search.meaning import FILE, Meaning, encoder_name
from lycosa.portal.search.sentence_encoder import MODEL, WorkEncoder
from lycosa.portal.search.work_vectors import LatentVectors, SentenceVectors

SUBJECTS = ("car engine road", "ship harbour sea", "spider web silk", "bread oven flour")
WORKS = [
    IndexEntry(f"w{n}", "paper", f"{SUBJECTS[n % 4]} {n}", abstract=f"{SUBJECTS[n % 4]} study")
    for n in range(40)
]


@pytest.fixture
def word_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Encode queries by the model of tests, as if it were the installed one."""
    monkeypatch.setattr(encoders, "load_model", lambda: None)
    monkeypatch.setattr(encoders, "encode_query", word_model.encode_query)


def sentence_vectors(folder: Path, seen: list[str] | None = None) -> SentenceVectors:
    def encode(texts: Sequence[str]) -> np.ndarray:
        if seen is not None:
            seen.extend(texts)
        return word_model.encode_texts(texts)

    return SentenceVectors(WorkEncoder(folder / "encodings.bin", encode=encode))


def commit(folder: Path, works: Sequence[IndexEntry], vectors=None, removed=()) -> Meaning:
    index = Index.open(folder, vectors)
    index.update(works, removed)
    index.commit()
    assert index.has_vectors
    return Meaning.load(folder)


def ids(engine: Engine, query: str, **options) -> list[str]:
    return [hit.id for hit in engine.search(query, **options).hits]


def test_the_file_names_the_encoder(tmp_path: Path, word_encoder) -> None:
    assert encoder_name(tmp_path / "latent") == ""
    meaning = commit(tmp_path / "latent", WORKS)
    assert encoder_name(tmp_path / "latent") == LATENT
    assert isinstance(meaning.encoder, LatentEncoder)
    meaning = commit(tmp_path / "sentences", WORKS, sentence_vectors(tmp_path))
    assert encoder_name(tmp_path / "sentences") == MODEL
    assert isinstance(meaning.encoder, SentenceEncoder)
    assert len(meaning.table) == len(WORKS)


def test_a_file_without_a_name_is_latent_semantics(tmp_path: Path) -> None:
    before = commit(tmp_path, WORKS)
    with np.load(tmp_path / FILE) as file:
        arrays = {name: file[name] for name in file if name != "encoder"}
    np.savez(tmp_path / FILE, **arrays)
    after = Meaning.load(tmp_path)
    assert after.encoder.vector("", {"car": 1}) == pytest.approx(
        before.encoder.vector("", {"car": 1})
    )


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 not a zip", b"\x93NUMPY", None])
def test_without_a_usable_file_works_are_found_by_words(tmp_path: Path, damage) -> None:
    commit(tmp_path, WORKS)
    if damage is None:
        (tmp_path / FILE).unlink()
    else:
        (tmp_path / FILE).write_bytes(damage)
    assert not Meaning.load(tmp_path)
    assert ids(Engine.open(tmp_path), "spider silk")


def test_without_the_extra_an_index_of_sentences_is_searched_by_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def missing() -> None:
        raise StoreError("The extra is not installed: pip install 'lycosa[semantic]'.")

    monkeypatch.setattr(encoders, "load_model", missing)
    with caplog.at_level(logging.WARNING, "lycosa.portal"):
        assert not commit(tmp_path / "index", WORKS, sentence_vectors(tmp_path))
        engine = Engine.open(tmp_path / "index")
    assert "words alone" in caplog.text
    assert "lycosa[semantic]" in caplog.text
    assert set(ids(engine, "spider silk")) == {f"w{n}" for n in range(2, 40, 4)}


def test_an_index_made_by_an_unknown_encoder_is_searched_by_words(tmp_path: Path, caplog) -> None:
    meaning = commit(tmp_path, WORKS)
    replace(meaning, encoder=replace(meaning.encoder, name="a future model")).save(tmp_path)
    assert not Meaning.load(tmp_path)
    assert "a future model" in caplog.text
    assert ids(Engine.open(tmp_path), "spider silk")


def test_each_commit_encodes_only_what_has_changed(tmp_path: Path, word_encoder) -> None:
    seen: list[str] = []
    folder = tmp_path / "index"
    commit(folder, WORKS, sentence_vectors(tmp_path, seen))
    assert len(seen) == len(WORKS)
    seen.clear()
    changed = replace(WORKS[0], title="Volcano eruption")
    cited = replace(WORKS[1], cited_by=7)
    new = IndexEntry("new", "paper", "Lava and ash")
    meaning = commit(folder, [changed, cited, new], sentence_vectors(tmp_path, seen), ["w2"])
    assert seen == [f"Volcano eruption. {WORKS[0].abstract}", "Lava and ash"]
    whole = [changed, cited, *WORKS[3:], new]
    again = commit(tmp_path / "again", whole, sentence_vectors(tmp_path / "again"))
    for table in (meaning.table, again.table):
        assert len(table) == len(whole)
    numbers = again.table.numbers
    assert (meaning.table.vectors(numbers) == again.table.vectors(numbers)).all()


def test_another_encoder_gives_all_works_new_vectors(tmp_path: Path, word_encoder) -> None:
    folder = tmp_path / "index"
    commit(folder, WORKS)
    index = Index.open(folder, sentence_vectors(tmp_path))
    assert not index.has_vectors
    index.commit()
    expected = commit(tmp_path / "new", WORKS, sentence_vectors(tmp_path / "new"))
    found = Meaning.load(folder)
    numbers = expected.table.numbers
    assert found.encoder.name == MODEL
    assert (found.table.vectors(numbers) == expected.table.vectors(numbers)).all()
    back = commit(folder, [], LatentVectors())
    latent = commit(tmp_path / "latent", WORKS)
    assert (back.table.vectors(numbers) == latent.table.vectors(numbers)).all()


def test_a_served_index_uses_new_vectors_when_they_are_complete(
    tmp_path: Path, word_encoder
) -> None:
    folder = tmp_path / "index"
    commit(folder, WORKS)
    engine = Engine.open(folder)
    before = engine.generation
    Index.open(folder, sentence_vectors(tmp_path)).commit()
    commit_only = engine.generation
    Meaning.empty().save(folder)
    assert len({before, commit_only, engine.generation}) == 3


def test_a_work_is_found_by_a_word_of_the_same_meaning(tmp_path: Path, word_encoder) -> None:
    commit(tmp_path / "index", WORKS, sentence_vectors(tmp_path))
    engine = Engine.open(tmp_path / "index")
    found = engine.search("automobile")
    assert {hit.id for hit in found.hits} == {f"w{n}" for n in range(0, 40, 4)}
    assert all(hit.signals is not None and hit.signals.by_meaning for hit in found.hits)
    assert found.total == 10
    required = ids(engine, "automobile spider +silk")
    assert set(required) == {f"w{n}" for n in range(2, 40, 4)}, "conditions are met"
    assert ids(engine, "zzyzx qwfp") == [], "nothing is near words without meaning"


def test_works_in_other_languages_keep_their_place_by_words(tmp_path: Path, word_encoder) -> None:
    german = IndexEntry("de", "paper", "Spider silk", abstract="Spider silk", language="de")
    meaning = commit(tmp_path / "index", [*WORKS, german], sentence_vectors(tmp_path))
    row = meaning.table.vectors(np.setdiff1d(meaning.table.numbers, numbers_of(WORKS)))
    assert not row.any()
    assert ids(Engine.open(tmp_path / "index"), "spider silk")[0] == "de"


def numbers_of(works: Sequence[IndexEntry]) -> np.ndarray:
    return np.array([number(work.id) for work in works], np.uint64)


def test_pages_of_results_have_no_gaps_and_no_repetitions(tmp_path: Path, word_encoder) -> None:
    many = [
        IndexEntry(f"w{n}", "paper", f"{SUBJECTS[n % 4]} {n % 7}", abstract="study of things")
        for n in range(500)
    ]
    commit(tmp_path / "index", many, sentence_vectors(tmp_path))
    engine = Engine.open(tmp_path / "index")
    for query in ("automobile study", "spider silk", "spider harbour automobile 3"):
        total = engine.search(query).total
        pages = [ids(engine, query, page=page, size=50) for page in range(1, total // 50 + 2)]
        listed = [each for page in pages for each in page]
        assert len(listed) == total, query
        assert len(set(listed)) == total, query
