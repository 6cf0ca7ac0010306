"""Updates of a matching: the result is that of a new matching."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching import blocking, component_clustering
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.matched_forms import MatchedForms
from lycosa.papers.matching.matcher import ReferenceMatcher
from lycosa.papers.matching.matching_update import MatchingUpdate

POOL = [fields for _, fields in made.references(made.works(5, seed=23), 50, seed=23)]
COLUMN = [
    {"title": "Reminiscences on spiders", "authors": name, "year": str(1995 + k % 3)}
    for k, name in enumerate(("A. Lee", "B. Roe", "C. Ito", "D. Berg", "A. Lee"))
]
ENTRY = st.tuples(
    st.sampled_from([*POOL, *COLUMN, {}]),
    st.sampled_from(["", "", "", "10.5555/1", "10.5555/2"]),
    st.integers(-1, 3),
)
# Which of the references before it go, and what is inserted before the one at a position.
CHANGE = st.tuples(
    st.lists(st.booleans(), max_size=40),
    st.lists(st.tuples(st.integers(0, 40), ENTRY), max_size=12),
)


def batch(entries):
    fields = [{**fields, **({"doi": doi} if doi else {})} for fields, doi, _ in entries]
    return ReferenceBatch.from_references(fields, [source for *_, source in entries])


def matched(entries, *, apart):
    matcher = ReferenceMatcher(separate_versions=apart)
    matcher.match([batch(entries)])
    return matcher


def changed(entries, change):
    """Return the references after a change, those of them that are new, and where others are."""
    goes, comes = change
    stays = [n for n in range(len(entries)) if not (n < len(goes) and goes[n])]
    after = [(entries[n], n) for n in stays]
    for position, entry in comes:
        after.insert(min(position, len(after)), (entry, -1))
    place = np.full(len(entries), -1)
    for number, (_, n) in enumerate(after):
        if n >= 0:
            place[n] = number
    return [entry for entry, _ in after], [entry for entry, n in after if n < 0], place


def equal(one: MatchedForms, other: MatchedForms):
    mine, others = dict(one.columns()), dict(other.columns())
    assert mine.keys() == others.keys()
    for name, column in mine.items():
        assert np.array_equal(column, others[name]), name


@settings(deadline=None, max_examples=60)
@given(
    st.lists(CHANGE, min_size=1, max_size=4), st.integers(1, 4), st.integers(1, 4), st.booleans()
)
def test_updates_equal_a_new_matching(changes, block, witnesses, apart):
    with (
        patch.object(blocking, "MAX_COMPARED_PER_BLOCK", block),
        patch.object(component_clustering, "_WITNESSES", witnesses),
    ):
        entries = []
        state, form_of = MatchedForms.empty(), np.empty(0, np.int64)
        for change in changes:
            entries, added, place = changed(entries, change)
            sources = np.array([source for *_, source in entries], np.int64)
            batches = [batch(added[start : start + 5]) for start in range(0, len(added), 5)]
            update = MatchingUpdate(
                state, form_of, place, sources, batches, separate_versions=apart
            )
            matcher = matched(entries, apart=apart)
            assert update.works().tolist() == matcher.works().tolist()
            assert update.form_of.tolist() == matcher.form_of.tolist()
            state, form_of = update.forms(), update.form_of
            equal(state, MatchedForms.of(matcher))
