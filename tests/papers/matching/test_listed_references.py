"""Works of references that stand in lists, carry identifiers, or have recurring titles."""

from __future__ import annotations

from itertools import combinations, islice
from random import Random

import pytest
from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.errors import UsageError
from lycosa.papers.matching import matcher
from lycosa.papers.matching.feature_vectors import compute_vectors
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.similarity import are_copies, similarity
from lycosa.papers.matching.works import Works

POOL = [fields for _, fields in made.references(made.works(4, seed=22), 40, seed=22)]
COLUMN = [
    {"title": "Reminiscences on spiders", "authors": name, "year": str(1995 + k % 3)}
    for k, name in enumerate(("A. Lee", "B. Roe", "C. Ito", "D. Berg", "A. Lee"))
]
ENTRY = st.tuples(
    st.sampled_from(POOL + COLUMN),
    st.sampled_from(["", "", "", "10.5555/1", "10.5555/2", "10.2139/ssrn.7"]),
    st.sampled_from(["", "", "", "1905.12345", "1905.54321"]),
    st.integers(-1, 3),
)
ENTRIES = st.lists(ENTRY, min_size=1, max_size=20)
SCHAPIRE = {"authors": "R. Schapire", "title": "The strength of weak learnability", "year": "1990"}


def split(entries):
    """Return the references and their sources."""
    fields = [
        {**fields, **({"doi": doi} if doi else {}), **({"arxiv": arxiv} if arxiv else {})}
        for fields, doi, arxiv, _ in entries
    ]
    return fields, [source for *_, source in entries]


def groups(numbers):
    found = {}
    for number, work in enumerate(numbers):
        found.setdefault(work, set()).add(number)
    return {frozenset(each) for each in found.values()}


@settings(deadline=None, max_examples=40)
@given(ENTRIES, st.randoms(use_true_random=False), st.integers(1, 6), st.booleans())
def test_works_depend_neither_on_order_nor_on_batches(entries, chance, size, apart):
    fields, sources = split(entries)
    whole, parts = (Works(separate_versions=apart) for _ in range(2))
    found = whole.add_many(fields, sources).tolist()
    order = list(range(len(entries)))
    chance.shuffle(order)
    waiting = iter(order)
    while few := list(islice(waiting, size)):
        parts.add_many([fields[k] for k in few], [sources[k] for k in few])
    back = {frozenset(order[k] for k in each) for each in groups(parts.works().tolist())}
    assert groups(found) == back


@settings(deadline=None, max_examples=40)
@given(ENTRIES, st.booleans())
def test_entries_of_a_list_are_works_unless_equal_copied_or_identified(entries, apart):
    fields, sources = split([entry for entry in entries if not entry[1] and not entry[2]])
    found = Works(separate_versions=apart).add_many(fields, sources).tolist()
    forms = [normalise(each) for each in fields]
    vectors = compute_vectors(forms)
    unequal = [
        (a, b)
        for a, b in combinations(range(len(fields)), 2)
        if sources[a] == sources[b] >= 0 and forms[a] != forms[b] and found[a] == found[b]
    ]
    for a, b in unequal:
        # A chain of copies in lists joins them, so each has a copy.
        for n in (a, b):
            others = [
                k for k in range(len(fields)) if found[k] == found[n] and forms[k] != forms[n]
            ]
            assert are_copies(vectors, [n] * len(others), others).any()


@settings(deadline=None, max_examples=20)
@given(ENTRIES, st.booleans())
def test_the_same_identifier_joins_unless_title_and_authors_differ(entries, apart):
    fields, sources = split(entries)
    found = Works(separate_versions=apart).add_many(fields, sources).tolist()
    for a, b in combinations(range(len(fields)), 2):
        if similarity(fields[a], fields[b], separate_versions=apart).score > 100:
            assert found[a] == found[b]


@settings(deadline=None, max_examples=40)
@given(st.lists(ENTRY.map(lambda entry: (*entry[:2], "", -1)), min_size=1, max_size=20))
def test_different_dois_divide(entries):
    fields, _ = split(entries)
    found = Works(separate_versions=False).add_many(fields).tolist()
    for a, b in combinations(range(len(fields)), 2):
        dois = {fields[k].get("doi", "") for k in (a, b)} - {"", "10.2139/ssrn.7"}
        if len(dois) == 2:
            shared = similarity(fields[a], fields[b]).score > 100
            assert shared or found[a] != found[b]


def test_a_source_that_lists_two_records_means_two_works():
    early = {**SCHAPIRE, "venue": "Proc. 30th FOCS", "year": "1989"}
    assert (
        len(set(Works(separate_versions=False).add_many([SCHAPIRE, early], [4, 4]).tolist())) == 2
    )
    assert (
        len(set(Works(separate_versions=False).add_many([SCHAPIRE, early], [4, 5]).tolist())) == 1
    )
    copy = {**SCHAPIRE, "title": "The strength of weak learnabilty"}
    works = Works()
    assert len(set(works.add_many([SCHAPIRE, copy], [4, 4]).tolist())) == 1
    identified = [{**each, "doi": "10.5555/1"} for each in (SCHAPIRE, early)]
    assert len(set(Works().add_many(identified, [4, 4]).tolist())) == 1


