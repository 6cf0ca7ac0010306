"""Merging of the author fields of a header."""

from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.extraction.author_list import author_fields, merge_mentions
from lycosa.papers.extraction.fields import FieldSpan, Header
from lycosa.papers.extraction.names import PersonName


def span(text, start):
    return FieldSpan(text, 1.0, start, start + 2, start, start)


def test_authors_stand_before_the_abstract_if_there_are_any():
    first, later = span("Ann Lee", 4), span("Zoe Roe", 20)
    abstract = {"abstract": (span("We hunt", 10),)}
    assert author_fields(Header({"author": (first, later), **abstract})) == (first,)
    assert author_fields(Header({"author": (later,), **abstract})) == (later,)
    assert author_fields(Header({"author": (first, later)})) == (first, later)
    assert author_fields(Header()) == ()


NAME = st.builds(
    PersonName,
    st.sampled_from(["Lee", "LEE", "Roe", "M\u00fcller", "Muller", ""]),
    st.sampled_from(["Ann", "A.", "Anna", "Zoe", "Z", ""]),
)


def test_a_second_mention_is_left_out():
    lee, roe = PersonName("Lee", "Ann B."), PersonName("M\u00fcller", "Zoe")
    later = [PersonName("LEE", "A."), PersonName("Muller", "Z."), PersonName("Lee", "Ann")]
    assert merge_mentions([[lee, roe], later]) == (lee, roe)


def test_other_people_of_the_same_family_stay():
    ann, zoe = PersonName("Lee", "Ann"), PersonName("Lee", "Zoe")
    assert merge_mentions([[ann], [zoe]]) == (ann, zoe)


def test_equal_names_in_one_list_are_different_people():
    wei = PersonName("Wang", "Wei")
    assert merge_mentions([[wei, wei]]) == (wei, wei)


def test_single_words_among_names_are_no_names():
    lee, place = PersonName("Lee", "Ann"), PersonName("NICTA")
    assert merge_mentions([[lee, place]]) == (lee,)
    assert merge_mentions([[place]]) == (place,)


@given(st.lists(st.lists(NAME, max_size=4), max_size=4))
def test_order_is_kept_and_a_repeated_header_adds_nothing(fields):
    merged = merge_mentions(fields)
    every = [name for field in fields for name in field]
    positions = iter(every)
    assert all(name in positions for name in merged)
    assert merge_mentions([*fields, *fields]) == merged


def test_a_later_field_with_most_names_is_a_citation_of_the_paper():
    authors = [PersonName("Wirth", "William"), PersonName("Poe", "Jose"), PersonName("Roe", "Zora")]
    cited = [PersonName("WJ", "Wirth"), PersonName("Jose", "Poe"), PersonName("Spiders", "Zora")]
    assert merge_mentions([authors, cited]) == tuple(authors)


def test_a_later_field_with_names_of_a_few_is_a_list_of_others():
    one = [PersonName(family, "Wei") for family in "Zhang Huang Zheng Chang Liang".split()]
    two = [PersonName("Zhang", "Jun"), PersonName("Huang", "Jun"), PersonName("Zheng", "Bo")]
    large = [*one, *(PersonName(family, "Ann") for family in "Adams Baker Clark".split())]
    assert merge_mentions([large, two]) == (*large, *two)


def test_people_under_a_caption_are_not_authors():
    note = FieldSpan("Frontiers in Spiders\nReviewed by:", 1.0, 0, 5, 0, 1)
    fields = {
        "note": (note,),
        "author": (span("Zoe Roe,", 5), span("Carl Poe,", 9), span("Ann Lee", 20)),
        "affiliation": (FieldSpan("MIT,", 1.0, 7, 9, 3, 3),),
    }
    assert [part.text for part in author_fields(Header(fields))] == ["Ann Lee"]


def test_the_caption_of_an_editor_or_a_citation_ends_an_author_list():
    for caption in ("Academic Editor: Zoe Roe", "Citation: Lee, A.", "Edited by Zoe Roe"):
        header = Header({"author": (span(f"Ann Lee\n{caption}", 0),)})
        assert [part.text.strip() for part in author_fields(header)] == ["Ann Lee"]


def test_a_group_is_not_an_author():
    header = Header({"author": (span("Ann Lee and Zoe Roe on behalf of the Spider Group", 0),)})
    assert [part.text.strip() for part in author_fields(header)] == ["Ann Lee and Zoe Roe"]


def test_people_under_a_caption_stay_if_there_are_no_others():
    header = Header({"author": (span("Editor: Ann Lee", 0),)})
    assert author_fields(header) == header.fields["author"]
