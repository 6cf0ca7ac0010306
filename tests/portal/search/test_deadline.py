from itertools import count

import pytest

from lycosa.portal.search.deadline import Deadline, SearchTimeout
from portal.search.sample_works import entries, index_of


@pytest.fixture(scope="module")
def engine(tmp_path_factory):
    return index_of(tmp_path_factory.mktemp("index"), entries())


def checks(number):
    """Return a deadline that is reached when it is checked for this time."""
    return Deadline(number, count().__next__)


def test_time_passes():
    now = 5.0
    deadline = Deadline(2.0, lambda: now)
    assert not deadline.expired
    now = 7.0
    assert deadline.expired
    with pytest.raises(SearchTimeout, match="more than 2 seconds"):
        deadline.check()


def test_a_search_without_results_by_then_fails(engine):
    with pytest.raises(SearchTimeout):
        engine.search("robot", deadline=Deadline(0.0))


@pytest.mark.parametrize("filters", [{}, {"type": ["pdf", "html"], "site": ["b.org", "none"]}])
def test_facets_are_left_out_with_a_notice(engine, filters):
    whole = engine.search("robot", filters=filters)
    engine._latest().facets.clear()
    cut = engine.search("robot", filters=filters, deadline=checks(2))
    assert "took too long" in cut.notice
    assert not cut.facets
    assert (cut.total, cut.hits) == (whole.total, whole.hits)
    # What was left out is not cached as if it were the answer.
    assert engine.search("robot", filters=filters) == whole


def test_suggestions_are_left_out_with_a_notice(engine):
    assert engine.search("robott").suggestion == "robot"
    results = engine.search("robott", facets=False, deadline=checks(2))
    assert not results.suggestion
    assert "took too long" in results.notice


def test_any_number_of_checks_ends_in_results_or_in_a_timeout(engine):
    for text in ("robot web", "robott spider zebra", 'rob* "the robot"', ""):
        ended = []
        for number in range(1, 30):
            try:
                ended.append(engine.search(text, deadline=checks(number)).total)
            except SearchTimeout:
                assert not ended, "more time never ends in a timeout"
        assert ended
        assert len(set(ended)) == 1
