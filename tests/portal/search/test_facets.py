from collections import Counter

import pytest

from lycosa.portal.fields import FACETS
from lycosa.portal.search import FacetValue, IndexEntry
from portal.search.sample_works import IDS, NAMES, entries, index_of

SHELF = entries()
VALUES = {
    "topic": lambda entry: entry.topics,
    "year": lambda entry: () if entry.year is None else (str(entry.year),),
    "venue": lambda entry: (entry.venue,) if entry.venue else (),
    "author": lambda entry: entry.author_ids,
    "site": lambda entry: (entry.site,),
    "type": lambda entry: (entry.type,),
    "language": lambda entry: tuple(filter(None, [entry.language])),
}


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("index"), SHELF)


def chosen(entry, filters, but=""):
    return all(
        name == but or {*VALUES[name](entry)} & {*values} for name, values in filters.items()
    )


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"type": ["pdf"]},
        {"year": ["1996", "2004"], "topic": ["ai"]},
        {"author": ["lee-a"], "site": ["b.org"], "venue": ["Web Conference"]},
    ],
    ids=str,
)
def test_counts_leave_the_own_choice_out(engine, filters):
    results = engine.search("", filters=filters)
    assert list(results.facets) == list(FACETS)
    assert set(FACETS) == set(VALUES)
    for name, values in VALUES.items():
        counts = Counter(
            value for entry in SHELF if chosen(entry, filters, but=name) for value in values(entry)
        )
        found = results.facets[name]
        chosen_too = dict.fromkeys(filters.get(name, ()), 0) | counts
        assert {facet.value: facet.count for facet in found} == chosen_too
        assert {facet.value for facet in found if facet.chosen} == {*filters.get(name, ())}
        if name == "year":
            assert [facet.value for facet in found] == sorted(counts, reverse=True)
        else:
            assert [facet.count for facet in found] == sorted(chosen_too.values(), reverse=True)


def test_languages_are_searched_by_code_and_shown_by_name(engine):
    results = engine.search("language:de")
    assert results.total == sum(entry.language == "de" for entry in SHELF) > 0
    (german,) = results.facets["language"]
    assert (german.value, german.label, german.count) == ("de", "German", results.total)
    assert engine.search("", filters={"language": ["de"]}).total == results.total
    (other,) = engine.search("", filters={"language": ["xx"]}).facets["language"][-1:]
    assert (other.value, other.label) == ("xx", "xx")


def test_labels(engine):
    results = engine.search("")
    names = dict(zip(IDS, NAMES, strict=True))
    assert {facet.value: facet.label for facet in results.facets["author"]} == names
    topics = {facet.value: facet.label for facet in results.facets["topic"]}
    assert topics["ai/machine-learning"] == "machine learning"


def test_an_author_is_shown_by_the_name_that_most_works_have(tmp_path):
    shelf = [
        IndexEntry(f"w{k}", "paper", "A", (name,), ("lee-a",))
        for k, name in enumerate(["A. Lee", "Ann Lee", "Ann Lee", "Ann X. Lee"])
    ]
    (found,) = index_of(tmp_path, shelf).search("").facets["author"]
    assert found == FacetValue("lee-a", "Ann Lee", 4)


def test_what_was_chosen_stays_in_the_list(tmp_path):
    shelf = [IndexEntry(f"w{k}", "paper", "A", venue=f"v{k % 40}") for k in range(80)]
    shelf.append(IndexEntry("last", "paper", "A", venue="zz"))
    engine = index_of(tmp_path, shelf)
    assert len(engine.search("").facets["venue"]) == 20
    found = engine.search("", filters={"venue": ["zz", "nobody"]}).facets["venue"]
    assert found[-2:] == [
        FacetValue("zz", "zz", 1, chosen=True),
        FacetValue("nobody", "nobody", 0, chosen=True),
    ]


def test_facets_are_of_what_was_found(engine):
    results = engine.search("robot type:pdf", size=100)
    assert sum(facet.count for facet in results.facets["site"]) == results.total > 0
    assert engine.search("robot", facets=False).facets == {}
    partly = engine.search("robots zebra", size=100)
    assert "No work has all 2 words" in partly.notice
    assert sum(facet.count for facet in partly.facets["site"]) == partly.total
    relaxed = engine.search("robots zebra", sort="date")
    assert "No work matches all" in relaxed.notice
    assert sum(facet.count for facet in relaxed.facets["site"]) == relaxed.total > 0


def test_facets_count_works_found_by_meaning(tmp_path, monkeypatch):
    monkeypatch.setattr("lycosa.portal.search.latent_semantics.MIN_WORKS", 20)
    partly = index_of(tmp_path, SHELF).search("robots zebra", size=100)
    assert any(hit.signals.by_meaning for hit in partly.hits)
    assert sum(facet.count for facet in partly.facets["site"]) == partly.total


def test_of_very_many_works_a_part_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr("lycosa.portal.search.facets.MAX_COUNTED_WORKS", 500)
    shelf = [
        IndexEntry(f"w{k}", "paper", "A", type="pdf" if k % 4 else "html", year=1990 + k % 2)
        for k in range(2000)
    ]
    engine = index_of(tmp_path, shelf)
    results = engine.search("")
    assert results.estimated
    assert results.total == 2000
    counts = {facet.value: facet.count for facet in results.facets["type"]}
    assert 1200 < counts["pdf"] < 1800
    assert 300 < counts["html"] < 700
    assert engine.search("", filters={"type": ["html"]}).estimated
    few = engine.search("year:1991 NOT type:pdf")
    assert (few.estimated, few.total) == (False, 0)
    assert not engine.search("zebra").estimated


@pytest.mark.parametrize("text", ['"rob* le*" OR "the rob*"', '"web* the" OR "le* web*" OR café'])
@pytest.mark.parametrize("filters", [{}, {"type": ["pdf"]}], ids=str)
def test_what_is_counted_by_numbers_is_what_is_counted_by_searching(
    tmp_path, monkeypatch, text, filters
):
    engine = index_of(tmp_path, SHELF)
    gathered = engine.search(text, filters=filters)
    monkeypatch.setattr("lycosa.portal.search.selection.MAX_GATHERED", 0)
    searched = index_of(tmp_path, []).search(text, filters=filters, size=1)
    assert gathered.total == searched.total > 1
    assert gathered.facets == searched.facets
    assert any(gathered.facets.values())
