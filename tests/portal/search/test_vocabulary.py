from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search import vocabulary
from lycosa.portal.search.vocabulary import MAX_WORD_LENGTH, Vocabulary

COUNTS = st.dictionaries(
    st.text("abc学1", min_size=1, max_size=MAX_WORD_LENGTH + 2), st.integers(1, 99)
)


def expected(counts):
    return {
        word: count
        for word, count in counts.items()
        if 1 < len(word) <= MAX_WORD_LENGTH and not word.isdecimal()
    }


@given(COUNTS, st.text("abc学1", max_size=3))
def test_counts_and_completes_words(counts, prefix):
    words, known = Vocabulary.from_counts(counts), expected(counts)
    assert {word: words.count(word) for word in counts} == dict.fromkeys(counts, 0) | known
    best = sorted((-count, word) for word, count in known.items() if word.startswith(prefix))
    assert words.complete(prefix, limit=5) == [word for _, word in best][:5]


def test_saves_and_loads(tmp_path):
    Vocabulary.from_counts({"robot": 3, "spider": 5}).save(tmp_path)
    words = Vocabulary.load(tmp_path)
    assert (words.count("robot"), words.count("spider"), words.complete("s")) == (3, 5, ["spider"])
    assert [path.name for path in tmp_path.iterdir()] == [vocabulary.FILE]


def test_keeps_the_most_frequent_words(monkeypatch):
    monkeypatch.setattr(vocabulary, "MAX_WORDS", 2)
    words = Vocabulary.from_counts({"aa": 1, "bb": 3, "cc": 2})
    assert words.words.tolist() == ["bb", "cc"]