def test_a_reference_of_another_list_joins_the_record_that_it_fits_better():
    early = {**SCHAPIRE, "venue": "Proc. 30th FOCS", "year": "1989", "pages": "28-33"}
    late = {**SCHAPIRE, "venue": "Machine Learning", "volume": "5", "pages": "197-227"}
    works = Works(separate_versions=False)
    found = works.add_many([early, late, {**late, "year": "1990."}, early], [1, 1, 2, 3]).tolist()
    assert found == [0, 1, 1, 0]
    why = works.why(0, 1)
    assert why.listed_apart
    assert str(why).startswith("different works in one list of references")


def test_a_form_that_enters_a_list_leaves_its_work():
    works = Works(separate_versions=False)
    early = {**SCHAPIRE, "venue": "Proc. 30th FOCS", "year": "1989"}
    assert works.add_many([SCHAPIRE, early], [1, 2]).tolist() == [0, 0]
    works.add_many([early], [1])
    assert works.works().tolist() == [0, 1, 1]


def test_sources_are_one_for_each_reference():
    with pytest.raises(UsageError, match="each of the 2 references"):
        Works().add_many([SCHAPIRE, SCHAPIRE], [1])


@pytest.mark.parametrize("apart", [False, True])
def test_a_column_with_changing_authors_is_many_works(apart):
    names = ["A. Lee", "B. Roe", "C. Ito", "D. Berg", "E. Novak", "F. Silva"]
    column = [
        {"title": "Reminiscences on influential spiders", "venue": "Spider Record", "authors": name}
        for name in names
    ]
    again = [
        {**each, "authors": f"{each['authors'][3:]}, {each['authors'][:2]}"} for each in column
    ]
    found = Works(separate_versions=apart).add_many([*column, *again]).tolist()
    assert found == [0, 1, 2, 3, 4, 5] * 2


def test_a_yearly_column_of_one_author_is_many_works():
    column = [
        {"title": "Letter from the editor", "authors": "A. Lee", "venue": "Web", "year": str(year)}
        for year in range(1990, 2002, 2)
    ]
    assert len(set(Works().add_many(column).tolist())) == len(column)
    assert len(set(Works().add_many(column[:2]).tolist())) == 1  # a misprinted year, so far


def test_a_work_with_misspelt_authors_is_one_work():
    chance = Random(5)
    spoiled = []
    for _ in range(30):
        name = list("Schapire")
        name[chance.randrange(8)] = chance.choice("aeiou")
        spoiled.append({**SCHAPIRE, "authors": f"R. {''.join(name)}"})
    assert len(set(Works().add_many([SCHAPIRE] * 20 + spoiled).tolist())) == 1


def _comparisons(monkeypatch, some, sources):
    """Match references and return how many pairs were scored."""
    counted = 0
    score = matcher.score_pairs

    def counting(vectors, i, j, **more):
        nonlocal counted
        counted += len(i)
        return score(vectors, i, j, **more)

    with monkeypatch.context() as patch:
        patch.setattr(matcher, "score_pairs", counting)
        Works().add_many(some, sources)
    return counted


def _hostile(kind, size):
    names = [f"{a}{b}{c}" for a in "bcdfgl" for b in ("ano", "eri", "iku") for c in "mnrstvwxz"]
    return [
        {
            "title": "Editorial notes on spiders",
            **({"authors": f"A. {names[k % len(names)]}{k}"} if kind != "years" else {}),
            **({"year": str(1600 + k % 400), "volume": str(k // 400)} if kind != "authors" else {}),
            **({"doi": f"10.5555/{k}"} if kind == "identifiers" else {}),
        }
        for k in range(size)
    ]


@pytest.mark.parametrize("kind", ["authors", "years", "both", "identifiers"])
@pytest.mark.parametrize("listed", [False, True])
def test_comparisons_of_equal_titles_grow_with_their_number(monkeypatch, kind, listed):
    small, large = (
        _comparisons(monkeypatch, _hostile(kind, size), [7 if listed else -1] * size) / size
        for size in (600, 2400)
    )
    assert large < 1.5 * small
    assert large < 1000


def test_a_mistyped_doi_takes_no_other_reference_with_it():
    chance = Random(8)
    work = made.works(1, seed=8)[0]
    plain = [made.reference(chance, work) for _ in range(40)]
    some = [
        {**fields, "doi": "10.5555/right.1"} if k % 3 == 0 else fields
        for k, fields in enumerate(plain)
    ]
    expected = groups(Works().add_many(some).tolist())
    largest = max(expected, key=len)
    wrong = {**plain[min(largest)], "doi": "10.5555/wrong.1"}
    assert groups(Works().add_many([*some, wrong]).tolist()) == expected | {frozenset([len(some)])}
