"""The library: works and citations of many papers."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UnknownName, UsageError
from lycosa.papers.evidence.evidence import Evidence, combine
from lycosa.papers.extraction.fields import FieldSpan, Header, Reference
from lycosa.papers.library import Library
from lycosa.papers.paper import Paper, PaperReference

TITLES = {
    "a": ("Learning to follow hyperlinks with rewards", "Ann Lee", "1997"),
    "b": ("Hidden Markov structure for extraction", "Bob Roe", "1998"),
    "c": ("Clustering citations by canopies", "Carl Fox", "1999"),
    "d": ("Spectral methods on very sparse graphs", "Dora Elk", "2000"),
}
CITES = {"a": "", "b": "a", "c": "ab", "d": "abcz"}
TRUE = {(x, y) for x, cited in CITES.items() for y in cited if y in CITES}


def fields(kind, title, author, year):
    words = {"title": title, "author": author, "date": year}
    return kind({k: (FieldSpan(v, 1.0, 0, 1, 0, 0),) for k, v in words.items()})


def short(title, author, year):
    given, family = author.split()
    return fields(Reference, title.lower() + ".", f"{family}, {given[0]}.", f"({year})")


def paper(name):
    strange = ("Something that nobody here has written", "Zoe Ash", "1980")
    cited = [(y, short(*TITLES.get(y, strange))) for y in CITES[name]]
    own = fields(Header, *TITLES[name])
    return Paper("text", own, tuple(PaperReference(f"[{y}] {r.title}", r) for y, r in cited), True)


def papers(names="abcd"):
    return {name: paper(name) for name in names}


def edges(library):
    return {(x, y) for x in library for y in library.cites(x)}


def test_references_are_linked_to_papers():
    library = Library()
    library.add_many(papers())
    assert edges(library) == TRUE
    assert {(x, y) for y in library for x in library.cited_by(y)} == TRUE
    assert library.cited("d")[:3] == [library.work(name) for name in "abc"]


@settings(max_examples=25, deadline=None)
@given(st.permutations("abcd"), st.integers(0, 4))
def test_result_does_not_depend_on_order_or_batches(order, cut):
    library = Library()
    library.add_many(papers(order[:cut]))
    seen = set(order[:cut])
    assert edges(library) == {(x, y) for x, y in TRUE if {x, y} <= seen}
    for name in order[cut:]:
        library.add(name, paper(name))
    assert edges(library) == TRUE


def test_cited_works_without_papers_have_records():
    library = Library()
    library.add_many(papers("d"))
    strange = library.cited("d")[-1]
    assert library.papers(strange) == []
    assert library.record(strange)["year"] == "1980"
    assert library.citations.cited_by(strange).tolist() == [library.work("d")]


def test_copies_are_one_work():
    library = Library()
    library.add_many(papers())
    library.add("copy of a", paper("a"))
    assert library.papers(library.work("a")) == ["a", "copy of a"]
    assert library.cites("b") == ["a", "copy of a"]
    assert library.citations.counts[library.work("a")] == 3


def test_the_record_is_a_vote_of_all_members():
    library = Library()
    library.add_many(papers())
    assert library.record(library.work("a"))["year"] == "1997"


def test_why_names_the_reference():
    library = Library()
    library.add_many(papers())
    said = library.why("d", "b")
    assert (said.citing, said.number, said.why.same) == ("d", 2, True)
    assert said.text.startswith("[b]")
    assert "one work" in str(said)
    unsaid = library.why("b", "c")
    assert not unsaid.why.same
    assert "different works" in str(unsaid)


def test_empty_library():
    library = Library()
    assert (len(library), list(library), len(library.citations)) == (0, [], 0)
    assert "a" not in library


def test_records_without_a_title_are_separate_works():
    library = Library()
    blank = Paper(
        "text", references=(PaperReference("?", Reference()), PaperReference("?", Reference()))
    )
    library.add_many({"x": blank, "y": blank} | papers())
    assert edges(library) == TRUE
    works = [library.work("x"), library.work("y"), *library.cited("x"), *library.cited("y")]
    assert len(set(works)) == 6
    assert library.papers(library.work("y")) == ["y"]
    with pytest.raises(UsageError, match="No title was found in y"):
        library.why("d", "y")


def test_invalid_papers_are_refused_and_nothing_is_added():
    library = Library()
    library.add_many(papers("ab"))
    with pytest.raises(UsageError, match="already"):
        library.add_many(papers("cb"))
    with pytest.raises(UsageError, match=r"encrypted\); leave it out"):
        library.add("x", Paper("encrypted"))
    assert list(library) == ["a", "b"]
    with pytest.raises(UnknownName, match="There is no paper 'x'"):
        library.cites("x")
    with pytest.raises(UsageError, match="no references"):
        library.why("a", "b")


def with_doi(found, doi):
    evidence = (Evidence("doi", doi, "identifier", 0.95),)
    return replace(found, evidence=evidence, facts=combine(evidence))


def test_a_doi_links_a_reference_whose_title_was_read_wrong():
    torn = fields(Reference, "Hyperlinks. In: Proc.", "X. Nobody", "1950")
    text = "[1] A. Lee, Learning to follow hyperlinks, https://doi.org/10.1234/links.7"
    citing = Paper("text", fields(Header, *TITLES["d"]), (PaperReference(text, torn),), True)
    library = Library()
    library.add_many({"a": with_doi(paper("a"), "10.1234/links.7"), "d": citing})
    assert library.cites("d") == ["a"]
    why = library.why("d", "a")
    assert why.identifier == "doi:10.1234/links.7"
    assert "the same identifier: doi:10.1234/links.7" in str(why)


def test_papers_with_different_dois_are_different_works():
    library = Library()
    library.add_many(
        {"one": with_doi(paper("a"), "10.1234/x1"), "two": with_doi(paper("a"), "10.1234/x2")}
    )
    assert library.work("one") != library.work("two")
    assert library.record(library.work("two"))["title"] == TITLES["a"][0]


def test_a_number_that_is_no_work_is_refused():
    library = Library()
    library.add_many(papers("a"))
    with pytest.raises(UsageError, match="no reference 7"):
        library.record(7)


def test_two_entries_of_one_list_are_two_works():
    title, author, year = TITLES["a"]
    listed = (short(title, author, year), short(title, author, str(int(year) - 1)))
    cited = tuple(PaperReference(f"[{n}] {r.title}", r) for n, r in enumerate(listed))
    library = Library(separate_versions=False)
    library.add("d", Paper("text", fields(Header, *TITLES["d"]), cited, True))
    one, two = library.cited("d")
    assert one != two
    library.add("a", paper("a"))
    assert library.cited("d")[0] == library.work("a") != library.cited("d")[1]


def test_an_untitled_reference_is_linked_by_its_identifier_alone():
    torn = fields(Reference, "", "X. Nobody", "1950")
    text = "[1] A. Lee, https://doi.org/10.1234/links.7"
    citing = Paper("text", fields(Header, *TITLES["d"]), (PaperReference(text, torn),) * 2, True)
    library = Library()
    library.add_many({"a": with_doi(paper("a"), "10.1234/links.7"), "d": citing})
    assert library.cites("d") == ["a"]
