"""Identifiers of works in queries."""

from lycosa.portal.search import IndexEntry
from portal.search.sample_works import index_of


def test_a_typed_identifier_or_title_comes_first(tmp_path):
    works = [
        IndexEntry(f"x{k}", "paper", "The learning of spiders and learning", abstract="spiders")
        for k in range(5)
    ]
    works.append(IndexEntry("doi", "paper", "Other", text="doi 10.1145/3190580. Nothing else."))
    works.append(IndexEntry("title", "paper", "Spiders of learning"))
    engine = index_of(tmp_path, works)
    for query in ("10.1145/3190580", "https://doi.org/10.1145/3190580"):
        assert engine.search(query).hits[0].id == "doi"
    assert engine.search("spiders of LEARNING").hits[0].id == "title"
