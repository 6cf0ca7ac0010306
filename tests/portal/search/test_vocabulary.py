from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search import vocabulary
from lycosa.portal.search.vocabulary import LONGEST, Vocabulary

COUNTS = st.dictionaries(st.text("abc学1", min_size=1, max_size=LONGEST + 2), st.integers(1, 99))


def wanted(counts):
    return {
        word: count
        for word, count in counts.items()
        if 1 < len(word) <= LONGEST and not word.isdecimal()
    }


@given(COUNTS, st.text("abc学1", max_size=3))
def test_words_are_found_and_completed(counts, prefix):
    words, known = Vocabulary.counted(counts), wanted(counts)
    assert {word: words.count(word) for word in counts} == dict.fromkeys(counts, 0) | known
    best = sorted((-count, word) for word, count in known.items() if word.startswith(prefix))
    assert words.completed(prefix, most=5) == [word for _, word in best][:5]


def test_it_is_read_as_it_was_written(tmp_path):
    Vocabulary.counted({"robot": 3, "spider": 5}).save(tmp_path)
    words = Vocabulary.load(tmp_path)
    assert (words.count("robot"), words.count("spider"), words.completed("s")) == (3, 5, ["spider"])
    assert [path.name for path in tmp_path.iterdir()] == [vocabulary.FILE]


def test_the_words_of_most_works_are_kept(monkeypatch):
    monkeypatch.setattr(vocabulary, "MOST", 2)
    words = Vocabulary.counted({"aa": 1, "bb": 3, "cc": 2})
    assert words.words.tolist() == ["bb", "cc"]
