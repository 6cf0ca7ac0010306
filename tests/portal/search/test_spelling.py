import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search.spelling import edit_distances, similar_words
from lycosa.portal.search.vocabulary import Vocabulary

WORD = st.text("abcé", min_size=1, max_size=7)


def distance(a, b):
    """Compute the edit distance of one pair by its recurrence."""
    row = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            row[i, j] = min(
                row[i - 1, j] + 1, row[i, j - 1] + 1, row[i - 1, j - 1] + (a[i - 1] != b[j - 1])
            )
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                row[i, j] = min(row[i, j], row[i - 2, j - 2] + 1)
    return row[len(a), len(b)]


@given(WORD, st.lists(WORD, max_size=8))
def test_edit_distances_equal_those_of_the_recurrence(word, words):
    found = edit_distances(word, np.array(words, "U8"))
    assert found.tolist() == [distance(word, other) for other in words]


@given(WORD, st.dictionaries(WORD, st.integers(1, 9), max_size=30))
def test_similar_words_equal_those_of_brute_force(word, counts):
    vocabulary = Vocabulary.from_counts(counts)
    max_edits = 2 if len(word) >= 5 else 1
    within = [
        (distance(word, other), -count, other)
        for other, count in counts.items()
        if len(other) > 1 and 0 < distance(word, other) <= max_edits
    ]
    expected = [other for _, _, other in sorted(within)] if len(word) > 2 else []
    assert [*similar_words(word, vocabulary, limit=100)] == expected
    assert [*similar_words(word, vocabulary)] == expected[:3]


def test_empty_vocabulary_and_long_words_have_no_similar_words():
    assert similar_words("spider", Vocabulary.from_counts({})) == {}
    assert similar_words("a" * 1000, Vocabulary.from_counts({"a" * 20: 1})) == {}
