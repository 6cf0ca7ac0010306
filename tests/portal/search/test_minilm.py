from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.portal.search.tiny_model import (
    EPSILON,
    HEADS,
    LAYERS,
    PLACES,
    SIZE,
    VOCABULARY,
    random_tensors,
    write_model,
)

from lycosa.errors import StoreError
from lycosa.portal.search.minilm import PACKAGES, MiniLM, _batches, find_folder
from lycosa.portal.search.wordpiece import WordPiece

TEXTS = ["a cat", "Dogs learning. A spider", "", "cats " * 40, "北京 cat", "a dog", "spider"]

needs_weights = pytest.mark.skipif(
    find_folder() is None, reason="the extra `semantic` is not installed"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("model"), random_tensors())


def dense(tensors: dict[str, np.ndarray], name: str, row: list[float]) -> list[float]:
    weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
    return [
        sum(float(weight[out, i]) * row[i] for i in range(len(row))) + float(bias[out])
        for out in range(len(bias))
    ]


def normalised(tensors: dict[str, np.ndarray], name: str, row: list[float]) -> list[float]:
    mean = sum(row) / len(row)
    variance = sum((value - mean) ** 2 for value in row) / len(row)
    weight, bias = tensors[f"{name}.weight"], tensors[f"{name}.bias"]
    return [
        (value - mean) / math.sqrt(variance + EPSILON) * float(weight[i]) + float(bias[i])
        for i, value in enumerate(row)
    ]


def gelu(value: float) -> float:
    """Return the exact activation, by the error function."""
    return value * 0.5 * (1 + math.erf(value / math.sqrt(2)))


def plain_vector(tensors: dict[str, np.ndarray], tokens: list[int]) -> list[float]:
    """Compute the network for one text with loops over numbers, from the papers' equations."""
    kinds = "word_embeddings", "position_embeddings", "token_type_embeddings"
    words, places, types = (tensors[f"embeddings.{kind}.weight"] for kind in kinds)
    state = [
        normalised(
            tensors,
            "embeddings.LayerNorm",
            [float(words[token, i] + places[at, i] + types[0, i]) for i in range(SIZE)],
        )
        for at, token in enumerate(tokens)
    ]
    size = SIZE // HEADS
    for number in range(LAYERS):
        name = f"encoder.layer.{number}"
        queries, keys, values = (
            [dense(tensors, f"{name}.attention.self.{part}", row) for row in state]
            for part in ("query", "key", "value")
        )
        mixed = [[0.0] * SIZE for _ in state]
        for head in range(HEADS):
            own = range(head * size, (head + 1) * size)
            for at, query in enumerate(queries):
                products = [
                    math.exp(sum(query[i] * key[i] for i in own) / math.sqrt(size)) for key in keys
                ]
                for i in own:
                    total = sum(p * value[i] for p, value in zip(products, values, strict=True))
                    mixed[at][i] = total / sum(products)
        after = []
        for row, attended in zip(state, mixed, strict=True):
            joined = dense(tensors, f"{name}.attention.output.dense", attended)
            summed = [a + b for a, b in zip(joined, row, strict=True)]
            middle = normalised(tensors, f"{name}.attention.output.LayerNorm", summed)
            inner = [gelu(v) for v in dense(tensors, f"{name}.intermediate.dense", middle)]
            outer = dense(tensors, f"{name}.output.dense", inner)
            summed = [a + b for a, b in zip(outer, middle, strict=True)]
            after.append(normalised(tensors, f"{name}.output.LayerNorm", summed))
        state = after
    mean = [sum(row[i] for row in state) / len(state) for i in range(SIZE)]
    length = math.sqrt(sum(value * value for value in mean))
    return [value / length for value in mean]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_vectors_are_those_of_the_equations(tmp_path: Path, seed: int) -> None:
    tensors = random_tensors(seed)
    rows = MiniLM(write_model(tmp_path, tensors)).encode(TEXTS)
    for text, row in zip(TEXTS, rows, strict=True):
        expected = plain_vector(tensors, WordPiece(VOCABULARY).numbers(text, PLACES))
        # The network uses the approximation of the activation by tanh.
        assert float(row @ np.array(expected)) > 0.9999, text


@given(st.lists(st.text("acdgost .", max_size=30), max_size=12))
def test_the_vector_of_a_text_does_not_depend_on_the_others(folder: Path, texts: list[str]) -> None:
    model = MiniLM(folder)
    together = model.encode(texts)
    assert together.shape == (len(texts), SIZE)
    for text, row in zip(texts, together, strict=True):
        assert row == pytest.approx(model.encode([text])[0], abs=1e-5)
        assert float(np.linalg.norm(row)) == pytest.approx(1, abs=1e-5)


@given(st.lists(st.integers(1, 600), max_size=60))
def test_a_batch_has_texts_of_one_length_and_each_text_once(lengths: list[int]) -> None:
    batches = list(_batches(lengths))
    assert sorted(place for batch in batches for place in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len({lengths[place] for place in batch}) == 1
        assert len(batch) == 1 or sum(lengths[place] for place in batch) <= 1024


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    without = [each for each in sys.path if not any((Path(each) / p).is_dir() for p in PACKAGES)]
    monkeypatch.setattr(sys, "path", without)


@pytest.mark.usefixtures("nothing_installed")
def test_without_the_extra_a_sentence_says_what_to_install() -> None:
    assert find_folder() is None
    with pytest.raises(StoreError, match=r"lycosa\[semantic\]"):
        MiniLM.installed()


@pytest.mark.usefixtures("nothing_installed")
@pytest.mark.parametrize("package", PACKAGES)
def test_other_weights_than_the_known_ones_are_refused(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = write_model(tmp_path / package / PACKAGES[package], random_tensors())
    (tmp_path / package / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert find_folder() == inside
    with pytest.raises(StoreError, match="all-MiniLM-L6-v2"):
        MiniLM.installed()
    assert package not in sys.modules


@needs_weights
def test_the_installed_model_gives_the_published_cosines() -> None:
    rows = MiniLM.installed().encode(
        ["That is a happy person", "That is a very happy person", "Today is a sunny day"]
    )
    # As the page of the model gives them.
    assert (rows @ rows[0])[1:].tolist() == pytest.approx([0.943, 0.257], abs=0.002)


@needs_weights
def test_the_package_of_the_weights_is_not_imported() -> None:
    code = (
        "import sys; from lycosa.portal.search.minilm import MiniLM; MiniLM.installed(); "
        f"print(sorted(set(sys.modules) & {{{', '.join(map(repr, PACKAGES))}}}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
