"""Stable ids."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.names import PersonName
from lycosa.portal.build.identity import (
    author_id,
    document_id,
    header_name,
    reference_names,
    slug,
    topic_ids,
)

NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=10)


@given(st.text(max_size=50))
def test_every_url_has_an_id_for_urls(url):
    name = document_id(url)
    assert name[0] == "d"
    assert len(name) == 17
    assert name.isascii()
    assert name.isalnum()
    assert header_name(name)[1:] == name[1:]


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_names_of_references_are_unique_and_independent_of_numbers(texts):
    names = reference_names("d1", texts)
    assert len(set(names)) == len(names)
    assert sorted(reference_names("d1", texts[::-1])) == sorted(names)
    assert not set(names) & set(reference_names("d2", texts))


@given(NAMES, st.text(max_size=10))
def test_every_author_has_an_id_for_urls(family, given_):
    name = author_id(PersonName(family, given_))
    assert name
    assert slug(name) == name


@given(st.lists(st.lists(NAMES, min_size=1, max_size=3).map(tuple), max_size=12))
def test_ids_of_topics_are_unique_and_below_their_parents(paths):
    tree = list(dict.fromkeys(path[: n + 1] for path in paths for n in range(len(path))))
    names = topic_ids(tree)
    assert len(set(names)) == len(tree)
    for path, name in zip(tree, names, strict=True):
        above = names[tree.index(path[:-1])] if len(path) > 1 else ""
        assert name.rpartition("/")[0] == above
