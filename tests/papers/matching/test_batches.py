"""References made ready in batches, as other processes do it."""

from __future__ import annotations

import pickle
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from bench import references as made
from hypothesis import given, settings
from hypothesis import strategies as st

from lycosa import scratch
from lycosa.papers.matching import matcher
from lycosa.papers.matching.batches import ReferenceBatch
from lycosa.papers.matching.matched_forms import MatchedForms
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


@settings(deadline=None, max_examples=10)
@given(st.lists(SOME, max_size=5))
def test_arrays_in_files_give_the_same_works(parts):
    batches = [ReferenceBatch.from_references(part) for part in parts]
    in_memory = ReferenceMatcher()
    in_memory.match(batches)
    with (
        TemporaryDirectory() as name,
        patch.multiple(scratch, KEPT_BYTES=0, MIN_FILE_BYTES=0),
        patch.object(matcher, "BATCH_REFERENCES", 10),
    ):
        in_files = ReferenceMatcher(scratch=scratch.Scratch(Path(name)))
        in_files.match(batches)
        assert in_files.works().tolist() == in_memory.works().tolist()
        mine, others = (MatchedForms.of(each) for each in (in_files, in_memory))
        for (_, one), (_, two) in zip(mine.columns(), others.columns(), strict=True):
            assert one.tolist() == two.tolist()
