from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from lycosa.portal.search.encoders import LatentEncoder, SentenceEncoder
from lycosa.portal.search.fusion import CosineFusion, ScaledFusion, fusion_of, unit
from lycosa.portal.search.latent_semantics import LatentSpace
from lycosa.portal.search.ranking import Ranking
from lycosa.portal.search.vectors import VectorTable

SHARES = st.floats(0, 2, width=32)
COSINES = arrays.arrays(np.float32, st.integers(0, 30), elements=st.floats(-1, 1, width=32))


def table_of(rows: np.ndarray) -> VectorTable:
    return VectorTable.of(np.arange(len(rows), dtype=np.uint64), rows)


@given(COSINES, st.data())
def test_scaled_scores_keep_the_order_of_cosines_within_the_weight(cosines, data) -> None:
    texts = data.draw(arrays.arrays(np.float32, len(cosines), elements=SHARES))
    nearest = np.sort(np.append(cosines, data.draw(COSINES)))[::-1]
    known = np.ones(len(cosines), np.bool_)
    scores = ScaledFusion(0.7).scores(cosines, texts, known, nearest)
    assert len(scores) == len(cosines)
    best = float(texts.max(initial=0)) or 1.0
    assert ((scores >= 0) & (scores <= 0.7 * best * (1 + 1e-6))).all()
    order = np.argsort(cosines)
    assert (np.diff(scores[order]) >= 0).all()


def test_the_nearest_work_of_all_counts_the_weight_and_the_last_compared_nothing() -> None:
    cosines = np.array([0.6, 0.4, 0.2, 0.1], np.float32)
    nearest = np.array([0.6, 0.5, 0.2], np.float32)
    texts = np.zeros(4, np.float32)
    scores = ScaledFusion(1.0).scores(cosines, texts, np.ones(4, np.bool_), nearest)
    assert scores.tolist() == pytest.approx([1, 0.5, 0, 0])


def test_a_work_without_a_vector_counts_by_its_words() -> None:
    cosines = np.array([0.6, 0.0], np.float32)
    texts = np.array([0.1, 0.8], np.float32)
    known = np.array([True, False])
    nearest = np.array([0.6, 0.1], np.float32)
    scores = ScaledFusion(1.0).scores(cosines, texts, known, nearest)
    assert scores.tolist() == pytest.approx([0.8, 0.8])


@pytest.mark.parametrize("fusion", [CosineFusion(0.5, 2), ScaledFusion(1.0, feedback=2)])
def test_feedback_moves_a_query_to_the_best_works(fusion) -> None:
    rows = np.eye(4, dtype=np.float32)
    query = unit(np.array([1, 1, 1, 1], np.float32))
    texts = np.array([0.1, 1.0, 0.9, 0.1], np.float32)
    refined = fusion.refine(query, texts, rows, table_of(rows))
    assert float(np.linalg.norm(refined)) == pytest.approx(1)
    assert min(refined[1], refined[2]) > max(refined[0], refined[3])


@pytest.mark.parametrize("fusion", [CosineFusion(0.5, 5), ScaledFusion(1.0)])
def test_without_works_by_words_a_query_keeps_its_vector(fusion) -> None:
    rows = np.eye(3, dtype=np.float32)
    nothing = np.zeros(0, np.float32)
    assert fusion.refine(rows[0], nothing, rows[:0], table_of(rows)).tolist() == rows[0].tolist()
    assert len(fusion.scores(nothing, nothing, nothing.astype(np.bool_), nothing)) == 0


def test_only_vectors_of_a_sentence_encoder_are_compared_where_words_find_enough() -> None:
    ranking = Ranking()
    latent = fusion_of(LatentEncoder(LatentSpace.fit([])), ranking)
    assert latent.compared(ranking.depth, ranking.depth) == 0
    assert latent.compared(3, ranking.depth) > 3
    sentence = fusion_of(SentenceEncoder(), ranking)
    assert sentence.compared(ranking.depth, ranking.depth) > 0
