from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.learn.examples import LinkBags, TrainingLinks
from small_pages import ANCHOR, MIXED, LinkSpec, examples, link_words, page, sites, tables


@settings(deadline=None, max_examples=40)
@given(sites(), sites(), st.integers(1, 3))
def test_counts_equal_those_of_the_links_of_each_kind(first, second, least):
    made = examples(MIXED, first, second, least=least)
    values = made.all_values
    assert values.tolist() == [v for _, row in first + second for v in row]
    marks = np.stack((values > 0.4, values <= 0.4), axis=1).astype(float)
    counts = made.counts(marks)
    for channel, vocabulary, count in zip(MIXED.channels, made.vocabularies, counts, strict=True):
        kinds = (Counter(), Counter())
        for p, row in first + second:
            for k, value in enumerate(row):
                kinds[value <= 0.4].update(link_words(p, k, channel))
        assert count.tolist() == [[float(kind[w]) for kind in kinds] for w in vocabulary.words]
        assert list(vocabulary.words) == [
            w for w in vocabulary.words if kinds[0][w] + kinds[1][w] >= least
        ]
        both = kinds[0] + kinds[1]
        assert len(vocabulary) == sum(count >= least for count in both.values())


def test_a_vocabulary_may_be_limited():
    shown = page(tables(), [LinkSpec("a a a b b c c")])
    links = [LinkBags.of([shown], shown.tables, ANCHOR)]
    made = TrainingLinks.of(ANCHOR, links, [np.zeros(1)], most=2)
    assert list(made.vocabularies[0].words) == ["a", "b"]


def test_accepts_a_site_without_links():
    mine = tables()
    bare = page(mine, [])
    made = examples(MIXED, [(bare, [])], [(page(tables(), [LinkSpec("a")]), [1.0])])
    assert [len(links) for links in made.sites] == [0, 1]
    assert made.counts(np.ones((1, 1)))[0].tolist() == [[1.0]]
    assert LinkBags.of([], mine, MIXED).targets.dtype == np.int32
