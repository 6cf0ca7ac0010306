"""Detection of copies between corpora."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.training.overlap import ShingleIndex

WORDS = st.lists(st.sampled_from("spiders hunt in webs at night, The and 12 --".split()))


def test_a_text_with_other_line_ends_and_corrections_is_a_copy():
    known = "Spiders hunt in dark webs at night, and they hunt alone; nobody knows why.".split()
    index = ShingleIndex([["other", "words"], known])
    changed = "spiders hunt in dark webs at night and they are alone".split()
    assert index.has_copy(changed)
    assert not index.has_copy("Spiders sleep in dark corners at noon, and they eat alone".split())


@given(st.lists(WORDS, max_size=4), WORDS)
def test_every_item_with_words_is_a_copy_of_itself(items, item):
    has_words = any(any(c.isalnum() for c in word) for word in item)
    assert ShingleIndex([*items, item]).has_copy(item) == has_words or not has_words


@given(WORDS)
def test_nothing_is_a_copy_in_an_empty_corpus(item):
    assert not ShingleIndex([]).has_copy(item)
