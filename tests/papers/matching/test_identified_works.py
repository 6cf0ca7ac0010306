import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lycosa.papers.matching.identified_works import Identified, apply_identifiers, identify


def works(numbers, some, **more):
    return apply_identifiers(np.array(numbers, np.int32), some, **more).tolist()


def test_the_same_identifier_joins_works():
    a = Identified("Web spiders", doi="10.1/a")
    assert works([0, 1], [a, a._replace(title="Spiders of the web")]) == [0, 0]
    one, two = Identified("Webs", arxiv="1905.1"), Identified("", arxiv="1905.1")
    assert works([0, 1, 2], [one, Identified("Webs"), two]) == [0, 1, 0]


def test_the_doi_of_a_book_does_not_join_its_chapters():
    some = [Identified("Web spiders", doi="10.1/book"), Identified("Garden flies", "10.1/book")]
    assert works([0, 1], some) == [0, 1]


def test_different_dois_divide_a_work():
    a, b = Identified("Editorial", "10.1/a"), Identified("Editorial", "10.1/b")
    assert works([0, 0, 0], [a, b, a]) == [0, 1, 0]
    plain = Identified("Editorial")
    assert works([0, 0, 0, 0], [plain, b, a, a]) == [0, 1, 0, 0]


def test_a_doi_that_a_line_cut_off_is_no_other_doi():
    assert works([0, 0], [Identified("Webs", "10.1/webs.1"), Identified("Webs", "10.1/webs")]) == [
        0, 0,
    ]  # fmt: skip


def test_a_preprint_is_a_version():
    some = [Identified("Webs", "10.2139/7"), Identified("Webs", "10.1/a")]
    assert works([0, 0], some) == [0, 0]
    assert works([0, 0], some, separate_versions=True) == [0, 1]


def test_a_doi_of_arxiv_is_an_arxiv_id():
    assert identify("Webs", "doi:10.48550/arXiv.1905.12345.") == identify(
        "Webs", "arXiv:1905.12345v2"
    )


members = st.builds(
    Identified,
    st.sampled_from(["", "web spiders", "web flies", "ants"]),
    st.sampled_from(["", "", "10.1/a", "10.1/ab", "10.2/b"]),
    st.sampled_from(["", "", "1905.1", "1905.2"]),
)


@given(st.lists(st.tuples(members, st.integers(0, 3)), max_size=12), st.booleans())
def test_works_stay_numbered_by_their_first_member(some, separate_versions):
    group = [g for _, g in some]
    before = [group.index(g) for g in group]
    found = works(before, [one for one, _ in some], separate_versions=separate_versions)
    assert all(found.index(work) == work for work in found)
    assert works(found, [Identified(one.title) for one, _ in some]) == found


@given(st.lists(members, max_size=10))
def test_separate_works_without_a_shared_identifier_stay_separate(some):
    found = works(list(range(len(some))), some)
    for n, work in enumerate(found):
        if work != n:
            keys = {some[n].doi, some[n].arxiv} - {""}
            others = [some[k] for k in range(len(some)) if k != n and found[k] == work]
            assert any({one.doi, one.arxiv} & keys for one in others)
