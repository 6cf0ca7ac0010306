from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from tests.portal.search import word_model

from lycosa.portal.search.minilm import find_folder
from lycosa.portal.search.sentence_encoder import (
    DIMENSIONS,
    MAX_TEXT_CHARACTERS,
    MIN_PARALLEL_TEXTS,
    TEXTS_PER_TASK,
    WorkEncoder,
    encode_query,
    encode_texts,
    load_model,
    text_of_work,
)
from lycosa.portal.search.vectors import Rows

needs_weights = pytest.mark.skipif(
    find_folder() is None, reason="the extra `semantic` is not installed"
)


class Recorder:
    """Encodes texts, and fails after some of them as a process that is killed would."""

    def __init__(self, fails_after: int = 10**9) -> None:
        self.seen: list[str] = []
        self._fails_after = fails_after

    def __call__(self, texts: Sequence[str]) -> Rows:
        if len(self.seen) + len(texts) > self._fails_after:
            raise KeyboardInterrupt
        self.seen += texts
        return word_model.encode_texts(texts)


def test_only_new_and_changed_texts_are_encoded(tmp_path: Path) -> None:
    path = tmp_path / "encodings.bin"
    texts = {1: "a cat", 2: "a dog", 3: ""}
    rows = WorkEncoder(path, encode=Recorder()).encode(texts)
    assert rows[:2].tolist() == word_model.encode_texts(["a cat", "a dog"]).tolist()
    assert not rows[2].any(), "an empty text has no vector"
    recorder = Recorder()
    changed = {2: "two dogs", 1: "a cat", 4: "a spider"}
    rows = WorkEncoder(path, encode=recorder).encode(changed)
    assert recorder.seen == ["two dogs", "a spider"]
    assert rows.tolist() == word_model.encode_texts([*changed.values()]).tolist()


def test_what_was_encoded_before_a_build_was_killed_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "encodings.bin"
    texts = {number: f"work {number}" for number in range(2 * TEXTS_PER_TASK + 5)}
    killed = Recorder(fails_after=2 * TEXTS_PER_TASK)
    with pytest.raises(KeyboardInterrupt):
        WorkEncoder(path, encode=killed).encode(texts)
    rest = Recorder()
    rows = WorkEncoder(path, encode=rest).encode(texts)
    assert len(killed.seen) == 2 * TEXTS_PER_TASK
    assert [*killed.seen, *rest.seen] == [*texts.values()]
    assert rows.tolist() == word_model.encode_texts([*texts.values()]).tolist()


def test_progress_counts_what_is_encoded(tmp_path: Path) -> None:
    begun: list[int] = []
    done: list[int] = []
    path = tmp_path / "encodings.bin"
    encoder = WorkEncoder(path, 1, begun.append, done.append, Recorder())
    encoder.encode({1: "a cat", 2: ""})
    encoder.encode({1: "a cat", 3: "a dog", 4: "a spider"})
    assert begun == [1, 2]
    assert done == [1, 2]


def test_no_works_have_no_vectors(tmp_path: Path) -> None:
    assert WorkEncoder(tmp_path / "x", encode=Recorder()).encode({}).shape == (0, DIMENSIONS)


def test_the_text_of_a_work_is_bounded_and_only_of_languages_that_the_model_reads() -> None:
    assert len(text_of_work("", "t" * 10_000_000, "a" * 10_000_000)) == MAX_TEXT_CHARACTERS
    assert text_of_work("en", " A title ", "", "and text") == "A title. and text"
    assert text_of_work("ja", "A title") == ""


@needs_weights
def test_several_processes_give_the_vectors_of_one(tmp_path: Path) -> None:
    texts = {number: f"Work {number} on spiders" for number in range(MIN_PARALLEL_TEXTS)}
    rows = WorkEncoder(tmp_path / "x", jobs=2).encode(texts).astype(int)
    alone = encode_texts([*texts.values()][:20]).astype(int)
    assert np.abs(rows[:20] - alone).max() <= 1, "but for rounding"


@needs_weights
def test_a_query_has_the_vector_of_its_sentence() -> None:
    found = encode_query("how do spiders learn?")
    assert found == pytest.approx(load_model().encode(["how do spiders learn?"])[0], abs=1e-5)
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1
