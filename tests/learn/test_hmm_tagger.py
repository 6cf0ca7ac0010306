"""HMM tagger: labels, confidences, and its files."""

import json
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.learn.absolute_discounting import Symbol
from lycosa.learn.hmm_tagger import HmmTagger, Observation, Smoothing
from lycosa.learn.state_merging import one_state_per_class

LABELS = [list("tta"), list("ta"), list("taa")]
TEXTS = ["web spiders lee", "spiders ann", "web ann lee"]


def words(text: str, places: str = "") -> list[Observation]:
    each = text.split()
    return [
        Observation(Symbol(w, "s"), p) for w, p in zip(each, places or "." * len(each), strict=True)
    ]


def small(smoothing: Smoothing | None = None, places: tuple[str, ...] = ("", "", "")) -> HmmTagger:
    sequences = [words(text, place) for text, place in zip(TEXTS, places, strict=True)]
    return HmmTagger.trained(one_state_per_class(LABELS), sequences, smoothing or Smoothing())


@settings(max_examples=50)
@given(st.lists(st.sampled_from("web spiders ann lee odd".split()), min_size=1, max_size=4))
def test_labels_and_confidences_equal_sums_over_all_paths(text):
    tagger, asked = small(), words(" ".join(text))
    emitted = tagger._emitted(asked)
    chain, by_class = tagger.chain, np.zeros((len(asked), 2))
    shares = {}
    for path in product(range(2), repeat=len(asked)):
        log = chain.start[path[0]] + chain.end[path[-1]] + emitted[range(len(path)), path].sum()
        share = np.exp(log + sum(chain.steps[a, b] for a, b in pairwise(path)))
        shares[path] = share
        by_class[range(len(path)), path] += share
    tags = tagger.tag(asked)
    found = tuple(tagger.labels.index(tag.label) for tag in tags)
    assert shares[found] == pytest.approx(max(shares.values()))
    expected = by_class[range(len(asked)), found] / sum(shares.values())
    assert [tag.confidence for tag in tags] == pytest.approx(expected)


def test_empty_sequence_has_no_tags():
    assert small().tag([]) == []


def test_place_of_a_word_affects_the_next_state():
    places = (".|.", "|.", "|..")
    ends = small(places=places)
    # An unknown word after a line end is an author; within a line the field continues.
    assert [tag.label for tag in ends.tag(words("web odd", "|."))] == ["t", "a"]
    assert [tag.label for tag in ends.tag(words("web odd ann", ".|."))] == ["t", "t", "a"]


def test_unknown_place_may_be_any():
    tagger = small(places=(".|.", "|.", "|.."))
    assert [tag.label for tag in tagger.tag(words("web ann", "?."))] == ["t", "a"]


def test_without_smoothing_the_chain_is_maximum_likelihood():
    chain = small(Smoothing(steps=0.0, escape=0.0)).chain
    assert np.exp(chain.steps).tolist() == pytest.approx(np.array([[0.25, 0.0], [0.75, 0.25]]))
    assert np.exp(chain.start).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("discount", [0.0, 0.5, 1.0])
def test_the_steps_of_a_chain_add_up_to_one(discount):
    chain = small(Smoothing(steps=discount), (".|.", "|.", "|..")).chain
    assert np.exp(chain.steps).sum(axis=1) + np.exp(chain.end) == pytest.approx(1.0)


def test_saved_tagger_is_loaded_unchanged(tmp_path):
    tagger = small(places=(".|.", "|.", "|.."))
    tagger.save(tmp_path / "a.hmm", reading="x")
    again, about = HmmTagger.load(tmp_path / "a.hmm")
    assert about == {"reading": "x"}
    assert again.tag(words("web odd ann")) == tagger.tag(words("web odd ann"))
    again.save(tmp_path / "b.hmm", reading="x")
    assert (tmp_path / "a.hmm").read_bytes() == (tmp_path / "b.hmm").read_bytes()


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(1, 255))
def test_refuses_a_damaged_file(tmp_path_factory, place, flip):
    path = tmp_path_factory.mktemp("hmm") / "a.hmm"
    small().save(path)
    data = bytearray(path.read_bytes())
    data[place % (len(data) - 1)] ^= flip
    path.write_bytes(data)
    with pytest.raises(UsageError, match="cannot be used as a tagger"):
        HmmTagger.load(path)
    path.write_bytes(data[: place % len(data)])
    with pytest.raises(UsageError, match="cannot be used as a tagger"):
        HmmTagger.load(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("classes", [0, 7]),
        ("classes", [0] * 9999),
        ("steps", [[0], [0], [-1.0]]),
        ("steps", [[-1], [0], [1.0]]),
        ("steps", [[0], [99], [1.0]]),
        ("steps", [[0, 1], [0], [1.0]]),
        ("steps", [[0], [0], [float("nan")]]),
        ("smoothing", {"odd": 1}),
        ("labels", None),
    ],
)
def test_refuses_an_inconsistent_file(tmp_path, key, value):
    from lycosa.learn.hmm_tagger import _digest

    path = tmp_path / "a.hmm"
    small().save(path)
    head, text = path.read_text().rstrip("\n").split("\n")
    body = json.dumps({**json.loads(text), key: value})
    path.write_text(f"{head.rsplit(' ', 1)[0]} {_digest(body)}\n{body}\n")
    with pytest.raises(UsageError, match="cannot be used as a tagger"):
        HmmTagger.load(path)


def test_refuses_other_sequences_and_no_words():
    with pytest.raises(UsageError, match="learned from other sequences"):
        HmmTagger.trained(one_state_per_class([list("ta")]), [words("web")])
    with pytest.raises(UsageError, match="no words to learn from"):
        HmmTagger.trained(one_state_per_class([]), [])
