from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.evidence.evidence import MIN_CONFIDENCE, Evidence, combine, combine_all

SOURCES = ("masthead", "copyright", "DOI", "file")
evidence = st.builds(
    Evidence,
    st.sampled_from(["year", "venue"]),
    st.sampled_from(["1998", "1999", "2000"]),
    st.sampled_from(SOURCES),
    st.floats(0.01, 0.99),
)


def year(value, source, confidence):
    return Evidence("year", value, source, confidence)


def test_the_strongest_place_decides_against_many_weaker_ones():
    found = combine(
        [year("2008", "masthead", 0.95), year("2007", "copyright", 0.8), year("2007", "DOI", 0.5)]
    )
    assert found["year"].value == "2008"
    assert [one.source for one in found["year"].evidence] == ["masthead"]


def test_agreement_raises_and_dissent_lowers_the_confidence():
    alone = combine([year("1999", "copyright", 0.8)])["year"]
    agreed = combine([year("1999", "copyright", 0.8), year("1999", "DOI", 0.5)])["year"]
    disputed = combine([year("1999", "copyright", 0.8), year("1998", "DOI", 0.5)])["year"]
    assert disputed.confidence < alone.confidence < agreed.confidence


def test_one_weak_place_is_not_enough_but_two_that_agree_are():
    file, date = year("2012", "file", 0.3), year("2012", "creation date", 0.2)
    assert combine([file]) == combine([date]) == {}
    assert combine([file, date])["year"].value == "2012"


def test_repeated_places_of_one_kind_count_once():
    assert combine([year("2012", "file", 0.3)] * 5) == {}


def test_a_field_may_have_several_values():
    ids = [Evidence("orcid", value, "identifier", 0.95) for value in ("a", "b", "a")]
    assert [one.value for one in combine_all(ids, "orcid")] == ["a", "b"]


@given(st.lists(evidence), st.randoms())
def test_combined_values_are_bounded_and_do_not_depend_on_order(some, chance):
    found = combine(some)
    for name, one in found.items():
        assert MIN_CONFIDENCE <= one.confidence <= 1
        assert {e.value for e in one.evidence} == {one.value}
        assert {e.field for e in one.evidence} == {name}
        assert one.evidence[0].confidence == max(e.confidence for e in some if e.field == name)
    shuffled = list(some)
    chance.shuffle(shuffled)
    again = combine(shuffled)
    assert {k: v.confidence for k, v in again.items()} == {
        k: v.confidence for k, v in found.items()
    }
