"""Templates: valid topics files with useful keywords."""

import re
from pathlib import Path

import pytest

from lycosa.errors import UnknownName
from lycosa.topics import template as module
from lycosa.topics.corpus import Corpus
from lycosa.topics.coverage import shared_keywords
from lycosa.topics.hierarchy import Hierarchy
from lycosa.topics.rule_list import RuleList
from lycosa.topics.template import TEMPLATES, read_template, template_text
from realdata import CORPORA

CORA = CORPORA / "cora-hierarchy" / "hierarchy.txt"


def test_every_file_is_listed() -> None:
    folder = Path(module.__file__).with_name("templates")
    assert {file.stem for file in folder.glob("*.txt")} == set(TEMPLATES)


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean 'computer-science'"):
        read_template("computer-scence")


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_is_a_tree_with_a_title(name: str) -> None:
    tree = read_template(name)
    assert tree[0].name
    assert len(tree.leaves) >= 20
    assert Hierarchy.parse(tree.text()) == tree
    assert max(map(len, template_text(name).splitlines())) <= 100


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_keyword_is_shared(name: str) -> None:
    assert shared_keywords(read_template(name)) == {}


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_leaf_has_several_keywords(name: str) -> None:
    tree = read_template(name)
    assert {
        tree.path(t): len(tree[t].keywords) for t in tree.leaves if len(tree[t].keywords) < 5
    } == {}


@pytest.mark.parametrize(
    ("name", "text", "path"),
    [
        ("computer-science", "Backpropagation for neural networks", "Neural Networks"),
        ("computer-science", "A garbage collector for Java", "Programming/Garbage Collection"),
        ("computer-science", "Constraint logic programming", "Programming/Logic"),
        ("computer-science", "Temporal logic of actions", "Theory/Logic"),
        ("computer-science", "Logic synthesis of circuits", "Logic Design"),
        ("computer-science", "A distributed spider", "Operating Systems/Distributed"),
        ("local-government", "When is my bin day?", "Waste and Environment/Bins"),
        ("local-government", "How to register to vote", "Council and Democracy/Elections"),
        ("local-government", "Appeal against a parking fine", "Transport and Streets/Parking"),
    ],
)
def test_typical_text_gets_its_topic(name: str, text: str, path: str) -> None:
    tree = read_template(name)
    (topic,) = RuleList.of(tree).labels(Corpus.of([text]))
    assert tree.path(topic).endswith(path)


@pytest.mark.realdata
def test_the_tree_of_computer_science_is_that_of_cora() -> None:
    if not CORA.is_file():
        pytest.skip(f"{CORA} is missing")
    tree = read_template("computer-science")
    named = {re.sub("[ ,]", "_", tree.path(t)) for t in range(1, len(tree))}
    assert named == set(CORA.read_text().split())
