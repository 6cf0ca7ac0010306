from __future__ import annotations

import numpy as np
import pytest

import lycosa
from generated_departments import crawl_steps
from lycosa.core import Budget
from lycosa.errors import UsageError
from lycosa.sites.graph import Graph
from lycosa.spiders import Random, Setup, spider
from lycosa.spiders.published.context_graph import ContextGraph, Layers, _value
from small_pages import LinkSpec, page, tables

WORLD = lycosa.World(seed=11, departments=3, pages=200)


@pytest.fixture(scope="module")
def layers():
    return Layers.of([WORLD.department(1), WORLD.department(2)], "papers")


def test_classifies_most_training_pages_correctly(layers):
    site = WORLD.department(1)
    policy = ContextGraph(layers)
    policy.start(Budget())
    distances = Graph.of(site).reverse().distances(site.wanted("papers"))
    right, wide = 0, 0
    for number, distance in enumerate(distances.tolist()):
        if len(site.page(number).content.tokens):
            layer = 4 if distance < 0 or distance > 3 else distance
            right += int(policy.layers(site.page(number)).argmax()) == layer
            wide += 1
    assert right > 0.5 * wide > 20


def test_nearer_layers_go_first_whatever_the_probabilities():
    sure, unsure = np.eye(5), 0.9 * np.full((5, 5), 0.2) + 0.1 * np.eye(5)
    for near in range(4):
        assert _value(unsure[near]) > _value(sure[near + 1])
        assert _value(sure[near]) > _value(unsure[near])
    assert _value(unsure[4]) > _value(sure[4]), "the surer it is far, the later"


def test_all_links_of_a_page_share_the_queue_named_in_the_explanation(layers):
    policy = ContextGraph(layers)
    policy.start(Budget())
    site = WORLD.department(0)
    home = site.page(int(site.seeds[0]))
    scores = policy.score(home)
    assert len(set(scores.tolist())) == 1
    (opinion,) = policy.explain(home, 0)
    assert opinion.value == scores[0]
    layer = int(policy.layers(home).argmax())
    assert f"{layer} links from a target" in opinion.about


def test_pages_without_known_words_have_prior_probabilities(layers):
    policy = ContextGraph(layers)
    policy.start(Budget())
    strange = page(tables(), [LinkSpec("xyzzy plugh")])
    assert policy.layers(strange) == pytest.approx(np.exp(layers.bias))


def test_refuses_to_start_without_training_sites():
    with pytest.raises(UsageError, match="and there are none"):
        spider("context-graph")(Setup(WORLD.department(0), "papers"))


def test_finds_more_than_random(layers):
    def found(policy):
        return sum(step.reward > 0 for step in crawl_steps(policy, WORLD.department(0), 80))

    assert found(ContextGraph(layers)) > 1.1 * found(Random(0))
