from hashlib import blake2b

from hypothesis import given
from hypothesis import strategies as st

from lycosa.portal.search import IndexEntry
from lycosa.portal.search.analysis import Analysis
from lycosa.portal.search.layout import (
    LAYOUT_VERSION,
    by_cited,
    by_date,
    prepare,
    prior,
)

DATES = st.one_of(
    st.just(""),
    st.dates().map(str),
    st.integers(1, 9999).map("{:04}".format),
    st.text("0123456789-T", max_size=12),
)
ENTRIES = st.builds(
    lambda name, year, date, cited: IndexEntry(
        name, "paper", "", year=year, date=date, cited_by=cited
    ),
    st.text(max_size=5),
    st.none() | st.integers(-10, 10**6),
    DATES,
    st.integers(-1, 10**12),
)
WHOLE = st.dates().map(str)


@given(ENTRIES)
def test_keys_fit_into_64_bits(entry):
    for key in (by_cited(entry), by_date(entry)):
        assert 0 <= key < 2**64
    assert 0 <= prior(entry) < 1000


@given(WHOLE, WHOLE, st.integers(0, 2**20 - 1), st.integers(0, 2**20 - 1))
def test_keys_order_by_date_and_by_citations(one, two, few, many):
    a, b = (
        IndexEntry("a", "", "", date=one, cited_by=few),
        IndexEntry("b", "", "", date=two, cited_by=many),
    )
    if (one, few) != (two, many):
        assert (by_date(a) < by_date(b)) == ((one, few) < (two, many))
    if (few, one[:7]) != (many, two[:7]):
        assert (by_cited(a) < by_cited(b)) == ((few, one[:7]) < (many, two[:7]))
    if few < many:
        assert prior(IndexEntry("a", "", "", cited_by=few)) < prior(
            IndexEntry("a", "", "", cited_by=many)
        )


def test_a_year_replaces_a_missing_date():
    assert by_date(IndexEntry("a", "", "", year=1999)) == by_date(
        IndexEntry("a", "", "", date="1999")
    )
    assert by_date(IndexEntry("a", "", "", date="1999-05-01T12:00:00Z")) == by_date(
        IndexEntry("a", "", "", date="1999-05-01")
    )


def test_equal_works_are_ordered_by_their_ids():
    keys = {by_cited(IndexEntry(f"w{k}", "", "")) for k in range(100)}
    assert len(keys) > 90
    assert len({prior(IndexEntry(f"w{k}", "", "")) for k in range(100)}) > 90


def test_a_change_of_terms_needs_another_layout_version():
    """The terms of one entry, as this version has them; `prior` depends on the CPU's logarithm."""
    entry = IndexEntry(
        "w1", "paper", "Learning spiders of the naïve Web", ("Ann Lee", "Bo Müller"),
        ("lee-a", "muller-b"), 1997, "1997-05", "Journal of Robots", "Spiders that learn.",
        "They hunt at night, e-mail 学习.", "www.cs.a.edu", "pdf", "en",
        ("ai", "ai/machine-learning"), ("w2",), 7,
    )  # fmt: skip
    terms = prepare(entry, Analysis()).document.to_dict()
    del terms["prior"]
    digest = blake2b(repr(sorted(terms.items())).encode(), digest_size=8).hexdigest()
    assert (LAYOUT_VERSION, digest) == (4, "5bfac04588f1d66b"), "raise LAYOUT_VERSION"
