"""References made ready in batches, as other processes do it."""

from __future__ import annotations

import pickle

from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.matcher import ReferenceMatcher
from lycosa.papers.matching.normal_form import normalise
from lycosa.papers.matching.works import Works

POOL = [fields for _, fields in made.references(made.works(12, seed=5), 60, seed=5)]
SOME = st.lists(st.sampled_from(POOL), max_size=25)


@settings(deadline=None, max_examples=30)
@given(SOME)
def test_equal_forms_are_stored_once_in_order(some):
    batch = ReferenceBatch.from_references(some)
    forms = [normalise(fields) for fields in some]
    assert batch.forms.tolist() == [list(dict.fromkeys(forms)).index(each) for each in forms]
    assert len(batch) == len(some)
    assert len(set(batch.digests)) == len(batch.digests) == len(batch.vectors)


@settings(deadline=None, max_examples=30)
@given(st.lists(SOME, max_size=5), st.booleans())
def test_pickled_batches_give_the_same_works(parts, apart):
    sent = [pickle.loads(pickle.dumps(ReferenceBatch.from_references(part))) for part in parts]
    matching, works = (
        ReferenceMatcher(separate_versions=apart),
        Works(separate_versions=apart),
    )
    matching.match(sent)
    works.add_many(fields for part in parts for fields in part)
    assert matching.works().tolist() == works.works().tolist()
    assert len(matching) == sum(map(len, parts))
