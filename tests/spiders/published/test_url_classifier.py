from __future__ import annotations

import pytest

from generated_departments import crawl_steps, department
from lycosa.spiders import BreadthFirst
from lycosa.spiders.published.url_classifier import URLClassifier
from small_pages import tables


def test_links_and_single_urls_have_the_same_probability():
    classifier = URLClassifier()
    judged = 0
    for step in crawl_steps(BreadthFirst(), department(), 60):
        page = step.page
        classifier.learn(page.tables, page.url, step.n % 3 == 0)
        if len(page.targets):
            urls = [page.tables.urls[n] for n in page.targets.tolist()]
            one_by_one = [classifier.probability(page.tables.words, url) for url in urls]
            assert classifier.of_links(page) == pytest.approx(one_by_one)
            judged += len(urls)
    assert judged > 100


def test_targets_are_unlikely_before_the_first():
    assert URLClassifier().probability(tables("ab").words, "http://a.edu/a/b") < 0.2


def test_extreme_training_leaves_a_probability():
    mine = tables(["a"])
    classifier = URLClassifier()
    url = "http://a.edu/" + "a/" * 5000
    for _ in range(50):
        classifier.learn(mine, url, True)
        classifier.learn(mine, url, False)
    assert 0 < classifier.probability(mine.words, url) < 1
